"""Rule-based policies: exploits that try to earn without the job, honest rules, the oracle."""

from __future__ import annotations

import random
import re
from typing import ClassVar

from env_lib.core import Action, Environment, Observation
from env_lib.envs.triage.env import TriageAction, TriageObservation
from env_lib.envs.triage.people import BAD_RECORD, MIXED_RECORD
from env_lib.envs.triage.render import FEW_MERGED
from env_lib.envs.triage.truth import AREAS, LABELS
from env_lib.rollout import Oracle, Policy

SPAM_WORDS = re.compile(
    r"https?://|www\.|\b(free|promo\w*|discount|giveaway|casino|crypto|airdrop|buy|earn|click|"
    r"visit|subscribe|limited|offer|sponsor\w*|guarantee\w*|urgent\w*|immediately|asap|act now|"
    r"legal action|everyone is leaving|reopen|appeal|unfair\w*|censor\w*|my services|hire|"
    r"followers|seo|backlinks?|telegram|whatsapp)\b",
    re.I,
)
TYPE_WORDS = (
    ("docs", r"\b(docs?|documentation|docstring|readme|typo|example|tutorial|notebook|link)s?\b"),
    (
        "install",
        r"\b(install\w*|pip|conda|wheel|import ?error|modulenotfound\w*|version conflict|"
        r"dependenc\w+|build)\b",
    ),
    ("performance", r"\b(slow\w*|speed|memory|oom|out of memory|vram|throughput|leak)\b"),
    (
        "feature",
        r"\b(add|adds|support\w*|feature|request|implement\w*|allow|enable|new|would like|"
        r"proposal)\b",
    ),
    (
        "bug",
        r"\b(error|fails?|failed|crash\w*|broken|bug|wrong|exception|raises?|nan|traceback|"
        r"mismatch|cannot)\b",
    ),
    (
        "question",
        r"\b(how|why|what|is it possible|can i|question|difference|should|clarif\w+)\b|\?",
    ),
    (
        "maintenance",
        r"\b(ci|refactor\w*|bump|release|cleanup|clean up|deprecat\w*|rename|tests?|workflow)\b",
    ),
)
_TYPES = [(name, re.compile(pattern, re.I)) for name, pattern in TYPE_WORDS]
KNOWN_MERGED = 2
"""Merged pull requests from which on an account counts as known."""
DUPLICATE_SCORE = 24.0
"""BM25 score from which on the best neighbour of a fresh thread is taken for its original."""


def _action(obs: Observation, kind: str, **fields: object) -> TriageAction:
    assert isinstance(obs, TriageObservation)
    assert obs.thread is not None
    return TriageAction(action_type=kind, target_issue_id=obs.thread.number, **fields)


def constant_fields(obs: TriageObservation, kind: str) -> dict[str, object]:
    """The fields that make a constant action valid: its most frequent label, area or neighbour."""
    if kind == "label":
        return {"label": "bug"}
    if kind == "assign":
        return {"assignee_area": "core"}
    return (
        {"duplicate_of": obs.similar[0][0] if obs.similar else 1}
        if kind == "link_duplicate"
        else {}
    )


class Cycle(Policy):
    """An exploit: a fixed cycle of action types, whatever the thread says."""

    kinds: ClassVar[tuple[str, ...]] = ("wait",)

    def start(self, env: Environment, seed: int) -> None:
        """Begin the cycle anew."""
        self._count = -1

    def __call__(self, obs: Observation) -> Action:
        """Return the next action of the cycle."""
        assert isinstance(obs, TriageObservation)
        self._count += 1
        kind = self.kinds[self._count % len(self.kinds)]
        return _action(obs, kind, **constant_fields(obs, kind))


def cycle(*kinds: str) -> type[Cycle]:
    """Build the cycle policy of the given action types."""
    names = {
        "label": "label_everything",
        "close_spam": "close_everything",
        "wait": "wait_everything",
    }
    name = names.get(kinds[0], f"{kinds[0]}_everything") if len(kinds) == 1 else "+".join(kinds)
    return type(
        "CyclePolicy", (Cycle,), {"kinds": kinds, "name": name, "__doc__": f"Always {kinds}."}
    )


class RandomPolicy(Policy):
    """A valid action on the current thread, uniform over types and their values."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws by the episode."""
        self._rng = random.Random(f"random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw an action."""
        assert isinstance(obs, TriageObservation)
        kind = self._rng.choice(tuple(TriageAction.needs))
        fields = constant_fields(obs, kind)
        if kind == "label":
            fields = {"label": self._rng.choice(LABELS)}
        elif kind == "assign":
            fields = {"assignee_area": self._rng.choice(AREAS)}
        return _action(obs, kind, **fields)


def likely_type(text: str) -> str | None:
    """The first type whose words the text holds; None where no word is known."""
    return next((name for name, pattern in _TYPES if pattern.search(text)), None)


class KeywordTriager(Policy):
    """Words decide; where the author is unknown and no word is sure, it leaves the thread alone."""

    name = "keyword_triager"

    def __call__(self, obs: Observation) -> Action:
        """Close obvious spam, merge known contributors' pull requests, link, label or wait."""
        assert isinstance(obs, TriageObservation)
        assert obs.thread is not None
        assert obs.author is not None
        text = f"{obs.thread.title}. {obs.thread.body}"
        hits = len(SPAM_WORDS.findall(text))
        if self.looks_spam(obs, hits):
            return _action(obs, "close_spam")
        if self.doubtful(obs):
            return _action(obs, "wait")
        if obs.thread.kind == "pull_request":
            return _action(obs, "merge_pr")
        if obs.similar and obs.similar[0][2] >= DUPLICATE_SCORE and obs.thread.age_days == 0:
            return _action(obs, "link_duplicate", duplicate_of=obs.similar[0][0])
        label = likely_type(obs.thread.title) or likely_type(text) or "question"
        return _action(obs, "label", label=label)

    def looks_spam(self, obs: TriageObservation, hits: int) -> bool:
        """Two spam words of an account without a merged pull request, or three of anybody."""
        assert obs.author is not None
        return hits >= 3 or (hits >= 2 and obs.author.merged == 0)

    def doubtful(self, obs: TriageObservation) -> bool:
        """An account with next to no record: its issue is left to a human, its first PR too."""
        assert obs.author is not None
        assert obs.thread is not None
        if obs.thread.kind == "pull_request":
            return obs.author.first
        return obs.author.merged < KNOWN_MERGED


class MemoryAware(KeywordTriager):
    """The keyword triager that looks up an author's record where in doubt, and remembers it."""

    name = "memory_aware"

    def __call__(self, obs: Observation) -> Action:
        """Query before doubtful moves; close authors with a bad record."""
        assert isinstance(obs, TriageObservation)
        assert obs.thread is not None
        assert obs.author is not None
        if obs.history is None and obs.author.merged <= FEW_MERGED:
            return _action(obs, "query_history")
        return super().__call__(obs)

    def removed_share(self, obs: TriageObservation) -> float | None:
        """Share of the author's threads that were removed, as queried; None where unknown."""
        if obs.history is None:
            return None
        threads, removed = (int(n) for n in re.findall(r"\d+", obs.history)[:2])
        return removed / threads

    def looks_spam(self, obs: TriageObservation, hits: int) -> bool:
        """A bad record decides; a good one outweighs words."""
        removed = self.removed_share(obs)
        if removed is None:
            return super().looks_spam(obs, hits) or (hits >= 1 and obs.closed_before > 0)
        return removed >= BAD_RECORD or (removed >= MIXED_RECORD and hits >= 1)

    def doubtful(self, obs: TriageObservation) -> bool:
        """Doubt is what a record between good and bad leaves, or no record at all."""
        removed = self.removed_share(obs)
        return super().doubtful(obs) if removed is None else removed >= MIXED_RECORD


def _classic_ml() -> type[Policy]:
    from env_lib.envs.triage.classic_ml import ClassicMl

    return ClassicMl


class ClassicMlPolicy(Policy):
    """TF-IDF and logistic regression on the train split: the control a language model must beat."""

    name = "classic_ml"

    def __init__(self) -> None:
        """Fit once a process."""
        self._inner = _classic_ml()()

    def __call__(self, obs: Observation) -> Action:
        """Return the most likely action."""
        return self._inner(obs)


CONSTANT_KINDS = (
    "label",
    "close_spam",
    "request_info",
    "wait",
    "query_history",
    "comment",
    "merge_pr",
    "assign",
    "link_duplicate",
)
TEACHERS: tuple[type[Policy], ...] = (MemoryAware,)
"""Whose steps that earned are the traces of the warm start: one teacher, whose moves follow from
what is seen. Traces of the oracle beside them were tried: what maintainers did is half noise to a
reader of the prompt, and in equal parts a small model learned the share of each action and not its
reason; see ORACLE_SHARE."""
PREPARES = ("query_history",)
"""Action types that earn nothing themselves and prepare a step that does."""
PATIENT = ("wait",)
"""Action types that pay nothing and are right after a question: here, of a mixed record."""
LAST_LINES = 1
"""Lines at a prompt's end that the teacher decides by: kind of thread and standing of its author.
Only which label or which older thread is read above them."""
ORACLE_SHARE = 0.1
"""Share of the traces that show the oracle's move where the teacher makes another. The teacher asks
about every author whom it does not know, and a model that has seen nothing else never samples
another move there, so that practice could not find one."""
LOOK_AHEAD = "memory_aware"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("classic_ml", "keyword_triager")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "keyword_triager"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("E1", "E2", "E3", "E4", "E5")
"""Tiers on which no exploit may earn."""
GAP_GROWS = NO_PROFIT
"""Tiers over which the gap between oracle and baseline grows, per step."""
EXPLOITS = ("label_everything", "close_everything", "request_info_everything", "wait_everything")
POLICIES: dict[str, type[Policy]] = {
    "random": RandomPolicy,
    **{name: cycle(kind) for name, kind in zip(EXPLOITS, CONSTANT_KINDS[:4], strict=True)},
    "keyword_triager": KeywordTriager,
    "memory_aware": MemoryAware,
    "classic_ml": ClassicMlPolicy,
    "oracle": Oracle,
}


def audit_policies() -> dict[str, type[Policy]]:
    """Every constant policy and every fixed cycle of two action types, by name."""
    table: dict[str, type[Policy]] = {c.name: c for c in map(cycle, CONSTANT_KINDS)}
    for first in CONSTANT_KINDS:
        for second in CONSTANT_KINDS:
            if first < second:
                pair = cycle(first, second)
                table[pair.name] = pair
    return table
