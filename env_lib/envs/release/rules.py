"""What honest rules do, by what the agent may see alone; none of them remembers anything."""

from __future__ import annotations

from env_lib.core import Action, Observation
from env_lib.envs.release import change_model, reading
from env_lib.envs.release.action import ReleaseAction, act, decide
from env_lib.envs.release.env import ReleaseObservation
from env_lib.rollout import Policy


def edit(found: reading.Edit) -> ReleaseAction:
    """Return the action of an edit."""
    return act("replace", file_path=found[0], search=found[1], replace=found[2])


def seen_of(obs: Observation) -> ReleaseObservation:
    """Return the observation as what it is."""
    assert isinstance(obs, ReleaseObservation)
    return obs


class Careful(Policy):
    """The reference order: look, repair by the guide, find who reads, run contracts, decide.

    It uses what the agent may see alone, remembers nothing, and can take over anywhere.
    """

    name = "careful"
    by_guide = True

    def __call__(self, obs: Observation) -> Action:
        """Return the next action."""
        seen = seen_of(obs)
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
        if not any(reading.touches_code(seen, commit) for commit in seen.diffs):
            for commit in reading.suspects(seen):
                if commit not in seen.diffs:
                    return act("view_diff", commit_id=commit)
        path = f"{reading.failing_service(seen)}/api.py"
        if path not in seen.files:
            return act("cat", file_path=path)
        for name in reading.told_packages(seen, "guide"):
            if name not in seen.guides:
                return act("view_migration_guide", package=name)
        for name in reading.told_packages(seen, "advisory"):
            if name not in seen.advisories:
                return act("view_security_advisory", package=name)
        return None

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
            if name not in (*seen.contracts, *seen.without_contracts):
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


class LogisticRegression(Careful):
    """Repairs as the careful rules do, then decides by features of the change: no contract is run.

    The classic control: `change_model.py` has the features and the fitted numbers.
    """

    name = "logistic_regression"

    def validates(self, seen: ReleaseObservation) -> ReleaseAction:
        """Submit the cause, look at the ownership map, decide."""
        if not seen.causal:
            return act("submit_causal_change", commit=reading.blamed(seen, by_guide=True))
        return self.decides(seen) if seen.owners else act("view_ownership_map")

    def decides(self, seen: ReleaseObservation) -> ReleaseAction:
        """Take the likeliest decision; its owner is that of the changed service."""
        decision = change_model.decision_of(seen)
        owner = seen.owners.get(reading.failing_service(seen), "none")
        return decide(decision, "none" if decision == "ship" else owner)
