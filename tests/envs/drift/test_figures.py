"""The table of solved tasks by library and by kind, silent kinds apart, and its figures."""

from dataclasses import replace

import pytest

from env_lib.envs.drift import env, figures
from env_lib.rollout import Episode
from tests.envs.drift.made_tasks import ALL

TASKS = {task.tier: task for task in ALL.values()}


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(
        env, "task_of", lambda split, tier, seed: replace(TASKS[tier], id=f"{tier}-{seed % 4}")
    )
    played = [
        (0, Episode("drift", tier, "test", seed, "sft", metrics={"solved": float(seed % 4 > 0)}))
        for tier in TASKS for seed in range(6)
    ]  # fmt: skip
    return figures.tables(played)["solved"]


def test_silent_drifts_stand_apart_from_their_kind(table):
    kinds = table[table["by"] == "kind"].set_index("group")
    assert set(kinds.index) == {"rename_symbol", "change_default (silent)", "rename_kwarg"}
    assert kinds.loc["rename_symbol", "tasks"] == 8


def test_shares_have_exact_intervals(table):
    row = table[table["by"] == "all"].iloc[0]
    assert (row["tasks"], row["solved"], row["share"]) == (16, 12, 0.75)
    assert row["low"] == pytest.approx(0.476, abs=1e-3)
    assert row["high"] == pytest.approx(0.927, abs=1e-3)


def test_every_task_counts_once_in_each_cut_though_two_seeds_drew_it(table):
    assert set(table["by"]) == {"all", "tier", "library", "kind"}
    assert set(table.groupby("by")["tasks"].sum()) == {16}


@pytest.mark.parametrize("by", ["library", "kind"])
def test_a_figure_shows_its_cut_alone(table, by):
    fig = figures.solved_by(table, by)
    shown = {label.get_text().partition(" (")[0] for label in fig.axes[0].get_yticklabels()}
    wanted = table[table["by"].isin(["all", by])]["group"]
    assert shown == {name.partition(" (")[0] for name in wanted}
    assert set(figures.FIGURES) == {"solved_by_library", "solved_by_kind"}
