import json
from pathlib import Path
from typing import Any

from env_lib.tidy import tidied, tidy


def cell(
    source: str, *outputs: dict[str, Any], count: int | None = 1, **metadata: Any
) -> dict[str, Any]:
    return {
        "cell_type": "code", "id": source, "source": [source], "metadata": metadata,
        "execution_count": count, "outputs": list(outputs),
    }  # fmt: skip


EXECUTED = {
    "cells": [
        {
            "cell_type": "markdown",
            "id": "m",
            "source": ["# Title"],
            "metadata": {"collapsed": False},
        },
        cell(
            "a",
            {"output_type": "stream", "name": "stderr", "text": ["/home/me warning"]},
            tags=["setup"],
        ),
        cell("SEED = 3", tags=["injected-parameters"], count=2),
        cell(
            "b",
            {"output_type": "stream", "name": "stdout", "text": ["kept"]},
            {
                "output_type": "display_data",
                "data": {"application/vnd.jupyter.widget-view+json": {}},
                "metadata": {},
            },
            {
                "output_type": "execute_result",
                "data": {"text/plain": ["1"]},
                "metadata": {},
                "execution_count": 9,
            },
            count=9,
            execution={"iopub.status.busy": "2026-01-01"},
            papermill={"duration": 1.0},
        ),
    ],
    "metadata": {
        "papermill": {"output_path": "/home/me"},
        "widgets": {},
        "language_info": {"version": "3.11"},
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}


def test_outputs_stay_and_traces_of_the_machine_go() -> None:
    notebook = tidied(EXECUTED)
    assert [c["id"] for c in notebook["cells"]] == ["m", "a", "b"]
    assert [c["metadata"] for c in notebook["cells"]] == [{}, {"tags": ["setup"]}, {}]
    kept = notebook["cells"][2]["outputs"]
    assert [output["output_type"] for output in kept] == ["stream", "execute_result"]
    assert notebook["cells"][2]["execution_count"] == kept[1]["execution_count"] == 2
    assert "/home/me" not in json.dumps(notebook)


def test_tidying_twice_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "copy.ipynb"
    path.write_text(json.dumps(EXECUTED))
    once = tidy(path, tmp_path / "notebooks").read_text()
    assert tidied(json.loads(once)) == json.loads(once)
    assert json.loads(path.read_text()) == EXECUTED
    assert tidy(path) == path
    assert path.read_text() == once
