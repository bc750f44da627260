"""The prompt: sections in order of priority until the token budget is full.

Tokens are estimated by `language.count_tokens`; the system prompt is not counted. Header, policy
(where it is told) and foot are always whole, and so is what tells a fact in an artefact that was
looked at, however many others were: a short budget shows less of the rest, and fewer precedents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from env_lib.envs.supervise.facts import DIFF
from env_lib.envs.supervise.notes import ProposalView, Seen, case_text
from env_lib.envs.supervise.proposals import Case
from env_lib.envs.supervise.reading import changes, is_telling
from env_lib.language import count_tokens, cut

MARGIN = 0.92
"""Share of the budget that the estimate may fill."""
ERROR_TOKENS, LEAST_ERROR = 64, 20
"""Tokens of an error where there is room beside artefacts and nearest precedents, and anyway."""
VALUE_LETTERS = 16
"""Letters of a wrong value that an error shows."""
_WRONG = re.compile(
    r"(\w+)(?:: Input should be (?P<one>'.+'); got (?P<got>.+)"
    r"| (?P<kind>.+) is unknown; known: (?P<known>.+))"
)
"""How `language.parse_action` words a value that is none of a field's."""
MENTIONED = 4
"""Added lines above which a shortened diff says how many there are."""
FIRST = 2
"""Lines of a log and of a list of packages that hold its facts."""
CASE_TOKENS = 52
"""Room kept for the nearest precedents, two or three, beside what tells the artefacts' facts."""


class Status(NamedTuple):
    """What a prompt tells beside the proposal."""

    seen: Seen
    said: tuple[str, ...]
    """The worker's answers."""
    caught: str
    """What this kind of worker was caught at, "" where nothing."""
    feedback: str
    error: str
    rules: str
    """The policy in words, for the upper bound alone."""
    more: bool
    """Whether precedents of this area are left to look up."""
    looks: int
    open: int
    step: int
    budget: int


@lru_cache(maxsize=20_000)
def header_text(p: ProposalView) -> str:
    """Return the header of a proposal."""
    again = " again" if p.version > 1 else ""
    risky = ", risky" if p.risky else ""
    package = ", deps +1" if p.adds_package else ""
    incident = "no incident" if p.incident == "none" else f"incident in {p.incident}"
    return (
        f"proposal {p.id}{again}: {p.area}{risky}, {p.phase}, {p.day}, {p.type} by {p.worker} "
        f"for {p.author}, {p.title}, {incident}\n"
        f"says {', '.join(p.claims)}; head {p.head}{package}"
    )


@lru_cache(maxsize=20_000)
def _parts(name: str, text: str, area: str) -> tuple[str, str]:
    """Return what of an artefact is always shown, and what is shown where there is room.

    Of a diff: its files and the lines that tell a fact by themselves, then the other added lines,
    those of files that add little first, so that a long table hides nothing. Of a log and of a list
    of packages: its first two lines, then the others.
    """
    if name != DIFF:
        lines = text.splitlines()
        return f"{name}: {'; '.join(lines[:FIRST])}", "; ".join(lines[FIRST:])
    files = changes(text)
    heads = [
        f.path.removeprefix(f"{area}/").removesuffix(".py")
        + (f" +{len(f.added)}" if len(f.added) > MENTIONED else "")
        for f in files
    ]
    added = [line for f in sorted(files, key=lambda f: len(f.added)) for line in f.added]
    telling = [f"+{line.strip()}" for line in added if is_telling(line)]
    others = [f"+{line.strip()}" for line in added if line.strip() and not is_telling(line)]
    return "; ".join([f"diff: {', '.join(heads)}", *telling]), " ".join(others)


def least(name: str, text: str, area: str) -> int:
    """Return the tokens that an artefact's excerpt needs at least."""
    first, rest = _parts(name, text, area)
    return count_tokens(f"{first}; ..." if rest else first)


@lru_cache(maxsize=20_000)
def excerpt(name: str, text: str, area: str, tokens: int) -> str:
    """Return an artefact within `tokens`, or within what it needs at least where that is more."""
    if name == DIFF and count_tokens(text) <= tokens:
        return text.rstrip("\n")
    first, rest = _parts(name, text, area)
    if not rest:
        return first
    return f"{first}; {cut(rest, tokens - count_tokens(first)) or '...'}"


def _cases(cases: Sequence[Case], left: int) -> list[str]:
    """Return the precedents that fit, best first; a long one makes way for the next."""
    lines = []
    for case in cases:
        line = case_text(case)
        cost = count_tokens(line) + 1
        if cost <= left:
            lines.append(line)
            left -= cost
    return ["precedents:", *lines] if lines else []


@lru_cache(maxsize=1000)
def error_text(error: str) -> str:
    """Return an error as the prompt words it: a wrong value before the right ones."""
    found = _WRONG.fullmatch(error)
    if not found:
        return error
    value = found["got"] or found["kind"]
    value = value if len(value) <= VALUE_LETTERS else f"{value[:VALUE_LETTERS]}..."
    right = found["known"] or ", ".join(re.findall(r"'(\w+)'", found["one"]))
    return f"{found[1]} {value} is none of {right}"


def prompt(p: ProposalView, status: Status, cases: Sequence[Case], tokens: int) -> str:
    """Return the prompt of a proposal, `cases` the nearest precedents, best first."""
    top = [header_text(p), *filter(None, [status.rules])]
    more = ", more precedents" if status.more else ""
    counts = f"looks {status.looks}, open {status.open}{more}, step {status.step}/{status.budget}"
    foot = [*filter(None, [status.caught, status.feedback]), counts]
    left = int(tokens * MARGIN) - sum(count_tokens(line) for line in (*top, *foot))
    needed = [least(name, text, p.area) for name, text in status.seen]
    spare = left - (CASE_TOKENS if cases else 0) - sum(needed)
    if status.error:
        room = min(ERROR_TOKENS, max(LEAST_ERROR, spare))
        foot.insert(-1, f"error: {cut(error_text(status.error), room)}")
        left, spare = left - count_tokens(foot[-2]), spare - count_tokens(foot[-2])
    for done, (name, text) in enumerate(status.seen):
        room = needed[done] + max(0, spare) // (len(needed) - done)
        shown = excerpt(name, text, p.area, room)
        spent = count_tokens(shown)
        left, spare = left - spent, spare - (spent - needed[done])
        top.append(shown)
    for said in status.said:
        if count_tokens(said) < left:
            top.append(said)
            left -= count_tokens(said)
    return "\n".join([*top, *_cases(cases, left - 3), *foot])
