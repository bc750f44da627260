"""Classic control: TF-IDF and logistic regression (scikit-learn) on the train split's episodes."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from env_lib.core import Action, Observation
from env_lib.envs.triage.env import TriageAction, TriageEnv, TriageObservation
from env_lib.envs.triage.scenario import SCENARIOS
from env_lib.rollout import Policy

TRAIN_EPISODES = 3
"""Train-split episodes a tier."""
SPAM_SHARE = 0.3
"""Share of spam in training: what a queue brings in peace, so that real threads are not closed."""

Features = tuple[str, str]
_TOKEN = re.compile(r"[a-z_0-9]+")


def features(obs: TriageObservation) -> Features:
    """The thread's words, and its kind, age and author's public statistics as tags."""
    thread, author = obs.thread, obs.author
    assert thread is not None
    assert author is not None
    merged = "m0" if author.merged == 0 else "m5" if author.merged <= 5 else "many"
    age = "d60" if author.account_days < 60 else "d365" if author.account_days < 365 else "dold"
    near = int(min(obs.similar[0][2], 60) // 10) if obs.similar else 0
    fresh = thread.age_days == 0
    account = f"author_{merged} account_{age} first_{author.first}"
    tags = f"{thread.kind} {account} near_{near} fresh_{fresh}"
    return f"{thread.title} {thread.title} {thread.body}".lower(), tags


def target(action: TriageAction) -> str:
    """The class of an action: its type, with its label where it has one."""
    return f"label/{action.label}" if action.action_type == "label" else action.action_type


def examples() -> list[tuple[Features, str]]:
    """What the oracle does in train-split episodes: each real thread once, and spam to its share.

    A thread that comes in many episodes would be learned by heart, and the unknown taken for spam.
    """
    real: dict[tuple[str, int], tuple[Features, str]] = {}
    spam: list[tuple[Features, str]] = []
    for tier in SCENARIOS:
        env = TriageEnv(scenario=tier, split="train")
        for seed in range(TRAIN_EPISODES):
            obs = env.reset(seed=10_000 + seed)
            while not obs.done:
                action, thread = env.oracle_action(), obs.thread
                row = (features(obs), target(action))
                assert thread is not None
                if action.action_type == "close_spam":
                    spam.append(row)
                else:
                    real.setdefault((thread.repo, thread.number), row)
                obs = env.step(action)
    wanted = int(len(real) * SPAM_SHARE / (1 - SPAM_SHARE))
    return [*real.values(), *random.Random(0).sample(spam, min(wanted, len(spam)))]


@lru_cache(maxsize=1)
def fitted() -> tuple[Any, Any, Any]:
    """Fit on `examples()`; deterministic. Returns (word vectoriser, tag vectoriser, model)."""
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    words = TfidfVectorizer(token_pattern=_TOKEN.pattern, min_df=2, sublinear_tf=True)
    tags = CountVectorizer(token_pattern=r"\S+", lowercase=False, binary=True)
    rows, classes = zip(*examples(), strict=True)
    inputs = hstack(
        [words.fit_transform([r[0] for r in rows]), tags.fit_transform([r[1] for r in rows])]
    )
    with threadpool_limits(1):  # small matrices: more threads wait for each other
        return words, tags, LogisticRegression(max_iter=300).fit(inputs, classes)


@lru_cache(maxsize=65536)
def chances_of(row: Features) -> Mapping[str, float]:
    """The chance of each class, as `predict_proba` gives it, without its checks."""
    import numpy as np

    words, tags, model = fitted()
    found = Counter(w for w in _TOKEN.findall(row[0]) if w in words.vocabulary_)
    at = [words.vocabulary_[w] for w in found]
    values = (1.0 + np.log(list(found.values()))) * words.idf_[at]
    values = values / (np.linalg.norm(values) or 1.0)
    first = len(words.vocabulary_)
    marks = [first + tags.vocabulary_[t] for t in row[1].split() if t in tags.vocabulary_]
    logits = model.coef_[:, at] @ values + model.coef_[:, marks].sum(axis=1) + model.intercept_
    chances = np.exp(logits - logits.max())
    return dict(zip(model.classes_, (chances / chances.sum()).tolist(), strict=True))


def best_by_value(chances: Mapping[str, float]) -> str:
    """The class of the highest expected reward, by the reward table; `wait` is worth 0.

    A closing earns 2.0 on spam and costs 4.5 on a real thread; another move earns 1.0 (a label
    1.4), costs 0.5 where it is wrong and 1.2 on spam.
    """
    spam = chances.get("close_spam", 0.0)
    values = {"wait": 0.0, "close_spam": 2.0 * spam - 4.5 * (1.0 - spam)}
    for name, chance in chances.items():
        if name not in values:
            gain = 1.4 if name.startswith("label/") else 1.0
            values[name] = gain * chance - 1.2 * spam - 0.5 * (1.0 - chance - spam)
    return max(values, key=values.__getitem__)


class ClassicMl(Policy):
    """The class of the highest expected reward on the current thread."""

    name = "classic_ml"

    def __call__(self, obs: Observation) -> Action:
        """Return the action of the best class."""
        assert isinstance(obs, TriageObservation)
        assert obs.thread is not None
        kind, _, label = best_by_value(chances_of(features(obs))).partition("/")
        fields: dict[str, Any] = {"label": label} if label else {}
        if kind == "link_duplicate":
            fields["duplicate_of"] = obs.similar[0][0] if obs.similar else 1
        if kind == "assign":
            fields["assignee_area"] = "core"
        return TriageAction(action_type=kind, target_issue_id=obs.thread.number, **fields)
