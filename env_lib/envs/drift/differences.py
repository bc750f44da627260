"""What differs between two scripts, as repair primitives that may lead from one to the other.

Names, keywords, texts, imports and expressions that only one of the two has; simple primitives come
first, and expressions are paired by their place, the smallest first.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from env_lib.envs.drift.records import Change

LONGEST = 60
"""Characters of an expression in a primitive, so that it stays sayable in one short action."""


class _Seen:
    """What a script has, by kind."""

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        nodes = list(ast.walk(self.tree))
        self.calls = [n for n in nodes if isinstance(n, ast.Call)]
        self.froms = [n for n in nodes if isinstance(n, ast.ImportFrom)]
        self.names = {n.id for n in nodes if isinstance(n, ast.Name)}
        self.names |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
        self.names |= {a.name for f in self.froms for a in f.names}
        self.names |= {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        self.texts = {
            n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)
        }
        self.chains = {ast.unparse(n) for n in nodes if isinstance(n, ast.Attribute)}
        self.expressions = {ast.unparse(n): n for n in nodes if isinstance(n, ast.expr)}
        self.imports = {(f.module, a.name) for f in self.froms for a in f.names}
        self.modules = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}

    def keywords(self) -> dict[tuple[str, str], str]:
        """Return (call, keyword) -> value as source."""
        return {
            (_name(call.func), word.arg): ast.unparse(word.value)
            for call in self.calls
            for word in call.keywords
            if word.arg
        }


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def candidates(source: str, wanted: str) -> Iterator[Change]:
    """Yield primitives that may lead from one script towards the other, simple ones first."""
    a, b = _Seen(source), _Seen(wanted)
    seen: set[Change] = set()
    for change in _all(a, b):
        if change not in seen and len(change.old) <= LONGEST and len(change.new) <= LONGEST:
            seen.add(change)
            yield change


def _all(a: _Seen, b: _Seen) -> Iterator[Change]:
    yield from _keyword_changes(a, b)
    yield from _import_changes(a, b)
    gone, come = sorted(a.names - b.names), sorted(b.names - a.names)
    for old in gone:
        for new in come:
            yield Change("rename_symbol", "", old, new)
    for old in sorted(a.chains - b.chains):
        for new in sorted(b.chains - a.chains):
            yield Change("rename_symbol", "", old, new)
    for old in sorted(a.texts - b.texts):
        for new in sorted(b.texts - a.texts):
            yield Change("rename_column", "", old, new)
    yield from _return_changes(a, b)
    yield from _expression_changes(a, b)


def _keyword_changes(a: _Seen, b: _Seen) -> Iterator[Change]:
    old, new = a.keywords(), b.keywords()
    gone = {key: value for key, value in old.items() if key not in new}
    come = {key: value for key, value in new.items() if key not in old}
    for call, word in gone:
        for other, name in come:
            if call == other:
                yield Change("rename_kwarg", "", word, name)
                yield Change("rename_kwarg", "", f"{call}.{word}", name)
    for call, word in gone:
        yield Change("drop_kwarg", "", word, "")
        yield Change("drop_kwarg", "", f"{call}.{word}", "")
    changed = {key: value for key, value in new.items() if old.get(key, value) != value}
    for (call, word), value in (*changed.items(), *come.items()):
        yield Change("set_kwarg", "", f"{call}.{word}", value)
    for call, name in come:
        for one in a.calls:
            if _name(one.func) == call:
                for place in range(len(one.args)):
                    yield Change("rename_kwarg", "", f"{call}.{place}", name)


def _import_changes(a: _Seen, b: _Seen) -> Iterator[Change]:
    for module, name in sorted(a.imports - b.imports, key=str):
        for other, same in sorted(b.imports - a.imports, key=str):
            if name == same and other:
                yield Change("change_import", "", name, other)
                yield Change("change_import", "", f"{module}.{name}", other)
        for other in sorted({m for m, _ in b.imports} - {m for m, _ in a.imports}, key=str):
            yield Change("change_import", "", str(module), str(other))


def _accessors(node: ast.expr) -> tuple[ast.expr, str] | None:
    """Return (inner expression, accessor) of `x.y`, `x[…]` or `f(x)`."""
    if isinstance(node, ast.Attribute):
        return node.value, f".{node.attr}"
    if isinstance(node, ast.Subscript):
        return node.value, ast.unparse(node)[len(ast.unparse(node.value)) :]
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        return node.args[0], ast.unparse(node.func)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.value, ast.unparse(node)[len(ast.unparse(node.func.value)) :]
    return None


def _return_changes(a: _Seen, b: _Seen) -> Iterator[Change]:
    for sign, most, least in (("", b, a), ("-", a, b)):
        for text in sorted(set(most.expressions) - set(least.expressions)):
            found = _accessors(most.expressions[text])
            if found is None or (sign and found[1][:1] not in ".["):
                continue
            inner, accessor = found
            if ast.unparse(inner) not in least.expressions:
                continue
            if isinstance(inner, ast.Call) and _name(inner.func):
                yield Change("unwrap_return", "", _name(inner.func), f"{sign}{accessor}")
            yield Change("unwrap_return", "", ast.unparse(inner), f"{sign}{accessor}")


def _expression_changes(a: _Seen, b: _Seen) -> Iterator[Change]:
    targets = [""]
    for module, name in sorted(b.imports - a.imports, key=str):
        targets.insert(0, f"{module}.{name}")
    targets = [*sorted(b.modules - a.modules), *targets]
    pairs = list(_pairs(a.tree, b.tree))
    for target in targets:
        for old, new in pairs:
            yield from (Change("replace_symbol", target, *one) for one in _holed(old, new))


def differing(source: str, wanted: str) -> Iterator[tuple[str, str]]:
    """Yield the expressions in the same place that differ, as source, the smallest first."""
    for old, new in _pairs(ast.parse(source), ast.parse(wanted)):
        yield ast.unparse(old), ast.unparse(new)


def _pairs(a: ast.AST, b: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions in the same place that differ, the smallest first."""
    if ast.dump(a) == ast.dump(b):
        return
    if type(a) is type(b):
        for name in a._fields:
            one, two = getattr(a, name, None), getattr(b, name, None)
            if isinstance(one, list) and isinstance(two, list):
                ones, twos = _aligned(one), _aligned(two)
                if len(ones) == len(twos):
                    for left, right in zip(ones, twos, strict=True):
                        yield from _pairs(left, right)
            elif isinstance(one, ast.AST) and isinstance(two, ast.AST):
                yield from _pairs(one, two)
    if isinstance(a, ast.expr) and isinstance(b, ast.expr) and not isinstance(a, ast.Slice):
        yield a, b


def _aligned(nodes: list[object]) -> list[ast.AST]:
    return [
        node
        for node in nodes
        if isinstance(node, ast.AST) and not isinstance(node, ast.Import | ast.ImportFrom)
    ]


def _holed(old: ast.expr, new: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the pair as patterns: parts that both have become holes, then as they stand."""
    yield ast.unparse(old), ast.unparse(new)
    inside = {ast.dump(n) for n in ast.walk(new) if isinstance(n, ast.expr)}
    shared: list[ast.expr] = []

    class Hole(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            fit = isinstance(node, ast.expr) and node is not top and ast.dump(node) in inside
            if fit and not isinstance(node, ast.Name | ast.Constant):
                texts = [ast.dump(one) for one in shared]
                if ast.dump(node) not in texts:
                    shared.append(node)  # type: ignore[arg-type]
                    texts.append(ast.dump(node))
                return ast.Name(f"HOLE{texts.index(ast.dump(node))}")
            return super().generic_visit(node)

    texts: list[str] = []
    for top in (copy.deepcopy(old), copy.deepcopy(new)):
        if texts:
            inside = {ast.dump(one) for one in shared}
        texts.append(ast.unparse(Hole().visit(top)))
    if shared and len(shared) < 5:
        for number in range(len(shared)):
            texts = [text.replace(f"HOLE{number}", f"${'abcde'[number]}") for text in texts]
        yield texts[0], texts[1]
