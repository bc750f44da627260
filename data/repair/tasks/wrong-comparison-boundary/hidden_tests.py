from hypothesis import given, settings
from hypothesis import strategies as st
from solution import fits

PARCELS = st.lists(st.integers(0, 5), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PARCELS, st.integers(0, 15))
def test_fits_means_that_no_load_is_left_over(parcels, capacity):
    assert fits(parcels, capacity) is (max(sum(parcels) - capacity, 0) == 0)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PARCELS)
def test_a_van_of_exactly_the_load_is_enough(parcels):
    assert fits(parcels, sum(parcels)) is True
    assert fits([*parcels, 1], sum(parcels)) is False


def test_one_parcel_of_the_same_size():
    assert fits([5], 5) is True


def test_one_parcel_that_is_too_large():
    assert fits([6], 5) is False
