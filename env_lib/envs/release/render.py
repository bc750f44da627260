"""The prompt: what was just shown, and notes of what was seen, by priority within a budget.

Notes that no longer matter are dropped: log and guides once unit tests pass, the history and other
diffs once the causal commit is submitted, the graph once the blast radius is. Of the history, what
was not read yet stays. The last line says what may come next; see `menu`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from env_lib.envs.release import looks
from env_lib.envs.release.menu import options
from env_lib.language import count_tokens, cut

if TYPE_CHECKING:
    from env_lib.envs.release.env import ReleaseObservation

MARGIN = 0.9
"""Share of the budget that the estimate may fill."""
ERROR_TOKENS = 40
UNREAD = "not read yet:"
"""What stands above the commits whose diffs were not looked at."""


def prompt_text(obs: ReleaseObservation, tokens: int) -> str:
    """Render an observation within `tokens`; what comes first is kept first."""
    left = int(tokens * MARGIN)
    last = [f"next: {' or '.join(options(obs))}; step {obs.step}/{obs.budget}"]
    if obs.error:
        last.insert(0, f"error: {cut(obs.error, min(ERROR_TOKENS, tokens // 4))}")
    left -= sum(map(count_tokens, last))
    head = cut(f"services: {' '.join(obs.services)}", left // 2)
    left -= count_tokens(head)
    kept: list[str] = []
    for line in _notes(obs):
        room = left - 3
        if room < 8:
            break
        text = line if count_tokens(line) <= room else _cut_lines(line, room)
        if text and text != UNREAD:
            kept.append(text)
            left -= count_tokens(text) + 1
    return "\n".join([head, *kept, *last])


def _cut_lines(text: str, budget: int) -> str:
    """Return the leading lines that fit; a single line is cut at a word."""
    if "\n" not in text:
        return cut(text, budget)
    lines: list[str] = []
    for line in text.splitlines():
        budget -= count_tokens(line) + 1
        if budget < 4:
            break
        lines.append(line)
    return "\n".join(lines)


def line(obs: ReleaseObservation, kind: str, name: str) -> str:
    """Return what one key says in an observation, "" where nothing."""
    if kind == "history":
        return "\n".join(["history, newest first:", *map(_row, obs.history)])
    if kind == "owners":
        return _owners(obs)
    if kind == "graph":
        return looks.graph_text(name, obs.graph[name])
    if kind in ("diff", "code"):  # a note of a diff leaves its tests out
        own = tuple(h for h in obs.diffs[name] if kind == "diff" or not looks.is_test(h[0]))
        return f"diff {name}: {looks.diff_text(own)}"
    if kind == "file":
        return _file(name, obs.files[name])
    if kind == "edit":
        path, old, new = obs.edits[-1]
        return f"edited {path}: -{old.strip()} +{new.strip()}"
    if kind == "contract" and name in obs.without_contracts:
        return f"{name} has no contracts: it reads nobody"
    if kind in ("unit", "contract"):
        told = (obs.units if kind == "unit" else obs.contracts)[name]
        return f"{kind} tests of {name}: {told or 'pass'}"
    if kind == "impacted":
        return f"impacted: {', '.join(obs.blast or ()) or 'none'}"
    if kind in ("log", "guide", "advisory"):
        told = {"log": obs.logs, "guide": obs.guides, "advisory": obs.advisories}[kind][name]
        return f"{kind} {name}{' (before edits)' if kind == 'log' and obs.edits else ''}: {told}"
    if kind == "earned":
        return f"earned so far: {name}"
    return f"{kind}: {name}" if name else ""


def _notes(obs: ReleaseObservation) -> list[str]:
    """Return the notes, most wanted first, the latest before all."""
    keys = [("unit", name) for name, told in obs.units.items() if told]
    passing = [name for name, told in obs.units.items() if not told]
    repaired = bool(passing) and not keys
    lines = [line(obs, *key) for key in keys]
    lines += [f"unit tests pass: {' '.join(passing)}"] if passing else []
    lines += [line(obs, "edit", "")] if obs.edits else []
    lines += _submitted(obs)
    keys = [("owners", "")] if obs.owners else []
    if not repaired:
        keys += [("guide", name) for name in obs.guides]
        keys += [("advisory", name) for name in obs.advisories]
        keys += [("code", name) for name in obs.diffs if name == obs.causal]
        keys += [("log", name) for name in obs.logs]
    lines += [line(obs, *key) for key in keys]
    keys, unread = [], [_row(row) for row in obs.history if row[0] not in obs.diffs]
    if not obs.causal:
        if unread and not obs.shown.startswith("history"):
            lines.append("\n".join([UNREAD, *unread]))
        keys += [("code", name) for name in obs.diffs]
    if obs.blast is None:
        keys += [("graph", name) for name in obs.graph]
    lines += [line(obs, *key) for key in keys]
    first = next((text for text in lines if text.startswith(obs.shown)), obs.shown)
    lines = [text for text in dict.fromkeys([first, *lines]) if text]
    return [one for one in lines if not any(o != one and o.startswith(one) for o in lines)]


def _row(commit: tuple[str, str, str, bool]) -> str:
    name, _, told, live = commit
    return f"{name} {told}{' (live)' if live else ''}"


def _submitted(obs: ReleaseObservation) -> list[str]:
    lines = [f"causal: {obs.causal}"] if obs.causal else []
    if obs.causal and any(live for c, _, _, live in obs.history if c == obs.causal):
        lines[0] += " (live)"
    if obs.blast is not None:
        lines.append(line(obs, "impacted", ""))
    elif obs.marked:
        lines.append(f"marked: {', '.join(obs.marked)}")
    fine = [name for name, told in obs.contracts.items() if not told]
    lines += [f"contracts pass: {' '.join(fine)}"] if fine else []
    return lines + [line(obs, "contract", n) for n, told in obs.contracts.items() if told]


def _owners(obs: ReleaseObservation) -> str:
    edited = [path.split("/")[0] for path, _, _ in obs.edits]
    wanted = [*edited, *(obs.blast if obs.blast is not None else obs.owners)]
    told = ", ".join(f"{n} {obs.owners[n]}" for n in dict.fromkeys(wanted) if n in obs.owners)
    protected, hot = (" ".join(names) or "none" for names in (obs.protected, obs.hot))
    marks = f"protected, owner approves: {protected}; hot, speed is not tested: {hot}"
    return f"{marks}; owners: {told}"


def _file(path: str, text: str) -> str:
    """Return a file without what says nothing: docstring, settings, blank lines, the helper."""
    skip = ('"""', "REGION", "TRIES", "BATCH", "# ", "def label", 'return "', 'return f"')
    rows = [row for row in text.splitlines() if row and not row.strip().startswith(skip)]
    return f"{path}:\n" + "\n".join(rows)
