import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from env_lib import pipeline, stamps
from env_lib.runs import write_json

ROOT = Path(__file__).resolve().parents[1]
PARAMETERS = 'ENV = ""\nPROFILE = ""\nSEED = 9\nRUN_DIR = ""'
WRITE = """
from pathlib import Path
folder = Path(RUN_DIR) / "{step}"
folder.mkdir(parents=True, exist_ok=True)
count = folder / "checkpoint-count"
count.write_text(str(int(count.read_text()) + 1 if count.exists() else 1))
(folder / "result.txt").write_text(f"{{ENV}} {{PROFILE}} {{SEED}} {text}")
(folder / "manifest.json").write_text("{{}}")
print("wrote {step}")
"""
Books = Callable[..., Path]


def book(path: Path, *sources: str) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in (PARAMETERS, *sources)]
    cells[0]["metadata"]["tags"] = ["parameters"]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook["metadata"]["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, path)


@pytest.fixture
def books(tmp_path: Path) -> Path:
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name, (step, _) in stamps.NOTEBOOKS.items():
        book(folder / f"{name}.ipynb", WRITE.format(step=step, text="first"))
    return folder


def run(books: Path, seed: int = 0) -> int:
    return pipeline.run("triage", "smoke", seed, str(books.parent / "run"), notebooks=books)


def executed(books: Path) -> dict[str, int]:
    """How often each notebook was executed."""
    return {
        name: int((books.parent / "run" / step / "checkpoint-count").read_text())
        for name, (step, _) in stamps.NOTEBOOKS.items()
        if (books.parent / "run" / step / "checkpoint-count").exists()
    }


def test_all_notebooks_run_once_and_what_changed_runs_again(
    books: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(books) == 0
    out, bars = capfd.readouterr()
    assert (books.parent / "run" / "sft" / "result.txt").read_text() == "triage smoke 0 first"
    assert set(executed(books).values()) == {1}
    assert "5/5 05_plots" in bars
    assert (
        out.index("About ")
        < out.index("wrote data")
        < out.index("wrote figures")
        < out.index("Figures and tables")
    )

    assert run(books) == 0
    assert set(executed(books).values()) == {1}
    assert capfd.readouterr().out.count("up to date") == 5

    # A comment changes the notebook and not its result: what reads it stays as it is.
    book(books / "03_grpo.ipynb", WRITE.format(step="grpo", text="first") + "# a comment")
    assert run(books) == 0
    assert executed(books) == dict.fromkeys(stamps.NOTEBOOKS, 1) | {"03_grpo": 2}

    book(books / "03_grpo.ipynb", WRITE.format(step="grpo", text="second"))
    assert run(books) == 0
    assert list(executed(books).values()) == [1, 1, 3, 2, 2]
    assert "as measured here" in capfd.readouterr().out


def test_a_failing_cell_stops_the_run_and_is_shown(
    books: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    book(
        books / "02_sft_warmstart.ipynb",
        "share = 0.4\nassert share > 0.95, f'{share} of the answers are valid'",
    )
    assert run(books) == 1
    error = capfd.readouterr().err
    assert "02_sft_warmstart failed in the cell that begins `share = 0.4`" in error
    assert "AssertionError: 0.4 of the answers are valid" in error
    assert "\x1b[" not in error.split("failed in the cell")[1]
    assert list(executed(books)) == ["01_data_pull"]


def test_a_killed_notebook_is_executed_again_and_finds_its_checkpoint(
    books: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write = WRITE.format(step="grpo", text="first")
    kill = "\nimport os, signal\nif count.read_text() == '1': os.kill(os.getpid(), signal.SIGKILL)"
    book(books / "03_grpo.ipynb", write + kill)
    assert run(books) == 1
    assert "03_grpo stopped" in capfd.readouterr().err
    assert run(books) == 0
    assert executed(books) == dict.fromkeys(stamps.NOTEBOOKS, 1) | {"03_grpo": 2}


@pytest.fixture
def done(books: Path) -> list[stamps.Job]:
    """A run whose notebooks are all up to date, without having been executed."""
    jobs = pipeline.jobs("triage", "smoke", 0, str(books.parent / "run"), books)
    for job in jobs:
        write_json(job.writes / "manifest.json", {})
        write_json(job.writes / "result.json", [])
        write_json(job.copy, {})
    for job in jobs:
        told = {
            "needs": stamps.needs(job),
            "wrote": ["result.json"],
            "wall_seconds": 1,
            "whole": True,
        }
        write_json(job.stamp, told)
    return jobs


def test_a_second_run_imports_nothing_heavy(books: Path, done: list[stamps.Job]) -> None:
    code = f"""
import sys
from pathlib import Path
from env_lib import pipeline
status = pipeline.run("triage", "smoke", 0, {str(done[0].folder)!r}, Path({str(books)!r}))
heavy = {{"papermill", "nbclient", "torch", "pandas", "numpy", "matplotlib"}} & set(sys.modules)
sys.exit(status or bool(heavy) and f"imported {{heavy}}")
"""
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=paths, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("up to date") == 5


def test_a_lost_result_is_not_up_to_date(done: list[stamps.Job]) -> None:
    assert all(map(stamps.up_to_date, done))
    (done[4].writes / "result.json").unlink()
    assert [stamps.up_to_date(job) for job in done] == [True, True, True, True, False]


def test_a_changed_result_makes_its_readers_stale(done: list[stamps.Job]) -> None:
    write_json(done[1].writes / "result.json", ["new"])
    assert [stamps.up_to_date(job) for job in done] == [True, True, False, False, False]


def test_another_seed_is_not_up_to_date(books: Path, done: list[stamps.Job]) -> None:
    other = pipeline.jobs("triage", "smoke", 1, str(done[0].folder), books)
    assert not any(map(stamps.up_to_date, other))


def test_a_notebook_depends_on_the_library_and_the_bundled_facts(done: list[stamps.Job]) -> None:
    assert "env_lib/core.py" in stamps.needs(done[0])["library"]
    assert "peft.jsonl" in stamps.needs(done[0])["facts"]


def test_a_folder_in_use_is_left_alone(books: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = books.parent / "run"
    folder.mkdir()
    with pipeline._alone(folder) as alone:
        assert alone
        assert run(books) == 1
    assert "another process is running" in capfd.readouterr().out
    assert executed(books) == {}


def test_a_missing_notebook_and_an_unknown_profile_are_named(books: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown profile 'huge'"):
        pipeline.run("triage", "huge", 0, str(tmp_path / "run"), notebooks=books)
    (books / "04_evaluation.ipynb").unlink()
    with pytest.raises(FileNotFoundError, match=r"04_evaluation\.ipynb is missing"):
        run(books)
    assert not (tmp_path / "run").exists()


def test_every_profile_says_how_long_it_takes() -> None:
    assert set(pipeline.MINUTES) == set(pipeline.PROFILES)
    assert all(len(minutes) == len(stamps.NOTEBOOKS) for minutes in pipeline.MINUTES.values())


def shown(minutes: float) -> int:
    """A notebook's minutes as README and heads write them: whole ones, not too few."""
    return math.ceil(minutes)


def test_the_minutes_in_the_readme_are_the_pipelines() -> None:
    rows = re.findall(
        r"^\| \[(0[1-5]\w+)\].*\| (\d+), (\d+) \|", (ROOT / "README.md").read_text(), re.M
    )
    assert [name for name, *_ in rows] == list(stamps.NOTEBOOKS)
    for profile_name, column in (("smoke", 1), ("cpu", 2)):
        told = [int(row[column]) for row in rows]
        assert told == [shown(minutes) for minutes in pipeline.MINUTES[profile_name]]


@pytest.mark.parametrize("name", list(stamps.NOTEBOOKS))
def test_the_minutes_in_a_notebooks_head_are_the_pipelines(name: str) -> None:
    head = "".join(json.loads((ROOT / f"notebooks/{name}.ipynb").read_text())["cells"][0]["source"])
    line = head.partition("**Minutes**: ")[2].partition("\n")[0]
    told = {profile_name: int(n) for n, profile_name in re.findall(r"(\d+) \(`(\w+)`", line)}
    place = list(stamps.NOTEBOOKS).index(name)
    minutes = {key: shown(each[place]) for key, each in pipeline.MINUTES.items()}
    if told:
        assert {"smoke", "cpu", "t4"} <= set(told)
        assert told.items() <= minutes.items()
    else:  # one number for all
        assert {int(line.rstrip("."))} == set(minutes.values())


@pytest.mark.parametrize(
    ("told", "status", "wanted"),
    [
        ("GPU 0: NVIDIA T4 (UUID: GPU-1)", 0, "t4"),
        ("GPU access blocked by the operating system", 9, "cpu"),
        ("No devices were found", 0, "cpu"),
        (None, 0, "cpu"),
    ],
    ids=["a GPU", "a driver that fails", "a driver without a GPU", "no driver"],
)
def test_the_default_profile_is_the_gpus_where_the_driver_shows_one(
    told: str | None, status: int, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if told is not None:
        tool = tmp_path / "nvidia-smi"
        tool.write_text(f"#!/bin/sh\n[ \"$1\" = -L ] && echo '{told}'\nexit {status}\n")
        tool.chmod(0o755)
    assert pipeline.default_profile() == wanted


def test_a_run_takes_the_default_profile_unless_one_is_named(
    books: Path, done: list[stamps.Job], monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(pipeline, "default_profile", lambda: "smoke")
    assert pipeline.run("triage", "auto", 0, str(done[0].folder), notebooks=books) == 0
    assert "triage, profile smoke" in capfd.readouterr().out


def test_prose_and_outputs_are_no_part_of_what_a_notebook_does(books: Path) -> None:
    path = books / "01_data_pull.ipynb"
    before = stamps.code_of(path)
    notebook = json.loads(path.read_text())
    notebook["cells"].insert(
        0, {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Title"]}
    )
    notebook["cells"][1]["execution_count"] = 7
    path.write_text(json.dumps(notebook))
    assert stamps.code_of(path) == before
