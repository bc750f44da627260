from hypothesis import given, settings
from hypothesis import strategies as st
from solution import compare_versions

VERSIONS = st.lists(st.integers(0, 11), min_size=1, max_size=3)


def written(numbers):
    return ".".join(map(str, numbers))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VERSIONS, VERSIONS)
def test_answer_equals_comparing_weighted_sums(left, right):
    a, b = (sum(n * 100 ** (3 - i) for i, n in enumerate(side)) for side in (left, right))
    assert compare_versions(written(left), written(right)) == (a > b) - (a < b)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VERSIONS, st.integers(0, 2))
def test_zeros_at_the_end_change_nothing(version, zeros):
    longer = [*version, *([0] * zeros)]
    assert compare_versions(written(version), written(longer)) == 0
    assert compare_versions(written(longer), written(version)) == 0


def test_swapping_turns_the_answer():
    assert compare_versions("3", "2.9.9") == 1
    assert compare_versions("2.9.9", "3") == -1


def test_equal_versions():
    assert compare_versions("0.1", "0.1") == 0
