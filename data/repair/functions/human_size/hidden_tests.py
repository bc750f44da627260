from hypothesis import given, settings
from hypothesis import strategies as st
from solution import human_size

SIZES = (
    st.integers(0, 2000) | st.integers(990, 1010).map(lambda n: n * 1000) | st.integers(0, 10**13)
)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SIZES)
def test_text_equals_cutting_the_digits(size):
    digits = str(size)
    group = min((len(digits) - 1) // 3, 3)
    cut = len(digits) - 3 * group
    number = digits if group == 0 else f"{digits[:cut]}.{digits[cut]}"
    assert human_size(size) == f"{number} {['B', 'KB', 'MB', 'GB'][group]}"


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 999), st.integers(0, 9))
def test_the_decimal_is_a_tenth_of_the_unit(whole, tenth):
    assert human_size(whole * 1000 + tenth * 100 + 99) == f"{whole}.{tenth} KB"


def test_borders_of_the_units():
    assert [human_size(n) for n in (0, 999, 1000)] == ["0 B", "999 B", "1.0 KB"]
    assert [human_size(n) for n in (999950, 999950000)] == ["999.9 KB", "999.9 MB"]


def test_gigabytes():
    assert [human_size(10**9), human_size(10**12 - 1)] == ["1.0 GB", "999.9 GB"]
    assert [human_size(1399 * 10**6), human_size(14 * 10**8)] == ["1.3 GB", "1.4 GB"]
