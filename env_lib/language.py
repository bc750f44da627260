"""From action schema to system prompt, from text to action, and grammars for decoding.

`parse_action` is strict: one JSON object at the start, nothing after it, a known type, the fields
that the type needs and no other. It never raises on a text; what does not parse is answered.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin

from annotated_types import MaxLen
from pydantic import ValidationError

from env_lib.core import Action, InvalidAction

MAX_TEXT = 4000
"""Characters of an answer that are read; a longer one is not an action."""
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d|[^\w\s]|_")
_LETTERS = 5
"""Letters that one token holds, at the careful end of what SmolLM2's tokenizer does."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"key given twice: {next(k for k in keys if keys.count(k) > 1)!r}")
    return dict(pairs)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_no_constant)


def parse_action(text: str, action_type: type[Action]) -> Action:
    """Return the action in `text`, or an `InvalidAction` whose `error` says what was wrong."""
    try:
        return _parse(text, action_type)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "action"
        given = "" if first["type"] == "missing" else f"; got {_shown(first['input'])}"
        message = f"{where}: {first['msg']}{given}"
    except RecursionError:
        message = "nested too deeply; one flat JSON object is needed"
    except ValueError as error:
        message = str(error)
    return InvalidAction(raw=text[:MAX_TEXT], error=message)


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _parse(text: str, action_type: type[Action]) -> Action:
    if len(text) > MAX_TEXT:
        raise ValueError(f"{len(text)} characters; an action has at most {MAX_TEXT}")
    body = text.strip()
    if not body.startswith("{"):
        raise ValueError(f"no JSON object at the start; got {_shown(body[:40])}")
    fields, end = _DECODER.raw_decode(body)
    if end != len(body):
        raise ValueError(f"text after the JSON object: {_shown(body[end : end + 40])}")
    fields = _flat(fields, action_type)
    kind = fields.get("action_type")
    if not isinstance(kind, str) or kind not in action_type.needs:
        raise ValueError(
            f"action_type {_shown(kind)} is unknown; known: {', '.join(action_type.needs)}"
        )
    needed = action_type.needs[kind]
    missing = [name for name in needed if fields.get(name) is None]
    if missing:
        raise ValueError(f"{kind} needs {', '.join(missing)}")
    extra = [
        n for n in fields if n not in needed and n not in ("action_type", *action_type.optional)
    ]
    if extra:
        raise ValueError(
            f"{kind} takes no {_shown(extra[0])}; it takes {', '.join(needed) or 'nothing'}"
        )
    return action_type.model_validate(fields, strict=True)


def _flat(fields: dict[str, Any], action_type: type[Action]) -> dict[str, Any]:
    """Return fields with those of the object that a duty lets hold them (`nested`) beside them."""
    name = getattr(action_type, "nested", None)
    inner = fields.get(name) if name else None
    if not isinstance(inner, dict) or set(inner) & set(fields):
        return fields
    return {key: value for key, value in fields.items() if key != name} | inner


def choices_of(action_type: type[Action], field: str) -> tuple[str, ...]:
    """Return the literal values that a field may have, or () where it is free."""
    annotation = action_type.model_fields[field].annotation
    options = [annotation, *get_args(annotation)]
    for option in options:
        if get_origin(option) is Literal:
            return get_args(option)
    return ()


def describe_actions(action_type: type[Action], task: str) -> str:
    """Return the system prompt: the task, the fields of every action, then one line a type."""
    common = [n for n in next(iter(action_type.needs.values())) if _needed_by_all(action_type, n)]
    every = ", ".join(["action_type", *common])
    lines = [task, f"Answer with one JSON object: {every}, and what the type needs:"]
    for kind, needed in action_type.needs.items():
        fields = []
        for name in needed:
            values = choices_of(action_type, name)
            if name not in common:
                fields.append(f"{name}={'|'.join(values)}" if values else name)
        own = f" ({', '.join(fields)})" if fields else ""
        lines.append(f"{kind}{own}: {action_type.purpose[kind]}")
    return "\n".join(lines)


def _needed_by_all(action_type: type[Action], name: str) -> bool:
    return all(name in needed for needed in action_type.needs.values())


def action_schema(action_type: type[Action]) -> dict[str, Any]:
    """Return a JSON schema with one branch an action type, fields in the order of teaching.

    Constrained decoding compiles it, so that what it lets through always parses.
    """
    branches = []
    for kind, needed in action_type.needs.items():
        properties: dict[str, Any] = {"action_type": {"const": kind}}
        properties |= {name: _field_schema(action_type, name) for name in needed}
        branches.append(
            {
                "type": "object",
                "properties": properties,
                "required": ["action_type", *needed],
                "additionalProperties": False,
            }
        )
    return {"anyOf": branches}


def _field_schema(action_type: type[Action], name: str) -> dict[str, Any]:
    values = choices_of(action_type, name)
    if values:
        return {"enum": list(values)}
    field = action_type.model_fields[name]
    if str not in (field.annotation, *get_args(field.annotation)):
        return {"type": "integer", "minimum": 0, "maximum": 99999}
    longest = [m.max_length for m in field.metadata if isinstance(m, MaxLen)]
    return {"type": "string", "maxLength": longest[0] if longest else MAX_TEXT}


@lru_cache(maxsize=65536)
def count_tokens(text: str) -> int:
    """Estimate without a tokenizer how many tokens SmolLM2 makes of `text` (tested against it)."""
    return sum(1 + (len(piece) - 1) // _LETTERS for piece in _PIECE.findall(text)) + 1


def cut(text: str, budget: int) -> str:
    """Return the longest prefix of whole words within `budget` tokens, marked where it is cut."""
    if count_tokens(text) <= budget:
        return text
    words: list[str] = []
    used = 2
    for word in text.split():
        used += count_tokens(word)
        if used > budget:
            break
        words.append(word)
    return " ".join(words) + " ..." if words else ""
