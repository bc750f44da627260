"""Replay pages: from stored episodes, two policies side by side, looked at in a real browser."""

import json
from types import SimpleNamespace

import pytest

import env_lib
from env_lib.envs.release import pages
from env_lib.envs.release.env import ReleaseEnv
from env_lib.evaluation import write_episodes
from env_lib.paths import ROOT
from env_lib.rollout import Episode
from tests.chromium import BROWSER, open_page

STAND_INS = {"naive": "naive", "careful": "careful", "base_few_shot": "random", "grpo": "careful"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run's folder with two episodes of each policy that pages show."""
    folder = tmp_path_factory.mktemp("run")
    env = ReleaseEnv(scenario="L2", split="test", prompt_tokens=112)
    for policy, rule in STAND_INS.items():
        played = [env_lib.run_episode(env, env_lib.policy("release", rule), n) for n in range(3)]
        for episode in played:
            episode.policy = policy
        write_episodes(folder / "eval" / "episodes" / f"{policy}__L2.jsonl", played)
    return folder


@pytest.fixture(scope="module")
def written(run):
    return pages.write(run)


def stored(run, policy):
    from env_lib.evaluation import read_episodes

    return read_episodes(run / "eval" / "episodes" / f"{policy}__L2.jsonl")


def test_a_run_gets_a_page_a_pair_and_split(written):
    assert [path.name for path in written] == [
        "naive_beside_careful_test.html",
        "base_few_shot_beside_grpo_test.html",
    ]


def test_pages_can_be_written_elsewhere_and_are_the_same(run, written, tmp_path):
    other = pages.write(run, tmp_path / "pages")
    assert [path.parent for path in other] == [tmp_path / "pages"] * 2
    assert [path.read_bytes() for path in other] == [path.read_bytes() for path in written]


def executed(duty, folder):
    """What notebook 05 shows in its cell of pages, and all names after its assertions on them."""
    from env_lib import plots
    from env_lib.registry import write_records

    notebook = json.loads((ROOT / "notebooks" / "05_plots.ipynb").read_text("utf-8"))
    sources = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    checks = [line for line in sources["f23430df"].splitlines() if "pages" in line]
    assert len(checks) == 2
    shown = []
    known = {
        "ENV": duty, "run": SimpleNamespace(folder=folder), "plots": plots,
        "write_records": write_records, "display": lambda *some: shown.extend(some),
    }  # fmt: skip
    exec("\n".join([sources["duty-records"], *checks]), known)
    return [one.data for one in shown], known


def test_the_notebook_shows_the_trained_model_beside_the_base(run):
    shown, known = executed("release", run)
    assert [path.name for path in known["pages"]] == [
        "naive_beside_careful_test.html",
        "base_few_shot_beside_grpo_test.html",
    ]
    assert "<h2>base_few_shot</h2>" in shown[1]
    assert "<h2>grpo</h2>" in shown[1]
    assert all(page.count("<svg") == 2 for page in shown)


def test_the_notebook_is_right_for_a_duty_without_pages(tmp_path):
    shown, known = executed("triage", tmp_path)
    assert shown == known["records"] == known["pages"] == []


def test_the_notebook_fails_where_no_page_shows_the_trained_model(tmp_path, run):
    for policy in ("naive", "careful"):
        file = tmp_path / "eval" / "episodes" / f"{policy}.jsonl"
        write_episodes(file, stored(run, policy))
    with pytest.raises(AssertionError, match="no page of the trained model"):
        executed("release", tmp_path)


def test_a_page_says_why_its_episode_was_chosen(run, written):
    gains = [
        careful.total_reward - naive.total_reward
        for naive, careful in zip(stored(run, "naive"), stored(run, "careful"), strict=True)
    ]
    said = f"careful earns {max(gains):+.2f} more than naive here, the most of the 3 episodes"
    assert said in written[0].read_text("utf-8")


def test_a_stored_episode_ends_again_where_it_ended(run):
    for episode in (*stored(run, "careful"), *stored(run, "base_few_shot")):
        account = pages.played_again(episode)
        assert account.notes.decision or episode.metrics["decided"] == 0
        assert account.notes.blast_f1 == episode.metrics["blast_f1"]
        wanted = episode.metrics["decision_right"] == 1
        assert (account.notes.decision == account.right != "") == wanted


def test_a_run_without_a_pair_or_of_another_duty_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="notebook 04 writes them"):
        pages.write(tmp_path)
    file = tmp_path / "eval" / "episodes" / "one.jsonl"
    write_episodes(file, [Episode("release", "L1", "test", 0, "careful")])
    with pytest.raises(ValueError, match="no pair of"):
        pages.write(tmp_path)
    write_episodes(file, [Episode("triage", "E0", "test", 0, "random")])
    with pytest.raises(ValueError, match="and not of release"):
        pages.write(tmp_path)
    assert pages.main([]) == 2


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: apt-get install chromium")
@pytest.mark.parametrize("pair", pages.PAIRS, ids=" beside ".join)
def test_a_browser_shows_graphs_evidence_and_decisions(run, written, tmp_path, pair):
    (path,) = (path for path in written if path.name == f"{'_beside_'.join(pair)}_test.html")
    with open_page(path.as_uri(), tmp_path / "profile") as page:
        page.wait_for("document.querySelectorAll('.mg-ev section').length === 2")
        drawn = page.evaluate("[...document.querySelectorAll('svg')].map(s => s.textContent)")
        sizes = page.evaluate(
            "[...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect().width)"
        )
        verdicts = page.evaluate(
            "[...document.querySelectorAll('.verdict')].map(p => p.textContent)"
        )
        names = page.evaluate("[...document.querySelectorAll('h2')].map(h => h.textContent)")
        text = page.evaluate("document.body.innerText")
        assert page.problems == []
    shown, _ = pages.telling([e for name in pair for e in stored(run, name)], pair, "test")
    first, second = map(pages.played_again, shown)
    world = second.world
    assert len(drawn) == 2
    assert all(name in graph for graph in drawn for name in world.services)
    assert min(sizes) > 200
    assert names == list(pair)
    for account, verdict in zip((first, second), verdicts, strict=True):
        assert verdict.startswith(f"decided {account.notes.decision or 'no decision'},")
    assert all("right: " in verdict and "return " in verdict for verdict in verdicts)
    assert all(word in text for word in ("impacted", "submitted", "contracts", "not run"))
