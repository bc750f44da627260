"""The checker's view of the candidate: modules, functions, classes and objects by remote call.

What a function returns is plain data, or an object that answers by name alone. Only objects that
a test makes through a name with a capital are asked for `len`, `in`, iteration and operators: a
function that should return a list cannot return something that claims to be every list.
"""

from __future__ import annotations

import operator
from typing import Any

from .channel import Channel
from .values import Fields

Root = str | int


def _hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


class Named:
    """Something of the candidate's that has a name: a function, a class, a module."""

    def __init__(self, channel: Channel, root: Root, path: tuple[str, ...], kind: str) -> None:
        self.__dict__.update(_channel=channel, _root=root, _path=path, _kind=kind)
        if path:
            self.__dict__["__name__"] = path[-1]

    def __getattr__(self, name: str) -> Any:
        if _hidden(name) and name not in ("__all__", "__doc__"):
            raise AttributeError(name)
        return fetch(self._channel, self._root, (*self._path, name))

    def __setattr__(self, name: str, value: Any) -> None:
        self._channel.ask("set", [self._root, [*self._path, name], self._channel.pack(value)])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it in the candidate's process."""
        trusted = any(part[:1].isupper() for part in self._path)
        return self._channel.call(self._root, self._path, args, kwargs, trusted)

    def __instancecheck__(self, value: Any) -> bool:
        if isinstance(value, Opaque):
            found = self._channel.ask("isinstance", [value._id, self._root, list(self._path)])
            return found is True
        of = getattr(value, "_of", None) or getattr(value, "of", None)
        return of is not None and list(of) == [self._root, ".".join(self._path)]

    def __repr__(self) -> str:
        return f"<{self._kind} {'.'.join((str(self._root), *self._path))}>"


def fetch(channel: Channel, root: Root, path: tuple[str, ...]) -> Any:
    """Return an attribute: plain data as it is now, anything else as a proxy."""
    reply = channel.ask("get", [root, list(path)])
    if isinstance(reply, dict) and set(reply) == {"v"}:
        return Named(channel, root, path, str(reply["v"])[:20])
    return channel.unpack(reply)


class Opaque:
    """An object of the candidate's: attributes and methods by name, equal to itself alone."""

    def __init__(self, channel: Channel, number: int, name: str) -> None:
        self.__dict__.update(_channel=channel, _id=number, _name=name)

    def __getattr__(self, name: str) -> Any:
        if _hidden(name):
            raise AttributeError(name)
        return fetch(self._channel, self._id, (name,))

    def __setattr__(self, name: str, value: Any) -> None:
        self._channel.ask("set", [self._id, [name], self._channel.pack(value)])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object in the candidate's process."""
        return self._channel.call(self._id, (), args, kwargs, False)

    def __enter__(self) -> Any:
        return self._channel.call(self._id, ("__enter__",), (), {}, False)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Leave the block; an exception in it is never swallowed, whatever the object says."""
        named = kind if isinstance(error, Exception) else None
        self._channel.call(self._id, ("__exit__",), (named, error if named else None, None), {})

    def __repr__(self) -> str:
        return f"<{self._name} object>"


class Made(Opaque):
    """An object that a test made through a class: it also answers the operators."""

    def __repr__(self) -> str:
        return str(self._channel.call(self._id, ("__repr__",), (), {}))

    def __str__(self) -> str:
        return str(self._channel.call(self._id, ("__str__",), (), {}))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Opaque):
            fields = self._channel.unpack(self._channel.ask("fields", [self._id]))
            return isinstance(fields, Fields) and isinstance(other, Fields) and fields == other
        return self is other or self._ask("==", other) is True

    def __hash__(self) -> int:
        return int(operator.index(self._ask("hash")))

    def __bool__(self) -> bool:
        return self._ask("bool") is True

    def __len__(self) -> int:
        return int(operator.index(self._ask("len")))

    def __iter__(self) -> Any:
        return iter(self._ask("iter"))

    def __contains__(self, item: Any) -> bool:
        return self._ask("in", item) is True

    def __delitem__(self, key: Any) -> None:
        self._ask("del", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._ask("put", key, value)

    def _ask(self, sign: str, *others: Any) -> Any:
        reply = self._channel.ask("op", [sign, self._id, *map(self._channel.pack, others)])
        return self._channel.unpack(reply, trusted=True)


def _binary(sign: str) -> Any:
    def method(self: Made, other: Any) -> Any:
        return self._ask(sign, other)

    return method


for _name, _sign in {
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add": "+", "sub": "-", "mul": "*",
    "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&", "or": "|", "xor": "^",
    "getitem": "[]", "radd": "r+", "rsub": "r-", "rmul": "r*",
}.items():  # fmt: skip
    setattr(Made, f"__{_name}__", _binary(_sign))
for _name, _sign in {"neg": "neg", "abs": "abs", "int": "int", "float": "float"}.items():
    setattr(Made, f"__{_name}__", lambda self, sign=_sign: self._ask(sign))
