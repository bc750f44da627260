"""Runs scripts for real, in the sandbox, with their libraries loaded before; remembered by content.

One helper process loads the Hugging Face libraries, another those of data science, each at first
use; a run is a fork of it. A report depends on the script, its inputs, the overlay and the
installed versions alone: limits are in CPU seconds with a generous wall clock.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.drift.records import Overlay

if TYPE_CHECKING:
    from env_lib.sandbox import Limits, Outcome, Sandbox

CPU_SECONDS = 20.0
WALL_SECONDS = 300.0
KEPT = 100_000
"""Reports that are remembered."""
NONE = Overlay(())
_SCIENCE = ("numpy", "pandas", "sklearn", "scipy", "matplotlib", "pydantic")
_NEEDED = (
    "annotated_types", "typing_extensions", "typing_inspection", "dateutil.parser", "PIL.Image",
    "joblib", "threadpoolctl", "packaging.version", "pyparsing", "contourpy", "jinja2.sandbox",
    "sklearn.utils.parallel",
)  # fmt: skip
"""What the libraries import late: a run can load no package that was not loaded before."""
_HUGGING = ("torch", "transformers", "tokenizers", "datasets", "accelerate", "peft", "trl",
            "huggingface_hub")  # fmt: skip
LIBRARIES = (*_SCIENCE, *_HUGGING)
"""What scripts may import beside the standard library; versions are those installed."""
_IS_HUGGING = re.compile(rf"(?<![\w.])({'|'.join(_HUGGING)})\b")
_PRELOAD = {
    "science": (
        *_SCIENCE, *_NEEDED, "numpy.random", "matplotlib.pyplot", "matplotlib.backends.backend_agg",
        "sklearn.linear_model", "sklearn.ensemble", "sklearn.model_selection", "sklearn.pipeline",
        "sklearn.preprocessing", "sklearn.metrics", "sklearn.compose", "sklearn.cluster",
        "sklearn.datasets", "sklearn.impute", "sklearn.feature_extraction.text", "sklearn.svm",
        "sklearn.tree", "sklearn.neighbors", "sklearn.decomposition", "sklearn.naive_bayes",
        "sklearn.calibration", "sklearn.inspection", "sklearn.feature_selection", "scipy.stats",
        "contourpy", "scipy.optimize", "scipy.integrate", "scipy.signal", "scipy.sparse",
    ),
    "hugging": (
        *_SCIENCE, *_NEEDED, "numpy.random", "matplotlib.pyplot", "sklearn.metrics", *_HUGGING,
        "safetensors.torch",
        "transformers.trainer", "trl.trainer.sft_trainer", "trl.trainer.dpo_trainer",
    ),
}  # fmt: skip
_ENVIRONMENT = {
    "MPLBACKEND": "Agg",
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TQDM_DISABLE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "DATASETS_VERBOSITY": "error",
    "TRL_EXPERIMENTAL_SILENCE": "1",
}


@dataclass(frozen=True)
class Report:
    """What a script did."""

    ok: bool
    """Whether `main` returned for every input."""
    values: tuple[Any, ...] = ()
    """What it returned, as JSON holds it, up to the first input that raised."""
    error_type: str = ""
    """The exception's class, or timeout, crash (the process ended), protocol, overlay."""
    message: str = ""
    line: int = 0
    """The line of the script that failed; 0 where none is known."""
    traceback_end: str = ""
    """The script's last frames and the library's last one, then the error."""
    work: tuple[str, ...] = ()
    """Library callables that the script called and that returned, sorted; told by the launcher."""


_CHILD = (
    "kernels", "warm", "guard", "guess", "blame", "work", "places", "calls", "shapes", "overlay",
    "launcher", "looking",
)  # fmt: skip
"""The parts of the child, each behind those that it imports."""
Job = tuple[str, Sequence[Any], Overlay]
_WORDS = {
    "timeout": "the script did not end within its time",
    "crash": "the script ended its process",
    "protocol": "the script spoiled the channel of its result",
}
_reports: dict[str, Report] = {}


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """Return (library, installed version); "" for what is missing."""
    packages = {name: "scikit-learn" if name == "sklearn" else name for name in LIBRARIES}
    return tuple((name, _version(package)) for name, package in packages.items())


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


@cache
def _child() -> dict[str, str]:
    """Return the trusted modules of the child: name -> source."""
    home = Path(__file__).with_name("child")
    files = {"beside": home / "__init__.py"}
    files |= {f"beside.{name}": home / f"{name}.py" for name in _CHILD}
    return {name: file.read_text("utf-8") for name, file in files.items()}


@lru_cache(maxsize=8)
def _box(process: int, kind: str, number: int) -> Sandbox:
    from env_lib.sandbox import Sandbox

    return Sandbox(
        preload=_PRELOAD[kind], without=("monty",), environment=_ENVIRONMENT, modules=_child()
    )


def limits() -> Limits:
    """Return the limits of one run, all inputs together."""
    from env_lib.sandbox import Limits

    return Limits(
        wall_s=WALL_SECONDS, cpu_s=CPU_SECONDS, memory_mb=4096, file_mb=64, open_files=512
    )


def kind_of(source: str, overlay: Overlay = NONE) -> str:
    """Return which helper a script needs."""
    names = " ".join(change.target for change in overlay.changes)
    return "hugging" if _IS_HUGGING.search(f"{source}\n{names}") else "science"


def key_of(source: str, inputs: Sequence[Any], overlay: Overlay = NONE) -> str:
    """Return the hash by which a report is remembered."""
    told = [source, list(inputs), asdict(overlay), versions(), _child()]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def run(source: str, inputs: Sequence[Any], overlay: Overlay = NONE) -> Report:
    """Run a script on inputs, one after the other in one child.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed; never counted as a failed script.
    """
    return _run((source, inputs, overlay), 0)


def run_many(jobs: Iterable[Job], workers: int = 2) -> list[Report]:
    """Run many (source, inputs, overlay), order kept; each worker has helpers of its own."""
    asked = list(jobs)
    free = list(range(workers))
    lock = threading.Lock()

    def one(job: Job) -> Report:
        with lock:
            number = free.pop(0)
        try:
            return _run(job, number)
        finally:
            with lock:
                free.insert(0, number)

    if workers == 1 or len(asked) < 2:
        return [_run(job, 0) for job in asked]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, asked))


def _run(job: Job, number: int) -> Report:
    source, inputs, overlay = job
    key = key_of(source, inputs, overlay)
    if key not in _reports:
        outcome = call("launcher", "run", job, number)
        if len(_reports) >= KEPT:
            _reports.pop(next(iter(_reports)), None)
        _reports[key] = report = _report(outcome)
        return report
    return _reports[key]


def call(module: str, function: str, job: Job, number: int = 0) -> Outcome:
    """Call a function of the child's trusted modules with (source, inputs, changes)."""
    source, inputs, overlay = job
    changes = asdict(overlay)["changes"]
    box = _box(os.getpid(), kind_of(source, overlay), number)
    args = (source, list(inputs), list(changes))
    return box.run_call({}, f"beside.{module}", function, args, limits=limits())


def cpu_seconds(source: str, inputs: Sequence[Any]) -> float:
    """Return the processor seconds of a script on one input, averaged; run anew each time."""
    return call("launcher", "run", (source, inputs, NONE)).cpu_ms / 1e3 / max(1, len(inputs))


def _report(outcome: Outcome) -> Report:
    told = outcome.value
    if outcome.error or not isinstance(told, dict):
        kind = outcome.error if outcome.error in _WORDS else "protocol"
        words = _WORDS[kind]
        return Report(False, (), kind, words, 0, f"{kind}: {words}")
    if "unfit" in told:
        return Report(False, (), "overlay", told["unfit"])
    values, error, work = tuple(told["values"]), told["error"], tuple(told["work"])
    if error is None:
        return Report(True, values, work=work)
    return Report(
        False, values, error["type"], error["message"], error["line"], error["traceback"], work
    )
