"""Organisations: an unwritten policy drawn from a grammar of rules over the facts of a change.

The public rules come first and hold everywhere: a false claim goes back with its reason, a secret
is blocked. Then the first of the organisation's own rules that applies decides, else the change is
due to be approved. Every verdict is drawn alike for every kind of rule, so that nothing but the
organisation's own precedents tells what it does. No rule of an organisation is about secrets (the
public rules are), and a rollback plan is a fact only as a migration that can be taken back.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from env_lib.core import stable_hash
from env_lib.envs.supervise.facts import FIELDS, VALUES, Facts, draw, word
from env_lib.envs.supervise.scenario import Tier
from env_lib.envs.supervise.workers import HABITS

APPROVE, BLOCK, HOLD, CHANGES = "approve", "block", "hold", "request_changes"
ROLES = ("security", "legal", "owner")
STOPS = (BLOCK, HOLD, CHANGES, "escalate")
VERDICT_KINDS = (APPROVE, *STOPS)
MOST = 0.35
"""No constant verdict is right more often than this."""
LEAST = 0.07
"""Every verdict is right at least this often."""
MATTERS = 0.025
"""Every rule decides at least this share of changes."""
CHANGES_LEAST = 0.01
"""Without a rule or an exception, at least this share of changes has another verdict."""
APPROVED = 0.27
"""Share of changes to approve that the rules' width aims at."""
WIDE = 1.8
"""A rule is narrowed while it takes this much more than its share."""
_SAMPLE = 400
_PLACE = {name: place for place, name in enumerate(FIELDS)}
_HEADER = ("area", "phase", "author", "day")
"""What narrows a rule or makes an exception."""

KINDS: dict[str, tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]] = {
    "phase": (("phase", tuple((value,) for value in VALUES["phase"])),),
    "day": (("day", tuple((value,) for value in VALUES["day"])),),
    "area": (("area", tuple((value,) for value in VALUES["area"])),),
    "author": (("author", tuple((value,) for value in VALUES["author"])),),
    "incident": (("incident", (("here",), ("elsewhere",))),),
    "size": (("size", (("large",),)),),
    "migration": (("migration", (("oneway",), ("reversible", "oneway"))),),
    "api": (("api", (("changed",),)),),
    "tests": (("tests", (("fail",),)),),
    "coverage": (("coverage", (("part",),)),),
    "scan": (("scan", (("none",),)),),
    "licence": (("licence", (("copyleft",), ("permissive", "copyleft"))),),
    "worker": (("worker", tuple((value,) for value in VALUES["worker"])),),
    "spread": (("spread", (("many",),)),),
}
"""Rule kind -> the fact that it is about and the values of which it takes one set."""
OOD_KINDS = ("worker", "spread")
"""Kinds that only `test_ood` has."""
SHARES = (("train", 0.5), ("val", 0.7), ("test", 1.0))
"""Upper ends of the splits on the scale of an organisation's hash."""


@dataclass(frozen=True)
class Rule:
    """If all conditions hold and the exception does not, the verdict is due."""

    kind: str
    conditions: tuple[tuple[str, tuple[str, ...]], ...]
    verdict: str
    exception: tuple[str, str] | None = None

    def applies(self, facts: Facts) -> bool:
        """Whether the rule decides a change that no earlier rule decided."""
        if any(facts[_PLACE[name]] not in values for name, values in self.conditions):
            return False
        return self.exception is None or facts[_PLACE[self.exception[0]]] != self.exception[1]

    def words(self) -> str:
        """Say the rule."""
        said = [" or ".join(word(n, v) or v for v in values) for n, values in self.conditions]
        but = f" but not {self.exception[1]}" if self.exception else ""
        return f"{', '.join(said)}{but}: {self.verdict.replace(':', ' ')}"


@dataclass(frozen=True)
class Organisation:
    """A policy; `digest` is the hash of its content."""

    rules: tuple[Rule, ...]
    digest: str

    def verdict(self, facts: Facts) -> str:
        """Return the due verdict, one of VERDICT_KINDS; an escalation as "escalate:role"."""
        if facts.lie:
            return CHANGES
        if facts.secret == "yes":
            return BLOCK
        return next((rule.verdict for rule in self.rules if rule.applies(facts)), APPROVE)

    def deciders(self, facts: Facts) -> set[tuple[int, str]]:
        """Return what decides a change: (rule's place, "rule" or "exception").

        An exception decides where the verdict would be another one without it.
        """
        if facts.lie or facts.secret == "yes":
            return set()
        found: set[tuple[int, str]] = set()
        due = self.verdict(facts)
        for place, rule in enumerate(self.rules):
            if rule.applies(facts):
                return found | {(place, "rule")}
            if replace(rule, exception=None).applies(facts) and rule.verdict != due:
                found.add((place, "exception"))
        return found

    def to_be_seen(self) -> set[tuple[int, str]]:
        """Return every rule and exception: each decides some precedent."""
        rules = {(place, "rule") for place in range(len(self.rules))}
        return rules | {(n, "exception") for n, rule in enumerate(self.rules) if rule.exception}

    def combination(self, facts: Facts) -> frozenset[int]:
        """Return which rules have a say in a change, those that another overrules included."""
        own = {n for n, rule in enumerate(self.rules) if rule.applies(facts)}
        public = {-1} if facts.lie else {-2} if facts.secret == "yes" else set()
        return frozenset(own | public)


def kind_of(verdict: str) -> str:
    """Return a verdict without its role."""
    return verdict.partition(":")[0]


def split_of(digest: str) -> str:
    """Return the split of an organisation without unseen kinds, from its content alone."""
    place = int(digest[:8], 16) / 16**8
    return next(name for name, end in SHARES if place < end)


@lru_cache(maxsize=8)
def _masks(lies: float) -> dict[tuple[str, str], int]:
    """Return for each fact and value the changes of a fixed sample that have it, as bits."""
    rng = random.Random("supervise/sample")
    masks = {(name, value): 0 for name, values in VALUES.items() for value in values}
    for bit in range(_SAMPLE):
        worker = rng.choice(list(HABITS))
        lie = rng.choice(HABITS[worker]) if rng.random() < lies else ""
        for name, value in zip(FIELDS, draw(rng, lie, worker=worker), strict=True):
            masks[name, value] |= 1 << bit
    return masks


def _mask(rule: Rule, masks: dict[tuple[str, str], int]) -> int:
    found = (1 << _SAMPLE) - 1
    for name, values in rule.conditions:
        any_of = 0
        for value in values:
            any_of |= masks[name, value]
        found &= any_of
    return found & ~masks[rule.exception] if rule.exception else found


def _decides(rules: tuple[Rule, ...], lies: float) -> list[tuple[str, int]]:
    """Return (verdict, how many changes of the sample it decides): public, each rule, approve."""
    masks = _masks(lies)
    rest = masks["lie", ""]
    out = [(CHANGES, _SAMPLE - rest.bit_count())]
    out.append((BLOCK, (rest & masks["secret", "yes"]).bit_count()))
    rest &= masks["secret", "no"]
    for rule in rules:
        hit = rest & _mask(rule, masks)
        out.append((rule.verdict, hit.bit_count()))
        rest &= ~hit
    return [*out, (APPROVE, rest.bit_count())]


def _verdicts(rules: tuple[Rule, ...], lies: float) -> dict[str, int]:
    """Return for each verdict the changes of the sample that it is due for, as bits."""
    masks = _masks(lies)
    rest = masks["lie", ""] & masks["secret", "no"]
    found: dict[str, int] = {}
    for rule in rules:
        hit = rest & _mask(rule, masks)
        found[rule.verdict] = found.get(rule.verdict, 0) | hit
        rest &= ~hit
    return found | {APPROVE: rest}


def without_one(rules: tuple[Rule, ...]) -> Iterator[tuple[Rule, ...]]:
    """Yield the rules with one rule or one exception dropped."""
    for place, rule in enumerate(rules):
        yield rules[:place] + rules[place + 1 :]
        if rule.exception:
            yield (*rules[:place], replace(rule, exception=None), *rules[place + 1 :])


def changed_share(rules: tuple[Rule, ...], others: tuple[Rule, ...], lies: float) -> float:
    """Return the share of changes for which two policies have different verdicts."""
    one, two = _verdicts(rules, lies), _verdicts(others, lies)
    same = sum((mask & two.get(verdict, 0)).bit_count() for verdict, mask in one.items())
    return (sum(mask.bit_count() for mask in one.values()) - same) / _SAMPLE


def is_fair(rules: tuple[Rule, ...], lies: float) -> bool:
    """Whether each rule and exception matters, and no verdict is due too often or next to never."""
    decided = _decides(rules, lies)
    if any(count < MATTERS * _SAMPLE for _, count in decided[2:-1]):
        return False
    totals = dict.fromkeys(VERDICT_KINDS, 0)
    for verdict, count in decided:
        totals[kind_of(verdict)] += count
    if not all(LEAST * _SAMPLE <= count <= MOST * _SAMPLE for count in totals.values()):
        return False
    return all(changed_share(rules, other, lies) >= CHANGES_LEAST for other in without_one(rules))


def _rule(rng: random.Random, kind: str, width: float, lies: float) -> Rule:
    """Draw a rule of a kind, narrowed until it takes about `width` of the changes."""
    ((name, choices),) = KINDS[kind]
    verdict = rng.choice(STOPS)
    if verdict == "escalate":
        verdict = f"escalate:{rng.choice(ROLES)}"
    rule = Rule(kind, ((name, rng.choice(choices)),), verdict)
    others = [field for field in _HEADER if field != name]
    rng.shuffle(others)
    for field in others:
        share = _mask(rule, _masks(lies)).bit_count() / _SAMPLE
        if share <= WIDE * width:
            break
        values = VALUES[field]
        count = min(len(values) - 1, max(1, round(len(values) * width / share)))
        chosen = tuple(sorted(rng.sample(values, count), key=values.index))
        rule = Rule(kind, (*rule.conditions, (field, chosen)), verdict)
    return rule


def _except(rng: random.Random, rule: Rule) -> Rule:
    used = {name for name, _ in rule.conditions}
    free = [name for name in _HEADER if name not in used]
    if not free:
        return rule
    name = rng.choice(free)
    return Rule(rule.kind, rule.conditions, rule.verdict, (name, rng.choice(VALUES[name])))


def _rules(rng: random.Random, tier: Tier, split: str) -> tuple[Rule, ...]:
    base = 1 - tier.lies - 0.05
    width = 1 - (APPROVED / base) ** (1 / tier.rules)
    known = [kind for kind in KINDS if kind not in OOD_KINDS]
    new = rng.sample(OOD_KINDS, 1 if tier.rules < 6 else 2) if split == "test_ood" else []
    kinds = new + rng.sample(known, tier.rules - len(new))
    rng.shuffle(kinds)
    rules = [_rule(rng, kind, width, tier.lies) for kind in kinds]
    for place in rng.sample(range(len(rules)), tier.exceptions):
        rules[place] = _except(rng, rules[place])
    return tuple(rules)


@lru_cache(maxsize=512)
def organisation(tier: Tier, split: str, number: int) -> Organisation:
    """Return one organisation of a split; no other split has one of the same content."""
    rng = random.Random(f"supervise/organisation/{tier.name}/{split}/{number}")
    while True:
        rules = _rules(rng, tier, split)
        if not is_fair(rules, tier.lies):
            continue
        told = [[r.kind, r.conditions, r.verdict, r.exception] for r in rules]
        digest = stable_hash(told)
        if split == "test_ood" or split_of(digest) == split:
            return Organisation(rules, digest)
