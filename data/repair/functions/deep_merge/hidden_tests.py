from hypothesis import given, settings
from hypothesis import strategies as st
from solution import deep_merge

KEYS = st.sampled_from("ab")
PLAIN = st.dictionaries(
    KEYS, st.integers(0, 2) | st.dictionaries(KEYS, st.integers(0, 2), max_size=2)
)
CHANGES = st.dictionaries(
    KEYS, st.none() | st.integers(3, 4) | st.dictionaries(KEYS, st.integers(3, 4))
)


def leaves(tree):
    flat = {}
    for key, value in tree.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        flat.update({(key, name): leaf for name, leaf in inner})
    return flat


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PLAIN, CHANGES)
def test_leaves_of_the_result(base, extra):
    both = {k for k in extra if isinstance(extra[k], dict) and isinstance(base.get(k), dict)}
    kept = {
        path: leaf for path, leaf in leaves(base).items() if path[0] not in extra or path[0] in both
    }
    new = {path: leaf for path, leaf in leaves(extra).items() if leaf is not None}
    assert leaves(deep_merge(base, extra)) == kept | new


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PLAIN, CHANGES)
def test_merging_again_changes_nothing(base, extra):
    merged = deep_merge(base, extra)
    assert deep_merge(merged, extra) == merged
    assert set(merged) == (set(base) | set(extra)) - {k for k in extra if extra[k] is None}


def test_nothing_to_merge():
    assert deep_merge({"a": 1}, {}) == {"a": 1}
    assert deep_merge({}, {"a": 1}) == {"a": 1}


def test_none_removes_a_key_within():
    assert deep_merge({"a": {"x": 1, "y": 2}}, {"a": {"x": None}}) == {"a": {"y": 2}}
