"""What supervise shows beside what every duty shows: nothing yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from env_lib.rollout import Episode

NAMES: tuple[str, ...] = ()
"""The figures that `figures` draws."""


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return no table: supervise's metrics are among the held-out ones."""
    return {}


def figures(tables: dict[str, pd.DataFrame]) -> dict[str, Callable[[], Any]]:
    """Return what draws each figure, by the name of its file."""
    return {}
