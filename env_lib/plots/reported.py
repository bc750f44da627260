"""What a duty adds to the results section, declared as `REPORTED` in its module `figures`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Reported:
    """One of the duty's tables, a row a policy, and the figures that go with it.

    The table has the columns policy, training_seed, split, group, low and high, and those that are
    named here.
    """

    table: str
    """Its name in what `tables` returns."""
    value: str
    """The column that is shown, before its interval."""
    across: str
    """The column whose values become columns; where it is not `group`, group `all` is shown."""
    columns: Mapping[str, str]
    """Value of `across` -> heading, from the left."""
    policies: tuple[str, ...]
    """The rows from the top, where they were played."""
    note: str
    """What the numbers are and what their intervals are of; one sentence before the table."""
    figures: Mapping[str, str]
    """Name of a figure -> what it shows, in words."""
