import pytest

from env_lib.sandbox import Limits, Sandbox
from tests.sandbox.conftest import PATIENT

PROGRAM = """
import datetime
from collections import Counter, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

LIMIT = 7
Point = namedtuple("Point", "x y")

class Color(Enum):
    RED = 1

@dataclass
class Money:
    cents: int
    def __add__(self, other):
        return Money(self.cents + other.cents)
    def double(self):
        return Money(self.cents * 2)

class Refused(ValueError):
    def __init__(self, code):
        super().__init__(f"refused with {code}")
        self.code = code

class Cache:
    def __init__(self, size):
        self.size, self.items = size, {}
    def put(self, key, value):
        self.items[key] = value
    def get(self, key, default=None):
        return self.items.get(key, default)
    def __len__(self):
        return len(self.items)
    def __contains__(self, key):
        return key in self.items

def add(a, b=1):
    return a + b
def refuse(code):
    raise Refused(code)
def parse(name):
    return Color[name]
def point(x, y):
    return Point(x, y)
def money(cents):
    return Money(cents)
def count_up(n):
    yield from range(n)
def sort(items):
    items.sort()
    return items
def nest(table, key):
    table.setdefault(key, []).append(key)
def letters(text):
    return Counter(text)
def later(day, n):
    return day + datetime.timedelta(days=n)
def twice(amount):
    return Decimal(amount) * 2
def retry(function, times, kinds=(Exception,)):
    for left in reversed(range(times)):
        try:
            return function()
        except kinds:
            if not left:
                raise
def memoize(function):
    known = {}
    def inner(key):
        if key not in known:
            known[key] = function(key)
        return known[key]
    return inner
async def wait(x):
    return x * 2
"""

HONEST = {
    "a_call_with_names": "from solution import add\nassert add(1, b=2) == 3 and add(1) == 2",
    "a_constant": "import solution\nassert solution.LIMIT == 7",
    "a_star_import": "assert LIMIT == 7 and add(1) == 2",
    "an_exception_of_its_own": """
        from solution import Refused, refuse
        with pytest.raises(Refused, match="refused with 3") as caught:
            refuse(3)
        assert caught.value.code == 3
        with pytest.raises(ValueError):
            refuse(4)""",
    "a_builtin_exception": """
        from solution import add
        with pytest.raises(TypeError):
            add(None)""",
    "an_enum_member": "from solution import Color, parse\nassert parse('RED') is Color.RED",
    "a_named_tuple": """
        from solution import Point, point
        p = point(1, 2)
        assert p == (1, 2) and p.y == 2 and isinstance(p, Point)""",
    "a_dataclass": """
        from solution import Money, money
        assert money(3).cents == 3
        assert Money(1) + Money(2) == Money(3)
        assert Money(3) == money(3)
        assert Money(3) != money(4)
        assert Money(3).double().cents == 6""",
    "an_object_with_methods": """
        from solution import Cache
        cache = Cache(2)
        cache.put("a", [1])
        assert cache.get("a") == [1] and cache.get("b", 0) == 0
        assert len(cache) == 1 and "a" in cache and "b" not in cache
        assert cache.size == 2 and isinstance(cache, Cache)""",
    "a_generator": "from solution import count_up\nassert list(count_up(3)) == [0, 1, 2]",
    "an_argument_changed_in_place": """
        from solution import nest, sort
        items = [3, 1]
        assert sort(items) is items and items == [1, 3]
        inner = [0]
        table = {"x": inner}
        nest(table, "x")
        assert inner == [0, "x"]""",
    "dates_and_decimals": """
        import datetime
        from decimal import Decimal
        from solution import later, twice
        assert later(datetime.date(2024, 2, 28), 2) == datetime.date(2024, 3, 1)
        assert twice("1.10") == Decimal("2.20")""",
    "a_counter": "from solution import letters\nassert letters('aab').most_common(1) == [('a', 2)]",
    "functions_of_the_tests": """
        from solution import memoize, retry
        class Lost(Exception):
            pass
        calls = []
        def fails_twice():
            calls.append(1)
            if len(calls) < 3:
                raise Lost("again")
            return "done"
        assert retry(fails_twice, 5, (Lost,)) == "done"
        with pytest.raises(Lost):
            retry(lambda: fails_twice() if calls.clear() else fails_twice(), 1)
        squares = memoize(lambda x: calls.append(x) or x * x)
        assert squares(4) == 16 and squares(4) == 16 and calls.count(4) == 1""",
    "a_coroutine": "import asyncio\nfrom solution import wait\nassert asyncio.run(wait(3)) == 6",
    "approximate_numbers": "from solution import add\nassert add(0.1, 0.2) == pytest.approx(0.3)",
}


def as_test(name, body):
    lines = "\n".join(f"    {line.strip() and line[8:] if line[:8].isspace() else line}"
                      for line in body.strip("\n").splitlines())  # fmt: skip
    return f"def test_{name}():\n{lines}\n"


def test_honest_programs_pass_whatever_crosses(box):
    tests = "import pytest\nfrom solution import *\n" + "".join(
        as_test(name, body) for name, body in HONEST.items()
    )
    out = box.run_tests({"solution.py": PROGRAM}, tests, PATIENT)
    assert {name: result.message for name, result in out.results.items() if result.message} == {}
    assert len(out.passed) == len(HONEST)
    assert out.all_passed


SAID = {
    "assert f(3) == 5": "f(3) returned 4, expected 5",
    "xs = [1]\n    assert f(len(xs)) == 3": "f(1) returned 2, expected 3",
    "assert sorted([f(1)]) == [3]": "sorted([f(1)]) is [2] after f(1), expected [3]",
    "assert f(1) > 9": "f(1) returned 2, expected > 9",
    "assert f(1) is None": "f(1) returned 2, expected is None",
    "assert not f(1)": "not f(1) is False after f(1), expected it to hold",
    "assert f(1) == 9, 'my words'": "my words",
    "f('a')": "f('a') raised TypeError: can only concatenate str (not \"int\") to str",
    "raise KeyError('own')": "KeyError: 'own'",
    "assert f(-1) == 0": "f(-1) returned <Thing object>, expected 0",
}


@pytest.mark.parametrize("body", SAID)
def test_a_failure_says_what_was_called_and_what_came_of_it(box, body):
    source = "class Thing: pass\ndef f(x):\n    return Thing() if x == -1 else x + 1\n"
    tests = f"from solution import f\ndef test_it():\n    {body}\n"
    out = box.run_tests({"solution.py": source}, tests, PATIENT)
    assert (out.results["test_it"].status, out.results["test_it"].message) == ("failed", SAID[body])
    assert out.error == ""


SPOILED = {
    "syntax": ("def f(:\n", "syntax", "solution.py, line 1: invalid syntax"),
    "name": ("g = 1\n", "import", "ImportError: cannot import name 'f' from 'solution'"),
    "raises": ("1 / 0\n", "import", "ZeroDivisionError: division by zero"),
    "missing": ("import nowhere\n", "import", "ModuleNotFoundError: No module named 'nowhere'"),
    "exit": ("import os\nos._exit(3)\n", "crash", "the candidate's process ended (exit status 3)"),
    "segfault": ("import ctypes\nctypes.string_at(1)\n", "crash", "process ended (signal 11)"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_program_that_cannot_be_collected_fails_every_test(box, name):
    source, error, message = SPOILED[name]
    tests = "from solution import f\ndef test_a():\n    pass\ndef test_b():\n    pass\n"
    out = box.run_tests({"solution.py": source}, tests, PATIENT)
    assert out.error == error, out
    assert message in out.message
    assert [result.status for result in out.results.values()] == ["error", "error"]


def test_what_passed_before_the_time_ran_out_stays_passed(box):
    source = "def f(x):\n    while x > 1:\n        pass\n    return x\n"
    tests = "from solution import f\n" + "".join(
        f"def test_{name}():\n    assert f({value}) == {value}\n"
        for name, value in (("a", 1), ("b", 2), ("c", 1))
    )
    out = box.run_tests({"solution.py": source}, tests, Limits(wall_s=0.5, cpu_s=5))
    assert [result.status for result in out.results.values()] == ["passed", "timeout", "timeout"]
    assert (out.error, out.all_passed) == ("timeout", False)
    assert out.results["test_b"].message == "f(2): out of time"


def test_a_program_that_uses_up_its_processor_time_has_timed_out(box):
    source = "def f():\n    while True:\n        pass\n"
    tests = "from solution import f\ndef test_a():\n    f()\n"
    out = box.run_tests({"solution.py": source}, tests, Limits(wall_s=60, cpu_s=1))
    assert out.error == "timeout"
    assert out.results["test_a"].message == "used its 1 s of processor time"


def test_tests_that_do_not_end_are_ended(box):
    tests = "def test_a():\n    pass\ndef test_b():\n    while True:\n        pass\n"
    out = box.run_tests({"solution.py": ""}, tests, Limits(wall_s=0.5, cpu_s=10))
    assert [result.status for result in out.results.values()] == ["passed", "timeout"]


def test_parametrized_tests_are_one_id_that_needs_every_case(box):
    tests = """
import pytest
from solution import f
@pytest.mark.parametrize("x, y", [(1, 2), (2, 3)])
def test_good(x, y):
    assert f(x) == y
@pytest.mark.parametrize("x", [1, pytest.param(9)])
def test_bad(x):
    assert f(x) == 2
def test_fixture(tmp_path):
    pass
"""
    out = box.run_tests({"solution.py": "def f(x):\n    return x + 1\n"}, tests, PATIENT)
    assert [result.status for result in out.results.values()] == ["passed", "failed", "error"]
    assert "no fixture 'tmp_path'" in out.results["test_fixture"].message


@pytest.mark.parametrize(
    "tests", ["def test_a(:\n", "def test_a(): pass\ndef test_a(): pass\n"], ids=["bad", "twice"]
)
def test_tests_that_cannot_be_trusted_are_the_callers_error(box, tests):
    with pytest.raises(ValueError, match=r"not valid Python|test_a twice"):
        box.run_tests({"solution.py": ""}, tests)


@pytest.mark.parametrize("name", ["../x.py", "/x.py", "a/../x.py", "a\0.py", "", "a//b.py", "~/x"])
def test_a_path_out_of_the_folder_is_the_callers_error(box, name):
    with pytest.raises(ValueError, match="plain relative path"):
        box.run_tests({name: ""}, "def test_a(): pass\n")


def test_no_test_is_no_pass(box):
    out = box.run_tests({"solution.py": ""}, "x = 1\n", PATIENT)
    assert (out.results, out.all_passed) == ({}, False)


def test_a_call_returns_plain_data_and_what_was_printed(box):
    source = "def main(a, *, b):\n    print('hé')\n    return {'sum': a + b, 'of': (a, b)}\n"
    out = box.run_call({"script.py": source}, "script", "main", (1,), {"b": 2}, PATIENT)
    assert (out.value, out.error) == ({"sum": 3, "of": (1, 2)}, "")
    assert out.stdout == "hé\n"
    only = box.run_call({"script.py": "print('run')"}, "script", None, limits=PATIENT)
    assert (only.value, only.stdout) == (None, "run\n")
    bad = box.run_call({"script.py": "def main():\n    raise OSError(2, 'gone')"}, "script",
                       limits=PATIENT)  # fmt: skip
    assert (bad.error, bad.message) == ("crash", "FileNotFoundError: [Errno 2] gone")


def test_packages_and_data_files_are_found(box):
    files = {
        "shop/__init__.py": "from shop.price import total\n",
        "shop/price.py": "from . import rates\ndef total(x):\n    return x * rates.RATE\n",
        "shop/rates.py": "RATE = int(open('data/rate.txt').read())\n",
        "data/rate.txt": "3",
    }
    tests = """
from shop import total
from shop.price import total as same
import shop.rates
def test_total():
    assert total(2) == 6 == same(2)
    assert shop.rates.RATE == 3
"""
    out = box.run_tests(files, tests, PATIENT)
    assert out.all_passed or out.tier == "sealed", out


PROPERTY = """
from hypothesis import given, settings, strategies as st
from solution import f

@settings(max_examples=200, deadline=1)
@given(st.integers(), st.text())
def test_wide(x, text):
    assert f(x) < 1000, (x, text)

@settings(max_examples=5)
@given(st.lists(st.integers(), max_size=3))
def test_narrow(items):
    assert [f(item) for item in items] == items
"""


def test_property_tests_draw_the_same_examples_in_every_process(property_box):
    files = {"solution.py": "calls = []\ndef f(x):\n    print(x)\n    return x\n"}
    first = property_box.run_tests(files, PROPERTY, PATIENT)
    assert first.results["test_wide"].status == "failed", first
    assert first.results["test_narrow"].status == "passed"
    again = property_box.run_tests(files, PROPERTY, PATIENT)
    with Sandbox(preload=("hypothesis",)) as other:
        third = other.run_tests(files, PROPERTY, PATIENT)
    assert (again.results, again.stdout) == (first.results, first.stdout)
    assert (third.results, third.stdout) == (first.results, first.stdout)


def test_a_property_test_does_not_swallow_the_end_of_the_candidate(property_box):
    files = {"solution.py": "import os\ndef f(x):\n    os._exit(0) if x > 50 else None\n"}
    out = property_box.run_tests(files, PROPERTY, PATIENT)
    assert out.passed == set()
    assert out.error == "crash"


def test_runs_see_the_same_random_numbers_hashes_and_folder(box):
    source = """
import os, random
def main():
    return [random.random(), hash("text"), os.listdir("."), sorted(os.environ), os.getcwd()[-2:]]
"""
    first, again = (box.run_call({"script.py": source}, "script", limits=PATIENT) for _ in "ab")
    assert first.value == again.value
    with Sandbox(preload=()) as other:
        assert other.run_call({"script.py": source}, "script", limits=PATIENT).value == first.value
