from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import count_status

STATES = st.lists(st.sampled_from(["open", "done", "late"]), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(STATES, st.sampled_from(["open", "done", "none"]))
def test_number_equals_that_of_a_counter(states, wanted):
    assert count_status(states, wanted) == Counter(states)[wanted]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(STATES)
def test_all_kinds_add_up(states):
    assert sum(count_status(states, kind) for kind in ("open", "done", "late")) == len(states)


def test_an_unknown_state():
    assert count_status(["open", "late"], "lost") == 0


def test_case_matters():
    assert count_status(["Open", "open", "open"], "open") == 2
