"""Stored episodes of one or several training seeds, pooled: scores and differences with intervals.

The unit of every interval is the task, that is (scenario, episode seed): values of several
training seeds on one task are averaged first, so that seeds do not pass for more tasks. Seeds are
shown apart beside it. Tables are made for one split at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from env_lib.intervals import Interval
    from env_lib.rollout import Episode

ALL = "all"
"""In the columns `training_seed` and `scenario`: pooled."""
LEAST = 2
"""Tasks of a tier from which on they are resampled within it."""
_PREFIX = "held_out."
_TASK = ["scenario", "seed"]


def training_seed(folder: Path) -> int:
    """Return the seed that a run's evaluation manifest states.

    Raises:
        FileNotFoundError: the folder holds no finished evaluation.
    """
    from env_lib.runs import read_json

    return int(read_json(folder / "eval" / "manifest.json")["seed"])


def episodes_of(folders: Sequence[Path]) -> list[tuple[int, Episode]]:
    """Return (training seed, episode) of every stored episode.

    A policy that does the same in every run (rules, and a base model decoded greedily) is kept
    from the first run alone.

    Raises:
        FileNotFoundError: a run without episodes.
    """
    from env_lib.evaluation import read_episodes

    found: list[tuple[int, Episode]] = []
    for folder in folders:
        files = sorted((folder / "eval" / "episodes").glob("*.jsonl"))
        if not files:
            raise FileNotFoundError(
                f"no episodes under {folder.name}/eval; run 04_evaluation first"
            )
        seed = training_seed(folder)
        found += [(seed, episode) for file in files for episode in read_episodes(file)]
    deeds: dict[str, dict[int, set[Any]]] = {}
    for seed, e in found:
        deed = (e.split, e.scenario, e.seed, e.trajectory_hash)
        deeds.setdefault(e.policy, {}).setdefault(seed, set()).add(deed)
    first = min(seed for seed, _ in found)
    same = {
        name for name, runs in deeds.items() if all(d == runs.get(first) for d in runs.values())
    }
    return [(seed, e) for seed, e in found if seed == first or e.policy not in same]


def frame_of(pairs: Sequence[tuple[int, Episode]]) -> pd.DataFrame:
    """Return one row an episode: what it was, its return, and its metrics as `held_out.*`."""
    import pandas as pd

    from env_lib.evaluation import summary

    rows = []
    for training, episode in pairs:
        row = summary(episode)
        held = {_PREFIX + name: value for name, value in row["metrics"].items()}
        names = ("policy", "scenario", "split", "seed", "steps", "return")
        rows.append({"training_seed": training, **{n: row[n] for n in names}, **held})
    return pd.DataFrame(rows)


def tasks(rows: pd.DataFrame, column: str) -> pd.Series:
    """Return the mean of a column by (scenario, seed), episodes without it left out."""
    return rows.dropna(subset=[column]).groupby(_TASK)[column].mean()


def over_tiers(groups: Sequence[np.ndarray]) -> Interval:
    """Return the mean over tiers of the tiers' means, each tier resampled by itself.

    Where a tier has one task, the tiers are resampled instead; a single task has no interval (NaN).
    """
    import numpy as np

    from env_lib.intervals import Interval, ends, mean_interval, resampled_means

    if min(map(len, groups)) < LEAST:
        means = [float(g.mean()) for g in groups]
        return mean_interval(means) if len(means) > 1 else Interval(means[0], *2 * [float("nan")])
    draws = [resampled_means(g.reshape(-1, 1), seed=i)[:, 0] for i, g in enumerate(groups)]
    return Interval(float(np.mean([g.mean() for g in groups])), *ends(np.mean(draws, axis=0)))


def _score(rows: pd.DataFrame, bottom: pd.Series, top: pd.Series) -> Interval:
    """Return the normalised score over the tiers; random and oracle are resampled with it.

    Where a tier has one task, the tiers are resampled instead.
    """
    import numpy as np

    from env_lib.intervals import Interval, ends, mean_interval, resampled_means

    own = tasks(rows, "return")
    values, draws = [], []
    for i, (_, part) in enumerate(own.groupby("scenario")):
        triple = np.array([part, bottom.loc[part.index], top.loc[part.index]]).T
        s, b, t = triple.mean(axis=0)
        values.append((s - b) / (t - b))
        d = resampled_means(triple, seed=i)
        draws.append((d[:, 0] - d[:, 1]) / (d[:, 2] - d[:, 1]))
    if own.groupby("scenario").size().min() < LEAST:
        return mean_interval(values)
    return Interval(float(np.mean(values)), *ends(np.mean(draws, axis=0)))


def _by_seed(part: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the pooled rows, then those of each training seed where there are several."""
    each = [(str(seed), some) for seed, some in part.groupby("training_seed")]
    return [(ALL, part), *(each if len(each) > 1 else [])]


def scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the normalised score over the tiers: a row a policy, pooled and by training seed.

    Raises:
        ValueError: `random` or `oracle` (0 and 1) was not played.
    """
    import pandas as pd

    missing = {"random", "oracle"} - set(frame["policy"])
    if missing:
        raise ValueError(
            f"no episodes of {', '.join(sorted(missing))}; scores are relative to both"
        )
    bottom, top = (tasks(frame[frame["policy"] == n], "return") for n in ("random", "oracle"))
    rows = [
        (policy, seed, *_score(some, bottom, top), len(some))
        for policy, part in frame.groupby("policy") for seed, some in _by_seed(part)
    ]  # fmt: skip
    return pd.DataFrame(
        rows, columns=["policy", "training_seed", "score", "low", "high", "episodes"]
    )


def metric_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the held-out metrics by policy and tier, with intervals.

    Columns: policy, scenario, metric, mean, low, high, episodes.

    The mean of the episodes' shares; episodes without the metric (no spam, nothing closed) do not
    count, and where none has it there is no row.
    """
    import pandas as pd

    from env_lib.intervals import mean_interval

    rows = []
    for (policy, scenario), part in frame.groupby(["policy", "scenario"]):
        for column in (c for c in frame if c.startswith(_PREFIX)):
            if count := int(part[column].notna().sum()):
                found = mean_interval(tasks(part, column).tolist())
                rows.append((policy, scenario, column.removeprefix(_PREFIX), *found, count))
    names = ["policy", "scenario", "metric", "mean", "low", "high", "episodes"]
    return pd.DataFrame(rows, columns=names)


def by_source(pairs: Sequence[tuple[int, Episode]]) -> pd.DataFrame:
    """Return what policies got right and earned a decision, by the source of the truth.

    Columns: policy, source, split, measure (`right`: share of decisions that are the oracle's;
    `reward`: of the step, on the last one with what the end pays), mean, low, high, decisions.
    Episodes are played again for it; a task's decisions of one source are averaged first. Steps
    that only prepare are left out (`agreement.py`).
    """
    import pandas as pd

    from env_lib.evaluation import action_pairs
    from env_lib.intervals import mean_interval

    made = [row | {"split": e.split} for _, e in pairs for row in action_pairs([e])]
    rows = []
    for key, part in pd.DataFrame(made).groupby(["policy", "source", "split"]):
        for measure in ("right", "reward"):
            found = mean_interval(tasks(part, measure).tolist())
            rows.append((*key, measure, *found, len(part)))
    names = ["policy", "source", "split", "measure", "mean", "low", "high", "decisions"]
    return pd.DataFrame(rows, columns=names)


def differences(frame: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Return `a` minus `b` in return on the same tasks, by tier and over all: mean, low, high.

    Columns: a, b, scenario, training_seed, mean, low, high, tasks. The row "all" of `scenario` is
    the mean of the tiers. By training seed, `b` is taken from the same seed where it was trained.
    """
    import pandas as pd

    rows = []
    for a, b in pairs:
        other = frame[frame["policy"] == b]
        for seed, part in _by_seed(frame[frame["policy"] == a]):
            own = other[other["training_seed"].astype(str) == seed]
            base = tasks(own if len(own) else other, "return")
            gain = (tasks(part, "return") - base).dropna()
            tiers = {tier: g.to_numpy() for tier, g in gain.groupby("scenario")}
            if len(tiers) == 0:
                continue
            whole = {ALL: list(tiers.values())}
            for tier, groups in ({t: [g] for t, g in tiers.items()} | whole).items():
                rows.append((a, b, tier, seed, *over_tiers(groups), sum(map(len, groups))))
    names = ["a", "b", "scenario", "training_seed", "mean", "low", "high", "tasks"]
    return pd.DataFrame(rows, columns=names)
