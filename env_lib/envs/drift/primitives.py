"""The eight breakage and the eight repair primitives, as edits of a script's syntax tree.

A breakage says how the library moved and a repair how the script follows; both are a `Change` whose
`old` is the word as the script has it and whose `new` is the word as the library has it:

| breakage | repair | `old` and `new` of the repair |
| --- | --- | --- |
| `rename_symbol` | `rename_symbol` | a name, bare or dotted; the new one |
| `remove_symbol` | `replace_symbol` | an expression with `$a` for any part, `$args` for the rest |
| `move_symbol` | `change_import` | an imported name or module; the module that it is in now |
| `rename_kwarg` | `rename_kwarg` | `keyword`, `call.keyword` or `call.0,1` (positions); keywords |
| `remove_kwarg` | `drop_kwarg` | `keyword` or `call.keyword`; nothing |
| `change_default` | `set_kwarg` | `call.keyword`; the value as source |
| `change_return` | `unwrap_return` | a call or expression; `.x`, `[0]`, `-[0]` (off), `f` around |
| `rename_column` | `rename_column` | a text in data; the new one |

A breakage names its callable in `target`; `new` of `remove_kwarg` is the value that the keyword had
in the script, `new` of `change_default` the library's new default, and `new` of `change_return` the
accessor that leads to the old value. A `target` of a repair narrows the calls by name, and is what
`replace_symbol` imports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from env_lib.envs.drift.records import KINDS, Change

if TYPE_CHECKING:
    import libcst as cst

    Edit = Callable[[cst.Module, Change], cst.Module]

__all__ = [
    "BREAKAGES", "REPAIRS", "REPAIR_OF", "PrimitiveError", "age", "apply", "inverse",
]  # fmt: skip

REPAIR_OF = {
    "rename_symbol": "rename_symbol",
    "remove_symbol": "replace_symbol",
    "move_symbol": "change_import",
    "rename_kwarg": "rename_kwarg",
    "remove_kwarg": "drop_kwarg",
    "change_default": "set_kwarg",
    "change_return": "unwrap_return",
    "rename_column": "rename_column",
}
"""Breakage to repair."""
BREAKAGES = KINDS
REPAIRS = tuple(REPAIR_OF.values())
LONGEST = 12_000
"""Characters of a script that an edit may lead to."""


class PrimitiveError(ValueError):
    """A change that cannot be made; says what did not match and what would have."""


def _edits() -> dict[str, Edit]:
    from env_lib.envs.drift import primitives_calls as calls
    from env_lib.envs.drift import primitives_data as data
    from env_lib.envs.drift import primitives_imports as imports
    from env_lib.envs.drift import primitives_names as names
    from env_lib.envs.drift import primitives_replace as replace

    return {
        "rename_symbol": names.rename_symbol,
        "replace_symbol": replace.replace_symbol,
        "change_import": imports.change_import,
        "rename_kwarg": calls.rename_kwarg,
        "drop_kwarg": calls.drop_kwarg,
        "set_kwarg": calls.set_kwarg,
        "unwrap_return": data.unwrap_return,
        "rename_column": data.rename_column,
    }


def apply(source: str, change: Change) -> str:
    """Return the script after one repair primitive.

    Raises:
        PrimitiveError: the script cannot be read, the primitive is unknown, its arguments are no
            code, or nothing matched; the message says what the script has in its place.
    """
    from env_lib.envs.drift.primitives_match import parsed

    edits = _edits()
    if change.primitive not in edits:
        raise PrimitiveError(f"unknown primitive {change.primitive!r}; known: {', '.join(edits)}")
    if not change.old:
        raise PrimitiveError(f"{change.primitive} needs old: the word as the script has it")
    if not change.new and change.primitive != "drop_kwarg":
        raise PrimitiveError(f"{change.primitive} needs new: what stands there now")
    made = edits[change.primitive](parsed(source), change).code
    if made == source:
        raise PrimitiveError(f"{change.primitive} {change.old} changes nothing")
    if len(made) > LONGEST:
        raise PrimitiveError(f"the script would have {len(made)} characters; at most {LONGEST}")
    return made


def callee(target: str) -> str:
    """Return the name that calls are told by: the last of a dotted one, the class of `__init__`."""
    parts = [part for part in target.split(".") if part != "__init__"]
    return parts[-1] if parts else ""


def _backwards(change: Change) -> Change:
    """Return the repair primitive that writes the script in the old form."""
    name, target, old, new = change.primitive, change.target, change.old, change.new
    call = callee(target)
    if name in ("rename_symbol", "rename_kwarg", "rename_column"):
        narrow = target if name == "rename_kwarg" else ""
        return Change(name, narrow, new, old)
    if name == "remove_symbol":
        return Change("replace_symbol", target, new, old)
    if name == "move_symbol":
        return Change("change_import", "", old, target.rpartition(".")[0])
    if name == "remove_kwarg":
        return Change("set_kwarg", "", f"{call}.{old}", new)
    if name == "change_default":
        return Change("drop_kwarg", "", f"{call}.{old}", "")
    if name == "change_return":
        return Change("unwrap_return", "", call, f"-{new}")
    raise PrimitiveError(f"unknown breakage {name!r}; known: {', '.join(BREAKAGES)}")


def age(source: str, change: Change) -> str:
    """Return a healthy script in the form from before a breakage: what fails on the new release.

    Raises:
        PrimitiveError: the script does not use what changed.
    """
    return apply(source, _backwards(change))


def inverse(change: Change, was: str = "") -> Change:
    """Return the repair of a breakage; `was` is the default from before a `change_default`.

    Raises:
        PrimitiveError: an unknown breakage, or a changed default without its old value.
    """
    name, old, new = change.primitive, change.old, change.new
    if name not in REPAIR_OF:
        raise PrimitiveError(f"unknown breakage {name!r}; known: {', '.join(BREAKAGES)}")
    if name == "remove_kwarg":
        new = ""
    elif name == "rename_kwarg" and old[:1].isdigit():  # places say nothing without their call
        old = f"{callee(change.target)}.{old}"
    elif name == "change_default":
        if not was:
            raise PrimitiveError("change_default is undone by its old default: give `was`")
        old, new = f"{callee(change.target)}.{old}", was
    elif name == "change_return":
        old = old or callee(change.target)
    return Change(REPAIR_OF[name], "", old, new)
