from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import edit_distance

WORDS = st.text("ab", max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS, WORDS)
def test_distance_equals_the_recursive_definition(left, right):
    @cache
    def distance(m, n):
        if m == 0 or n == 0:
            return m + n
        if left[m - 1] == right[n - 1]:
            return distance(m - 1, n - 1)
        return 1 + min(distance(m - 1, n), distance(m, n - 1), distance(m - 1, n - 1))

    assert edit_distance(left, right) == distance(len(left), len(right))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS, st.integers(0, 5))
def test_one_letter_removed_is_one_edit(word, place):
    longer = word[:place] + "c" + word[place:]
    assert edit_distance(longer, word) == edit_distance(word, longer) == 1


def test_all_letters_differ():
    assert edit_distance("aaa", "bbbb") == 4


def test_two_empty_words():
    assert edit_distance("", "") == 0
