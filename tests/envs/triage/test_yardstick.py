"""The outside yardstick scores an import the way the public competition does."""

import csv
import json
import random

import pytest

from env_lib import cli
from env_lib.envs.triage.yardstick import PUBLISHED, yardstick

WORDS = {
    "bug": ("crash", "error", "wrong", "fails"),
    "feature": ("support", "add", "allow", "option"),
    "question": ("how", "why", "what", "which"),
}


def export(path, repos, seed, rows=10):
    rng = random.Random(seed)
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["repo", "created_at", "label", "title", "body"])
        for repo in repos:
            for label, words in WORDS.items():
                for day in range(1, rows + 1):
                    title = f"{rng.choice(words)} the {rng.choice(('loader', 'parser', 'view'))}"
                    table.writerow([repo, f"2024-01-{day:02d}", label, title, rng.choice(words)])
    return path


def test_separable_types_score_near_one(tmp_path):
    train = export(tmp_path / "train.csv", ["a/x", "b/y"], 1)
    test = export(tmp_path / "test.csv", ["a/x", "b/y"], 2)
    found = yardstick(train, test)
    assert found["macro_f1"] > 0.95
    assert set(found["by_repo"]) == {"a/x", "b/y"}
    assert found["threads"] == 60
    assert found["published"] == PUBLISHED


def test_the_command_line_scores_the_two_files(tmp_path, capsys):
    files = [str(export(tmp_path / f"{i}.csv", ["a/x", "b/y"], i)) for i in (1, 2)]
    assert cli.main(["evaluate", "triage", "--yardstick", *files, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("ok")
    assert told == yardstick(*files)
    assert cli.main(["evaluate", "triage", "--yardstick", *files]) == 0
    shown = capsys.readouterr().out
    assert "60 threads" in shown
    assert "fastText 0.718" in shown


def test_one_answer_for_all_scores_a_sixth(tmp_path):
    train = export(tmp_path / "train.csv", ["a/x"], 1)
    test = export(tmp_path / "test.csv", ["a/x"], 2)
    found = yardstick(train, test, classify=lambda known, asked: ["bug"] * len(asked))
    assert found["macro_f1"] == pytest.approx(0.5 / 3)


def test_a_project_without_training_rows_is_named(tmp_path):
    train = export(tmp_path / "train.csv", ["a/x"], 1)
    test = export(tmp_path / "test.csv", ["b/y"], 2)
    with pytest.raises(ValueError, match="no training rows of 'b/y'"):
        yardstick(train, test)
