"""Metrics that judge a shift and are never part of the reward, counted step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from env_lib.envs.triage.scenario import Item

if TYPE_CHECKING:
    from env_lib.envs.triage.env import TriageAction

GATE_RECALL = 0.75
"""Spam recall from which on the terminal reward is paid in full."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one shift; immutable, so that branches share it."""

    threads: int
    spam: int
    newcomers: int
    done: int = 0
    closed: int = 0
    spam_closed: int = 0
    newcomers_closed: int = 0
    labels: int = 0
    labels_right: int = 0
    duplicates: int = 0
    duplicates_right: int = 0
    requests: int = 0
    requests_needless: int = 0
    judged: int = 0
    same: int = 0
    same_by_maintainer: int = 0
    judged_by_maintainer: int = 0

    @classmethod
    def of(cls, queue: Sequence[Item]) -> Tally:
        """Start counting for a queue."""
        newcomers = sum(item.author.role == "newcomer" for item in queue if not item.spam)
        return cls(len(queue), sum(item.spam for item in queue), newcomers)

    def after(self, action: TriageAction, item: Item, outcome: str) -> Tally:
        """Return the counts after one decision."""
        kind, truth = action.action_type, item.truth
        same = outcome == "same"
        newcomer = not item.spam and item.author.role == "newcomer"
        by_maintainer = truth.source == "maintainer"
        return replace(
            self,
            done=self.done + (kind != "wait" or same),
            closed=self.closed + (kind == "close_spam"),
            spam_closed=self.spam_closed + (kind == "close_spam" and item.spam),
            newcomers_closed=self.newcomers_closed + (kind == "close_spam" and newcomer),
            labels=self.labels + (kind == "label" and not item.spam),
            labels_right=self.labels_right + (kind == "label" and action.label in truth.labels),
            duplicates=self.duplicates + (truth.action == "link_duplicate"),
            duplicates_right=self.duplicates_right + (truth.action == "link_duplicate" and same),
            requests=self.requests + (kind == "request_info"),
            requests_needless=self.requests_needless
            + (kind == "request_info" and (item.spam or not item.under_described)),
            judged=self.judged + 1,
            same=self.same + same,
            judged_by_maintainer=self.judged_by_maintainer + by_maintainer,
            same_by_maintainer=self.same_by_maintainer + (by_maintainer and same),
        )

    def completion(self) -> float:
        """Share of threads decided; a `wait` counts where the maintainers waited too."""
        return self.done / self.threads

    def spam_gate(self) -> float:
        """Spam recall over GATE_RECALL, at most 1; 1 where there is no spam."""
        return min(1.0, self.spam_closed / self.spam / GATE_RECALL) if self.spam else 1.0

    def metrics(self) -> dict[str, float]:
        """Return the held-out metrics; a share of nothing is left out."""
        shares = {
            "spam_precision": (self.spam_closed, self.closed),
            "spam_recall": (self.spam_closed, self.spam),
            "label_accuracy": (self.labels_right, self.labels),
            "duplicate_accuracy": (self.duplicates_right, self.duplicates),
            "needless_requests": (self.requests_needless, self.requests),
            "newcomers_wrongly_closed": (self.newcomers_closed, self.newcomers),
            "agreement": (self.same, self.judged),
            "agreement_maintainer_truth": (self.same_by_maintainer, self.judged_by_maintainer),
            "queue_completion": (self.done, self.threads),
        }
        return {name: part / whole for name, (part, whole) in shares.items() if whole}
