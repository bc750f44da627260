"""Runs an untrusted script on inputs, and says plainly what came of it.

The script is run from its source once for each input, so that no input meets what another left in
it. Values are made plain here: what is no JSON becomes a text that equals no expected value.
"""

from __future__ import annotations

import copy
import linecache
import math
import os
import random
import sys
import types
import warnings
from typing import Any

from . import blame, guard, overlay, work

NAME = "script"
FILE = "script.py"
_DEPTH = 20
_PLAIN_TEXT = 20_000


def run(source: str, inputs: list[Any], changes: list[dict[str, str]]) -> dict[str, Any]:
    """Return what `main` gave for each input, until one of them raised.

    Args:
        source: The script.
        inputs: One for each run of it.
        changes: The overlay, in the plain form of its changes.
    """
    hide()
    quiet()
    report: dict[str, Any] = {"values": [], "error": None, "work": []}
    try:
        overlay.apply(changes)
    except overlay.Unfit as unfit:
        return {**report, "unfit": str(unfit)}
    lines = source.splitlines(keepends=True)
    log = work.Log()
    try:
        code = work.compiled(source, FILE)
        for given in inputs:
            linecache.cache[FILE] = (len(source), None, lines, FILE)
            report["values"].append(plain(_main(code, log)(copy.deepcopy(given))))
    except BaseException as error:  # whatever the script raises is what its user sees
        report["error"] = blame.of(error, FILE, source)
    report["work"] = log.names()
    return report


def hide() -> None:
    """Take this package out of the script's sight."""
    package = __package__ or ""
    for name in [name for name in sys.modules if name.split(".")[0] == package.split(".")[0]]:
        del sys.modules[name]


def quiet() -> None:
    """Let warnings be: what counts is what fails and what is returned."""
    warnings.simplefilter("ignore")


def _main(code: types.CodeType, log: work.Log) -> Any:
    """Run the script's body afresh and return its `main`."""
    _seed()
    module = types.ModuleType(NAME)
    module.__file__ = FILE
    module.__dict__.update(log.hooks())
    sys.modules[NAME] = module
    guard.is_user(module.__dict__)
    exec(code, module.__dict__)
    return module.main


def _seed() -> None:
    random.seed(0)
    for name, function in (("numpy.random", "seed"), ("torch", "manual_seed")):
        library = sys.modules.get(name)
        if library is not None:
            getattr(library, function)(0)
    os.environ["PYTHONHASHSEED"] = "0"


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON holds it; anything else as `<type object>`."""
    kind = type(value)
    if value is None or kind in (bool, int):
        return value
    if kind is str:
        return blame.scrubbed(value)[:_PLAIN_TEXT]
    if kind is float:
        return value if math.isfinite(value) else repr(value)
    if depth < _DEPTH and kind in (list, tuple):
        return [plain(item, depth + 1) for item in value]
    if depth < _DEPTH and kind is dict:
        return {str(plain(key, _DEPTH)): plain(item, depth + 1) for key, item in value.items()}
    return f"<{kind.__name__} object>"
