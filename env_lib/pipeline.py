"""The runner: notebooks 01 to 05 in order, what is up to date skipped, what was killed resumed.

A notebook is up to date while its source, its parameters, the library and every file that it reads
are those of its last good execution, which a stamp beside the executed copy remembers
(`runs/<run>/notebooks/`). Resuming is the library's: a notebook that was killed is executed again
and its steps continue from their checkpoints. Nothing heavy is imported until a notebook must run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from env_lib.paths import ROOT, RUNS
from env_lib.profiles import PROFILES, profile
from env_lib.runs import read_json, write_json
from env_lib.stamps import NOTEBOOKS, Job, files_of, needs, up_to_date

MINUTES: dict[str, tuple[float, ...]] = {
    "smoke": (0.5, 1, 1, 1, 0.5),
    "cpu": (1, 7, 12, 10, 1),
    "t4": (1, 15, 60, 25, 1),
    "a100": (1, 15, 50, 25, 1),
}
"""Minutes of each notebook: `smoke` and `cpu` on two cores with bf16 in hardware, the others on one
GPU (not measured)."""
LAST_LINES = 6
"""Lines of a traceback that are shown."""


def default_profile() -> str:
    """Return "t4" where an NVIDIA driver shows a GPU, else "cpu"; torch is not asked."""
    if shutil.which("nvidia-smi") is None:
        return "cpu"
    seen = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return "t4" if seen.returncode == 0 and "GPU" in seen.stdout else "cpu"


def jobs(duty: str, profile_name: str, seed: int, run_dir: str, notebooks: Path) -> list[Job]:
    """Return the notebooks of a run, in order."""
    folder = ROOT / run_dir if run_dir else RUNS / f"{duty}-{profile_name}-seed{seed}"
    given = {"ENV": duty, "PROFILE": profile_name, "SEED": seed, "RUN_DIR": _shown(folder)}
    return [Job(name, notebooks / f"{name}.ipynb", folder, given) for name in NOTEBOOKS]


def run(
    duty: str = "triage",
    profile_name: str = "auto",
    seed: int = 0,
    run_dir: str = "",
    notebooks: Path = ROOT / "notebooks",
) -> int:
    """Run what is not up to date and return the exit status: 0 when all notebooks are good.

    Args:
        duty: a registered duty.
        profile_name: a profile; "auto" is `t4` where there is a GPU, else `cpu`.
        seed: the training seed.
        run_dir: the run's folder, relative to the repository; empty: under `runs/`, named by
            duty, profile and seed.
        notebooks: where the notebooks are.

    Raises:
        ValueError: an unknown profile.
        FileNotFoundError: a notebook is missing.
    """
    size = profile(default_profile() if profile_name == "auto" else profile_name)
    todo = jobs(duty, size.name, seed, run_dir, notebooks)
    folder = todo[0].folder
    if lost := [job.source for job in todo if not job.source.is_file()]:
        raise FileNotFoundError(f"{lost[0]} is missing; notebooks are looked for in {notebooks}")
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder) as alone:
        try:
            return _run(todo, duty) if alone else 1
        except KeyboardInterrupt:
            print("\nStopped; the same command resumes.", file=sys.stderr)
            return 130


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Hold the folder's lock; a killed holder loses it by itself."""
    try:
        import fcntl
    except ImportError:  # Windows: two runs of one folder at a time are not noticed
        yield True
        return
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another process is running {_shown(folder)}; wait, or give another folder")
            yield False
            return
        yield True


def _run(todo: Sequence[Job], duty: str) -> int:
    parameters = todo[0].parameters
    profile_name, folder = parameters["PROFILE"], todo[0].folder
    # Only a prefix can be up to date: what follows reads what an earlier notebook writes anew.
    done = 0
    while done < len(todo) and up_to_date(todo[done]):
        done += 1
    model, seed = PROFILES[profile_name].model, parameters["SEED"]
    print(f"{duty}, profile {profile_name} ({model}), seed {seed}, {os.cpu_count()} cores")
    for job in todo[:done]:
        print(f"  {job.name:18} up to date")
    if left := todo[done:]:
        _announce(left, profile_name)
    for number, job in enumerate(left, start=1):
        if up_to_date(job):  # an earlier notebook ran again and wrote the same
            print(f"  {job.name:18} up to date")
        elif not _executed(job, f"{number}/{len(left)} {job.name}"):
            print(f"Mend it and run the same command again: it continues at {job.name}.")
            return 1
    print(f"Figures and tables: {_shown(folder / 'figures')}")
    print(f"Executed notebooks: {_shown(folder / 'notebooks')}")
    return 0


def _announce(left: Sequence[Job], profile_name: str) -> None:
    """Say what will run and how long that takes, measured here where it has been run before."""
    total = 0.0
    for job in left:
        minutes, source = _minutes(job, profile_name)
        total += minutes
        print(f"  {job.name:18} to run, about {minutes:.1f} min ({source})")
    end = time.strftime("%H:%M", time.localtime(time.time() + 60 * total))
    print(
        f"About {total:.0f} min in all, until {end}. Ctrl-C stops it; the same command resumes.",
        flush=True,
    )


def _minutes(job: Job, profile_name: str) -> tuple[float, str]:
    for stamp in job.folder.parent.glob(f"*/notebooks/{job.stamp.name}"):
        told = read_json(stamp)
        if told["needs"]["parameters"]["PROFILE"] == profile_name and told["whole"]:
            return told["wall_seconds"] / 60, "as measured here"
    place = list(NOTEBOOKS).index(job.name)
    return MINUTES[profile_name][place], "on two cores" if profile_name in (
        "smoke",
        "cpu",
    ) else "on one GPU"


def _executed(job: Job, title: str) -> bool:
    """Execute one notebook with a bar and its output in sight; say what failed where it fails."""
    import papermill
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    job.copy.parent.mkdir(parents=True, exist_ok=True)
    fresh = not job.writes.is_dir()
    job.stamp.unlink(missing_ok=True)
    before, began = needs(job), time.time()
    try:
        papermill.execute_notebook(
            job.source, job.copy, parameters=dict(job.parameters), cwd=ROOT, kernel_name="python3",
            progress_bar={"desc": title, "mininterval": 1.0}, stdout_file=_Beside(sys.stdout),
            extra_arguments=["--log-level=ERROR"],
        )  # fmt: skip
    except papermill.PapermillExecutionError as error:
        print(_told(job, error), file=sys.stderr)
        return False
    except (CellExecutionError, DeadKernelError) as error:
        print(
            f"\n{job.name} stopped: {error}. Too little memory is the usual reason.",
            file=sys.stderr,
        )
        return False
    wrote = [path.relative_to(job.writes).as_posix() for path in files_of(job.writes)]
    seconds = round(time.time() - began, 1)
    write_json(
        job.stamp, {"needs": before, "wrote": wrote, "wall_seconds": seconds, "whole": fresh}
    )
    return True


class _Beside:
    """A stream that prints whole lines above the progress bar."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._rest = stream, ""

    def write(self, text: str) -> None:
        from tqdm import tqdm

        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            tqdm.write(f"  {line.rsplit(chr(13), 1)[-1]}", file=self._stream)

    def flush(self) -> None:
        self._stream.flush()


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def _told(job: Job, error: Any) -> str:
    """Return the failing cell in a few lines: where, what, the end of the traceback, the copy."""
    trace = _COLOURS.sub("", "\n".join(error.traceback)).rstrip().splitlines()
    return "\n".join(
        [
            f"\n{job.name} failed in the cell that begins `{_first(error.source)}`:",
            *(f"  | {line}" for line in trace[-LAST_LINES:]),
            f"{error.ename}: {_first(error.evalue)}",
            f"The notebook as far as it came: {_shown(job.copy)}",
        ]
    )


def _first(text: str) -> str:
    """The first line that says something."""
    return next(iter(text.strip().splitlines()), "")


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
