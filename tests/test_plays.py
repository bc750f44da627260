"""What models did is counted by what their last line told them."""

from dataclasses import replace

import pytest

from env_lib.envs.drift import figures as drift
from env_lib.envs.release import figures as release
from env_lib.envs.repair import figures as repair
from env_lib.plots.plays import COLUMNS, plays
from env_lib.rollout import Episode, Step


def step(line, **action):
    return Step(prompt=f"a first line\n{line}", action=action, reward=0.0, components={}, text="{}")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tests: 0 of 4 pass; step 0/8", "other"),
        ("tests: 1 of 4 pass; last edit gained 1; step 1/8", "other"),
        ("tests: 1 of 4 pass; last edit gained nothing; step 1/8", "gained nothing"),
        ("tests: 4 of 4 pass; last edit gained nothing; step 1/8", "all pass"),
    ],
)
def test_repair_tells_by_tests_and_edit(line, told):
    assert repair._play(step(line, action_type="undo")) == (told, "undo")


def test_release_tells_whether_the_action_or_its_kind_was_named_and_which_decision():
    line = "next: view_diff k6 or submit_release_decision; step 3/24"
    decided = step(line, action_type="submit_release_decision", decision="block")
    assert release._play(decided) == ("named", "submit_release_decision block")
    assert release._play(step(line, action_type="view_diff", commit_id="k6"))[0] == "named"
    assert release._play(step(line, action_type="view_diff", commit_id="k5"))[0] == "kind"
    assert release._play(step(line, action_type="view_log", job_name="k6"))[0] == "other"


def test_drift_tells_whether_just_that_action_was_named():
    line = "next: rename_kwarg tokenizer processing_class or inspect trl.SFTTrainer"
    named = {"primitive": "rename_kwarg", "old": "tokenizer", "new": "processing_class"}
    assert drift._play(step(line, action_type="apply", **named)) == ("named", "apply")
    assert drift._play(step(line, action_type="apply", **named | {"new": "x"})) == (
        "other", "apply",
    )  # fmt: skip
    assert drift._play(step(line, action_type="inspect", symbol="trl.SFTTrainer"))[0] == "named"
    assert drift._play(step("TypeError: no", action_type="invalid", error="no"))[0] == "other"


def test_steps_of_models_alone_are_counted():
    line = "tests: 1 of 4 pass; last edit gained nothing; step 1/8"
    undo = step(line, action_type="undo")
    rule = replace(undo, text="")
    model = Episode("repair", "R1", "test", 0, "sft", steps=[undo, undo])
    other = Episode("repair", "R1", "test", 0, "trial", steps=[rule])
    table = plays([(0, model), (0, other)], repair._play)
    assert list(table.columns) == COLUMNS
    assert table.to_numpy().tolist() == [["sft", 0, "test", "gained nothing", "undo", 2]]
