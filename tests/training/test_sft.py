"""The warm start goes on from its own checkpoints alone."""

from dataclasses import replace

import pytest

from env_lib.profiles import PROFILES
from env_lib.runs import Run, write_jsonl
from env_lib.training.sft import last_checkpoint, messages, writable


def saved(folder, *steps):
    for step in steps:
        (folder / f"checkpoint-{step}").mkdir(parents=True)
        (folder / f"checkpoint-{step}" / "trainer_state.json").write_text("{}")


def test_the_newest_whole_checkpoint_is_gone_on_from(tmp_path):
    assert last_checkpoint(tmp_path, {"data": "a"}) is None
    saved(tmp_path, 9, 10)
    (tmp_path / "checkpoint-11").mkdir()  # cut short while it was written
    assert last_checkpoint(tmp_path, {"data": "a"}) == str(tmp_path / "checkpoint-10")


def test_a_checkpoint_of_other_inputs_is_removed(tmp_path):
    last_checkpoint(tmp_path, {"data": "a"})
    saved(tmp_path, 10)
    assert last_checkpoint(tmp_path, {"data": "b"}) is None
    assert not (tmp_path / "checkpoint-10").exists()


def test_a_checkpoint_of_unknown_inputs_is_removed(tmp_path):
    saved(tmp_path, 10)
    assert last_checkpoint(tmp_path, {"data": "a"}) is None
    assert not (tmp_path / "checkpoint-10").exists()


def test_short_prompts_come_first_and_end_as_the_whole_ones(tmp_path):
    profile = replace(PROFILES["smoke"], sft_short=0.5)
    run = Run("triage", profile, 0, tmp_path)
    rows = [{"prompt": f"thread {i}\nnow: issue {i}", "completion": "{}"} for i in range(4)]
    write_jsonl(run.path("data", "sft.jsonl"), rows)
    shown = [row["prompt"][-1]["content"] for row in messages(run)]
    assert shown == ["now: issue 0", "now: issue 1", rows[2]["prompt"], rows[3]["prompt"]]


def test_prompts_are_whole_where_a_duty_names_no_last_lines(tmp_path):
    run = Run("release", replace(PROFILES["smoke"], sft_short=0.5), 0, tmp_path)
    write_jsonl(run.path("data", "sft.jsonl"), [{"prompt": "a\nb", "completion": "{}"}] * 2)
    assert [row["prompt"][-1]["content"] for row in messages(run)] == ["a\nb", "a\nb"]


def test_answers_that_the_model_may_not_write_are_left_out():
    class Letters:
        def encode(self, text, add_special_tokens):
            assert not add_special_tokens
            return list(text)

    rows = [
        {"prompt": [], "completion": [{"role": "assistant", "content": "x" * size}]}
        for size in (4, 5, 6)
    ]
    kept = writable(rows, Letters(), 6)  # one token is the end mark's
    assert [len(row["completion"][0]["content"]) for row in kept] == [4, 5]
    with pytest.raises(ValueError, match="no trace fits into 4 tokens, the shortest takes 5"):
        writable(rows, Letters(), 4)
