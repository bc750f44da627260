from hypothesis import given, settings
from hypothesis import strategies as st
from solution import follow_links

LINKS = st.dictionaries(st.sampled_from("abcde"), st.sampled_from("abcdef"), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 5), st.integers(0, 5))
def test_a_straight_chain_ends_within_the_limit(length, limit):
    links = {str(n): str(n + 1) for n in range(length)}
    assert follow_links(links, "0", limit) == (str(length) if length <= limit else None)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(LINKS, st.sampled_from("abcdef"))
def test_the_end_is_where_the_chain_stops(links, start):
    chain = [start]
    while chain[-1] in links and len(chain) <= 6:
        chain.append(links[chain[-1]])
    assert follow_links(links, start, 5) == (
        chain[-1] if len(chain) <= 6 and chain[-1] not in links else None
    )


def test_no_steps_allowed():
    assert follow_links({"a": "b"}, "a", 0) is None
    assert follow_links({"a": "b"}, "b", 0) == "b"


def test_three_steps_by_default():
    links = {"1": "2", "2": "3", "3": "4", "4": "5"}
    assert [follow_links(links, start) for start in "123"] == [None, "5", "5"]
