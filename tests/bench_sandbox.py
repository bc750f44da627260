"""Verified runs a second: the split runner on one and two workers, and `python -m pytest`.

Called by tests/bench.py; every figure of one call is taken in the same run, interleaved, so that
a busy machine is as busy for all of them.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

RUNS = 60
"""Measured runs of the split runner for each number of workers."""
CHILDREN = 3
"""Measured runs of pytest in a child process."""
RIGHT = """
def clamp(value, low, high):
    if low > high:
        raise ValueError("low is above high")
    return max(low, min(value, high))
"""
WRONG = RIGHT.replace("max(low,", "max(high,")
TESTS = """
import pytest
from solution import clamp

def test_inside():
    assert clamp(5, 0, 10) == 5

def test_below():
    assert clamp(-1, 0, 10) == 0

def test_above():
    assert clamp(11, 0, 10) == 10

def test_order():
    with pytest.raises(ValueError):
        clamp(1, 2, 1)
"""
HIDDEN = """
def test_low_edge():
    assert clamp(0, 0, 10) == 0

def test_high_edge():
    assert clamp(10, 0, 10) == 10

def test_floats():
    assert clamp(0.5, 0.0, 1.0) == 0.5

def test_many():
    for value in range(-5, 15):
        assert 0 <= clamp(value, 0, 10) <= 10
"""


Row = tuple[Any, ...]
"""What tests/bench.py makes its rows of: (what, value, unit[, wanted, ok])."""


def rows() -> list[Row]:
    """Return median, p95 and rate of verified runs (4 visible and 4 hidden tests each)."""
    from env_lib.sandbox import Sandbox

    sources = [RIGHT, WRONG]
    pairs = [({"solution.py": sources[n % 2]}, TESTS + HIDDEN) for n in range(RUNS)]
    found: list[Row] = []
    with Sandbox(workers=1) as one, Sandbox(workers=2) as two:
        for box in (one, two):
            box.run_many(pairs[:4])
        times, children, rates, size = [], [], [0.0, 0.0], RUNS // CHILDREN
        for part in range(CHILDREN):
            children.append(_child(sources[part % 2]))
            chunk = pairs[part * size : (part + 1) * size]
            for number, box in enumerate((one, two)):
                began = time.perf_counter()
                outs = box.run_many(chunk)
                took = time.perf_counter() - began
                rates[number] = max(rates[number], len(chunk) / took)
                right = [out.all_passed == (pair[0]["solution.py"] == RIGHT)
                         for out, pair in zip(outs, chunk, strict=True)]  # fmt: skip
                if not all(right):
                    raise AssertionError(f"a verdict was wrong: {outs[right.index(False)]}")
                if box is one:
                    times += [out.duration_ms for out in outs]
        tier = outs[0].tier
    median = statistics.median(times)
    tail = statistics.quantiles(times, n=20)[-1]
    child = statistics.median(children)
    found += [
        (f"verified run ({tier}), median", median, "ms", "<= 20", median <= 20),
        ("verified run, p95", tail, "ms"),
        ("verified runs, 1 worker", rates[0], "/s"),
        ("verified runs, 2 workers", rates[1], "/s", ">= 80", rates[1] >= 80),
        ("python -m pytest, median", child, "ms"),
        ("pytest / verified run", child / median, "x"),
    ]
    return found


def _child(source: str) -> float:
    """Return the milliseconds that a child process with pytest takes for the same tests."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "solution.py").write_text(source)
        Path(folder, "test_solution.py").write_text(TESTS + HIDDEN)
        line: list[Any] = [sys.executable, "-m", "pytest", "-q", "test_solution.py"]
        began = time.perf_counter()
        done = subprocess.run(
            line, cwd=folder, capture_output=True, env={**os.environ}, check=False
        )
        took = time.perf_counter() - began
    if (done.returncode == 0) != (source == RIGHT):
        raise AssertionError(f"pytest ended with {done.returncode}: {done.stdout.decode()[-300:]}")
    return 1e3 * took
