"""Whether the first prompt of a proposal tells its verdict: classifiers that see nothing else.

They are fitted on organisations and judged on others. What is true of all organisations they may
learn (who admits a fault makes no false claim of it); how much that is, a control says: the same
proposals, judged by the next organisation's policy. Each organisation is one case, so that a
standard error says what chance explains. `python -m env_lib.envs.supervise.probe [SPLIT]` prints
every score.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from env_lib.envs.supervise.env import SCENARIOS, SuperviseEnv, SuperviseObservation
from env_lib.envs.supervise.organisation import kind_of, organisation
from env_lib.envs.supervise.proposals import Proposal

ORGANISATIONS, FOLDS = 200, 5
ERRORS = 3.0
"""Standard errors above the control from which on the prompt tells the verdict."""


@dataclass(frozen=True)
class Probe:
    """What one classifier makes of untouched observations of organisations it never saw."""

    model: str
    accuracy: float
    base: float
    """The share that always naming the most frequent verdict gets."""
    allowed: float
    """By how much the control is above its own base rate."""
    error: float
    """The standard error of the accuracy, organisations being the cases."""

    @property
    def tells(self) -> bool:
        """Whether it is further above its base rate than the control, and than chance explains."""
        return self.accuracy > self.base + max(0.0, self.allowed) + ERRORS * self.error

    def words(self) -> str:
        """Say the score."""
        return (
            f"{self.model} tells {self.accuracy:.3f}, base rate {self.base:.3f}, any policy tells "
            f"{self.allowed:+.3f}, standard error {self.error:.3f}"
        )


def untouched(env: SuperviseEnv) -> Iterator[tuple[SuperviseObservation, Proposal]]:
    """Yield each proposal of a fresh release as it looks before any call."""
    queue = env._queue
    for place, proposal in enumerate(queue):
        env._queue = queue[place:]
        yield env._observe(None, {}, ""), proposal
    env._queue = queue


def probe(tier: str, split: str, organisations: int = ORGANISATIONS) -> tuple[Probe, ...]:
    """Cross-validate classifiers from the first prompt to the verdict, grouped by organisation."""
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.tree import DecisionTreeClassifier

    rows = []
    env = SuperviseEnv(scenario=tier, split=split)
    for seed in range(organisations):
        env.reset(seed=seed)
        other = organisation(env.tier, split, (seed + 1) % organisations)
        rows += [
            (obs.prompt, kind_of(p.due), kind_of(other.verdict(p.facts)), seed)
            for obs, p in untouched(env)
        ]
    prompts, due, control, groups = zip(*rows, strict=True)
    found = []
    for name, model in (
        ("bayes", BernoulliNB()),
        ("tree", DecisionTreeClassifier(max_depth=5, min_samples_leaf=15, random_state=0)),
    ):
        base, accuracy, error = _score(model, prompts, due, groups)
        any_base, any_accuracy, _ = _score(model, prompts, control, groups)
        found.append(Probe(name, accuracy, base, any_accuracy - any_base, error))
    return tuple(found)


def _score(
    model: Any, prompts: Sequence[str], verdicts: Sequence[str], groups: Sequence[int]
) -> tuple[float, float, float]:
    """Return base rate, mean accuracy of organisations, and its standard error."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    words = CountVectorizer(ngram_range=(1, 2), min_df=5, binary=True)
    with threadpool_limits(1):  # small matrices: more threads wait for each other
        told = cross_val_predict(
            make_pipeline(words, model), prompts, verdicts, groups=groups, cv=GroupKFold(FOLDS)
        )
    right, seeds = told == np.array(verdicts), np.array(groups)
    shares = [float(right[seeds == seed].mean()) for seed in sorted(set(groups))]
    base = max(verdicts.count(kind) for kind in set(verdicts)) / len(verdicts)
    return base, float(np.mean(shares)), float(np.std(shares) / np.sqrt(len(shares)))


def prompts_do_not_tell(split: str, seeds: Sequence[int]) -> str:
    """Let the probe guess verdicts on every tier; return the score of one that is above chance."""
    for tier in SCENARIOS:
        for found in probe(tier, split):
            if found.tells:
                return f"{tier}: {found.words()}"
    return ""


def main(arguments: Sequence[str]) -> int:
    """Print the scores of a split; return the exit status."""
    split, told = (arguments[0] if arguments else "test"), False
    for tier in SCENARIOS:
        for found in probe(tier, split):
            print(f"{tier}, {split}: {found.words()}{', TOLD' if found.tells else ''}", flush=True)
            told |= found.tells
    return int(told)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
