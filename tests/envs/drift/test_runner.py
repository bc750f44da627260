"""Scripts run in the sandbox: what they return, how they fail, and what they cannot do."""

import json
import subprocess
import sys

import pytest

from env_lib.envs.drift import runner
from env_lib.envs.drift.runner import Report, run

FAILS = """\
import pandas as pd


def grow(frame):
    return frame.append(
        {"a": 3}, ignore_index=True
    )


def main(inputs):
    frame = pd.DataFrame({"a": inputs})
    total = int(frame["a"].sum())
    return grow(frame)
"""
WORKS = FAILS.replace(
    'frame.append(\n        {"a": 3}, ignore_index=True\n    )', "len(pd.concat([frame, frame]))"
)


def body(text, head=""):
    return f"{head}\ndef main(inputs):\n" + "".join(f"    {line}\n" for line in text.splitlines())


def test_every_input_is_run_and_library_calls_that_returned_are_told():
    report = run(WORKS, [[1], [1, 2]])
    assert report.ok
    assert report.values == (2, 4)
    assert "pandas.DataFrame" in report.work
    assert any(name.endswith("concat") for name in report.work)


def test_a_failure_names_line_and_frames_and_no_folder():
    report = run(FAILS, [[1, 2]])
    assert not report.ok
    assert (report.error_type, report.line, report.values) == ("AttributeError", 5, ())
    assert "'DataFrame' object has no attribute 'append'" in report.message
    lines = report.traceback_end.splitlines()
    assert lines[0] == 'File "script.py", line 13, in main'
    assert lines[-1].startswith("AttributeError: ")
    assert any(line.startswith('File "pandas/') for line in lines)
    assert "beside" not in report.traceback_end
    assert not any(name.endswith("append") for name in report.work)


def test_values_before_the_failing_input_are_kept():
    report = run(body("return 1 / inputs"), [2, 0, 4])
    assert (report.ok, report.values, report.error_type) == (False, (0.5,), "ZeroDivisionError")


def test_no_input_meets_what_another_left():
    source = body("seen.append(inputs)\nreturn seen", "seen = []")
    assert run(source, [1, 2]).values == ([1], [2])
    random = body("return [random.random(), float(np.random.rand())]",
                  "import random\nimport numpy as np")  # fmt: skip
    first, second = run(random, [0, 1]).values
    assert first == second


def test_values_are_plain_or_equal_nothing():
    source = body("return (1, {2: float('nan')}, np.arange(2), np.float64(1.5))",
                  "import numpy as np")  # fmt: skip
    assert run(source, [0]).values == ([1, {"2": "nan"}, "<ndarray object>", "<float64 object>"],)


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("def main(inputs)\n    return 1\n", "SyntaxError", 1),
        ("\x00", "SyntaxError", 1),
        ("import nowhere\n", "ModuleNotFoundError", 1),
        ("x = 1\n", "AttributeError", 0),
        (body("raise SystemExit(0)"), "SystemExit", 3),
        (body("return main(inputs)"), "RecursionError", 3),
        (body("pd.DataFrame([1]).grouppby(1)", "import pandas as pd"), "AttributeError", 3),
    ],
    ids=["syntax", "nul", "import", "no-main", "exit", "recursion", "misspelt"],
)
def test_what_a_script_raises_is_its_error(source, kind, line):
    report = run(source, [0])
    assert (report.ok, report.error_type, report.line) == (False, kind, line)
    if "grouppby" in source:
        assert report.message.endswith("Did you mean: 'groupby'?")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("import os\nprint('{\"ok\": true}')\nos._exit(0)", "crash"),
        ("import os\nos.kill(os.getpid(), 9)", "PermissionError"),
        ("open('/etc/passwd').read()", "PermissionError"),
        ("open('/var/tmp/x', 'w')", "PermissionError"),
        ("import socket\nsocket.create_connection(('127.0.0.1', 9), 1)", "PermissionError"),
        ("import subprocess\nsubprocess.run(['true'])", "PermissionError"),
        ("import env_lib", "ModuleNotFoundError"),
        ("import beside.overlay", "ModuleNotFoundError"),
    ],
    ids=["exit", "kill", "read", "home", "network", "child", "project", "launcher"],
)
def test_a_script_that_reaches_out_reports_an_error_and_never_a_pass(text, kind):
    report = run(body(text), [0])
    assert (report.ok, report.values) == (False, ())
    assert report.error_type == kind


def test_printing_a_result_is_no_result():
    report = run(body("print('values: [1]')\nprint('ok')"), [0])
    assert (report.ok, report.values) == (True, (None,))


def test_an_endless_loop_is_a_timeout(monkeypatch):
    monkeypatch.setattr(runner, "CPU_SECONDS", 1.0)
    report = run(body("while True:\n    pass"), [0])
    assert (report.ok, report.error_type) == (False, "timeout")


def test_watching_calls_leaves_their_meaning():
    source = """
import functools


class Base:
    def __init__(self, x=1):
        self.x = x

    @classmethod
    def made(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class Own(Base):
    def __init__(self, x):
        super().__init__(x + 1)
        here = locals()
        self.names = sorted(name for name in here if name != "__class__")


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def main(inputs):
    own = Own.made(*[1])
    return [own.x, own.names, fib(10), [f"{len(s)}" for s in ("a", "bb")], (lambda y: abs(y))(-3)]
"""
    assert run(source, [0]).values == ([2, ["self", "x"], 55, ["1", "2"], 3],)


def test_a_swallowed_failure_leaves_no_trace_of_work():
    text = "try:\n    pd.DataFrame({'a': [1]}).sort_values('nope')\nexcept KeyError:\n    pass"
    report = run(body(text, "import pandas as pd"), [0])
    assert report.ok
    assert not any("sort_values" in name for name in report.work)


def test_reports_are_remembered_by_what_they_depend_on(monkeypatch):
    first = run(WORKS, [[1]])
    monkeypatch.setattr(runner, "call", None)
    assert run(WORKS, [[1]]) is first
    keys = {runner.key_of(WORKS, [1]), runner.key_of(WORKS, [2]), runner.key_of(FAILS, [1])}
    monkeypatch.setattr(runner, "versions", lambda: (("pandas", "0"),))
    assert len(keys | {runner.key_of(WORKS, [1])}) == 4


def test_another_process_reports_the_same():
    code = (
        "import json, sys\nfrom dataclasses import asdict\n"
        "from env_lib.envs.drift.runner import run\n"
        "print(json.dumps(asdict(run(sys.stdin.read(), [[1, 2]]))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=FAILS, capture_output=True, text=True, check=True
    )
    there = json.loads(done.stdout)
    assert Report(**{**there, "values": (), "work": tuple(there["work"])}) == run(FAILS, [[1, 2]])


def test_many_runs_keep_their_order():
    jobs = [(body(f"return {n}"), [0], runner.NONE) for n in range(4)]
    assert [report.values for report in runner.run_many(jobs, workers=1)] == [
        (0,), (1,), (2,), (3,),
    ]  # fmt: skip
