"""`make bench`: how fast the project is here, beside what it promises. Names of parts choose some.

A figure is the best of a few rounds, since whatever else a machine does can only slow one down;
those of the sandbox are medians, as its promise is (`bench_sandbox`).
A module joins by a function that returns Row-like tuples, named in DUTIES or MODELS.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
ROUNDS = 5
WINDOW = 40
"""Steps in a row of which the best are shown beside whole shifts, as the other duties' are."""
DUTIES = ("tests.bench_duties:release", "tests.bench_duties:supervise")
SANDBOX = "tests.bench_sandbox:rows"
DRIFT = "tests.bench_drift:rows"
MODELS = ("tests.bench_models:generation", "tests.bench_models:training")
"""Batched against one-by-one generation; Unsloth with shared prefixes against stock fp32; bf16
against fp32 in the same stock forward."""


class Row(NamedTuple):
    """One figure; `wanted` is what is promised, and `ok` whether it is kept (None: no promise)."""

    what: str
    value: float
    unit: str
    wanted: str = ""
    ok: bool | None = None


def steps() -> list[Row]:
    """Steps a second with the prompt rendered, no thread drawn before; the best of five shifts."""
    import env_lib

    env = env_lib.make("triage", scenario="E3", split="test")
    best, whole, resets = float("inf"), float("inf"), float("inf")
    for seed in range(ROUNDS):
        began = time.perf_counter()
        obs = env.reset(seed=seed)
        resets = min(resets, time.perf_counter() - began)
        times = []
        while not obs.done:
            action = env.oracle_action()
            began = time.perf_counter()
            obs = env.step(action)
            times.append(time.perf_counter() - began)
        whole = min(whole, sum(times) / len(times))
        starts = range(len(times) - WINDOW + 1)
        best = min(best, *(sum(times[i : i + WINDOW]) / WINDOW for i in starts))
    return [
        Row(f"steps with prompt, E3, best {WINDOW}", 1 / best, "/s", ">= 5000", 1 / best >= 5000),
        Row("steps with prompt, E3, whole shift", 1 / whole, "/s"),
        Row("one step, E3", best * 1e6, "us", "aim 100", best <= 1e-4),
        Row("reset to a new seed, E3", resets * 1e3, "ms"),
    ]


def branch() -> list[Row]:
    """Branching half-way through the longest tier."""
    import env_lib

    env = env_lib.make("triage", scenario="E5", split="test")
    obs = env.reset(seed=0)
    while not obs.done and obs.step < obs.budget // 2:
        obs = env.step(env.oracle_action())
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(200):
            env.branch()
        best = min(best, (time.perf_counter() - began) / 200)
    return [Row("branch, E5 mid-episode", best * 1e6, "us", "<= 1000", best <= 1e-3)]


def _import_seconds(module: str) -> float:
    script = (
        f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    )
    runs = (
        subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
        )
        for _ in range(3)
    )
    return min((float(done.stdout) for done in runs if done.returncode == 0), default=float("nan"))


def imports() -> list[Row]:
    """Import time in fresh interpreters."""
    ours, theirs = _import_seconds("env_lib"), _import_seconds("openenv.core.env_server")
    return [
        Row("import env_lib", ours, "s", "< 0.5", ours < 0.5),
        Row("import openenv's server", theirs, "s"),
    ]


def service() -> list[Row]:
    """Steps a second through the server beside openenv's own way of echoing, same run."""
    from tests import bench_server

    rows = []
    for sessions, rates in bench_server.run().items():
        ratio = rates["ratio"]
        rows += [
            Row(f"service, {sessions} sessions", rates["triage"], "steps/s"),
            Row(f"echo, {sessions} sessions", rates["echo"], "steps/s"),
            Row(f"service / echo, {sessions} sessions", ratio, "", ">= 0.7", ratio >= 0.7),
        ]
    return rows


def models() -> list[Row]:
    """What the modules in MODELS measure of themselves."""
    return [row for place in MODELS for row in _of(place)]


def duties() -> list[Row]:
    """Steps a second of release and supervise with what they execute, and their branches."""
    return [row for place in DUTIES for row in _of(place)]


def sandbox() -> list[Row]:
    """Verified patches a second beside pytest in a child process, same run."""
    return _of(SANDBOX)


def drift() -> list[Row]:
    """What a run of a drifted script costs beside a fresh interpreter, same run."""
    return _of(DRIFT)


def _of(place: str) -> list[Row]:
    module, name = place.split(":")
    return [Row(*row) for row in getattr(importlib.import_module(module), name)()]


PARTS: dict[str, Callable[[], list[Row]]] = {
    part.__name__: part
    for part in (steps, branch, duties, imports, sandbox, drift, service, models)
}


def main(arguments: list[str]) -> int:
    """Print the table, or JSON with `--json`; 2 for an unknown part."""
    names = [name for name in arguments if name != "--json"] or list(PARTS)
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"unknown part {unknown[0]!r}; known: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    found = []
    for name in names:
        for row in PARTS[name]():
            found.append(row._asdict())
            mark = {True: "kept", False: "MISSED", None: ""}[row.ok]
            if "--json" not in arguments:
                print(
                    f"{row.what:34}{row.value:12.2f} {row.unit:8}{row.wanted:10}{mark}", flush=True
                )
    if "--json" in arguments:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
