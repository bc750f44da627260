"""What an agent knows of the proposal before it, and the precedents that come nearest to it.

A prompt shows NEAREST precedents at most, however long it may be, and fewer beside artefacts. The
observation's `cases` hold all that were looked up, which rule-based policies read: a model that
reads prompts is compared with a `precedent_learner` that sees more. A worker's answers do not count
in what comes nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from env_lib.envs.supervise.facts import FIELDS, HARMLESS, HEADER, TYPES, word
from env_lib.envs.supervise.proposals import Case, Proposal
from env_lib.envs.supervise.reading import admitted, read
from env_lib.envs.supervise.workers import claims

_PLACE = {name: place for place, name in enumerate(FIELDS)}
NEAREST = 6
"""Precedents that are ranked for a prompt."""
Seen = tuple[tuple[str, str], ...]
"""(artefact, text) in the order of looking."""


class ProposalView(BaseModel):
    """The header of the current proposal: what is public before any look."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: int
    type: str
    """One of TYPES: from the worker's kind and the package added, both of which are public."""
    title: str
    area: str
    worker: str
    phase: str
    author: str
    day: str
    incident: str
    """The area of the open incident, or "none"."""
    claims: tuple[str, ...]
    head: str
    adds_package: bool
    risky: bool
    """In an area of RISKY: public knowledge, though the reward reads it too."""
    version: int


@lru_cache(maxsize=20_000)
def view(proposal: Proposal) -> ProposalView:
    """Return a proposal's header."""
    facts = proposal.facts
    return ProposalView(
        id=proposal.id, type="deps" if facts.licence != "none" else TYPES[facts.worker],
        title=proposal.title, area=facts.area, worker=facts.worker,
        phase=facts.phase, author=facts.author, day=facts.day, incident=proposal.incident,
        claims=claims(facts), head=proposal.material.head,
        adds_package=facts.licence != "none", risky=proposal.risky, version=proposal.version,
    )  # fmt: skip


def known(header: ProposalView, seen: Seen) -> dict[str, str]:
    """Return the facts that the header admits and the artefacts seen show, the lie found included.

    What was not looked at is not in it, except what an absent package leaves no doubt of.
    """
    facts = {name: getattr(header, name) for name in ("area", "worker", "phase", "author", "day")}
    where = header.incident
    facts["incident"] = (
        where if where == "none" else "here" if where == header.area else "elsewhere"
    )
    facts |= admitted(header.claims)
    if not header.adds_package:
        facts |= {"licence": "none", "scan": "clean"}
    return facts | dict(read(seen, header.area, header.head, header.claims))


@lru_cache(maxsize=20_000)
def case_text(case: Case) -> str:
    """Return a precedent as one line."""
    facts = case.facts
    head = " ".join(word(name, getattr(facts, name)) for name in HEADER[:5])
    rest = [word(name, getattr(facts, name)) for name in FIELDS[5:]]
    return f"{', '.join([head, *filter(None, rest)])}: {case.verdict.replace(':', ' ')}"


def nearest(facts: dict[str, str], cases: Sequence[Case], count: int = NEAREST) -> list[Case]:
    """Return the cases most like the known facts, best first; of equal ones the newest.

    A shared fact counts one, a shared one that is out of the ordinary two more; a precedent with
    something out of the ordinary that is known to be absent here loses two.
    """
    own = [
        (_PLACE[name], value, HARMLESS.get(name)) for name, value in ({"lie": ""} | facts).items()
    ]
    ranked = []
    for age, case in enumerate(cases):
        score, told = 0, case.facts
        for place, value, ordinary in own:
            other = told[place]
            if other == value:
                score += 1 if value == ordinary or ordinary is None else 3
            elif ordinary is not None and other != ordinary:
                score -= 2
        ranked.append((score, age, case))
    ranked.sort(key=lambda row: row[:2], reverse=True)
    return [case for _, _, case in ranked[:count]]
