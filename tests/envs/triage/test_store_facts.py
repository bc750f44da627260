"""The bundled facts: the default store follows them, whole, clean, the same in every process."""

import json
import os
import subprocess
import sys

import pytest

from env_lib.envs.triage.facts import BUNDLED, bundled_records, default_store
from env_lib.envs.triage.scrub import scrub
from env_lib.envs.triage.store import contributor_rows, store_hash
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.threads import load_threads
from env_lib.envs.triage.truth import truth_of
from env_lib.paths import DATA
from tests.envs.triage.made_records import record


@pytest.fixture
def facts(tmp_path, monkeypatch):
    """A data folder with two facts in place of the bundled one."""
    folder = tmp_path / "triage"
    folder.mkdir()
    (folder / "a.jsonl").write_text(f"{json.dumps(record(1))}\n{json.dumps(record(2))}\n", "utf-8")
    monkeypatch.setattr("env_lib.envs.triage.facts.DATA", tmp_path)
    return folder


def test_the_default_store_is_built_when_missing_and_follows_the_facts(facts):
    assert len(load_threads()) == 2
    before = default_store().stat().st_mtime_ns
    load_threads()
    assert default_store().stat().st_mtime_ns == before
    with (facts / "a.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(record(3)) + "\n")
    assert len(load_threads()) == 3


def test_a_store_of_another_source_is_never_overwritten_by_the_facts(facts):
    build_store([record(9)], default_store(), source="live")
    assert [thread.number for thread in load_threads()] == [9]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json", r"a\.jsonl, line 3: not a JSON object"),
        (json.dumps(record(0)), r"a\.jsonl, line 3: number 0"),
        (json.dumps({"repo": "a/b"}), r"a\.jsonl, line 3: field 'number' is missing"),
    ],
)
def test_a_bad_line_of_the_facts_is_named_by_file_and_line(facts, line, message):
    with (facts / "a.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(ValueError, match=message):
        bundled_records()


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "repo.db"
    return build_store(bundled_records(), path, source=BUNDLED)


def test_the_bundled_facts_load_whole_and_in_order(bundled):
    threads = load_threads(bundled)
    assert [(x.repo, x.number) for x in threads] == sorted(
        (r["repo"], r["number"]) for r in bundled_records()
    )
    assert {x.truth.source for x in threads} == {"maintainer", "category"}
    assert sum(x.truth.scored for x in threads) / len(threads) > 0.9
    assert contributor_rows(bundled) == {}
    for repo in {x.repo for x in threads}:
        assert {x.split for x in threads if x.repo == repo} == {"train", "val", "test"}


def test_the_counts_in_the_readme_of_the_facts_are_those_of_the_files(bundled):
    text = (DATA / "triage" / "README.md").read_text("utf-8")
    threads = load_threads(bundled)
    for path in sorted((DATA / "triage").glob("*.jsonl")):
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        issues = sum(each["kind"] == "issue" for each in found)
        numbers = [each["number"] for each in found]
        row = f"| `{path.name}` | {found[0]['repo']} | {issues} | {len(found) - issues} |"
        assert f"{row} {min(numbers)} … {max(numbers)} |" in text
    records = bundled_records()
    links = [each.truth for each in threads if each.truth.action == "link_duplicate"]
    kind = [each["kind"] for each in records if each["evidence"].startswith("state only")]
    for count, words in (
        (len(records), "public issues and pull requests"),
        (sum(each["created_at"] is None for each in records), f"of {len(records)}"),
        (len(kind), f"records, {kind.count('issue')} of them issues"),
        (sum(not each["state_verified"] for each in records), "states are not verified"),
        (len(links), "threads name an older original"),
        (sum(not each.scored for each in links), "of them that original"),
        (sum(not each.truth.scored for each in threads), "threads in all stay out"),
    ):
        assert f"{count} {words}" in text


def test_the_store_gives_the_same_truth_as_the_records(bundled):
    records = {(r["repo"], r["number"]): r for r in bundled_records()}
    for thread in load_threads(bundled):
        expected = truth_of(records[thread.repo, thread.number])
        assert thread.truth == expected or not thread.truth.scored


def test_the_bundled_facts_hold_nothing_that_scrubbing_would_remove_but_one_hub_id():
    changed = [
        record["number"]
        for record in bundled_records()
        for text in (record["title"], record["body"], record["evidence"])
        if scrub(text) != text
    ]
    assert changed == [1829]


def test_the_content_hash_is_the_same_in_another_process(bundled, tmp_path):
    code = (
        "import sys; from pathlib import Path;"
        "from env_lib.envs.triage.facts import BUNDLED, bundled_records;"
        "from env_lib.envs.triage.store import store_hash;"
        "from env_lib.envs.triage.store_build import build_store;"
        "build_store(bundled_records(), Path(sys.argv[1]), source=BUNDLED);"
        "print(store_hash(Path(sys.argv[1])))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "b.db")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert run.stdout.strip() == store_hash(bundled)


def test_the_root_follows_the_environment_and_data_falls_back_to_the_checkout(tmp_path):
    code = "from env_lib import paths as p; print(p.ROOT, p.DATA, p.RUNS, p.FIGURES, sep='\\n')"

    def printed(root):
        environment = {**os.environ, "MAINTAINER_GYM_ROOT": str(root)}
        run = [sys.executable, "-c", code]
        return subprocess.check_output(run, text=True, env=environment).splitlines()

    (tmp_path / "data" / "triage").mkdir(parents=True)
    names = ("", "data", "runs", "figures")
    assert printed(tmp_path) == [str(tmp_path / name) for name in names]
