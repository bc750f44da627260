"""Writes a duty as the self-contained package that openenv's tools want.

`openenv validate`, `build` and `push` take the folder as it is. It vendors the modules of this
library that the service runs, found by following their imports, and the duty's data, so that it
needs no checkout; nothing of it is kept by hand.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any

from env_lib import export_files as files
from env_lib.paths import DATA, ROOT_VARIABLE
from env_lib.registry import DUTIES, duty_module, make, policy
from env_lib.runs import read_json, write_json, write_text

LIBRARY = Path(__file__).resolve().parent
MANIFEST = ".export.json"
"""Names the files of an export, so that the next one knows what it may replace."""
LEFT_OUT = (".*", "__pycache__", "cache", "*.pyc", "*.db", "*.db-*", "*.key", "*.tmp", "*.part")
"""Names that are no facts: stores of live pulls, keys, caches, half-written files."""
BY_PRODUCTS = ("__pycache__", "build", "*.egg-info")
"""What running or packing an export leaves in it, and the next one may drop."""
PROBE_STEPS = 12
OPTIONAL = {"pydantic_monty"}
"""Packages that are used where they are there and asked for by nobody."""


class ExportError(RuntimeError):
    """An export that would overwrite something else, or that does not run by itself."""


def export(duty: str, out: Path) -> Path:
    """Write the package of `duty` to the folder `out` and return it.

    Raises:
        KeyError: the duty is unknown.
        ExportError: `out` holds anything but an earlier export, or the result does not run.
    """
    duty_module(duty)
    out = Path(out).resolve()
    check_free(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh, old = (out.with_name(f".{out.name}.{os.getpid()}.{what}") for what in ("new", "old"))
    try:
        _write(duty, fresh)
        try_alone(duty, fresh)
        write_json(fresh / MANIFEST, {"duty": duty, "files": sorted(_files(fresh))})
        if out.exists():
            out.rename(old)
        fresh.rename(out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return out


def check_free(out: Path) -> None:
    """Check that `out` is absent, empty, or an earlier export and nothing else.

    Raises:
        ExportError: it is not; the message names what would be lost.
    """
    if not out.exists():
        return
    if not out.is_dir():
        raise ExportError(f"{out} is a file; an export is a folder")
    known = set(read_json(out / MANIFEST)["files"]) if (out / MANIFEST).is_file() else set()
    strange = sorted(set(_files(out)) - known - {MANIFEST})
    if strange:
        raise ExportError(f"{out / strange[0]} is of no earlier export; name another folder")


def _files(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        left = any(fnmatch(part, kind) for part in name.parts[:-1] for kind in BY_PRODUCTS)
        if not path.is_dir() and not left:
            yield name.as_posix()


def _write(duty: str, folder: Path) -> None:
    """Write every file; folders of an earlier try are replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    vendor = folder / "server" / "vendor"
    modules, foreign = follow(["env_lib.server", f"{DUTIES[duty]}.env"])
    if "env_lib.sandbox" in modules:
        modules, more = follow([*modules, *_named(duty)])
        foreign |= more - OPTIONAL
    foreign |= set(getattr(duty_module(duty), "NEEDS", ()))
    for path in [*modules.values(), *_beside(duty)]:
        _copy(path, vendor / "env_lib" / path.relative_to(LIBRARY))
    for path in _facts(DATA / duty):
        _copy(path, vendor / "data" / duty / path.relative_to(DATA / duty))
    about = files.About.of(duty, requirements(foreign))
    for name, text in files.texts(about).items():
        write_text(folder / name, text)
    write_json(folder / "validation" / "runtime.json", probe(duty))
    licence = LIBRARY.parent / "LICENSE"
    if licence.is_file():
        _copy(licence, folder / "LICENSE")


def _named(duty: str) -> Iterator[str]:
    """Yield the modules that are loaded by name: a sandbox's and those of a duty's subfolders."""
    for folder in (LIBRARY / "sandbox", *(p.parent for p in _package(duty).glob("*/__init__.py"))):
        for path in sorted(folder.glob("*.py")):
            yield ".".join(("env_lib", *path.relative_to(LIBRARY).with_suffix("").parts))


def _package(duty: str) -> Path:
    return LIBRARY.joinpath(*DUTIES[duty].split(".")[1:])


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _facts(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if any(fnmatch(path.name, pattern) for pattern in LEFT_OUT):
            continue
        if path.is_dir():
            yield from _facts(path)
        else:
            yield path


def _beside(duty: str) -> Iterator[Path]:
    """Files of the duty's package that are no modules."""
    return (path for path in _facts(_package(duty)) if path.suffix != ".py")


def follow(entries: Iterable[str]) -> tuple[dict[str, Path], set[str]]:
    """Return the modules of this library that `entries` import, and other packages' names.

    Imports inside functions count; those for type checkers do not, nor does what a package's
    `__init__` imports later: its shortcuts are for users of the whole library.
    """
    found: dict[str, Path] = {}
    foreign: set[str] = set()
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        path = _module_file(name)
        if name in found or path is None:
            continue
        found[name] = path
        waiting += [name.rpartition(".")[0]] if "." in name else []
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for imported in _imports(tree, deep=path.name != "__init__.py"):
            top = imported.split(".")[0]
            if top == "env_lib":
                waiting.append(imported)
            elif top not in sys.stdlib_module_names:
                foreign.add(top)
    return found, foreign


def _module_file(name: str) -> Path | None:
    place = LIBRARY.joinpath(*name.split(".")[1:])
    options = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in options if path.is_file()), None)


def _imports(tree: ast.AST, deep: bool) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        elif deep or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _imports(node, deep)


def requirements(names: Iterable[str]) -> list[str]:
    """Return `distribution==version` of imported packages, as installed here."""
    owners = packages_distributions()
    wanted = {owners[name][0] for name in names} | {"openenv"}
    return sorted(f"{name}=={version(name).split('+')[0]}" for name in wanted)


def probe(duty: str) -> dict[str, Any]:
    """Return the plan that runtime validation plays: random moves, and two malformed ones."""
    env, moves = make(duty), policy(duty, "random")
    odd: dict[int, dict[str, Any]] = {
        3: {"text": "This looks like a bug."},
        6: {"action_type": "nonsense", "x": [None, -1]},
    }
    actions: list[dict[str, Any]] = []
    obs = env.reset(seed=7)
    moves.start(env, 7)
    while not obs.done and len(actions) < PROBE_STEPS:
        sent = odd.get(len(actions)) or moves(obs).model_dump(exclude_none=True)
        actions.append(sent)
        obs = env.step(env.parse(sent.get("text") or json.dumps(sent)))
    reset = {"episode_id": "validation", "seed": 7, "options": {}}
    return {"plan_schema_version": "1", "reset": reset, "actions": actions}


def try_alone(duty: str, folder: Path) -> None:
    """Start an episode from the vendored files alone, which also builds what a duty builds once.

    Raises:
        ExportError: that fails; the message holds the last line of what Python said.
    """
    vendor = folder / "server" / "vendor"
    code = (
        f"import sys; sys.path.insert(0, {str(vendor)!r})\n"
        f"import env_lib; assert env_lib.__file__.startswith({str(vendor)!r}), env_lib.__file__\n"
        f"env = env_lib.make({duty!r})\n"
        "env.reset(seed=0)\n"
        "assert not env.step(env.oracle_action()).metadata.get('sandbox_error')\n"
    )
    environment = {**os.environ, ROOT_VARIABLE: str(vendor)}
    done = subprocess.run(
        [sys.executable, "-IB", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ExportError(f"the export does not run alone: {done.stderr.strip().splitlines()[-1]}")
