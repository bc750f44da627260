"""What the last line of a broken script's prompt names: due looks, repairs not yet tried."""

from __future__ import annotations

import pytest

import env_lib
from env_lib.envs.drift.action import DriftObservation
from env_lib.envs.drift.exploits import inspect
from env_lib.envs.drift.menu import OFFERS, options, repairs
from env_lib.envs.drift.policies import Guided

CODE = "from numpy import trapezo\n\ndef main(inputs):\n    return trapezo(inputs['y'], dx=1)\n"
MISSING = "cannot import name 'trapezo' from 'numpy' (numpy/__init__.py)"
TOLD = (("numpy.trapezo", "numpy has no trapezo; nearest: trapezoid, trapz, trace"),)


def seen(**fields):
    given = {
        "prompt": "", "code": CODE, "library": "numpy", "versions": (("numpy", "2"),),
        "error_type": "ImportError", "message": MISSING, "line": 1,
    }  # fmt: skip
    return DriftObservation(**given | fields)


def test_a_look_that_is_due_is_named_alone():
    assert options(seen()) == ("inspect numpy.trapezo",)


def test_after_the_look_the_names_it_told_are_offered_the_likest_first():
    assert options(seen(told=TOLD)) == (
        "rename_symbol trapezo trapezoid", "rename_symbol trapezo trapz"
    )  # fmt: skip


def test_a_repair_that_failed_is_not_named_again():
    tried = ("rename_symbol trapezo trapezoid: taken back, TypeError: no",)
    assert options(seen(told=TOLD, tried=tried)) == ("rename_symbol trapezo trapz",)


def test_the_librarys_own_advice_needs_no_look():
    found = options(seen(message=f"{MISSING}. Use `numpy.trapezoid` instead."))
    assert found[0] == "rename_symbol trapezo trapezoid"


def test_a_silent_drift_offers_looks_and_then_the_switches_that_they_told():
    quiet = {"error_type": "", "message": "", "line": 0}
    code = "import pandas as pd\n\ndef main(inputs):\n    return pd.concat(inputs)\n"
    assert options(seen(code=code, library="pandas", **quiet)) == ("inspect pandas.concat",)
    told = (("pandas.concat", "pandas.concat(objs, sort=True, axis=0)"),)
    assert options(seen(code=code, told=told, **quiet)) == ("set_kwarg concat.sort False",)


@pytest.mark.parametrize("tier", ["D1", "D3", "D4"])
def test_the_last_line_names_them_and_each_can_be_carried_out(tier):
    env, guided = env_lib.make("drift", scenario=tier, split="train"), Guided()
    for seed in range(4):
        obs = env.reset(seed=seed)
        guided.start(env, seed)
        while not obs.done:
            named = options(obs)
            last = obs.prompt.splitlines()[-1]
            assert last.startswith("next: ") == bool(named)
            if named:
                assert last.removesuffix(" ...")[6:] in " or ".join(named)
            assert len(repairs(obs)) <= OFFERS
            for offer in named:
                if offer.startswith("inspect"):
                    assert not env.branch().step(inspect(offer.split()[1])).error
            obs = env.step(guided(obs))


def test_a_challenger_is_offered_nothing():
    env = env_lib.make("drift", scenario="D3", split="train", challenger=True)
    assert "next:" not in env.reset(seed=0).prompt
