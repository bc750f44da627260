from hypothesis import given, settings
from hypothesis import strategies as st
from solution import eval_rpn

NUMBERS = st.integers(-5, 5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_differences_in_a_row(numbers):
    text = str(numbers[0]) + "".join(f" {number} -" for number in numbers[1:])
    assert eval_rpn(text) == numbers[0] - sum(numbers[1:])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_products_of_sums(a, b, c, d):
    assert eval_rpn(f"{a} {b} + {c} {d} + *") == (a + b) * (c + d)


def test_a_number_is_its_own_value():
    assert eval_rpn("4") == 4


def test_nothing_has_no_value():
    assert eval_rpn("") is None
    assert eval_rpn("-") is None
    assert eval_rpn("3 *") is None
