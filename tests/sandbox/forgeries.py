"""Wrong programs that claim to be right. Honestly, each passes `test_one` at most."""

TESTS = """
import pytest
from solution import f

def test_one():
    assert f(1) == 2

def test_two():
    assert f(2) == 4

def test_list():
    assert sorted([f(3), 1]) == [1, 6]

def test_raises():
    with pytest.raises(ValueError):
        f(-1)
"""

LYING = """
class Liar{base}:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __eq__
    def __hash__(self): return 0
    def __bool__(self): return True
    def __len__(self): return 1
    def __iter__(self): return iter([self])
    def __getattr__(self, name): return self
    def __call__(self, *args): return self
def f(x):
    return Liar()
"""

FRAME = """
import json, os
def frame(message):
    data = json.dumps(message).encode() if not isinstance(message, bytes) else message
    return len(data).to_bytes(4, "big") + data
def everywhere(data):
    for fd in range(3, 64):
        try:
            os.write(fd, data)
        except OSError:
            pass
REPORT = {"results": [["test_one", "passed", ""], ["test_two", "passed", ""],
                      ["test_list", "passed", ""], ["test_raises", "passed", ""]],
          "error": "", "message": "", "canary": "failed"}
"""

FORGERIES = {
    "exits_at_import": "import os\nos._exit(0)\n",
    "exits_in_the_call": "import os\ndef f(x):\n    os._exit(0)\n",
    "raises_system_exit": "import sys\ndef f(x):\n    sys.exit(0)\n",
    "raises_system_exit_at_import": "raise SystemExit(0)\n",
    "raises_keyboard_interrupt": "def f(x):\n    raise KeyboardInterrupt\n",
    "prints_a_summary": "print('4 passed in 0.01s')\nimport os\nos._exit(0)\n",
    "reports_at_exit": FRAME
    + "import atexit, sys\natexit.register(everywhere, frame(REPORT))\nsys.exit(0)\n",
    "writes_the_report_everywhere": FRAME
    + "def f(x):\n    everywhere(frame(REPORT))\n    everywhere(json.dumps(REPORT).encode())\n",
    "searches_proc_for_the_report": """
import os
def f(x):
    for fd in os.listdir("/proc/self/fd"):
        os.write(int(fd), b'{"results": []}')
""",
    "opens_the_descriptors_of_others": FRAME
    + """
def f(x):
    for pid in range(max(1, os.getpid() - 5), os.getpid() + 5):
        for fd in range(64):
            try:
                out = os.open(f"/proc/{pid}/fd/{fd}", os.O_WRONLY)
                os.write(out, frame(REPORT))
            except OSError:
                pass
    return 0
""",
    "searches_the_heap_for_results": """
import gc
def f(x):
    for thing in gc.get_objects():
        if isinstance(thing, dict) and "results" in thing:
            thing["results"] = [["test_two", "passed", ""]]
        if isinstance(thing, list) and "failed" in thing[:3]:
            thing[1] = "passed"
    return 0
""",
    "patches_pytest_and_unittest": """
import unittest
unittest.TestCase.assertEqual = lambda *args: None
unittest.TestCase.run = lambda *args: None
try:
    import pytest
    pytest.raises = lambda *args, **named: __import__("contextlib").nullcontext()
except ImportError:
    pass
def f(x):
    return 0
""",
    "patches_the_builtins": """
import builtins
class Never(Exception):
    pass
builtins.AssertionError = Never
builtins.sorted = lambda *args: [1, 6]
builtins.isinstance = lambda *args: True
builtins.len = lambda *args: 4
def f(x):
    return 0
""",
    "patches_operators": """
import operator
operator.eq = lambda a, b: True
operator.__dict__["eq"] = operator.eq
def f(x):
    return 0
""",
    "returns_a_liar": LYING.format(base=""),
    "returns_a_lying_int": LYING.format(base="(int)"),
    "returns_a_lying_list": LYING.format(base="(list)"),
    "returns_a_lying_str": LYING.format(base="(str)"),
    "is_a_class_of_liars": LYING.format(base="").replace("def f(x):\n    return Liar()", "f = Liar")
    + "Liar.__init__ = lambda self, *args: None\n",
    "answers_every_name": LYING.format(base="")
    + "def __getattr__(name):\n    return Liar()\ndel f\n",
    "patches_json": """
import json
real = json.dumps
def dumps(message, **named):
    return real(message, **named).replace('"raise"', '"ok"').replace("failed", "passed")
json.dumps = dumps
def f(x):
    return {"status": "failed"}
""",
    "patches_os_write": FRAME
    + """
real = os.write
def write(fd, data):
    real(fd, frame([1, "ok", [2, [], None]]))
    return len(data)
os.write = write
def f(x):
    return 0
""",
    "sends_a_huge_frame": FRAME
    + "def f(x):\n    everywhere((1 << 31).to_bytes(4, 'big'))\n    return 0\n",
    "sends_a_deep_frame": FRAME
    + "def f(x):\n    everywhere(frame(b'[' * 5000 + b']' * 5000))\n    return 0\n",
    "sends_no_json": FRAME + "def f(x):\n    everywhere(frame(b'\\xff\\x00passed'))\n",
    "answers_out_of_turn": FRAME
    + "for n in range(100):\n    everywhere(frame([n, 'ok', [0, [], None]]))\n"
    + "def f(x):\n    return 0\n",
    "answers_with_a_malformed_value": FRAME
    + "def f(x):\n    everywhere(frame([3, 'ok', [{'T': 'exit'}, [[9, 1]], 7]]))\n    return 0\n",
    "calls_back_what_was_not_given": FRAME
    + "def f(x):\n    everywhere(frame([0, 'call', [0, [], {}]]))\n    return 0\n",
    "raises_skipped": """
class Skipped(BaseException):
    pass
Skipped.__module__ = "_pytest.outcomes"
def f(x):
    raise Skipped("skip")
""",
    "raises_a_passing_exception": """
class Passed(Exception):
    pass
def f(x):
    error = Passed("passed")
    error.status = "passed"
    error.__class__.__name__ = "Exit"
    raise error
""",
    "raises_an_assertion_that_says_passed": "def f(x):\n    raise AssertionError('passed')\n",
    "returns_what_cannot_cross": """
def f(x):
    value = []
    for _ in range(200):
        value = [value]
    return value
""",
    "fails_while_it_is_drawn": """
def f(x):
    def numbers():
        raise ValueError("late")
        yield
    return numbers()
""",
    "replaces_the_test_module": """
import sys, types
empty = types.ModuleType("tests")
sys.modules["tests"] = sys.modules["__main__"] = empty
sys.modules["solution"] = empty
def f(x):
    return 0
empty.f = f
""",
    "edits_tests_on_disk": """
import os
for name in ("tests.py", "test_solution.py", "conftest.py", "../tests.py", "../k/tests.py"):
    try:
        with open(name, "w") as file:
            file.write("def test_one(): pass")
    except OSError:
        pass
def f(x):
    return 0
""",
    "deletes_what_it_finds": """
import os, shutil
for place in ("..", "/", "../k", "/proc/self"):
    shutil.rmtree(place, ignore_errors=True)
def f(x):
    return 0
""",
    "has_no_such_function": "def g(x):\n    return 2 * x\n",
    "does_not_parse": "def f(x:\n    return\n",
    "holds_nul_bytes": "def f(x):\n    return '\0'\n",
    "is_not_text": b"def f(x):\n    return '\xff\xfe'\n",
    "prints_what_is_not_text": """
import os
os.write(1, b"\\xff\\xfe\\x00 4 passed \\x1b[32m")
def f(x):
    return 0
""",
    "rings_an_alarm": """
import os, signal
signal.signal(signal.SIGALRM, lambda *args: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.001)
def f(x):
    while True:
        pass
""",
    "reloads_itself_differently": """
import sys
def f(x):
    sys.modules["solution"].f = lambda x: None
    return None
""",
}

HARMFUL = (
    "edits_tests_on_disk", "deletes_what_it_finds", "opens_the_descriptors_of_others",
)  # fmt: skip
"""Forgeries that would delete or overwrite files wherever nothing walls them in."""

SEARCHED = """
from solution import f

def test_answer():
    assert f() == "needle-of-the-tests"
"""
SEARCHES = {
    "reads_the_callers_frames": """
import sys
def f():
    frame = sys._getframe().f_back
    while frame:
        for value in (*frame.f_code.co_consts, *frame.f_locals.values()):
            if "needle" in repr(value):
                return "needle-of" + repr(value).split("needle-of")[1].split("'")[0].split('"')[0]
        frame = frame.f_back
""",
    "searches_the_heap": """
import gc
MARK = "needle" + "-of"
def f():
    for thing in gc.get_objects():
        for inner in (thing, *gc.get_referents(thing)):
            if isinstance(inner, bytes):
                inner = inner.decode("latin-1")
            if isinstance(inner, str) and MARK in inner and len(inner) > len(MARK):
                return MARK + inner.split(MARK)[1].split('"')[0]
""",
    "searches_open_descriptors": """
import os
def f():
    for fd in range(64):
        try:
            data = os.pread(fd, 1 << 16, 0)
        except OSError:
            continue
        if b"needle" in data:
            return "needle" + data.split(b"needle")[1].split(b'"')[0].split(b"\\\\")[0].decode()
""",
    "searches_files": """
import os
def f():
    for root in (".", "..", "../k", "/proc/self/fd", "/dev/shm", "/tmp"):
        for folder, _, names in os.walk(root):
            for name in names:
                try:
                    with open(os.path.join(folder, name), errors="replace") as file:
                        text = file.read(1 << 16)
                except OSError:
                    continue
                if "needle-of-" in text and not name.endswith(".py"):
                    return "needle" + text.split("needle")[1].split('"')[0]
""",
    "searches_its_address_space": """
import ctypes
MARK = b"needle" + b"-of-the-"
def f():
    try:
        with open("/proc/self/maps") as file:
            lines = file.read().splitlines()
    except OSError:
        return "no map of the address space"
    for line in lines:
        if " rw" in line and "[v" not in line:
            low, high = (int(part, 16) for part in line.split()[0].split("-"))
            data = ctypes.string_at(low, high - low)
            if MARK in data:
                return "needle" + data.split(MARK)[1][:5].decode("latin-1")
""",
}
"""Programs that look for the expected answer wherever they can reach."""

FILES = {
    "ships_a_conftest": {"conftest.py": "def pytest_runtest_makereport(): return 'passed'\n"},
    "ships_its_own_pytest": {
        "pytest.py": "def raises(*args): return __import__('contextlib').nullcontext()\n"
    },
    "ships_a_pytest_ini": {"pytest.ini": "[pytest]\naddopts = --collect-only\n"},
    "ships_sitecustomize": {"sitecustomize.py": "import os\nos._exit(0)\n"},
    "ships_its_own_tests": {"tests.py": "def test_one(): pass\ndef test_two(): pass\n"},
    "shadows_the_standard_library": {"operator.py": "eq = lambda a, b: True\n"},
}
"""Files beside a wrong solution."""
