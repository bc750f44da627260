"""Turns executed notebooks into what is committed: outputs kept, traces of the machine dropped.

`python -m env_lib.tidy runs/<run>/notebooks/*.ipynb --to notebooks` takes the copies that a run
executed; without `--to` the files themselves are tidied. Dropped: injected parameters, warnings on
stderr, times of execution, widgets, and what the editor added to the metadata.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from env_lib.runs import write_text

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
INJECTED = "injected-parameters"
WIDGET = "application/vnd.jupyter.widget-view+json"


def tidied(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook as it is committed; run twice it changes nothing."""
    cells = [_cell(c) for c in notebook["cells"] if INJECTED not in c["metadata"].get("tags", [])]
    ran = (cell for cell in cells if cell.get("execution_count"))
    for number, cell in enumerate(ran, start=1):
        cell["execution_count"] = number
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = number
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    tags = cell["metadata"].get("tags", [])
    kept = {**cell, "metadata": {"tags": tags} if tags else {}}
    if cell["cell_type"] == "code":
        kept["outputs"] = [
            {**output, "metadata": {}} if "metadata" in output else dict(output)
            for output in cell["outputs"]
            if output.get("name") != "stderr" and WIDGET not in output.get("data", {})
        ]
    return kept


def tidy(path: Path, to: Path | None = None) -> Path:
    """Tidy a notebook, in place or into the folder `to`, and return where it is."""
    target = to / path.name if to else path
    notebook = tidied(json.loads(path.read_text(encoding="utf-8")))
    write_text(target, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return target


def main() -> None:
    """Command line: notebooks, and the folder that they go to."""
    parser = argparse.ArgumentParser(prog="python -m env_lib.tidy", description=__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument(
        "--to", type=Path, help="a folder; without it the files are tidied in place"
    )
    arguments = parser.parse_args()
    for path in arguments.notebooks:
        print(tidy(path, arguments.to))


if __name__ == "__main__":
    main()
