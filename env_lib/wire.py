"""What crosses the wire between a client and a served duty: models, and how an action is read.

The models are derived from a duty's own types. The action model takes any fields at all, so that a
malformed value reaches the environment and is answered there: openenv 0.10 closes a session over
some of what it cannot read, and calls the rest a fault of the message.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError

from env_lib import openenv_parts as openenv
from env_lib.core import Action, Environment, InvalidAction, State
from env_lib.registry import duty_module

if TYPE_CHECKING:
    from types import ModuleType

TEXT = "text"
"""The field that holds a language model's whole answer, in place of an action's own fields."""
UNREADABLE = "unreadable"
"""The field by which `env_lib.wire_guard` says why it took the place of an action."""
MAX_SEED = 2**63 - 1
MAX_NAME = 255
"""Characters of an episode's name, as in openenv's HTTP requests."""
MAX_OPTION = 10**6
SHORT = 100
"""Characters of text up to which a field needs no look at the length of the whole action."""
TOO_DEEP = "nested too deeply; an action is one flat JSON object"


class RequestError(ValueError):
    """A reset that cannot be done as asked; the message is for the client."""


class ServedAction(openenv.Action):
    """An action as it arrives; `read_action` judges it."""

    model_config = ConfigDict(extra="allow")
    metadata: Any = None
    duty_action: ClassVar[type[Action]] = Action

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return what is worth sending, not what is let through: clients and forms read it."""
        return describe(cls.duty_action)


@dataclass(frozen=True)
class WireModels:
    """The openenv models of one duty."""

    action: type[ServedAction]
    observation: type[BaseModel]
    """The duty's observation type and openenv's, in one class."""
    state: type[BaseModel]
    """The duty's state and openenv's, in one class."""


@lru_cache(maxsize=16)
def wire_models(duty: str) -> WireModels:
    """Build a duty's models, once a process."""
    kind = duty_module(duty).ENVIRONMENT
    done, seen = kind.action_type, kind.observation_type
    action = _derived(done.__name__, (ServedAction,), done.__doc__, duty_action=done)
    observation = _derived(seen.__name__, (seen, openenv.Observation), seen.__doc__)
    state = _derived(f"{duty.title()}State", (State, openenv.State), State.__doc__)
    return WireModels(action, observation, state)


def _derived(name: str, bases: tuple[type, ...], doc: str | None, **names: Any) -> Any:
    return type(bases[0])(name, bases, {"__module__": __name__, "__doc__": doc, **names})


def describe(action_type: type[Action]) -> dict[str, Any]:
    """Return the JSON schema of a duty's action, `text` offered beside the fields."""
    schema = action_type.model_json_schema()
    properties = schema["properties"]
    properties["action_type"]["description"] = "; ".join(
        f"{kind} ({', '.join(needed)}): {action_type.purpose.get(kind, '')}"
        for kind, needed in action_type.needs.items()
    )
    ways = [{"required": schema.pop("required", ["action_type"])}]
    if TEXT not in properties:
        properties[TEXT] = {
            "type": "string",
            "title": "Text",
            "description": "Instead of fields: the answer of a language model, one JSON object.",
        }
        ways.append({"required": [TEXT]})
    properties["metadata"] = {"type": "object", "title": "Metadata", "description": "Not read."}
    return {**schema, "anyOf": ways}


def read_action(env: Environment, sent: Any) -> Action:
    """Turn what a client sent into an action, or into an `InvalidAction` that says what was wrong.

    Fields that are null count as absent; everything else takes the way of a language model's text.
    """
    if isinstance(sent, Action):
        return sent
    fields = {name: value for name, value in (sent.model_extra or {}).items() if value is not None}
    if len(fields) == 1:
        name, value = next(iter(fields.items()))
        if name == TEXT and isinstance(value, str) and TEXT not in env.action_type.model_fields:
            return env.parse(value.encode("utf-8", "backslashreplace").decode())
        if name == UNREADABLE:
            return InvalidAction(raw="", error=ascii(value)[1:100])
    if (plain := _plain(fields, env.action_type)) is not None:
        return plain
    try:
        return env.parse(json.dumps(fields))
    except RecursionError:
        return InvalidAction(raw="", error=TOO_DEEP)


def _plain(fields: dict[str, Any], action_type: type[Action]) -> Action | None:
    """The action of fields that are plainly right, which is the common case; else None."""
    kind = fields.get("action_type")
    needed = action_type.needs.get(kind) if isinstance(kind, str) else None
    if needed is None or fields.keys() != {"action_type", *needed}:
        return None
    if not all(type(v) is int or (type(v) is str and len(v) < SHORT) for v in fields.values()):
        return None
    try:
        return action_type.model_validate(fields, strict=True)
    except ValidationError:
        return None


def check_reset(module: ModuleType, seed: Any, name: Any, chosen: dict[str, Any]) -> None:
    """Check the arguments of a reset: `chosen` holds scenario, split and options.

    Raises:
        RequestError: one of them is out of range.
    """
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        _refuse("seed", seed, f"a whole number from 0 to {MAX_SEED}")
    if name is not None and not (isinstance(name, str) and 0 < len(name) <= MAX_NAME):
        _refuse("episode_id", name, f"text of 1 to {MAX_NAME} characters")
    named = {"scenario": module.SCENARIOS, "split": module.SPLITS}
    numeric = numeric_options(module.ENVIRONMENT)
    for what, value in chosen.items():
        if what in named:
            if not isinstance(value, str) or value not in named[what]:
                _refuse(what, value, ", ".join(named[what]))
        elif what not in numeric:
            _refuse("option", what, ", ".join(("seed", "episode_id", *named, *numeric)))
        elif type(value) is not int or not 0 <= value <= MAX_OPTION:
            _refuse(what, value, f"a whole number from 0 to {MAX_OPTION}")


def _refuse(what: str, value: Any, wanted: str) -> NoReturn:
    text = ascii(value)
    raise RequestError(f"{what} {text if len(text) <= 60 else text[:57] + '...'}; wanted: {wanted}")


@lru_cache(maxsize=16)
def numeric_options(environment: type[Environment]) -> tuple[str, ...]:
    """Return the options that are whole numbers: others, such as paths, are not for clients."""
    hints = get_type_hints(environment.__init__)
    return tuple(name for name, hint in hints.items() if int in (get_args(hint) or (hint,)))
