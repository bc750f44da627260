"""What `inspect` shows of the installed library: a signature, or the names that are nearest.

Names are looked up as a script would look them up, so that an overlay is seen through.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import types
from typing import Any

from . import blame, guard, launcher, overlay

_DEFAULT = 40
_NEAREST = 12


def look(name: str, words: list[str], changes: list[dict[str, str]]) -> dict[str, Any]:
    """Return {"signature": parameters} or {"members": names}, and in `at` what they belong to."""
    launcher.hide()
    launcher.quiet()
    try:
        overlay.apply(changes)
    except overlay.Unfit as unfit:
        return {"at": name, "members": [], "unfit": str(unfit)}
    space: dict[str, Any] = {"__name__": "script", "look_up": importlib.import_module}
    guard.is_user(space)
    exec(_RESOLVE, space)
    value, reached, missing = space["resolve"](name.split("."))
    if missing:
        return {"at": reached, "missing": missing, "members": members(value, missing)}
    shown = parameters(value)
    if shown is None:
        return {"at": reached, "members": members(value, words[0] if words else "")}
    return {"at": reached, "signature": shown}


_RESOLVE = '''
def resolve(parts):
    """Return (value, its path, first name that is missing) as a script sees them."""
    value, count = None, 0
    for count in range(1, len(parts) + 1):
        try:
            value = look_up(".".join(parts[:count]))
        except ImportError:
            count -= 1
            break
    if value is None:
        return None, "", parts[0]
    for number in range(count, len(parts)):
        try:
            value = getattr(value, parts[number])
        except AttributeError:
            return value, ".".join(parts[:number]), parts[number]
        except ImportError:
            return value, ".".join(parts[:number]), parts[number]
    return value, ".".join(parts), ""
'''


def parameters(value: Any) -> list[str] | None:
    """Return the parameters of a callable, each as `name=default`; None where there are none."""
    if isinstance(value, types.ModuleType) or not callable(value):
        return None
    is_class = isinstance(value, type)
    raw = inspect.getattr_static(value, "__init__") if is_class else value
    raw = getattr(raw, "__func__", raw)
    drifted = guard.shown(raw)
    try:
        signature = drifted or inspect.signature(value)
    except (ValueError, TypeError):
        return None
    found = list(signature.parameters.values())
    bound = is_class or hasattr(value, "__func__")
    if drifted is not None and bound:
        found = found[1:]
    return _told(found)


def _told(found: list[inspect.Parameter]) -> list[str]:
    told, marked = [], False
    for parameter in found:
        if parameter.kind is parameter.KEYWORD_ONLY and not marked:
            told.append("*")
        marked = marked or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        star = "**" if parameter.kind is parameter.VAR_KEYWORD else star
        text = f"{star}{parameter.name}"
        if parameter.default is not parameter.empty:
            text += f"={_short(parameter.default)}"
        told.append(text)
    return told


def _short(default: Any) -> str:
    if isinstance(default, type):
        return default.__name__
    text = " ".join(blame.scrubbed(repr(default)).split())
    return text if len(text) <= _DEFAULT else f"{text[: _DEFAULT - 1]}…"


def members(owner: Any, word: str) -> list[str]:
    """Return the public names of a module or class that are nearest to a word."""
    if owner is None:
        return []
    names = [name for name in dir(owner) if name[:1] != "_"]
    names = [name for name in names if not guard.is_hidden(owner, name)]
    if not word:
        return sorted(names)[:_NEAREST]

    def near(name: str) -> tuple[bool, float, str]:
        likeness = difflib.SequenceMatcher(None, word.lower(), name.lower()).ratio()
        return word.lower() not in name.lower(), -likeness, name

    return sorted(names, key=near)[:_NEAREST]
