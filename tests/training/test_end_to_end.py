"""SFT, gate, GRPO, evaluation on a tiny random model: the whole path, and what a kill leaves."""

import dataclasses
import json

import pytest

from env_lib.profiles import PROFILES
from env_lib.runs import Run, read_json

pytest.importorskip("unsloth", reason="the train extra is not installed")


@pytest.fixture(scope="module")
def tiny_run(tokenizer, tmp_path_factory):
    """A finished run of a two-layer model that was never trained before."""
    import torch
    from transformers import LlamaForCausalLM

    from tests.tiny_llama import tiny_config

    folder = tmp_path_factory.mktemp("model")
    torch.manual_seed(0)
    config = tiny_config(tokenizer, positions=1024)
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    size = dataclasses.replace(
        PROFILES["smoke"], model=str(folder), sft_examples=12, grpo_rounds=2, max_action_tokens=33
    )
    run = Run("triage", size, 0, tmp_path_factory.mktemp("run"))
    from env_lib import judge
    from env_lib.training import grpo, sft

    sft.collect(run)
    sft.train(run)
    grpo.preflight(run)
    grpo.train(run)
    judge.evaluate_run(run)
    return run


def test_every_step_leaves_a_manifest_with_its_inputs(tiny_run):
    for step in ("data", "sft", "grpo", "eval"):
        manifest = read_json(tiny_run.path(step, "manifest.json"))
        assert manifest["step"] == step
        assert manifest["inputs"]["profile"]
        assert manifest["versions"]["torch"]


def test_the_log_has_a_row_a_step_with_every_name(tiny_run):
    import pandas as pd

    log = pd.read_csv(tiny_run.path("grpo", "log.csv"))
    assert len(log) == tiny_run.profile.grpo_rounds * tiny_run.profile.grpo_steps
    names = (
        "reward",
        "entropy",
        "grad_norm",
        "clipped_share",
        "zero_variance_share",
        "valid_share",
    )
    assert not [
        name for name in (*names, "reward/action_match", "reward/look_ahead") if name not in log
    ]
    assert log[list(names)].notna().all().all()
    looked_at = log.groupby("round")["kl"].first()
    assert (looked_at >= 0).all()


def test_a_finished_step_is_not_done_again(tiny_run):
    from env_lib.training import grpo, sft

    before = tiny_run.path("grpo", "metrics.json").stat().st_mtime_ns
    sft.train(tiny_run)
    grpo.train(tiny_run)
    assert tiny_run.path("grpo", "metrics.json").stat().st_mtime_ns == before


def test_a_killed_run_goes_on_after_its_last_round(tiny_run, capsys):
    from env_lib.training import grpo

    folder = tiny_run.path("grpo")
    first = (folder / "round_1" / "log.jsonl").read_text()
    (folder / "manifest.json").unlink()
    (folder / "round_2" / "curriculum.json").unlink()
    metrics = grpo.train(tiny_run)
    assert "resuming after round 1 of 2" in capsys.readouterr().out
    assert (folder / "round_1" / "log.jsonl").read_text() == first
    assert metrics["steps"] == 4


def test_stored_episodes_score_again_exactly(tiny_run):
    from env_lib.rollout import Episode, replay_episode
    from env_lib.runs import read_jsonl

    files = sorted(tiny_run.path("eval", "episodes").glob("*.jsonl"))
    names = {file.name.split("__")[0] for file in files}
    assert {"base_zero_shot", "sft", "grpo", "grpo+constrained", "oracle"} <= names
    for file in files:
        for row in read_jsonl(file):
            assert (
                replay_episode(Episode.from_record(row)).trajectory_hash == row["trajectory_hash"]
            )


def test_constrained_answers_are_always_valid_json_of_the_grammar(tiny_run):
    from env_lib.runs import read_jsonl

    rows = read_jsonl(tiny_run.path("eval", "episodes", "sft+constrained__E0.jsonl"))
    texts = [step["text"] for row in rows for step in row["steps"]]
    assert texts
    assert all(text.startswith('{"action_type": "') for text in texts if text)


def test_the_shared_prefix_loss_equals_the_trainers_own(tiny, tokenizer, tmp_path):
    import torch
    from datasets import Dataset
    from trl import SFTConfig

    from env_lib.training.sft import trainer_class

    rows = Dataset.from_list(
        [
            {
                "prompt": [{"role": "user", "content": "word " * (i + 1)}],
                "completion": [{"role": "assistant", "content": json.dumps({"n": i})}],
            }
            for i in range(4)
        ]
    )
    losses = []
    for shared in (False, True):
        config = SFTConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            max_steps=1,
            report_to="none",
            bf16=False,
            completion_only_loss=True,
            gradient_checkpointing=False,
            use_cpu=True,
            save_strategy="no",
            seed=0,
        )
        trainer = trainer_class(shared)(
            model=tiny, processing_class=tokenizer, args=config, train_dataset=rows
        )
        batch = next(iter(trainer.get_train_dataloader()))
        tiny.train()
        items = (batch["labels"] != -100).sum()
        loss = trainer.compute_loss(tiny, dict(batch), num_items_in_batch=items)
        losses.append(torch.as_tensor(loss[0] if isinstance(loss, tuple) else loss).item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
