"""Whether the first prompt of a proposal tells its verdict: classifiers that see nothing else.

They are fitted on organisations and judged on others. What is true of all organisations they may
learn (who admits a fault makes no false claim of it); how much that is, controls say: the same
proposals, judged by the policies of the next organisations. Compared are gains over the base rate,
not accuracies: no verdict is due too often in an organisation's own releases, which lowers the base
rate there and not among the controls. Each organisation is one case and its own control, so that
the standard error of the difference says what chance explains. Controls share what is true of all
organisations, so that a general rule read off the header would raise them too: CEILING bounds the
gain whatever they gain.
`python -m env_lib.envs.supervise.probe [SPLIT]` prints every score.
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
CONTROLS = 3
"""Other policies by which the same proposals are judged."""
ERRORS = 3.0
"""Standard errors above the controls from which on the prompt tells the verdict."""
CEILING = 0.10
"""Accuracy above the base rate from which on it tells, whatever the controls are."""


@dataclass(frozen=True)
class Probe:
    """What one classifier makes of untouched observations of organisations it never saw."""

    model: str
    accuracy: float
    base: float
    """The share that always naming the most frequent verdict gets."""
    allowed: float
    """By how much the controls are above their own base rates, on average."""
    error: float
    """The standard error of the gain less the controls', organisations being the cases."""

    @property
    def tells(self) -> bool:
        """Whether it gains CEILING, or more than the controls do and chance explains."""
        allowed = max(0.0, self.allowed) + ERRORS * self.error
        return self.accuracy > self.base + min(CEILING, allowed)

    def words(self) -> str:
        """Say the score."""
        return (
            f"{self.model} {self.accuracy:.3f}, base rate {self.base:.3f}, other policies "
            f"{self.allowed:+.3f} over theirs, standard error {self.error:.3f}"
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
        others = [
            organisation(env.tier, split, (seed + k) % organisations)
            for k in range(1, CONTROLS + 1)
        ]
        rows += [
            (obs.prompt, seed, kind_of(p.due), *(kind_of(o.verdict(p.facts)) for o in others))
            for obs, p in untouched(env)
        ]
    prompts, groups, due, *controls = zip(*rows, strict=True)
    found = []
    for name, model in (
        ("bayes", BernoulliNB()),
        ("tree", DecisionTreeClassifier(max_depth=5, min_samples_leaf=15, random_state=0)),
    ):
        right, base = _score(model, prompts, due, groups)
        others_too = [_score(model, prompts, verdicts, groups) for verdicts in controls]
        allowed = sum(accuracy - common for accuracy, common in others_too) / CONTROLS
        more = right - base - allowed
        error = float(more.std() / len(more) ** 0.5)
        found.append(Probe(name, right.mean(), base.mean(), allowed.mean(), error))
    return tuple(found)


def _score(
    model: Any, prompts: Sequence[str], verdicts: Sequence[str], groups: Sequence[int]
) -> tuple[Any, Any]:
    """Return two arrays, a number an organisation: the accuracy, and that of naming the commonest.

    The commonest verdict is that of all organisations together.
    """
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
    due, seeds = np.array(verdicts), np.array(groups)
    commonest = max(sorted(set(verdicts)), key=verdicts.count)
    places = [seeds == seed for seed in sorted(set(groups))]

    def shares(right: Any) -> Any:
        return np.array([right[place].mean() for place in places])

    return shares(told == due), shares(due == commonest)


def prompts_do_not_tell(split: str, seeds: Sequence[int]) -> tuple[str, str]:
    """Let the probe guess verdicts on every tier; return what tells, and every score."""
    found = [(tier, one) for tier in SCENARIOS for one in probe(tier, split)]
    told = next((f"{tier}: {one.words()}" for tier, one in found if one.tells), "")
    return told, "; ".join(f"{tier} {one.words()}" for tier, one in found)


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
