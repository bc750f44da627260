"""What a repair must not do: leave the script's bounds, or hide the failure in place of mending it.

Everything is told from the syntax tree of what was submitted, against the trees of the broken
script and its reference: what those have is allowed. The runner alone decides what a script
returned and which work it did; these checks tell cheating from failing.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from env_lib.envs.drift.forbidden_work import deleted, library_names, shadowed

PLAIN_MODULES = frozenset(
    {
        "__future__", "abc", "bisect", "collections", "copy", "dataclasses", "datetime", "decimal",
        "enum", "fractions", "functools", "heapq", "itertools", "json", "math", "numbers",
        "operator", "random", "re", "statistics", "string", "textwrap", "typing", "unicodedata",
    }
)  # fmt: skip
"""What a repair may import beside libraries: modules that compute and no more."""
LIBRARIES = frozenset(
    {
        "accelerate", "datasets", "huggingface_hub", "matplotlib", "numpy", "pandas", "peft",
        "pydantic", "pydantic_settings", "scipy", "sklearn", "tokenizers", "torch", "transformers",
        "trl", "safetensors", "joblib", "pyarrow",
    }
)  # fmt: skip
NETWORK = frozenset(
    {
        "urlopen", "urlretrieve", "snapshot_download", "hf_hub_download", "hf_hub_url", "HfApi",
        "HfFileSystem", "http_get", "login", "load_dataset_builder", "upload_file", "upload_folder",
        "push_to_hub", "read_html", "fetch_openml", "create_connection",
    }
)  # fmt: skip
PROCESS = frozenset(
    {
        "system", "popen", "execv", "execve", "execvp", "fork", "forkpty", "spawnv", "spawnl",
        "posix_spawn", "kill", "_exit", "abort", "Popen", "check_output", "check_call", "getoutput",
    }
)  # fmt: skip
NAMES = frozenset(
    {
        "exec", "eval", "compile", "open", "globals", "locals", "vars", "setattr", "delattr",
        "__import__", "exit", "quit", "breakpoint", "input", "SystemExit", "KeyboardInterrupt",
        "memoryview", "__builtins__", "__loader__", "__spec__",
    }
)  # fmt: skip
INNER = frozenset(
    {
        "os", "sys", "builtins", "gc", "inspect", "subprocess", "socket", "ctypes", "importlib",
        "threading", "multiprocessing", "shutil", "signal", "posix", "atexit", "modules", "pip",
        "_getframe", "get_referrers", "get_referents", "get_objects", "f_back", "f_globals",
        "f_builtins", "f_locals", "f_code", "gi_frame", "cr_frame", "ag_frame", "tb_frame",
        "tb_next", "cell_contents", "find_spec", "import_module", "reload", "meta_path", "settrace",
        "setprofile", "monkeypatch", "mock",
    }
)  # fmt: skip
"""Attributes that lead to frames, to other modules, or to the process."""
MAGIC = frozenset({"__init__", "__name__", "__class__", "__doc__", "__version__", "__len__"})
"""Double-underscored attributes that lead nowhere."""
SUPPRESS = frozenset({"suppress", "ExceptionHook", "excepthook", "simplefilter_errors"})
Findings = Counter[str]


@lru_cache(maxsize=4096)
def parsed(source: str) -> ast.Module | None:
    """Return the tree, None where the script cannot be read."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def reaches(source: str, *allowed: str) -> str:
    """Say what a script does that no repair does; "" where nothing, or where it is unreadable.

    Args:
        source: what was submitted.
        allowed: the broken script first, then others whose constructs are no cheating.
    """
    tree = parsed(source)
    known = [one for one in map(parsed, allowed) if one is not None]
    if tree is None or not known:
        return ""
    mine = Counter(_found(tree))
    theirs: Findings = Counter()
    for one in known:
        theirs |= Counter(_found(one))
    new = mine - theirs
    if new:
        return min(new)
    return shadowed(tree, known) or deleted(tree, known[0])


def _found(tree: ast.Module) -> Iterator[str]:
    roots = library_names(tree)
    for node in ast.walk(tree):
        yield from _imports(node)
        yield from _uses(node)
        yield from _patches(node, roots)
        yield from _hides(node)


def _imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        paths = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        paths = [f"{base}.{alias.name}" for alias in node.names]
    else:
        return
    for path in paths:
        root, *rest = path.split(".")
        if root not in PLAIN_MODULES | LIBRARIES:
            yield f"import of {root or path}"
        for part in rest:
            if part in INNER | NETWORK | PROCESS or part == "testing":
                yield f"import of {path}"


def _uses(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and (node.id in NAMES or _is_magic(node.id)):
        yield f"use of {node.id}"
    elif isinstance(node, ast.Attribute):
        name = node.attr
        if name in INNER or _is_magic(name):
            yield f"attribute {name}"
        elif name in NETWORK | PROCESS:
            yield f"call of {name}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value.strip()
        if _is_magic(text) or text in INNER - {"os", "sys", "modules", "mock", "signal"}:
            yield f"text {text!r}"
        if "pip install" in text:
            yield "pinning of a library"


def _is_magic(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4 and name not in MAGIC


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _patches(node: ast.AST, roots: set[str]) -> Iterator[str]:
    """Assignments into a library: a restored name, a shadowed class, another version."""
    targets: list[ast.AST] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.NamedExpr):
        targets = [node.target]
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        targets = [node.optional_vars]
    for target in _flat(targets):
        inner = isinstance(target, ast.Attribute | ast.Subscript)
        if inner and _root(target) in roots:
            yield f"patch of {ast.unparse(target)}"
        if isinstance(target, ast.Attribute) and target.attr == "__class__":
            yield "patch of a class"


def _flat(targets: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from _flat(target.elts)
        else:
            yield target


def _hides(node: ast.AST) -> Iterator[str]:
    """A try statement that is no choice of an import, and its short forms."""
    if isinstance(node, ast.Try | ast.TryStar):
        parts = [*node.body, *(row for handler in node.handlers for row in handler.body)]
        if node.handlers and not all(isinstance(p, ast.Import | ast.ImportFrom) for p in parts):
            yield "try around the failure"
        elif any(h.type is None or _blanket(h.type) for h in node.handlers):
            yield "blanket except"
    elif isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name in SUPPRESS:
            yield "try around the failure"
        if name == "hasattr":
            yield "branch on what the library has"
    elif isinstance(node, ast.FunctionDef) and node.name in ("__getattr__", "__getattribute__"):
        yield f"definition of {node.name}"


def _blanket(kind: ast.expr) -> bool:
    names = {part.id for part in ast.walk(kind) if isinstance(part, ast.Name)}
    return bool(names & {"Exception", "BaseException"})
