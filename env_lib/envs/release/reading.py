"""What honest rules read out of an observation: suspects, possible fixes, affected fields.

Pure functions of what was seen, so that a rule can take over at any point of an episode.
"""

from __future__ import annotations

import ast
import re

from env_lib.envs.release.env import ReleaseObservation
from env_lib.envs.release.looks import is_test

Edit = tuple[str, str, str]
"""(path, search, replace)."""
_BECOMES = re.compile(r"`([^`]+)` becomes `([^`]+)`")
_SETTING = re.compile(r"^([A-Z_]+ = |#|$)")
_PAIR = re.compile(r"\"(\w+)\": ([^,}]+)")
_ASSIGNED = re.compile(r"^\s*(\w+) = (.*)$")
_COMMENT = re.compile(r"  #[^\n]*$", re.MULTILINE)
_PIECE = re.compile(r"\w+|[^\w\s]")
_ASIDE = re.compile(r"^(def |if |raise |return f?\")")
"""Lines that take part in no answer: heads, guards, texts."""


def failing_service(obs: ReleaseObservation) -> str:
    """Return the service that the unit tests' log names first."""
    return obs.logs.get("unit-tests", "").split(":")[0]


def told_packages(obs: ReleaseObservation, word: str) -> list[str]:
    """Return the packages that the log names after "guide" or "advisory"."""
    return re.findall(rf"{word}: (\w+)", obs.logs.get("unit-tests", ""))


def suspects(obs: ReleaseObservation) -> list[str]:
    """Return the commits on the failing service, newest first."""
    return [commit for commit, service, _, _ in obs.history if service == failing_service(obs)]


def weighs(old: str, new: str) -> bool:
    """Whether a changed line changes what is computed, as far as a reader can tell.

    Settings, comments, heads of functions, guards and the same words in another order do not.
    """
    if any(_SETTING.match(part) or _ASIDE.match(part) for part in (old, new)):
        return False
    return sorted(_PIECE.findall(old)) != sorted(_PIECE.findall(new))


def touches_code(obs: ReleaseObservation, commit: str) -> bool:
    """Whether a seen diff changes what is computed."""
    return any(
        weighs(old, new) for path, old, new in obs.diffs.get(commit, ()) if not is_test(path)
    )


def fixes(obs: ReleaseObservation, *, by_guide: bool) -> list[tuple[Edit, str]]:
    """Return possible fixes with the commit that each blames ("" where none), likely ones first."""
    path = f"{failing_service(obs)}/api.py"
    texts = [*obs.guides.values(), *obs.advisories.values()] if by_guide else []
    texts = texts or [obs.logs.get("unit-tests", "")]
    found = [((path, old, new), "") for text in texts for old, new in _BECOMES.findall(text)]
    for commit in suspects(obs):
        for where, old, new in obs.diffs.get(commit, ()):
            code = old and new and not (_SETTING.match(old) and _SETTING.match(new))
            if where == path and code and "\n" not in old + new:
                found.append(((path, new, old), commit))
    return sorted(found, key=lambda one: bool(one[1]) and not weighs(*one[0][1:]))


def fitting(obs: ReleaseObservation, edit: Edit) -> bool:
    """Whether an edit can be made on the file as it was seen; true where it was not."""
    path, search, _ = edit
    return path not in obs.files or obs.files[path].count(search) == 1


def undone(obs: ReleaseObservation) -> bool:
    """Whether the last edit took an earlier one back, or there is none."""
    if not obs.edits:
        return True
    path, search, put = obs.edits[-1]
    return (path, put, search) in obs.edits[:-1]


def same_effect(obs: ReleaseObservation, edit: Edit) -> bool:
    """Whether the last edit left the code that another one would have left, but for comments."""
    path, search, put = obs.edits[-1]
    text = obs.files.get(path, "")
    if edit[0] != path or text.count(put) != 1:
        return edit == obs.edits[-1]
    before = text.replace(put, search)
    return before.count(edit[1]) == 1 and _program(before.replace(*edit[1:])) == _program(text)


def _program(text: str) -> str:
    """Return what a text says as a program; the text itself, where it is none."""
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return text


def blamed(obs: ReleaseObservation, *, by_guide: bool) -> str:
    """Return the commit to blame: of the fix that stands, else the newest that touches code.

    A fix stands however it is worded: what the last edit did is compared, not its text.
    """
    for edit, commit in fixes(obs, by_guide=by_guide):
        if commit and obs.edits and same_effect(obs, edit):
            return commit
    known = [commit for commit in suspects(obs) if touches_code(obs, commit)]
    return (known or suspects(obs) or [""])[0]


def affected_fields(obs: ReleaseObservation) -> set[str]:
    """Return the fields of the failing service's answer that the edit touches."""
    service = failing_service(obs)
    path = f"{service}/api.py"
    read = {row[2] for row in obs.graph.get(service, ()) if row[0] == "read by"}
    text = obs.files.get(path, "")
    puts = [_COMMENT.sub("", put) for where, _, put in obs.edits if where == path]
    if not puts:
        return read
    named = {field for field, _ in _PAIR.findall(puts[-1])} & read
    if named:
        return named
    tainted = {match[1] for line in puts[-1].splitlines() if (match := _ASSIGNED.match(line))}
    found: set[str] = set()
    for line in text.splitlines():
        hit = puts[-1] in line or any(re.search(rf"\b{name}\b", line) for name in tainted)
        match = _ASSIGNED.match(line)
        if hit and match:
            tainted.add(match[1])
        for field, value in _PAIR.findall(line):
            if puts[-1] in value or any(re.search(rf"\b{n}\b", value) for n in tainted):
                found.add(field)
    return found & read or read


def reached(obs: ReleaseObservation) -> tuple[list[str], list[str]]:
    """Return the services that the change reaches, and those whose readers are still unseen."""
    service = failing_service(obs)
    if service not in obs.graph:
        return [], [service]
    found: dict[str, None] = {}
    unseen: list[str] = []
    front = [(service, field) for field in sorted(affected_fields(obs))]
    while front:
        source, field = front.pop(0)
        for kind, name, read, readers in obs.graph[source]:
            if kind != "read by" or read != field or name in found:
                continue
            found[name] = None
            if readers == "0":
                continue
            if name not in obs.graph:
                unseen.append(name)
                continue
            front += [
                (name, row[3]) for row in obs.graph[name] if row[:3] == ("reads", source, field)
            ]
    return list(found), unseen
