"""Sandboxes that the tests share: each costs a start."""

import sys

import pytest

from env_lib.sandbox import Limits, Sandbox

linux = pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")
PATIENT = Limits(wall_s=20, cpu_s=20)
"""For runs that must end by themselves, however busy the machine."""
WALLED = ("full", "sealed")
"""Tiers that keep a program from the files of whoever runs the tests."""


def needs_walls(sandbox):
    """Return the sandbox where a run in it is walled; skip the test elsewhere.

    For tests whose programs delete, overwrite or fill what they reach.
    """
    tier = sandbox.run_call({"empty.py": ""}, "empty", None, limits=PATIENT).tier
    if tier not in WALLED:
        pytest.skip(f"runs here are of the tier {tier}: this program would do real harm")
    return sandbox


@pytest.fixture(scope="session")
def box():
    with Sandbox(preload=()) as made:
        yield made


@pytest.fixture(scope="session")
def walled_box(box):
    return needs_walls(box)


@pytest.fixture(scope="session")
def property_box():
    with Sandbox(preload=("hypothesis",)) as made:
        yield made
