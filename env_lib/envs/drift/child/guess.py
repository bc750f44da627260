"""The interpreter's own guess at a misspelt name, which it prints behind a traceback.

The same measure as CPython's: an edit costs two, a change of case one, and what is farther than a
third of both lengths is no guess.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import guard

_MOVE, _CASE = 2, 1
_MOST, _LONGEST = 750, 40


def meant(error: BaseException) -> str:
    """Return what an AttributeError was probably about; "" where nothing is near."""
    name, owner = getattr(error, "name", None), getattr(error, "obj", None)
    if not isinstance(error, AttributeError) or not isinstance(name, str) or owner is None:
        return ""
    try:
        candidates = [str(one) for one in dir(owner)]
    except Exception:  # a library's own __dir__ may fail
        return ""
    return nearest(name, (one for one in candidates if not guard.is_hidden(owner, one)))


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return the nearest candidate within CPython's distance, "" where none is."""
    known = sorted(set(candidates))
    if len(known) >= _MOST or len(name) > _LONGEST:
        return ""
    best, least = "", -1
    for one in known:
        most = (len(name) + len(one) + 3) * _MOVE // 6
        most = most if least < 0 else min(most, least - 1)
        if one == name or len(one) > _LONGEST or abs(len(one) - len(name)) * _MOVE > most:
            continue
        away = distance(name, one, most)
        if away <= most:
            best, least = one, away
    return best


def distance(one: str, other: str, most: int) -> int:
    """Return the cost of edits between two words, or a number above `most`."""
    row = [n * _MOVE for n in range(len(other) + 1)]
    for n, letter in enumerate(one, 1):
        above, row[0] = row[0], n * _MOVE
        for k, sign in enumerate(other, 1):
            cost = 0 if letter == sign else _CASE if letter.lower() == sign.lower() else _MOVE
            above, row[k] = row[k], min(above + cost, row[k] + _MOVE, row[k - 1] + _MOVE)
        if min(row) > most:
            return most + 1
    return row[-1]
