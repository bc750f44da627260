"""The checker's end of the socket: one question at a time, and the calls that come back."""

from __future__ import annotations

import reprlib
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from . import errors, values, wire

T = TypeVar("T")
_MUTABLE = (list, dict, set, bytearray, deque)
_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = _SHORT.maxdeque = 12
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 60
_SHORT.maxlevel = 4


async def _settled(value: Any, error: BaseException | None) -> Any:
    """Stand for a coroutine of the candidate's that has already run there."""
    if error is not None:
        raise error
    return value


def short(value: Any) -> str:
    """Return the repr of a value, cut where it grows long."""
    return _SHORT.repr(value)


class Channel:
    """Asks the candidate; what it answers is data, checked, and never more than that."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader_fd, self._writer_fd = reader, writer
        self.asked = 0
        self._kept: list[Any] = []  # the tests' own functions, handed over by number
        self._seen: dict[int, Any] = {}
        self._members: dict[Any, Any] = {}
        self.classes = errors.Registry()
        self.calls = 0
        self.last: list[Any] | None = None
        self.raised: BaseException | None = None
        self.broken: errors.Unanswered | None = None

    def ask(self, kind: str, body: list[Any]) -> Any:
        """Send one question and return the answer's JSON; raise what the candidate raised."""
        if self.broken is not None:
            raise self.broken
        self.asked += 1
        number = self.asked
        try:
            wire.send(self._writer_fd, [number, kind, body])
        except wire.ProtocolError as error:
            raise errors.NotPlain(str(error)) from None
        except wire.Gone:
            self.broken = errors.CandidateGone("the candidate's process ended")
            raise self.broken from None
        status, answer = self._checked(lambda: self._reply(number))
        if status == "ok":
            return answer
        if status == "raise":
            self.raised = self._checked(lambda: self.classes.rebuild(answer, self._reader(False)))
            raise self.raised
        if status == "unsupported":
            self.broken = errors.Unsupported(str(answer)[:200])
            raise self.broken
        raise errors.NotPlain(str(answer)[:200])

    def _reply(self, number: int) -> tuple[str, Any]:
        while True:
            reply = wire.receive(self._reader_fd)
            if not (isinstance(reply, list) and len(reply) == 3):
                raise wire.ProtocolError("an answer has three parts")
            if reply[1] == "call":
                wire.send(self._writer_fd, self._call_back(*reply[2]))
            elif reply[0] != number or reply[1] not in ("ok", "raise", "big", "unsupported"):
                raise wire.ProtocolError(f"question {number} was answered out of turn")
            else:
                return reply[1], reply[2]

    def _checked(self, read: Callable[[], T]) -> T:
        """Read what the candidate wrote; whatever goes wrong there is no test's exception."""
        try:
            return read()
        except wire.Gone:
            self.broken = errors.CandidateGone("the candidate's process ended")
        except Exception as error:  # bytes of an untrusted process: any failure is its own
            self.broken = errors.CandidateGone(f"protocol: {error}"[:200])
        raise self.broken from None

    def _call_back(self, number: int, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
        if not 0 <= number < len(self._kept):
            raise wire.ProtocolError(f"no function {number} was handed over")
        given = [self.unpack(item) for item in args]
        named = {str(name): self.unpack(item) for name, item in kwargs.items()}
        try:
            return [0, "ok", self.pack(self._kept[number](*given, **named))]
        except Exception as error:  # the test's own function raised: the candidate's to handle
            self.classes.add(type(error))
            return [0, "raise", errors.describe(error, self._hook)]

    def call(
        self,
        root: str | int,
        path: tuple[str, ...],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        trusted: bool = False,
    ) -> Any:
        """Call something of the candidate's; arguments changed there are changed here too."""
        packed = [self.pack(item) for item in args]
        named = {name: self.pack(item) for name, item in kwargs.items()}
        self.calls += 1
        self.last = [root, path, packed, named]
        self.raised = None
        reply = self.ask("call", [root, list(path), packed, named, trusted])
        return self._checked(lambda: self._settle(reply, [*args, *kwargs.values()], trusted))

    def _settle(self, reply: Any, given: list[Any], trusted: bool) -> Any:
        value, changed, same = reply
        for index, new in changed:
            merge(given[index], self.unpack(new))
        return self.unpack(value, trusted) if same is None else given[same]

    def pack(self, value: Any) -> Any:
        """Return the JSON form of an argument."""
        try:
            return wire.encode(value, self._hook)
        except (TypeError, wire.ProtocolError) as error:
            raise errors.NotPlain(f"an argument cannot cross: {error}") from None

    def _hook(self, value: Any, last: bool) -> dict[str, Any] | None:
        from . import proxy

        if last:
            return self._keep(value) if callable(value) else None
        if isinstance(value, proxy.Opaque):
            return {"h": value._id}
        if isinstance(value, proxy.Named):
            return {"p": [value._root, list(value._path)]}
        return errors.pack(value, self._hook, self.classes)

    def _keep(self, function: Any) -> dict[str, Any]:
        self._kept.append(function)
        return {"k": [len(self._kept) - 1, str(getattr(function, "__name__", "function"))]}

    def unpack(self, data: Any, trusted: bool = False) -> Any:
        """Return the value of an answer."""
        return wire.decode(data, self._reader(trusted))

    def _reader(self, trusted: bool) -> wire.Reader:
        from . import proxy

        def read(tag: str, body: Any) -> Any:
            if tag == "e":
                key = (str(body[0]), str(body[1]), str(body[2]))
                made = values.Member((key[0], key[1]), key[2], body[3])
                return self._members.setdefault(key, made)
            if tag == "h":
                number, name = int(body[0]), str(body[1])[:80]
                kind = proxy.Made if trusted else proxy.Opaque
                return self._seen.setdefault(number, kind(self, number, name))
            if tag in ("X", "x"):
                return errors.unpack(tag, body, read, self.classes)
            if tag == "A":
                error = self.classes.rebuild(body[1], read) if body[1] else None
                return _settled(wire.decode(body[0], read), error)
            if tag == "k":
                return self._kept[int(body)]
            if tag in ("r", "f"):
                return None
            raise wire.ProtocolError(f"unknown tag {tag[:20]!r}")

        return read

    def last_call(self) -> str:
        """Return the latest call as text, with the arguments as they were."""
        if self.last is None:
            return ""
        root, path, packed, named = self.last
        if isinstance(root, int):
            path = (str(getattr(self._seen.get(root), "_name", "object")), *path)
        shown = [short(self.unpack(item)) for item in packed]
        shown += [f"{name}={short(self.unpack(item))}" for name, item in named.items()]
        return f"{'.'.join(path)}({', '.join(shown)})"


def merge(old: Any, new: Any) -> None:
    """Make a mutable `old` equal to `new` in place, keeping inner objects where they pair up."""
    if type(old) is not type(new):
        return
    if isinstance(old, (list, deque)):
        for index, (mine, other) in enumerate(zip(list(old), new, strict=False)):
            _merge_item(old, index, mine, other)
        while len(old) > len(new):
            old.pop()
        old.extend(list(new)[len(old) :])
    elif isinstance(old, dict):
        kept = {key: old[key] for key in new if key in old}
        old.clear()
        for key, other in new.items():
            old[key] = kept.get(key)
            _merge_item(old, key, kept.get(key), other)
    elif isinstance(old, set):
        old.clear()
        old.update(new)
    elif hasattr(old, "shape"):
        if old.shape == new.shape:
            old[...] = new
    elif isinstance(old, bytearray):
        old[:] = new


def _merge_item(holder: Any, key: Any, mine: Any, other: Any) -> None:
    if type(mine) is type(other) and (isinstance(mine, _MUTABLE) or hasattr(mine, "shape")):
        merge(mine, other)
    else:
        holder[key] = other
