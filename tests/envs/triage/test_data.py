"""What notebook 01 builds: the bundled facts, a live pull added to them, and the way back."""

import shutil
from functools import partial

import pytest

from env_lib.envs.triage import data, facts
from tests.envs.triage.github_server import REPO, Clock, Forge, generate, serving

pytest.importorskip("github", reason="the live pull needs the extra `pull` (PyGithub)")
LONG_AGO = 1200
"""Months: the rows of the server are dated, and a test holds on any day."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder of its own, with the bundled facts and no store."""
    (tmp_path / "triage").mkdir()
    for path in facts.bundled_files():
        shutil.copy(path, tmp_path / "triage")
    monkeypatch.setattr(facts, "DATA", tmp_path)
    return tmp_path / "triage"


@pytest.fixture
def forge(monkeypatch):
    from env_lib.envs.triage import github

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    with serving(Forge(generate(), Clock())) as running:
        here = partial(github.PullConfig, base_url=running.url, per_page=5)
        monkeypatch.setattr(github, "PullConfig", here)
        yield running


def test_a_live_repository_is_added_to_the_bundled_facts_and_they_can_be_had_alone_again(
    folder, forge
):
    alone = data.build()
    assert alone["threads"] == 942
    assert REPO not in alone["repositories"]
    assert forge.log == [], "the bundled facts need no network"

    both = data.build(REPO, months=LONG_AGO)
    assert both["threads"] == 942 + 23
    assert set(both["repositories"]) == {*alone["repositories"], REPO}
    assert both["hash"] != alone["hash"]
    assert both["pull"]["complete"]
    assert both["pull"]["rows"] == {"issues": 23, "pulls": 11, "comments": 31, "events": 17}
    splits = data.tables()["splits"].set_index("repository")
    assert splits.loc[REPO, "threads"].sum() == 23
    assert (folder / "cache" / REPO.replace("/", "__")).is_dir()

    again = data.build(REPO, months=LONG_AGO)
    assert (again["threads"], again["hash"]) == (both["threads"], both["hash"])
    assert data.build()["hash"] == both["hash"], "a pull stays until the store is deleted"

    facts.default_store().unlink()
    assert data.build() == alone


def test_a_repository_that_is_not_there_leaves_the_store_as_it_was(folder, forge):
    from env_lib.envs.triage.github import PullError

    alone = data.build()
    with pytest.raises(PullError, match="quillworks/gone"):
        data.build("quillworks/gone")
    assert data.build() == alone


def test_a_name_without_an_owner_is_refused_before_anything_is_asked(folder, forge):
    with pytest.raises(ValueError, match="repo='lathe' is not of the form owner/name"):
        data.build("lathe")
    assert forge.log == []
