"""Proposals and precedents: what an episode is made of, from (tier, split, seed) alone.

Precedents tell of the policy, not of the crew: their false claims are drawn over all workers and
habits alike, so that records do not show whom to distrust in this release; feedback does. Each fact
of a change is drawn by itself: day and open incident may differ between neighbours, and `freeze` is
a phase of the release like any other. What was held or sent back comes again at most once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from env_lib.envs.supervise.artefacts import Material, artefact, commit
from env_lib.envs.supervise.facts import AREAS, LIES, PHASES, RISKY, WORKERS, Facts, draw, mended
from env_lib.envs.supervise.modules import of_area
from env_lib.envs.supervise.organisation import (
    APPROVE,
    CHANGES,
    HOLD,
    MOST,
    VERDICT_KINDS,
    Organisation,
    kind_of,
    organisation,
)
from env_lib.envs.supervise.rubric import outcome_of
from env_lib.envs.supervise.scenario import Tier
from env_lib.envs.supervise.workers import HABITS, Worker, crew

PAGES = 2
"""Look-ups after which an area has no more precedents."""
COMES_BACK = 0.35
"""Share of proposals that are resubmitted after a hold or a request for changes."""
MENDS = 0.7
"""Share of these whose worker really fixes what it was told."""
REASONS = ("policy", "secret", *LIES)
_TRIES = 60
PATIENCE = 4000
"""Draws after which a precedent that tells of a rule may be one of its verdict too many."""


class Case(NamedTuple):
    """One decided change, as a record shows it."""

    facts: Facts
    verdict: str


@dataclass(frozen=True)
class Proposal:
    """One proposal with its hidden truth; frozen and shared between branches."""

    id: int
    material: Material
    title: str
    incident: str
    """The area of the open incident, or "none"."""
    due: str
    reason: str
    """The reason of the due verdict: the lie, "secret" or "policy"."""
    unseen: bool
    """The rules that have a say were never together in a precedent."""
    third: int
    returns: bool
    mends: bool
    version: int = 1

    @property
    def facts(self) -> Facts:
        """All facts of the change."""
        return self.material.facts

    @property
    def risky(self) -> bool:
        """Whether the change is in an area that everybody knows to be risky."""
        return self.facts.area in RISKY

    def artefact(self, name: str) -> str:
        """Return the text of an artefact."""
        return artefact(self.material, name)


@dataclass(frozen=True)
class Release:
    """The hidden whole of an episode."""

    organisation: Organisation
    crew: tuple[Worker, ...]
    queue: tuple[Proposal, ...]
    precedents: dict[str, tuple[Case, ...]]


def _capped(
    count: int,
    rng: random.Random,
    org: Organisation,
    make: Callable[[int], Facts],
    given: Sequence[Facts] = (),
) -> list[Facts]:
    """Draw changes of which no verdict takes more than MOST (one of a very small number).

    Those given are among them. After _TRIES draws a place takes what comes: where a rule stops most
    of an area, so do its precedents; `release` looks itself at what it drew.
    """
    most = max(1, int(MOST * count))
    used = dict.fromkeys(VERDICT_KINDS, 0)
    drawn = list(given)
    for facts in given:
        used[kind_of(org.verdict(facts))] += 1
    for place in range(len(given), count):
        for _ in range(_TRIES):
            facts = make(place)
            kind = kind_of(org.verdict(facts))
            if used[kind] < most:
                break
        used[kind] += 1
        drawn.append(facts)
    rng.shuffle(drawn)
    return drawn


def _telling(rng: random.Random, org: Organisation, tier: Tier) -> dict[str, list[Facts]]:
    """Draw changes by area until each rule and each exception decides one of them."""
    found: dict[str, list[Facts]] = {area: [] for area in AREAS}
    missing, most, tries = org.to_be_seen(), max(1, int(MOST * PAGES * tier.page)), 0
    while missing:
        facts, tries = draw(rng), tries + 1
        decided, own = org.deciders(facts) & missing, found[facts.area]
        same = [f for f in own if kind_of(org.verdict(f)) == kind_of(org.verdict(facts))]
        if decided and (len(same) < most or tries > PATIENCE):
            own.append(facts)
            missing -= decided
    return found


def _precedents(rng: random.Random, org: Organisation, tier: Tier) -> dict[str, tuple[Case, ...]]:
    found, telling = {}, _telling(rng, org, tier)
    for area in AREAS:

        def make(_: int, area: str = area) -> Facts:
            worker = rng.choice(WORKERS)
            lie = rng.choice(HABITS[worker]) if rng.random() < tier.lies / 2 else ""
            return draw(rng, lie, area=area, worker=worker)

        drawn = _capped(PAGES * tier.page, rng, org, make, telling[area])
        found[area] = tuple(Case(facts, org.verdict(facts)) for facts in drawn)
    return found


def reason_of(facts: Facts) -> str:
    """Return the reason that goes with the due verdict."""
    return facts.lie or ("secret" if facts.secret == "yes" else "policy")


def _incident(rng: random.Random, facts: Facts) -> str:
    if facts.incident == "none":
        return "none"
    if facts.incident == "here":
        return facts.area
    return rng.choice([area for area in AREAS if area != facts.area])


def constant_share(queue: Sequence[Proposal], org: Organisation) -> tuple[float, str]:
    """Return the most that one verdict, always given, gets right, and that verdict.

    Counted are all decisions that it leads to: what it sends back or holds comes again where it
    returns, mended or not. Every reason is tried; all roles of an escalation count as one.
    """
    found = []
    for verdict in VERDICT_KINDS:
        for reason in REASONS if verdict == CHANGES else ("policy",):
            again = [
                resubmitted(p, org, verdict, reason)
                for p in queue if comes_back(p, verdict, outcome_of(verdict, p.due))
            ]  # fmt: skip
            right = [kind_of(p.due) == verdict for p in (*queue, *again)]
            found.append((sum(right) / len(right), verdict))
    return max(found)


def _is_mixed(queue: Sequence[Proposal], org: Organisation) -> bool:
    """Whether no constant verdict is right in more than MOST, one of a very small number."""
    share, _ = constant_share(queue, org)
    return share <= max(MOST, 1 / len(queue))


@lru_cache(maxsize=256)
def release(tier: Tier, split: str, seed: int, proposals: int) -> Release:
    """Return the release of a seed; its queue is in the order of phases.

    Proposals are drawn again while one constant verdict is right in too many decisions.

    Raises:
        RuntimeError: that is still so after _TRIES releases.
    """
    org = organisation(tier, split, seed)
    rng = random.Random(f"supervise/release/{tier.name}/{split}/{seed}")
    workers = crew(rng, tier)
    precedents = _precedents(rng, org, tier)
    known = {org.combination(case.facts) for cases in precedents.values() for case in cases}
    for _ in range(_TRIES):
        queue = _queue(rng, org, workers, known, proposals)
        if _is_mixed(queue, org):
            return Release(org, tuple(workers.values()), queue, precedents)
    share, verdict = constant_share(queue, org)
    raise RuntimeError(
        f"{tier.name}, {split}, seed {seed}, {proposals} proposals: always {verdict} is right in "
        f"{share:.2f} of the decisions of {_TRIES} releases drawn; at most {MOST} is fair"
    )


def _queue(
    rng: random.Random,
    org: Organisation,
    workers: Mapping[str, Worker],
    known: set[frozenset[int]],
    proposals: int,
) -> tuple[Proposal, ...]:
    """Draw a release's proposals; `known` are the combinations of rules that precedents tell of."""

    def make(_: int) -> Facts:
        worker = rng.choice(WORKERS)
        return draw(rng, workers[worker].claims_falsely(rng), worker=worker)

    drawn = _capped(proposals, rng, org, make)
    drawn.sort(key=lambda facts: PHASES.index(facts.phase))
    queue = []
    for place, facts in enumerate(drawn):
        module = rng.choice(of_area(facts.area))
        head, older = commit(rng), commit(rng)
        while older == head:
            older = commit(rng)
        material = Material(
            facts, module.name, rng.choice(module.constants), head, older, rng.randrange(10**6)
        )
        queue.append(
            Proposal(
                id=place + 1,
                material=material,
                title=module.title,
                incident=_incident(rng, facts),
                due=org.verdict(facts),
                reason=reason_of(facts),
                unseen=org.combination(facts) not in known,
                third=place * 3 // proposals,
                returns=rng.random() < COMES_BACK,
                mends=rng.random() < MENDS,
            )
        )
    return tuple(queue)


def comes_back(proposal: Proposal, verdict: str, outcome: str) -> bool:
    """Whether a proposal comes a second time: where it returns, after a hold or for its changes.

    Where a hold was the slower way to stop it, it does not.
    """
    return proposal.returns and verdict in (HOLD, CHANGES) and outcome != "slower"


def resubmitted(proposal: Proposal, org: Organisation, verdict: str, reason: str) -> Proposal:
    """Return a proposal as it comes back: fixed only where its worker was told what to fix.

    A hold mends nothing: the facts stay.
    """
    told = verdict == CHANGES == proposal.due and reason == proposal.reason
    facts = mended(proposal.facts) if told and proposal.mends else proposal.facts
    rng = random.Random(f"supervise/again/{proposal.material.draw}/{proposal.material.head}")
    head = commit(rng)
    while head in (proposal.material.head, proposal.material.older):
        head = commit(rng)
    material = proposal.material._replace(facts=facts, head=head)
    return replace(
        proposal, material=material, due=org.verdict(facts), reason=reason_of(facts),
        returns=False, version=2,
    )  # fmt: skip


def is_good(proposal: Proposal) -> bool:
    """Whether the proposal should ship as it is."""
    return proposal.due == APPROVE
