"""The seed scripts under `data/drift/scripts/`: healthy on the installed releases, run for real.

`data/drift/inputs.json` holds of each script its library, its split and three inputs, of which the
first is the visible one. A script is in one split alone, and so are the version steps that are
woven into it (`splits.py`).
"""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from env_lib.envs.drift.records import Script
from env_lib.paths import DATA
from env_lib.runs import read_json

SPLITS = ("train", "val", "test", "test_ood")
HUGGING = ("transformers", "trl", "peft", "datasets", "accelerate", "huggingface_hub", "tokenizers")
"""Libraries of the Hugging Face kind; the others are of data science."""
SECONDS = 2.0
"""Processor seconds of a seed script on one input, at most; `validate drift` measures them."""
PACKAGES = {"sklearn": "scikit-learn", "PIL": "pillow"}
"""Name that is imported -> name of the distribution, where they differ."""
INPUTS = 3


class CorpusError(ValueError):
    """A script, a row or a task is not as it should be; the message names it and the reason."""


def folder() -> Path:
    """Return the folder of the bundled data."""
    return DATA / "drift"


def libraries_of(source: str) -> tuple[str, ...]:
    """Return the distributions that a script imports beside the standard library, sorted.

    Raises:
        SyntaxError: the script is no Python.
    """
    import sys

    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
    return tuple(sorted(PACKAGES.get(name, name) for name in names - sys.stdlib_module_names))


@lru_cache(maxsize=4)
def _told(root: Path) -> dict[str, dict[str, object]]:
    found = read_json(root / "inputs.json")
    if not isinstance(found, dict) or not found:
        raise CorpusError("inputs.json must map script names to library, split and inputs")
    return found


@lru_cache(maxsize=4)
def scripts(root: Path | None = None) -> dict[str, Script]:
    """Return the seed scripts by name, sorted.

    Raises:
        CorpusError: a script has no inputs, inputs have no script, or they are not three.
    """
    home = root or folder()
    told = _told(home)
    sources = {path.stem: path.read_text("utf-8") for path in (home / "scripts").glob("*.py")}
    odd = sorted(set(told) ^ set(sources))
    if odd:
        raise CorpusError(f"{odd[0]} is in only one of inputs.json and scripts/; both are needed")
    made = {}
    for name in sorted(sources):
        row = told[name]
        inputs = row.get("inputs")
        if not isinstance(inputs, list) or len(inputs) != INPUTS:
            raise CorpusError(f"{name} needs a list of {INPUTS} inputs in inputs.json")
        if row.get("split") not in SPLITS:
            raise CorpusError(f"{name}: split {row.get('split')!r} is none of {', '.join(SPLITS)}")
        source = sources[name]
        libraries = libraries_of(source)
        made[name] = Script(name, str(row["library"]), libraries, source, tuple(inputs))
    return made


def split_of(name: str, root: Path | None = None) -> str:
    """Return the split of a seed script.

    Raises:
        CorpusError: there is no such script.
    """
    told = _told(root or folder())
    if name not in told:
        raise CorpusError(f"no script {name!r}; known: {', '.join(sorted(told))}")
    return str(told[name]["split"])
