"""The names of all syntax-tree transformations, what each says, and the kind of bug it mends.

A transformation that breaks is a mutation operator too. Those that are offered and break come in
pairs that undo each other; the three that are not offered each have an offered partner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from env_lib.envs.repair.kinds import MutationKind as Kind


@dataclass(frozen=True)
class Transform:
    """One entry of the registry."""

    name: str
    """What it does, as an identifier."""
    says: str
    """What it does, as a phrase."""
    kind: Kind
    """The kind of bug that it makes or mends."""
    offered: bool = True
    """An agent may apply it."""
    breaks: bool = True
    """The mutation operators apply it."""


_SIGNS = {
    "less_than": "<",
    "less_equal": "<=",
    "greater_than": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
    "in": "in",
    "not_in": "not in",
    "is": "is",
    "is_not": "is not",
}
_BOUNDARIES = (("less_than", "less_equal"), ("greater_than", "greater_equal"))
_OPPOSITES = (
    ("less_than", "greater_than"),
    ("less_equal", "greater_equal"),
    ("equal", "not_equal"),
    ("in", "not_in"),
    ("is", "is_not"),
)


def partners(operator: str) -> tuple[str, ...]:
    """The operators that may stand in for one, by name (`less_than`): its boundary twin first."""
    pairs = (*_BOUNDARIES, *_OPPOSITES)
    return tuple(
        second if operator == first else first
        for first, second in pairs
        if operator in (first, second)
    )


def _comparisons() -> Iterator[Transform]:
    for pairs, kind in ((_BOUNDARIES, Kind.BOUNDARY_SHIFT), (_OPPOSITES, Kind.COMPARISON_SWAP)):
        for pair in pairs:
            for old, new in (pair, pair[::-1]):
                says = f"replaces `{_SIGNS[old]}` with `{_SIGNS[new]}`"
                yield Transform(f"replace_{old}_with_{new}", says, kind)


_OTHERS = (
    Transform("replace_and_with_or", "replaces `and` with `or`", Kind.AND_OR_SWAP),
    Transform("replace_or_with_and", "replaces `or` with `and`", Kind.AND_OR_SWAP),
    Transform("flip_boolean", "turns True into False or back", Kind.BOOLEAN_FLIP),
    Transform("negate_condition", "puts `not` before a condition", Kind.BOOLEAN_FLIP),
    Transform("remove_not", "takes `not` away from a condition", Kind.BOOLEAN_FLIP),
    Transform("increment_constant", "adds one to a whole number", Kind.CONSTANT),
    Transform("decrement_constant", "takes one from a whole number", Kind.CONSTANT),
    Transform("shift_range_start_up", "starts a range one later", Kind.BOUNDARY_SHIFT),
    Transform("shift_range_start_down", "starts a range one earlier", Kind.BOUNDARY_SHIFT),
    Transform("shift_range_stop_up", "stops a range one later", Kind.BOUNDARY_SHIFT),
    Transform("shift_range_stop_down", "stops a range one earlier", Kind.BOUNDARY_SHIFT),
    Transform("add_one_to_value", "adds one to the assigned value", Kind.BOUNDARY_SHIFT),
    Transform("take_one_from_value", "takes one from the assigned value", Kind.BOUNDARY_SHIFT),
    Transform("shift_slice_start_up", "starts a slice one later", Kind.SLICE_BOUNDS),
    Transform("shift_slice_start_down", "starts a slice one earlier", Kind.SLICE_BOUNDS),
    Transform("shift_slice_stop_up", "stops a slice one later", Kind.SLICE_BOUNDS),
    Transform("shift_slice_stop_down", "stops a slice one earlier", Kind.SLICE_BOUNDS),
    Transform("start_accumulator_at_zero", "starts an accumulator at 0", Kind.WRONG_START),
    Transform("start_accumulator_at_one", "starts an accumulator at 1", Kind.WRONG_START),
    Transform("use_other_variable", "reads another variable", Kind.WRONG_VARIABLE),
    Transform("swap_arguments", "swaps two arguments of a call", Kind.SWAPPED_ARGUMENTS),
    Transform("add_none_guard", "leaves early for None", Kind.REMOVED_GUARD, breaks=False),
    Transform("add_empty_guard", "leaves early when empty", Kind.REMOVED_GUARD, breaks=False),
    Transform("remove_guard", "removes an early way out", Kind.REMOVED_GUARD, offered=False),
    Transform("return_last_value", "returns the last value", Kind.MISSING_RETURN, breaks=False),
    Transform("drop_return", "no longer returns a value", Kind.MISSING_RETURN, offered=False),
    Transform("make_default_none", "makes None the default", Kind.MUTABLE_DEFAULT, breaks=False),
    Transform(
        "make_default_mutable",
        "shares a default between calls",
        Kind.MUTABLE_DEFAULT,
        offered=False,
    ),
)

REGISTRY: dict[str, Transform] = {entry.name: entry for entry in (*_comparisons(), *_OTHERS)}
"""Every transformation by name, in the order in which they are listed to people."""


def entry_of(transform_id: str) -> Transform | None:
    """The registry entry behind an id such as `use_other_variable:total#2`; None if unknown."""
    return REGISTRY.get(transform_id.partition("#")[0].partition(":")[0])
