"""The tiers: more unwritten rules and exceptions, less trustworthy workers, fewer precedents."""

from __future__ import annotations

from dataclasses import dataclass

from env_lib.core import Scenario

SPLITS = ("train", "val", "test", "test_ood")
LOOKS_SHARE = 0.4
"""Share of all artefacts of a release that may be looked at."""


@dataclass(frozen=True)
class Tier(Scenario):
    """One difficulty."""

    proposals: int
    """Proposals of a release; some come back a second time."""
    rules: int
    """Unwritten rules of an organisation."""
    exceptions: int
    """Rules of these that have an exception."""
    liars: int
    """Workers out of six that claim falsely."""
    lie_rate: float
    """How often such a worker does."""
    page: int
    """Precedents that one look-up shows; an area has twice as many."""

    @property
    def lies(self) -> float:
        """The share of proposals with a false claim."""
        return self.liars * self.lie_rate / 6


SCENARIOS = {
    "S1": Tier("S1", "five rules", 36, 10, 5, 0, 1, 0.5, 12),
    "S2": Tier("S2", "six rules", 42, 12, 6, 2, 2, 0.5, 7),
    "S3": Tier("S3", "eight rules", 48, 14, 8, 3, 3, 0.4, 6),
    "S4": Tier("S4", "nine rules", 54, 16, 9, 4, 4, 0.33, 4),
}


def sizes(tier: Tier, steps: int | None) -> tuple[int, int, int]:
    """Return (steps, proposals, looks) of an episode; fewer steps make a smaller release.

    Raises:
        ValueError: `steps` under 3.
    """
    if steps is not None and steps < 3:
        raise ValueError(f"steps={steps}; an episode needs at least 3")
    asked = min(steps or tier.steps, tier.steps)
    proposals = max(1, round(tier.proposals * asked / tier.steps))
    return asked, proposals, max(1, round(LOOKS_SHARE * 3 * proposals))
