"""Numbers in README and report are those of the committed tables; the tree is what is on disk."""

import re

import pytest

from env_lib.paths import FIGURES, ROOT
from env_lib.report import TEXTS, filled


@pytest.mark.parametrize("name", TEXTS)
def test_every_block_equals_the_committed_tables(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "<!-- begin:scores -->" in text
    assert filled(text, FIGURES) == text


def test_an_unknown_block_is_named():
    with pytest.raises(ValueError, match=r"unknown block 'speed'; known: scores"):
        filled("<!-- begin:speed -->\n<!-- end:speed -->")


def test_an_open_block_is_named():
    with pytest.raises(ValueError, match=r"block 'scores' has no line <!-- end:scores -->"):
        filled("<!-- begin:scores -->")


def test_the_trees_entries_are_on_disk():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    tree = readme.split("## The tree")[1].split("```")[1]
    inside = re.findall(r"^  (\S+)", tree, re.M)
    top = re.findall(r"^(\w+/)", tree, re.M)
    assert inside
    assert not [name for name in top if not (ROOT / name).is_dir()]
    assert not [name for name in inside if not (ROOT / "env_lib" / name).exists()]


def test_every_top_level_folder_is_in_the_tree():
    import subprocess

    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    folders = {line.split("/")[0] for line in listed.splitlines() if "/" in line}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not [f for f in folders if not f.startswith(".") and f"{f}/" not in readme]
