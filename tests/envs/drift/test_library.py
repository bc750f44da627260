"""The repair library: deduplicated, of train tasks alone, recalled by likeness."""

from dataclasses import replace

import pytest

from env_lib.envs.drift import library
from env_lib.envs.drift.env import DriftEnv
from env_lib.envs.drift.library import Repair, deduplicated, recall, rows_of, successes, write
from tests.envs.drift.made_tasks import LOUD, TWO

TRAIN = [replace(task, split="train") for task in (LOUD, TWO, LOUD)]


@pytest.fixture(scope="module")
def rows():
    return deduplicated(successes(TRAIN))


def test_repairs_that_worked_are_kept_once(rows):
    assert [(row.primitive, row.old, row.new) for row in rows] == [
        ("rename_symbol", "applymap", "map"),
        ("rename_symbol", "infty", "inf"),
        ("rename_symbol", "iteritems", "items"),
    ]
    assert {row.error_type for row in rows} == {"AttributeError"}


def test_a_task_of_another_split_is_refused():
    with pytest.raises(ValueError, match="of test; the library holds train alone"):
        list(successes([LOUD]))


def test_the_library_is_read_back_as_it_was_written(rows, tmp_path):
    assert rows_of(write(rows, tmp_path / "library.jsonl")) == tuple(rows)
    assert rows_of(tmp_path / "none.jsonl") == ()


def test_the_likest_repair_is_recalled_first_and_useless_ones_never(rows, tmp_path):
    path = write(rows, tmp_path / "library.jsonl")
    message = "'Series' object has no attribute 'iteritems'"
    both = "s.iteritems()\ns.applymap(f)\n"
    assert recall("AttributeError", message, both, 1, path) == (
        "worked on AttributeError: rename_symbol iteritems items",
    )
    assert len(recall("AttributeError", message, both, 5, path)) == 2
    assert recall("AttributeError", message, "x = 1\n", 5, path) == ()


def test_recalled_repairs_stand_in_the_prompt_where_they_are_asked_for(monkeypatch, rows, tmp_path):
    path = write(rows, tmp_path / "library.jsonl")
    monkeypatch.setattr(library, "library_file", lambda: path)
    line = "worked on AttributeError: rename_symbol iteritems items"
    asked = DriftEnv(scenario="D1", split="test", task=LOUD, recall=True)
    assert line in asked.reset().prompt
    assert asked.options["recall"] is True
    assert line not in DriftEnv(scenario="D1", split="test", task=LOUD).reset().prompt


def test_a_line_of_a_silent_repair_says_so():
    row = Repair("pandas", "", "", "set_kwarg", "groupby.sort", "False")
    assert row.line() == "worked on another result: set_kwarg groupby.sort False"
