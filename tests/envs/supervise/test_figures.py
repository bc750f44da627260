"""The figures of supervise: means over tiers with intervals, accuracy by third of an episode."""

import matplotlib
import pandas as pd
import pytest

import env_lib
from env_lib.envs.supervise import figures
from env_lib.plots import style
from env_lib.registry import duty_figures
from env_lib.rollout import Episode, Step

FIRST = {
    "accuracy": 0.5, "accuracy_first": 0.2, "accuracy_middle": 0.5, "accuracy_last": 0.8,
    "accuracy_unseen": 0.4,
    "unsafe_approvals": 0.1, "tool_failures": 0.0, "budget_used": 1.0, "calls_per_decision": 2.0,
}  # fmt: skip


def episode(policy, seed, tier="S1", split="test", **metrics):
    steps = [Step("prompt", {"action_type": "approve"}, 1.0, {"verdict": 1.0})]
    told = FIRST | metrics
    return Episode("supervise", tier, split, seed, policy, steps=steps, metrics=told)


@pytest.fixture(scope="module")
def tables():
    played = []
    for split in ("test", "test_ood"):
        for tier, right in (("S1", 0.9), ("S4", 0.5)):
            for seed in range(4):
                caught = {"caught_false_claims": 1.0} if tier == "S4" else {}
                some = episode("precedent_learner", seed, tier, split, accuracy=right, **caught)
                played.append((0, some))
                played += [
                    (training, episode("grpo", seed, tier, split, tool_failures=training / 4))
                    for training in (0, 1)
                ]
                played.append((0, episode("approve_all", seed, tier, split)))
    return figures.tables(played)


def row(table, policy, metric, group="all", training=0, split="test"):
    (found,) = table[
        (table["policy"] == policy) & (table["metric"] == metric) & (table["group"] == group)
        & (table["training_seed"] == training) & (table["split"] == split)
    ].to_dict("records")  # fmt: skip
    return found


def test_all_is_the_mean_of_the_tiers_and_tiers_stand_apart(tables):
    table = tables["verdicts"]
    assert tuple(table.columns) == tuple(figures.COLUMNS)
    whole = row(table, "precedent_learner", "accuracy")
    assert (whole["mean"], whole["episodes"]) == (pytest.approx(0.7), 8)
    assert whole["low"] == pytest.approx(0.7), "every episode of a tier is alike here"
    assert row(table, "precedent_learner", "accuracy", "S4")["mean"] == 0.5


def test_training_seeds_stand_apart(tables):
    failures = [row(tables["verdicts"], "grpo", "tool_failures", training=t) for t in (0, 1)]
    assert [found["mean"] for found in failures] == [0.0, 0.25]


def test_episodes_without_a_case_do_not_count(tables):
    table = tables["verdicts"]
    assert row(table, "precedent_learner", "caught_false_claims")["episodes"] == 4
    assert set(table[table["metric"] == "caught_false_claims"]["group"]) == {"all", "S4"}
    bare = figures.tables([(0, episode("sft", 0))])["verdicts"]
    assert "caught_false_claims" not in set(bare["metric"])


def test_learning_is_told_by_third_and_as_the_gain_of_the_same_episode(tables):
    table = tables["learning"]
    thirds = [row(table, "grpo", name)["mean"] for name in ("first", "middle", "last")]
    assert thirds == pytest.approx([0.2, 0.5, 0.8])
    assert row(table, "grpo", figures.GAIN)["mean"] == pytest.approx(0.6)


def test_the_results_section_shows_budget_calls_unseen_combinations_and_the_gain(tables):
    found = {name: row(tables["verdicts"], "grpo", name) for name in figures.REPORTED.columns
             if name != "caught_false_claims"}  # fmt: skip
    means = {name: one["mean"] for name, one in found.items()}
    assert means["accuracy_unseen"] == pytest.approx(0.4)
    assert means[figures.GAIN] == pytest.approx(0.6)
    assert (means["budget_used"], means["calls_per_decision"]) == (1.0, 2.0)
    assert all(one["low"] <= one["mean"] + 1e-9 for one in found.values())


def test_every_held_out_metric_of_an_episode_is_in_a_table():
    env = env_lib.make("supervise", scenario="S4", split="val")
    told = env_lib.run_episode(env, env_lib.policy("supervise", "oracle"), 0).metrics
    shown = {*figures.METRICS, *figures.COUNTS, *(f"accuracy_{name}" for name in figures.THIRDS)}
    assert set(told) == shown


def test_the_learner_is_seen_to_learn_and_public_rules_are_not():
    played = []
    for name in ("precedent_learner", "public_rules_only", "oracle"):
        for tier in ("S1", "S4"):
            env = env_lib.make("supervise", scenario=tier, split="val")
            rule = env_lib.policy("supervise", name)
            played += [(0, env_lib.run_episode(env, rule, seed)) for seed in range(4)]
    found = figures.tables(played)
    gains = found["learning"][found["learning"]["metric"] == figures.GAIN]
    gains = gains[gains["group"] == "all"].set_index("policy")["mean"]
    assert gains["precedent_learner"] > max(0.05, gains["public_rules_only"])
    right = found["verdicts"].set_index(["policy", "group", "metric"])["mean"]
    assert right["oracle", "all", "accuracy"] == 1.0


def test_verdicts_are_drawn_a_panel_a_metric_and_a_colour_a_split(tables):
    fig = figures.verdicts_by_policy(tables["verdicts"])
    titles = [ax.get_title() for ax in fig.axes]
    assert titles == list(figures.METRICS.values())
    assert all("is better" in title for title in titles)
    names = [text.get_text() for text in fig.axes[0].get_yticklabels()]
    assert names == ["precedent_learner", "grpo"], "exploits are in the table alone"
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["test", "test_ood"]


def test_learning_is_drawn_a_line_a_policy_and_a_panel_a_split(tables):
    fig = figures.learning_within_the_episode(tables["learning"])
    assert [ax.get_title() for ax in fig.axes] == ["test", "test_ood"]
    (line,) = (c for c in fig.axes[0].containers if c.get_label() == "grpo")
    assert list(line[0].get_ydata()) == pytest.approx([0.2, 0.5, 0.8])
    assert "up is better" in fig.axes[0].get_ylabel()


def test_no_two_lines_of_the_learning_figure_look_alike():
    played = [(0, episode(name, seed)) for name in figures.SHOWN for seed in range(2)]
    fig = figures.learning_within_the_episode(figures.tables(played)["learning"])
    lines = [container[0] for container in fig.axes[0].containers]
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}
    assert len(looks) == len(lines) == len(figures.SHOWN) - 1


@pytest.mark.parametrize("name", figures.FIGURES)
def test_each_figure_is_readable_and_small_and_can_be_drawn_from_its_file(name, tables, tmp_path):
    fig = figures.FIGURES[name](tables)
    fig.draw_without_rendering()
    texts = [t for t in fig.findobj(matplotlib.text.Text) if t.get_text().strip()]
    assert min(t.get_fontsize() for t in texts if t.get_visible()) >= 9
    assert style.save(fig, tmp_path / f"{name}.png").stat().st_size <= style.LIMIT
    tables[name].to_csv(tmp_path / f"{name}.csv", index=False, float_format="%.6g")
    again = figures.FIGURES[name]({name: tmp_path / f"{name}.csv"})
    assert [ax.get_title() for ax in again.axes] == [ax.get_title() for ax in fig.axes]


def test_the_registry_finds_the_module_and_a_wrong_table_is_refused():
    assert duty_figures("supervise") is figures
    with pytest.raises(ValueError, match="needed: policy, training_seed"):
        figures.verdicts_by_policy(pd.DataFrame({"policy": ["sft"]}))
