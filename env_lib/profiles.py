"""Profiles: how big a run is. Notebooks say what, a profile says how much."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

SMOL = "SmolLM2-135M-Instruct"
MASTERY = 0.7


@dataclass(frozen=True)
class Profile:
    """The size of a run; every GRPO value that matters is stated, with its reason."""

    name: str
    """Name as in `make run PROFILE=name`."""
    model: str
    """Hub id, or SMOL for the weights that need no hub."""
    load_in_4bit: bool = False
    """Unsloth 4-bit: memory for the GPU profiles; slower than full precision on a CPU."""
    precision: str = "auto"
    """"bf16", "fp16" or "fp32"; auto: bf16 where the CPU multiplies it in hardware, else fp32."""
    lora_r: int = 16
    """LoRA rank, on all linear layers: enough for RL at this size (schulman2025lora)."""
    max_seq_length: int = 512
    """Tokens of prompt and answer together."""
    prompt_tokens: int = 128
    """Token budget of an observation's prompt."""
    max_action_tokens: int = 48
    """An action is 20 to 32 tokens of canonical JSON, an exact replacement up to 47."""
    sft_examples: int = 320
    """Traces for the warm start, spread evenly over tiers and action types."""
    sft_epochs: float = 1.0
    """Passes over the traces."""
    sft_short: float = 0.0
    """Share of the traces that come first, cut to the end of their prompts (`LAST_LINES`)."""
    sft_batch: int = 8
    """Examples an update."""
    sft_lr: float = 4e-4
    """About ten times the full-tuning rate, as LoRA wants (schulman2025lora)."""
    grpo_rounds: int = 4
    """Rounds of collect, train, collect."""
    grpo_steps: int = 8
    """Optimiser steps a round."""
    grpo_prompts: int = 4
    """States an optimiser step."""
    grpo_surplus: int = 3
    """States visited for each that is trained on."""
    grpo_guard: float = 0.4
    """Share of the trained states drawn from all that were visited; the rest are those in which the
    model is least sure."""
    grpo_group: int = 8
    """Default G; the pre-flight gate may choose a larger one of 4, 8, 16."""
    grpo_lr: float = 3e-5
    """A tenth of the SFT rate: small, careful steps."""
    grpo_beta: float = 0.0
    """No KL term in runs under 200 steps (yu2025dapo). On a CPU the KL to the SFT model is logged
    all the same; on a GPU TRL logs one only where this is above 0."""
    curriculum: str = "mastery"
    """"mastery" climbs the scenarios; "uniform" draws all alike, for runs too short to climb."""
    mastery: float = MASTERY
    """Lower confidence bound of the normalised score that unlocks the next scenario."""
    gate_valid: float = 0.8
    """Pre-flight: least share of sampled answers that are actions, as after SFT."""
    gate_truncated: float = 0.05
    """Pre-flight: largest share of truncated answers."""
    gate_success: float = 0.02
    """Pre-flight: success rates within this distance of 0 or 1 are refused."""
    gate_flat: float = 0.9
    """Pre-flight: largest expected share of groups without spread."""
    gate_visits: int = 5
    """Pre-flight: visits a scenario; they also count for the first unlocks."""
    grpo_temperature: float = 1.0
    """Sampling at the model's own distribution, so that the policy gradient is on-policy."""
    grpo_loss: str = "dapo"
    """Mean over the batch's tokens, so no length bias (yu2025dapo); under dr_grpo Unsloth would
    switch reward scaling off, and a run would not mean the same on a GPU."""
    grpo_epsilon_high: float = 0.2
    """Stated because Unsloth sets 0.28 with dapo; with one update a rollout nothing is clipped."""
    grpo_scale: str = "batch"
    """Batch standard deviation is steadier than the group's (liu2025tricks)."""
    grpo_reward: str = "environment"
    """"environment", or "random": a coin a sample, the control that must teach nothing."""
    grpo_select: int = 2
    """Validation tasks a scenario by which the round to keep is chosen; 0 keeps the last."""
    look_ahead: int = 3
    """Steps under the cheap policy that a branch is followed for."""
    gamma: float = 0.9
    """Discount of those steps."""
    eval_episodes: int = 2
    """Episodes a tier and model."""
    episode_steps: int = 16
    """Steps of an episode, in training and in evaluation; 0 for the tier's own length."""
    eval_stride: int = 1
    """Every n-th scenario is judged; 1 for all."""
    few_shot: int = 3
    """Examples in the base model's few-shot prompt."""
    use_vllm: bool = False
    """Sample with vLLM beside the trainer."""


_GPU: dict[str, Any] = {
    "load_in_4bit": True,
    "max_seq_length": 2048,
    "prompt_tokens": 1024,
    "max_action_tokens": 64,
    "lora_r": 16,
    "sft_examples": 2000,
    "grpo_rounds": 8,
    "grpo_steps": 12,
    "grpo_prompts": 8,
    "eval_episodes": 6,
    "episode_steps": 60,
    "sft_lr": 2e-4,
    "grpo_lr": 1e-5,
    "look_ahead": 6,
}

PROFILES = {
    p.name: p
    for p in (
        Profile(
            "smoke",
            SMOL,
            prompt_tokens=112,
            max_action_tokens=28,
            sft_examples=12,
            sft_batch=4,
            grpo_rounds=1,
            grpo_steps=2,
            grpo_prompts=2,
            grpo_group=4,
            grpo_select=0,
            eval_episodes=1,
            episode_steps=5,
            eval_stride=3,
            curriculum="uniform",
            gate_valid=0.0,
            gate_truncated=1.0,
            gate_success=0.0,
            gate_flat=1.0,
            gate_visits=1,
        ),
        Profile(
            "cpu",
            SMOL,
            sft_examples=800,
            sft_short=0.4,
            sft_lr=1e-3,  # a hundred updates in all: 2.5 times the default rate, to get as far
            grpo_rounds=2,
            grpo_steps=8,
            grpo_prompts=8,
            # A tenth of the SFT rate: at a fifth the samples of a state were soon all alike.
            grpo_lr=1e-4,
            curriculum="uniform",
            gate_visits=1,
            grpo_select=4,
            eval_episodes=16,
            episode_steps=12,
        ),
        Profile("t4", "unsloth/Qwen2.5-1.5B-Instruct", precision="fp16", **_GPU),
        Profile("a100", "unsloth/Qwen2.5-7B-Instruct", precision="bf16", use_vllm=True, **_GPU),
    )
}


def _cuda() -> bool:
    if find_spec("torch") is None:
        return False
    import torch

    return bool(torch.cuda.is_available())


def profile(name: str = "auto") -> Profile:
    """Return a profile; "auto" is `t4` where CUDA is there and `smoke` elsewhere.

    Raises:
        ValueError: an unknown name; the message lists the known ones.
    """
    if name == "auto":
        name = "t4" if _cuda() else "smoke"
    if name not in PROFILES:
        raise ValueError(f"unknown profile {name!r}; known: auto, {', '.join(PROFILES)}")
    return PROFILES[name]
