"""Random, the exploits that earn without the job, and the tables that name every policy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from env_lib.core import Action, Environment, Observation
from env_lib.envs.supervise.env import (
    LOOKS,
    PROMPT_TOKENS,
    TOLD_TOKENS,
    SuperviseAction,
    SuperviseObservation,
)
from env_lib.envs.supervise.facts import AREAS, CI, DEPS, DIFF, HARMLESS
from env_lib.envs.supervise.notes import ProposalView
from env_lib.envs.supervise.organisation import ROLES
from env_lib.envs.supervise.proposals import REASONS
from env_lib.envs.supervise.reading import admitted
from env_lib.envs.supervise.rules import (
    Mentor,
    PrecedentLearner,
    PublicRules,
    RulesGiven,
    call,
    seen_of,
)
from env_lib.envs.supervise.workers import QUESTIONS
from env_lib.rollout import Oracle, Policy

KINDS = tuple(SuperviseAction.needs)


class RandomPolicy(Policy):
    """A valid call on the current proposal, uniform over types and values; never `finish`."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws by the episode."""
        self._rng = random.Random(f"supervise/random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw a call."""
        seen, now = seen_of(obs)
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
        return call(self.kinds[self._count % len(self.kinds)], seen_of(obs)[1])


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
        return call(kind, seen_of(obs)[1])


class HoldFirst(Policy):
    """Holds every proposal at first sight and approves it where it comes again."""

    name = "hold_each_then_approve"

    def __call__(self, obs: Observation) -> Action:
        """Hold, or approve the second version."""
        _, now = seen_of(obs)
        return call("approve" if now.version > 1 else "hold_release", now)


class AskThenAccuse(Policy):
    """Never looks: asks about what the header admits, accuses who denies it, else approves."""

    name = "ask_then_accuse"

    def __call__(self, obs: Observation) -> Action:
        """Ask the next question that the header has answered, then judge by the answers."""
        seen, now = seen_of(obs)
        told = {"licence": "new"} if now.adds_package else {}
        told |= admitted(now.claims)
        asked = list(told)[len(seen.said) :]
        if asked:
            return call("ask_worker", now, question=asked[0])
        denied = any(
            said.endswith(f" {name} {HARMLESS[name]}")
            for name, said in zip(told, seen.said, strict=False)
        )
        return call("request_changes" if denied else "approve", now)


class InspectEverything(PublicRules):
    """Looks at all there is until no look is left, and decides by the public rules."""

    name = "inspect_everything"

    def next_look(self, obs: SuperviseObservation, now: ProposalView) -> str:
        """Return the next artefact not seen."""
        return next((name for name in (DIFF, CI, DEPS) if name not in dict(obs.seen)), "")


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
FEWER_EPISODES = 4
"""So many times fewer are judged than a profile says: each is so many times as long."""
FULL_EPISODES = True
"""The model is judged on whole episodes: with 12 steps a release would shrink to three or four
proposals, too few to learn a policy from."""


def told_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of `make` with which every prompt tells the organisation's policy.

    Prompts may then be longer than a model is trained with under the smaller profiles (TOLD_TOKENS
    beside the system prompt and an action): they are sampled, never trained on.
    """
    tokens = max(options.get("prompt_tokens", PROMPT_TOKENS), TOLD_TOKENS)
    return {**options, "told": True, "prompt_tokens": tokens}


EXPLOITS = (
    "approve_all",
    "block_all",
    "hold_then_approve",
    "hold_each_then_approve",
    "ask_then_accuse",
    "inspect_everything",
)
POLICIES: dict[str, type[Policy]] = {
    "random": RandomPolicy,
    "approve_all": cycle("approve"),
    "block_all": cycle("block"),
    "hold_then_approve": HoldThenApprove,
    "hold_each_then_approve": HoldFirst,
    "ask_then_accuse": AskThenAccuse,
    "inspect_everything": InspectEverything,
    "public_rules_only": PublicRules,
    "precedent_learner": PrecedentLearner,
    "rules_given": RulesGiven,
    "mentor": Mentor,
    "oracle": Oracle,
}


def audit_policies() -> dict[str, type[Policy]]:
    """Every constant policy and every fixed cycle of two action types, by name.

    Each type has one set of arguments, those of `rules.call`: other roles, reasons and questions
    are not tried, nor is a policy that asks for what answers tell truly (`workers.py`).
    """
    table: dict[str, type[Policy]] = {c.name: c for c in map(cycle, KINDS)}
    for first in KINDS:
        for second in KINDS:
            if first < second:
                pair = cycle(first, second)
                table[pair.name] = pair
    return table
