"""Installs the library on a hosted notebook machine (Colab, Kaggle) from the clone it lies in.

The set-up cell of the notebooks runs this file as a script, so it needs the standard library alone.
The host's torch and what is compiled against it stay as they are; everything else takes the
versions that were tested together. `MAINTAINER_GYM_EXTRAS` names the extras (default: train).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HOST = ("torch", "torchao", "xformers")
"""Left to the host: another build of them would not fit its CUDA."""


def host_torch() -> str | None:
    """Return the version of the torch that is already there."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return None


def constraints(text: str, torch: str | None) -> str:
    """Return the tested versions as pip is to hold them, around the torch that is there."""
    if torch is None:
        return text
    lines = [line for line in text.splitlines() if line.partition("==")[0] not in HOST]
    return "\n".join([*lines, f"torch=={torch}", ""])


def main() -> int:
    """Install in place and return pip's exit status."""
    root = Path(__file__).resolve().parents[1]
    extras = os.environ.get("MAINTAINER_GYM_EXTRAS", "train")
    pins = constraints((root / "constraints.txt").read_text(encoding="utf-8"), host_torch())
    with tempfile.TemporaryDirectory() as folder:
        held = Path(folder) / "constraints.txt"
        held.write_text(pins, encoding="utf-8")
        what = f"{root}[{extras}]" if extras else str(root)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "-c", str(held), "-e", what]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
