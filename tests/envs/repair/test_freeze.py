"""Frozen property tests: the same verdicts, without hypothesis at run time."""

import ast

import pytest

from env_lib.envs.repair.corpus import functions
from env_lib.envs.repair.freeze import FreezeError, frozen

HEAD = "from hypothesis import given, settings\nfrom hypothesis import strategies as st\n"
HEAD += "from solution import double\n\n\n"
SETTINGS = "@settings(max_examples=25, derandomize=True, deadline=None, database=None)\n"
RIGHT = "def double(x):\n    return x + x\n"


def hidden_of(given, check):
    return f"{HEAD}{SETTINGS}@given({given})\ndef test_it(x):\n    {check}\n"


def verdict(source, tests):
    """Run tests of our own in this process; return the names that fail."""
    import sys
    import types

    module = types.ModuleType("solution")
    exec(source, module.__dict__)
    sys.modules["solution"] = module
    space = {}
    try:
        exec(tests, space)
        failed = []
        for name in [n for n in space if n.startswith("test_")]:
            try:
                space[name]()
            except AssertionError:
                failed.append(name)
        return failed
    finally:
        del sys.modules["solution"]


def test_a_frozen_test_needs_no_hypothesis_and_draws_the_same_twice():
    hidden = hidden_of("st.integers(-50, 50)", "assert double(x) == 2 * x")
    first = frozen(hidden, RIGHT)
    frozen.cache_clear()
    assert frozen(hidden, RIGHT) == first
    assert "hypothesis" not in first
    inputs = [n for n in ast.walk(ast.parse(first)) if isinstance(n, ast.For)]
    assert 10 <= len(ast.literal_eval(inputs[0].iter)) <= 25


def test_it_passes_the_right_code_and_fails_the_wrong_one():
    text = frozen(hidden_of("st.integers(-50, 50)", "assert double(x) == 2 * x"), RIGHT)
    assert verdict(RIGHT, text) == []
    assert verdict("def double(x):\n    return x * x\n", text) == ["test_it"]


def test_a_property_that_the_reference_breaks_is_refused():
    with pytest.raises(FreezeError, match="test_it fails on the reference"):
        frozen(hidden_of("st.integers(3, 50)", "assert double(x) == 3 * x"), RIGHT)


@pytest.mark.parametrize("given", ["st.fractions(1, 2)", "st.dates()"])
def test_inputs_that_are_no_plain_data_are_drawn_at_run_time(given):
    hidden = hidden_of(given, "assert x") + "\n\n" + hidden_of("st.integers()", "assert x == x")
    text = frozen(hidden.replace("test_it", "test_other", 1), RIGHT)
    assert "def test_other(x)" in text
    assert "for given in" in text
    assert verdict(RIGHT, text) == []


def test_parametrized_tests_stay_as_they_are():
    hidden = "import pytest\nfrom solution import double\n\n\n"
    hidden += (
        "@pytest.mark.parametrize('x', [1, 2])\ndef test_it(x):\n    assert double(x) == 2 * x\n"
    )
    assert frozen(hidden, RIGHT) == hidden


def test_tests_that_cannot_be_read_with_the_reference_are_refused_by_name():
    hidden = hidden_of("st.integers()", "assert x == x").replace("import double", "import triple")
    with pytest.raises(FreezeError, match="cannot import name 'triple'"):
        frozen(hidden, RIGHT)


@pytest.mark.parametrize("name", list(functions())[::11])
def test_the_corpus_freezes_and_passes_on_itself(name):
    home = functions()[name]
    text = frozen(home.hidden, home.source)
    assert "@given" not in text
    assert verdict(home.source, text) == []
