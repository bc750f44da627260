"""`validate repair`: what is wrong with a task is a fault that names the file, never a crash."""

import json
import shutil

import pytest

from env_lib.envs.repair import checks, corpus
from env_lib.envs.repair.checks import metadata_faults


@pytest.fixture
def home(tmp_path):
    name = sorted(p.name for p in (corpus.folder() / "tasks").iterdir() if p.is_dir())[0]
    shutil.copytree(corpus.folder() / "tasks" / name, tmp_path / "tasks" / name)
    return tmp_path


def rewritten(home, **values):
    (path,) = home.glob("tasks/*/metadata.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | values))
    return list(metadata_faults(home))


def test_the_bundled_metadata_are_well_formed():
    assert list(metadata_faults(corpus.folder())) == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"kind": "typo"}, "kind is 'typo'; known: comparison_swap"),
        ({"function": "nothing"}, "function is 'nothing'; fixed.py defines none"),
        ({"difficulty": "hard"}, "difficulty is 'hard'; known: easy, medium"),
        ({"bug_type": "two words"}, "bug_type is 'two words'"),
        ({"id": "other"}, "id is 'other'"),
        ({"allowed_actions": ["apply", "pray"]}, "unknown action 'pray'"),
        ({"allowed_actions": "apply"}, "unknown action 'apply'"),
    ],
)
def test_a_wrong_value_is_a_fault(home, values, told):
    (fault,) = rewritten(home, **values)
    assert "metadata.json: " in fault
    assert told in fault


@pytest.mark.parametrize(
    ("text", "told"),
    [("{broken", "Expecting property name"), ("[1]", "holds a list"), ("{}", "id, title")],
)
def test_broken_metadata_are_a_fault_and_no_crash(home, text, told, monkeypatch):
    (path,) = home.glob("tasks/*/metadata.json")
    path.write_text(text)
    monkeypatch.setattr(corpus, "folder", lambda: home)
    (fault,) = checks.faults()
    assert told in fault
    with pytest.raises(corpus.CorpusError, match=r"metadata\.json"):
        corpus.named_tasks.__wrapped__(home)
