"""Texts to actions, strictly; schemas and system prompts from the action type alone."""

import json
import re

import pytest

from env_lib.core import InvalidAction
from env_lib.envs.triage.env import TriageAction
from env_lib.language import MAX_TEXT, action_schema, choices_of, describe_actions, parse_action

WAIT = '{"action_type": "wait", "target_issue_id": 7}'
LABEL = '{"action_type": "label", "target_issue_id": 7, "label": "bug"}'


@pytest.mark.parametrize(
    "text", [WAIT, LABEL, f"  {WAIT}\n", WAIT[:-1] + ', "reasoning": "unsure"}']
)
def test_one_complete_json_object_is_an_action(text):
    assert isinstance(parse_action(text, TriageAction), TriageAction)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON object at the start"),
        ("I would wait.", "no JSON object at the start; got 'I would wait.'"),
        (f"Sure! {WAIT}", "no JSON object at the start"),
        (f"{WAIT} because", "text after the JSON object: ' because'"),
        (WAIT + WAIT, "text after the JSON object"),
        (WAIT[:-1], "Expecting"),
        (f"[{WAIT}]", "no JSON object at the start"),
        ('{"target_issue_id": 7}', "action_type None is unknown; known: label"),
        ('{"action_type": "explode", "target_issue_id": 7}', "'explode' is unknown"),
        ('{"action_type": ["wait"], "target_issue_id": 7}', "is unknown"),
        ('{"action_type": "label", "target_issue_id": 7}', "label needs label"),
        ('{"action_type": "label", "target_issue_id": 7, "label": null}', "label needs label"),
        (LABEL.replace("bug", "spam"), "label: Input should be 'bug'"),
        (WAIT[:-1] + ', "label": "bug"}', "wait takes no 'label'"),
        (WAIT[:-1] + ', "mood": 1}', "wait takes no 'mood'"),
        (WAIT.replace("7", '"7"'), "target_issue_id: Input should be a valid integer; got '7'"),
        (WAIT.replace("7", "7.0"), "valid integer"),
        (WAIT.replace("7", "true"), "valid integer"),
        (WAIT.replace("7", "NaN"), "NaN is not JSON"),
        (WAIT[:-1] + ', "target_issue_id": 8}', "key given twice: 'target_issue_id'"),
        (WAIT[:-1] + f', "reasoning": "{"x" * 201}"}}', "at most 200 characters"),
        ('{"a": ' * 600, "nested too deeply|Expecting"),
        (WAIT + " " * MAX_TEXT, "characters; an action has at most"),
    ],
)  # fmt: skip
def test_what_is_no_action_is_told_what_was_wrong(text, said):
    action = parse_action(text, TriageAction)
    assert isinstance(action, InvalidAction)
    assert any(part in action.error for part in said.split("|")), action.error
    assert action.raw == text[:MAX_TEXT]


def test_the_canonical_text_of_an_action_parses_back():
    action = TriageAction(action_type="link_duplicate", target_issue_id=9, duplicate_of=4)
    assert parse_action(action.text(), TriageAction) == action


def test_the_system_prompt_names_every_action_its_fields_and_choices():
    prompt = describe_actions(TriageAction, "The task.")
    assert prompt.startswith("The task.")
    for kind, needed in TriageAction.needs.items():
        line = next(line for line in prompt.splitlines() if re.match(rf"{kind}( \(|:)", line))
        assert all(name in line for name in needed if name != "target_issue_id")
    assert "one JSON object: action_type, target_issue_id" in prompt
    assert "label=bug|feature|question" in prompt


def test_choices_are_those_of_the_literal_type():
    assert choices_of(TriageAction, "assignee_area") == ("core", "docs", "build", "community")
    assert choices_of(TriageAction, "duplicate_of") == ()


def test_what_the_schema_lets_through_parses():
    for branch in action_schema(TriageAction)["anyOf"]:
        values = {
            name: rule.get("const") or (rule["enum"][-1] if "enum" in rule else rule["minimum"])
            for name, rule in branch["properties"].items()
        }
        assert list(values) == branch["required"]
        assert isinstance(parse_action(json.dumps(values), TriageAction), TriageAction)
