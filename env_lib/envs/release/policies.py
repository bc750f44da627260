"""Random, the oracle and its kin, and the tables that name every policy."""

from __future__ import annotations

import random
from collections.abc import Mapping

from env_lib.core import Action, Environment, Observation
from env_lib.envs.release import exploits, reading
from env_lib.envs.release.action import ReleaseAction, act, decide
from env_lib.envs.release.env import ReleaseEnv
from env_lib.envs.release.menu import options
from env_lib.envs.release.rules import Careful, LogisticRegression, Naive, Reworded, seen_of
from env_lib.rollout import Oracle, Policy

DECISIONS = ("ship", "block", "canary", "rollback", "request_owner_approval")


class RandomPolicy(Policy):
    """A valid action, uniform over types and over visible services and commits.

    Texts, the package and the edit are always the same ones, and every file is an `api.py`.
    """

    name = "random"
    kinds: tuple[str, ...] = tuple(ReleaseAction.needs)

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws."""
        self._rng = random.Random(f"release/{self.name}/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw an action."""
        seen, rng = seen_of(obs), self._rng
        service = rng.choice(seen.services)
        commits = [row[0] for row in seen.history]
        kinds = list(self.kinds)
        if not commits:
            kinds = [k for k in kinds if k not in ("view_diff", "submit_causal_change")]
        kind = rng.choice(kinds)
        values = {
            "job_name": rng.choice(seen.jobs),
            "commit_id": rng.choice(commits) if commits else None,
            "commit": rng.choice(commits) if commits else None,
            "file_path": f"{service}/api.py",
            "package": "schema",
            "search": "def label():",
            "replace": "def label():\n    # looked at",
            "service": service,
            "impacted_services": ", ".join(rng.sample(seen.services, 2)),
            "decision": rng.choice(DECISIONS),
            "owner_to_notify": rng.choice(["none", *seen.owners.values()]),
        }
        return act(kind, **{name: values[name] for name in ReleaseAction.needs[kind]})


class Guided(Oracle):
    """The oracle that goes by the menu: what it does follows from what it has seen.

    Where the menu has left the repair behind, it goes on with a red pipeline and blocks.
    """

    name = "guided"

    def __call__(self, obs: Observation) -> Action:
        """Return the right one of the actions that are due."""
        assert isinstance(self._env, ReleaseEnv)
        seen, world = seen_of(obs), self._env.world
        offered = options(seen)
        kinds = {offer.split()[0] for offer in offered}
        if "submit_causal_change" in kinds:
            right = f"submit_causal_change {world.causal}"
            return taken(right if right in offered else offered[0])
        if "replace" in kinds:
            look = f"view_diff {world.causal}"
            if look in offered and f"diff {world.causal}:" not in obs.prompt:
                return taken(look)
            return self._repaired(obs)
        if "submit_blast_radius" in kinds:
            for name in sorted(world.impacted):
                if f"view_dependency_graph {name}" in offered:
                    return act("view_dependency_graph", service=name)
            return act("submit_blast_radius", impacted_services=", ".join(sorted(world.impacted)))
        if "submit_release_decision" in kinds:
            move = super().__call__(obs)
            return move if move.action_type in kinds else decide("block")
        return taken(offered[0])

    def _repaired(self, obs: Observation) -> Action:
        assert isinstance(self._env, ReleaseEnv)
        move = super().__call__(obs)
        assert isinstance(move, ReleaseAction)
        return whole_lines(move, obs.prompt, self._env.tree)


def taken(offer: str) -> ReleaseAction:
    """Return an offer of the menu that needs its name alone as an action."""
    kind, *names = offer.split()
    return act(kind, **dict(zip(ReleaseAction.needs[kind], names, strict=True)))


class Stray(RandomPolicy):
    """Looks at random, or makes a wrong edit where one is due; costs steps and tries alone."""

    name = "stray"
    kinds = (
        "view_log", "view_commit_history", "view_diff", "cat", "view_migration_guide", "replace",
        "run_unit_tests", "view_dependency_graph", "run_contract_tests", "view_ownership_map",
    )  # fmt: skip

    def __call__(self, obs: Observation) -> Action:
        """Draw an action; an edit takes back a line of any commit read, or finds no text."""
        seen, action = seen_of(obs), super().__call__(obs)
        due = options(seen)[0].startswith("replace")
        if action.action_type != "replace" and not (due and self._rng.random() < 0.5):
            return action
        found = reading.fixes(seen, by_guide=False) if due else []
        path, search, put = f"{seen.services[0]}/api.py", "return total", "return total + 1"
        if found and self._rng.random() < 0.5:
            path, search, put = self._rng.choice(found)[0]
        return act("replace", file_path=path, search=search, replace=put)


def whole_lines(move: ReleaseAction, prompt: str, tree: Mapping[str, str]) -> ReleaseAction:
    """Return an edit as one of the whole line, where a prompt shows the line before and after.

    A small model copies a line that it sees, and seldom finds the few signs that differ.
    """
    text = tree[move.file_path or ""]
    edited = text.replace(move.search or "", move.replace or "", 1)
    pairs = zip(text.splitlines(), edited.splitlines(), strict=False)
    changed = [(old.strip(), new.strip()) for old, new in pairs if old != new]
    if len(text.splitlines()) != len(edited.splitlines()) or len(changed) != 1:
        return move
    ((old, new),) = changed
    shown = all(row in prompt for row in (f"+{old}\n", f"-{new}\n"))
    if not shown or text.count(old) != 1:
        return move
    return move.model_copy(update={"search": old, "replace": new})


TEACHERS: tuple[type[Policy], ...] = (Guided,)
"""Whose steps are the traces of the warm start; the oracle's own moves rest on nothing seen, and
`careful` has another order, which a model would have to tell apart from what it sees."""
STRAY = Stray
"""Who makes a share of the teacher's steps; see `training.traces`."""
ACTION_TOKENS = 68
"""Tokens of an answer at least: whole lines are replaced by whole lines. With system prompt and
observation, more would leave the 512 of profile `cpu`."""
SUCCESS = 0.1
"""What a step pays at least that succeeds: a right submission or the repair; none pays over 0.5."""
MORE_TRACES = 2
"""So many times a profile's traces: thirteen kinds of action in long chains are to be learned."""
PREPARES = (
    "view_log", "view_commit_history", "view_diff", "cat", "view_migration_guide",
    "view_security_advisory", "run_unit_tests", "view_dependency_graph", "run_contract_tests",
    "view_ownership_map",
)  # fmt: skip
"""Action types that earn nothing themselves and carry what earns later."""
PATIENT = ("submit_release_decision",)
"""To end a release that could not be repaired pays nothing and is to be learned."""
LOOK_AHEAD = "careful"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("careful", "naive", "logistic_regression")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "careful"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("L1", "L2", "L3")
"""Scenarios on which no exploit may earn."""
GAP_GROWS = NO_PROFIT
"""Scenarios over which the gap between oracle and baseline grows, per step."""
FEWER_EPISODES = 2
"""So many times fewer are judged than a profile says: each is so many times as long."""
RULES_PLAY = 5
"""Honest rules are judged on so many times the models' episodes, at a tenth of a second each: 40 a
tier in profile `cpu`, in which each situation is equally frequent."""
FULL_EPISODES = True
"""The model is judged on whole episodes: a release takes 14 to 21 of its 24 steps, and fewer steps
would end it before its decision."""
EXPLOITS = tuple(policy.name for policy in exploits.ALL)
_HONEST: tuple[type[Policy], ...] = (
    Naive, LogisticRegression, Careful, Reworded, Guided, Oracle,
)  # fmt: skip
_ALL: tuple[type[Policy], ...] = (RandomPolicy, *exploits.ALL, *_HONEST)
POLICIES: dict[str, type[Policy]] = {policy.name: policy for policy in _ALL}
audit_policies = exploits.audit_policies
