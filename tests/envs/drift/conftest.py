"""Drift is registered for its own tests alone, until every promise of its audit holds."""

import pytest

from env_lib.registry import DUTIES


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(DUTIES, "drift", "env_lib.envs.drift")
