"""State-level GRPO in rounds: collect states on-policy, train on branches, collect again.

Each round is a unit (`rounds.py`), so that a killed run goes on with the one it was in. The step's
reward, the look-ahead and termination are reward functions of TRL's GRPOTrainer; the rubric's
components are logged beside them.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from env_lib import models
from env_lib.profiles import Profile
from env_lib.registry import list_envs
from env_lib.runs import Run, read_json, write_json
from env_lib.training import preflight as gate
from env_lib.training import rounds
from env_lib.training.curriculum import Curriculum
from env_lib.training.rewards import BranchRewards
from env_lib.training.states import SEGMENT, choose, visit_episodes
from env_lib.training.trainer import trainer_class

LOG_NAMES = {
    "reward": "reward",
    "reward_std": "reward_std",
    "kl": "kl",
    "entropy": "entropy",
    "grad_norm": "grad_norm",
    "completions/clipped_ratio": "clipped_share",
    "completions/mean_terminated_length": "terminated_length",
    "loss": "loss",
    "learning_rate": "learning_rate",
}
"""Figures of TRL's log, and their names in ours."""


def prompts_a_step(profile: Profile, group: int) -> int:
    """Return the states of an optimiser step: a larger G takes fewer, for the same cost."""
    return max(1, profile.grpo_prompts * profile.grpo_group // group)


class GateError(RuntimeError):
    """The pre-flight gate refused to train."""


def _load(run: Run, adapter: Path) -> tuple[Any, Any]:
    models.quiet()
    import unsloth  # noqa: F401 - before trl

    model, tokenizer = models.load(run.profile, adapter, trainable=True)
    model.load_adapter(
        str(run.path("sft", "adapter")), adapter_name="reference", is_trainable=False
    )
    model.set_adapter("default")
    return model, tokenizer


def preflight(run: Run) -> Any:
    """Measure the SFT model, write `grpo/preflight.json`, and return the table."""
    import pandas as pd

    inputs = run.inputs("grpo", [run.path("sft", "adapter")])
    target = run.path("grpo", "preflight.json")
    if not (target.is_file() and read_json(target)["inputs"] == inputs):
        model, tokenizer = _load(run, run.path("sft", "adapter"))
        found = gate.measure(run, model, tokenizer, list_envs()[run.duty]["scenarios"])
        write_json(target, {**gate.judge(run, found), "inputs": inputs})
    return pd.DataFrame(read_json(target)["rows"])


def _config(run: Run, folder: Path, group: int) -> Any:
    import torch
    from trl import GRPOConfig

    p = run.profile
    cuda = torch.cuda.is_available()
    dtype = models.dtype_of(p)
    return GRPOConfig(
        output_dir=str(folder),
        max_steps=p.grpo_steps,
        per_device_train_batch_size=prompts_a_step(p, group) * group,
        gradient_accumulation_steps=1,
        steps_per_generation=1,
        num_iterations=1,
        num_generations=group,
        max_completion_length=run.action_tokens,
        temperature=p.grpo_temperature,
        top_p=1.0,
        top_k=0,
        learning_rate=p.grpo_lr,
        lr_scheduler_type="constant",
        warmup_steps=0,
        optim="adamw_torch",
        weight_decay=0.0,
        max_grad_norm=1.0,
        beta=p.grpo_beta,
        epsilon=0.2,
        epsilon_high=p.grpo_epsilon_high,
        loss_type=p.grpo_loss,
        scale_rewards=p.grpo_scale,
        mask_truncated_completions=True,
        importance_sampling_level="token",
        shuffle_dataset=False,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        seed=run.seed,
        gradient_checkpointing=False,
        disable_tqdm=False,
        bf16=cuda and dtype == torch.bfloat16,
        fp16=cuda and dtype == torch.float16,
        dataloader_pin_memory=False,
        use_vllm=p.use_vllm,
    )


def train(run: Run) -> dict[str, Any]:
    """Run the rounds that are missing; return the metrics.

    Raises:
        GateError: the pre-flight gate refused; the message says why and what to change.
    """
    inputs = run.inputs("grpo", [run.path("sft", "adapter")])
    if run.up_to_date("grpo", inputs):
        return read_json(run.path("grpo", "metrics.json"))
    found = read_json(run.path("grpo", "preflight.json"))
    if found["inputs"] != inputs:
        raise GateError("the gate measured another warm start; run `preflight` of this one first")
    if not found["ok"]:
        raise GateError("GRPO was not started. " + "; ".join(found["reasons"]))
    curriculum = _curriculum(run, found)
    with run.step("grpo", inputs) as folder:
        done = rounds.finished(folder, inputs)
        if done:
            curriculum.load(read_json(folder / f"round_{done}" / "curriculum.json"))
            print(f"resuming after round {done} of {run.profile.grpo_rounds}", flush=True)
        start = folder / f"round_{done}" / "adapter" if done else run.path("sft", "adapter")
        model, tokenizer = _load(run, start)
        optimizer = _optimizer(run, model, folder, done)
        selection = rounds.Selection(run, folder, inputs)
        selection.add(done, model, tokenizer)
        for number in range(done + 1, run.profile.grpo_rounds + 1):
            _round(run, number, model, tokenizer, optimizer, curriculum, found["G"], folder, inputs)
            selection.add(number, model, tokenizer)
        return rounds.finish(run, folder, found, selection)


def _curriculum(run: Run, found: dict[str, Any]) -> Curriculum:
    p = run.profile
    curriculum = Curriculum(
        list_envs()[run.duty]["scenarios"], p.mastery, uniform=p.curriculum == "uniform"
    )
    for scenario, normalised in found["visits"]:
        curriculum.record(scenario, normalised)
    return curriculum


def _optimizer(run: Run, model: Any, folder: Path, done: int) -> Any:
    import torch

    optimizer = torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], lr=run.profile.grpo_lr, weight_decay=0.0
    )
    if done:
        optimizer.load_state_dict(
            torch.load(folder / f"round_{done}" / "optimizer.pt", weights_only=True)
        )
    return optimizer


def _round(
    run: Run,
    number: int,
    model: Any,
    tokenizer: Any,
    optimizer: Any,
    curriculum: Curriculum,
    group: int,
    folder: Path,
    inputs: dict[str, str],
) -> None:
    import torch
    from datasets import Dataset

    from env_lib.policy_model import ModelPolicy

    p = run.profile
    began = time.time()
    torch.manual_seed(1000 * run.seed + number)
    writer = ModelPolicy(model, tokenizer, max_tokens=run.action_tokens)
    wanted = p.grpo_steps * prompts_a_step(p, group)
    scenarios = curriculum.draw(-(-wanted * p.grpo_surplus // SEGMENT))
    visits = visit_episodes(run, writer, scenarios, f"round {number}")
    for visit in visits:
        curriculum.record(visit.scenario, visit.normalised)
    rng = random.Random(f"round {number}")
    states = _mixed(choose(visits, wanted, p.grpo_guard, rng), wanted, rng)
    rows = [
        {"prompt": models.chat(env.system_prompt, text), "state_id": i}
        for i, (env, text) in enumerate(states)
    ]
    rewards = BranchRewards(run, states, tokenizer, f"round {number}", model)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda _: 1.0)
    trainer = trainer_class(not torch.cuda.is_available())(
        model=model,
        processing_class=tokenizer,
        args=_config(run, folder / "trainer", group),
        reward_funcs=[rewards.step_reward, rewards.look_ahead, rewards.termination],
        train_dataset=Dataset.from_list(rows),
        optimizers=(optimizer, schedule),
    )
    trainer.train()
    history = [row for row in trainer.state.log_history if "reward" in row]
    log = [
        {"step": (number - 1) * p.grpo_steps + i + 1, "round": number}
        | {name: row[key] for key, name in LOG_NAMES.items() if key in row}
        | extra
        for i, (row, extra) in enumerate(zip(history, rewards.log, strict=True))
    ]
    rounds.save(folder, number, model, optimizer, curriculum, log, inputs, time.time() - began)


def _mixed(states: list[Any], wanted: int, rng: random.Random) -> list[Any]:
    """Shuffle the states, so that an optimiser step sees several episodes; repeat if too few."""
    dealt = rng.sample(states, len(states))
    return [dealt[i % len(dealt)] for i in range(wanted)]
