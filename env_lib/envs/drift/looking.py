"""What an agent may look at: installed signatures, versions, the library's line of a traceback."""

from __future__ import annotations

import ast
from functools import lru_cache

from env_lib.envs.drift.records import Overlay

LOOKED = 1500
"""Characters of a signature that are kept."""


@lru_cache(maxsize=1024)
def bindings(source: str) -> dict[str, str]:
    """Return local name -> dotted path of what a script imports."""
    found: dict[str, str] = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def resolved(symbol: str, source: str) -> str:
    """Return the dotted path of a symbol, which may be written as the script writes it."""
    first, dot, rest = symbol.strip().removesuffix("()").partition(".")
    return bindings(source).get(first, first) + dot + rest


def look(symbol: str, source: str, overlay: Overlay) -> tuple[str, str]:
    """Return (signature, "") of a symbol of the installed library, or ("", what is wrong)."""
    from env_lib.envs.drift.runner import LIBRARIES
    from env_lib.envs.drift.signature import signature

    path = resolved(symbol, source)
    if not all(part.isidentifier() for part in path.split(".")):
        return "", f"inspect takes a dotted name; got {symbol!r}"
    if path.split(".")[0] not in LIBRARIES:
        return "", f"{symbol} is of no library; begin with one of: {', '.join(libraries(source))}"
    return signature(path, overlay)[:LOOKED], ""


@lru_cache(maxsize=1024)
def libraries(source: str) -> tuple[str, ...]:
    """Return the libraries that a script imports, in their order."""
    from env_lib.envs.drift.runner import LIBRARIES

    roots = dict.fromkeys(path.split(".")[0] for path in bindings(source).values())
    return tuple(root for root in roots if root in LIBRARIES)


def versions_of(source: str, library: str) -> tuple[tuple[str, str], ...]:
    """Return (library, installed version) of what a script imports, the named library first."""
    from env_lib.envs.drift.runner import versions

    known = dict(versions())
    first = "sklearn" if library == "scikit-learn" else library
    names = dict.fromkeys([first, *libraries(source)])
    return tuple((name, known[name]) for name in names if name in known)


def frame_of(traceback_end: str) -> str:
    """Return the library's own last line of a traceback; "" where it ends in the script."""
    lines = [row.strip() for row in traceback_end.splitlines() if row.strip()]
    frames = [n for n, row in enumerate(lines) if row.startswith("File ")]
    if not frames or "script.py" in lines[frames[-1]]:
        return ""
    return " ".join(lines[frames[-1] : -1][:2])
