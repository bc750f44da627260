"""The set-up cell on a bare machine: a virtual environment without the library, a local clone.

The environment sees the packages of the running interpreter (a path file names its folder), so that
nothing is downloaded; the library itself is not among them and has to come from the clone.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from env_lib import hosted

ROOT = Path(__file__).resolve().parents[1]
SITE = Path(sysconfig.get_path("purelib"))
TOUR = ROOT / "notebooks" / "00_tour.ipynb"
LOOK = "import env_lib; print(env_lib.__file__)"

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(
        (SITE / "env_lib").is_dir(), reason="the library is installed for good here"
    ),
]


def cells() -> list[str]:
    notebook = json.loads(TOUR.read_text(encoding="utf-8"))
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]


def git(*arguments: str, cwd: Path) -> None:
    who = (
        "-c",
        "user.name=test",
        "-c",
        "user.email=test@example.org",
        "-c",
        "commit.gpgsign=false",
    )
    subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a repository that holds the checkout as it is now."""
    names = (
        "env_lib",
        "data",
        "pyproject.toml",
        "setup.py",
        "constraints.txt",
        "README.md",
        "LICENSE",
    )
    there = tmp_path_factory.mktemp("published")
    unwanted = shutil.ignore_patterns("__pycache__", "*.db*", "*.key", "cache")
    for name in (name for name in names if (ROOT / name).exists()):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, there / name, **({"ignore": unwanted} if source.is_dir() else {}))
    (there / "README.md").touch()
    git("init", "--quiet", cwd=there)
    git("add", "--all", cwd=there)
    git("commit", "--quiet", "-m", "the checkout", cwd=there)
    return there.as_uri()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the packages and not the library."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run(
        [python, "-c", ask], capture_output=True, text=True, check=True
    ).stdout.strip()
    Path(site, "packages.pth").write_text(f"{SITE}\n")
    return python


def run(python: Path, source: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    # No network and no build environment of pip's own: what is needed is there already.
    known = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "MAINTAINER_GYM"))
    }
    settings = {
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "MAINTAINER_GYM_EXTRAS": "",
        "MPLBACKEND": "agg",
    }
    script = cwd / "cells.py"
    script.write_text(source, encoding="utf-8")
    command = [str(python), str(script)]
    return subprocess.run(
        command, cwd=cwd, env=known | settings, capture_output=True, text=True, check=False
    )


def test_without_an_address_the_cell_says_what_to_do(bare: Path, tmp_path: Path) -> None:
    done = run(bare, cells()[0], tmp_path)
    assert done.returncode == 1
    assert "no env_lib here: run `make setup` and choose .venv, or set REPO" in done.stderr


def test_on_a_bare_machine_the_cell_installs_the_clone_and_the_tour_runs(
    bare: Path, published: str, tmp_path: Path
) -> None:
    setup, *rest = cells()
    setup = setup.replace('REPO = ""', f'REPO = "{published}"')
    done = run(bare, "\n\n".join([setup, LOOK, *rest]), tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    clone = tmp_path / "maintainer-gym"
    assert str(clone / "env_lib" / "__init__.py") in done.stdout
    told = json.loads(
        (clone / "runs" / "triage-smoke-seed0" / "notebooks" / "00_tour.json").read_text()
    )
    assert told["normalised"]["oracle"] == 1


def test_where_the_library_is_installed_the_cell_does_nothing(tmp_path: Path) -> None:
    path = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    done = run(
        Path(sys.executable), path + cells()[0].replace('REPO = ""', 'REPO = "no/such"'), tmp_path
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [p.name for p in tmp_path.iterdir()] == ["cells.py"]


def test_the_torch_of_the_host_is_left_as_it_is() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    kept = hosted.constraints(text, "2.9.0+cu126").splitlines()
    assert [line for line in kept if line.startswith(("torch", "xformers"))] == [
        "torch==2.9.0+cu126"
    ]
    assert [line for line in kept if line.startswith("unsloth==")] != []
    assert hosted.constraints(text, None) == text
