"""Rule-based policies of release: random, honest rules, the oracle; see `exploits.py` too."""

from __future__ import annotations

import random

from env_lib.core import Action, Environment, Observation
from env_lib.envs.release import exploits, reading
from env_lib.envs.release.action import ReleaseAction, act, decide
from env_lib.envs.release.env import ReleaseEnv, ReleaseObservation
from env_lib.rollout import Policy

DECISIONS = ("ship", "block", "canary", "rollback", "request_owner_approval")


def edit(found: reading.Edit) -> ReleaseAction:
    """Return the action of an edit."""
    return act("replace", file_path=found[0], search=found[1], replace=found[2])


def _seen(obs: Observation) -> ReleaseObservation:
    assert isinstance(obs, ReleaseObservation)
    return obs


class RandomPolicy(Policy):
    """A valid action, uniform over types and over the names that are visible."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws."""
        self._rng = random.Random(f"release/random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw an action."""
        seen, rng = _seen(obs), self._rng
        service = rng.choice(seen.services)
        commits = [row[0] for row in seen.history]
        kinds = list(ReleaseAction.needs)
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


class Careful(Policy):
    """The reference order: look, repair by the guide, find who reads, run contracts, decide.

    It uses what the agent may see alone, remembers nothing, and can take over anywhere.
    """

    name = "careful"
    by_guide = True

    def __call__(self, obs: Observation) -> Action:
        """Return the next action."""
        seen = _seen(obs)
        if seen.budget - seen.step <= 1:
            return self.decides(seen)
        if (action := self.looks(seen)) is not None:
            return action
        if seen.units.get(reading.failing_service(seen)) != "":
            return self.repairs(seen)
        return self.validates(seen)

    def looks(self, seen: ReleaseObservation) -> ReleaseAction | None:
        """Return the next look before an edit, None where enough was seen."""
        if "unit-tests" not in seen.logs:
            return act("view_log", job_name="unit-tests")
        if not seen.history:
            return act("view_commit_history")
        for name in reading.told_packages(seen, "guide"):
            if name not in seen.guides:
                return act("view_migration_guide", package=name)
        for name in reading.told_packages(seen, "advisory"):
            if name not in seen.advisories:
                return act("view_security_advisory", package=name)
        if not any(reading.touches_code(seen, commit) for commit in seen.diffs):
            for commit in reading.suspects(seen):
                if commit not in seen.diffs:
                    return act("view_diff", commit_id=commit)
        path = f"{reading.failing_service(seen)}/api.py"
        return act("cat", file_path=path) if path not in seen.files else None

    def repairs(self, seen: ReleaseObservation) -> ReleaseAction:
        """Try the next fix, run the unit tests, take back what did not help."""
        service = reading.failing_service(seen)
        if not reading.undone(seen):
            if service not in seen.units:
                return act("run_unit_tests", service=service)
            path, search, put = seen.edits[-1]
            if reading.fitting(seen, (path, put, search)):
                return edit((path, put, search))
        for found, _ in reading.fixes(seen, by_guide=self.by_guide):
            if self.worded(found) not in seen.edits and reading.fitting(seen, self.worded(found)):
                return edit(self.worded(found))
        for commit in reading.suspects(seen):
            if commit not in seen.diffs:
                return act("view_diff", commit_id=commit)
        if service not in seen.units:
            return act("run_unit_tests", service=service)
        return decide("block")

    def worded(self, found: reading.Edit) -> reading.Edit:
        """Return an edit as this policy would write it."""
        return found

    def validates(self, seen: ReleaseObservation) -> ReleaseAction:
        """Submit the cause, find and submit who is impacted, run their contracts, decide."""
        if not seen.causal:
            return act("submit_causal_change", commit=reading.blamed(seen, by_guide=self.by_guide))
        if seen.blast is None:
            impacted, unseen = reading.reached(seen)
            if unseen:
                return act("view_dependency_graph", service=unseen[0])
            return act("submit_blast_radius", impacted_services=", ".join(impacted))
        for name in seen.blast:
            if name not in seen.contracts:
                return act("run_contract_tests", service=name)
        if not seen.owners:
            return act("view_ownership_map")
        return self.decides(seen)

    def decides(self, seen: ReleaseObservation) -> ReleaseAction:
        """Decide by contracts, deployment and marks, in the order of their weight."""
        service = reading.failing_service(seen)
        broken = [name for name, told in seen.contracts.items() if told]
        if broken:
            live = any(is_live for commit, _, _, is_live in seen.history if commit == seen.causal)
            return decide("rollback" if live else "block", seen.owners.get(broken[0], "none"))
        if service in seen.protected:
            return decide("request_owner_approval", seen.owners[service])
        if service in seen.hot:
            return decide("canary", seen.owners[service])
        return decide("ship")


class Reworded(Careful):
    """`careful`, whose patches say the same in other words: they must earn the same."""

    name = "reworded"

    def worded(self, found: reading.Edit) -> reading.Edit:
        """Add a remark at the end of a whole line, which changes nothing."""
        path, search, put = found
        return (path, search, f"{put}  # as before") if " = " in put and "#" not in put else found


class Naive(Careful):
    """Reads the log, patches what it suggests, runs the unit tests, ships what is green."""

    name = "naive"
    by_guide = False

    def looks(self, seen: ReleaseObservation) -> ReleaseAction | None:
        """Look at no more than a first patch needs."""
        if "unit-tests" not in seen.logs:
            return act("view_log", job_name="unit-tests")
        if reading.fixes(seen, by_guide=False):
            return None
        if not seen.history:
            return act("view_commit_history")
        commits = [c for c in reading.suspects(seen) if c not in seen.diffs]
        return act("view_diff", commit_id=commits[0]) if commits else None

    def validates(self, seen: ReleaseObservation) -> ReleaseAction:
        """Ship what is green."""
        return decide("ship")


class Oracle(Policy):
    """The shortest way to the right decision, by the hidden truth: the top of the scale."""

    name = "oracle"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment whose truth is asked."""
        self._env = env

    def __call__(self, obs: Observation) -> Action:
        """Return the truth."""
        return self._env.oracle_action()


class Guided(Oracle):
    """The oracle that looks at the evidence first: what it does follows from what it has seen."""

    name = "guided"

    def __call__(self, obs: Observation) -> Action:
        """Return the look that the oracle's next move rests on, or that move."""
        assert isinstance(self._env, ReleaseEnv)
        seen, world, move = _seen(obs), self._env.world, self._env.oracle_action()
        assert isinstance(move, ReleaseAction)
        if move.action_type == "submit_causal_change":
            return self._before_cause(seen, world.causal) or move
        if move.action_type == "replace":
            return self._before_repair(seen) or move
        if world.provider not in seen.units:
            return act("run_unit_tests", service=world.provider)
        if move.action_type == "submit_blast_radius":
            readers = {r.provider for r in world.reads}
            for name in (world.provider, *sorted(world.impacted & readers)):
                if name not in seen.graph:
                    return act("view_dependency_graph", service=name)
        if move.action_type == "submit_release_decision" and not seen.owners:
            return act("view_ownership_map")
        return move

    def _before_cause(self, seen: ReleaseObservation, causal: str) -> ReleaseAction | None:
        if "unit-tests" not in seen.logs:
            return act("view_log", job_name="unit-tests")
        if not seen.history:
            return act("view_commit_history")
        return act("view_diff", commit_id=causal) if causal not in seen.diffs else None

    def _before_repair(self, seen: ReleaseObservation) -> ReleaseAction | None:
        for word, kind, known in (
            ("guide", "view_migration_guide", seen.guides),
            ("advisory", "view_security_advisory", seen.advisories),
        ):
            for name in reading.told_packages(seen, word):
                if name not in known:
                    return act(kind, package=name)
        return None


TEACHERS: tuple[type[Policy], ...] = (Guided, Careful)
"""Whose steps are the traces of the warm start; the oracle's own moves rest on nothing seen."""
PREPARES = (
    "view_log", "view_commit_history", "view_diff", "cat", "view_migration_guide",
    "view_security_advisory", "run_unit_tests", "view_dependency_graph", "run_contract_tests",
    "view_ownership_map",
)  # fmt: skip
"""Action types that earn nothing themselves and carry what earns later."""
LOOK_AHEAD = "careful"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("careful", "naive")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "careful"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("L1", "L2", "L3")
"""Scenarios on which no exploit may earn."""
GAP_GROWS = NO_PROFIT
"""Scenarios over which the gap between oracle and baseline grows, per step."""
EXPLOITS = tuple(policy.name for policy in exploits.ALL)
_HONEST: tuple[type[Policy], ...] = (Naive, Careful, Reworded, Guided, Oracle)
_ALL: tuple[type[Policy], ...] = (RandomPolicy, *exploits.ALL, *_HONEST)
POLICIES: dict[str, type[Policy]] = {policy.name: policy for policy in _ALL}
audit_policies = exploits.audit_policies
