"""Sandboxes that the tests share: each costs a start."""

import sys

import pytest

from env_lib.sandbox import Limits, Sandbox

linux = pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")
PATIENT = Limits(wall_s=20, cpu_s=20)
"""For runs that must end by themselves, however busy the machine."""


@pytest.fixture(scope="session")
def box():
    with Sandbox(preload=()) as made:
        yield made


@pytest.fixture(scope="session")
def property_box():
    with Sandbox(preload=("hypothesis",)) as made:
        yield made
