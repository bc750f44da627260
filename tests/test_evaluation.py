"""Intervals, score tables, paired differences, stored episodes and their replay, calibration."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import env_lib
from env_lib.agreement import action_pairs, ece
from env_lib.evaluation import evaluate, leaderboard, paired_difference, table_of
from env_lib.intervals import exact_share, mean_interval, normalised_interval, resampled_means
from env_lib.reverify import read_episodes, reverify, write_episodes
from env_lib.rollout import Answer, TextPolicy, run_lockstep

OPTIONS = {"steps": 15}


def episodes(policy, seeds=range(4), scenario="E1", name=None):
    env = env_lib.make("triage", scenario=scenario, split="test", **OPTIONS)
    done = [env_lib.run_episode(env, env_lib.policy("triage", policy), seed) for seed in seeds]
    for episode in done:
        episode.policy = name or policy
    return done


class Talker(TextPolicy):
    """A text policy that is right about nothing, and every third time says nothing useful."""

    name = "talker"

    def answer(self, system_prompt, prompts):
        number = [prompt.split(" (")[0].split()[-1] for prompt in prompts]
        good = [json.dumps({"action_type": "wait", "target_issue_id": int(n)}) for n in number]
        return [
            Answer("?" if int(n) % 3 == 0 else text, confidence=0.25)
            for n, text in zip(number, good, strict=True)
        ]


def talked(seeds=range(4)):
    envs = [env_lib.make("triage", scenario="E1", split="test", **OPTIONS) for _ in seeds]
    return run_lockstep(envs, Talker(), list(seeds))


# Intervals ------------------------------------------------------------------------------------


def test_a_bootstrap_interval_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for trial in range(200):
        _, low, high = mean_interval(list(rng.normal(1.0, 2.0, size=30)), seed=trial)
        hits += low <= 1.0 <= high
    assert 0.89 <= hits / 200 <= 0.99


def test_the_same_values_always_give_the_same_interval():
    values = [1.0, 4.0, 2.0, 8.0]
    assert mean_interval(values) == mean_interval(values)
    mean, low, high = mean_interval(values)
    assert low < mean == 3.75 < high


def test_one_episode_gives_an_interval_of_no_width():
    assert mean_interval([2.5]) == (2.5, 2.5, 2.5)


@pytest.mark.parametrize("values", [[], [1.0, math.nan]])
def test_nothing_or_nan_is_refused(values):
    with pytest.raises(ValueError, match="at least one row, all finite"):
        resampled_means([[v] for v in values])


def test_normalisation_pairs_the_references_by_cluster():
    bottom, top = [0.0, 10.0, 20.0], [10.0, 20.0, 30.0]
    half = [5.0, 15.0, 25.0]
    assert normalised_interval(half, bottom, top) == pytest.approx((0.5, 0.5, 0.5))
    assert all(math.isnan(v) for v in normalised_interval(half, bottom, bottom))


# Tables ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    return evaluate(
        "triage",
        ["random", "keyword_triager", "oracle"],
        scenario=["E0", "E2"],
        seeds=range(4),
        **OPTIONS,
    )


def test_a_table_has_one_row_a_policy_and_scenario_in_the_order_asked(table):
    assert list(zip(table["scenario"], table["policy"], strict=True)) == [
        (tier, name) for tier in ("E0", "E2") for name in ("random", "keyword_triager", "oracle")
    ]
    assert set(table["episodes"]) == {4}


def test_random_is_zero_and_oracle_one_and_intervals_hold_their_means(table):
    score = table.set_index(["policy", "scenario"])["normalised"]
    assert score["random"].tolist() == [0.0, 0.0]
    assert score["oracle"].tolist() == [1.0, 1.0]
    assert score["keyword_triager"].between(0, 1).all()
    for mean, low, high in (
        ("mean_return", "ci_low", "ci_high"),
        ("per_step", "per_step_low", "per_step_high"),
        ("normalised", "normalised_low", "normalised_high"),
    ):
        assert (table[low] <= table[mean]).all()
        assert (table[mean] <= table[high]).all()


def test_components_in_the_table_add_up_to_the_mean_return(table):
    parts = table[[name for name in table.columns if name.startswith("reward.")]]
    assert parts.sum(axis=1).to_numpy() == pytest.approx(table["mean_return"].to_numpy())


def test_held_out_metrics_stand_apart(table):
    oracle = table[table["policy"] == "oracle"]
    assert (oracle["held_out.queue_completion"] == 1.0).all()
    assert (oracle["held_out.agreement"] == 1.0).all()
    assert oracle["held_out.spam_recall"].isna().tolist() == [True, False]


def test_a_tier_that_the_split_cannot_fill_is_marked_as_shortened():
    whole = evaluate("triage", ["oracle"], scenario=["E4", "E5"], split="test", seeds=[0])
    assert whole["shortened"].tolist() == [False, True]
    assert whole["budget"].tolist()[0] == 320
    assert whole["budget"].tolist()[1] < 500
    asked = evaluate("triage", ["oracle"], scenario="E5", split="test", seeds=[0], steps=20)
    assert asked["shortened"].tolist() == [False]


def test_two_processes_give_the_same_table(table):
    names = ["random", "keyword_triager", "oracle"]
    twin = evaluate("triage", names, scenario=["E0", "E2"], seeds=range(4), n_jobs=2, **OPTIONS)
    assert twin.equals(table)


def test_stored_episodes_give_the_table_that_evaluation_gives(table):
    stored = [
        e for name in ("random", "keyword_triager", "oracle") for e in episodes(name, scenario="E2")
    ]
    asked = table[table["scenario"] == "E2"].reset_index(drop=True)
    pd.testing.assert_frame_equal(table_of(stored), asked, check_like=True, check_exact=True)


def test_references_are_played_where_the_stored_episodes_lack_them():
    alone = table_of(episodes("keyword_triager"))
    together = table_of([e for n in ("random", "oracle", "keyword_triager") for e in episodes(n)])
    assert alone["policy"].tolist() == ["keyword_triager"]
    assert (
        alone["normalised"].tolist()
        == together.query("policy == 'keyword_triager'")["normalised"].tolist()
    )


def test_answers_that_are_no_action_lower_the_valid_share():
    done = talked()
    invalid = sum(s.action["action_type"] == "invalid" for e in done for s in e.steps)
    share = table_of(done)["valid_share"].item()
    assert invalid > 0
    assert share == pytest.approx(1 - invalid / sum(len(e.steps) for e in done))


def test_unknown_policies_and_no_seeds_are_refused():
    with pytest.raises(ValueError, match="unknown policy 'nobody' of triage; known: random"):
        evaluate("triage", ["nobody"], scenario="E0", seeds=[0])
    with pytest.raises(ValueError, match="at least one"):
        evaluate("triage", ["random"], scenario="E0", seeds=[])
    with pytest.raises(ValueError, match="at least one"):
        table_of([])


def test_the_leaderboard_ranks_by_the_normalised_score(table):
    ranked = leaderboard(table)
    assert ranked["policy"].tolist() == ["oracle", "keyword_triager", "random"]
    assert ranked["rank"].tolist() == [1, 2, 3]
    assert set(ranked["scenarios"]) == {2}


# Differences ----------------------------------------------------------------------------------


def test_a_difference_is_paired_by_seed_whatever_the_order():
    mine, theirs = episodes("oracle"), episodes("keyword_triager")
    mean, low, high = paired_difference(mine, theirs[::-1])
    gaps = [a.total_reward - b.total_reward for a, b in zip(mine, theirs, strict=True)]
    assert mean == pytest.approx(sum(gaps) / len(gaps))
    assert min(gaps) - 1e-9 <= low <= mean <= high <= max(gaps) + 1e-9


def test_a_policy_differs_from_itself_by_nothing():
    assert paired_difference(episodes("random"), episodes("random", name="twin")) == (0.0, 0.0, 0.0)


def test_episodes_that_do_not_pair_are_refused():
    with pytest.raises(ValueError, match=r"not paired: \('E1', 'test', 3\)"):
        paired_difference(episodes("random"), episodes("random", seeds=range(3)))


# Stored episodes --------------------------------------------------------------------------------


def stored_run(folder):
    where = folder / "eval" / "episodes"
    write_episodes(where / "keyword_triager__E1.jsonl", episodes("keyword_triager"))
    write_episodes(where / "talker__E1.jsonl", talked())
    return folder


def test_what_was_stored_replays_exactly(tmp_path):
    report = reverify(stored_run(tmp_path))
    assert report.ok, report.mismatches
    assert (report.files, report.episodes) == (2, 8)
    assert report.steps == sum(len(e.steps) for e in [*episodes("keyword_triager"), *talked()])


def test_episodes_come_back_as_they_were_written(tmp_path):
    done = talked()
    write_episodes(tmp_path / "e.jsonl", done)
    assert read_episodes(tmp_path / "e.jsonl") == done
    assert [p.name for p in tmp_path.iterdir()] == ["e.jsonl"]


def raise_reward(row):
    row["steps"][3]["reward"] += 1e-9


def swap_action(row):
    row["steps"][2]["action"] = {"action_type": "invalid", "raw": "", "error": "x"}


def misname_action(row):
    row["steps"][2]["action"]["action_type"] = "close_everything"


def strip_action(row):
    del row["steps"][2]["action"]["action_type"]


def rename_tier(row):
    row["scenario"] = "E9"


def polish_metric(row):
    row["metrics"]["agreement"] = 1.0


def add_step(row):
    row["steps"].append(row["steps"][0])


def drop_step(row):
    row["steps"].pop()


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (raise_reward, "step 3: reward"),
        (swap_action, "step 2: reward"),
        (misname_action, "cannot be replayed: ValidationError: 1 validation error for Triage"),
        (strip_action, "cannot be replayed: KeyError: 'action_type'"),
        (rename_tier, "cannot be replayed: ValueError: unknown scenario 'E9'"),
        (polish_metric, "metrics stored"),
        (add_step, "the episode is over"),
        (drop_step, "stop_reason stored"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_record_that_was_changed_is_found_and_named(tmp_path, tamper, said):
    file = stored_run(tmp_path) / "eval" / "episodes" / "keyword_triager__E1.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    tamper(rows[1])
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = reverify(tmp_path)
    assert not report.ok
    assert len(report.mismatches) == 1
    assert report.mismatches[0].startswith("keyword_triager__E1.jsonl line 2: ")
    assert said in report.mismatches[0]


def test_a_run_without_episodes_says_which_notebook_writes_them(tmp_path):
    with pytest.raises(FileNotFoundError, match="notebook 04"):
        reverify(tmp_path)


# Agreement and calibration ------------------------------------------------------------------------


def test_the_oracle_is_always_right_and_the_talker_as_often_as_waiting_is():
    pairs = pd.DataFrame(action_pairs(episodes("oracle")))
    assert pairs["right"].all()
    assert (pairs["action"] == pairs["truth"]).all()
    told = pd.DataFrame(action_pairs(talked()))
    assert set(told["action"]) == {"wait", "invalid"}
    assert (told["right"] == ((told["action"] == "wait") & (told["truth"] == "wait"))).all()
    assert set(told["confidence"]) == {0.25}


def test_a_step_that_only_prepares_is_no_decision():
    done = episodes("memory_aware")
    deeds = [(e.seed, i, s.action["action_type"]) for e in done for i, s in enumerate(e.steps)]
    pairs = pd.DataFrame(action_pairs(done))
    assert "query_history" in {kind for _, _, kind in deeds}
    assert list(zip(pairs["seed"], pairs["step"], pairs["action"], strict=True)) == [
        deed for deed in deeds if deed[2] != "query_history"
    ]


def test_pairs_can_be_cut_by_the_source_of_the_truth():
    done = episodes("keyword_triager")
    pairs = pd.DataFrame(action_pairs(done))
    assert set(pairs["source"]) == {"maintainer", "category", "synthetic"}
    for episode in done:
        own = pairs[(pairs["seed"] == episode.seed) & (pairs["source"] == "maintainer")]
        share = episode.metrics.get("agreement_maintainer_truth")
        assert share is None or own["right"].mean() == pytest.approx(share)


def test_a_right_type_with_a_wrong_field_is_not_right():
    pairs = pd.DataFrame(action_pairs(episodes("label_everything", seeds=range(6))))
    same_type = pairs[pairs["truth"] == "label"]
    assert 0 < same_type["right"].sum() < len(same_type)


def test_calibration_error_is_the_gap_between_confidence_and_being_right():
    assert ece([0.75] * 4, [True, True, True, False]) == pytest.approx(0.0)
    assert ece([1.0, 1.0], [False, False]) == pytest.approx(1.0)
    assert ece([0.9, 0.9, 0.1, 0.1], [True, False, False, False]) == pytest.approx((0.8 + 0.2) / 4)
    with pytest.raises(ValueError, match="2 confidences for 1 answers"):
        ece([0.5, 0.5], [True])
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        ece([1.2], [True])


def test_an_exact_interval_is_that_of_clopper_and_pearson():
    assert exact_share(0, 10)[1:] == (0.0, pytest.approx(0.30850, abs=1e-5))
    assert exact_share(5, 10) == (
        0.5,
        pytest.approx(0.18709, abs=1e-5),
        pytest.approx(0.81291, abs=1e-5),
    )
    with pytest.raises(ValueError, match="3 of 2"):
        exact_share(3, 2)


def test_the_leaderboard_ranks_each_split_by_itself(table):
    both = pd.concat([table, table.assign(split="test_ood")])
    ranked = leaderboard(both)
    assert ranked.groupby("split")["rank"].first().tolist() == [1, 1]
    assert len(ranked) == 2 * table["policy"].nunique()


def test_paired_differences_are_told_by_split():
    from env_lib.judge import differences
    from env_lib.rollout import Episode, Step

    def some(policy, gain):
        return [
            Episode(
                "triage", "E0", split, seed, policy,
                steps=[Step("", {"action_type": "wait"}, seed + gain * (split == "test"), {})],
            )
            for split in ("test", "test_ood")
            for seed in range(3)
        ]  # fmt: skip

    table = differences({"a": some("a", 2.0), "b": some("b", 0.0)}, [("a", "b")])
    means = table.set_index(["split", "scenario"])["mean"].to_dict()
    assert means == {
        ("test", "all"): 2.0, ("test", "E0"): 2.0, ("test_ood", "all"): 0.0, ("test_ood", "E0"): 0.0
    }  # fmt: skip
