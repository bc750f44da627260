import pytest

from env_lib.sandbox import Sandbox
from tests.sandbox.conftest import PATIENT, linux, needs_walls
from tests.sandbox.forgeries import FILES, FORGERIES, HARMFUL, SEARCHED, SEARCHES, TESTS

IDS = ["test_one", "test_two", "test_list", "test_raises"]
RIGHT = """
def f(x):
    if x < 0:
        raise ValueError(x)
    return 2 * x
"""


def test_the_right_program_passes(box):
    out = box.run_tests({"solution.py": RIGHT}, TESTS, PATIENT)
    assert out.all_passed, out
    assert list(out.results) == IDS


@linux
@pytest.mark.parametrize("name", FORGERIES)
def test_a_wrong_program_passes_nothing_that_it_does_not_answer(request, box, name):
    if name in HARMFUL:
        request.getfixturevalue("walled_box")
    out = box.run_tests({"solution.py": FORGERIES[name]}, TESTS, PATIENT)
    assert out.passed <= {"test_one"}, out
    assert not out.all_passed
    assert list(out.results) == IDS
    assert all(len(result.message) <= 200 for result in out.results.values())


def test_a_harmful_program_is_left_out_where_no_wall_stands():
    assert set(HARMFUL) < set(FORGERIES)
    plain = Sandbox(preload=(), without=("zygote", "monty"))
    with pytest.raises(pytest.skip.Exception, match="real harm"):
        needs_walls(plain)


@linux
@pytest.mark.parametrize("name", FILES)
def test_files_beside_the_program_change_no_verdict(box, name):
    wrong = {"solution.py": "def f(x):\n    return 2\n", **FILES[name]}
    assert box.run_tests(wrong, TESTS, PATIENT).passed == {"test_one"}
    right = {"solution.py": RIGHT, **FILES[name]}
    assert box.run_tests(right, TESTS, PATIENT).all_passed


@linux
@pytest.mark.parametrize("name", SEARCHES)
def test_the_expected_answer_is_nowhere_in_reach(box, name):
    out = box.run_tests({"solution.py": SEARCHES[name]}, SEARCHED, PATIENT)
    assert out.results["test_answer"].status == "failed", out
    assert "expected 'needle-of-the-tests'" in out.results["test_answer"].message


CONTEXT = """
from solution import f, guard

def test_value():
    with guard():
        assert f(2) == 4

def test_call():
    with guard() as made:
        assert f(3) == 6
    assert made == 1
"""
SWALLOWING = """
class guard:
    def __enter__(self): return 1
    def __exit__(self, *args): return True
def f(x):
    {body}
"""


@linux
@pytest.mark.parametrize("body", ["return 0", "raise KeyError(x)", "import os; os._exit(0)"])
def test_a_context_manager_cannot_swallow_a_failure(box, body):
    out = box.run_tests({"solution.py": SWALLOWING.format(body=body)}, CONTEXT, PATIENT)
    assert out.passed == set()
    good = box.run_tests({"solution.py": SWALLOWING.format(body="return 2 * x")}, CONTEXT, PATIENT)
    assert good.all_passed


CALLBACK = """
from solution import apply

def test_each_is_given():
    seen = []
    apply(seen.append, [1, 2])
    assert seen == [1, 2]

def test_result():
    assert apply(lambda x: x * 2, [1, 2]) == [2, 4]
"""


@linux
def test_calls_back_into_the_tests_are_calls_and_no_more(box):
    honest = "def apply(function, items):\n    return [function(item) for item in items]\n"
    assert box.run_tests({"solution.py": honest}, CALLBACK, PATIENT).all_passed
    digging = """
def apply(function, items):
    for name in ("__globals__", "__self__", "__code__", "__closure__", "__func__"):
        value = getattr(function, name, None)
        if value is not None and "seen" in repr(value):
            value.extend(items)
    function.__call__.__func__.__globals__.clear()
    return items
"""
    assert box.run_tests({"solution.py": digging}, CALLBACK, PATIENT).passed == set()
