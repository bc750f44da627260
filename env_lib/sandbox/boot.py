"""What the zygote loads before its first run, so that no run pays for it."""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

_STANDARD = """
abc argparse ast base64 binascii bisect calendar cmath codecs collections contextlib copy csv
dataclasses datetime _strptime decimal difflib enum fractions functools graphlib hashlib heapq
html inspect io itertools json keyword linecache locale logging math numbers operator pathlib
pprint queue random re select shlex shutil statistics string struct tempfile textwrap threading
time timeit traceback types typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo
encodings.ascii encodings.latin_1 encodings.cp1252 encodings.idna encodings.utf_16
encodings.utf_8_sig encodings.raw_unicode_escape encodings.unicode_escape
"""


def prepare(config: dict[str, Any]) -> None:
    """Import the standard modules that programs use most, and what `config` asks for.

    Raises:
        ImportError: a module to preload is not installed.
    """
    own = list(sys.path)
    sys.path[:] = [*own, *(path for path in config["path"] if path not in own)]
    for name in [*_STANDARD.split(), *config["preload"]]:
        importlib.import_module(name)
    if "numpy" in config["preload"]:
        importlib.import_module("numpy.random")
    if "hypothesis" in config["preload"]:
        warm_hypothesis(config["base"])
    load(config["modules"])
    sys.path[:] = own
    for path in [path for path in sys.path_importer_cache if path in config["path"]]:
        if path not in own:
            del sys.path_importer_cache[path]
    package = __package__ or ""
    for name, module in sys.modules.items():
        if name.split(".")[0] == package:
            module.__file__ = None  # hypothesis reads the source of what lies outside packages


def load(modules: dict[str, str]) -> None:
    """Load trusted modules from their sources; they belong to no file that a run could read.

    A package comes before its parts, which import one another by relative names.
    """
    for name, source in modules.items():
        module = sys.modules[name] = types.ModuleType(name)
        parts = any(other.startswith(f"{name}.") for other in modules)
        module.__package__ = name if parts else name.rpartition(".")[0]
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
        parent, _, last = name.rpartition(".")
        if parent in modules:
            setattr(sys.modules[parent], last, module)


def warm_hypothesis(base: str, examples: int = 6) -> None:
    """Settle how property tests run, and draw some examples so that later runs need not."""
    from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, settings
    from hypothesis import strategies as st

    configuration.set_hypothesis_home_dir(f"{base}/none")
    settings.register_profile(
        "sandbox",
        derandomize=True,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate, Phase.target],
    )
    settings.load_profile("sandbox")
    kinds = st.integers() | st.text() | st.floats() | st.booleans() | st.none() | st.binary()

    several = st.tuples(
        st.lists(st.integers()), st.dictionaries(st.text(), kinds), st.dates(), st.datetimes(),
        st.decimals(), st.fractions(), st.from_regex(r"[a-z]+\d"), st.sampled_from([1, 2]),
    )  # fmt: skip

    @settings(max_examples=examples)
    @given(several)
    def warm(_: Any) -> None:
        """Fill the caches of the common strategies."""

    warm()
