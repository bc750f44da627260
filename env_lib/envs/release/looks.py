"""What each look at the organisation shows: facts of a world as texts and rows."""

from __future__ import annotations

import difflib
from functools import lru_cache

from env_lib.envs.release.runner import FIRST_TRY, READ_ONLY, Results
from env_lib.envs.release.world import World

JOBS = ("unit-tests", "build", "deploy")
Hunk = tuple[str, str, str]
"""(path, old lines, new lines) of one change."""
Row = tuple[str, ...]


def log_of(world: World, job: str, results: Results) -> str:
    """Return a pipeline log.

    Failures, flaky tests and what does not compile come from real runs; `live` from the history.
    The lines on lint, guide and advisory are the family's: no linter runs, and a name is all that
    they give of a text to look at.
    """
    if job == "build":
        return _build_log(world)
    if job == "deploy":
        live = [c.id for c in world.history if c.live]
        return f"live: {live[-1]}; waiting: {len(world.history) - len(live)} commits"
    lines = []
    for name in world.services:
        own = [c for c in world.checks if c.service == name and c.kind == "unit"]
        bad = [c for c in own if results[c.id]]
        if bad:
            lines.append(f"{name}: {len(bad)} of {len(own)} fail: {results[bad[0].id]}")
    retried = [c.id for c in world.checks if results.get(c.id + FIRST_TRY)]
    lines += [f"flaky, passed on a retry: {' '.join(retried)}"] if retried else []
    sketch = world.sketch
    if sketch.hint:
        lines.append(f"lint: `{sketch.hint[0]}` becomes `{sketch.hint[1]}`")
    if sketch.guide[0]:
        lines.append(f"guide: {sketch.guide[0]}")
    if sketch.advisory[0]:
        lines.append(f"advisory: {sketch.advisory[0]}")
    return "; ".join(lines)


def _build_log(world: World) -> str:
    """Compile every file; return how many there are, or what does not compile."""
    faults = [fault for path, text in world.tree.items() if (fault := _compile(path, text))]
    if faults:
        return "; ".join(faults)
    vendored = [path[7:-3] for path in world.sketch.vendor]
    count = f"{len(world.tree)} files of {len(world.services)} services"
    return f"ok: compiled {count}; vendored: {', '.join(vendored) or 'nothing'}"


@lru_cache(maxsize=4096)
def _compile(path: str, text: str) -> str:
    """Return why a file does not compile, "" where it does; nothing of it is run."""
    try:
        compile(text, path, "exec")
    except SyntaxError as error:
        return f"{path}:{error.lineno}: {error.msg}"
    return ""


def history_of(world: World) -> tuple[tuple[str, str, str, bool], ...]:
    """Return (id, service, message, live), newest first."""
    return tuple((c.id, c.service, c.message, c.live) for c in reversed(world.history))


@lru_cache(maxsize=4096)
def _hunks(old: str, new: str) -> tuple[tuple[str, str], ...]:
    here, there = old.splitlines(), new.splitlines()
    matcher = difflib.SequenceMatcher(None, here, there, autojunk=False)
    found: list[tuple[str, str]] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "replace" and i2 - i1 == j2 - j1:
            found += zip(here[i1:i2], there[j1:j2], strict=True)
        elif tag != "equal":
            found.append(("\n".join(here[i1:i2]), "\n".join(there[j1:j2])))
    return tuple((a.strip(), b.strip()) for a, b in found)


def diff_of(world: World, commit: str) -> tuple[Hunk, ...]:
    """Return the changes of a commit: services first, then vendored code, then tests."""
    new = next(c.tree for c in world.history if c.id == commit)
    old = world.parent(commit)
    found = [
        (path, a, b)
        for path, text in new.items() if old[path] != text
        for a, b in _hunks(old[path], text)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda hunk: (is_test(hunk[0]), hunk[0].startswith("vendor/"))))


def is_test(path: str) -> bool:
    """Whether a path is of a test file, which is shown and never edited."""
    return path.startswith(READ_ONLY)


def diff_text(hunks: tuple[Hunk, ...]) -> str:
    """Return a diff as short text."""
    lines, last = [], ""
    for path, old, new in hunks:
        if path != last:
            lines.append(path)
            last = path
        for sign, part in (("-", old), ("+", new)):
            lines += [f"{sign}{row}" for row in part.splitlines() if row]
    return "\n".join(lines)


def graph_of(world: World, service: str) -> tuple[Row, ...]:
    """Return rows ("reads", provider, field, alias) and ("read by", consumer, field, readers)."""
    rows: list[Row] = [
        ("reads", r.provider, r.field, r.alias) for r in world.reads if r.consumer == service
    ]
    for r in world.reads:
        if r.provider == service:
            readers = sum(other.provider == r.consumer for other in world.reads)
            rows.append(("read by", r.consumer, r.field, str(readers)))
    return tuple(rows)


def graph_text(service: str, rows: tuple[Row, ...]) -> str:
    """Return a service's place in the graph as text."""
    sources = [f"{p}.{field} as {alias}" for kind, p, field, alias in rows if kind == "reads"]
    readers = [
        f"{c} ({field}{f', read by {n}' if n != '0' else ''})"
        for kind, c, field, n in rows if kind == "read by"
    ]  # fmt: skip
    parts = [f"reads {', '.join(sources)}"] if sources else []
    parts.append(f"read by {', '.join(readers)}" if readers else "read by nobody")
    return f"{service}: {'; '.join(parts)}"


def without_contracts(world: World) -> tuple[str, ...]:
    """Return the services that expect nothing of others."""
    known = {c.service for c in world.checks if c.kind == "contract"}
    return tuple(name for name in world.services if name not in known)


def report_of(world: World, service: str, kind: str, results: Results) -> str:
    """Return "" where a service's checks of a kind pass, else how many fail and the first why."""
    own = [c for c in world.checks if c.service == service and c.kind == kind]
    bad = [c for c in own if results[c.id]]
    return f"{len(bad)} of {len(own)} fail: {results[bad[0].id]}" if bad else ""
