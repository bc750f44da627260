"""What the primitives share: reading a script, telling names apart, patterns with holes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import libcst as cst
from libcst import metadata

from env_lib.envs.drift.primitives import PrimitiveError

HOLE = "HOLE_"
REST = f"{HOLE}args"
_HOLES = re.compile(r"\$([A-Za-z]\w*)")
_LOOSE = frozenset(
    {"lpar", "rpar", "comma", "lbracket", "rbracket", "lbrace", "rbrace", "semicolon", "dot",
     "equal", "header", "footer", "leading_lines", "trailing_whitespace", "colon"}
)  # fmt: skip
_WHOLE = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString, cst.Integer,
          cst.Float, cst.List, cst.Dict, cst.Tuple, cst.Set)  # fmt: skip
NAMED_AT_MOST = 6


def parsed(source: str) -> cst.Module:
    """Return the script's tree.

    Raises:
        PrimitiveError: it is no Python; the message says where.
    """
    try:
        return cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        raise PrimitiveError(f"the script is no Python at line {error.raw_line}") from error


def expression(text: str) -> cst.BaseExpression:
    """Return the tree of an expression.

    Raises:
        PrimitiveError: it is none.
    """
    try:
        return cst.parse_expression(text)
    except (cst.ParserSyntaxError, cst.CSTValidationError) as error:
        raise PrimitiveError(f"{text!r} is no Python expression") from error


def pattern(text: str) -> cst.BaseExpression:
    """Return the tree of an expression with holes: `$a` for any part, `$args` for the rest."""
    return expression(_HOLES.sub(rf"{HOLE}\1", text))


def code(node: cst.CSTNode) -> str:
    """Return the node as source."""
    return cst.Module([]).code_for_node(node)


def dotted(node: cst.CSTNode | None) -> str:
    """Return `a.b.c` of a chain of names, "" where it is anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def last_name(node: cst.CSTNode) -> str:
    """Return the name at the end: of `a.b(…).c` it is `c`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


class Scoped(cst.CSTTransformer):
    """A transformer that knows what imported names stand for; run it with `visit_scoped`."""

    METADATA_DEPENDENCIES = (metadata.QualifiedNameProvider,)

    def imported(self, node: cst.CSTNode) -> str:
        """Return the dotted path that a name stands for by an import; "" where by none."""
        found = self.get_metadata(metadata.QualifiedNameProvider, node, ())
        names = [q.name for q in found or () if q.source is metadata.QualifiedNameSource.IMPORT]
        return min(names) if names else ""

    def is_local(self, node: cst.CSTNode) -> bool:
        """Whether a name is bound by the script itself and by no import."""
        found = self.get_metadata(metadata.QualifiedNameProvider, node, ())
        return any(q.source is metadata.QualifiedNameSource.LOCAL for q in found or ())


def visit_scoped(module: cst.Module, transformer: cst.CSTTransformer) -> cst.Module:
    """Run a transformer with metadata; the tree is not copied, since nobody else holds it."""
    return metadata.MetadataWrapper(module, unsafe_skip_copy=True).visit(transformer)


def matches(wanted: Any, given: Any, holes: dict[str, str]) -> bool:
    """Whether a tree has the form of a pattern; what stands in its holes is added to `holes`."""
    if isinstance(wanted, cst.Name) and wanted.value.startswith(HOLE):
        text = code(given)
        return holes.setdefault(wanted.value, text) == text
    if type(wanted) is not type(given):
        return False
    if isinstance(wanted, cst.SimpleString):
        return wanted.evaluated_value == given.evaluated_value
    if isinstance(wanted, cst.CSTNode):
        names = [f.name for f in dataclasses.fields(wanted)]
        tight = [n for n in names if n not in _LOOSE and not n.startswith("whitespace")]
        return all(matches(getattr(wanted, n), getattr(given, n), holes) for n in tight)
    if isinstance(wanted, list | tuple):
        return _match_all(wanted, given, holes)
    return bool(wanted == given)


def _match_all(wanted: Sequence[Any], given: Sequence[Any], holes: dict[str, str]) -> bool:
    tail = wanted[-1] if wanted else None
    if isinstance(tail, cst.Arg) and isinstance(tail.value, cst.Name) and tail.value.value == REST:
        rest = given[len(wanted) - 1 :]
        plain = [arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in rest]
        holes[REST] = ", ".join(code(arg) for arg in plain)
        wanted, given = wanted[:-1], given[: len(wanted) - 1]
    return len(wanted) == len(given) and all(
        matches(w, g, holes) for w, g in zip(wanted, given, strict=True)
    )


def filled(text: str, holes: dict[str, str]) -> cst.BaseExpression:
    """Return the expression whose holes are filled, in parentheses where they are needed.

    Raises:
        PrimitiveError: a hole that the pattern does not have.
    """

    def put(match: re.Match[str]) -> str:
        name = HOLE + match.group(1)
        if name not in holes:
            raise PrimitiveError(f"new has ${match.group(1)}, which old does not have")
        before, after = text[: match.start()].rstrip()[-1:], text[match.end() :].lstrip()[:1]
        alone = before in ("", "(", ",", "[", "=") and after in ("", ")", ",", "]")
        whole = name != REST and isinstance(expression(holes[name]), _WHOLE)
        return holes[name] if alone or whole else f"({holes[name]})"

    made = _HOLES.sub(put, text)
    return expression(re.sub(r",\s*,", ",", re.sub(r"\(\s*,\s*", "(", made)))


def nearest(word: str, known: Iterable[str], what: str) -> str:
    """Return a sentence about what the script has in the place of a word."""
    names = sorted(set(known) - {""})
    close = get_close_matches(word.rpartition(".")[2], names, n=NAMED_AT_MOST, cutoff=0.5)
    shown = close or names[:NAMED_AT_MOST]
    return f"the script has {', '.join(shown)}" if shown else f"the script has no {what}"
