from hypothesis import given, settings
from hypothesis import strategies as st
from solution import split_bill

CENTS = st.integers(0, 50)
PEOPLE = st.integers(1, 7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(CENTS, PEOPLE)
def test_shares_add_up(cents, people):
    shares = split_bill(cents, people)
    assert len(shares) == people
    assert sum(shares) == cents


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(CENTS, PEOPLE)
def test_shares_are_fair_and_fall(cents, people):
    shares = split_bill(cents, people)
    assert shares[0] - shares[-1] in (0, 1)
    assert shares == sorted(shares, reverse=True)


def test_fewer_cents_than_people():
    assert split_bill(2, 4) == [1, 1, 0, 0]


def test_nobody_and_fewer():
    assert split_bill(10, 0) == []
    assert split_bill(10, -2) == []
