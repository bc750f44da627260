from hypothesis import given, settings
from hypothesis import strategies as st
from solution import mask_digits

TEXTS = st.text("1 x9-", max_size=9)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(0, 5))
def test_places_of_masked_digits(text, keep):
    digits = [place for place, char in enumerate(text) if char.isdigit()]
    masked = digits[: max(len(digits) - keep, 0)]
    assert mask_digits(text, keep) == "".join(
        "*" if place in masked else char for place, char in enumerate(text)
    )


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_at_most_four_digits_are_shown(text):
    shown = [char for char in mask_digits(text) if char.isdigit()]
    assert shown == [char for char in text if char.isdigit()][-4:]


def test_five_digits_lose_the_first():
    assert mask_digits("55555") == "*5555"


def test_nothing_kept():
    assert mask_digits("a1b2", 0) == "a*b*"
