"""Rebuilds facts of breakages: two releases from the package registry, their interfaces compared.

Griffe reads the sources and names candidates (removed objects, removed parameters, changed
defaults); what counts is what running says: each release is put first on the path of a child
process, the name imported and its signature taken. Griffe alone is right on about three removed
objects of four, and finds no rename.

A fact says what changed and no more: it has no snippet in the old and the new form, no error and no
successor, which a row of `breakages.jsonl` has, so that no task is made of it.

Not covered: changed returns and semantics, compiled code, names that lie in no public module. The
releases run with the other packages as they are installed, so that an old one may not import at
all; then nothing of it is confirmed.
"""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIBRARIES = ("trl", "peft", "datasets", "accelerate", "huggingface_hub")
"""Pure Python, and small enough to be read in seconds."""
KINDS = {
    "OBJECT_REMOVED": "removed_api",
    "PARAMETER_REMOVED": "removed_kwarg",
    "PARAMETER_CHANGED_DEFAULT": "changed_default",
}
"""Griffe's name -> the kind of a row in `breakages.jsonl`."""
_ASKED = re.compile(r"(?P<library>[\w-]+)==(?P<old>[\w.]+)\.\.(?P<new>[\w.]+)")
SECONDS = 300.0
AT_MOST = 400
"""Candidates that are confirmed by running, the most reliable kinds first; how many more there were
is told."""
_RELIABLE = ("removed_kwarg", "changed_default", "removed_api")


@dataclass(frozen=True)
class Candidate:
    """What may have changed: `target` is a dotted name, `name` a parameter of it or empty."""

    kind: str
    target: str
    name: str = ""


@dataclass(frozen=True)
class Fact:
    """A change that running confirms, with what each release says."""

    library: str
    old_version: str
    new_version: str
    kind: str
    target: str
    name: str
    old: str
    new: str


def asked(text: str) -> tuple[str, str, str]:
    """Return (library, old release, new release) of `library==old..new`.

    Raises:
        ValueError: another form, or a library that is not compared; says what would be right.
    """
    match = _ASKED.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is no comparison; write for example trl==0.24.0..1.0.0")
    library = match["library"].replace("-", "_")
    if library not in LIBRARIES:
        raise ValueError(f"{library!r} is not compared; one of: {', '.join(LIBRARIES)}")
    return library, match["old"], match["new"]


def compare(library: str, old: str, new: str) -> tuple[list[Fact], int]:
    """Download two releases and return what running confirms of their differences.

    The number beside it is of candidates that were left out, being over AT_MOST.

    Raises:
        RuntimeError: the registry does not give a wheel of a release, or griffe is not installed.
    """
    if importlib.util.find_spec("griffe") is None:
        raise RuntimeError("comparing releases needs griffe: pip install -e '.[pull]'")
    with tempfile.TemporaryDirectory() as folder:
        trees = [unpacked(download(library, v, Path(folder)), Path(folder) / v) for v in (old, new)]
        return confirmed(library, (old, new), (trees[0], trees[1]))


def download(library: str, version: str, folder: Path) -> Path:
    """Return the wheel of a release, fetched by pip without what it depends on.

    Raises:
        RuntimeError: pip fails; the message is its last line.
    """
    target = folder / f"wheel-{version}"
    command = [sys.executable, "-m", "pip", "download", f"{library}=={version}", "--no-deps",
               "--only-binary", ":all:", "--quiet", "--dest", str(target)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    wheels = sorted(target.glob("*.whl")) if target.is_dir() else []
    if done.returncode or not wheels:
        last = (done.stderr.strip().splitlines() or ["no wheel"])[-1]
        raise RuntimeError(f"{library} {version} was not downloaded: {last}")
    return wheels[0]


def unpacked(wheel: Path, folder: Path) -> Path:
    """Return the folder that a wheel is unpacked to."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def candidates(library: str, old: Path, new: Path) -> list[Candidate]:
    """Return what Griffe says has changed in a package, each once, the most reliable kinds first.

    Args:
        library: The package's name.
        old: Folder that holds the old release's package.
        new: The same of the new one.
    """
    found = set()
    for breakage in _differences(library, old, new):
        kind = KINDS.get(breakage.kind.name, "")
        path = breakage.obj.canonical_path
        if not kind or any(part.startswith("_") and part != "__init__" for part in path.split(".")):
            continue
        if kind == "removed_api":
            found.add(Candidate(kind, path))
        else:
            value = breakage.old_value
            name = getattr(value, "name", "") or _quoted(breakage)
            found.add(Candidate(kind, path, str(name)))
    return sorted(found, key=lambda one: (_RELIABLE.index(one.kind), one.target, one.name))


def _quoted(breakage: object) -> str:
    said = re.search(r"\((\w+)\)", breakage.explain())  # type: ignore[attr-defined]
    return said.group(1) if said else ""


def _differences(library: str, old: Path, new: Path) -> Iterator[Any]:
    import griffe

    trees = [
        griffe.load(library, search_paths=[str(path)], allow_inspection=False)
        for path in (old, new)
    ]
    for tree in trees:
        _without_dead_aliases(tree)
    yield from griffe.find_breaking_changes(*trees)


def _without_dead_aliases(tree: object) -> None:
    """Take out names of other packages, at which the comparison would stop."""
    import griffe

    members = tree.members  # type: ignore[attr-defined]
    for name, member in list(members.items()):
        if member.is_alias:
            try:
                member.final_target  # noqa: B018
            except (griffe.AliasResolutionError, griffe.CyclicAliasError):
                del members[name]
        else:
            _without_dead_aliases(member)


def names_of(facts: Iterable[Fact]) -> list[str]:
    """Return what facts are about, in a few words each."""
    return [f"{one.kind} {one.target} {one.name}".rstrip() for one in facts]


def confirmed(
    library: str, versions: tuple[str, str], trees: tuple[Path, Path]
) -> tuple[list[Fact], int]:
    """Return the candidates that running both releases confirms, and how many are over AT_MOST."""
    everything = candidates(library, *trees)
    found = everything[:AT_MOST]
    old, new = (_seen(tree, found) for tree in trees)
    facts = []
    for one, before, after in zip(found, old, new, strict=True):
        pair = _changed(one, before, after)
        if pair:
            facts.append(Fact(library, *versions, one.kind, one.target, one.name, *pair))
    return facts, len(everything) - len(found)


Seen = dict[str, str] | str | None
"""Parameters and their defaults; a text for what takes no call; None for what is not there."""


def _changed(one: Candidate, before: Seen, after: Seen) -> tuple[str, str] | None:
    """Return what the releases say, where they say what the candidate claims."""
    if before is None:
        return None
    if one.kind == "removed_api":
        return ("there", "gone") if after is None else None
    if not isinstance(before, dict) or not isinstance(after, dict) or one.name not in before:
        return None
    if one.kind == "removed_kwarg":
        taken = one.name in after or any(name.startswith("**") for name in after)
        return None if taken else (before[one.name], "gone")
    if one.name in after and before[one.name] != after[one.name]:
        return before[one.name], after[one.name]
    return None


def _seen(tree: Path, found: Iterable[Candidate]) -> list[Seen]:
    """Return of each candidate what a child says that has the release first on its path."""
    targets = [one.target for one in found]
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(tree)],
        input=json.dumps(targets),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise RuntimeError(f"the release in {tree.name} could not be asked: {last}")
    return list(json.loads(done.stdout.splitlines()[-1]))


_CHILD = """
import importlib, inspect, json, re, sys
sys.path.insert(0, sys.argv[1])

def found(path):
    parts, value, at = path.split("."), None, 0
    for at in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:at]))
            break
        except ModuleNotFoundError:
            continue
    if value is None:
        raise AttributeError(path)
    for name in parts[at:]:
        value = getattr(value, name)
    return value

def seen(path):
    try:
        value = found(path)
    except (AttributeError, ImportError, RuntimeError):
        return None
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "no call"
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return {
        stars.get(p.kind, "") + p.name:
        "" if p.default is p.empty else re.sub(" at 0x[0-9a-f]+", "", repr(p.default))
        for p in parameters
    }

told = [seen(path) for path in json.load(sys.stdin)]
print()
print(json.dumps(told))
"""
