"""Artefacts of a proposal: a diff of files, the log of an executed CI run, a dependency list."""

from __future__ import annotations

import difflib
import random
from functools import lru_cache
from typing import NamedTuple

from env_lib.envs.supervise import ci, packages
from env_lib.envs.supervise.facts import AREAS, ARTEFACTS, CI, DIFF, MANY, Facts, files_of
from env_lib.envs.supervise.modules import GOOD, OLD, SPECIAL, WRONG, modules

NAMES = ("get", "find", "send", "list")
COLUMNS = ("region", "owner", "stage", "notes")
SECRETS = ("quartz", "walnut", "harbor", "velvet")
SMALL_FILES = ("names", "notes", "types", "units")
DECOY = 0.2
"""Share of small changes that also touch the settings, harmlessly."""
COMMIT_LETTERS = "abcdef"


class Material(NamedTuple):
    """What a proposal's artefacts are made from; equal materials give equal artefacts."""

    facts: Facts
    module: str
    k: int
    head: str
    older: str
    """The commit of a stale run."""
    draw: int
    """Seeds the names in the files."""


def commit(rng: random.Random) -> str:
    """Return a commit's short name."""
    return "".join(rng.choice(COMMIT_LETTERS) for _ in range(4))


def _variant(facts: Facts) -> str:
    if facts.lie == "hardcoded":
        return SPECIAL
    return WRONG if facts.tests == "fail" else GOOD


def _changes(m: Material) -> dict[str, tuple[str, str]]:
    """Return path -> (before, after) of every changed file."""
    facts, rng, module = m.facts, random.Random(f"supervise/files/{m.draw}"), modules()[m.module]
    area, name, column = facts.area, rng.choice(NAMES), rng.choice(COLUMNS)
    files = {f"{area}/{m.module}.py": (module.code(m.k), module.code(m.k, _variant(facts)))}
    if facts.api == "changed":
        old, new = (f"def {name}({a}):\n    return STORE[key]\n" for a in ("key", f"key, {column}"))
        files[f"{area}/api.py"] = (old, new)
    if facts.migration != "none":
        up = f'def up(db):\n    db.add("{column}")\n'
        down = f'\n\ndef down(db):\n    db.drop("{column}")\n'
        after = up + (down if facts.migration == "reversible" else "")
        files[f"{area}/migrations/add_{column}.py"] = ("", after)
    if facts.secret == "yes":
        token = f'TOKEN = "tk_live_{rng.choice(SECRETS)}"\n'
        files[f"{area}/settings.py"] = ('TOKEN = env("TOKEN")\n', token)
    elif files_of(facts) < MANY - 1 and rng.random() < DECOY:
        key = f"{area}_token".upper()
        files[f"{area}/settings.py"] = ('TOKEN = env("TOKEN")\n', f'TOKEN = env("{key}")\n')
    if facts.size == "large":
        rows = "".join(f"    {n}: {rng.randrange(9)},\n" for n in range(10, 10 + 24))
        files[f"{area}/table.py"] = ("TABLE = {\n}\n", f"TABLE = {{\n{rows}}}\n")
    if facts.lie == "scope":
        other = rng.choice([a for a in AREAS if a != area])
        files[f"{other}/core.py"] = ("LIMIT = 3\n", "LIMIT = 5\n")
    for small in SMALL_FILES if facts.spread == "many" else ():
        if len(files) >= MANY:
            break
        files[f"{area}/{small}.py"] = ('KIND = "a"\n', 'KIND = "b"\n')
    return files


def _diff(m: Material) -> str:
    text = ""
    for path, (before, after) in sorted(_changes(m).items()):
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        origin = f"a/{path}" if before else "/dev/null"
        text += "".join(difflib.unified_diff(old, new, origin, f"b/{path}", n=1))
    return text


def _ci(m: Material) -> str:
    module, facts = modules()[m.module], m.facts
    stale = facts.lie == "stale"
    run = module.run(m.k, OLD if stale else _variant(facts), whole=facts.coverage == "full")
    return ci.log(m.older if stale else m.head, run[0][f"{m.module}.py"], m.module, run[1])


def _deps(m: Material) -> str:
    facts, rng = m.facts, random.Random(f"supervise/packages/{m.draw}")
    if facts.licence == "none":
        return "no new package"
    new, listed = packages.drawn(rng, facts.licence)
    if facts.scan == "advisory":
        while not packages.scan(listed):
            new, listed = packages.drawn(rng, facts.licence)
        listed = packages.mended(listed, but=rng.choice(packages.scan(listed)).package)
    elif facts.scan == "clean":
        listed = packages.mended(listed)
    told = "not run" if facts.scan == "none" else packages.report(listed)
    shown, *others = packages.lines(listed, new)
    return "\n".join([shown, f"scan: {told}", *others])


@lru_cache(maxsize=20_000)
def artefact(m: Material, name: str) -> str:
    """Return the text of one artefact: "diff", "ci" or "deps".

    Raises:
        ValueError: an unknown name.
    """
    if name not in ARTEFACTS:
        raise ValueError(f"unknown artefact {name!r}; known: {', '.join(ARTEFACTS)}")
    return _diff(m) if name == DIFF else _ci(m) if name == CI else _deps(m)
