from hypothesis import given, settings
from hypothesis import strategies as st
from solution import bump_version

NUMBERS = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS, st.integers(0, 2))
def test_one_number_grows_and_later_ones_vanish(numbers, place):
    part = ["major", "minor", "patch"][place]
    expected = [*numbers[:place], numbers[place] + 1, 0, 0][:3]
    assert bump_version(".".join(map(str, numbers)), part) == ".".join(map(str, expected))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS, st.integers(1, 4))
def test_patches_add_up(numbers, times):
    version = "{}.{}.{}".format(*numbers)
    for _ in range(times):
        version = bump_version(version)
    assert version.split(".")[2] == str(numbers[2] + times)


def test_from_zero():
    assert bump_version("0.0.0", "major") == "1.0.0"


def test_minor_from_nine():
    assert bump_version("3.9.9", "minor") == "3.10.0"
