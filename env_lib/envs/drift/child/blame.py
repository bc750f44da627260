"""From an exception to what its user needs: the failing line and the traceback's end.

Nothing in it differs between machines or runs: no folder, no address, no frame of ours.
"""

from __future__ import annotations

import linecache
import re
import traceback
from typing import Any

from . import guess

_SITE = re.compile(r"[^\s'\"(<]*/(?:site|dist)-packages/")
_STANDARD = re.compile(r"[^\s'\"(<]*/lib/python3\.\d+/")
_FOLDER = re.compile(r"(?<![\w.<:/])/(?:[\w.@+-]+/){2,}")
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
MESSAGE = 600
"""Characters of a message that are kept, from its end where it is longer."""
_FRAMES = 3
_WIDTH = 160
_OURS = "<"
"""How the names of files begin that are none: our own modules, and generated code."""


def scrubbed(text: str) -> str:
    """Return a text without folders of this machine and addresses."""
    text = _ADDRESS.sub("0x…", text)
    for pattern in (_SITE, _STANDARD, _FOLDER):
        text = pattern.sub("", text)
    return text


def of(error: BaseException, file: str, source: str) -> dict[str, Any]:
    """Return type, message, line of the script and the traceback's end."""
    frames = [frame for frame in _frames(error) if not frame.filename.startswith(_OURS)]
    own = [frame for frame in frames if frame.filename == file]
    kind = type(error).__name__
    message = _message(error)
    if isinstance(error, SyntaxError) and error.filename == file:
        line, frames = int(error.lineno or 0), []
        own = [traceback.FrameSummary(file, line, "<module>", line=_line(source, line))]
    else:
        line = int(own[-1].lineno or 0) if own else 0
    shown = own[-_FRAMES:]
    if frames and (not own or frames[-1] is not own[-1]):
        shown.append(frames[-1])
    lines = [part for frame in shown for part in _told(frame, file)]
    last = f"{kind}: {message}" if message else kind
    return {
        "type": kind,
        "message": message,
        "line": line,
        "traceback": "\n".join([*lines, last]),
    }


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    linecache.checkcache()
    return list(traceback.extract_tb(error.__traceback__))


def _message(error: BaseException) -> str:
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:  # a script's own class may fail to print
        text = ""
    text, meant = scrubbed(text), guess.meant(error)
    text = f"{text}. Did you mean: '{meant}'?" if meant else text
    return text if len(text) <= MESSAGE else f"{text[:MESSAGE]}…"


def _line(source: str, number: int) -> str:
    lines = source.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _told(frame: traceback.FrameSummary, file: str) -> list[str]:
    head = f'File "{scrubbed(frame.filename)}", line {frame.lineno}, in {frame.name}'
    # a library's own lines are named, not shown: what counts is the script's
    own = frame.filename == file and frame.line
    return [head, f"  {str(frame.line)[:_WIDTH]}"] if own else [head]
