from hypothesis import given, settings
from hypothesis import strategies as st
from solution import lru_hits

KEYS = st.lists(st.sampled_from("abcd"), max_size=10)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(KEYS, st.integers(1, 4))
def test_a_hit_means_few_other_keys_since_the_last_use(keys, size):
    hits = 0
    for place, key in enumerate(keys):
        before = keys[:place]
        if key in before:
            last = max(n for n, other in enumerate(before) if other == key)
            hits += len(set(before[last + 1 :])) < size
    assert lru_hits(keys, size) == hits


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(KEYS)
def test_a_large_cache_misses_each_key_once(keys):
    assert lru_hits(keys, 4) == len(keys) - len(set(keys))


def test_no_keys():
    assert lru_hits([], 1) == 0


def test_few_places():
    assert lru_hits(["a", "b", "c", "b"], 2) == 1
    assert lru_hits(["a", "a", "b", "a"], 1) == 1
