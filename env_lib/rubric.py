"""Rubrics: a tree of small named statements, weighed by the composites above them.

A leaf says one thing about a step and holds no weight; a `WeightedSum` holds the weights, and its
children keep their names in the training log, the tables and the figure legends. Written here and
not taken from openenv 0.10, whose containers rename children, pass NaN on and do not reset them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Rubric(ABC):
    """A score of one step, given whatever facts of the step the duty passes."""

    @abstractmethod
    def score(self, facts: Any) -> float:
        """Return the score of a step."""

    def reset(self) -> None:  # noqa: B027 - a leaf without memory has nothing to forget
        """Forget the episode; composites reset every child."""

    def rows(self, prefix: str = "", weight: float = 1.0) -> Iterator[tuple[str, float]]:
        """Yield (dotted name, weight product) of each leaf, in the order in which they pay."""
        yield prefix, weight


class Leaf(Rubric):
    """One statement as a function of the step's facts; a non-finite score raises."""

    def __init__(self, statement: Callable[[Any], float]) -> None:
        """Wrap `statement`, whose name should read as one."""
        self.statement = statement

    def score(self, facts: Any) -> float:
        """Return the statement's value.

        Raises:
            ValueError: the value is not finite.
        """
        value = self.statement(facts)
        if not math.isfinite(value):
            raise ValueError(
                f"rubric {self.statement.__name__!r} scored {value}; a score is finite"
            )
        return value


class WeightedSum(Rubric):
    """The weighted sum of named children."""

    def __init__(self, **children: tuple[float, Rubric | Callable[[Any], float]]) -> None:
        """Take `name=(weight, rubric or statement)`."""
        self.weights = {name: weight for name, (weight, _) in children.items()}
        self.children = {
            name: rubric if isinstance(rubric, Rubric) else Leaf(rubric)
            for name, (_, rubric) in children.items()
        }

    def components(self, facts: Any) -> dict[str, float]:
        """Return each child's weighted score; their sum, in order, is `score`."""
        return {n: self.weights[n] * child.score(facts) for n, child in self.children.items()}

    def score(self, facts: Any) -> float:
        """Return the sum of the weighted scores."""
        return sum(self.components(facts).values())

    def reset(self) -> None:
        """Reset every child."""
        for child in self.children.values():
            child.reset()

    def rows(self, prefix: str = "", weight: float = 1.0) -> Iterator[tuple[str, float]]:
        """Yield (dotted name, weight product) of each leaf below."""
        for name, child in self.children.items():
            path = f"{prefix}.{name}" if prefix else name
            yield from child.rows(path, weight * self.weights[name])


class Gate(Rubric):
    """`rubric` where `gate` reaches `threshold`, else 0."""

    def __init__(self, gate: Rubric, rubric: Rubric, threshold: float = 1.0) -> None:
        """Pay `rubric` only behind `gate`."""
        self.gate, self.rubric, self.threshold = gate, rubric, threshold

    def score(self, facts: Any) -> float:
        """Return the gated score."""
        return self.rubric.score(facts) if self.gate.score(facts) >= self.threshold else 0.0

    def reset(self) -> None:
        """Reset both parts."""
        self.gate.reset()
        self.rubric.reset()

    def rows(self, prefix: str = "", weight: float = 1.0) -> Iterator[tuple[str, float]]:
        """Yield the rows of the gated rubric."""
        yield from self.rubric.rows(prefix, weight)


def table(rubric: Rubric) -> Mapping[str, float]:
    """Return the reward table: dotted leaf name to what it pays for a score of one."""
    return dict(rubric.rows())
