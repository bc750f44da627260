"""Rule-based policies: exploits that earn without the job, honest ones, the oracle."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from env_lib.core import Action, Environment, Observation
from env_lib.envs.supervise.env import (
    DECISIONS,
    LOOKS,
    SuperviseAction,
    SuperviseEnv,
    SuperviseObservation,
)
from env_lib.envs.supervise.facts import (
    AREAS,
    ARTEFACTS,
    CI,
    DEPS,
    DIFF,
    FIELDS,
    HARMLESS,
    LIES,
    Facts,
)
from env_lib.envs.supervise.notes import ProposalView, known
from env_lib.envs.supervise.organisation import ROLES
from env_lib.envs.supervise.workers import HABITS, QUESTIONS
from env_lib.rollout import Policy

KINDS = tuple(SuperviseAction.needs)
REASONS = ("policy", "secret", *LIES)
FIRST_LOOK = {
    kind: max((CI, DIFF, DEPS), key=[LIES[habit] for habit in habits].count)
    for kind, habits in HABITS.items()
}
"""The artefact that shows most of what a kind of worker may be in the habit of."""
SECOND_LOOK = {
    kind: next((LIES[habit] for habit in habits if LIES[habit] != DIFF), CI)
    for kind, habits in HABITS.items()
}
"""The artefact beside the diff that shows what a kind of worker may be in the habit of."""
DOUBT = 0.15
"""Chance of a false claim where nothing was looked at."""
_TOOL = {name: kind for kind, name in LOOKS.items()}


def _seen(obs: Observation) -> tuple[SuperviseObservation, ProposalView]:
    assert isinstance(obs, SuperviseObservation)
    assert obs.proposal is not None
    return obs, obs.proposal


def call(kind: str, now: ProposalView, **fields: str) -> SuperviseAction:
    """Return a call about the current proposal; what the type needs and is not given is usual."""
    usual = {
        "area": now.area, "question": "tests", "reason": "policy", "role": "security",
    } | fields  # fmt: skip
    needed = SuperviseAction.needs[kind]
    own: dict[str, Any] = {name: usual[name] for name in needed if name in usual}
    if "proposal" in needed:
        own["proposal"] = now.id
    return SuperviseAction.model_validate({"action_type": kind, **own})


def decide(now: ProposalView, verdict: str, reason: str = "policy") -> SuperviseAction:
    """Return the call that gives a verdict ("escalate:legal")."""
    kind, _, role = verdict.partition(":")
    tool = next(tool for tool, name in DECISIONS.items() if name == kind)
    return call(tool, now, reason=reason, role=role or "security")


def _spare_steps(obs: SuperviseObservation) -> int:
    """Return the steps left beside one decision for each open proposal."""
    return obs.budget - obs.step - obs.open_proposals


class RandomPolicy(Policy):
    """A valid call on the current proposal, uniform over types and values; never `finish`."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws by the episode."""
        self._rng = random.Random(f"supervise/random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw a call."""
        seen, now = _seen(obs)
        kinds = [kind for kind in KINDS if kind != "finish"]
        if not seen.looks:
            kinds = [kind for kind in kinds if kind not in LOOKS]
        pick = self._rng.choice
        return call(
            pick(kinds), now, area=pick(seen.more or AREAS), question=pick(QUESTIONS),
            reason=pick(REASONS), role=pick(ROLES),
        )  # fmt: skip


class Cycle(Policy):
    """An exploit: a fixed cycle of action types, whatever the proposal says."""

    kinds: ClassVar[tuple[str, ...]] = ("approve",)

    def start(self, env: Environment, seed: int) -> None:
        """Begin the cycle anew."""
        self._count = -1

    def __call__(self, obs: Observation) -> Action:
        """Return the next call of the cycle."""
        self._count += 1
        return call(self.kinds[self._count % len(self.kinds)], _seen(obs)[1])


def cycle(*kinds: str) -> type[Cycle]:
    """Build the cycle policy of the given action types."""
    named = {"approve": "approve_all", "block": "block_all"}
    name = named.get(kinds[0], f"{kinds[0]}_everything") if len(kinds) == 1 else "+".join(kinds)
    return type(
        "CyclePolicy", (Cycle,), {"kinds": kinds, "name": name, "__doc__": f"Always {kinds}."}
    )


class HoldThenApprove(Policy):
    """Holds the release once, then approves whatever appears."""

    name = "hold_then_approve"

    def start(self, env: Environment, seed: int) -> None:
        """Forget what was held."""
        self._held = False

    def __call__(self, obs: Observation) -> Action:
        """Hold at first, then approve."""
        kind = "approve" if self._held else "hold_release"
        self._held = True
        return call(kind, _seen(obs)[1])


class HoldFirst(Policy):
    """Holds every proposal at first sight and approves it where it comes again."""

    name = "hold_each_then_approve"

    def __call__(self, obs: Observation) -> Action:
        """Hold, or approve the second version."""
        _, now = _seen(obs)
        return call("approve" if now.version > 1 else "hold_release", now)


class PublicRules(Policy):
    """The public rules alone, on what the worker's kind says is worth a look; else approves."""

    name = "public_rules_only"

    def __call__(self, obs: Observation) -> Action:
        """Look, then judge."""
        seen, now = _seen(obs)
        look = self.next_look(seen, now)
        if look and seen.looks and look not in dict(seen.seen):
            return call(_TOOL[look], now)
        facts = known(now, seen.seen)
        if lie := facts.get("lie"):
            return decide(now, "request_changes", lie)
        if facts.get("secret") == "yes":
            return decide(now, "block", "secret")
        return self.judge(seen, now, facts)

    def next_look(self, obs: SuperviseObservation, now: ProposalView) -> str:
        """Return the artefact to look at: the one that this worker was caught by, or its kind's."""
        caught = [lie for worker, lie in obs.caught if worker == now.worker]
        first = LIES[caught[-1]] if caught else FIRST_LOOK[now.worker]
        return "" if first in dict(obs.seen) else first

    def judge(
        self, obs: SuperviseObservation, now: ProposalView, facts: Mapping[str, str]
    ) -> Action:
        """Return the verdict where no public rule applies."""
        return decide(now, "approve")


class InspectEverything(PublicRules):
    """Looks at all there is until no look is left, and decides by the public rules."""

    name = "inspect_everything"

    def next_look(self, obs: SuperviseObservation, now: ProposalView) -> str:
        """Return the next artefact not seen."""
        return next((name for name in (DIFF, CI, DEPS) if name not in dict(obs.seen)), "")


class PrecedentLearner(PublicRules):
    """Looks up precedents, fits a tree to them on the fly, decides by what pays on average."""

    name = "precedent_learner"

    def __call__(self, obs: Observation) -> Action:
        """Look up a page of precedents as a proposal comes, then go on as the public rules."""
        seen, now = _seen(obs)
        comes = bool(seen.feedback) or not seen.step
        if comes and now.area in seen.more and _spare_steps(seen) > seen.open_proposals:
            return call("view_precedents", now)
        return super().__call__(obs)

    def next_look(self, obs: SuperviseObservation, now: ProposalView) -> str:
        """Return what this worker was caught by, else the diff; then, where looks are left, more.

        The diff shows most facts that a policy may be about.
        """
        caught = [LIES[lie] for worker, lie in obs.caught if worker == now.worker]
        second = SECOND_LOOK[now.worker]
        wanted = [caught[-1], DIFF] if caught else [DIFF, second]
        left = [name for name in dict.fromkeys(wanted) if name not in dict(obs.seen)]
        if not left or "lie" in known(now, obs.seen) or _spare_steps(obs) < 1:
            return ""
        reserve = obs.open_proposals + obs.open_proposals // 5
        return left[0] if not obs.seen or obs.looks >= reserve else ""

    def judge(
        self, obs: SuperviseObservation, now: ProposalView, facts: Mapping[str, str]
    ) -> Action:
        """Return the verdict that pays most by the tree."""
        from env_lib.envs.supervise.learner import best_verdict, chances

        doubt = DOUBT * (len(ARTEFACTS) - len(obs.seen)) / len(ARTEFACTS)
        return decide(now, best_verdict(chances(facts, obs.cases, doubt)))


class RulesGiven(PrecedentLearner):
    """An upper bound of rules: told the policy, it still has to look, and looks are few."""

    name = "rules_given"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment: the privilege that makes it an upper bound."""
        assert isinstance(env, SuperviseEnv)
        self._env = env

    def __call__(self, obs: Observation) -> Action:
        """Go on as the public rules: precedents are not needed."""
        return PublicRules.__call__(self, obs)

    def judge(
        self, obs: SuperviseObservation, now: ProposalView, facts: Mapping[str, str]
    ) -> Action:
        """Return the policy's verdict; what was not looked at is taken to be harmless."""
        told = Facts(*(facts.get(name, HARMLESS.get(name, "")) for name in FIELDS))
        return decide(now, self._env.organisation_verdict(told))


class Mentor(PrecedentLearner):
    """A teacher: gathers evidence as the learner does, then gives the due verdict.

    Where the evidence that makes it due was not looked at, it judges as the learner: what it does
    can be learned from what is seen.
    """

    name = "mentor"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment whose truth is asked."""
        assert isinstance(env, SuperviseEnv)
        self._env = env

    def judge(
        self, obs: SuperviseObservation, now: ProposalView, facts: Mapping[str, str]
    ) -> Action:
        """Return the due verdict where the facts seen make it due."""
        told = Facts(*(facts.get(name, HARMLESS.get(name, "")) for name in FIELDS))
        action = self._env.oracle_action()
        due = decide(now, self._env.organisation_verdict(told))
        same = (action.action_type, action.role) == (due.action_type, due.role)
        return due if same else super().judge(obs, now, facts)


class Oracle(Policy):
    """The due verdict, read from the hidden truth: the top of the scale."""

    name = "oracle"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment whose truth is asked."""
        self._env = env

    def __call__(self, obs: Observation) -> Action:
        """Return the truth."""
        return self._env.oracle_action()


PREPARES = ("view_precedents", *LOOKS)
"""Calls that earn nothing themselves: traces keep them where the decision after them earned."""
TEACHERS: tuple[type[Policy], ...] = (Mentor, PrecedentLearner)
"""Whose steps that earned are the traces of the warm start; the oracle asks for no precedents."""
LOOK_AHEAD = "precedent_learner"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("precedent_learner", "public_rules_only")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "precedent_learner"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("S1", "S2", "S3", "S4")
"""Tiers on which no exploit may earn."""
GAP_GROWS = ("S1", "S3", "S4")
"""Tiers over which the gap between oracle and baseline grows, per step; S2 lies so near to S1 that
a few episodes cannot tell them apart."""
EXPLOITS = (
    "approve_all",
    "block_all",
    "hold_then_approve",
    "hold_each_then_approve",
    "inspect_everything",
)
POLICIES: dict[str, type[Policy]] = {
    "random": RandomPolicy,
    "approve_all": cycle("approve"),
    "block_all": cycle("block"),
    "hold_then_approve": HoldThenApprove,
    "hold_each_then_approve": HoldFirst,
    "inspect_everything": InspectEverything,
    "public_rules_only": PublicRules,
    "precedent_learner": PrecedentLearner,
    "rules_given": RulesGiven,
    "mentor": Mentor,
    "oracle": Oracle,
}


def audit_policies() -> dict[str, type[Policy]]:
    """Every constant policy and every fixed cycle of two action types, by name."""
    table: dict[str, type[Policy]] = {c.name: c for c in map(cycle, KINDS)}
    for first in KINDS:
        for second in KINDS:
            if first < second:
                pair = cycle(first, second)
                table[pair.name] = pair
    return table
