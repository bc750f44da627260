"""Numbers in README and report are those of the committed tables; the tree is what is on disk."""

import re

import pytest

from env_lib.paths import ROOT
from env_lib.report import TEXTS, filled, published, results_section, section_of
from tests.made_run import made_run


@pytest.mark.parametrize("name", TEXTS)
def test_the_results_section_is_that_of_the_committed_tables(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    section = next(p for p in re.split(r"^(?=## )", text, flags=re.M) if p.startswith("## Results"))
    if published():
        assert section == section_of(name)
    else:
        assert not re.search(r"\d\.\d", section), "a number without a published run"
        assert not re.search(r"!\[", section)


@pytest.fixture(scope="module")
def two_seeds(tmp_path_factory):
    from env_lib.plots import publish

    folders = [made_run(tmp_path_factory.mktemp(f"run{seed}"), seed).folder for seed in range(2)]
    to = tmp_path_factory.mktemp("figures")
    publish(folders, to)
    return to


def test_the_section_tells_scores_differences_and_training_of_published_runs(two_seeds):
    assert published(two_seeds) == ["triage"]
    section = results_section(two_seeds, "figures")
    assert "training seeds 0, 1" in section
    assert "an example, not a claim" in section
    assert re.search(r"\| `oracle` \| 1\.00 \[1\.00, 1\.00\]", section)
    assert "steps of the tier's own: E0 16 of 30, E1 16 of 60, E3 16 of 200." in section
    assert "`grpo` - `sft`" in section
    assert "](figures/triage/results.png)" in section


def test_a_text_without_the_section_is_refused():
    with pytest.raises(ValueError, match="no section"):
        filled("# Title\n", "## Results\n")


def test_only_the_section_changes():
    text = "# T\n\n## Results\n\nold 1.0\n\n## Limits\n\nkept\n"
    assert (
        filled(text, "## Results\n\nnew\n\n") == "# T\n\n## Results\n\nnew\n\n## Limits\n\nkept\n"
    )


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
