"""All the changes that could be made to one source, found once and kept."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from env_lib.envs.repair import transforms_compare as compare
from env_lib.envs.repair import transforms_flow as flow
from env_lib.envs.repair import transforms_names as names
from env_lib.envs.repair import transforms_numbers as numbers
from env_lib.envs.repair.transforms_catalog import Transform, entry_of
from env_lib.envs.repair.transforms_scene import Scene
from env_lib.envs.repair.transforms_tree import Build, Draft, Path, Spot, rebuild, walk

MOST_CHARACTERS = 50_000
"""Longer sources are not read."""
DEEPEST = 100
"""Deeper trees are not read: time goes up with the cube of the depth, and hundreds take seconds."""
KEPT = 128
"""Sources whose survey stays in memory."""

_IN_A_LINE = (cst.BaseExpression, cst.BaseCompOp, cst.BaseBooleanOp)
"""Nodes that take the place of one of their own kind, most often within a line."""
_Rule = Callable[[Spot, Scene], Iterator[Draft]]
_RULES: dict[type[cst.CSTNode], tuple[_Rule, ...]] = {
    cst.AnnAssign: (numbers.ends,),
    cst.Assert: (compare.negations,),
    cst.Assign: (numbers.ends,),
    cst.BooleanOperation: (compare.connectives,),
    cst.Call: (numbers.ends, names.swapped_arguments),
    cst.CompIf: (compare.negations,),
    cst.Comparison: (compare.comparisons,),
    cst.For: (flow.loop_guards,),
    cst.FunctionDef: (flow.function_guards,),
    cst.If: (compare.negations,),
    cst.IfExp: (compare.negations,),
    cst.IndentedBlock: (flow.returns,),
    cst.Integer: (numbers.constants,),
    cst.Name: (compare.booleans, names.other_variables),
    cst.Return: (compare.negations,),
    cst.SimpleStatementSuite: (flow.returns,),
    cst.Slice: (numbers.ends,),
    cst.UnaryOperation: (numbers.constants,),
    cst.While: (compare.negations,),
}


class Unreadable(ValueError):
    """A source that cannot be read as Python, or that is too large or too deep."""


@dataclass(frozen=True)
class Site:
    """One change that could be made to a source."""

    transform_id: str
    """Registry name with variants, and `#2` and so on when the line has several of that name."""
    entry: Transform
    """The registry entry."""
    line: int
    """The line of the change, counted from 1."""
    last_line: int
    """The last line of what changes."""
    build: Build
    """Gives the change as a path and a node."""


@dataclass(frozen=True)
class Survey:
    """A source read once."""

    source: str
    """The text."""
    module: cst.Module
    """Its tree."""
    ranges: Mapping[cst.CSTNode, CodeRange]
    """Where each node stands in the text."""
    sites: tuple[Site, ...]
    """By line, then column, then name."""

    def write(self, site: Site) -> str | None:
        """The source with one change made; None where the spacing has no room for it."""
        path, new = site.build()
        text = self._spliced(path, new)
        return self.rebuilt(path, new) if text is None else text

    def _spliced(self, path: Path, new: cst.CSTNode) -> str | None:
        """The change made in the text alone, without writing the whole tree.

        None where the text does not tell all: parentheses of the old node's own, several lines
        (their indentation is the block's), a neighbour that would grow together with the new node.
        """
        old: Any = self.module
        for field, index in path:
            old = getattr(old, field) if index is None else getattr(old, field)[index]
        code = self.module.code_for_node(new) if isinstance(new, _IN_A_LINE) else "\n"
        if getattr(old, "lpar", ()) or "\n" in code or "\r" in self.source:
            return None
        if not isinstance(new, cst.BaseExpression):
            code = code.strip()  # the place of an operator is told without the spaces around it
        lines = self.source.split("\n")
        start, end = (
            sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column
            for place in (self.ranges[old].start, self.ranges[old].end)
        )
        around = self.source[max(start - 1, 0) : start] + self.source[end : end + 1]
        if any(letter.isalnum() or letter == "_" for letter in around):
            return None
        return self.source[:start] + code + self.source[end:]

    def rebuilt(self, path: Path, new: cst.CSTNode) -> str | None:
        """The change made in the tree; None where the spacing has no room for it."""
        try:
            changed = rebuild(self.module, path, new)
        except cst.CSTValidationError:  # `return-1` has no room for 0, but for (0)
            if not isinstance(new, cst.BaseExpression):
                return None
            fenced = new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
            changed = rebuild(self.module, path, fenced)
        return cst.ensure_type(changed, cst.Module).code


@lru_cache(maxsize=KEPT)
def survey(source: str) -> Survey:
    """Finds every change that the registry knows.

    Raises:
        Unreadable: the source is no Python, or too large or too deep.
    """
    module = _read(source)
    # not by `resolve`, which would walk the whole tree a second time for nothing
    found = PositionProvider()._gen(MetadataWrapper(module, unsafe_skip_copy=True))
    ranges = cast("Mapping[cst.CSTNode, CodeRange]", found)
    scene = Scene(module, ranges)
    spots = walk(module)
    scene.learn(spots)
    drafts = [
        draft
        for spot in spots
        for rule in _RULES.get(type(spot.node), ())
        for draft in rule(spot, scene)
    ]
    drafts.sort(key=lambda draft: (*scene.start(draft.anchor), draft.name))
    return Survey(source, module, ranges, tuple(_numbered(drafts, scene)))


def _numbered(drafts: list[Draft], scene: Scene) -> Iterator[Site]:
    seen: Counter[tuple[int, str]] = Counter()
    for draft in drafts:
        place = scene.ranges[draft.anchor]
        key = (place.start.line, draft.name)
        seen[key] += 1
        suffix = f"#{seen[key]}" if seen[key] > 1 else ""
        entry = entry_of(draft.name)
        assert entry is not None, draft.name
        yield Site(draft.name + suffix, entry, key[0], place.end.line, draft.build)


def _read(source: str) -> cst.Module:
    if len(source) > MOST_CHARACTERS:
        raise Unreadable(f"the source has {len(source)} characters; {MOST_CHARACTERS} are read")
    try:
        depth = _depth(ast.parse(source))
    except SyntaxError as error:
        raise Unreadable(f"the source is no Python: {error.msg} on line {error.lineno}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"the source is no Python: {error}") from error
    if depth > DEEPEST:
        raise Unreadable(f"the source is nested {depth} deep; up to {DEEPEST} is read")
    try:
        return cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        raise Unreadable(f"the source cannot be read: {error.message}") from error


def _depth(tree: ast.AST) -> int:
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return depth
