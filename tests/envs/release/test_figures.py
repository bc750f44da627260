"""The figure of release: rates counted exactly, each policy where it stands, both splits."""

import matplotlib
import pandas as pd
import pytest

from env_lib.envs.release import figures
from env_lib.plots import style
from env_lib.registry import duty_figures
from env_lib.rollout import Episode

JUDGED = {"decision_right": 0.0, "unsafe_ship": 0.0, "needless_block": 0.0, "decided": 1.0}


def episode(policy, seed, tier="L1", split="test", **metrics):
    return Episode("release", tier, split, seed, policy, metrics=JUDGED | metrics)


@pytest.fixture(scope="module")
def table():
    played = []
    for split in ("test", "test_ood"):
        for tier in ("L1", "L2"):
            for seed in range(4):
                unsafe = float(seed < 2)
                played += [
                    (0, episode("naive", seed, tier, split, unsafe_ship=unsafe)),
                    (0, episode("oracle", seed, tier, split, decision_right=1.0)),
                    (0, episode("always_block", seed, tier, split, needless_block=1.0)),
                ]
                played += [
                    (training, episode("grpo", seed, tier, split, decision_right=float(training)))
                    for training in (0, 1)
                ]
    played += [(0, episode("base_few_shot", 0, decided=0.0))]
    return figures.tables(played)["decisions"]


def rows(table, policy, group="all", training=0, split="test"):
    chosen = table[(table["policy"] == policy) & (table["group"] == group)]
    chosen = chosen[(chosen["training_seed"] == training) & (chosen["split"] == split)]
    return chosen.set_index("rate")


def test_rates_are_counted_with_exact_intervals(table):
    assert tuple(table.columns) == tuple(figures.COLUMNS)
    row = rows(table, "naive").loc["unsafe_ship"]
    assert (row["episodes"], row["count"], row["share"]) == (8, 4, 0.5)
    assert row["low"] == pytest.approx(1 - row["high"])
    assert row["low"] == pytest.approx(0.157, abs=1e-3)
    never = rows(table, "naive").loc["needless_block"]
    assert (never["share"], never["low"]) == (0.0, 0.0)
    assert never["high"] == pytest.approx(1 - 0.025 ** (1 / 8))


def test_tiers_splits_and_training_seeds_stand_apart(table):
    assert set(table["group"]) == {"all", "L1", "L2"}
    assert rows(table, "naive", "L1").loc["unsafe_ship", "episodes"] == 4
    shares = [rows(table, "grpo", training=t).loc["decision_right", "share"] for t in (0, 1)]
    assert shares == [0.0, 1.0]
    assert rows(table, "base_few_shot").loc["decided", "share"] == 0.0


def test_the_figure_has_a_panel_a_split_and_each_policy_once(table):
    fig = figures.decisions_by_policy(table)
    titles = [ax.get_title() for ax in fig.axes]
    assert titles == ["test, 1 to 8 episodes each", "test_ood, 8 episodes each"]
    names = [text.get_text() for text in fig.axes[0].get_yticklabels()]
    assert names == ["naive", "base_few_shot", "grpo", "oracle"], "exploits are in the table alone"
    labels = [text.get_text() for text in fig.legends[0].get_texts()]
    assert len(labels) == 3
    assert all("is better" in text for text in labels)


def test_a_point_is_the_share_with_its_interval_and_other_seeds_are_hollow(table):
    ax = figures.decisions_by_policy(table).axes[1]
    (bars,) = (c for c in ax.containers if c.get_label().startswith("unsafe ship"))
    assert list(bars[0].get_xdata()) == pytest.approx([0.0, 0.5, 0.0])
    ends = [segment[:, 0].tolist() for segment in bars[2][0].get_segments()]
    row = rows(table, "naive", split="test_ood").loc["unsafe_ship"]
    assert ends[1] == pytest.approx([row["low"], row["high"]])
    hollow = [line for line in ax.lines if line.get_markerfacecolor() == "none"]
    assert sorted(x for line in hollow for x in line.get_xdata()) == [0.0, 0.0, 1.0]


def test_the_figure_is_readable_and_small_and_the_same_again(table, tmp_path):
    fig = figures.FIGURES["decisions"]({"decisions": table})
    fig.draw_without_rendering()
    texts = [t for t in fig.findobj(matplotlib.text.Text) if t.get_text().strip()]
    assert min(t.get_fontsize() for t in texts if t.get_visible()) >= 9
    assert style.save(fig, tmp_path / "decisions.png").stat().st_size <= style.LIMIT
    first, again = (style.png(figures.decisions_by_policy(table)) for _ in range(2))
    assert first == again


def test_the_figure_can_be_drawn_from_the_file_of_its_table(table, tmp_path):
    table.to_csv(tmp_path / "decisions.csv", index=False, float_format="%.6g")
    fig = figures.decisions_by_policy(tmp_path / "decisions.csv")
    assert len(fig.axes) == 2


def test_the_registry_finds_the_module_and_a_wrong_table_is_refused():
    assert duty_figures("release") is figures
    with pytest.raises(ValueError, match="needed: policy, training_seed"):
        figures.decisions_by_policy(pd.DataFrame({"policy": ["sft"]}))
