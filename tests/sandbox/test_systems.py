"""What other systems lack: the modules that any system uses are imported and used without it."""

import os
import subprocess
import sys

import pytest

from env_lib.sandbox import fallback
from tests.sandbox.conftest import linux

LACKING = """
import os, signal, socket, subprocess, sys

for module, names in {
    os: "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_PATH fork forkpty geteuid getuid killpg "
        "memfd_create pipe2 sched_getaffinity setsid sysconf wait4 waitid",
    signal: "ITIMER_REAL SIGALRM SIGCHLD SIGXCPU SIGXFSZ setitimer",
    socket: "AF_UNIX SOCK_SEQPACKET recv_fds send_fds socketpair",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
"""
IMPORTS = """
import env_lib.doctor
import env_lib.envs.repair.env
import env_lib.envs.repair.runner
from env_lib.sandbox import Limits, Sandbox, layers, plain, probe
"""
RUN = """
sys.platform = "win32"
source, tests = {"solution.py": "def f(x):\\n    return x + 1\\n"}, "from solution import f\\n"
tests += "def test_a():\\n    assert f(1) == 2\\n"
out = Sandbox(preload=()).run_tests(source, tests, Limits(wall_s=60, cpu_s=60))
assert out.tier in ("monty", "process") and out.all_passed, out
"""


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.parametrize("more", ["", RUN], ids=["imports", "runs"])
def test_nothing_that_linux_alone_has_is_needed_elsewhere(more):
    done = python(LACKING + IMPORTS + more)
    assert done.returncode == 0, done.stderr


@linux
@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
def test_a_group_that_has_ended_or_may_not_be_signalled_ends_quietly(monkeypatch, error):
    def refuse(*_):
        raise error

    monkeypatch.setattr(os, "killpg", refuse)
    line = [sys.executable, "-c", "import time; time.sleep(60)"]
    process = subprocess.Popen(line, start_new_session=True)
    fallback._kill(process)
    assert process.returncode is not None
