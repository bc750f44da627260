from hypothesis import given, settings
from hypothesis import strategies as st
from solution import live_keys

STORED = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 12), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(STORED, st.integers(5, 12), st.integers(0, 6))
def test_live_keys_were_stored_within_the_window(stored, now, ttl):
    window = range(now - ttl + 1, now + 1)
    assert live_keys(stored, now, ttl) == sorted(k for k in stored if stored[k] in window)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(STORED, st.sampled_from("abcd"))
def test_pinning_adds_that_key_alone(stored, key):
    expected = set(live_keys(stored, 9, 5)) | ({key} & set(stored))
    assert live_keys(stored, 9, 5, (key,)) == sorted(expected)


def test_nothing_stored():
    assert live_keys({}, 5, 1, ("a",)) == []


def test_the_default_is_a_minute():
    assert live_keys({"a": 5}, 5) == ["a"]
    assert live_keys({"a": 1, "b": 0}, 60) == ["a"]
