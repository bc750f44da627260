"""SFT warm start: completion-only loss on traces that earned, over TRL's SFTTrainer.

On a CPU the loss goes through `generation.completion_logps`, which encodes the system prompt once a
batch; it equals the trainer's own completion-only loss (tested).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from env_lib import models
from env_lib.registry import duty_module, list_envs, make
from env_lib.runs import Run, read_json, write_json
from env_lib.training.traces import collect, traces

__all__ = ["collect", "format_report", "probe_prompts", "train"]
PROBES = 24
"""Validation-split prompts on which valid and truncated answers are counted."""


def probe_prompts(run: Run, count: int = PROBES) -> list[str]:
    """Return validation-split prompts, spread over the scenarios."""
    prompts = []
    scenarios = list_envs()[run.duty]["scenarios"]
    for i in range(count):
        env = make(run.duty, scenario=scenarios[i % len(scenarios)], split="val", **run.env_options)
        prompts.append(env.reset(seed=5000 + i).prompt)
    return prompts


def format_report(run: Run, model: Any, tokenizer: Any) -> dict[str, float]:
    """Return the shares of valid and of truncated greedy answers on the probe prompts."""
    from env_lib.policy_model import ModelPolicy

    writer = ModelPolicy(model, tokenizer, max_tokens=run.action_tokens)
    env = make(run.duty, split="val", **run.env_options)
    prompts = probe_prompts(run, min(PROBES, run.sft_examples // 2))
    answers = writer.answer(env.system_prompt, prompts)
    valid = sum(env.parse(answer.text).action_type != "invalid" for answer in answers)
    cut = sum(answer.truncated for answer in answers)
    return {
        "valid_share": valid / len(answers),
        "truncated_share": cut / len(answers),
        "n": len(answers),
    }


def messages(run: Run) -> list[dict[str, Any]]:
    """Return the traces as conversational prompt and completion, short prompts first.

    The first `sft_short` of them show the last `LAST_LINES` lines of their prompts alone, where the
    duty names such lines: what decides is found there in few cheap steps, and whole prompts, which
    follow, then need a few steps more. With whole prompts from the start a small model first learns
    how often each action is right, and its reason only after many steps.
    """
    system = make(run.duty, **run.env_options).system_prompt
    rows = traces(run)
    lines = getattr(duty_module(run.duty, "policies"), "LAST_LINES", 0)
    short = int(len(rows) * run.profile.sft_short) if lines else 0
    return [
        {
            "prompt": models.chat(
                system, last_lines(row["prompt"], lines) if i < short else row["prompt"]
            ),
            "completion": [{"role": "assistant", "content": row["completion"]}],
        }
        for i, row in enumerate(rows)
    ]


def writable(rows: list[dict[str, Any]], tokenizer: Any, most: int) -> list[dict[str, Any]]:
    """Return the rows whose answers, their end mark included, fit into `most` tokens.

    A model that was shown longer ones would be cut short where it does as it was shown.

    Raises:
        ValueError: none does.
    """
    texts = [row["completion"][0]["content"] for row in rows]
    sizes = [len(tokenizer.encode(text, add_special_tokens=False)) for text in texts]
    kept = [row for row, size in zip(rows, sizes, strict=True) if size < most]
    if not kept:
        raise ValueError(
            f"no trace fits into {most} tokens, the shortest takes {min(sizes) + 1}: "
            "raise max_action_tokens of the profile"
        )
    return kept


def last_lines(text: str, count: int) -> str:
    """Return the last `count` lines of a text."""
    return "\n".join(text.split("\n")[-count:])


def _config(run: Run, folder: Path) -> Any:
    import torch
    from trl import SFTConfig

    p = run.profile
    dtype = models.dtype_of(p)
    steps = int(run.sft_examples / p.sft_batch * p.sft_epochs)
    return SFTConfig(
        output_dir=str(folder / "checkpoints"),
        per_device_train_batch_size=p.sft_batch,
        gradient_accumulation_steps=1,
        num_train_epochs=p.sft_epochs,
        learning_rate=p.sft_lr,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={"num_decay_steps": max(1, steps // 4)},
        warmup_steps=min(3, steps // 4),
        train_sampling_strategy="sequential",  # traces come shuffled, lessons whole
        optim="adamw_torch",
        adam_beta2=0.95,  # so that the large gradients of the format do not damp a short run
        weight_decay=0.0,
        max_grad_norm=1.0,
        logging_steps=1,
        save_steps=10,
        save_total_limit=1,
        seed=run.seed,
        max_length=p.max_seq_length,
        packing=False,
        completion_only_loss=True,
        report_to="none",
        bf16=dtype == torch.bfloat16 and torch.cuda.is_available(),
        fp16=dtype == torch.float16,
        gradient_checkpointing=False,
        dataloader_pin_memory=False,
        dataset_num_proc=1,
    )


def trainer_class(shared: bool) -> Any:
    """Return TRL's SFTTrainer, with the shared-prefix loss where `shared`."""
    import torch
    from trl import SFTTrainer

    if not shared:
        return SFTTrainer

    from env_lib.generation import completion_logps

    class SharedPrefixSFTTrainer(SFTTrainer):
        """SFTTrainer whose completion-only loss encodes what a batch shares once."""

        def compute_loss(
            self,
            model: Any,
            inputs: Any,
            return_outputs: bool = False,
            num_items_in_batch: Any = None,
        ) -> Any:
            ids, labels = inputs["input_ids"], inputs["labels"]
            prompts, answers = split_rows(ids, labels)
            width = max(map(len, answers))
            padded = torch.tensor(
                [[*a, *[0] * (width - len(a))] for a in answers], device=ids.device
            )
            mask = torch.tensor(
                [[1.0] * len(a) + [0.0] * (width - len(a)) for a in answers], device=ids.device
            )
            logps, _ = completion_logps(model, prompts, padded)
            loss = -(logps * mask).sum() / (
                num_items_in_batch if num_items_in_batch is not None else mask.sum()
            )
            return (loss, {}) if return_outputs else loss

    return SharedPrefixSFTTrainer


def split_rows(ids: Any, labels: Any) -> tuple[list[list[int]], list[list[int]]]:
    """Split right-padded rows into prompts (before the first label) and labelled completions."""
    prompts, answers = [], []
    for row, marks in zip(ids.tolist(), labels.tolist(), strict=True):
        first = next(i for i, mark in enumerate(marks) if mark != -100)
        prompts.append(row[:first])
        answers.append([token for token, mark in zip(row, marks, strict=True) if mark != -100])
    return prompts, answers


def train(run: Run) -> dict[str, Any]:
    """Train the warm start, or skip it where it is up to date; resumes from its last checkpoint."""
    inputs = run.inputs("sft", [run.path("data", "sft.jsonl")])
    if run.up_to_date("sft", inputs):
        return read_json(run.path("sft", "metrics.json"))
    models.quiet()
    with run.step("sft", inputs) as folder:
        import unsloth  # noqa: F401, I001 - before trl
        import pandas as pd
        import torch
        from datasets import Dataset

        model, tokenizer = models.load(run.profile, trainable=True)
        before = format_report(run, model, tokenizer)
        every = messages(run)
        rows = writable(every, tokenizer, run.action_tokens)
        trainer = trainer_class(not torch.cuda.is_available())(
            model=model,
            processing_class=tokenizer,
            args=_config(run, folder),
            train_dataset=Dataset.from_list(rows),
        )
        checkpoint = last_checkpoint(folder / "checkpoints", inputs)
        began = time.time()
        trainer.train(resume_from_checkpoint=checkpoint)
        seconds = time.time() - began
        model.save_pretrained(str(folder / "adapter"))
        log = pd.DataFrame([row for row in trainer.state.log_history if "loss" in row])
        log.to_csv(folder / "log.csv", index=False)
        tokens = sum(
            len(tokenizer.apply_chat_template(r["prompt"] + r["completion"], return_dict=False))
            for r in rows
        )
        report = {
            "before": before,
            "after": format_report(run, model, tokenizer),
            "examples": len(rows),
            "too_long": len(every) - len(rows),
            "train_tokens": tokens,
            "train_seconds": round(seconds, 1),
            "train_tokens_per_s": round(tokens * run.profile.sft_epochs / seconds, 1),
            "stop_ids": list(models.stop_ids(tokenizer)),
            "resumed_from": checkpoint and Path(checkpoint).name,
        }
        write_json(folder / "metrics.json", report)
    return report


def last_checkpoint(folder: Path, inputs: Mapping[str, str]) -> str | None:
    """Return the newest whole checkpoint of a trainer's folder, None where there is none.

    What was saved from other inputs is removed: training on from it would mix two runs.
    """
    mark = folder / "inputs.json"
    if not mark.is_file() or read_json(mark) != dict(inputs):
        shutil.rmtree(folder, ignore_errors=True)
        write_json(mark, dict(inputs))
    whole: Sequence[Path] = [
        p for p in folder.glob("checkpoint-*") if (p / "trainer_state.json").is_file()
    ]
    return str(max(whole, key=lambda p: int(p.name.split("-")[1]))) if whole else None
