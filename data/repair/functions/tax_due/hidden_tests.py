from hypothesis import given, settings
from hypothesis import strategies as st
from solution import tax_due

INCOMES = st.integers(-50, 9000)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(INCOMES)
def test_tax_equals_the_sum_of_the_parts(income):
    low = min(max(income, 0), 1000)
    middle = min(max(income - 1000, 0), 4000)
    high = max(income - 5000, 0)
    assert tax_due(income) == (10 * low + 20 * middle + 40 * high) // 100


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(INCOMES, st.integers(1, 20))
def test_more_income_never_costs_more_than_it_brings(income, hundreds):
    extra = tax_due(income + hundreds * 100) - tax_due(income)
    assert 0 <= extra <= 40 * hundreds


def test_the_borders():
    assert [tax_due(income) for income in (999, 1010, 5000, 5010)] == [99, 102, 900, 904]


def test_parts_of_a_unit_are_rounded_down():
    assert [tax_due(income) for income in (9, 10, 5002)] == [0, 1, 900]
