"""What a run of a script costs beyond the script's own work, beside a fresh interpreter.

The script does nothing but import its library and fail, so that all its time is overhead: fork,
walls, launcher, overlay and report. A fresh interpreter runs the same script in the same rounds, so
that a busy machine is as busy for both. Called by tests/bench.py.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import Any

RUNS = 20
CHILDREN = 2
LIMIT_MS = 60.0
SCRIPTS = {
    "pandas": "import pandas as pd\n\n\ndef main(inputs):\n    return pd.nothing(inputs)\n",
    "transformers": (
        "from transformers import Trainer\n\n\ndef main(inputs):\n    return Trainer.nothing\n"
    ),
}
DRIFT = {
    "pandas": ("rename_kwarg", "pandas.DataFrame.sort_values", "ascending", "upwards"),
    "transformers": ("rename_kwarg", "transformers.Trainer", "processing_class", "tool"),
}
Row = tuple[Any, ...]
"""What tests/bench.py makes its rows of: (what, value, unit[, wanted, ok])."""


def rows() -> list[Row]:
    """Return the overhead of both helpers, and how many times a fresh interpreter takes that."""
    from env_lib.envs.drift.runner import versions

    here = dict(versions())
    return [row for library in SCRIPTS if here[library] for row in _of(library)] + [_slowest()]


def _slowest() -> Row:
    """Return the processor seconds of the seed script that takes most, on one input."""
    from env_lib.envs.drift import corpus
    from env_lib.envs.drift.runner import cpu_seconds

    took = {name: cpu_seconds(one.source, one.inputs) for name, one in corpus.scripts().items()}
    name = max(took, key=lambda one: took[one])
    wanted = f"<= {corpus.SECONDS:.0f}"
    return f"slowest seed script, {name}", took[name], "s", wanted, took[name] <= corpus.SECONDS


def _of(library: str) -> list[Row]:
    from env_lib.envs.drift.records import Change, Overlay
    from env_lib.envs.drift.runner import NONE, call

    source = SCRIPTS[library]
    overlay = Overlay((Change(*DRIFT[library]),))
    call("launcher", "run", (source, [0], NONE))  # the helper starts at first use
    times, cpu, drifted, fresh = [], [], [], []
    for number in range(RUNS):
        for kept, drift in ((times, NONE), (drifted, overlay)):
            began = time.perf_counter()
            outcome = call("launcher", "run", (source, [0], drift))
            kept.append(1e3 * (time.perf_counter() - began))
            if outcome.value["error"]["type"] != "AttributeError":
                raise AssertionError(f"the script ended otherwise: {outcome}")
            if drift is NONE:
                cpu.append(outcome.cpu_ms)
        if number % (RUNS // CHILDREN) == 0:
            fresh.append(_fresh(source))
    median = statistics.median(times)
    return [
        (f"drift run, {library}, median", median, "ms", "<= 60", median <= LIMIT_MS),
        (f"drift run, {library}, p95", statistics.quantiles(times, n=20)[-1], "ms"),
        ("  its processor time, median", statistics.median(cpu), "ms"),
        ("  with an overlay, median", statistics.median(drifted), "ms"),
        (f"fresh interpreter, {library}", statistics.median(fresh), "ms"),
        ("fresh interpreter / drift run", statistics.median(fresh) / median, "x"),
    ]


def _fresh(source: str) -> float:
    """Return the milliseconds that a fresh interpreter takes for the same failure."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", f"{source}\nmain(0)"], capture_output=True, text=True, check=False
    )
    took = 1e3 * (time.perf_counter() - began)
    if "AttributeError" not in done.stderr:
        raise AssertionError(f"the script ended otherwise: {done.stderr[-300:]}")
    return took
