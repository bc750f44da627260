"""What may come next: the phases of a release, read off what was seen and nothing else.

The last line of a prompt names it, so that a small model need not keep in mind what it has done and
no look need be repeated. Every other action may be taken all the same. It names what there is to do
and never what is right: not the commit, the text, who is impacted or the decision.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from env_lib.envs.release.env import ReleaseObservation

TRIES = 3
"""Edits, and answers that were no action, after which it goes on without a repair."""
_LOOKS = (("guide", "view_migration_guide"), ("advisory", "view_security_advisory"))


def options(obs: ReleaseObservation) -> tuple[str, ...]:
    """Return the actions that may come next, each as its type and, where known, its name."""
    log = obs.logs.get("unit-tests", "")
    failing = log.partition(":")[0]
    if not failing:
        return ("view_log unit-tests",)
    if not obs.history:
        return ("view_commit_history",)
    suspects = [commit for commit, service, *_ in obs.history if service == failing]
    if not obs.causal:
        return _cause(obs, suspects)
    if obs.units.get(failing) != "" and obs.tries < TRIES:
        return _repair(obs, suspects, failing)
    return _impact(obs, failing)


def _cause(obs: ReleaseObservation, suspects: list[str]) -> tuple[str, ...]:
    """Read the next commit on the failing service, or blame the one that was read last."""
    unread = [commit for commit in suspects if commit not in obs.diffs]
    last = next(reversed(obs.diffs), "")
    blamed = [last] if last in suspects else []
    if not unread:
        blamed += [commit for commit in suspects if commit != last]
    return (
        *(f"view_diff {commit}" for commit in unread[:1]),
        *(f"submit_causal_change {commit}" for commit in blamed),
    )


def _repair(obs: ReleaseObservation, suspects: list[str], failing: str) -> tuple[str, ...]:
    """Read what the log points to, test what was edited, else edit or look further."""
    if obs.edits and failing not in obs.units:
        return (f"run_unit_tests {failing}",)
    for word, kind in _LOOKS:
        known = obs.guides if word == "guide" else obs.advisories
        for name in re.findall(rf"{word}: (\w+)", obs.logs["unit-tests"]):
            if name not in known:
                return (f"{kind} {name}",)
    if obs.causal not in obs.diffs:
        return (f"view_diff {obs.causal}",)
    last = next(reversed(obs.diffs))
    others = [commit for commit in suspects if commit != last] if obs.tries else []
    return (f"replace {failing}/api.py", *(f"view_diff {commit}" for commit in others))


def _impact(obs: ReleaseObservation, failing: str) -> tuple[str, ...]:
    """Follow the graph, submit, run the contracts of whom was submitted, decide."""
    if obs.blast is None:
        if failing not in obs.graph:
            return (f"view_dependency_graph {failing}",)
        rows = [row for name in obs.graph for row in obs.graph[name]]
        read = dict.fromkeys(n for kind, n, _, count in rows if kind == "read by" and count != "0")
        further = [f"view_dependency_graph {name}" for name in read if name not in obs.graph]
        return (*further, "submit_blast_radius")
    run = {*obs.contracts, *obs.without_contracts}
    for name in obs.blast:
        if name not in run:
            return (f"run_contract_tests {name}",)
    return ("submit_release_decision",) if obs.owners else ("view_ownership_map",)
