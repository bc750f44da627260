"""What the model side of `make bench` measures: real weights, side by side in one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

Row = tuple[str, float, str, str, bool | None]
PROMPTS = 8
NEW_TOKENS = 8


def _seconds(work: Callable[[], Any], rounds: int = 2) -> float:
    """Return the best time of a few rounds: whatever else runs can only slow one down."""
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def _questions(tokenizer: Any) -> list[list[int]]:
    import env_lib
    from env_lib.policy_model import ModelPolicy

    env = env_lib.make("triage", scenario="E2", split="val", prompt_tokens=112)
    writer = ModelPolicy(None, tokenizer)
    prompts = [env.reset(seed=seed).prompt for seed in range(PROMPTS)]
    return [writer.token_ids(env.system_prompt, prompt) for prompt in prompts]


def generation() -> list[Row]:
    """Answers a second, batched with a shared prefix against one by one."""
    from env_lib import models
    from env_lib.generation import sample
    from env_lib.profiles import PROFILES

    model, tokenizer = models.load(PROFILES["cpu"])
    rows = _questions(tokenizer)
    options = {"stops": (), "max_tokens": NEW_TOKENS}
    batched = PROMPTS / _seconds(lambda: sample(model, rows, **options))
    single = PROMPTS / _seconds(lambda: [sample(model, [row], **options) for row in rows], 1)
    return [
        ("answers, batched, shared prefix", batched, "1/s", "", None),
        ("answers, one by one", single, "1/s", "", None),
        ("batched / one by one", batched / single, "", "> 1", batched > single),
    ]


def training() -> list[Row]:
    """Trained tokens a second: Unsloth with shared prefixes against stock, full sequences.

    The stock forward is timed in both types of number, so that what the type gains and what shared
    prefixes gain are told apart: ours is in the type that its row names.
    """
    import torch

    from env_lib import models
    from env_lib.generation import completion_logps
    from env_lib.profiles import PROFILES

    ours, tokenizer = models.load(PROFILES["cpu"], trainable=True)
    rows = _questions(tokenizer)
    answers = torch.randint(100, 900, (PROMPTS, NEW_TOKENS))
    full = torch.tensor([[0] * (320 - len(r) - NEW_TOKENS) + r for r in rows])
    full = torch.cat([full, answers], dim=1)
    tokens = sum(map(len, rows)) + answers.numel()
    shared = tokens / _seconds(lambda: completion_logps(ours, rows, answers)[0].sum().backward())
    plain, half = (
        tokens / _seconds(partial(_full, _stock(dtype), full), 1)
        for dtype in (torch.float32, torch.bfloat16)
    )
    name = str(models.dtype_of(PROFILES["cpu"])).removeprefix("torch.")
    return [
        (f"trained tokens, ours ({name})", shared, "1/s", "", None),
        ("trained tokens, stock (float32)", plain, "1/s", "", None),
        ("ours / stock", shared / plain, "", "> 1", shared > plain),
        ("trained tokens, stock (bfloat16)", half, "1/s", "", None),
        ("stock, bfloat16 / float32", half / plain, "", "", None),
    ]


def _stock(dtype: Any) -> Any:
    """The weights as transformers loads them, all of them trained."""
    from transformers import AutoModelForCausalLM

    from env_lib import models

    return AutoModelForCausalLM.from_pretrained(models.fetch_weights(), dtype=dtype)


def _full(model: Any, ids: Any) -> None:
    """One forward and backward pass over whole sequences."""
    model(input_ids=ids, labels=ids).loss.backward()
