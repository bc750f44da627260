from hypothesis import given, settings
from hypothesis import strategies as st
from solution import password_problems

PASSWORDS = st.text("aB7", max_size=10)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PASSWORDS, st.integers(0, 10))
def test_problems_equal_the_list_of_rules(password, minimum):
    rules = {
        "short": len(password) >= minimum,
        "digit": "7" in password,
        "upper": "B" in password,
    }
    expected = [name for name, kept in rules.items() if not kept]
    assert password_problems(password, minimum) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PASSWORDS)
def test_a_good_ending_leaves_no_problem(password):
    assert password_problems(password + "aaaaaaB7") == []


def test_an_empty_password():
    assert password_problems("") == ["short", "digit", "upper"]


def test_eight_is_the_default():
    assert password_problems("A234567") == ["short"]
    assert password_problems("A2345678") == []
