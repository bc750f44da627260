import json
from pathlib import Path

import pytest

from env_lib.links import write_links

SETUP = 'REPO = ""  # set by make links\nprint(REPO)\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    notebook = {
        "cells": [
            {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Tour\n", "Text."]},
            {
                "cell_type": "code",
                "id": "b",
                "metadata": {"tags": ["setup"]},
                "source": SETUP.splitlines(keepends=True),
            },
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_tour.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "README.md").write_text("# Name\n\nSentence.\n")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\n")
    return tmp_path


def cells(root: Path) -> list[str]:
    notebook = json.loads((root / "notebooks" / "00_tour.ipynb").read_text())
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def test_badges_open_the_notebook_at_the_public_address(checkout: Path) -> None:
    write_links(checkout, "owner/name")
    head, setup = cells(checkout)
    address = "owner/name/blob/main/notebooks/00_tour.ipynb"
    assert head.startswith("# Tour\n")
    assert head.endswith("Text.")
    assert f"colab.research.google.com/github/{address}" in head
    assert f"src=https://github.com/{address}" in head
    assert setup == SETUP.replace('""', '"owner/name"')
    assert address in (checkout / "README.md").read_text()
    assert (
        'repository-code: "https://github.com/owner/name"'
        in (checkout / "CITATION.cff").read_text()
    )


def test_the_same_address_twice_changes_nothing(checkout: Path) -> None:
    assert len(write_links(checkout, "owner/name")) == 3
    assert write_links(checkout, "owner/name") == []


def test_another_address_replaces_the_first_everywhere(checkout: Path) -> None:
    write_links(checkout, "owner/name")
    write_links(checkout, "second/place")
    text = "".join(p.read_text() for p in checkout.rglob("*") if p.is_file())
    assert "owner/name" not in text
    assert cells(checkout)[0].count("<!-- links -->") == 1


@pytest.mark.parametrize("repo", ["name", "https://github.com/owner/name", "owner/name/more", ""])
def test_what_is_no_owner_and_name_is_refused_with_the_value(checkout: Path, repo: str) -> None:
    with pytest.raises(ValueError, match="owner/name was expected"):
        write_links(checkout, repo)
