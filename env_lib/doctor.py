"""What is installed, what is missing and how to get it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from env_lib.registry import DUTIES, duty_module

CORE = (
    "pydantic",
    "numpy",
    "pandas",
    "matplotlib",
    "joblib",
    "bm25s",
    "scikit-learn",
    "tqdm",
    "libcst",
    "hypothesis",
    "unidiff",
)
EXTRAS = {
    "train": (
        "torch",
        "transformers",
        "trl",
        "unsloth",
        "peft",
        "bitsandbytes",
        "datasets",
        "llguidance",
    ),
    "notebooks": ("papermill", "nbval", "ipykernel"),
    "serve": ("openenv",),
    "pull": ("PyGithub",),
}
Row = dict[str, Any]


def examine(fetch: bool = False) -> list[Row]:
    """Return rows of (what, found, ok, needed, how to get it); `fetch` gets the weights first."""
    return [_python(), _machine(), _gpu(), *_packages(), *_sandbox(), *_data(), _weights(fetch)]


def _row(what: str, found: str, ok: bool, how: str = "", needed: bool = True) -> Row:
    return {"what": what, "found": found, "ok": ok, "needed": needed, "how": "" if ok else how}


def _python() -> Row:
    good = sys.version_info >= (3, 11)
    return _row("python", platform.python_version(), good, "Python 3.11 or newer: see `make setup`")


def _machine() -> Row:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = ""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory = (
            f", {os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB memory"
        )
    return _row("machine", f"{cores} cores{memory}, {platform.system()} {platform.machine()}", True)


def _gpu() -> Row:
    from env_lib.pipeline import default_profile

    name = default_profile()
    kind = "an NVIDIA GPU" if name == "t4" else "no NVIDIA GPU"
    return _row("device", f"{kind}: `make run` takes profile {name}", True)


SINGLE = {
    "no_new_privileges": "no new privileges",
    "private_folder": "private folder",
    "session": "own session, ended as a whole",
}
"""Layers with a row of their own, as they are called there."""


def _sandbox() -> list[Row]:
    """The walls that a run of untrusted code has here, each tried; the tier sums them up."""
    from env_lib.sandbox import layers

    found = layers()
    tier = found.pop("tier")
    if tier == "none":
        how = "no task of repair or release can be judged here: mend what it says, then try again"
        return [_row("sandbox", f"does not start: {found['failure']}", False, how)]
    how = "untrusted code is run, and its verdict is safe, but it is not contained on this system"
    apart = [_limits_row(found)]
    for name, title in SINGLE.items():
        has = found.pop(name) is True
        apart.append(_row(f"sandbox, {title}", "yes" if has else "no", has, how, needed=False))
    held = [
        f"{name} ({value})" if isinstance(value, str) else name
        for name, value in found.items()
        if value
    ]
    lacking = [name for name, value in found.items() if value is False]
    shown = f"tier {tier}: {', '.join(held)}{_not_here(lacking)}"
    return [_row("sandbox", shown, tier != "process", how, needed=False), *apart]


def _limits_row(found: dict[str, bool | str]) -> Row:
    """Take the limits of single resources out of what was found."""
    names = [name for name in found if name.startswith("rlimit_")]
    has = {name.removeprefix("rlimit_"): found.pop(name) is True for name in names}
    lacking = [name for name, stood in has.items() if not stood]
    shown = ", ".join(name for name, stood in has.items() if stood) + _not_here(lacking)
    how = "macOS and Windows refuse some of them, and root has no limit on processes (nproc)"
    return _row("sandbox, limits of resources", shown, not lacking, how, needed=False)


def _not_here(names: list[str]) -> str:
    return f"; not here: {', '.join(names)}" if names else ""


def _found(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _packages() -> list[Row]:
    rows = []
    for extra, names in {"": CORE, **EXTRAS}.items():
        have = {name: _found(name) for name in names}
        missing = [name for name, number in have.items() if not number]
        found = (
            f"missing: {', '.join(missing)}"
            if missing
            else ", ".join(f"{n} {v}" for n, v in have.items())
        )
        what = f"packages of [{extra}]" if extra else "core packages"
        target = f".[{extra}]" if extra else "."
        rows.append(
            _row(
                what,
                found,
                not missing,
                f"make setup, or: pip install -e '{target}'",
                needed=not extra,
            )
        )
    git = shutil.which("git") or ""
    return [
        *rows,
        _row(
            "git", "found" if git else "not found", bool(git), "apt-get install git", needed=False
        ),
    ]


def _data() -> list[Row]:
    rows = []
    for duty in DUTIES:
        report = duty_module(duty, "data").build()
        shown = ", ".join(
            f"{k} {v if not isinstance(v, list) else len(v)}"
            for k, v in report.items()
            if k != "hash"
        )
        rows.append(_row(f"data of {duty}", shown, True))
    return rows


def _weights(fetch: bool) -> Row:
    from env_lib.models import WeightsError, fetch_weights, weights_folder

    what, how = "weights of SmolLM2-135M-Instruct", "python -m env_lib doctor --weights"
    if fetch:
        try:
            fetch_weights()
        except WeightsError as error:
            return _row(what, str(error), False, how)
    here = (weights_folder() / "model.safetensors").is_file()
    return _row(what, "in the cache" if here else "not in the cache", here, how, needed=fetch)
