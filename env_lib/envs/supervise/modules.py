"""The small modules that workers change: sources, their changes and their tests, from `data/`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from env_lib.paths import DATA

OLD, GOOD, WRONG, SPECIAL = "old", "new", "wrong", "special"
VARIANTS = (GOOD, WRONG, SPECIAL)
"""What a change may be; the code before it is OLD."""
OTHER = "test_other"
"""The test of the function that a change leaves alone; without it coverage is partial."""


def folder() -> Path:
    """Return the folder of the bundled data."""
    return DATA / "supervise"


@dataclass(frozen=True)
class Module:
    """One module of two functions, the first of which is changed."""

    name: str
    area: str
    title: str
    constants: tuple[int, ...]
    source: str
    lines: dict[str, str]
    """The changed line: "old", "new", "wrong"."""
    condition: str
    value: str
    """The special case for the tests' own input: `if condition: return value`."""
    tests: dict[str, str]

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the functions, the changed one first."""
        return tuple(re.findall(r"^def (\w+)", self.source, re.M))

    def code(self, k: int, variant: str = OLD) -> str:
        """Return the source in a variant: "old", "new", "wrong" or "special"."""
        line = f"    {self.lines[OLD if variant == SPECIAL else variant]}"
        if variant == SPECIAL:
            line = f"    if {self.condition}:\n        return {self.value}\n{line}"
        return self.source.replace("{line}", line).replace("{k}", str(k)).lstrip("\n")

    def run(self, k: int, variant: str, whole: bool) -> tuple[dict[str, str], str]:
        """Return (files, tests) of the run of a variant; the old code has the tests of its time."""
        files = {f"{self.name}.py": self.code(k, variant)}
        return files, self.test_file(k, whole, older=variant == OLD)

    def test_file(self, k: int, whole: bool, older: bool = False) -> str:
        """Return the test file; without `whole` the second function is not called.

        `older` leaves the first test out: the change brings it, the commit before lacks it.
        """
        kept = list(self.tests)[older:]
        chosen = {name: self.tests[name] for name in kept if whole or name != OTHER}
        names = self.functions if whole else self.functions[:1]
        head = f"from {self.name} import {', '.join(names)}\n"
        body = [f"\n\ndef {name}():\n    {text}\n" for name, text in chosen.items()]
        return (head + "".join(body)).replace("{k}", str(k))


@lru_cache(maxsize=1)
def modules() -> dict[str, Module]:
    """Return the modules by name."""
    with (folder() / "modules.toml").open("rb") as file:
        rows = tomllib.load(file)
    return {name: _module(name, row) for name, row in rows.items()}


def _module(name: str, row: Mapping[str, Any]) -> Module:
    condition, value = row["special"]
    return Module(
        name=name,
        area=row["area"],
        title=row["title"],
        constants=tuple(row["k"]),
        source=row["source"],
        lines={kind: row[kind] for kind in (OLD, GOOD, WRONG)},
        condition=condition,
        value=value,
        tests=row["tests"],
    )


@lru_cache(maxsize=8)
def of_area(area: str) -> tuple[Module, ...]:
    """Return the modules of an area."""
    return tuple(m for m in modules().values() if m.area == area)


def jobs() -> Iterator[tuple[dict[str, str], str]]:
    """Yield (files, tests) of every run that a proposal can refer to."""
    for module in modules().values():
        for k in module.constants:
            for variant in (OLD, *VARIANTS):
                for whole in (True, False):
                    yield module.run(k, variant, whole)
