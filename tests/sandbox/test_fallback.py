import errno
import os
import signal
from pathlib import Path

import pytest

from env_lib.sandbox import Limits, Sandbox, SandboxError, fallback
from env_lib.sandbox.fallback import monty_binary
from tests.sandbox.conftest import PATIENT, linux
from tests.sandbox.forgeries import FORGERIES, TESTS

SOURCE = """
def f(x):
    print("called")
    return x + 1

def sort(items):
    items.sort()
    return items

def refuse(x):
    raise ValueError(f"not {x}")
"""
CHECKS = """
import pytest
from solution import f, refuse, sort

def test_value():
    assert f(3) == 4

def test_wrong():
    assert f(3) == 5

def test_in_place():
    items = [3, 1]
    assert sort(items) is items
    assert items == [1, 3]

def test_raises():
    with pytest.raises(ValueError, match="not 7"):
        refuse(7)
"""
needs_monty = pytest.mark.skipif(monty_binary() is None, reason="pydantic-monty is not installed")


@pytest.fixture(scope="module")
def plain():
    return Sandbox(preload=(), without=("zygote", "monty"))


@pytest.fixture(scope="module")
def monty():
    return Sandbox(preload=(), without=("zygote",))


@pytest.mark.parametrize("tier", ["process", pytest.param("monty", marks=needs_monty)])
def test_every_tier_gives_the_verdicts_of_the_first(request, tier):
    box = request.getfixturevalue({"process": "plain"}.get(tier, tier))
    out = box.run_tests({"solution.py": SOURCE}, CHECKS, PATIENT)
    assert out.tier == tier
    assert out.passed == {"test_value", "test_in_place", "test_raises"}, out
    assert out.results["test_wrong"].message == "f(3) returned 4, expected 5"
    assert out.stdout == "called\ncalled\n"
    assert (out.error, out.all_passed) == ("", False)


@needs_monty
@pytest.mark.parametrize(
    "source",
    [
        "class Base:\n    pass\nclass f(Base):\n    pass\n",
        "import heapq\ndef f(x):\n    return 4\n",
    ],
    ids=["inheritance", "library"],
)
def test_what_monty_lacks_is_asked_of_another_tier(monty, source):
    tests = "from solution import f\ndef test_a():\n    assert f\n"
    out = monty.run_tests({"solution.py": source}, tests, PATIENT)
    assert out.tier == "process"
    assert out.all_passed, out


@needs_monty
def test_a_loop_in_monty_is_a_timeout(monty):
    source = "def f(x):\n    while True:\n        pass\n"
    tests = "from solution import f\ndef test_a():\n    assert f(1) == 1\n"
    out = monty.run_tests({"solution.py": source}, tests, Limits(wall_s=0.5))
    assert out.error in ("timeout", "crash")
    assert out.results["test_a"].status in ("timeout", "error")


@pytest.mark.parametrize(
    "name",
    [
        "exits_in_the_call",
        "returns_a_liar",
        "writes_the_report_everywhere",
        "searches_the_heap_for_results",
    ],
)
def test_a_verdict_is_as_safe_without_walls(plain, name):
    out = plain.run_tests({"solution.py": FORGERIES[name]}, TESTS, PATIENT)
    assert out.tier == "process"
    assert out.passed <= {"test_one"}


def test_a_loop_in_a_plain_process_is_a_timeout(plain):
    out = plain.run_call({"script.py": "def main():\n    while True:\n        pass\n"}, "script",
                         limits=Limits(wall_s=0.5))  # fmt: skip
    assert out.error == "timeout"


TEST_F = "from solution import f\ndef test_a():\n    assert f(3) == 4\n"


LEAVES_A_PROCESS = """
import os, time

def f(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open(MARK + ".new", "w") as file:
                file.write(str(os.getpid()))
            os.rename(MARK + ".new", MARK)
            time.sleep(300)
        os._exit(0)
    while not os.path.exists(MARK):
        time.sleep(0.01)
    return x + 1
"""


@linux
@pytest.mark.parametrize("without", [("zygote", "monty"), ("seccomp", "landlock", "monty", "uid")])
def test_a_process_that_outlives_the_run_and_holds_its_pipes_is_not_waited_for(tmp_path, without):
    mark = tmp_path / "mark"
    source = f"MARK = {str(mark)!r}\n{LEAVES_A_PROCESS}"
    with Sandbox(preload=(), without=without) as box:
        out = box.run_tests({"solution.py": source}, TEST_F, PATIENT)
    orphan = int(mark.read_text())
    try:
        assert (out.tier, out.error) == ("process", "")
        assert out.all_passed, out
        os.kill(orphan, 0)  # it is still there, with all that it was given
        assert list(Path(f"/proc/{orphan}/fd").iterdir())
    finally:
        os.kill(orphan, signal.SIGKILL)


def test_only_limits_that_the_system_took_are_named(plain):
    out = plain.run_tests({"solution.py": SOURCE}, TEST_F, PATIENT)
    assert {"session", "folder", "rlimit_cpu", "rlimit_nofile"} <= set(out.layers)
    assert ("rlimit_nproc" in out.layers) == (os.name == "posix" and os.geteuid() != 0)


def test_a_checker_that_is_killed_from_outside_is_our_failure(plain, monkeypatch):
    def killed(frames, seconds, pids):
        frames._begun.wait()
        os.kill(frames._checker.pid, signal.SIGKILL)
        return ""

    monkeypatch.setattr(fallback._Frames, "wait", killed)
    slow = "import time\ntime.sleep(20)\ndef f(x):\n    return x + 1\n"
    with pytest.raises(SandboxError, match="checker was killed by signal 9"):
        plain.run_tests({"solution.py": slow}, TEST_F, PATIENT)


def test_a_candidate_that_kills_itself_fails_its_tests(plain):
    source = "import os\ndef f(x):\n    os.kill(os.getpid(), 9)\n"
    out = plain.run_tests({"solution.py": source}, TEST_F, PATIENT)
    assert out.error == "crash"
    assert out.passed == set()


def test_no_process_to_be_had_is_our_failure(plain, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(fallback.subprocess, "Popen", refuse)
    with pytest.raises(SandboxError, match=r"no process for the run: .*temporarily"):
        plain.run_tests({"solution.py": SOURCE}, TEST_F, PATIENT)
