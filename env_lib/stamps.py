"""When a notebook of a run is up to date: what it depends on, and what it wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from env_lib.paths import DATA, ROOT
from env_lib.runs import file_hash, read_json

NOTEBOOKS = {
    "01_data_pull": ("data", ()),
    "02_sft_warmstart": ("sft", ("data",)),
    "03_grpo": ("grpo", ("data", "sft")),
    "04_evaluation": ("eval", ("data", "sft", "grpo")),
    "05_plots": ("figures", ("sft", "grpo", "eval")),
}
"""Each notebook of the run with the step that it writes and the steps that it reads."""
UNREAD = ("checkpoint", "round_", "trainer", ".")
"""Files and folders whose names begin so are no result: they come and go while a step runs."""


@dataclass(frozen=True)
class Job:
    """One notebook of a run."""

    name: str
    """Name of the notebook without its ending."""
    source: Path
    """The notebook as committed."""
    folder: Path
    """The run's folder."""
    parameters: Mapping[str, Any]
    """What is passed to its tagged cell."""

    @property
    def copy(self) -> Path:
        """The executed notebook."""
        return self.folder / "notebooks" / f"{self.name}.ipynb"

    @property
    def stamp(self) -> Path:
        """What the last good execution depended on."""
        return self.folder / "notebooks" / f"{self.name}.stamp.json"

    @property
    def writes(self) -> Path:
        """The folder of the step that the notebook writes."""
        return self.folder / NOTEBOOKS[self.name][0]


def files_of(folder: Path) -> Iterator[Path]:
    """Yield the files of a step that count, in the order of their names."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not path.name.startswith(UNREAD):
            yield from files_of(path) if path.is_dir() else [path]


def _hashes(folder: Path) -> dict[str, str]:
    """Hash what a step left; its manifest tells when and for how long, which is no result."""
    files = [path for path in files_of(folder) if path.name != "manifest.json"]
    return {path.relative_to(folder).as_posix(): file_hash(path) for path in files}


def code_of(notebook: Path) -> list[Any]:
    """Return what a notebook does: its code cells with their tags, outputs and prose left out."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [
        ["".join(cell["source"]), cell["metadata"].get("tags", [])]
        for cell in cells if cell["cell_type"] == "code"
    ]  # fmt: skip


def needs(job: Job) -> dict[str, Any]:
    """Return what an execution depends on, in a form that compares: source, parameters, files."""
    reads = NOTEBOOKS[job.name][1]
    library = {
        path.relative_to(ROOT).as_posix(): file_hash(path)
        for path in sorted(Path(__file__).parent.rglob("*.py"))
    }
    bundled = DATA / job.parameters["ENV"]
    facts = {path.name: file_hash(path) for path in sorted(bundled.glob("*.jsonl"))}
    return {
        "code": code_of(job.source), "parameters": dict(job.parameters), "library": library,
        "facts": facts, "files": {step: _hashes(job.folder / step) for step in reads},
    }  # fmt: skip


def up_to_date(job: Job) -> bool:
    """Whether the notebook's last good execution had the same needs and its results are there."""
    if not (
        job.stamp.is_file() and job.copy.is_file() and (job.writes / "manifest.json").is_file()
    ):
        return False
    stamp = read_json(job.stamp)
    return stamp["needs"] == needs(job) and set(stamp["wrote"]) <= {
        path.relative_to(job.writes).as_posix() for path in files_of(job.writes)
    }
