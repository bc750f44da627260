"""What the maintainers did with a thread, as one primary action and its acceptable neighbours.

A record is one fact record of `data/triage/*.jsonl` (fields: `data/triage/README.md`). `RULES` are
asked in order and the first that answers decides. Its answer says where it comes from:
`maintainer`, an act that the record shows, or `category`, the recorded type where it shows none.

Weak records. `evidence` that begins with "state only": nothing but the state was seen, so only a
merge counts as an act. `state_verified` false: the state may be out of date, so no rule concludes
from it; acts seen in the text (a question, a label, a link) still count. What is left is judged by
category, which holds for an issue whatever its state. For a pull request it says nothing of the
outcome: `scored` is false there and episodes leave the thread out.

Not covered: when an act happened, several acts on one thread, and spam that maintainers closed
(the facts name no field for it).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

ACTIONS = (
    "label",
    "close_spam",
    "request_info",
    "link_duplicate",
    "assign",
    "comment",
    "merge_pr",
    "query_history",
    "wait",
)
LABELS = ("bug", "feature", "question", "docs", "install", "performance", "maintenance")
AREAS = ("core", "docs", "build", "community")

AREA_OF = {
    "bug": "core",
    "feature": "core",
    "performance": "core",
    "docs": "docs",
    "install": "build",
    "maintenance": "build",
    "question": "community",
}

# action -> (acceptable always, acceptable too where the thread is under-described);
# `label` counts as acceptable only with a right label, which is the environment's to check.
ACCEPTABLE: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "merge_pr": (frozenset(), frozenset()),
    "link_duplicate": (frozenset({"comment"}), frozenset()),
    "request_info": (frozenset({"comment"}), frozenset()),
    "label": (frozenset(), frozenset({"request_info"})),
    "comment": (frozenset(), frozenset({"request_info"})),
    "wait": (frozenset({"comment"}), frozenset()),
    "assign": (frozenset({"label", "comment"}), frozenset()),
}

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Truth:
    """The maintainers' answer to one thread; hidden from policies."""

    action: str
    """The primary action, one of ACTIONS."""
    label: str | None
    """The right type, one of LABELS; None where the record has no category."""
    labels: frozenset[str]
    """Every type that holds: those the thread carries, and `label`."""
    duplicate_of: int | None
    """The older thread, for `link_duplicate` alone."""
    assignee_area: str | None
    """One of AREAS, for `assign` alone."""
    acceptable: frozenset[str]
    """Actions that earn the partial score."""
    source: str
    """"maintainer" or "category"."""
    scored: bool
    """False: the record does not show the outcome, so the thread stays out of episodes."""


class Finding(NamedTuple):
    """What one rule concludes; the rest of a Truth follows from the action and the record."""

    action: str
    label: str | None = None
    duplicate_of: int | None = None
    source: str = "maintainer"
    scored: bool = True


_TYPE_WORDS = {
    "bug": ("bug", "bug report", "regression", "defect"),
    "feature": ("feature", "feature request", "new feature", "enhancement", "improvement"),
    "question": ("question", "support", "usage question"),
    "docs": ("docs", "doc", "documentation"),
    "install": ("install", "installation", "packaging"),
    "performance": ("performance", "perf", "slow", "speed"),
    "maintenance": ("maintenance", "refactor", "refactoring", "chore", "dependencies", "ci"),
}
_TYPE_OF = {word: label for label, words in _TYPE_WORDS.items() for word in words}
_QUALIFIERS = frozenset({"type", "kind", "category", "urgent", "critical", "minor", "confirmed"})


def type_label(label: str) -> str | None:
    """The type that a repository's own label names ("🐛 bug" -> "bug"), None for other labels."""
    words = re.sub(r"[^a-z]+", " ", label.casefold()).split()
    return _TYPE_OF.get(" ".join(word for word in words if word not in _QUALIFIERS))


def type_labels(record: Record) -> tuple[str, ...]:
    """The types among a record's labels, in their order, each once."""
    found = (type_label(label) for label in record.get("labels") or ())
    return tuple(dict.fromkeys(label for label in found if label))


def under_described(record: Record) -> bool:
    """A bug, install or performance issue with neither repro, versions nor traceback.

    Unknown (None or absent, as in an imported table) is not the same as absent: it gives False.
    """
    parts = (record.get(key) for key in ("has_repro", "has_versions", "has_traceback"))
    described = any(part is None or bool(part) for part in parts)
    asks = record["kind"] == "issue" and record.get("category") in ("bug", "install", "performance")
    return asks and not described


def _seen(record: Record, key: str) -> Any:
    return (record.get("maintainer") or {}).get(key)


def _state_only(record: Record) -> bool:
    return str(record.get("evidence") or "").startswith("state only")


def _verified(record: Record) -> bool:
    return bool(record.get("state_verified", True))


def _closed(record: Record) -> bool:
    """Closed by its state or by a remark; some stored states lag behind the remark."""
    return record["state"] == "closed" or _seen(record, "closed_as") is not None


def _right_label(record: Record) -> str | None:
    types = type_labels(record)
    category = record.get("category")
    return category if not types or category in types else types[0]


def merged_pull_request(record: Record) -> Finding | None:
    """Merged pull request -> `merge_pr`; its state shows it, so "state only" will do."""
    merged = record["state"] == "merged" or _seen(record, "merged") is True
    return Finding("merge_pr") if record["kind"] == "pull_request" and merged else None


def duplicate_of_older(record: Record) -> Finding | None:
    """Duplicate of an older thread -> `link_duplicate`; a newer one could not be linked yet."""
    target = _seen(record, "duplicate_of")
    older = target is not None and 0 < target < record["number"]
    return Finding("link_duplicate", duplicate_of=target) if older else None


def asked_for_information(record: Record) -> Finding | None:
    """A maintainer asked for a reproduction, versions or logs -> `request_info`."""
    return Finding("request_info") if _seen(record, "asked_for_info") else None


def type_label_set(record: Record) -> Finding | None:
    """A type label is set -> `label` with it; of several, the one that is also the category."""
    shown = type_labels(record) and not _state_only(record)
    return Finding("label", label=_right_label(record)) if shown else None


def assigned(record: Record) -> Finding | None:
    """Somebody was assigned (`assignees`, live pull only) -> `assign` with the type's area."""
    return Finding("assign") if record.get("assignees") else None


def answered_and_closed(record: Record) -> Finding | None:
    """Answered, then closed with no change -> `comment`."""
    changed = _seen(record, "fixed_by") is not None or record["state"] == "merged"
    answered = _seen(record, "answered") and _verified(record) and _closed(record)
    return Finding("comment") if answered and not changed else None


def fixed_by_change(record: Record) -> Finding | None:
    """Another change fixed it, so it was taken as valid -> `label` with the category."""
    fixed = _seen(record, "fixed_by") is not None and not _state_only(record)
    return Finding("label", label=record.get("category")) if fixed else None


def nothing_done(record: Record) -> Finding | None:
    """Open, and no maintainer spoke -> `wait`.

    A pull request closed unmerged without a word is an act that no action stands for: not scored.
    """
    silent = _verified(record) and not _state_only(record) and not _seen(record, "answered")
    if not silent or record["state"] == "merged":
        return None
    if _closed(record):
        unmerged = record["kind"] == "pull_request"
        return Finding("wait", scored=False) if unmerged else None
    return Finding("wait")


def by_category(record: Record) -> Finding:
    """No act is shown -> `label` with the category; a pull request is then not scored."""
    scored = record["kind"] == "issue"
    return Finding("label", label=record.get("category"), source="category", scored=scored)


RULES: tuple[Callable[[Record], Finding | None], ...] = (
    merged_pull_request,
    duplicate_of_older,
    asked_for_information,
    type_label_set,
    assigned,
    answered_and_closed,
    fixed_by_change,
    nothing_done,
    by_category,
)


def truth_of(record: Record) -> Truth:
    """The truth of one record: the first of RULES that answers, and what follows from it."""
    found = next(finding for rule in RULES if (finding := rule(record)) is not None)
    label = found.label or _right_label(record)
    always, if_under_described = ACCEPTABLE[found.action]
    return Truth(
        action=found.action,
        label=label,
        labels=frozenset(type_labels(record)) | ({label} if label else set()),
        duplicate_of=found.duplicate_of,
        assignee_area=AREA_OF.get(label or "", "core") if found.action == "assign" else None,
        acceptable=always | (if_under_described if under_described(record) else frozenset()),
        source=found.source,
        scored=found.scored,
    )
