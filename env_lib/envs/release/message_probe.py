"""Whether the messages of commits tell the cause: a classifier that sees nothing else.

Of each episode it sees the messages on the changed service, which the log names; it is fitted on
other episodes of the split, and names the commit that looks most like a cause. Whoever only
guesses is right once in as many commits as there are.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from env_lib.envs.release.world import SIZES, build

EPISODES, FOLDS = 100, 5
"""Episodes of each scenario, and the parts that they are fitted and judged in."""
ERRORS = 3.0
"""Standard errors above guessing from which on the messages tell the cause."""


def gain(split: str, episodes: int = EPISODES) -> tuple[float, float]:
    """Return how often the probe is right above guessing, and the standard error of that."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    texts, labels, groups = [], [], []
    for number, (tier, seed) in enumerate((t, s) for t in SIZES for s in range(episodes)):
        world = build(split, tier, seed)
        own = [commit for commit in world.history if commit.service == world.provider]
        random.Random(number).shuffle(own)  # its place must not tell either
        texts += [commit.message.partition(": ")[2] for commit in own]
        labels += [commit.id == world.causal for commit in own]
        groups += [number] * len(own)
    model = make_pipeline(
        CountVectorizer(ngram_range=(1, 2), binary=True), LogisticRegression(max_iter=300)
    )
    chance = cross_val_predict(
        model, texts, labels, groups=groups, cv=GroupKFold(FOLDS), method="predict_proba"
    )[:, 1]
    above = []
    for number in sorted(set(groups)):
        rows = [row for row, group in enumerate(groups) if group == number]
        best = max(rows, key=chance.__getitem__)
        above.append(labels[best] - 1 / len(rows))
    return float(np.mean(above)), float(np.std(above) / np.sqrt(len(above)))


def messages_tell_no_cause(split: str, seeds: Sequence[int]) -> str:
    """The probe is no better than guessing, by more than chance explains; for leak checks."""
    above, error = gain(split)
    if above <= ERRORS * error:
        return ""
    return f"messages alone name the cause {above:+.2f} above guessing (standard error {error:.2f})"
