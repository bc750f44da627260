"""Records and figures of repair: a line a step, a row an episode, a share with its interval."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from env_lib.envs.repair import figures, records
from env_lib.envs.repair.env import RepairAction, RepairEnv
from env_lib.envs.repair.policies import POLICIES
from env_lib.evaluation import write_episodes
from env_lib.rollout import Policy, run_episode

KEYS = (
    "episode_id", "task_id", "agent", "step", "action_id", "changed", "code_hash_before",
    "code_hash_after", "tests_passed", "tests_failed", "error_type", "reward", "done", "truncated",
    "duration_ms", "action_type", "refusal",
)  # fmt: skip


@pytest.fixture(scope="module")
def episodes():
    return [
        run_episode(RepairEnv(scenario="R1", split=split), POLICIES[name](), seed)
        for split in ("test", "test_ood")
        for name in ("oracle", "always_submit", "break_and_mend")
        for seed in range(2)
    ]


def test_a_trajectory_has_a_line_a_step_that_tells_what_changed(episodes):
    mending = next(e for e in episodes if e.policy == "break_and_mend")
    rows = list(records.trajectory(mending))
    assert [tuple(row) for row in rows] == [KEYS] * len(mending.steps)
    assert [row["reward"] for row in rows] == [step.reward for step in mending.steps]
    broken, mended = rows[:2]
    assert broken["changed"]
    assert mended["action_id"] == "undo"
    assert mended["code_hash_after"] == broken["code_hash_before"] != broken["code_hash_after"]
    assert rows[-1]["truncated"], "its steps are spent"
    assert not any(row["done"] for row in rows[:-1])


class ByName(Policy):
    """Edits by name and line, then reaches for the tests, then submits."""

    name = "by_name"

    def __call__(self, obs):
        name, line = obs.offers[0]
        tests = "--- a/tests.py\n+++ b/tests.py\n@@ -1 +1 @@\n-a\n+b\n"
        return [
            RepairAction(action_type="transform", transform_id=name, line=line),
            RepairAction(action_type="transform", transform_id="no_such", line=1),
            RepairAction(action_type="patch", diff=tests),
            RepairAction(action_type="submit"),
        ][obs.step]


def test_a_transformation_keeps_its_name_and_line_and_a_refusal_its_reason():
    episode = run_episode(RepairEnv(scenario="R1", split="val"), ByName(), 1)
    name, line = RepairEnv(scenario="R1", split="val").reset(seed=1).offers[0]
    rows = list(records.trajectory(episode))
    ids = [row["action_id"] for row in rows]
    assert ids == [f"{name}@{line}", "no_such@1", "patch", "submit"]
    assert [row["action_type"] for row in rows] == ["transform", "transform", "patch", "submit"]
    told = [row["refusal"] for row in rows]
    assert "no_such" in told[1]
    assert told[2].startswith("refused: edit of tests.py")
    assert told[0] == told[3] == ""


def test_the_oracle_leads_and_a_policy_that_does_nothing_solves_nothing(episodes):
    board = records.leaderboard(records.benchmark(episodes))
    assert board.groupby("split")["agent"].first().to_dict() == {
        "test": "oracle",
        "test_ood": "oracle",
    }
    rates = board.set_index(["split", "agent"])["solve_rate"]
    assert rates["test", "oracle"] == 1
    assert rates["test", "always_submit"] == 0
    assert (board["syntax_errors"] == 0).all()


def test_a_runs_records_are_written_beside_its_episodes(episodes, tmp_path):
    write_episodes(tmp_path / "eval" / "episodes" / "some.jsonl", episodes)
    folder = records.write(tmp_path)
    lines = (folder / "trajectory.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == sum(len(e.steps) for e in episodes)
    assert json.loads(lines[0])["agent"] == "oracle"
    assert len(pd.read_csv(folder / "benchmark.csv")) == len(episodes)
    assert len(pd.read_csv(folder / "leaderboard.csv")) == 6


def test_a_folder_without_episodes_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="notebook 04 writes them"):
        records.write(tmp_path)


def test_solved_tasks_are_counted_by_tier_and_kind_with_exact_intervals(episodes):
    table = figures.tables([(0, e) for e in episodes])["solved"]
    assert tuple(table.columns) == tuple(figures.COLUMNS)
    row = table.set_index(["policy", "split", "group"]).loc["oracle", "test", "all"]
    assert (row["tasks"], row["solved"], row["high"]) == (2, 2, 1.0)
    assert row["low"] == pytest.approx(0.025**0.5)
    kinds = set(table["group"]) - {"all", "R1"}
    assert kinds
    fig = figures.solved_by_kind(table)
    assert [ax.get_title() for ax in fig.axes] == ["test", "test_ood"]


def test_the_figure_tells_how_many_tasks_its_policies_played(episodes):
    oracle = [e for e in episodes if e.policy == "oracle" and e.split == "test"]
    fewer = [replace(e, policy="search") for e in oracle if e.seed == 0]
    table = figures.tables([(0, e) for e in (*oracle, *fewer)])["solved"]
    (ax,) = figures.solved_by_kind(table).axes
    assert [label.get_text() for label in ax.get_yticklabels()][:2] == ["all (1-2)", "R1 (1-2)"]
