import json
import math
from dataclasses import replace
from pathlib import Path

import matplotlib
import pandas as pd
import pytest
from PIL import Image

from env_lib import plots
from env_lib.envs.triage.figures import spam_by_tier
from env_lib.plots import judging, pooling, results, style
from env_lib.plots.publishing import tables_of
from env_lib.rollout import Episode, Step
from env_lib.runs import Run
from tests.made_run import TIERS, made_run

NAMES = (
    "results", "per_step", "differences", "sft", "grpo", "components", "curriculum", "confusion",
    "calibration", "audit", "spam",
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("runs")
    return [made_run(folder / f"seed{seed}", seed, episodes_a_tier=2) for seed in (0, 1)]


@pytest.fixture(scope="module")
def drawn(made: list[Run]) -> dict[str, Path]:
    return plots.all_figures(made[0])


@pytest.fixture(scope="module")
def published(made: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("figures")
    plots.publish([run.folder for run in made], to)
    return to / "triage"


def episode(policy: str, seed: int, total: float, tier: str = "E0") -> Episode:
    steps = [Step("prompt", {"action_type": "wait"}, total, {"action_match": total})]
    return Episode("triage", tier, "test", seed, policy, steps=steps, metrics={"agreement": 0.5})


def test_a_run_gets_every_figure_small_enough_to_commit(drawn: dict[str, Path]) -> None:
    assert tuple(drawn) == NAMES
    for path in drawn.values():
        with Image.open(path) as picture:
            assert picture.width >= 700
        assert path.stat().st_size <= style.LIMIT


def test_a_figure_comes_with_its_table_and_a_manifest(
    made: list[Run], drawn: dict[str, Path]
) -> None:
    folder = made[0].path("figures")
    tables = {path.stem for path in (folder / "tables").glob("*.csv")}
    wanted = {"scores", "returns", "held_out", "by_source", "differences", "audit", "confusion"}
    assert wanted | {"grpo"} <= tables
    assert json.loads((folder / "manifest.json").read_text())["step"] == "figures"
    assert len(drawn) > 0


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were() -> None:
    before = dict(matplotlib.rcParams)
    plots.sft_curves(pd.DataFrame({"step": [1, 2], "loss": [2.0, 1.0]}))
    assert dict(matplotlib.rcParams) == before


def test_the_same_tables_give_the_same_picture() -> None:
    log = pd.DataFrame({"step": [1, 2, 3], "loss": [2.0, 1.0, 0.5]})
    assert style.png(plots.sft_curves(log)) == style.png(plots.sft_curves(log))


def test_text_in_figures_has_at_least_nine_points(made: list[Run]) -> None:
    fig = plots.grpo_curves(made[0].path("grpo", "log.csv"))
    fig.draw_without_rendering()
    texts = [
        t for t in fig.findobj(matplotlib.text.Text) if t.get_text().strip() and t.get_visible()
    ]
    assert min(t.get_fontsize() for t in texts) >= 9


def test_log_columns_keep_their_names_as_titles(made: list[Run]) -> None:
    titles = [
        ax.get_title().split(" ")[0]
        for ax in plots.grpo_curves(made[0].path("grpo", "log.csv")).axes
    ]
    assert titles == [
        "reward", "reward_std", "valid_share", "kl", "entropy", "grad_norm", "clipped_share",
        "terminated_length", "zero_variance_share",
    ]  # fmt: skip
    legend = plots.grpo_components(made[0].path("grpo", "log.csv")).legends[0]
    assert [text.get_text() for text in legend.get_texts()] == [
        "action_match",
        "spam_resistance",
        "look_ahead",
    ]


def test_a_curriculum_of_one_round_without_a_bound_is_drawn() -> None:
    row = {"round": 1, "weight": 0.5, "unlocked": True, "normalised": None, "lower_bound": None}
    table = pd.DataFrame([row | {"scenario": tier} for tier in ("E0", "E1")])
    right = plots.curriculum(table, mastery=0.4).axes[1]
    assert [text.get_text() for text in right.texts] == ["too few visits for a bound"]


def test_seeds_are_shown_apart_beside_the_pooled_score(published: Path) -> None:
    scores = pd.read_csv(published / "tables" / "scores.csv")
    assert scores[scores["policy"] == "grpo"]["training_seed"].tolist() == ["all", "0", "1"]
    assert scores[scores["policy"] == "oracle"]["training_seed"].tolist() == ["all"]
    fig = results.results_by_policy(scores)
    rings = [
        line
        for line in fig.axes[0].lines
        if len(line.get_xdata()) == 2 and line.get_marker() == "o"
    ]
    assert len(rings) == 1


def test_the_committed_results_say_which_runs_they_pool(published: Path) -> None:
    told = json.loads((published / "results.json").read_text())
    assert [run["seed"] for run in told["runs"]] == [0, 1]
    assert set(told["runs"][0]["manifests"]) == {"data", "sft", "grpo", "eval"}
    assert told["runs"][0]["preflight"]["G"] == 8
    assert "tables/scores.csv" in told["tables"]
    assert {path.stem for path in published.glob("*.png")} == set(NAMES)


def test_splits_are_told_apart_in_a_figure_of_both() -> None:
    rows = [("grpo", "sft", split, "R1", 1.0, 0.5, 1.5) for split in ("test", "test_ood")]
    names = ["a", "b", "split", "scenario", "mean", "low", "high"]
    table = pd.DataFrame(rows, columns=names)
    labels = [t.get_text() for t in plots.paired_differences(table).axes[0].get_yticklabels()]
    assert labels == ["R1, test_ood", "R1, test"]
    one = plots.paired_differences(table[table["split"] == "test"])
    assert [t.get_text() for t in one.axes[0].get_yticklabels()] == ["R1"]


def test_runs_of_one_seed_are_not_pooled(made: list[Run], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="differ in seed"):
        plots.publish([made[0].folder, made[0].folder], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_step_is_named(tmp_path: Path, made: list[Run]) -> None:
    with pytest.raises(FileNotFoundError, match="run 04_evaluation first"):
        tables_of([tmp_path])
    with pytest.raises(FileNotFoundError, match=r"audit\.csv is missing"):
        style.table_of(tmp_path / "audit.csv")


def test_a_table_without_the_columns_of_a_figure_is_refused() -> None:
    with pytest.raises(ValueError, match="needed: policy, scenario, per_step"):
        plots.per_step_by_tier(pd.DataFrame({"policy": ["sft"]}), ["sft"])


def test_every_figure_tells_its_better_direction(made: list[Run], drawn: dict[str, Path]) -> None:
    tables = made[0].path("figures", "tables")
    labels = {
        "results": results.results_by_policy(tables / "scores.csv").get_supxlabel(),
        "per_step": results.per_step_by_tier(tables / "returns.csv", ["sft"]).axes[0].get_ylabel(),
        "audit": results.exploit_audit(tables / "audit.csv").axes[0].get_ylabel(),
        "spam": spam_by_tier(tables / "held_out.csv").axes[0].get_ylabel(),
    }
    assert [name for name, text in labels.items() if "better" not in text] == []


def test_scores_are_zero_for_random_and_one_for_the_oracle() -> None:
    played = [(0, episode(name, seed, total + seed)) for seed in range(4)
              for name, total in (("random", -2.0), ("oracle", 8.0), ("sft", 3.0))]  # fmt: skip
    table = pooling.scores(pooling.frame_of(played)).set_index("policy")
    assert table.loc["random", "score"] == 0
    assert table.loc["oracle", "score"] == 1
    assert math.isclose(table.loc["sft", "score"], 0.5)
    assert math.isclose(
        table.loc["sft", "low"], table.loc["sft", "high"]
    )  # paired: no spread is left


def test_a_table_without_yardsticks_has_no_score() -> None:
    with pytest.raises(ValueError, match="oracle, random"):
        pooling.scores(pooling.frame_of([(0, episode("sft", 0, 1.0))]))


def test_differences_are_paired_by_task_and_training_seed() -> None:
    played = []
    for training in (0, 1):
        for seed in range(3):
            for tier in TIERS:
                base = 10.0 * seed + 3 * training
                played.append((training, episode("sft", seed, base, tier)))
                played.append((training, episode("grpo", seed, base + 1 + training, tier)))
    table = pooling.differences(pooling.frame_of(played), [("grpo", "sft")])
    whole = table[table["scenario"] == "all"].set_index("training_seed")
    assert whole["mean"].to_dict() == {"all": 1.5, "0": 1.0, "1": 2.0}
    assert (whole["low"] == whole["mean"]).all()  # every pair differs by the same
    assert whole.loc["all", "tasks"] == 9


def test_one_task_a_tier_gives_an_interval_over_the_tiers_and_none_within() -> None:
    played = [
        (0, episode(name, 0, gain * place, tier))
        for name, gain in (("sft", 2.0), ("random", 0.0), ("oracle", 8.0))
        for place, tier in enumerate(TIERS, 1)
    ]
    frame = pooling.frame_of(played)
    table = pooling.differences(frame, [("sft", "random")]).set_index("scenario")
    assert table.loc["all", "low"] < table.loc["all", "mean"] == 4.0 < table.loc["all", "high"]
    assert table.loc[list(TIERS), ["low", "high"]].isna().all(axis=None)
    assert len(plots.paired_differences(table.reset_index().assign(split="test")).axes) == 1
    score = pooling.scores(frame).set_index("policy").loc["sft"]
    assert math.isclose(score["score"], 0.25)


def test_seeds_do_not_pass_for_more_tasks() -> None:
    once = [(0, episode("sft", seed, float(seed))) for seed in range(5)]
    thrice = [(training, replace(e)) for training in range(3) for _, e in once]
    narrow, wide = (
        pooling.over_tiers([pooling.tasks(pooling.frame_of(some), "return").to_numpy()])
        for some in (thrice, once)
    )
    assert narrow == wide


def test_decisions_are_cut_by_the_source_of_the_truth(
    made: list[Run], drawn: dict[str, Path]
) -> None:
    table = pd.read_csv(made[0].path("figures", "tables", "by_source.csv"))
    assert set(table["source"]) == {"maintainer", "category", "synthetic"}
    rows = table.set_index(["policy", "measure", "source"]).sort_index()
    oracle = rows.loc["oracle", "right"]
    assert (oracle[["mean", "low", "high"]] == 1).all(axis=None)
    random = rows.loc["random", "right"]
    assert (random["mean"] < 1).all()
    assert ((random["low"] <= random["mean"]) & (random["mean"] <= random["high"])).all()
    # every source of every decision is there: the parts are the whole
    pairs = pd.read_csv(made[0].path("eval", "pairs.csv"))
    sft = pairs[pairs["policy"] == "sft"]
    assert rows.loc["sft", "right"]["decisions"].to_dict() == sft.groupby("source").size().to_dict()
    own = sft[sft["source"] == "synthetic"].groupby(["scenario", "seed"])["reward"].mean().mean()
    assert math.isclose(rows.loc[("sft", "reward", "synthetic"), "mean"], own, rel_tol=1e-4)


def test_rules_that_repeat_themselves_count_once(made: list[Run]) -> None:
    pooled = pooling.frame_of(pooling.episodes_of([run.folder for run in made]))
    seeds = pooled.groupby("policy")["training_seed"].nunique()
    assert seeds["keyword_triager"] == 1
    assert seeds["grpo"] == 2


def test_a_reliability_bin_counts_what_fell_into_it() -> None:
    rows = judging.reliability([0.05, 0.08, 0.95, 1.0], [0, 1, 1, 1])
    assert [(round(r[0], 3), r[1], r[4]) for r in rows] == [(0.065, 0.5, 2), (0.975, 1.0, 2)]
    low, high = judging.wilson(1, 2)
    assert (round(low, 3), round(high, 3)) == (0.095, 0.905)


def test_figures_of_decisions_say_that_preparing_steps_are_left_out(made: list[Run]) -> None:
    table = pd.read_csv(made[0].path("eval", "pairs.csv"))
    assert set(table["policy"]) >= {"sft", "grpo"}  # grpo stands for a rule that asks
    assert "query_history" not in set(table["action"])
    assert judging.LEFT_OUT in plots.confusion(table, "grpo").axes[0].get_xlabel()
    assert judging.LEFT_OUT in plots.calibration(table).axes[1].get_xlabel()


def test_a_confusion_figure_of_a_policy_that_did_not_play_names_those_that_did() -> None:
    pairs = pd.DataFrame(
        {"policy": ["sft"], "action": ["wait"], "truth": ["label"], "scenario": ["E0"]}
    )
    with pytest.raises(ValueError, match=r"no decision of 'grpo'; there are \['sft'\]"):
        plots.confusion(pairs, "grpo")


def test_intervals_are_drawn_around_each_point(made: list[Run], drawn: dict[str, Path]) -> None:
    table = pd.read_csv(made[0].path("figures", "tables", "returns.csv"))
    fig = results.per_step_by_tier(table, ["sft"])
    (bars,) = (c for c in fig.axes[0].containers if c.get_label() == "sft")
    ends = [segment[:, 1].tolist() for segment in bars[2][0].get_segments()]
    rows = table[table["policy"] == "sft"]
    wanted = rows[["per_step_low", "per_step_high"]].to_numpy().tolist()
    assert [e for pair in ends for e in pair] == pytest.approx([w for pair in wanted for w in pair])


def test_models_held_to_a_grammar_or_told_the_rules_are_groups_of_their_own():
    kinds = {
        "grpo": "language model",
        "grpo+constrained": "language model, constrained",
        "grpo+told": "language model, told the rules",
        "grpo+told+constrained": "language model, told the rules, constrained",
        "careful": "rule",
    }
    assert {name: results.kind_of(name) for name in kinds} == kinds
    scores = pd.DataFrame(
        [(name, seed, 0.1, 0.0, 0.2) for name in kinds for seed in ("all", "0")],
        columns=["policy", "training_seed", "score", "low", "high"],
    )
    fig = results.results_by_policy(scores)
    assert {text.get_text() for text in fig.legends[0].get_texts()} == set(kinds.values())
    fig.draw_without_rendering()
