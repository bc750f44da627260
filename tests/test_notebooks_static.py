"""What every notebook keeps, checked without running it."""

import ast
import json
import re
from pathlib import Path
from statistics import median
from typing import Any

import nbformat
import pytest

from env_lib import pipeline, stamps

ROOT = Path(__file__).resolve().parents[1]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EXPECTED = ["00_tour", "01_data_pull", "02_sft_warmstart", "03_grpo", "04_evaluation", "05_plots"]
HEAD = (
    "**Question.**",
    "**Reads**",
    "**Writes**",
    "**Hardware**",
    "**Minutes**",
    "**Expected result**",
)
ABSOLUTE = re.compile(
    r"""["'\s(](/(?:home|root|Users|work|tmp|content|kaggle|usr|opt|mnt)/|[A-Z]:\\\\)"""
)
SECRET = re.compile(
    r"(ghp_|github_pat_|hf_|sk-|AKIA|xox[bp]-|glpat-)[A-Za-z0-9_-]{12,}|BEGIN [A-Z ]*PRIVATE KEY"
)
LOGIC = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.While, ast.Try, ast.Lambda)

notebook = pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def sources(path: Path, kind: str = "code") -> list[str]:
    return ["".join(c["source"]) for c in read(path)["cells"] if c["cell_type"] == kind]


def tagged(path: Path, tag: str) -> list[str]:
    cells = [c for c in read(path)["cells"] if tag in c["metadata"].get("tags", [])]
    return ["".join(cell["source"]) for cell in cells]


def parameters(path: Path) -> dict[str, Any]:
    (source,) = tagged(path, "parameters")
    return {node.targets[0].id: ast.literal_eval(node.value) for node in ast.parse(source).body}  # type: ignore[attr-defined]


def code_lines(source: str) -> int:
    return sum(bool(line.strip()) for line in source.splitlines())


def test_the_notebooks_are_the_six_of_the_pipeline() -> None:
    assert [path.stem for path in PATHS] == EXPECTED
    assert list(stamps.NOTEBOOKS) == EXPECTED[1:]


@notebook
def test_it_is_a_valid_notebook_with_ids_and_the_python3_kernel(path: Path) -> None:
    nbformat.validate(nbformat.read(path, as_version=4))
    content = read(path)
    ids = [cell["id"] for cell in content["cells"]]
    assert len(set(ids)) == len(ids)
    assert content["metadata"]["kernelspec"]["name"] == "python3"
    assert content["nbformat_minor"] >= 5


@notebook
def test_its_head_is_title_setup_parameters_imports(path: Path) -> None:
    cells = read(path)["cells"]
    title = "".join(cells[0]["source"])
    assert title.startswith(f"# {path.stem[:2]} ")
    assert "?" in title.splitlines()[0]
    assert [word for word in HEAD if word not in title] == []
    assert [cell["metadata"].get("tags") for cell in cells[1:3]] == [["setup"], ["parameters"]]
    assert cells[3]["cell_type"] == "code"
    assert "run = runs.start(ENV, PROFILE, SEED, RUN_DIR)" in "".join(cells[3]["source"])
    assert len(tagged(path, "setup")) == len(tagged(path, "parameters")) == 1


def test_the_setup_cell_is_the_same_in_all_and_holds_the_address_on_a_line() -> None:
    cells = {tagged(path, "setup")[0] for path in PATHS}
    assert len(cells) == 1
    assert re.search(r'^REPO = "[^"\n]*"', cells.pop(), re.MULTILINE)


@notebook
def test_its_parameters_are_plain_literals_that_the_pipeline_knows(path: Path) -> None:
    given = parameters(path)
    assert [*given][:4] == ["ENV", "PROFILE", "SEED", "RUN_DIR"]
    assert (given["ENV"], given["SEED"], given["RUN_DIR"]) == ("triage", 0, "")
    assert given["PROFILE"] in ("auto", "smoke")


@pytest.mark.parametrize("name", list(stamps.NOTEBOOKS))
def test_every_parameter_that_is_passed_is_in_the_tagged_cell(name: str) -> None:
    jobs = pipeline.jobs("triage", "cpu", 1, "runs/x", ROOT / "notebooks")
    (job,) = (job for job in jobs if job.name == name)
    assert set(job.parameters) <= set(parameters(ROOT / "notebooks" / f"{name}.ipynb"))


def test_the_makefile_passes_what_the_pipeline_takes() -> None:
    recipe = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if "-m env_lib run" in line
    )
    flags = dict(re.findall(r"--([\w-]+) \$\((\w+)\)", recipe))
    assert flags == {"env": "ENV", "profile": "PROFILE", "seed": "SEED", "run-dir": "RUN"}


@notebook
def test_a_cell_is_a_call_and_a_look(path: Path) -> None:
    lengths = []
    for source in sources(path):
        tree = ast.parse(source)
        lengths.append(code_lines(source))
        assert [type(node).__name__ for node in ast.walk(tree) if isinstance(node, LOGIC)] == []
    assert max(lengths) <= 15
    assert median(lengths) <= 5


@notebook
def test_every_figure_is_followed_by_what_to_look_for(path: Path) -> None:
    cells = read(path)["cells"]
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        drawn = cell["cell_type"] == "code" and re.search(
            r"plots\.(show|view)\(", "".join(cell["source"])
        )
        if drawn:
            assert after is not None
            assert "**What to look for**" in "".join(after["source"])


@notebook
def test_it_ends_with_numbers_and_assertions_on_them(path: Path) -> None:
    *_, numbers, checks = sources(path)
    for name in ("runs.write_json(", "run.seed", "runs.versions()", "runs.commit()"):
        assert name in numbers
    assert sum(line.startswith("assert ") for line in checks.splitlines()) >= 3


@notebook
def test_it_names_no_machine_and_no_secret(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace('\\"', '"')
    assert ABSOLUTE.findall(text) == []
    assert SECRET.search(text) is None


@notebook
def test_what_is_stored_is_small_and_free_of_errors_and_widgets(path: Path) -> None:
    content = read(path)
    assert path.stat().st_size < 300_000
    assert "widgets" not in content["metadata"]
    outputs = [o for c in content["cells"] if c["cell_type"] == "code" for o in c["outputs"]]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert kinds <= {"text/plain", "text/html", "image/png"}
    assert [o["ename"] for o in outputs if o["output_type"] == "error"] == []
    assert [o["text"] for o in outputs if o.get("name") == "stderr"] == []


@notebook
def test_a_notebook_that_was_executed_was_executed_whole_and_in_order(path: Path) -> None:
    counts = [c["execution_count"] for c in read(path)["cells"] if c["cell_type"] == "code"]
    assert counts in ([None] * len(counts), list(range(1, len(counts) + 1)))
