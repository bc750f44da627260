import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import camel_to_snake

PARTS = st.lists(st.text("xyz", min_size=2, max_size=3), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("aBC", max_size=7))
def test_name_equals_the_pattern_form(name):
    assert camel_to_snake(name) == re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PARTS)
def test_parts_come_back_from_their_camel_form(parts):
    assert camel_to_snake("".join(part.capitalize() for part in parts)) == "_".join(parts)


def test_a_plain_name_stays():
    assert camel_to_snake("total") == "total"


def test_empty_name():
    assert camel_to_snake("") == ""
