"""Names that tell a repair from what leaves the script, and what may be imported or defined."""

from __future__ import annotations

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
        "trl", "safetensors", "pyarrow",
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
        "threading", "multiprocessing", "shutil", "posix", "atexit", "modules", "pip",
        "_getframe", "get_referrers", "get_referents", "get_objects", "f_back", "f_globals",
        "f_builtins", "f_locals", "f_code", "gi_frame", "cr_frame", "ag_frame", "tb_frame",
        "tb_next", "cell_contents", "find_spec", "import_module", "reload", "meta_path", "settrace",
        "setprofile", "monkeypatch", "mock", "contextlib", "pickle", "unittest",
    }
)  # fmt: skip
"""Attributes that lead to frames, to other modules, or to the process."""
MAGIC = frozenset({"__init__", "__name__", "__doc__", "__version__", "__len__"})
"""Double-underscored attributes that lead nowhere."""
SUPPRESS = frozenset({"suppress", "ExceptionHook", "excepthook", "simplefilter_errors"})
BY_TEXT = frozenset(
    {
        "attrgetter", "methodcaller", "get_type_hints", "ForwardRef", "Formatter", "get_field",
        "ImportString", "import_string", "PyObject", "resolve_name", "read_pickle", "query",
        "exec", "globals", "locals", "vars", "getattr", "setattr", "delattr", "breakpoint",
    }
)  # fmt: skip
"""What reaches a thing by a text that may be built at run time, as attributes or imported."""
FORWARDS = frozenset({"agg", "aggregate", "apply", "transform"})
"""Methods that call what a text names."""
OWN_METHODS = frozenset(
    {
        "__init__", "__call__", "__len__", "__getitem__", "__iter__", "__next__", "__repr__",
        "__str__", "__post_init__",
    }
)  # fmt: skip
"""Double-underscored methods that a script may define: none of them can hide a failure."""
