"""What no client should send: actions that are none, and messages that are no messages."""

from __future__ import annotations

import json

LONG = "x" * 1_000_000
DIGITS = "9" * 5000
NESTED = "[" * 3000 + "]" * 3000
OBJECTS = '{"a":' * 3000 + "1" + "}" * 3000


def wait(number: str) -> str:
    return f'{{"action_type": "wait", "target_issue_id": {number}}}'


def field(name: str, value: str) -> str:
    return f'{{"action_type": "label", "target_issue_id": 1, "{name}": {value}}}'


ACTIONS = {
    "nothing": "{}",
    "no type": '{"target_issue_id": 1}',
    "no target": '{"action_type": "wait"}',
    "null type": '{"action_type": null, "target_issue_id": 1}',
    "number as type": '{"action_type": 1, "target_issue_id": 1}',
    "list as type": '{"action_type": ["wait"], "target_issue_id": 1}',
    "object as type": '{"action_type": {"a": 1}, "target_issue_id": 1}',
    "unknown type": '{"action_type": "delete_repository", "target_issue_id": 1}',
    "type in capitals": '{"action_type": "WAIT", "target_issue_id": 1}',
    "long type": f'{{"action_type": "{LONG}", "target_issue_id": 1}}',
    "invalid as type": '{"action_type": "invalid", "raw": "", "error": ""}',
    "target as text": wait('"1"'),
    "target as float": wait("1.0"),
    "target as fraction": wait("1.5"),
    "target true": wait("true"),
    "target as list": wait("[1]"),
    "target as object": wait('{"number": 1}'),
    "target NaN": wait("NaN"),
    "target infinite": wait("Infinity"),
    "target minus infinite": wait("-Infinity"),
    "target beyond floats": wait("1e999"),
    "target negative": wait("-1"),
    "target zero": wait("0"),
    "target of 64 bits": wait(str(2**63)),
    "target of 400 digits": wait(DIGITS[:400]),
    "target of 4299 digits": wait(DIGITS[:4299]),
    "target of 5000 digits": wait(DIGITS),
    "unknown label": field("label", '"spam"'),
    "label as number": field("label", "7"),
    "label as list": field("label", '["bug"]'),
    "label of a megabyte": field("label", f'"{LONG}"'),
    "reasoning too long": field("reasoning", f'"{"y" * 201}"'),
    "reasoning as object": field("reasoning", '{"a": 1}'),
    "extra key": field("force", "true"),
    "extra key of a megabyte": field(LONG, "1"),
    "thousand extra keys": json.dumps({f"key{i}": i for i in range(1000)}),
    "keys of the model": '{"model_config": {}, "model_fields": 1, "__class__": "x"}',
    "dunder keys": '{"__init__": 1, "__dict__": {}, "__pydantic_extra__": {}}',
    "key self": '{"self": 1, "cls": 2, "action": 3}',
    "empty key": '{"": 1}',
    "metadata as text": '{"metadata": "x"}',
    "metadata as list": '{"metadata": [1]}',
    "action in an action": f'{{"action": {wait("1")}}}',
    "list in a field": field("label", NESTED),
    "objects in a field": field("label", OBJECTS),
    "deep in an extra key": f'{{"x": {NESTED}}}',
    "mildly nested": field("label", "[" * 300 + "]" * 300),
    "half a pair": field("label", '"\\ud800"'),
    "half a pair as key": '{"\\udfff": 1}',
    "half a pair in a text": '{"text": "\\ud83d"}',
    "zero bytes": field("label", '"\\u0000bug"'),
    "right to left": field("label", '"\\u202egub"'),
    "emoji": field("label", '"\\ud83d\\ude00"'),
    "text empty": '{"text": ""}',
    "text as prose": '{"text": "I would close this one."}',
    "text as number": '{"text": 5}',
    "text as null": '{"text": null}',
    "text as list": '{"text": ["a"]}',
    "text of a megabyte": f'{{"text": "{LONG}"}}',
    "text nested": json.dumps({"text": NESTED}),
    "text with a tail": json.dumps({"text": wait("1") + " and so on"}),
    "text with a key twice": json.dumps(
        {"text": '{"action_type": "wait", "action_type": "label"}'}
    ),
    "text with many digits": json.dumps({"text": wait(DIGITS[:3000])}),
    "text and fields": '{"text": "x", "action_type": "wait", "target_issue_id": 1}',
    "tool call": '{"type": "call_tool", "tool_name": "reset", "arguments": {}}',
    "the guard's own key": '{"unreadable": {"a": 1}}',
}
"""Sent as the data of a step, by name."""

MESSAGES = {
    "no JSON": "hello",
    "empty": "",
    "half an object": '{"type": "step", "data": {',
    "null": "null",
    "number": "12",
    "text": '"step"',
    "list": '[{"type": "step"}]',
    "nested list": NESTED,
    "number of 5000 digits": DIGITS,
    "no type": "{}",
    "type as list": '{"type": ["step"], "data": {}}',
    "unknown type": '{"type": "explode"}',
    "half a pair as type": '{"type": "\\ud800"}',
    "step without data": '{"type": "step"}',
    "step with a list": '{"type": "step", "data": [1]}',
    "step with text": '{"type": "step", "data": "wait"}',
    "step with more": '{"type": "step", "data": {}, "self": 1}',
    "reset with text": '{"type": "reset", "data": "now"}',
    "seed as text": '{"type": "reset", "data": {"seed": "one"}}',
    "seed negative": '{"type": "reset", "data": {"seed": -1}}',
    "seed of 300 digits": f'{{"type": "reset", "data": {{"seed": {DIGITS[:300]}}}}}',
    "seed of 5000 digits": f'{{"type": "reset", "data": {{"seed": {DIGITS}}}}}',
    "unknown scenario": '{"type": "reset", "data": {"scenario": "E99"}}',
    "scenario as list": '{"type": "reset", "data": {"scenario": ["E0"]}}',
    "unknown split": '{"type": "reset", "data": {"split": "all"}}',
    "a path as option": '{"type": "reset", "data": {"store": "/etc/passwd"}}',
    "too few steps": '{"type": "reset", "data": {"steps": 1}}',
    "long episode name": f'{{"type": "reset", "data": {{"episode_id": "{LONG}"}}}}',
    "state with data": '{"type": "state", "data": {"a": 1}}',
    "mcp without data": '{"type": "mcp"}',
}
"""Sent as they are, by name; openenv or the service answers each with an error."""
