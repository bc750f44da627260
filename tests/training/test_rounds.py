"""The round that is kept: measured on validation tasks, remembered over a kill, copied at the end.

The path of a profile that selects (`grpo_select` above 0), on a tiny random model.
"""

import dataclasses

import pytest

from env_lib.profiles import PROFILES
from env_lib.registry import list_envs
from env_lib.runs import Run, read_json, write_json, write_jsonl, write_text
from env_lib.training import rounds

INPUTS = {"what": "was trained on"}


@pytest.fixture
def selecting(tmp_path):
    """A run without files whose profile selects, as `cpu` does."""
    assert PROFILES["cpu"].grpo_select > 0
    return Run("triage", PROFILES["cpu"], 0, tmp_path)


@pytest.fixture
def measured(monkeypatch):
    """Returns of made-up models: a model is its own return; what was asked is listed."""
    asked = []

    def measure(run, model, tokenizer):
        asked.append(model)
        return model

    monkeypatch.setattr(rounds, "validation_return", measure)
    return asked


def selection_of(run, inputs=INPUTS, **returns):
    """A selection that measured round 0 as `r0`, round 1 as `r1`, and so on."""
    found = rounds.Selection(run, run.folder, inputs)
    for name, value in returns.items():
        found.add(int(name[1:]), value, None)
    return found


# Which round is kept ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returns", "kept"),
    [
        ({"r0": 1.0, "r1": 3.0, "r2": 2.0}, 1),
        ({"r0": 1.0, "r1": 1.5, "r2": 2.0}, 2),
        ({"r0": 2.5, "r1": 1.0, "r2": 2.0}, 0),
        ({"r0": -4.0, "r1": -3.0, "r2": -3.5}, 1),
        ({"r2": 2.0, "r1": 2.0, "r0": 1.0}, 1),
    ],
    ids=["half way", "the last", "the warm start", "all negative", "of equals the earliest"],
)
@pytest.mark.usefixtures("measured")
def test_the_best_round_on_validation_tasks_is_kept(selecting, returns, kept):
    assert selection_of(selecting, **returns).best() == kept


def test_without_selection_nothing_is_measured_and_the_last_round_is_kept(selecting, measured):
    size = dataclasses.replace(selecting.profile, grpo_select=0, grpo_rounds=5)
    found = selection_of(dataclasses.replace(selecting, profile=size), r0=9.0, r1=1.0)
    assert found.best() == 5
    assert measured == []
    assert not (selecting.folder / "selection.json").exists()


def test_what_a_killed_run_measured_is_not_measured_again(selecting, measured):
    selection_of(selecting, r0=1.0, r1=3.0)
    again = selection_of(selecting, r0=7.0, r1=7.0, r2=2.0)
    assert measured == [1.0, 3.0, 2.0]
    assert again.returns == {0: 1.0, 1: 3.0, 2: 2.0}
    assert again.best() == 1


def test_measures_of_other_inputs_are_forgotten(selecting, measured):
    selection_of(selecting, r0=9.0)
    other = selection_of(selecting, {"what": "another warm start"}, r0=1.0, r1=2.0)
    assert measured == [9.0, 1.0, 2.0]
    assert other.best() == 1


def test_a_round_is_whole_once_its_mark_is_there_for_the_same_inputs(tmp_path):
    assert rounds.finished(tmp_path, INPUTS) == 0
    for number, inputs in ((1, INPUTS), (2, INPUTS), (3, {"what": "another"}), (4, INPUTS)):
        write_json(tmp_path / f"round_{number}" / "curriculum.json", {"inputs": inputs})
    assert rounds.finished(tmp_path, INPUTS) == 2
    (tmp_path / "round_1" / "curriculum.json").unlink()
    assert rounds.finished(tmp_path, INPUTS) == 0


@pytest.mark.parametrize(
    ("returns", "kept"), [((2.0, 1.0, 2.0), 0), ((1.0, 3.0, 2.0), 1), ((1.0, 3.0, 4.0), 2)]
)
@pytest.mark.usefixtures("measured")
def test_the_adapter_of_the_kept_round_is_the_result_and_the_metrics_say_which(
    selecting, returns, kept
):
    folder = selecting.path("grpo")
    write_text(selecting.path("sft", "adapter", "which"), "0")
    shares = {"valid_share": 1.0, "clipped_share": 0.0, "zero_variance_share": 0.5}
    climb = [{"scenario": name, "unlocked": True} for name in list_envs()["triage"]["scenarios"]]
    for number in (1, 2):
        place = folder / f"round_{number}"
        write_text(place / "adapter" / "which", str(number))
        write_jsonl(place / "log.jsonl", [{"reward": float(number), **shares}] * 3)
        write_json(place / "curriculum.json", {"rows": climb, "seconds": 10.0})
    found = selection_of(selecting, **{f"r{i}": value for i, value in enumerate(returns)})
    metrics = rounds.finish(selecting, folder, {"G": 8}, found)
    assert (folder / "adapter" / "which").read_text() == str(kept)
    assert metrics["kept_round"] == kept
    assert [*metrics["val_return"].values()] == [*returns]
    assert (metrics["reward_first_third"], metrics["reward_last_third"]) == (1.0, 2.0)
    assert (metrics["steps"], metrics["seconds"]) == (6, 20.0)


def test_the_validation_return_is_the_mean_of_greedy_play_on_validation_tasks(
    tiny, tokenizer, tmp_path, monkeypatch
):
    lockstep, played = rounds.run_lockstep, []

    def watched(envs, writer, seeds):
        played.extend(lockstep(envs, writer, seeds))
        return played

    monkeypatch.setattr(rounds, "run_lockstep", watched)
    size = dataclasses.replace(PROFILES["smoke"], grpo_select=2, max_action_tokens=4)
    value = rounds.validation_return(Run("triage", size, 0, tmp_path), tiny, tokenizer)
    tasks = [(e.split, e.scenario, e.seed) for e in played]
    tiers = list_envs()["triage"]["scenarios"]
    assert tasks == [("val", tier, rounds.VAL_SEED + i) for tier in tiers for i in range(2)]
    assert {e.options["steps"] for e in played} == {size.episode_steps}
    assert value == sum(e.total_reward for e in played) / 12


# A training that selects, killed in its second round -------------------------------------------


@pytest.fixture(scope="module")
def killed(tokenizer, tmp_path_factory):
    """A run of a tiny model with a fresh adapter as its warm start, killed in round 2."""
    pytest.importorskip("unsloth", reason="the train extra is not installed")
    import torch
    from transformers import LlamaForCausalLM

    from env_lib import models
    from env_lib.training import grpo
    from tests.tiny_llama import tiny_config

    folder = tmp_path_factory.mktemp("model")
    torch.manual_seed(0)
    LlamaForCausalLM(tiny_config(tokenizer, positions=1024)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    size = dataclasses.replace(
        PROFILES["smoke"], model=str(folder), max_action_tokens=6, grpo_rounds=2, grpo_select=1
    )
    run = Run("triage", size, 0, tmp_path_factory.mktemp("run"))
    warm, _ = models.load(size, trainable=True)
    warm.save_pretrained(str(run.path("sft", "adapter")))
    grpo.preflight(run)
    begin = grpo._round

    def killed_in_the_second(run, number, *rest):
        if number == 2:
            raise KeyboardInterrupt
        begin(run, number, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grpo, "_round", killed_in_the_second)
        with pytest.raises(KeyboardInterrupt):
            grpo.train(run)
    return run


def test_a_kill_leaves_the_measures_of_what_was_whole(killed):
    told = read_json(killed.path("grpo", "selection.json"))["val_return"]
    assert [*told] == ["0", "1"]
    assert not killed.path("grpo", "manifest.json").exists()
    assert not killed.path("grpo", "adapter").exists()


def test_a_resumed_run_measures_what_is_missing_and_keeps_the_best_round(
    killed, monkeypatch, capsys
):
    from env_lib.training import grpo

    before = read_json(killed.path("grpo", "selection.json"))["val_return"]
    # A tiny untrained model answers nothing valid, so that its rounds tie: the second wins here.
    measure = rounds.validation_return
    monkeypatch.setattr(rounds, "validation_return", lambda *given: measure(*given) + 1.0)
    metrics = grpo.train(killed)
    out = capsys.readouterr().out
    assert "resuming after round 1 of 2" in out
    assert "round 2: " in out
    assert "round 1: " not in out
    assert {name: metrics["val_return"][name] for name in before} == before
    assert metrics["kept_round"] == 2
    assert metrics["steps"] == killed.profile.grpo_rounds * killed.profile.grpo_steps
