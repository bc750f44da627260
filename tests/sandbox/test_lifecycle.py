import copy
import errno
import json
import os
import pickle
import signal
import threading
from pathlib import Path

import pytest

from env_lib.sandbox import Limits, Sandbox, SandboxError, layers, probe, slot, threads
from env_lib.sandbox.limits import Outcome, TestResult
from env_lib.sandbox.request import for_tests
from tests.sandbox.conftest import PATIENT, linux

FILES = {"solution.py": "def f(x):\n    return x + 1\n"}
TESTS = "from solution import f\ndef test_a():\n    assert f(1) == 2\n"


def ended(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"
    except OSError:
        return True


@linux
def test_a_zygote_that_died_is_replaced_once_and_the_run_made():
    with Sandbox(preload=()) as box:
        assert box.run_tests(FILES, TESTS, PATIENT).all_passed
        own = box._slots[0]
        first = own._process.pid
        os.kill(first, signal.SIGKILL)
        assert box.run_tests(FILES, TESTS, PATIENT).all_passed
        assert own._process.pid != first


@linux
def test_closing_leaves_neither_process_nor_folder_and_allows_another_run():
    box = Sandbox(preload=())
    assert box.run_tests(FILES, TESTS, PATIENT).all_passed
    pid, base = box._slots[0]._process.pid, Path(box._slots[0]._base)
    assert base.is_dir()
    box.close()
    assert ended(pid)
    assert not base.exists()
    assert box.run_tests(FILES, TESTS, PATIENT).all_passed
    box.close()


@linux
def test_runs_leak_no_descriptors(box):
    box.run_tests(FILES, TESTS, PATIENT)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        box.run_tests(FILES, TESTS, PATIENT)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_many_runs_keep_their_order_on_two_workers():
    runs = [({"solution.py": f"def f(x):\n    return x + {n}\n"}, TESTS) for n in range(6)]
    with Sandbox(workers=2, preload=()) as box:
        outs = box.run_many(runs, PATIENT)
    assert [out.all_passed for out in outs] == [n == 1 for n in range(6)]
    said = [out.results["test_a"].message for out in outs]
    assert said[5] == "f(1) returned 6, expected 2"


def test_a_copy_of_a_sandbox_is_itself_and_a_pickled_one_is_new():
    box = Sandbox(workers=2, preload=("json",))
    assert copy.deepcopy({"box": box})["box"] is box
    other = pickle.loads(pickle.dumps(box))
    assert other is not box
    assert other.__reduce__() == box.__reduce__()


@linux
def test_a_module_that_cannot_be_preloaded_is_our_failure_and_says_so():
    with pytest.raises(SandboxError, match="no_such_module"):
        Sandbox(preload=("no_such_module",)).run_tests(FILES, TESTS)


@linux
def test_no_room_for_the_files_is_our_failure(box):
    limits = Limits(wall_s=20, open_files=16)
    files = {**FILES, **{f"a{'b' * 190}{n}": "" for n in range(3)}}
    assert box.run_tests(files, TESTS, limits).all_passed
    deep = {**FILES, "solution.py/inner.py": ""}
    with pytest.raises(SandboxError, match="candidate was not set up"):
        box.run_tests(deep, TESTS, PATIENT)
    assert box.run_tests(FILES, TESTS, PATIENT).all_passed


def refusing(number):
    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    return refuse


@linux
@pytest.mark.parametrize(
    ("module", "name", "number", "said"),
    [
        ("subprocess", "Popen", errno.EAGAIN, "the zygote did not start: .*temporarily"),
        ("tempfile", "mkdtemp", errno.ENOSPC, "no folder for the run: .*No space"),
        ("os", "memfd_create", errno.ENFILE, "no memory for the run: .*open files"),
        ("os", "write", errno.ENOSPC, "no memory for the run: .*No space"),
    ],
    ids=["fork", "folder", "memfd", "space"],
)
def test_what_the_system_refuses_us_is_our_failure(monkeypatch, module, name, number, said):
    with Sandbox(preload=()) as box:
        if module == "os":
            assert box.run_tests(FILES, TESTS, PATIENT).all_passed
        with monkeypatch.context() as patched:
            patched.setattr(getattr(slot, module), name, refusing(number))
            with pytest.raises(SandboxError, match=said):
                box.run_tests(FILES, TESTS, PATIENT)
        assert box.run_tests(FILES, TESTS, PATIENT).all_passed


@linux
def test_a_run_that_the_zygote_could_not_fork_is_our_failure(monkeypatch, box):
    own = box._slots[0]
    own.start()
    told = {"failure": "BlockingIOError: fork"}
    with monkeypatch.context() as patched:
        patched.setattr(own, "_ask", lambda *_: told)
        with pytest.raises(SandboxError, match="the run could not be made: BlockingIOError: fork"):
            own._try(for_tests(FILES, TESTS, PATIENT, ()))
    assert box.run_tests(FILES, TESTS, PATIENT).all_passed


def test_off_linux_what_is_missing_is_named(monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    found = layers()
    assert found["tier"] in ("monty", "process")
    assert all("missing" in found[name] for name in probe.WALLS)
    assert {found[name] for name in probe.HELD} == {"not contained"}


@pytest.mark.parametrize(
    "values", [{"wall_s": 0}, {"memory_mb": -1}, {"open_files": 3}, {"cpu_s": float("nan")}]
)
def test_limits_that_make_no_sense_are_refused(values):
    with pytest.raises(ValueError, match=next(iter(values))):
        Limits(**values)


def test_workers_and_walls_are_checked():
    with pytest.raises(ValueError, match="workers is 0"):
        Sandbox(workers=0)
    with pytest.raises(ValueError, match="unknown wall 'moat'"):
        Sandbox(without=("moat",))


def test_an_outcome_with_an_error_never_counts_as_all_passed():
    results = {"test_a": TestResult("passed")}
    assert Outcome(results=results).all_passed
    assert not Outcome(results=results, error="crash").all_passed
    assert not Outcome().all_passed


def test_layers_names_what_this_machine_has():
    found = layers()
    assert found["tier"] in ("full", "sealed", "monty", "process")
    assert all(isinstance(value, (bool, str)) for value in found.values())
    assert json.loads(json.dumps(found)) == found
    if found["tier"] == "full":
        walls = ("network", "processes", "signals", "reading", "writing")
        assert all(found[name] for name in walls)


@linux
def test_layers_are_those_that_stood_around_a_run(box):
    found = layers()
    out = box.run_tests(FILES, TESTS, PATIENT)
    for name in probe.RLIMITS:
        assert found[f"rlimit_{name}"] == (f"rlimit_{name}" in out.layers)
    assert found["no_new_privileges"] is found["private_folder"] is found["session"] is True
    assert found["tier"] == out.tier


@linux
def test_a_sandbox_that_does_not_start_has_no_layer(monkeypatch):
    monkeypatch.setattr(slot.subprocess, "Popen", refusing(errno.EAGAIN))
    found = layers()
    assert found["tier"] == "none"
    assert "temporarily" in found["failure"]
    assert not {"landlock", "no_new_privileges", "rlimit_cpu"} & set(found)


@linux
def test_a_users_threads_are_counted():
    ready, end = threading.Barrier(6), threading.Event()

    def wait():
        ready.wait()
        end.wait()

    helpers = [threading.Thread(target=wait) for _ in range(5)]
    for helper in helpers:
        helper.start()
    ready.wait()
    own = len(list(Path("/proc/self/task").iterdir()))
    counted = Path("/proc/self/task").stat().st_nlink - 2
    end.set()
    for helper in helpers:
        helper.join()
    assert counted == own > len(helpers)
    assert threads.of_user() >= threading.active_count()


@linux
@pytest.mark.parametrize(("uid", "others", "limit"), [(0, 100, 164), (61184, 0, 64), (0, 0, None)])
def test_processes_are_limited_for_users_that_have_a_limit(uid, others, limit):
    import resource

    from env_lib.sandbox import walls

    made = object.__new__(walls.Walls)
    made.uid, made._others, made._taken = uid, others, 64 << 30
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        names = made._limit({"cpu_s": 2, "memory_mb": 64, "file_mb": 1, "open_files": 32})
        value = resource.getrlimit(resource.RLIMIT_NPROC)[0] if "rlimit_nproc" in names else None
        os.write(writer, repr(value).encode())
        os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(reader, 100).decode() == repr(limit)
    os.close(reader)
    os.close(writer)


@linux
def test_a_wall_left_away_is_reported_and_not_claimed():
    with Sandbox(preload=(), without=("seccomp", "landlock", "monty")) as box:
        out = box.run_tests(FILES, TESTS, PATIENT)
    assert out.all_passed
    assert out.tier == "process"
    assert not {"seccomp", "landlock"} & set(out.layers)
