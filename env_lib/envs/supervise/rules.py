"""What honest rules do: public rules, a learner from precedents, two with privileges, the oracle.

They read the texts that they were shown and nothing else, except where a docstring says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from env_lib.core import Action, Environment, Observation
from env_lib.envs.supervise.env import (
    DECISIONS,
    LOOKS,
    SuperviseAction,
    SuperviseEnv,
    SuperviseObservation,
)
from env_lib.envs.supervise.facts import ARTEFACTS, CI, DEPS, DIFF, FIELDS, HARMLESS, LIES, Facts
from env_lib.envs.supervise.notes import ProposalView, known
from env_lib.envs.supervise.workers import HABITS
from env_lib.rollout import Policy

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
TOOL = {name: kind for kind, name in LOOKS.items()}
"""Artefact -> the call that shows it."""


def seen_of(obs: Observation) -> tuple[SuperviseObservation, ProposalView]:
    """Return the observation as what it is, and the current proposal."""
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


class PublicRules(Policy):
    """The public rules alone, on what the worker's kind says is worth a look; else approves."""

    name = "public_rules_only"

    def __call__(self, obs: Observation) -> Action:
        """Look, then judge."""
        seen, now = seen_of(obs)
        look = self.next_look(seen, now)
        if look and seen.looks and look not in dict(seen.seen):
            return call(TOOL[look], now)
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


class PrecedentLearner(PublicRules):
    """Looks up precedents, fits a tree to them on the fly, decides by what pays on average."""

    name = "precedent_learner"

    def __call__(self, obs: Observation) -> Action:
        """Look up a page of precedents as a proposal comes, then go on as the public rules."""
        seen, now = seen_of(obs)
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
