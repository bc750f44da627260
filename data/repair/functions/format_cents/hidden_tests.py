from hypothesis import given, settings
from hypothesis import strategies as st
from solution import format_cents

AMOUNTS = st.integers(-300, 300) | st.integers(-(10**9), 10**9)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(AMOUNTS)
def test_text_equals_that_of_the_format_language(cents):
    assert format_cents(cents) == f"{cents / 100:,.2f}"


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(AMOUNTS)
def test_the_digits_are_those_of_the_number(cents):
    shown = format_cents(cents).replace(",", "").replace(".", "")
    assert int(shown) == cents


def test_nothing_and_a_cent_less():
    assert format_cents(0) == "0.00"
    assert format_cents(-1) == "-0.01"


def test_exactly_a_thousand():
    assert format_cents(100000) == "1,000.00"
