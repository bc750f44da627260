"""Solved examples for the base model: the candidates, and the choice by what their answers earn."""

import pytest

from env_lib import fewshot
from env_lib.profiles import PROFILES
from env_lib.rollout import Answer
from env_lib.runs import Run

KINDS = ("wait", "label", "wait", "close_spam", "wait", "label", "assign")


@pytest.fixture
def run(tmp_path, monkeypatch):
    rows = [
        {"action_type": kind, "prompt": f"p{i}", "completion": f"c{i}"}
        for i, kind in enumerate(KINDS)
    ]
    monkeypatch.setattr(fewshot, "traces", lambda run: rows)
    return Run("triage", PROFILES["cpu"], 0, tmp_path)


def test_each_set_holds_one_trace_of_the_most_frequent_kinds(run):
    first, second, third = fewshot.candidates(run)
    assert first == (("p0", "c0"), ("p1", "c1"), ("p3", "c3"))
    assert second == (("p2", "c2"), ("p5", "c5"), ("p3", "c3"))
    assert third == (("p4", "c4"), ("p5", "c5"), ("p3", "c3"))


def test_the_set_whose_answers_earn_most_is_chosen(run, monkeypatch):
    class Writer:
        """Says something valid only where the second set was shown."""

        def __init__(self, *args, shots, **settings):
            self.good = shots[0] == ("p2", "c2")

        def answer(self, system_prompt, prompts):
            numbers = [prompt.split(":")[0].split()[2] for prompt in prompts]
            text = '{"action_type": "wait", "target_issue_id": %s}'
            return [Answer(text % n if self.good else "no action") for n in numbers]

    monkeypatch.setattr("env_lib.policy_model.ModelPolicy", Writer)
    chosen, earned = fewshot.best_shots(run, None, None)
    assert chosen == fewshot.candidates(run)[1]
    assert earned[1] > earned[0] == earned[2]
