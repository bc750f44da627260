"""Plain data between processes: tagged JSON in frames, with caps on size and depth.

JSON scalars and arrays stand for themselves; everything else is an object of one key, the tag.
Reading builds builtin values only: no byte from the other side names code to run. What neither
side knows is given to a hook, which each side fills with what it allows.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from typing import Any

from . import values

MAX_BYTES = 16 << 20
MAX_DEPTH = 60
HEAD = 4
"""Bytes that say how long a frame is."""
Hook = Callable[[Any, bool], Any]
"""Called with a value first of all (False) and once more when nothing else knew it (True)."""
Reader = Callable[[str, Any], Any]


class ProtocolError(ValueError):
    """The other side sent what is not a frame of plain data, or the value does not fit in one."""


class Gone(ConnectionError):
    """The other side is no longer there."""


def encode(value: Any, hook: Hook | None = None, depth: int = 0) -> Any:
    """Return the JSON form of plain data; TypeError for anything that is not plain."""
    kind = type(value)
    if value is None or kind is bool or kind is str or kind is float:
        return value
    if kind is int:
        return value if -(1 << 63) <= value < 1 << 63 else {"i": hex(value)}
    if depth > MAX_DEPTH:
        raise ProtocolError(f"nested deeper than {MAX_DEPTH} levels")
    depth += 1
    if kind is list:
        return [encode(item, hook, depth) for item in value]
    if kind is dict:
        pairs = value.items()
        return {"d": [[encode(k, hook, depth), encode(v, hook, depth)] for k, v in pairs]}
    tag = _SEQUENCES.get(kind)
    if tag:
        return {tag: [encode(item, hook, depth) for item in value]}
    if kind is bytes or kind is bytearray:
        return {"b" if kind is bytes else "B": base64.b64encode(value).decode()}
    if kind is complex:
        return {"c": [value.real, value.imag]}
    return values.encode(value, hook, depth)


def decode(data: Any, reader: Reader | None = None, depth: int = 0) -> Any:
    """Return the value of a JSON form; ProtocolError for what `encode` would not have written."""
    kind = type(data)
    if kind is not list and kind is not dict:
        return data
    if depth > MAX_DEPTH:
        raise ProtocolError(f"nested deeper than {MAX_DEPTH} levels")
    depth += 1
    if kind is list:
        return [decode(item, reader, depth) for item in data]
    if len(data) != 1:
        raise ProtocolError(f"a tagged value has one key, not {len(data)}")
    ((tag, body),) = data.items()
    try:
        if tag == "d":
            return {decode(k, reader, depth): decode(v, reader, depth) for k, v in body}
        if tag in _BUILDERS:
            return _BUILDERS[tag](decode(item, reader, depth) for item in body)
        if tag == "b" or tag == "B":
            raw = base64.b64decode(body, validate=True)
            return raw if tag == "b" else bytearray(raw)
        if tag == "c":
            return complex(float(body[0]), float(body[1]))
        if tag == "i":
            return int(body, 16)
        return values.decode(tag, body, reader, depth)
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        if isinstance(error, ProtocolError):
            raise
        raise ProtocolError(f"a value tagged {str(tag)[:20]!r} is malformed") from None


_SEQUENCES: dict[type, str] = {tuple: "t", set: "s", frozenset: "z"}
_BUILDERS: dict[str, Callable[[Any], Any]] = {"t": tuple, "s": set, "z": frozenset}


def dumps(message: Any) -> bytes:
    """Return the bytes of one message; ProtocolError when they pass the cap."""
    data = json.dumps(message, separators=(",", ":"), check_circular=False).encode()
    if len(data) > MAX_BYTES:
        raise ProtocolError(f"{len(data)} bytes in one message; the cap is {MAX_BYTES}")
    return data


def loads(data: bytes) -> Any:
    """Return the JSON value in `data`; ProtocolError for anything else, however deep."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise ProtocolError(f"{len(data)} bytes that are not JSON of sane depth") from None


def send(fd: int, message: Any) -> None:
    """Write one frame; Gone when nobody reads any more."""
    data = dumps(message)
    view = memoryview(len(data).to_bytes(HEAD, "big") + data)
    try:
        while view:
            view = view[os.write(fd, view) :]
    except (BrokenPipeError, ConnectionResetError):
        raise Gone("the other side stopped reading") from None


def receive(fd: int) -> Any:
    """Read one frame; Gone at the end of the stream, ProtocolError for what is not one."""
    size = int.from_bytes(_read(fd, HEAD), "big")
    if size > MAX_BYTES:
        raise ProtocolError(f"a frame of {size} bytes; the cap is {MAX_BYTES}")
    return loads(_read(fd, size))


def _read(fd: int, size: int) -> bytes:
    chunks: list[bytes] = []
    while size:
        try:
            chunk = os.read(fd, min(size, 1 << 20))
        except ConnectionResetError:
            chunk = b""
        if not chunk:
            raise Gone("the other side closed the connection")
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
