"""The kinds of bug, and which of them are kept for the out-of-distribution test."""

from __future__ import annotations

from enum import StrEnum


class MutationKind(StrEnum):
    """What a mutation does to a correct program."""

    COMPARISON_SWAP = "comparison_swap"
    """Another relation: `<` for `>`, `==` for `!=`, `in` for `not in`, `is` for `is not`."""
    BOUNDARY_SHIFT = "boundary_shift"
    """`<` for `<=`, `>` for `>=`; a range or an assigned limit that is off by one."""
    CONSTANT = "constant"
    """A whole number that is one too large or one too small."""
    BOOLEAN_FLIP = "boolean_flip"
    """`True` for `False`; a `not` too many or too few in a condition."""
    AND_OR_SWAP = "and_or_swap"
    """`and` for `or`."""
    REMOVED_GUARD = "removed_guard"
    """The early way out for None or for an empty value is missing."""
    WRONG_VARIABLE = "wrong_variable"
    """A neighbouring local variable is read."""
    SWAPPED_ARGUMENTS = "swapped_arguments"
    """Two neighbouring positional arguments of a call changed places."""
    MISSING_RETURN = "missing_return"
    """A value is computed and not returned."""
    MUTABLE_DEFAULT = "mutable_default"
    """A list, dict or set as the default of a parameter, shared by all calls."""
    SLICE_BOUNDS = "slice_bounds"
    """A slice that begins or ends one place off."""
    WRONG_START = "wrong_start"
    """An accumulator that starts at one instead of zero, or at zero instead of one."""


OOD_KINDS = frozenset(
    {
        MutationKind.AND_OR_SWAP,
        MutationKind.MISSING_RETURN,
        MutationKind.SWAPPED_ARGUMENTS,
        MutationKind.MUTABLE_DEFAULT,
        MutationKind.SLICE_BOUNDS,
    }
)
"""Kept for `test_ood`: no task of another split holds one of these, at any order."""
