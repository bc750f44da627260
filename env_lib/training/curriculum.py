"""Which scenarios a round draws: climbed by mastery, or all alike (`uniform`)."""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Sequence
from typing import Any

WINDOW = 20
FADE = 0.5
FLOOR = 0.1


class Curriculum:
    """The next scenario unlocks when the lower confidence bound of the score passes mastery.

    Score: the normalised score of the last `WINDOW` visits; bound: 95 %, one-sided, normal.
    Earlier scenarios fade by half for each newer one, and never below `FLOOR`.
    """

    def __init__(self, scenarios: Sequence[str], mastery: float, uniform: bool = False) -> None:
        """Start with the first scenario, or with all where `uniform`."""
        self.scenarios, self.mastery, self.uniform = tuple(scenarios), mastery, uniform
        self.unlocked = len(self.scenarios) if uniform else 1
        self._scores: dict[str, deque[float]] = {name: deque(maxlen=WINDOW) for name in scenarios}

    def record(self, scenario: str, normalised: float) -> None:
        """Take note of one visit's score, and unlock what it earns."""
        self._scores[scenario].append(normalised)
        while (
            self.unlocked < len(self.scenarios)
            and self.lower_bound(self.unlocked - 1) >= self.mastery
        ):
            self.unlocked += 1

    def lower_bound(self, index: int) -> float:
        """Return the bound of a scenario; minus infinity under three visits."""
        scores = self._scores[self.scenarios[index]]
        if len(scores) < 3:
            return -math.inf
        return statistics.mean(scores) - 1.645 * statistics.stdev(scores) / math.sqrt(len(scores))

    def weights(self) -> dict[str, float]:
        """Return the share of each scenario; 0 for locked ones."""
        newest = self.unlocked - 1
        raw = [
            0.0 if i > newest else 1.0 if self.uniform else max(FLOOR, FADE ** (newest - i))
            for i in range(len(self.scenarios))
        ]
        total = sum(raw)
        return {name: weight / total for name, weight in zip(self.scenarios, raw, strict=True)}

    def draw(self, count: int) -> list[str]:
        """Return `count` scenarios in proportion to the weights, largest remainders first."""
        shares = {name: weight * count for name, weight in self.weights().items()}
        chosen = {name: int(share) for name, share in shares.items()}
        short = count - sum(chosen.values())
        for name in sorted(shares, key=lambda n: chosen[n] - shares[n])[:short]:
            chosen[name] += 1
        return [name for name, times in chosen.items() for _ in range(times)]

    def rows(self, round_number: int) -> list[dict[str, Any]]:
        """Return one row a scenario for the log."""
        weights = self.weights()
        table = []
        for i, name in enumerate(self.scenarios):
            scores = self._scores[name]
            bound = self.lower_bound(i)
            table.append(
                {
                    "round": round_number,
                    "scenario": name,
                    "weight": weights[name],
                    "unlocked": i < self.unlocked,
                    "normalised": statistics.mean(scores) if scores else None,
                    "lower_bound": bound if math.isfinite(bound) else None,
                }
            )
        return table

    def dump(self) -> dict[str, Any]:
        """Return the state as JSON."""
        return {
            "unlocked": self.unlocked,
            "scores": {name: list(s) for name, s in self._scores.items()},
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Take over a dumped state."""
        self.unlocked = saved["unlocked"]
        for name, scores in saved["scores"].items():
            self._scores[name] = deque(scores, maxlen=WINDOW)
