"""The trainer class that Unsloth generates for a GPU agrees with TRL's on the same batches.

At importance ratio 1 the loss does not depend on the model, so it is compared where the weights
have moved since the answers were given as well, and so is the gradient of the LoRA weights.

Two deviations of Unsloth's are taken out by the probe, because they need a GPU to be right:

* If a batch holds whole groups in order, Unsloth runs their common prompt once and tells attention
  through `prefix_seg_info` which tokens see it. Only the models that Unsloth loads on a GPU obey;
  under transformers' own attention all answers but the first lose sight of the prompt. Unsloth
  checks the log-probs against separate rows, but lets 0.7 pass, which a model that hardly
  depends on the prompt stays under; at ratio 1 the loss is then right and the gradient wrong. The
  probe's model obeys. TRL shuffles the batch, so that groups stay whole only with one prompt in a
  batch; GRPOConfig has no setting for it (UNSLOTH_GRPO_PREFIX_GROUPER=0 turns it off).
* With `bf16=False, fp16=False` Unsloth turns on autocast for an fp32 model, which moves the
  gradient by one per cent; with either flag set, as on a GPU, it does as it is told.
"""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
SAME = ("on policy", "moved", "one prompt")
"""Cases in which the trainers must agree."""


@pytest.fixture(scope="module")
def both(weights):
    pytest.importorskip("trl", reason="the train extra is not installed")
    root = Path(__file__).parents[2]
    found = {}
    for kind in ("plain", "generated"):
        command = [sys.executable, "-m", "tests.training.gpu_trainer_probe", kind, weights]
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=False, timeout=1800
        )
        assert done.returncode == 0, done.stderr[-2000:]
        found[kind] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def compare(both, case):
    """Return the cosine of the gradients and the length of the generated over the plain one."""
    plain, generated = both["plain"][case]["gradient"], both["generated"][case]["gradient"]
    lengths = math.hypot(*plain), math.hypot(*generated)
    product = math.fsum(a * b for a, b in zip(plain, generated, strict=True))
    return product / math.prod(lengths), lengths[1] / lengths[0]


def test_the_generated_classes_are_the_ones_that_ran(both):
    plain, generated = both["plain"]["moved"], both["generated"]["moved"]
    assert (plain["class"], plain["config of unsloth"]) == ("GRPOTrainer", False)
    assert (generated["class"], generated["config of unsloth"]) == ("UnslothGRPOTrainer", True)


@pytest.mark.parametrize("case", SAME)
def test_masks_are_the_same_and_the_cut_answers_are_masked(both, case):
    plain, generated = both["plain"][case], both["generated"][case]
    assert plain["mask"] == generated["mask"]
    kept = sorted({sum(row) for row in plain["mask"]})
    assert kept == [0, 2, 3, 4]


@pytest.mark.parametrize("case", SAME)
def test_advantages_and_loss_agree(both, case):
    plain, generated = both["plain"][case], both["generated"][case]
    assert plain["advantages"] == pytest.approx(generated["advantages"], abs=1e-6)
    assert plain["loss"] != 0
    assert plain["loss"] == pytest.approx(generated["loss"], rel=1e-4)


def test_the_loss_depends_on_the_model_once_the_weights_have_moved(both):
    plain, generated = both["plain"], both["generated"]
    assert abs(plain["moved"]["loss"] - plain["on policy"]["loss"]) > 0.1
    assert plain["moved"]["clipped share"] > 0
    assert plain["moved"]["clipped share"] == pytest.approx(generated["moved"]["clipped share"])


@pytest.mark.parametrize("case", SAME)
def test_gradients_agree(both, case):
    cosine, length = compare(both, case)
    assert cosine > 0.99999
    assert length == pytest.approx(1, abs=1e-3)


def test_a_common_prompt_is_run_once_for_one_prompt_and_not_for_a_shuffled_batch(both):
    used = {case: both["generated"][case]["prefixes"]["with gradient"] for case in SAME}
    assert used == {"on policy": 0, "moved": 0, "one prompt": 1}


def test_attention_that_ignores_the_common_prompt_passes_unsloths_check_and_bends_the_gradient(
    both,
):
    plain, generated = both["plain"]["prefix ignored"], both["generated"]["prefix ignored"]
    assert generated["prefixes"]["with gradient"] == 1
    assert plain["loss"] == pytest.approx(generated["loss"], rel=1e-4)
    cosine, _ = compare(both, "prefix ignored")
    assert cosine < 0.9


def test_stated_settings_mean_the_same_in_both(both):
    assert both["plain"]["moved"]["settings"] == both["generated"]["moved"]["settings"]
