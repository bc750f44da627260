from hypothesis import given, settings
from hypothesis import strategies as st
from solution import split_fields


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("ab,", max_size=8))
def test_without_quotes_it_is_a_plain_split(line):
    assert split_fields(line) == line.split(",")


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.text("a, ", max_size=4), min_size=1, max_size=4))
def test_quoted_fields_come_back(fields):
    assert split_fields(",".join(f'"{field}"' for field in fields)) == fields


def test_an_empty_line_is_one_empty_field():
    assert split_fields("") == [""]


def test_an_open_quote_reaches_to_the_end():
    assert split_fields('a,"b,c') == ["a", "b,c"]
