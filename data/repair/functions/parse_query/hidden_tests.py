from urllib.parse import parse_qs, urlencode

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import parse_query


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("ab=&", max_size=9))
def test_query_equals_that_of_the_library(query):
    assert parse_query(query) == parse_qs(query, keep_blank_values=True)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.text("xy ", max_size=3)), max_size=4))
def test_encoded_pairs_come_back(pairs):
    expected = {}
    for key, value in pairs:
        expected[key] = [*expected.get(key, []), value]
    assert parse_query(urlencode(pairs)) == expected


def test_empty_query():
    assert parse_query("") == {}


def test_only_the_first_equals_sign_splits():
    assert parse_query("a=b=c") == {"a": ["b=c"]}
