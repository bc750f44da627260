import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from env_lib.sandbox import Limits, Sandbox
from tests.sandbox.attacks import CONTAINMENT
from tests.sandbox.conftest import PATIENT, linux, needs_walls

pytestmark = linux
SHORT = Limits(wall_s=0.5, cpu_s=1, file_mb=1, memory_mb=256)
ENDLESS = {
    "loops_forever",
    "loops_at_import",
    "ignores_every_signal",
    "swallows_every_exception",
    "sleeps_past_the_deadline",
    "leaves_a_sleeping_thread",
}
GOOD = {"solution.py": "import os\ndef attack():\n    return sorted(os.listdir('.'))\n"}


@pytest.fixture(scope="module", params=["full", "sealed"])
def walls(request):
    """The tier of this machine, and what is left of it without Landlock."""
    without = () if request.param == "full" else ("landlock",)
    with Sandbox(preload=(), without=without) as made:
        yield needs_walls(made)


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """A folder with a secret, a listening port and a secret in the environment."""
    monkeypatch.setenv("GYM_TOKEN", "needle-in-the-environment")
    secret = tmp_path / "secret"
    secret.write_text("needle")
    secret.chmod(0o644)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        head = f"OWNER, PORT = {os.getpid()}, {port}\nSECRET, OUTSIDE = {str(secret)!r}, "
        yield head + f"{str(tmp_path)!r}\nHOME = {str(Path.home())!r}\n", tmp_path, server


def children_of(pid):
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.add(int(entry.name))
    return found


def inside(folder):
    """Processes at work in a folder, whatever their parent or session is by now."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                at = (entry / "cwd").readlink()
            except OSError:
                continue
            if at.is_relative_to(folder):
                found.add(int(entry.name))
    return found


@pytest.mark.parametrize("name", CONTAINMENT)
def test_an_attack_gets_nowhere(walls, outside, name):
    head, folder, server = outside
    before = sorted((path.name, path.stat().st_mtime_ns, path.stat().st_mode, path.read_text())
                    for path in folder.iterdir())  # fmt: skip
    limits = SHORT if name in ENDLESS or "without_end" in name else PATIENT
    out = walls.run_call({"solution.py": head + CONTAINMENT[name]}, "solution", "attack",
                         limits=limits)  # fmt: skip

    assert out.value != "escaped", out
    assert (out.error == "timeout") == (name in ENDLESS) or "without_end" in name, out
    after = sorted((path.name, path.stat().st_mtime_ns, path.stat().st_mode, path.read_text())
                   for path in folder.iterdir())  # fmt: skip
    assert after == before
    with pytest.raises(BlockingIOError):
        server.accept()
    zygote = walls._slots[0]._process.pid
    assert children_of(zygote) == set(), "a process outlived the run"
    assert inside(walls._slots[0]._base) <= {zygote}, "a process left its session and outlived it"
    assert not (Path.home() / ".written-by-an-attack").exists()
    clean = walls.run_call(GOOD, "solution", "attack", limits=PATIENT)
    if clean.tier == "full":
        assert clean.value == ["solution.py"], "the run left files behind"
    assert walls._slots[0]._process.pid == zygote, "the zygote did not survive the run"


@pytest.mark.skipif(os.geteuid() != 0, reason="others' working folders are read by root alone")
def test_a_process_that_left_its_session_would_be_found(tmp_path):
    program = "import os, time; os.fork() or (os.setsid(), os.fork() or time.sleep(20))"
    with subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path) as parent:
        parent.wait()
        (orphan,) = wait_for_one(tmp_path)
        assert os.getsid(orphan) != os.getsid(0)
        os.kill(orphan, signal.SIGKILL)


def wait_for_one(folder):
    for _ in range(200):
        found = inside(folder)
        if len(found) == 1:
            return found
        time.sleep(0.05)
    return found


def test_output_is_cut(walled_box):
    source = CONTAINMENT["prints_without_end"]
    out = walled_box.run_call({"solution.py": source}, "solution", "attack",
                              limits=Limits(wall_s=20, output_kb=8))  # fmt: skip
    assert 0 < len(out.stdout) <= 8 << 10


def test_files_that_fill_the_disk_end_the_run(walled_box):
    source = CONTAINMENT["writes_files_without_end"]
    out = walled_box.run_call({"solution.py": source}, "solution", "attack",
                              limits=Limits(wall_s=20, cpu_s=20, file_mb=1))  # fmt: skip
    assert out.error == "crash"
    assert "passed 4 MB" in out.message


def test_no_layer_is_claimed_that_did_not_stand(walls):
    out = walls.run_call(GOOD, "solution", "attack", limits=PATIENT)
    limits = {f"rlimit_{name}" for name in ("cpu", "as", "fsize", "nofile", "core")}
    assert limits <= set(out.layers)
    assert ("rlimit_nproc" in out.layers) == ("uid" in out.layers or os.geteuid() != 0)
    assert {"session", "no_new_privs", "capabilities", "dumpable"} <= set(out.layers)
    assert ("landlock" in out.layers) == (out.tier == "full")
    assert ("seccomp" in out.layers) == (out.tier in ("full", "sealed"))
