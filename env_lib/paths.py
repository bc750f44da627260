"""Where the project's folders are; every path of the library comes from here."""

import os
from importlib.util import find_spec
from pathlib import Path

ROOT_VARIABLE = "MAINTAINER_GYM_ROOT"


def _packaged() -> Path | None:
    """The folder of the installed data package `env_lib_data`, None where it is not installed."""
    spec = find_spec("env_lib_data")
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


def _root() -> Path:
    """The environment variable, else the checkout, else the folder that holds the data package."""
    if chosen := os.environ.get(ROOT_VARIABLE):
        return Path(chosen).expanduser().resolve()
    checkout = Path(__file__).resolve().parents[1]
    packaged = None if (checkout / "data" / "triage").is_dir() else _packaged()
    return packaged.parent if packaged else checkout


def _data(root: Path) -> Path:
    """`root/data` where it is there, else the data package."""
    return root / "data" if (root / "data" / "triage").is_dir() else _packaged() or root / "data"


ROOT = _root()
DATA = _data(ROOT)
FIGURES = ROOT / "figures"
RUNS = ROOT / "runs"
