"""Verified patches of the pool's tasks: milliseconds, a second, and beside `python -m pytest`.

One verified patch is what a step of an episode and its end take together: a transformation is
applied to the broken program, and four visible and four frozen hidden tests are run on it. The
offers of the program are known before, as they are when an agent chooses; an environment runs
visible and hidden tests apart, and makes a menu for each new state. Every second patch is the
repair and must pass, the others must fail. Called by tests/bench.py; all figures of one call are
taken in the same rounds, so that a busy machine is as busy for each. The rates are the medians of
the rounds, the milliseconds those of single patches over all rounds.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

ROUNDS = 5
"""Each with one child process of pytest."""
PATCHES = 20
"""Verified patches of a round, for each number of workers."""
Row = tuple[Any, ...]
"""What tests/bench.py makes its rows of: (what, value, unit[, wanted, ok])."""


class Patch(NamedTuple):
    """A transformation of a task's program; `right` where it is the repair."""

    source: str
    transform_id: str
    line: int
    tests: str
    right: bool


def patches(number: int) -> list[Patch]:
    """Return as many patches of tasks with one bug; every second is the repair."""
    from env_lib.envs.repair.corpus import pool
    from env_lib.envs.repair.menu import menu, next_step
    from env_lib.sandbox.request import test_names

    found: list[Patch] = []
    for seed, task in enumerate(pool("train", 1)):
        tests = f"{task.tests}\n\n{task.frozen_hidden()}"
        step = next_step(task.source, task.reference)
        names = [*test_names(task.tests), *test_names(task.frozen_hidden())]
        if step is None or len(set(names)) != 8:
            continue
        right = len(found) % 2 == 0
        others = [offer for offer in menu(task.source, task.reference, seed) if offer != step]
        chosen = step if right else others[0]
        found.append(Patch(task.source, *chosen, tests, right))
        if len(found) == number:
            return found
    raise AssertionError(f"{len(found)} tasks of the pool can be measured; {number} are needed")


def verified(box: Any, some: list[Patch], workers: int) -> tuple[float, list[float]]:
    """Make and verify patches with so many at a time; return the seconds, and each one's ms."""
    from env_lib.envs.repair.runner import MODULE, limits
    from env_lib.envs.repair.transforms import apply

    def one(patch: Patch) -> tuple[Any, float]:
        start = time.perf_counter()
        made = apply(patch.source, patch.transform_id, patch.line)
        out = box.run_tests({MODULE: made}, patch.tests, limits())
        return out, 1e3 * (time.perf_counter() - start)

    began = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        done = list(pool.map(one, some))
    took = time.perf_counter() - began
    for patch, (out, _) in zip(some, done, strict=True):
        if len(out.results) != 8 or out.all_passed != patch.right:
            raise AssertionError(f"{patch.transform_id}, right: {patch.right}, ends as {out}")
    return took, [each for _, each in done]


def rows() -> list[Row]:
    """Return median and p95 with one worker, p95 with two, the rates, and the time of pytest."""
    from env_lib.sandbox import Sandbox, layers

    some = patches(PATCHES)
    children: list[float] = []
    times: dict[int, list[float]] = {1: [], 2: []}
    rates: dict[int, list[float]] = {1: [], 2: []}
    with Sandbox(workers=1, preload=()) as one, Sandbox(workers=2, preload=()) as two:
        boxes = {1: one, 2: two}
        for workers, box in boxes.items():
            verified(box, some[:4], workers)  # helpers start at first use
        for number in range(ROUNDS):
            children.append(_child(some[number]))
            for workers, box in boxes.items():
                took, each = verified(box, some, workers)
                rates[workers].append(PATCHES / took)
                times[workers] += each
    median, child = statistics.median(times[1]), statistics.median(children)
    rate = statistics.median(rates[2])
    p95 = {workers: statistics.quantiles(each, n=20)[-1] for workers, each in times.items()}
    return [
        (f"verified patch ({layers()['tier']}), median", median, "ms", "<= 20", median <= 20),
        ("verified patch, p95", p95[1], "ms"),
        ("verified patch of 2 workers, p95", p95[2], "ms"),
        ("verified patches, 1 worker", statistics.median(rates[1]), "/s"),
        ("verified patches, 2 workers", rate, "/s", ">= 80", rate >= 80),
        ("python -m pytest, median", child, "ms"),
        ("pytest / verified patch", child / median, "x"),
    ]


def _child(patch: Patch) -> float:
    """Return the milliseconds that a child process with pytest takes for the same patch."""
    from env_lib.envs.repair.transforms import apply

    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        made = apply(patch.source, patch.transform_id, patch.line)
        Path(folder, "solution.py").write_text(made)
        Path(folder, "test_solution.py").write_text(patch.tests)
        line = [sys.executable, "-m", "pytest", "-q", "test_solution.py"]
        done = subprocess.run(line, cwd=folder, capture_output=True, check=False)
        took = time.perf_counter() - began
    if patch.right and done.returncode != 0:
        raise AssertionError(f"pytest ended with {done.returncode}: {done.stdout.decode()[-300:]}")
    return 1e3 * took
