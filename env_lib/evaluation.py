"""Score tables: mean return, per step and normalised, with bootstrap intervals over episodes.

An episode is one cluster and seeds pair policies: every table plays `random` (0) and `oracle` (1)
on the seeds of the policies that it judges. The training reward is one column among others; the
`held_out` ones were never trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from env_lib.agreement import action_pairs, ece
from env_lib.intervals import Interval, mean_interval, normalised_interval
from env_lib.registry import duty_module, make, policies
from env_lib.reverify import read_episodes, reverify, write_episodes
from env_lib.rollout import Episode, Policy, run_episode

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "action_pairs", "ece", "evaluate", "known_policies", "leaderboard", "paired_difference", "play",
    "read_episodes", "reverify", "summary", "table_of", "write_episodes",
]  # fmt: skip

BOTTOM, TOP = "random", "oracle"
SEEDS = tuple(range(20))
Row = dict[str, Any]


def known_policies(duty: str) -> dict[str, type[Policy]]:
    """Return the duty's policies by name, those of its audit included."""
    extra: dict[str, type[Policy]] = getattr(
        duty_module(duty, "policies"), "audit_policies", dict
    )()
    return extra | policies(duty)


def summary(episode: Episode) -> Row:
    """Return what tables need of an episode; `options` as a tuple that can be a key."""
    steps = episode.steps
    invalid = sum(step.action["action_type"] == "invalid" for step in steps)
    named = ("duty", "scenario", "split", "seed", "policy", "metrics", "components")
    return {name: getattr(episode, name) for name in named} | {
        "options": tuple(sorted(episode.options.items())),
        "steps": len(steps),
        "invalid": invalid,
        "return": episode.total_reward,
    }


def evaluate(
    duty: str,
    names: Sequence[str],
    *,
    scenario: str | Sequence[str] | None = None,
    split: str = "test",
    seeds: Iterable[int] = SEEDS,
    n_jobs: int = 1,
    **options: Any,
) -> pd.DataFrame:
    """Score rule-based policies, one row a policy and scenario; see `table_of` for the columns.

    Args:
        duty: a registered duty.
        names: policies of the duty, or of its audit.
        scenario: one, several, or None for all.
        split: the split that episodes draw from.
        seeds: one episode each.
        n_jobs: processes.
        options: options of `make`.

    Raises:
        ValueError: an unknown policy, scenario or split, or no seed.
    """
    rows = play(duty, [*names, BOTTOM, TOP], scenario, split, seeds, n_jobs, options)
    return _table(rows, list(dict.fromkeys(names)))


def play(
    duty: str,
    names: Sequence[str],
    scenario: str | Sequence[str] | None,
    split: str,
    seeds: Iterable[int],
    n_jobs: int = 1,
    options: Mapping[str, Any] | None = None,
) -> list[Row]:
    """Play every policy on every scenario and seed; return the episodes' summaries."""
    from joblib import Parallel, delayed

    wanted, seeds = list(dict.fromkeys(names)), list(seeds)
    unknown = [name for name in wanted if name not in known_policies(duty)]
    if unknown:
        raise ValueError(
            f"unknown policy {unknown[0]!r} of {duty}; known: {', '.join(policies(duty))}"
        )
    if not seeds:
        raise ValueError("no seeds; an evaluation needs at least one")
    tiers = [scenario] if isinstance(scenario, str) else scenario or duty_module(duty).SCENARIOS
    for tier in tiers:  # a wrong name is told before any process starts
        make(duty, scenario=tier, split=split, **(options or {}))
    # The longest tiers first, so that no process is left with one at the end.
    tasks = [
        delayed(_play)(duty, wanted, tier, split, seed, dict(options or {}))
        for tier in reversed(list(tiers)) for seed in seeds
    ]  # fmt: skip
    done = Parallel(n_jobs=n_jobs)(tasks)
    return [row for rows in done for row in rows]


def _play(
    duty: str, names: Sequence[str], scenario: str, split: str, seed: int, options: dict[str, Any]
) -> list[Row]:
    env, known = make(duty, scenario=scenario, split=split, **options), known_policies(duty)
    return [summary(run_episode(env, known[name](), seed)) for name in names]


def table_of(episodes: Sequence[Episode]) -> pd.DataFrame:
    """Score stored episodes of any source, one row a policy, scenario and split.

    Columns: `episodes`, `steps` (mean), `budget`, `shortened` (the tier's steps are not there in
    this split), `mean_return` with `ci_low` and `ci_high`, `per_step` and `normalised` with `_low`
    and `_high`, `valid_share`, `reward.<component>` and `held_out.<metric>` (means an episode).
    `random` and `oracle` are taken from the episodes, or played on the same seeds.

    Raises:
        ValueError: there are no episodes.
    """
    if not episodes:
        raise ValueError("no episodes; a table needs at least one")
    rows = [summary(episode) for episode in episodes]
    have = {(*_setting(row), row["seed"], row["policy"]) for row in rows}
    played: list[Row] = []
    for key in dict.fromkeys((*_setting(row), row["seed"]) for row in rows):
        missing = [name for name in (BOTTOM, TOP) if (*key, name) not in have]
        duty, scenario, split, options, seed = key
        if missing:
            played += _play(duty, missing, scenario, split, seed, dict(options))
    return _table(rows + played, list(dict.fromkeys(row["policy"] for row in rows)))


def _setting(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("duty", "scenario", "split", "options"))


def _by_seed(rows: Sequence[Row], name: str) -> dict[int, float]:
    """Return the mean of a value a seed: one cluster each, however many episodes it holds."""
    groups: dict[int, list[float]] = {}
    for row in rows:
        groups.setdefault(row["seed"], []).append(row[name])
    return {seed: sum(values) / len(values) for seed, values in sorted(groups.items())}


def _table(rows: Sequence[Row], names: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    settings: dict[tuple[Any, ...], dict[str, list[Row]]] = {}
    for row in rows:
        row["per_step"] = row["return"] / row["steps"]
        settings.setdefault(_setting(row), {}).setdefault(row["policy"], []).append(row)
    lines = [
        _line(setting, name, groups)
        for setting, groups in sorted(settings.items(), key=lambda pair: pair[0][:3])
        for name in names if name in groups
    ]  # fmt: skip
    return pd.DataFrame(lines)


def _line(setting: tuple[Any, ...], name: str, groups: Mapping[str, list[Row]]) -> Row:
    duty, scenario, split, options = setting
    rows = groups[name]
    steps = sum(row["steps"] for row in rows)
    budget, asked = budget_of(duty, scenario, split, dict(options), rows[0]["seed"])
    scores = _by_seed(rows, "return")
    bottom, top = (_by_seed(groups[reference], "return") for reference in (BOTTOM, TOP))
    line = {
        "policy": name, "scenario": scenario, "split": split, "episodes": len(rows),
        "steps": steps / len(rows), "budget": budget, "shortened": budget < asked,
    }  # fmt: skip
    line |= _ends("mean_return", mean_interval(list(scores.values())), "ci")
    line |= _ends("per_step", mean_interval(list(_by_seed(rows, "per_step").values())))
    own, low, high = ([part[seed] for seed in scores] for part in (scores, bottom, top))
    line |= _ends("normalised", normalised_interval(own, low, high))
    line["valid_share"] = 1 - sum(row["invalid"] for row in rows) / steps
    return line | _means(rows, "components", "reward") | _means(rows, "metrics", "held_out")


def _ends(name: str, interval: Interval, stem: str = "") -> Row:
    stem = stem or name
    return {name: interval.mean, f"{stem}_low": interval.low, f"{stem}_high": interval.high}


def _means(rows: Sequence[Row], field: str, prefix: str) -> Row:
    """Return each entry's mean over the episodes that have it."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row[field].items():
            values.setdefault(name, []).append(value)
    return {f"{prefix}.{name}": sum(found) / len(found) for name, found in values.items()}


def budget_of(
    duty: str, scenario: str, split: str, options: dict[str, Any], seed: int
) -> tuple[int, int]:
    """Return the steps that an episode has, and those that were asked for."""
    asked = duty_module(duty).SCENARIOS[scenario].steps
    env = make(duty, scenario=scenario, split=split, **options)
    env.reset(seed=seed)
    return getattr(env.state, "budget", asked), min(asked, options.get("steps") or asked)


def paired_difference(a: Sequence[Episode], b: Sequence[Episode]) -> Interval:
    """Return the mean of a's return minus b's with its 95 % interval, paired by scenario and seed.

    Raises:
        ValueError: the two were not played on the same scenarios and seeds.
    """
    parts = []
    for episodes in (a, b):
        groups: dict[tuple[str, str, int], list[float]] = {}
        for e in episodes:
            groups.setdefault((e.scenario, e.split, e.seed), []).append(e.total_reward)
        parts.append({key: sum(values) / len(values) for key, values in groups.items()})
    first, second = parts
    if first.keys() != second.keys() or not first:
        odd = sorted(first.keys() ^ second.keys())
        raise ValueError(
            f"not paired: {odd[0] if odd else 'no episodes'}; "
            "both need the same (scenario, split, seed)"
        )
    return mean_interval([first[key] - second[key] for key in sorted(first)])


def leaderboard(table: pd.DataFrame) -> pd.DataFrame:
    """Rank the policies of each split by normalised score, each scenario weighing the same."""
    columns = ["normalised", "per_step", "mean_return", "valid_share"]
    groups = table.groupby(["split", "policy"], sort=False)
    ranked = groups[columns].mean()
    ranked["scenarios"] = groups["scenario"].nunique()
    ranked = ranked.sort_values("normalised", ascending=False, kind="stable").reset_index()
    ranked = ranked.sort_values("split", kind="stable", ignore_index=True)
    ranked.insert(0, "rank", ranked.groupby("split").cumcount() + 1)
    return ranked
