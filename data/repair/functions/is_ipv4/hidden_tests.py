import ipaddress

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import is_ipv4

PART = st.sampled_from(["0", "1", "10", "00", "01", "254", "255", "256", "300", "", "a"])


def known(text):
    try:
        return str(ipaddress.IPv4Address(text)) == text
    except ValueError:
        return False


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PART, PART)
def test_answer_equals_that_of_the_library(first, last):
    text = f"{first}.7.0.{last}"
    assert is_ipv4(text) is known(text)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.integers(0, 255), max_size=6))
def test_exactly_four_numbers_make_an_address(numbers):
    assert is_ipv4(".".join(map(str, numbers))) is (len(numbers) == 4)


def test_five_parts():
    assert is_ipv4("1.2.3.4.5") is False


def test_an_empty_part():
    assert is_ipv4("1..2.3") is False
    assert is_ipv4("") is False
