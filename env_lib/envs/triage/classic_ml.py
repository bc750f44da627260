"""Classic control: TF-IDF and logistic regression (scikit-learn) on the train split's episodes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from env_lib.core import Action, Observation
from env_lib.envs.triage.env import TriageAction, TriageEnv, TriageObservation
from env_lib.envs.triage.scenario import SCENARIOS
from env_lib.rollout import Policy

TRAIN_EPISODES = 4
"""Train-split episodes a tier."""


def features(obs: TriageObservation) -> str:
    """The thread's words and its author's public statistics as tokens."""
    thread, author = obs.thread, obs.author
    assert thread is not None and author is not None
    merged = "m0" if author.merged == 0 else "m5" if author.merged <= 5 else "many"
    age = "d60" if author.account_days < 60 else "d365" if author.account_days < 365 else "dold"
    near = int(min(obs.similar[0][2], 60) // 10) if obs.similar else 0
    tags = f"kind_{thread.kind} author_{merged} account_{age} first_{author.first} near_{near} age_{thread.age_days == 0}"
    return f"{thread.title} {thread.title} {thread.body} {tags}"


def target(action: TriageAction) -> str:
    """The class of an action: its type, with its label where it has one."""
    return f"label/{action.label}" if action.action_type == "label" else action.action_type


@lru_cache(maxsize=1)
def fitted() -> Any:
    """Fit on what the oracle does in train-split episodes of every tier; deterministic."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts, classes = [], []
    for tier in SCENARIOS:
        env = TriageEnv(scenario=tier, split="train")
        for seed in range(TRAIN_EPISODES):
            obs = env.reset(seed=10_000 + seed)
            while not obs.done:
                action = env.oracle_action()
                texts.append(features(obs))
                classes.append(target(action))
                obs = env.step(action)
    model = make_pipeline(
        TfidfVectorizer(token_pattern=r"[A-Za-z_0-9]+", ngram_range=(1, 2), min_df=2, sublinear_tf=True),
        LogisticRegression(C=10.0, max_iter=300),
    )
    return model.fit(texts, classes)


def best_by_value(chances: dict[str, float]) -> str:
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
        assert isinstance(obs, TriageObservation) and obs.thread is not None
        model = fitted()
        chances = dict(zip(model.classes_, model.predict_proba([features(obs)])[0], strict=True))
        kind, _, label = best_by_value(chances).partition("/")
        fields: dict[str, Any] = {"label": label} if label else {}
        if kind == "link_duplicate":
            fields["duplicate_of"] = obs.similar[0][0] if obs.similar else 1
        if kind == "assign":
            fields["assignee_area"] = "core"
        return TriageAction(action_type=kind, target_issue_id=obs.thread.number, **fields)
