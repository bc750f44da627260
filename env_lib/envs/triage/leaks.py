"""What must stay hidden in triage, and checks that it does: each returns what leaked, or ""."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from env_lib.envs.triage.env import TriageAction, TriageEnv, TriageObservation
from env_lib.envs.triage.scenario import SCENARIOS, SPAM_TRUTH, Item
from env_lib.envs.triage.spam import PATTERNS
from env_lib.envs.triage.truth import Truth

HIDDEN = frozenset(
    {
        "reputation", "role", "spam", "truth", "pattern", "stealth", "campaign", "appeals",
        "appeal_of", "acceptable", "under_described", "contradicts", "source", "scored", "outcome",
    }
)  # fmt: skip
"""Field names that no observation may have, at any depth."""
AUC_BAND = (0.4, 0.6)
_REAL_TRUTH = Truth("label", "bug", frozenset({"bug"}), None, None, frozenset(), "category", True)


def keys_of(value: Any) -> Iterator[str]:
    """Yield every key of nested JSON."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from keys_of(inner)


def leaked(obs: TriageObservation, item: Item | None) -> str:
    """Say what an observation of `item` tells of the hidden."""
    names = HIDDEN & set(keys_of(obs.model_dump()))
    if names:
        return f"field {min(names)!r} is in the observation"
    text = obs.model_dump_json()
    values = PATTERNS if item is None else (*PATTERNS, repr(item.author.reputation))
    shown = [value for value in values if value in text]
    return f"hidden value {shown[0]!r} is in the observation" if shown else ""


def observations_hide(split: str, seeds: Sequence[int]) -> str:
    """Walk shifts that query and close, and look at every observation."""
    for tier in SCENARIOS:
        env = TriageEnv(scenario=tier, split=split)
        obs = env.reset(seed=seeds[0])
        kinds = ("query_history", "close_spam", "query_history", "wait")
        while not obs.done:
            if leak := leaked(obs, env._current()):
                return f"{tier} step {obs.step}: {leak}"
            assert obs.thread is not None
            kind = kinds[obs.step % len(kinds)]
            obs = env.step(TriageAction(action_type=kind, target_issue_id=obs.thread.number))
    return ""


def turned(item: Item) -> Item:
    """Return the same public thread with everything hidden the other way round."""
    author = replace(item.author, reputation=1.0 - item.author.reputation, role="spammer")
    truth, pattern = (_REAL_TRUTH, "") if item.spam else (SPAM_TRUTH, PATTERNS[0])
    return replace(
        item, author=author, truth=truth, spam=not item.spam, pattern=pattern, stealth=4,
        under_described=not item.under_described, appeals=False,
    )  # fmt: skip


def with_queue(env: TriageEnv, seed: int, queue: Sequence[Item]) -> TriageObservation:
    """Start a shift over another queue, nothing drawn beforehand shared with it."""
    env.reset(seed=seed)
    env._queue, env._drawn, env._shown = tuple(queue), {}, {}
    env._arrive()
    return env._observe(None, {}, "")


def truth_does_not_show(split: str, seeds: Sequence[int]) -> str:
    """Walk each shift twice, hidden parts turned round: all but the reward must be equal."""
    for tier in SCENARIOS:
        envs = [TriageEnv(scenario=tier, split=split) for _ in range(2)]
        envs[0].reset(seed=seeds[0])
        queue = [replace(item, appeals=False) for item in envs[0]._queue]
        queues = (queue, [turned(item) for item in queue])
        seen = [with_queue(env, seeds[0], q) for env, q in zip(envs, queues, strict=True)]
        while not seen[0].done:
            public = [obs.model_dump(exclude={"reward", "metadata"}) for obs in seen]
            if public[0] != public[1]:
                return f"{tier} step {seen[0].step}: the observation depends on the hidden truth"
            assert seen[0].thread is not None
            action = TriageAction(action_type="wait", target_issue_id=seen[0].thread.number)
            seen = [env.step(action) for env in envs]
    return ""


def _places(split: str, seeds: Sequence[int]) -> tuple[list[list[float]], list[bool]]:
    """Return (rank of the number within its repository, age) and spam or not, of all threads."""
    rows, spam = [], []
    for tier in ("E2", "E5"):
        env = TriageEnv(scenario=tier, split=split)
        for seed in seeds[:4]:
            env.reset(seed=seed)
            numbers: dict[str, list[int]] = {}
            for item in env._queue:
                numbers.setdefault(item.repo, []).append(item.number)
            for item in env._queue:
                of_repo = numbers[item.repo]
                rank = sum(n < item.number for n in of_repo) / len(of_repo)
                rows.append([rank, float(item.age_days)])
                spam.append(item.spam)
    return rows, spam


def numbers_do_not_tell(split: str, seeds: Sequence[int]) -> str:
    """Let classifiers on number and age alone guess spam: learned on other seeds, AUC near 0.5."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.tree import DecisionTreeClassifier

    rows, spam = _places(split, seeds)
    learn_rows, learn_spam = _places(split, [1000 + seed for seed in seeds])
    models = {
        "logistic": LogisticRegression(),
        "tree": DecisionTreeClassifier(max_depth=4, min_samples_leaf=50, random_state=0),
    }
    for name, model in models.items():
        chance = model.fit(learn_rows, learn_spam).predict_proba(rows)[:, 1]
        auc = float(roc_auc_score(spam, chance))
        if not AUC_BAND[0] <= auc <= AUC_BAND[1]:
            return f"{name} tells spam by number and age alone: AUC {auc:.2f}, wanted {AUC_BAND}"
    return ""


def returns_do_not_tell(split: str, seeds: Sequence[int]) -> str:
    """Compare how often the authors of spam and of real threads were seen before in a queue.

    From E3 on; the throwaway accounts of obvious spam are seen once, as their ages tell anyway.
    """
    for tier in ("E3", "E4", "E5"):
        env = TriageEnv(scenario=tier, split=split)
        back: dict[bool, list[bool]] = {True: [], False: []}
        for seed in seeds[:4]:
            env.reset(seed=seed)
            seen: set[str] = set()
            for item in env._queue:
                back[item.spam].append(item.author.handle in seen)
                seen.add(item.author.handle)
        spam, real = (sum(back[kind]) / len(back[kind]) for kind in (True, False))
        auc = 0.5 + (spam - real) / 2
        if not AUC_BAND[0] <= auc <= AUC_BAND[1]:
            return f"{tier}: an account seen before tells spam: AUC {auc:.2f}, wanted {AUC_BAND}"
    return ""


CHECKS: Mapping[str, Callable[[str, Sequence[int]], str]] = {
    "hidden fields and values": observations_hide,
    "hidden truth turned round": truth_does_not_show,
    "number and age alone": numbers_do_not_tell,
    "accounts seen before": returns_do_not_tell,
}
