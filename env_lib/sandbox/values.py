"""The less common plain values: dates, decimals, records, members, iterators, arrays, types."""

from __future__ import annotations

import base64
import builtins
import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import re
import sys
from typing import Any

from . import errors, wire

MAX_DRAWN = 10_000
"""How many items of an iterator cross; the rest is lost, and asking for it raises."""
_TIMES = ("date", "datetime", "time", "timedelta")
_DTYPE = re.compile(r"[<>|=]?[biufc]\d{1,2}")
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))


class Fields:
    """A dataclass instance seen from the other side: its fields by name, and nothing to ask."""

    def __init__(self, of: list[str], fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._of = of

    def _plain(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_of"}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Fields):
            return self._of == other._of and self._plain() == other._plain()
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self._plain().items())
        return f"{self._of[1]}({inside})"


@dataclasses.dataclass(frozen=True)
class Member:
    """An enum member seen from the other side."""

    of: tuple[str, str]
    name: str
    value: Any = dataclasses.field(compare=False)

    def __repr__(self) -> str:
        return f"{self.of[1]}.{self.name}"


class Drawn:
    """An iterator over what crossed of one; raises where the original did, or where it was cut."""

    def __init__(self, items: list[Any], error: BaseException | None) -> None:
        self._items, self._error = iter(items), error

    def __iter__(self) -> Drawn:
        return self

    def __repr__(self) -> str:
        return "<iterator>"

    def __next__(self) -> Any:
        for item in self._items:
            return item
        if self._error is not None:
            raise self._error
        raise StopIteration


def owner(value: Any) -> list[str]:
    """Return [module, qualified name] of the class of a value."""
    kind = value if isinstance(value, type) else type(value)
    return [str(kind.__module__), str(kind.__qualname__)]


def encode(value: Any, hook: wire.Hook | None, depth: int) -> Any:
    """Return the JSON form of a value that is no common builtin."""

    def many(items: Any) -> list[Any]:
        return [wire.encode(item, hook, depth) for item in items]

    special = hook(value, False) if hook else None
    if special is not None:
        return special
    if isinstance(value, (enum.Enum, Member)):
        of = list(value.of) if isinstance(value, Member) else owner(value)
        return {"e": [*of, value.name, wire.encode(value.value, hook, depth)]}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        of = getattr(value, "_of", None) or owner(value)
        return {"r": [*of, list(value._fields), many(value)]}
    if isinstance(value, Fields):
        return {"f": [*value._of, *_pairs(value._plain(), many)]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
        return {"f": [*owner(value), *_pairs(fields, many)]}
    if isinstance(value, collections.deque):
        return {"q": [many(value), value.maxlen]}
    if isinstance(value, (collections.Counter, collections.OrderedDict)):
        tag = "C" if isinstance(value, collections.Counter) else "O"
        return {tag: [many(pair) for pair in value.items()]}
    if isinstance(value, _VIEWS):
        return many(value)
    if isinstance(value, type):
        name: str = value.__name__
        if getattr(builtins, name, None) is value:
            return {"T": name}
        return _last(value, hook)
    return _encode_rest(value, hook, depth)


def _pairs(fields: dict[str, Any], many: Any) -> tuple[list[str], list[Any]]:
    return list(fields), many(fields.values())


def _encode_rest(value: Any, hook: wire.Hook | None, depth: int) -> Any:
    if type(value).__module__ == "datetime" and type(value).__name__ in _TIMES:
        return {"w": _when(value)}
    if isinstance(value, decimal.Decimal):
        return {"D": str(value)}
    if isinstance(value, fractions.Fraction):
        return {"F": [hex(value.numerator), hex(value.denominator)]}
    if isinstance(value, range):
        return {"R": [value.start, value.stop, value.step]}
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return wire.encode(value.item(), hook, depth)
    if numpy is not None and isinstance(value, numpy.ndarray):
        if not _DTYPE.fullmatch(value.dtype.str):
            raise TypeError(f"an array of {value.dtype} is not plain data")
        raw = base64.b64encode(numpy.ascontiguousarray(value).tobytes()).decode()
        return {"n": [value.dtype.str, list(value.shape), raw]}
    for kind in (int, float, str, list, tuple, dict, set, frozenset, bytes, bytearray, complex):
        if isinstance(value, kind):
            return wire.encode(_base(kind, value), hook, depth)
    if isinstance(value, collections.abc.Iterator):
        return {"g": _draw(value, hook, depth)}
    return _last(value, hook)


def _last(value: Any, hook: wire.Hook | None) -> Any:
    special = hook(value, True) if hook else None
    if special is None:
        raise TypeError(f"{type(value).__name__} is not plain data")
    return special


def _base(kind: type, value: Any) -> Any:
    if kind is str:
        return str.__str__(value)
    if kind is int:
        return int.__int__(value)
    if kind is float:
        return float.__float__(value)
    return kind(value)


def _draw(value: Any, hook: wire.Hook | None, depth: int) -> list[Any]:
    items: list[Any] = []
    try:
        for item in value:
            if len(items) >= MAX_DRAWN:
                return [items, f"IndexError: only {MAX_DRAWN} items of an iterator cross"]
            items.append(wire.encode(item, hook, depth))
    except wire.ProtocolError:
        raise
    except Exception as error:  # the untrusted iterator's own, handed on where it happened
        return [items, f"{type(error).__name__}: {error}"[:200]]
    return [items, ""]


def _when(value: Any) -> list[Any]:
    if isinstance(value, datetime.timedelta):
        return ["timedelta", value.days, value.seconds, value.microseconds]
    return [type(value).__name__, value.isoformat(), getattr(value, "fold", 0)]


def _read_when(body: Any) -> Any:
    name = body[0]
    if name == "timedelta":
        return datetime.timedelta(int(body[1]), int(body[2]), int(body[3]))
    if name not in _TIMES:
        raise ValueError(name)
    value = getattr(datetime, name).fromisoformat(body[1])
    return value if name == "date" or not body[2] else value.replace(fold=1)


def decode(tag: str, body: Any, reader: wire.Reader | None, depth: int) -> Any:
    """Return the value of an uncommon tag; anything unknown goes to `reader`."""

    def many(items: Any) -> list[Any]:
        return [wire.decode(item, reader, depth) for item in items]

    if tag in ("r", "f", "e") and reader:
        own = reader(tag, [*body[:2], body[2], wire.decode(body[3], reader, depth)])
        if own is not None:
            return own
    if tag == "r":
        return _tuple(str(body[0]), str(body[1]), body[2])(*many(body[3]))
    if tag == "f":
        return Fields([str(body[0]), str(body[1])], dict(zip(body[2], many(body[3]), strict=True)))
    if tag == "e":
        return Member((str(body[0]), str(body[1])), str(body[2]), wire.decode(body[3]))
    if tag == "q":
        return collections.deque(many(body[0]), body[1])
    if tag in ("C", "O"):
        pairs = dict(many(pair) for pair in body)
        return collections.Counter(pairs) if tag == "C" else collections.OrderedDict(pairs)
    if tag == "w":
        return _read_when(body)
    if tag == "D":
        return decimal.Decimal(str(body))
    if tag == "F":
        return fractions.Fraction(int(body[0], 16), int(body[1], 16))
    if tag == "R":
        return range(int(body[0]), int(body[1]), int(body[2]))
    return _decode_rest(tag, body, reader, depth)


def _tuple(module: str, name: str, fields: list[str]) -> Any:
    make: Any = collections.namedtuple
    kind = make(name.split(".")[-1], fields, rename=True)
    kind._of = [module, name]
    return kind


def _decode_rest(tag: str, body: Any, reader: wire.Reader | None, depth: int) -> Any:
    if tag == "T":
        kind = getattr(builtins, str(body), None)
        if not isinstance(kind, type):
            raise ValueError(body)
        return kind
    if tag == "g":
        items = [wire.decode(item, reader, depth) for item in body[0]]
        name, _, text = str(body[1]).partition(": ")
        return Drawn(items, errors.by_name(name, [text]) if name else None)
    if tag == "n":
        import numpy

        dtype, shape, raw = str(body[0]), [int(side) for side in body[1]], base64.b64decode(body[2])
        if not _DTYPE.fullmatch(dtype) or len(shape) > 32 or min(shape, default=0) < 0:
            raise ValueError(dtype)
        if len(raw) != numpy.dtype(dtype).itemsize * math.prod(shape):
            raise ValueError(shape)
        return numpy.frombuffer(raw, dtype=dtype).reshape(shape).copy()
    if reader:
        return reader(tag, body)
    raise ValueError(tag)
