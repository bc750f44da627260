"""What each action does to the notes and what it shows; and the shortest way to the end."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from env_lib.envs.release import looks, truth
from env_lib.envs.release.action import ReleaseAction, act, decide
from env_lib.envs.release.notes import Notes, Refused, add
from env_lib.envs.release.rubric import StepFacts
from env_lib.envs.release.runner import Results
from env_lib.envs.release.world import World

CLOSEST = 2
"""Paths that are named to who asks for one that is not there."""
Tree = Mapping[str, str]
Key = tuple[str, str]
"""(kind, name) of what is shown; `render.line` writes it."""


def _known(field: str, value: str | None, names: Iterable[str]) -> str:
    """Return a name, or refuse it and list the valid ones, the closest first: lists may be cut."""
    known = list(names)
    if value in known:
        return str(value)
    valid = f"valid: {', '.join(closest(value or '', known))}" if known else "there is none here"
    raise Refused(f"{field} {(value or '')[:30]!r} is unknown; {valid}")


def closest(value: str, names: Iterable[str]) -> list[str]:
    """Return names, those most like a value first; of equal ones in their own order."""
    return sorted(names, key=lambda name: -difflib.SequenceMatcher(None, value, name).ratio())


def _known_path(value: str | None, tree: Tree) -> str:
    """Return a path, or refuse it with the closest ones and the words that all are made of."""
    if value in tree:
        return str(value)
    first = ", ".join(closest(value or "", tree)[:CLOSEST])
    names = " ".join(path.split("/")[0] for path in tree if path.endswith("/api.py"))
    readers = " ".join(path[10:-3] for path in tree if path.startswith("contracts/"))
    vendored = "".join(f"; {path}" for path in tree if path.startswith("vendor/"))
    raise Refused(
        f"file_path {(value or '')[:30]!r} is unknown; closest: {first}; valid: SERVICE/api.py, "
        f"tests/SERVICE.py of {names}; contracts/SERVICE.py of {readers}{vendored}"
    )


def look(world: World, notes: Notes, action: ReleaseAction, tree: Tree) -> tuple[Notes, Key]:
    """Carry out a look or a run of tests; return the new notes and the key of what is shown."""
    kind = action.action_type
    if kind == "view_log":
        job = _known("job_name", action.job_name, looks.JOBS)
        return replace(notes, logs=add(notes.logs, job)), ("log", job)
    if kind == "view_commit_history":
        return replace(notes, history=True), ("history", "")
    if kind == "view_diff":
        commit = _known("commit_id", action.commit_id, (c.id for c in world.history))
        return replace(notes, diffs=add(notes.diffs, commit)), ("diff", commit)
    if kind == "cat":
        path = _known_path(action.file_path, tree)
        return replace(notes, files=add(notes.files, path)), ("file", path)
    if kind == "view_ownership_map":
        return replace(notes, owners=True), ("owners", "")
    if kind == "view_migration_guide":
        name = _known("package", action.package, filter(None, [world.sketch.guide[0]]))
        return replace(notes, guides=add(notes.guides, name)), ("guide", name)
    if kind == "view_security_advisory":
        name = _known("package", action.package, filter(None, [world.sketch.advisory[0]]))
        return replace(notes, advisories=add(notes.advisories, name)), ("advisory", name)
    return _service(world, notes, action)


def _service(world: World, notes: Notes, action: ReleaseAction) -> tuple[Notes, Key]:
    name, kind = _known("service", action.service, world.services), action.action_type
    if kind == "run_unit_tests":
        return replace(notes, units=add(notes.units, name)), ("unit", name)
    if kind == "run_contract_tests":
        return replace(notes, contracts=add(notes.contracts, name)), ("contract", name)
    if kind == "view_dependency_graph":
        return replace(notes, graph=add(notes.graph, name)), ("graph", name)
    if name in notes.marked:
        raise Refused(f"{name} is marked already; marked: {', '.join(notes.marked)}")
    return replace(notes, marked=add(notes.marked, name)), ("marked", name)


def submit(
    world: World, notes: Notes, action: ReleaseAction, facts: StepFacts
) -> tuple[Notes, Key]:
    """Take a submission, once each; nothing that is shown says whether it was right."""
    kind = action.action_type
    if kind == "submit_causal_change":
        if notes.causal:
            raise Refused(f"the causal change is submitted already: {notes.causal}")
        commit = _known("commit", action.commit, (c.id for c in world.history))
        facts.causal_found = commit == world.causal
        return replace(notes, causal=commit), ("causal", commit)
    if kind == "submit_blast_radius":
        if notes.blast is not None:
            raise Refused(f"the blast radius is submitted already: {', '.join(notes.blast)}")
        words = (action.impacted_services or "").replace(",", " ").split()
        names = tuple(dict.fromkeys(_known("service", word, world.services) for word in words))
        facts.blast_f1 = truth.f1(names, world.impacted)
        return replace(notes, blast=names, blast_f1=facts.blast_f1), ("impacted", "")
    teams = dict.fromkeys(world.owners.values())
    owner = _known("owner_to_notify", action.owner_to_notify, (truth.NOBODY, *teams))
    return replace(notes, decision=str(action.decision), owner=owner), ("decision", "")


def seen(
    world: World, notes: Notes, tree: Tree, results: Results, opened: Results
) -> dict[str, Any]:
    """Return the fields of an observation that follow from the notes.

    `opened` are the results on the repository as it was found: those of the pipeline's log.
    """
    none = looks.without_contracts(world)
    return {
        "services": world.services,
        "logs": {job: looks.log_of(world, job, opened) for job in notes.logs},
        "history": looks.history_of(world) if notes.history else (),
        "diffs": {commit: looks.diff_of(world, commit) for commit in notes.diffs},
        "files": {path: tree[path] for path in notes.files},
        "guides": dict.fromkeys(notes.guides, world.sketch.guide[1]),
        "advisories": dict.fromkeys(notes.advisories, world.sketch.advisory[1]),
        "graph": {name: looks.graph_of(world, name) for name in notes.graph},
        "owners": dict(world.owners) if notes.owners else {},
        "protected": tuple(sorted(world.protected)) if notes.owners else (),
        "hot": tuple(sorted(world.hot)) if notes.owners else (),
        "units": {n: looks.report_of(world, n, "unit", results) for n in notes.units},
        "contracts": {
            n: looks.report_of(world, n, "contract", results)
            for n in notes.contracts
            if n not in none
        },
        "without_contracts": tuple(n for n in notes.contracts if n in none),
        "marked": notes.marked,
        "edits": notes.edits,
        "causal": notes.causal,
        "blast": notes.blast,
    }


def shortest(world: World, notes: Notes, tree: Tree, results: Results) -> ReleaseAction:
    """Return the next action of the shortest way to the right decision."""
    if not notes.causal:
        return act("submit_causal_change", commit=world.causal)
    if not truth.is_repaired(world, results):
        path, search, put = _repair(world, tree)
        return act("replace", file_path=path, search=search, replace=put)
    if notes.blast is None:
        names = ", ".join(sorted(world.impacted))
        return act("submit_blast_radius", impacted_services=names)
    for name in sorted(world.impacted - set(notes.contracts)):
        return act("run_contract_tests", service=name)
    owner = min(truth.right_owners(world, tree, results))
    return decide(truth.right_decision(world, tree, results), owner)


LONGEST_SEARCH = 400


def _repair(world: World, tree: Tree) -> tuple[str, str, str]:
    """Return the reference patch, or a step of the way back to it."""
    path, (search, put) = world.path, world.sketch.repair
    if tree[path] == world.tree[path]:
        return path, search, put
    wanted = world.repaired()
    path = next(path for path in wanted if tree[path] != wanted[path])
    search, put = truth.next_edit(tree[path], wanted[path])
    return path, search[:LONGEST_SEARCH], put if len(search) <= LONGEST_SEARCH else ""
