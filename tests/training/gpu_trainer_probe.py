"""The same GRPO batches through TRL's trainer or the class that Unsloth generates for a GPU.

Run as a script in its own process with `plain` or `generated` and the folder of the tokenizer. The
second makes Unsloth write its GPU trainer on a machine without a GPU (its Triton kernels are not
exercised). Prints one JSON object, an entry a case of `CASES`.
"""

import json
import os
import sys
import tempfile
import types
from dataclasses import dataclass, replace
from pathlib import Path

KIND, WEIGHTS = sys.argv[1:]
os.environ.update(
    HF_HUB_OFFLINE="1",
    TRL_EXPERIMENTAL_SILENCE="1",
    ACCELERATE_USE_CPU="1",
    TQDM_DISABLE="1",
    OMP_NUM_THREADS="1",
    CUDA_VISIBLE_DEVICES="",
)
if KIND == "generated":
    os.environ.update(
        UNSLOTH_ALLOW_CPU="1",
        UNSLOTH_COMPILE_DISABLE="1",
        TORCHDYNAMO_DISABLE="1",
        # keeps bf16=False and fp16=False: else Unsloth turns autocast on for an fp32 model
        UNSLOTH_MIXED_PRECISION="bfloat16",
    )
os.chdir(tempfile.mkdtemp())
sys.modules["openenv"] = None  # Unsloth would import its web interface, a quarter of the time

import unsloth  # noqa: F401, E402 - before trl

if KIND == "generated":
    from unsloth.models import rl

    os.environ["UNSLOTH_ALLOW_CPU"] = "0"
    rl.patch_trl_disable_gradient_checkpointing()
    rl._patch_trl_rl_trainers("grpo_trainer")
    os.environ["UNSLOTH_ALLOW_CPU"] = "1"

import torch  # noqa: E402
import trl  # noqa: E402
from datasets import Dataset  # noqa: E402
from peft import LoraConfig, get_peft_model  # noqa: E402
from transformers import AutoTokenizer, LlamaForCausalLM, TrainerCallback  # noqa: E402

from env_lib.profiles import PROFILES  # noqa: E402
from env_lib.runs import Run  # noqa: E402
from env_lib.training.grpo import _config  # noqa: E402
from tests.tiny_llama import tiny_config  # noqa: E402


@dataclass(frozen=True)
class Case:
    """One batch."""

    prompts: int = 2
    """Prompts of different length in the batch, four answers each."""
    moved: bool = False
    """Whether the weights move by a fixed step between the answers and the loss."""
    flat: bool = False
    """Whether the prompt hardly changes what the model says: log-probs differ by under 0.7."""
    honours: bool = True
    """Whether attention obeys `prefix_seg_info`, as in the models that Unsloth loads on a GPU."""


CASES = {
    "on policy": Case(),
    "moved": Case(moved=True),
    "one prompt": Case(prompts=1, moved=True),
    "prefix ignored": Case(prompts=1, flat=True, honours=False),
}
ANSWERS = [[50, 51, 52, 2], [60, 61, 2], [70, 71, 72, 73, 74, 75], [80, 2]]
"""The third is cut: it has no stop id and must be masked."""
REWARDS = [1.0, -0.5, 0.4, 0.0, 0.3, 0.9, -1.0, -0.2]
STATED = ("loss_type", "beta", "scale_rewards", "epsilon", "epsilon_high", "bf16", "fp16")
STEP = 0.02
"""Standard deviation of the fixed step, a tenth of the weights'."""

tokenizer = AutoTokenizer.from_pretrained(WEIGHTS)


def reward(completions, **_):
    """Fixed rewards, one an answer."""
    return REWARDS[: len(completions)]


def build(case):
    """Return a Llama of two layers with LoRA whose weights are the same in every process."""
    config = tiny_config(tokenizer)
    lora = LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(LlamaForCausalLM(config), lora)
    fixed = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for _, weight in sorted(model.named_parameters()):
            if weight.dim() > 1:
                weight.copy_(0.2 * torch.randn(weight.shape, generator=fixed))
        if case.flat:
            model.get_base_model().model.norm.weight.fill_(0.05)
    model.for_training = types.MethodType(lambda self, **_: self.train() and self, model)
    model.for_inference = types.MethodType(lambda self, **_: self.eval() and self, model)
    return model


def watch_prefixes(model, honour):
    """Count the forwards over shared prefixes; give them their attention mask if `honour`."""
    counts = {"with gradient": 0, "without": 0}

    def before(_, args, kwargs):
        segments = kwargs.pop("prefix_seg_info", None)
        if segments is None:
            return args, kwargs
        counts["with gradient" if torch.is_grad_enabled() else "without"] += 1
        if honour:
            n = segments.T
            group, answer = segments.group_of_kv[:n], segments.suffix_of_kv[:n]
            same = answer[:, None] == answer[None, :]
            seen = (group[:, None] == group[None, :]) & (same | segments.is_prefix[None, :n])
            kwargs["attention_mask"] = seen.tril()[None, None]
        return args, kwargs

    model.get_base_model().model.register_forward_pre_hook(before, with_kwargs=True)
    return counts


def configured(case):
    """Return what the project configures, for the batch of the case."""
    profile = replace(
        PROFILES["smoke"], grpo_prompts=case.prompts, grpo_steps=1, max_action_tokens=6
    )
    config = _config(Run("triage", profile, 0, None), Path("out"), len(ANSWERS))
    config.max_grad_norm = 1e9
    # with a second pass to come the trainers keep the log-probs from before the weights moved
    config.num_iterations = 2 if case.moved else 1
    return config


class Keep(TrainerCallback):
    """Keeps the gradient of the first step."""

    def __init__(self, model):
        """Watch the model's trained weights."""
        self.weights = [w for _, w in sorted(model.named_parameters()) if w.requires_grad]
        self.gradient = []

    def on_pre_optimizer_step(self, args, state, control, **kwargs):
        """Copy the gradient before it is used."""
        self.gradient = torch.cat([w.grad.flatten() for w in self.weights]).tolist()


def moving(generate, weights):
    """Wrap the method that samples and scores, so that it ends with a fixed step of the weights."""

    def then_move(inputs):
        batch = generate(inputs)
        fixed = torch.Generator().manual_seed(1)
        with torch.no_grad():
            for weight in weights:
                weight.add_(STEP * torch.randn(weight.shape, generator=fixed))
        return batch

    return then_move


def prepared(case, model):
    """Return a trainer that gets scripted answers instead of sampling them."""
    rows = [
        {"prompt": [{"role": "user", "content": "say " + "x " * 5 * i}]}
        for i in range(case.prompts)
    ]
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=Dataset.from_list(rows),
        args=configured(case),
    )
    trainer._generate_single_turn = lambda ids, *_, **__: (
        [list(ANSWERS[i % len(ANSWERS)]) for i in range(len(ids))],
        None,
    )
    return trainer


def train(case):
    """One optimiser step; return what the loss saw, what it was, and its gradient."""
    model = build(case)
    prefixes = watch_prefixes(model, case.honours)
    trainer, keep, losses = prepared(case, model), Keep(model), []
    trainer.add_callback(keep)
    sample, whole = trainer._generate_and_score_completions, trainer.compute_loss
    if case.moved:
        trainer._generate_and_score_completions = moving(sample, keep.weights)
    trainer.compute_loss = lambda *a, **k: losses.append(whole(*a, **k)) or losses[-1]
    trainer.train()
    batch, log = trainer._buffered_inputs[0], trainer.state.log_history[0]
    return {
        "class": type(trainer).__name__,
        "config of unsloth": hasattr(trainer.args, "unsloth_num_chunks"),
        "mask": batch["completion_mask"].tolist(),
        "advantages": batch["advantages"].flatten().tolist(),
        "loss": losses[0].item(),
        "gradient": keep.gradient,
        "clipped share": log["clip_ratio/region_mean"],
        "prefixes": prefixes,
        "settings": {name: str(getattr(trainer.args, name)) for name in STATED},
    }


print(json.dumps({name: train(case) for name, case in CASES.items()}))
