"""Numbers in README and report are those of the committed tables; the tree is what is on disk."""

import json
import re

import pytest

from env_lib.paths import ROOT
from env_lib.registry import DUTIES, duty_figures
from env_lib.report import TEXTS, filled, own_block, published, results_section, section_of, verdict
from env_lib.rollout import Episode
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
    assert "| 1.50, 2.50, 2.00; 1 |" in section


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ({"all": (1, 0.5, 2), "E0": (1, 0.2, 2), "E1": (-1, -2, -0.1)},
         "1.00 [0.50, 2.00] an episode more than `sft` over the tiers' mean: more, clear of zero. "
         "Of 2 tiers it earns more on E0 and less on E1 with the interval clear of zero"),
        ({"all": (-1, -2, -0.5), "E0": (0, -1, 1)}, "mean: less, clear of zero."),
        ({"all": (0.04, -0.1, 0.2), "E0": (0, 0, 1)}, "no difference that these runs can tell."),
    ],
)  # fmt: skip
def test_the_verdict_follows_from_the_intervals(tmp_path, means, said):
    rows = [
        f"grpo,sft,{tier},all,{m},{low},{high},16,test" for tier, (m, low, high) in means.items()
    ]
    (tmp_path / "tables").mkdir()
    head = "a,b,scenario,training_seed,mean,low,high,tasks,split"
    (tmp_path / "tables" / "differences.csv").write_text("\n".join([head, *rows]))
    assert said in verdict(tmp_path, "test")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """Figures of two training seeds of release, the later one given first."""
    from env_lib.plots import publish

    folders = [
        made_run(tmp_path_factory.mktemp(f"run{seed}"), seed, 2, "release").folder
        for seed in (1, 0)
    ]
    to = tmp_path_factory.mktemp("figures")
    publish(folders, to)
    return to


def test_a_dutys_own_rates_and_figures_join_the_section(release):
    section = results_section(release, "../figures")
    ood = section.split("Split `test_ood`:")[1]
    assert "exact 95 % intervals" in section
    head = "| policy | decision right | unsafe ship | needless block | decided |"
    assert head in section
    assert head in ood
    oracle = r"\| `oracle` \| 1\.00 \[0\.40, 1\.00\] \| 0\.00 \[0\.00, 0\.60\] \|"
    assert re.search(oracle, section), "four episodes, exact intervals"
    assert section.count("| `naive` | ") >= 2
    assert "| `always_ship` | 0" not in section.split(head)[1].split("\n\n")[0]
    assert section.count("](../figures/release/decisions.png)") == 1
    assert (release / "release" / "decisions.png").is_file()


def test_training_seeds_that_differ_are_rows_of_their_own(release):
    text = own_block(duty_figures("release").REPORTED, release / "release", "test")
    labels = re.findall(r"^\| (`\w+`(?:, seed \d)?) \|", text, re.M)
    assert labels == [
        "`naive`", "`careful`", "`base_few_shot`", "`sft`", "`grpo`, seed 0", "`grpo`, seed 1",
        "`oracle`",
    ]  # fmt: skip


def test_pages_of_the_first_training_seed_are_published_and_linked(release):
    told = json.loads((release / "release" / "results.json").read_text("utf-8"))
    names = [
        f"pages/{pair}_{split}.html" for split in ("test", "test_ood")
        for pair in ("naive_beside_careful", "base_few_shot_beside_grpo")
    ]  # fmt: skip
    assert told["pages"] == names
    section = results_section(release, "figures")
    for name in names:
        assert "<h2>" in (release / "release" / name).read_text("utf-8")
        assert f"](figures/release/{name})" in section


def test_a_duty_without_an_own_table_or_pages_has_no_such_part(two_seeds):
    assert getattr(duty_figures("triage"), "REPORTED", None) is None
    assert not (two_seeds / "triage" / "pages").exists()
    assert "step by step" not in results_section(two_seeds, "figures")


METRICS = {
    "release": {"decision_right": 1.0, "unsafe_ship": 0.0, "needless_block": 0.0, "decided": 1.0},
    "repair": {"solved": 1.0, "impossible": 0.0},
    "drift": {"solved": 1.0},
    "supervise": {"accuracy": 0.5, "unsafe_approvals": 0.25, "tool_failures": 0.0},
}
ROWS = {
    "release": "| `sft` | 1.00 [0.16, 1.00] | 0.00 [0.00, 0.84] | 0.00 [0.00, 0.84] |",
    "repair": "| `sft` | 1.00 [0.16, 1.00] | 1.00 [0.16, 1.00] | - | - |",
    "drift": "| `sft` | 1.00 [0.16, 1.00] | 1.00 [0.16, 1.00] | - | - | - |",
    "supervise": "| `sft` | 0.50 [0.50, 0.50] | 0.25 [0.25, 0.25] | - | 0.00 [0.00, 0.00] |",
}


@pytest.mark.parametrize("duty", [duty for duty in DUTIES if duty != "triage"])
def test_what_a_duty_declares_is_in_its_tables_and_figures(duty, tmp_path):
    own, figures = duty_figures(duty).REPORTED, duty_figures(duty)
    tier = {"release": "L1", "repair": "R1", "supervise": "S1", "drift": "D1"}[duty]
    played = [
        (0, Episode(duty, tier, "test", seed, "sft", metrics=METRICS[duty])) for seed in (1, 2)
    ]
    tables = figures.tables(played)
    assert set(own.figures) == set(figures.FIGURES)
    assert {own.value, own.across, "low", "high", "group"} <= set(tables[own.table])
    (tmp_path / "tables").mkdir()
    tables[own.table].to_csv(tmp_path / "tables" / f"{own.table}.csv", index=False)
    head, _, *rows = own_block(own, tmp_path, "test").splitlines()
    assert head == f"| policy | {' | '.join(own.columns.values())} |"
    assert len(rows) == 1
    assert rows[0].startswith(ROWS[duty])


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
