import collections
import dataclasses
import datetime
import enum
import json
import os
from decimal import Decimal
from fractions import Fraction

import pytest

from env_lib.sandbox import values, wire

PLAIN = [
    None, True, 0, -(1 << 63), 1 << 200, -(10**5000), 1.5, float("inf"), "text\0\ud800é", b"\0\xff",
    bytearray(b"x"), [1, [2, []]], (1, (2,)), {1, "a"}, frozenset({2}), {"a": {1: (2,)}}, 1 + 2j,
    range(1, 9, 2), collections.deque([1], maxlen=3), collections.Counter("aab"),
    collections.OrderedDict(a=1), Decimal("1.10"), Fraction(1, 3), datetime.date(2024, 2, 29),
    datetime.datetime(2024, 1, 2, 3, 4, 5, 6, datetime.UTC), datetime.time(1, 2, fold=1),
    datetime.timedelta(-1, 2, 3), int, ValueError,
]  # fmt: skip


def there_and_back(value):
    return wire.decode(wire.loads(wire.dumps(wire.encode(value))))


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: str(type(value).__name__))
def test_plain_data_comes_back_as_it_went(value):
    back = there_and_back(value)
    assert back == value
    assert type(back) is type(value)


def test_what_is_not_a_number_stays_so():
    assert str(there_and_back([float("nan"), -0.0])) == "[nan, -0.0]"


def test_subclasses_arrive_as_the_plain_types_that_they_are():
    class Loud(int):
        def __eq__(self, other):
            return True

        __hash__ = int.__hash__

    class Text(str):
        def __str__(self):
            return "other"

    back = there_and_back([Loud(3), Text("own")])
    assert back == [3, "own"]
    assert [type(item) for item in back] == [int, str]


def test_records_arrive_as_their_fields():
    point = collections.namedtuple("point", "x y")
    row = dataclasses.make_dataclass("Row", ["a", "b"])
    colour = enum.Enum("Colour", "RED")
    back = there_and_back([point(1, 2), row(3, [4]), colour.RED])
    assert back[0] == (1, 2)
    assert back[0].y == 2
    assert (back[1].a, back[1].b) == (3, [4])
    assert repr(back[1]) == "Row(a=3, b=[4])"
    assert (back[2].name, back[2].value) == ("RED", 1)


def test_an_iterator_arrives_as_its_items_and_stops_where_it_raised():
    def numbers():
        yield 1
        raise KeyError("late")

    back = there_and_back(numbers())
    assert next(back) == 1
    with pytest.raises(KeyError, match="late"):
        next(back)


def test_an_endless_iterator_is_cut_and_says_so():
    import itertools

    back = there_and_back(itertools.count())
    taken = list(itertools.islice(back, values.MAX_DRAWN))
    assert taken[-1] == values.MAX_DRAWN - 1
    with pytest.raises(IndexError, match="items of an iterator cross"):
        next(back)


def test_numeric_arrays_cross_and_object_arrays_do_not():
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(6, dtype="<f4").reshape(2, 3)
    back = there_and_back([array, numpy.float64(1.5)])
    assert back[0].dtype == array.dtype
    assert (back[0] == array).all()
    assert type(back[1]) is float
    with pytest.raises(TypeError, match="array of object"):
        wire.encode(numpy.array([None]))


@pytest.mark.parametrize(
    "value", [object(), lambda: 0, os, print], ids=("object", "lambda", "module", "builtin")
)
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(TypeError, match="is not plain data"):
        wire.encode(value)


def test_depth_is_capped_both_ways():
    value = []
    for _ in range(wire.MAX_DEPTH + 5):
        value = [value]
    with pytest.raises(wire.ProtocolError, match="deeper"):
        wire.encode(value)
    with pytest.raises(wire.ProtocolError, match="deeper"):
        wire.decode(value)
    with pytest.raises(wire.ProtocolError, match="sane depth"):
        wire.loads(b"[" * 100_000 + b"]" * 100_000)


MALFORMED = [
    {}, {"t": 1}, {"t": [], "s": []}, {"s": [[]]}, {"d": [[1]]}, {"d": [[[], 1]]}, {"b": "?"},
    {"c": [1]}, {"i": "zz"}, {"T": "exit"}, {"T": 3}, {"w": ["system", "x"]}, {"D": "x"},
    {"F": ["0x1", "0x0"]}, {"R": [1, 2, 0]}, {"n": ["|O", [1], ""]}, {"n": ["<f8", [9], ""]},
    {"n": ["<f8", [-1], ""]}, {"r": ["m", "not a name", ["x"], [1]]}, {"r": ["m", "P", ["x"], []]},
    {"f": ["m", "P", ["x"], []]}, {"e": []}, {"q": 3}, {"C": [1]}, {"g": []}, {"unknown": 1},
]  # fmt: skip


@pytest.mark.parametrize("data", MALFORMED, ids=json.dumps)
def test_malformed_values_are_protocol_errors_and_nothing_else(data):
    with pytest.raises(wire.ProtocolError):
        wire.decode([data])


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b"[1]x", b"\0"])
def test_bytes_that_are_not_json_are_protocol_errors(data):
    with pytest.raises(wire.ProtocolError):
        wire.loads(data)


def test_frames_cross_a_pipe_and_their_end_is_told_from_their_absence():
    reader, writer = os.pipe()
    wire.send(writer, ["x", 1])
    os.write(writer, (1 << 30).to_bytes(4, "big"))
    assert wire.receive(reader) == ["x", 1]
    with pytest.raises(wire.ProtocolError, match="the cap is"):
        wire.receive(reader)
    os.close(writer)
    with pytest.raises(wire.Gone):
        wire.receive(reader)
    os.close(reader)
