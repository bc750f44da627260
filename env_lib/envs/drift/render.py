"""The prompt of a broken script: the error and the lines around it first, then what else fits."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from env_lib.language import count_tokens, cut

MESSAGE_TOKENS = 56
"""Room for the exception, or for what differs in the result."""
TOLD_TOKENS = 56
"""Room for the signature that was seen last."""
TRIED_TOKENS = 36
"""Room for the last attempt that failed."""
FIRST = 3
"""Names beside a missing one that stay first."""
ERROR_TOKENS = 30
"""Room for what was wrong with the last action."""
NEXT_TOKENS = 48
"""Room for what may come next."""
FRAME_TOKENS = 40
"""Room for the library's own last line of the traceback, where there is enough of it."""
VALUE = 40
"""Characters of a value that is shown."""
AROUND = 2
"""Lines shown first on each side of the failing one."""
_WORD = re.compile(r"['\"`]([A-Za-z_][\w.]*)['\"`]|([A-Za-z_]\w*)\(\)")
_PARAMETER = re.compile(r"[(,]\s*(\*{0,2}[A-Za-z_]\w*)")


def error_words(message: str) -> list[str]:
    """Return the names that a message quotes, in their order."""
    return [one or other for one, other in _WORD.findall(message)]


def outcome(error_type: str, message: str, line: int, gaps: Sequence[tuple[str, Any, Any]]) -> str:
    """Return in one line how the script fails."""
    if error_type:
        where = f" at line {line}" if line else ""
        return cut(f"{error_type}{where}: {message}", MESSAGE_TOKENS)
    told = "; ".join(f"{where}: {_short(got)}, before {_short(old)}" for where, got, old in gaps)
    return cut(f"runs, but the result changed: {told or 'work is missing'}", MESSAGE_TOKENS)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= VALUE else text[: VALUE - 3] + "..."


def parameters(signature: str) -> list[str]:
    """Return the names of a signature's parameters, in their order."""
    return [name.lstrip("*") for name in _PARAMETER.findall(_flat(signature))]


def _flat(signature: str) -> str:
    """Return the signature with what stands inside its inner brackets left out."""
    depth, kept = 0, []
    for sign in signature[: signature.rfind(")")] if ")" in signature else signature:
        depth -= sign in ")]}"
        if depth <= 1:
            kept.append(sign)
        depth += sign in "([{"
    return "".join(kept)


def told_line(symbol: str, signature: str, words: Sequence[str]) -> str:
    """Return what a look told within its room, a long signature by what is nearest to the error.

    So are the names beside one that is not there, of which the first stay where they are.
    """
    what, found, listed = signature.partition("; nearest: ")
    if found:
        names = listed.split(", ")
        rest = sorted(names[FIRST:], key=lambda name: -nearness(name, words))
        return cut(f"{what}{found}{', '.join([*names[:FIRST], *rest])}", TOLD_TOKENS)
    called = signature.startswith(f"{symbol}(")
    if not called or not words or count_tokens(signature) <= TOLD_TOKENS:
        return cut(signature, TOLD_TOKENS)
    names = list(dict.fromkeys(parameters(signature)))
    ranked = sorted(names, key=lambda name: -nearness(name, words))
    return cut(f"{symbol} takes {len(names)}, nearest: {', '.join(ranked)}", TOLD_TOKENS)


def nearness(name: str, words: Sequence[str]) -> float:
    """Return how like a name is to the words of an error, 0 to 1."""
    return max(
        (SequenceMatcher(None, name, word).ratio() + 0.3 * _shared(name, word) for word in words),
        default=0.0,
    )


def _shared(name: str, word: str) -> float:
    mine, theirs = set(name.lower().split("_")), set(word.lower().split("_"))
    return len(mine & theirs) / len(mine | theirs)


def rows_of(code: str, line: int, words: Sequence[str], room: int) -> list[str]:
    """Return numbered lines within `room` tokens, those near the failure first to be chosen.

    Those with a word of the error come next, then imports, then the rest from the failing line on;
    a gap is one row of dots.
    """
    lines = code.splitlines()
    useful = [n for n, text in enumerate(lines, 1) if text.strip() and not _is_docstring(text)]

    def rank(number: int) -> tuple[int, int]:
        text, far = lines[number - 1], abs(number - line) if line else number
        if line and far <= AROUND:
            return 0, far
        if any(re.search(rf"\b{re.escape(word.rpartition('.')[2])}\b", text) for word in words):
            return 1, far
        return (2 if "import " in text or text.startswith("def main") else 3), far

    chosen: set[int] = set()
    for number in sorted(useful, key=rank):
        cost = count_tokens(f"{number} {lines[number - 1]}")
        if cost > room:
            break
        room -= cost
        chosen.add(number)
    rows, last = [], 0
    for number in sorted(chosen):
        if any(last < other < number for other in useful):
            rows.append("...")
        rows.append(f"{number} {lines[number - 1].rstrip()}")
        last = number
    return rows


def _is_docstring(text: str) -> bool:
    return text.strip().startswith('"""') and text.strip().endswith('"""')


def prompt_text(
    *,
    head: str,
    failure: str,
    frame: str,
    code: str,
    line: int,
    words: Sequence[str],
    told: Sequence[tuple[str, str]],
    tried: Sequence[str],
    recalled: Sequence[str],
    options: Sequence[str],
    error: str,
    tokens: int,
) -> str:
    """Render a state within `tokens`; failure and what may follow it come last.

    There a small model looks first. `options` are those of `menu`.
    """
    notes = [f"told: {told_line(*one, words)}" for one in told[-2:]]
    notes += [cut(f"tried: {one}", TRIED_TOKENS) for one in tried[-2:]]
    notes += list(recalled)
    notes += [cut(f"error: {error}", ERROR_TOKENS)] if error else []
    due = cut(f"next: {' or '.join(options)}", NEXT_TOKENS) if options else ""
    left = tokens - sum(count_tokens(one) for one in (head, failure, due, *notes))
    least = tokens // 4
    while notes and left < least:  # the oldest note goes first, what was wrong last
        left += count_tokens(notes.pop(0))
    if frame and left - FRAME_TOKENS > tokens // 2:
        frame = cut(frame, FRAME_TOKENS)
        left -= count_tokens(frame)
    else:
        frame = ""
    rows = rows_of(code, line, words, left)
    return "\n".join(part for part in (head, *rows, *notes, frame, failure, due) if part)
