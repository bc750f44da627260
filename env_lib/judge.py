"""Judge a run: base, SFT and GRPO models, raw and constrained, beside every rule-based policy.

Where a duty's `policies` module has `told_options`, its prompts can tell the rules that are
otherwise to be learned, and the models of TOLD are judged under such prompts too: an upper bound.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

from env_lib import models
from env_lib.fewshot import Shots, best_shots
from env_lib.registry import duty_module, judged_splits, list_envs, make, policies
from env_lib.rollout import Episode, run_lockstep, run_many
from env_lib.runs import Run, file_hash, read_json, write_json

TOLD = ("base_few_shot", "grpo")
"""Stages that are also judged told the rules: what a model that was never trained makes of them,
and what the trained one, to which such prompts are new, still lacks."""
TOLD_MARK = "+told"
WEIGHTS = "adapter_model.safetensors"
BASE_PART = 8
"""A base model plays one in so many of the tasks: most of an evaluation's time would be its answers
that do not end."""


def judge_seeds(run: Run, times: int = 1) -> list[int]:
    """Return the episode seeds, the same for every training seed, so that runs pair.

    `times` as many begin with the same ones.
    """
    return [9000 + i for i in range(run.plays(run.profile.eval_episodes) * times)]


def rule_seeds(run: Run, name: str) -> list[int]:
    """Return the seeds of a rule-based policy: those of the models first.

    More follow for honest rules where the duty's policies say so (`RULES_PLAY`, how many times as
    many): the models' own sets their interval, an episode of rules costs little.
    """
    rules = duty_module(run.duty, "policies")
    return judge_seeds(run, 1 if name in rules.EXPLOITS else getattr(rules, "RULES_PLAY", 1))


def judge_tiers(run: Run) -> list[tuple[str, str]]:
    """Return each (split, scenario) that is judged."""
    scenarios = list_envs()[run.duty]["scenarios"][:: run.profile.eval_stride]
    return [(split, scenario) for split in judged_splits(run.duty) for scenario in scenarios]


def told_options(run: Run) -> dict[str, Any] | None:
    """Return the options of `make` under which prompts tell the rules; None where no duty's do."""
    tell = getattr(duty_module(run.duty, "policies"), "told_options", None)
    return tell(run.env_options) if tell else None


def _lockstep(run: Run, writer: Any, trained: bool, options: dict[str, Any]) -> list[Episode]:
    """Play the test tasks; a base model plays fewer, its score being far below."""
    seeds = judge_seeds(run)
    seeds = seeds if trained else seeds[: max(1, len(seeds) // BASE_PART)]
    tasks = [(split, scenario, seed) for split, scenario in judge_tiers(run) for seed in seeds]
    envs = [
        make(run.duty, scenario=scenario, split=split, **options) for split, scenario, _ in tasks
    ]
    return run_lockstep(envs, writer, [seed for *_, seed in tasks])


def stage_episodes(run: Run, stage: str, writer: Any) -> dict[str, list[Episode]]:
    """Play one model raw and constrained, and the same told the rules where stage and duty are so.

    `writer` is the stage's `ModelPolicy`; what was valid raw is not decoded again constrained.
    Names are the stage's, with TOLD_MARK where it is told, then `+constrained`.
    """
    action_type, trained = make(run.duty).action_type, stage in ("sft", "grpo")
    told = told_options(run) if stage in TOLD else None
    found = {}
    for mark, options in (("", run.env_options), (TOLD_MARK, told)):
        if options is None:
            continue
        writer.name = f"{stage}{mark}"
        print(f"judging {writer.name}", flush=True)
        found[writer.name] = _lockstep(run, writer, trained, options)
        held = writer.constrained(action_type)
        found[held.name] = _lockstep(run, held, trained, options)
    return found


def model_episodes(run: Run) -> dict[str, list[Episode]]:
    """Play every language model; where GRPO kept the warm start, its answers are decoded once."""
    from env_lib.policy_model import ModelPolicy

    found: dict[str, list[Episode]] = {}
    known: dict[str, ModelPolicy] = {}
    stages = [
        ("base_zero_shot", None),
        ("base_few_shot", None),
        ("sft", run.path("sft", "adapter")),
        ("grpo", run.path("grpo", "adapter")),
    ]
    for name, adapter in stages:
        model, tokenizer = models.load(run.profile, adapter)
        shots: Shots = ()
        if name == "base_few_shot":
            shots, earned = best_shots(run, model, tokenizer)
            write_json(run.path("eval", "shots.json"), {"shots": shots, "candidates": earned})
        if adapter is not None and not run.profile.load_in_4bit:
            model = model.merge_and_unload()
        raw = ModelPolicy(model, tokenizer, name=name, max_tokens=run.action_tokens, shots=shots)
        if adapter is not None:
            raw.remember(known.setdefault(file_hash(adapter / WEIGHTS), raw))
        found |= stage_episodes(run, name, raw)
    return found


def rule_episodes(run: Run) -> dict[str, list[Episode]]:
    """Play every rule-based policy on the same episodes; see `rule_seeds` for further ones."""
    found = {}
    for name in policies(run.duty):
        found[name] = [
            episode
            for split, scenario in judge_tiers(run)
            for episode in run_many(
                run.duty,
                name,
                scenario=scenario,
                split=split,
                seeds=rule_seeds(run, name),
                **run.env_options,
            )
        ]
    return found


COMPARISONS = (
    ("sft", "base_zero_shot"),
    ("sft", "base_few_shot"),
    ("grpo", "sft"),
)


def comparisons(duty: str) -> list[tuple[str, str]]:
    """Return the pairs of policies that are compared, paired by split, scenario and seed."""
    rules = duty_module(duty, "policies")
    told = [(f"grpo{TOLD_MARK}", "grpo")] if hasattr(rules, "told_options") else []
    return [*COMPARISONS, *told, *(("grpo", name) for name in rules.COMPARED)]


def differences(found: dict[str, list[Episode]], pairs: Sequence[tuple[str, str]]) -> Any:
    """Return paired differences of the return by split, over all scenarios and for each."""
    import pandas as pd

    from env_lib.evaluation import paired_difference

    rows = []
    for a, b in pairs:
        first, second = ({(e.split, e.scenario, e.seed): e for e in found[n]} for n in (a, b))
        both = sorted(first.keys() & second.keys())
        for split in sorted({key[0] for key in both}):
            tiers = sorted({tier for place, tier, _ in both if place == split})
            for scenario in ("all", *tiers):
                chosen = [k for k in both if k[0] == split and scenario in ("all", k[1])]
                gain = paired_difference([first[k] for k in chosen], [second[k] for k in chosen])
                rows.append((a, b, split, scenario, *gain, len(chosen)))
    names = ["a", "b", "split", "scenario", "mean", "low", "high", "episodes"]
    return pd.DataFrame(rows, columns=names)


def evaluate_run(run: Run) -> Any:
    """Judge the run or skip it where it is up to date; write `eval/` and return its table."""
    import pandas as pd

    inputs = run.inputs("eval", [run.path("sft", "adapter"), run.path("grpo", "adapter")])
    target = run.path("eval", "table.csv")
    if run.up_to_date("eval", inputs):
        return pd.read_csv(target)
    from env_lib.evaluation import action_pairs, table_of, write_episodes

    with run.step("eval", inputs) as folder:
        found = {**rule_episodes(run), **model_episodes(run)}
        everything = [episode for episodes in found.values() for episode in episodes]
        shutil.rmtree(folder / "episodes", ignore_errors=True)  # an earlier evaluation's, now stale
        for name, episodes in found.items():
            for scenario in sorted({e.scenario for e in episodes}):
                chosen = [e for e in episodes if e.scenario == scenario]
                write_episodes(folder / "episodes" / f"{name}__{scenario}.jsonl", chosen)
        table = table_of(everything)
        table.to_csv(target, index=False)
        gaps = differences(found, comparisons(run.duty))
        gaps.to_csv(folder / "differences.csv", index=False)
        first = judged_splits(run.duty)[0]
        judged = [
            pd.DataFrame(action_pairs([e for e in found[name] if e.split == first]))
            for name in ("base_few_shot", "sft", "grpo")
        ]
        pd.concat(judged, ignore_index=True).to_csv(folder / "pairs.csv", index=False)
        write_json(folder / "metrics.json", summary(run, table, gaps))
    return pd.read_csv(target)


def summary(run: Run, table: Any, gaps: Any) -> dict[str, Any]:
    """Return the figures that a reader asks for first."""
    sft = read_json(run.path("sft", "metrics.json"))
    whole = gaps[gaps.scenario == "all"].set_index(["a", "b", "split"])[["mean", "low", "high"]]
    returns = table.groupby(["split", "policy"])["mean_return"].mean()
    return {
        "valid_share_after_sft": sft["after"]["valid_share"],
        "truncated_share_after_sft": sft["after"]["truncated_share"],
        "mean_return": {
            split: {str(name): float(mean) for name, mean in part.droplevel(0).items()}
            for split, part in returns.groupby(level=0)
        },
        "differences": {
            f"{a} - {b}, {split}": [float(x) for x in row]
            for (a, b, split), row in zip(whole.index, whole.values, strict=True)
        },
    }
