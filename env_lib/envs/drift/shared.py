"""What splits must not share: scripts, rows of the breakages, version steps of a library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from env_lib.envs.drift.breakages import breakages

SIDES = {"train": "train", "val": "val", "test": "test", "test_ood": "test"}
"""Split -> the side that it is on: the two test splits may share scripts and steps."""


def traits(row: Mapping[str, Any]) -> dict[str, set[Any]]:
    """Return what a line of the pool must have for its side alone."""
    known = breakages()
    ids = [name for name in row.get("breakages", ()) if name in known]
    return {
        "script": {row["script"]},
        "row": set(ids),
        "version step": {known[name].group for name in ids},
    }


def faults(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each thing that two sides share, and for each unknown row."""
    known, held = breakages(), dict[tuple[str, Any], str]()
    rows, problems = list(rows), list[str]()
    for row in rows:
        unknown = sorted(set(row.get("breakages", ())) - set(known))
        problems += [f"{row['id']} names the unknown row {name}" for name in unknown]
        side = SIDES[row["split"]]
        for kind, values in traits(row).items():
            for value in sorted(values):
                if held.setdefault((kind, value), side) != side:
                    problems.append(f"{kind} {value} is in {side} and in {held[kind, value]}")
    unseen = {row["library"] for row in rows if row["split"] != "test_ood"}
    only = {row["library"] for row in rows if row["split"] == "test_ood"} - unseen
    if not only:
        problems.append("test_ood has no library of its own")
    return list(dict.fromkeys(problems))
