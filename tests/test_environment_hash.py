"""What fixes a duty's episodes makes its finished runs stale where it changes."""

import shutil

import pytest

from env_lib import runs
from env_lib.core import stable_hash
from env_lib.paths import DATA


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of supervise's data, in the place of the real ones."""
    shutil.copytree(DATA / "supervise", tmp_path / "supervise")
    monkeypatch.setattr(runs, "DATA", tmp_path)
    return tmp_path / "supervise"


@pytest.mark.parametrize("name", ["modules.toml", "packages.toml", "ci_runs.json"])
def test_a_change_of_a_duties_data_changes_its_hash(copied, name):
    before = runs.environment_hash("supervise")
    assert runs.environment_hash("supervise") == before
    with (copied / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert runs.environment_hash("supervise") != before


def test_prose_and_figures_change_nothing(copied):
    before = runs.environment_hash("supervise")
    (copied / "README.md").write_text("another", encoding="utf-8")
    assert runs.environment_hash("supervise") == before


@pytest.mark.parametrize("duty", ["triage", "repair", "release", "drift"])
def test_duties_without_toml_keep_the_hash_of_their_sources_and_json(duty):
    package = runs.ROOT / "env_lib"
    sources = [package / name for name in ("core.py", "rubric.py", "language.py")]
    sources += [p for p in sorted((package / "envs" / duty).rglob("*.py")) if p.stem != "figures"]
    sources += sorted(p for p in (DATA / duty).rglob("*.json*") if p.is_file())
    assert runs.environment_hash(duty) == stable_hash([runs.file_hash(p) for p in sources])
