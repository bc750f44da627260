"""The trainer class that Unsloth generates for a GPU agrees with TRL's on the same batch.

Masks, advantages, settings and the loss are compared. Gradients are not: on a CPU, where Unsloth's
kernels do not run, they were seen to differ (cosine 0.42), and the reason is not known yet.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def both(weights):
    pytest.importorskip("trl", reason="the train extra is not installed")
    probe = Path(__file__).with_name("gpu_trainer_probe.py")
    found = {}
    for kind in ("plain", "generated"):
        command = [sys.executable, probe, kind, weights]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr[-2000:]
        found[kind] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def test_the_generated_class_is_the_one_that_ran(both):
    assert both["plain"]["class"] == "GRPOTrainer"
    assert both["generated"]["class"].startswith("Unsloth")


def test_masks_are_the_same_and_the_cut_answer_is_masked(both):
    assert both["plain"]["mask"] == both["generated"]["mask"]
    assert sorted(sum(row) for row in both["plain"]["mask"]) == [0, 2, 3, 4]


def test_advantages_and_loss_agree(both):
    plain, generated = both["plain"], both["generated"]
    assert plain["advantages"] == pytest.approx(generated["advantages"], abs=1e-4)
    assert plain["loss"] != 0
    assert plain["loss"] == pytest.approx(generated["loss"], rel=1e-3, abs=1e-5)


def test_stated_settings_mean_the_same_in_both(both):
    assert both["plain"]["settings"] == both["generated"]["settings"]
