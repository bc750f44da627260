"""Attacks get out where no wall stands: one that fails by a slip of its own would show nothing."""

import os
import socket
from pathlib import Path

import pytest

from env_lib.sandbox import Limits, Sandbox, slot, sweep
from tests.sandbox.attacks import CONTAINMENT, SAFE
from tests.sandbox.conftest import linux

pytestmark = linux
LIMITS = Limits(wall_s=20, cpu_s=20, open_files=1200)


@pytest.fixture(scope="module")
def open_box():
    """Two plain processes, with a secret in the environment that walls would keep out."""
    with Sandbox(
        preload=(), without=("zygote", "monty"), environment={"GYM_TOKEN": "needle"}
    ) as made:
        yield made


@pytest.fixture
def given():
    """What an attack is told: a secret on the run's own file system, and two who listen."""
    outside = slot.private_folder()
    Path(outside, "secret").write_text("needle")
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as local,
    ):
        local.bind("\0walled")
        local.listen()
        names = {
            "OWNER": os.getpid(), "PORT": server.getsockname()[1], "SECRET": f"{outside}/secret",
            "OUTSIDE": outside, "HOME": outside,
        }  # fmt: skip
        yield "".join(f"{name} = {value!r}\n" for name, value in names.items())
    sweep.remove(outside)


@pytest.mark.parametrize("name", SAFE)
def test_an_attack_gets_out_where_nothing_stops_it(open_box, given, name):
    files = {"solution.py": given + CONTAINMENT[name]}
    out = open_box.run_call(files, "solution", "attack", limits=LIMITS)
    assert (out.tier, out.value) == ("process", "escaped"), out
