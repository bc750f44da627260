"""A run's folder: one sub-folder a step, each with a manifest, each skipped while it is up to date.

Notebooks pass files, never memory: `data, sft, grpo, eval, figures` under `runs/<run>/`.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import random
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from env_lib.core import stable_hash
from env_lib.paths import DATA, ROOT, RUNS
from env_lib.profiles import Profile, profile
from env_lib.registry import duty_module

STEPS = ("data", "sft", "grpo", "eval", "figures")
PACKAGES = ("torch", "unsloth", "trl", "transformers", "peft", "datasets", "bitsandbytes")


SFT_ONLY = ("sft_lr", "sft_epochs", "sft_batch", "sft_short")
GRPO_ONLY = ("grpo_", "gate_", "curriculum", "mastery", "look_ahead", "gamma", "use_vllm")
EVAL_ONLY = ("eval_", "few_shot")
"""Beginnings of the profile's fields that one step alone reads, and those after it."""


def write_text(path: Path, text: str) -> None:
    """Write to a temporary name, then rename: a killed run leaves no half file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON atomically; NaN is refused."""
    write_text(path, json.dumps(value, indent=1, allow_nan=False, default=str) + "\n")


def write_jsonl(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write one JSON object a line, atomically."""
    write_text(path, "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows))


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        FileNotFoundError: with the notebook that writes it.
    """
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing; run the notebook of step {path.parent.name!r} first"
        )
    return json.loads(path.read_text(encoding="utf-8"))


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read one JSON object a line."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing; run the notebook of step {path.parent.name!r} first"
        )
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that matter."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def commit() -> str:
    """Return the checkout's commit, with "+" where tracked files differ; "unknown" outside git."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--abbrev=12"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "unknown"


def file_hash(path: Path) -> str:
    """Return the sha256 of a file, or of a folder's files in the order of their names."""
    digest = hashlib.sha256()
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    for file in files:
        digest.update(file.relative_to(path.parent).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def environment_hash(duty: str) -> str:
    """Return the sha256 of what fixes a duty's episodes: its sources, the contract, its facts."""
    package = Path(__file__).parent
    sources = [package / name for name in ("core.py", "rubric.py", "language.py")]
    here = sorted((package / "envs" / duty).rglob("*.py"))
    sources += [source for source in here if source.name != "figures.py"]
    for kind in ("*.json*", "*.toml"):
        sources += sorted(p for p in (DATA / duty).rglob(kind) if p.is_file())
    return stable_hash([file_hash(source) for source in sources])


@dataclass(frozen=True)
class Run:
    """One run: a duty, a profile, a training seed and the folder that its files live in."""

    duty: str
    profile: Profile
    seed: int
    folder: Path

    def path(self, step: str, *names: str) -> Path:
        """Return a path of one step's folder.

        Raises:
            ValueError: an unknown step.
        """
        if step not in STEPS:
            raise ValueError(f"unknown step {step!r}; known: {', '.join(STEPS)}")
        return self.folder.joinpath(step, *names)

    def inputs(
        self, step: str, files: Sequence[Path], settings: Mapping[str, Any] | None = None
    ) -> dict[str, str]:
        """Return the hashes that a step depends on: files, duty, profile, seed, and settings."""
        hashes = {file.relative_to(self.folder).as_posix(): file_hash(file) for file in files}
        hashes["profile"] = stable_hash(self._settings_of(step))
        hashes["environment"] = environment_hash(self.duty)
        return hashes | {
            "duty": self.duty,
            "seed": str(self.seed),
            "settings": stable_hash(dict(settings or {})),
        }

    @property
    def env_options(self) -> dict[str, Any]:
        """Options of `make`, the same in training and evaluation.

        Episodes are shortened, where the duty can be (no `FULL_EPISODES` in its policies), in both
        alike: a prompt tells how long its episode is.
        """
        whole = getattr(duty_module(self.duty, "policies"), "FULL_EPISODES", False)
        steps = 0 if whole else self.profile.episode_steps
        short = {"prompt_tokens": self.profile.prompt_tokens}
        return short | ({"steps": steps} if steps else {})

    @property
    def action_tokens(self) -> int:
        """Tokens that an answer may have: the profile's, or more where a duty's answers are longer.

        The latter is `ACTION_TOKENS` in its policies.
        """
        least = getattr(duty_module(self.duty, "policies"), "ACTION_TOKENS", 0)
        return max(self.profile.max_action_tokens, least)

    @property
    def sft_examples(self) -> int:
        """Traces of the warm start: the profile's, times `MORE_TRACES` where the duty has it."""
        times = getattr(duty_module(self.duty, "policies"), "MORE_TRACES", 1)
        return self.profile.sft_examples * times

    def plays(self, count: int) -> int:
        """Return how many episodes a scenario the models play where a profile says `count`.

        Duties of costly episodes play fewer (`FEWER_EPISODES` in their policies: how many times).
        """
        return max(1, count // getattr(duty_module(self.duty, "policies"), "FEWER_EPISODES", 1))

    def _settings_of(self, step: str) -> dict[str, Any]:
        """Return the profile's fields that a step depends on: its own and the shared ones.

        What a later step alone reads does not make an earlier one stale.
        """
        later = {"data": SFT_ONLY + GRPO_ONLY + EVAL_ONLY, "sft": GRPO_ONLY + EVAL_ONLY}
        skipped = (later | {"grpo": EVAL_ONLY}).get(step)
        fields = asdict(self.profile)
        return {k: v for k, v in fields.items() if not skipped or not k.startswith(skipped)}

    def up_to_date(self, step: str, inputs: Mapping[str, str]) -> bool:
        """Whether the step's manifest was written for the same inputs."""
        manifest = self.path(step, "manifest.json")
        return manifest.is_file() and read_json(manifest)["inputs"] == dict(inputs)

    @contextmanager
    def step(self, step: str, inputs: Mapping[str, str]) -> Iterator[Path]:
        """Time a step and write its manifest at the end; nothing is written where it raises."""
        folder = self.path(step)
        folder.mkdir(parents=True, exist_ok=True)
        began = time.time()
        yield folder
        manifest = {
            "step": step,
            "duty": self.duty,
            "profile": self.profile.name,
            "seed": self.seed,
            "inputs": dict(inputs),
            "versions": versions(),
            "commit": commit(),
            "machine": f"{os.cpu_count()} cores, {platform.machine()}",
            "wall_seconds": round(time.time() - began, 1),
        }
        write_json(folder / "manifest.json", manifest)


def start(duty: str, profile_name: str = "auto", seed: int = 0, run_dir: str = "") -> Run:
    """Open (or make) a run: fix the seeds, make the folder, print versions and device.

    `run_dir` is taken relative to the repository; empty: `runs/<duty>-<profile>-seed<seed>`.
    """
    import numpy as np

    size = profile(profile_name)
    folder = ROOT / run_dir if run_dir else RUNS / f"{duty}-{size.name}-seed{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    random.seed(seed)
    np.random.seed(seed)
    known = versions()
    print(f"{duty}, profile {size.name} ({size.model}), seed {seed}, {folder.name}")
    print(", ".join(f"{name} {number}" for name, number in known.items()))
    return Run(duty, size, seed, folder)
