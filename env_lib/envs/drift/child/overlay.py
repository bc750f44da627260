"""Further drifts, made on the libraries in the child before a script runs."""

from __future__ import annotations


class Unfit(Exception):
    """A change that cannot be made on what is installed."""


def apply(changes: list[dict[str, str]]) -> None:
    """Make the changes, in their order."""
    if changes:
        raise Unfit("not yet")
