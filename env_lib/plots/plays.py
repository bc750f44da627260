"""What models did, by what the last line of their prompt told them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from env_lib.rollout import Episode, Step

COLUMNS = ["policy", "training_seed", "split", "told", "action", "steps"]
NAMED, OTHER = "named", "other"
"""What `told` is where an action stands in the last line, and where it does not."""


def plays(
    episodes: Sequence[tuple[int, Episode]], of: Callable[[Step], tuple[str, str]]
) -> pd.DataFrame:
    """Count the steps of policies that write text; `of` gives a step's (told, action).

    Columns: COLUMNS. Answers that were no action count as `invalid`.
    """
    import pandas as pd

    counts: Counter[tuple[str, int, str, str, str]] = Counter(
        (e.policy, training, e.split, *of(step)) for training, e in episodes for step in e.steps
        if step.text
    )  # fmt: skip
    return pd.DataFrame([(*key, n) for key, n in sorted(counts.items())], columns=COLUMNS)


def last_line(step: Step) -> str:
    """Return the last line of a step's prompt."""
    return step.prompt.rstrip().rpartition("\n")[2]


def named(step: Step) -> list[str]:
    """Return the actions that a last line of the form "next: ... or ...; step n/m" names."""
    told = last_line(step)
    if not told.startswith("next: "):
        return []
    return told.removeprefix("next: ").partition("; step ")[0].split(" or ")
