"""What plain tests use of pytest, for runs that do not preload it: raises, approx, parametrize."""

from __future__ import annotations

import math
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any

from . import errors


class Raises:
    """The context of `raises`: the wanted exception must leave the block."""

    def __init__(self, kinds: Any, match: str | None = None) -> None:
        self._kinds, self._match = kinds, match
        self.value: BaseException | None = None
        self.type: type[BaseException] | None = None

    def __enter__(self) -> Raises:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if error is None:
            raise AssertionError(f"did not raise {_names(self._kinds)}")
        if isinstance(error, errors.Unanswered) or not isinstance(error, self._kinds):
            return False
        self.value, self.type = error, kind
        if self._match is not None and not re.search(self._match, str(error)):
            raise AssertionError(f"{str(error)!r} does not match {self._match!r}")
        return True

    def match(self, pattern: str) -> bool:
        """Check the message of what was raised."""
        if not re.search(pattern, str(self.value)):
            raise AssertionError(f"{str(self.value)!r} does not match {pattern!r}")
        return True


def _names(kinds: Any) -> str:
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    return " or ".join(getattr(kind, "__name__", str(kind)) for kind in several)


def raises(kinds: Any, *call: Any, match: str | None = None, **named: Any) -> Raises:
    """Expect an exception from the block, or from `call[0](*call[1:])`."""
    context = Raises(kinds, match)
    if call:
        with context:
            call[0](*call[1:], **named)
    return context


class approx:
    """Equal to a number within 1e-6 of it, or 1e-12; also inside sequences and mappings."""

    def __init__(
        self, expected: Any, rel: float | None = None, abs: float | None = None, **_: Any
    ) -> None:
        self._expected, self._rel, self._abs = expected, rel, abs

    def _near(self, value: Any, expected: Any) -> bool:
        if isinstance(expected, Mapping):
            same = isinstance(value, Mapping) and value.keys() == expected.keys()
            return same and all(self._near(value[key], expected[key]) for key in expected)
        if isinstance(expected, Sequence) and not isinstance(expected, (str, bytes)):
            if not isinstance(value, Sequence) or len(value) != len(expected):
                return False
            return all(map(self._near, value, expected))
        if isinstance(expected, bool) or not isinstance(expected, (int, float, complex)):
            return bool(value == expected)
        if not isinstance(value, (int, float, complex)):
            return False
        if value == expected:
            return True
        if isinstance(expected, complex) or isinstance(value, complex):
            return abs(value - expected) <= self._within(expected)
        return math.isfinite(expected) and abs(value - expected) <= self._within(expected)

    def _within(self, expected: complex) -> float:
        floor = 1e-12 if self._abs is None else self._abs
        if self._rel is None and self._abs is not None:
            return floor
        return max((1e-6 if self._rel is None else self._rel) * abs(expected), floor)

    def __eq__(self, value: object) -> bool:
        return self._near(value, self._expected)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"approx({self._expected!r})"


def fail(reason: str = "", *_: Any) -> None:
    """End the test as failed."""
    raise AssertionError(reason or "fail() was called")


class _Marks:
    def __getattr__(self, name: str) -> Any:
        def mark(*args: Any, **kwargs: Any) -> Any:
            def decorate(function: Any) -> Any:
                entry = types.SimpleNamespace(name=name, args=args, kwargs=kwargs)
                function.pytestmark = [*getattr(function, "pytestmark", []), entry]
                return function

            return decorate

        return mark


def param(*values: Any, **_: Any) -> types.SimpleNamespace:
    """Return one set of values for `parametrize`."""
    return types.SimpleNamespace(values=values, marks=())


def module() -> types.ModuleType:
    """Return a module that answers to the name pytest."""
    made = types.ModuleType("pytest")
    made.__dict__.update(raises=raises, approx=approx, fail=fail, mark=_Marks(), param=param)
    return made
