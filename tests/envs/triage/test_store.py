"""The thread store: privacy at the door, one file, same input same content, split by time."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_lib.envs.triage import store as s
from env_lib.envs.triage.truth import truth_of

ANN, BOB = s.pseudonym("ann", b"key"), s.pseudonym("bob", b"key")


def record(number, **fields):
    return {
        "repo": "some/project",
        "number": number,
        "kind": "issue",
        "state": "closed",
        "created_at": "2024-01-01",
        "labels": ["bug", "core"],
        "title": f"Title {number}",
        "body": "Body",
        "category": "bug",
        "has_repro": False,
        "has_versions": False,
        "has_traceback": None,
        "maintainer": {"asked_for_info": False, "answered": True, "fixed_by": 3},
        "evidence": "maintainer answered",
        "state_verified": True,
    } | fields


def comment(number, identity, **fields):
    return {"repo": "some/project", "number": number, "id": identity, "body": "Hm"} | fields


def tables(path):
    with closing(sqlite3.connect(path)) as store:
        names = ("meta", "issues", "labels", "comments", "events", "contributors")
        return {name: store.execute(f"SELECT * FROM {name}").fetchall() for name in names}


# Privacy


LEAKS = [
    ("write to jane.roe+x@mail.example.org now", "jane"),
    ("jane.roe [at] mail [dot] com", "jane"),
    ("jane(at)mail.com", "jane"),
    ("jane%40mail.com", "jane"),
    ("jane\uff20mail.com", "jane"),
    ("ja\u200bne@roe.com", "roe"),
    ("jane@gpu-box:~/code$ python run.py", "jane"),
    ("thanks @jane-roe, and (@Jane_Roe)", "roe"),
    ("cc @jane-roe/core-team", "roe"),
    ("`@janeroe` said", "janeroe"),
    ("@janeroe[bot] opened", "janeroe"),
    ("\uff20janeroe", "janeroe"),
    ("https://huggingface.co/janeroe/secret-model/tree/main", "janeroe"),
    ("huggingface.co/janeroe/secret-model", "janeroe"),
    ("[w](https://wandb.ai/janeroe/runs/1)", "janeroe"),
    ("hf.co/janeroe", "janeroe"),
    ("hf://datasets/janeroe/x", "janeroe"),
    ("see janeroe-demo.hf.space", "janeroe"),
    ("see janeroe.github.io", "janeroe"),
    ("www.janeroe.com", "janeroe"),
    ("https://github.com/janeroe/peft/pull/1", "janeroe"),
    ("https://github.com/huggingface/peft/compare/main...janeroe:fix", "janeroe"),
    ("https://github.com/huggingface/peft-janeroe", "janeroe"),
    ("git@github.com:janeroe/peft.git", "janeroe"),
    ("pip install git+https://github.com/janeroe/peft@main", "janeroe"),
    ("load janeroe/llama-2-7b-lora please", "janeroe"),
    ("model='JaneRoe/test'", "janeroe"),
    ("janeroe1/llama2 crashes", "janeroe"),
    ("fixed in janeroe/peft#12", "janeroe"),
    ("branch janeroe/peft@fix-it", "janeroe"),
    ("datasets/janeroe/set", "janeroe"),
    ("~/.cache/models--janeroe--secret/snapshots", "janeroe"),
    ("/home/janeroe/code/x.py", "janeroe"),
    ("/Users/janeroe/x.py and C:\\Users\\janeroe\\x.py", "janeroe"),
    ("Fix\n\nCo-authored-by: Jane Roe <j@roe.example>\nSigned-off-by: Jane Roe", "jane"),
    ("ghp_" + "a1B2" * 9, "a1B2"),
    ("github_pat_" + "11AB_" * 8, "11AB"),
    ("TOKEN=hf_" + "xYzQ" * 8, "xYzQ"),
    ("sk-proj-" + "Ab3_" * 10, "Ab3"),
    ("AKIA" + "Q7W2" * 4, "Q7W2"),
    ("AIza" + "Q7w2" * 9, "Q7w2"),
    ("WANDB_API_KEY='0123456789abcdef'", "0123456789"),
    ('{"password": "correct-horse"}', "horse"),
    ("Bearer_token=Zm9vYmFyYmF6", "Zm9v"),
    ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "c2lnbm"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
    ("-----BEGIN PRIVATE KEY-----\nMIIE cut off", "MIIE"),
]


@pytest.mark.parametrize(("text", "secret"), LEAKS, ids=range(len(LEAKS)))
def test_scrubbing_removes_what_names_a_person_or_opens_a_door(text, secret):
    assert secret.lower() not in s.scrub(f"Before {text}\nafter").lower()
    assert secret.lower() not in s.scrub(text).lower()


@pytest.mark.parametrize(
    "text",
    [
        "fp16/bf16, 4bit/8bit, A40/A100, Conv1d/Conv2d, 3.11/3.12 and ZeRO-1/2",
        "train/eval, before/after, PiSSA/OLoRA, embed_tokens/lm_head, and/or",
        "see lora/bnb.py, trl/commands/scripts/sft.py and llama.cpp/llama-quantize",
        "huggingface/peft#12 and unslothai/unsloth, as in huggingface/trl",
        "https://github.com/huggingface/trl/issues/48",
        "transformers@v4.31.0, peft@main; y = a @ b; model.module.io",
        "self.tokenizer = AutoTokenizer.from_pretrained(name, token=True)",
        "sk-learn-contrib-something and hf_quantizer_config stay",
        "eos_token = '<|endoftext|>', ratio 1/2, 12/31",
    ],
)
def test_scrubbing_leaves_the_words_of_the_trade_alone(text):
    assert s.scrub(text) == text


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet="ab1.@/:-_=[](<>%4 0\n\\\uff20\u200b", max_size=60))
def test_scrubbing_twice_changes_nothing(text):
    once = s.scrub(text)
    assert s.scrub(once) == once


@pytest.mark.parametrize("part", ["a", "a.", "@", "a@", "-", " ", "a/", "[at]", "@a.", "sk-", "<"])
def test_scrubbing_a_text_of_the_longest_size_ends_soon(part):
    before = time.process_time()
    s.scrub(part * (65_536 // len(part)))
    assert time.process_time() - before < 5


def test_a_pseudonym_depends_on_login_and_key_and_not_on_case():
    assert s.pseudonym("Jane", b"k") == s.pseudonym(" jane", b"k")
    assert s.pseudonym("jane", b"k") != s.pseudonym("jane", b"l")
    assert s.pseudonym("jane", b"k") != s.pseudonym("june", b"k")
    assert len(bytes.fromhex(s.pseudonym("jane", b"k"))) == 5
    for login, key in (("jane", b""), (" ", b"k")):
        with pytest.raises(ValueError, match="key that is not empty"):
            s.pseudonym(login, key)


def test_the_key_is_made_once_kept_to_its_owner_and_yields_to_the_environment(
    tmp_path, monkeypatch
):
    monkeypatch.delenv(s.KEY_VARIABLE, raising=False)
    first = s.ingestion_key(tmp_path)
    assert first == s.ingestion_key(tmp_path)
    assert first != s.ingestion_key(tmp_path / "other")
    assert len(first) >= 32
    assert (tmp_path / "pseudonym.key").stat().st_mode & 0o077 == 0
    monkeypatch.setenv(s.KEY_VARIABLE, "named")
    assert s.ingestion_key(tmp_path) == b"named"


def test_no_private_text_reaches_any_column_of_the_file(tmp_path):
    secret = "Ask @zebedee or zebedee@mail.com, zebedee/llama-9b, hf_" + "zebe" * 8
    dirty = record(
        1, title=secret, body=secret, labels=[secret], evidence=secret, extra={secret: [secret]}
    )
    event = {"repo": "some/project", "number": 1, "id": 1, "event": "closed", "detail": secret}
    path = s.build_store(
        [dirty | {"maintainer": {"closed_as": secret}, "note": {"deep": secret}}],
        tmp_path / "a.db",
        source="test",
        comments=[comment(1, 1, body=secret)],
        events=[event],
    )
    assert b"zebe" not in path.read_bytes().lower()


@pytest.mark.parametrize("field", ["author", "assignees"])
def test_a_login_where_a_pseudonym_belongs_is_refused(tmp_path, field):
    value = "zebedee" if field == "author" else ["zebedee"]
    with pytest.raises(ValueError, match="is not a pseudonym") as raised:
        s.build_store([record(1, **{field: value})], tmp_path / "a.db", source="test")
    assert "zebedee" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


# Writing


def test_the_same_input_gives_equal_tables_and_hash_in_any_order(tmp_path):
    records, remarks = [record(2), record(1)], [comment(1, 5), comment(2, 4)]
    one = s.build_store(records, tmp_path / "a.db", source="test", comments=remarks)
    two = s.build_store(records[::-1], tmp_path / "b.db", source="test", comments=remarks[::-1])
    assert tables(one) == tables(two)
    assert s.store_hash(one) == s.store_hash(two)
    assert one.read_bytes() == two.read_bytes()


def test_building_again_leaves_the_file_untouched_and_a_change_replaces_it(tmp_path):
    path = s.build_store([record(1)], tmp_path / "a.db", source="test")
    before, content = path.stat(), s.store_hash(path)
    s.build_store([record(1)], path, source="test")
    assert path.stat().st_ino == before.st_ino
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    s.build_store([record(1, title="Other")], path, source="test")
    assert s.store_hash(path) != content
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"], "no temporary file is left"


def test_a_record_comes_back_as_it_went_in(tmp_path):
    full = record(4, author=ANN, assignees=[BOB], extra={"stars": 3}, note="kept")
    path = s.build_store([full], tmp_path / "a.db", source="test")
    again = s.upsert([], path, source="test")
    thread = s.load_threads(again)[0]
    assert thread.labels == ("bug", "core")
    assert (thread.author, thread.category, thread.created_at) == (ANN, "bug", "2024-01-01")
    assert thread.truth == truth_of(full)
    assert json.loads(tables(path)["issues"][0][-1]) == {"note": "kept", "stars": 3}


def test_an_upsert_adds_replaces_and_run_twice_changes_nothing(tmp_path):
    path = tmp_path / "a.db"
    s.upsert([record(1), record(2)], path, source="live", comments=[comment(1, 1)])
    person = {"repo": "some/project", "author": ANN, "merged_prs": 2, "reputation": 0.5}
    change = {
        "records": [record(2, title="Newer", labels=["docs"]), record(3)],
        "comments": [comment(1, 1, body="Edited"), comment(3, 2)],
        "events": [{"repo": "some/project", "number": 3, "id": 9, "event": "closed"}],
        "contributors": [person],
    }
    s.upsert(**change, path=path, source="live")
    before = path.stat()
    s.upsert(**change, path=path, source="live")
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    found = tables(path)
    assert [row[5] for row in found["issues"]] == ["Title 1", "Newer", "Title 3"]
    assert [row[6] for row in found["comments"]] == ["Edited", "Hm"]
    assert [row[3] for row in found["labels"] if row[1] == 2] == ["docs"]
    assert s.contributor_rows(path)[ANN]["merged_prs"] == 2


def test_an_upsert_and_a_build_of_the_same_content_have_the_same_hash(tmp_path):
    s.upsert([record(1)], tmp_path / "a.db", source="x", comments=[comment(1, 1, author=ANN)])
    s.upsert([record(2)], tmp_path / "a.db", source="x")
    whole = [record(1), record(2)]
    s.build_store(whole, tmp_path / "b.db", source="x", comments=[comment(1, 1, author=ANN)])
    assert s.store_hash(tmp_path / "a.db") == s.store_hash(tmp_path / "b.db")


def test_remarks_on_threads_that_are_not_there_are_left_out(tmp_path):
    path = s.build_store(
        [record(1)], tmp_path / "a.db", source="test", comments=[comment(1, 1), comment(7, 2)]
    )
    assert [row[1] for row in tables(path)["comments"]] == [1]


def test_foreign_keys_hold_and_the_connection_only_reads(tmp_path):
    path = s.build_store([record(1)], tmp_path / "a.db", source="test")
    with closing(s.open_store(path)) as store:
        assert store.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        assert store.execute("PRAGMA foreign_key_check").fetchall() == []
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            store.execute("DELETE FROM labels")


@pytest.mark.parametrize("table", ["labels", "comments", "events"])
def test_what_belongs_to_a_thread_is_found_by_an_index(tmp_path, table):
    path = s.build_store([record(1)], tmp_path / "a.db", source="test")
    query = f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE repo = 'a' AND number = 1"
    with closing(s.open_store(path)) as store:
        assert "(repo=? AND number=?)" in store.execute(query).fetchone()["detail"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"number": "7"}, "number '7' is not a positive integer"),
        ({"number": True}, "number True is not a positive integer"),
        ({"repo": "project"}, "repo 'project' is not of the form owner/name"),
        ({"kind": "discussion"}, "kind 'discussion'"),
        ({"state": "reopened"}, "state 'reopened'"),
        ({"category": "spam"}, "category 'spam' is not one of"),
        ({"title": None}, "title and body must be strings"),
        ({"created_at": "yesterday"}, "created_at 'yesterday' is no ISO date"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        s.build_store([record(1) | change], tmp_path / "a.db", source="test")


def test_a_key_that_comes_twice_and_an_unknown_field_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"issues: \('some/project', 1\) comes twice"):
        s.build_store([record(1), record(1)], tmp_path / "a.db", source="test")
    with pytest.raises(ValueError, match=r"unknown \['likes'\], the fields are"):
        s.build_store(
            [record(1)], tmp_path / "a.db", source="test", comments=[comment(1, 1, likes=3)]
        )


# Reading


def test_a_missing_store_another_version_and_another_file_say_what_to_do(tmp_path):
    with pytest.raises(s.StoreError, match="no store at"):
        s.open_store(tmp_path / "none.db")
    path = s.build_store([record(1)], tmp_path / "a.db", source="test")
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")
    with pytest.raises(s.StoreError, match="schema version 0, expected 1: delete the file and run"):
        s.open_store(path)
    path.write_bytes(b"no database at all, " * 100)
    with pytest.raises(s.StoreError, match="schema version none"):
        s.open_store(path)


@pytest.fixture
def facts(tmp_path, monkeypatch):
    """A data folder with two facts in place of the bundled one."""
    folder = tmp_path / "triage"
    folder.mkdir()
    (folder / "a.jsonl").write_text(f"{json.dumps(record(1))}\n{json.dumps(record(2))}\n", "utf-8")
    monkeypatch.setattr(s, "DATA", tmp_path)
    return folder


def test_the_default_store_is_built_when_missing_and_follows_the_facts(facts):
    assert len(s.load_threads()) == 2
    before = s.default_store().stat().st_mtime_ns
    s.load_threads()
    assert s.default_store().stat().st_mtime_ns == before
    with (facts / "a.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(record(3)) + "\n")
    assert len(s.load_threads()) == 3


def test_a_store_of_another_source_is_never_overwritten_by_the_facts(facts):
    s.build_store([record(9)], s.default_store(), source="live")
    assert [thread.number for thread in s.load_threads()] == [9]


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
        s.bundled_records()


def test_threads_are_read_once_and_again_when_the_file_changes(tmp_path):
    path = s.build_store([record(1)], tmp_path / "a.db", source="test")
    first = s.load_threads(path)
    assert s.load_threads(path) is first
    s.upsert([record(2)], path, source="test")
    assert len(s.load_threads(path)) == 2


def test_the_split_follows_time_in_every_repository(tmp_path):
    records = [record(n) for n in range(1, 41)] + [record(n, repo="b/c") for n in range(9, 29)]
    threads = s.load_threads(s.build_store(records, tmp_path / "a.db", source="test"))
    assert [(x.repo, x.number) for x in threads] == sorted((x.repo, x.number) for x in threads)
    runs = [
        (repo, split, len(list(group)))
        for (repo, split), group in groupby(threads, key=lambda x: (x.repo, x.split))
    ]
    assert runs == [
        ("b/c", "train", 14),
        ("b/c", "val", 3),
        ("b/c", "test", 3),
        ("some/project", "train", 28),
        ("some/project", "val", 6),
        ("some/project", "test", 6),
    ]


def test_a_duplicate_whose_target_is_not_in_the_store_is_not_scored(tmp_path):
    records = [
        record(1),
        record(5, maintainer={"duplicate_of": 1}),
        record(6, maintainer={"duplicate_of": 2}),
    ]
    threads = s.load_threads(s.build_store(records, tmp_path / "a.db", source="test"))
    assert [x.truth.scored for x in threads] == [True, True, False]
    assert [x.truth.duplicate_of for x in threads] == [None, 1, 2]


def test_an_author_known_in_two_repositories_is_asked_for_by_repository(tmp_path):
    people = [{"repo": repo, "author": ANN, "threads": 1} for repo in ("a/b", "c/d")]
    path = s.build_store([record(1)], tmp_path / "a.db", source="test", contributors=people)
    assert s.contributor_rows(path, "c/d")[ANN]["repo"] == "c/d"
    with pytest.raises(ValueError, match="name one of them"):
        s.contributor_rows(path)


# The bundled facts


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "repo.db"
    return s.build_store(s.bundled_records(), path, source=s.BUNDLED)


def test_the_bundled_facts_load_whole_and_in_order(bundled):
    threads = s.load_threads(bundled)
    assert [(x.repo, x.number) for x in threads] == sorted(
        (r["repo"], r["number"]) for r in s.bundled_records()
    )
    assert {x.truth.source for x in threads} == {"maintainer", "category"}
    assert sum(x.truth.scored for x in threads) / len(threads) > 0.9
    assert s.contributor_rows(bundled) == {}
    for repo in {x.repo for x in threads}:
        assert {x.split for x in threads if x.repo == repo} == {"train", "val", "test"}


def test_the_counts_in_the_readme_of_the_facts_are_those_of_the_files(bundled):
    text = (s.DATA / "triage" / "README.md").read_text("utf-8")
    threads = s.load_threads(bundled)
    for path in sorted((s.DATA / "triage").glob("*.jsonl")):
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        issues = sum(each["kind"] == "issue" for each in found)
        numbers = [each["number"] for each in found]
        row = f"| `{path.name}` | {found[0]['repo']} | {issues} | {len(found) - issues} |"
        assert f"{row} {min(numbers)} … {max(numbers)} |" in text
    records = s.bundled_records()
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
    records = {(r["repo"], r["number"]): r for r in s.bundled_records()}
    for thread in s.load_threads(bundled):
        expected = truth_of(records[thread.repo, thread.number])
        assert thread.truth == expected or not thread.truth.scored


def test_the_bundled_facts_hold_nothing_that_scrubbing_would_remove_but_one_hub_id():
    changed = [
        record["number"]
        for record in s.bundled_records()
        for text in (record["title"], record["body"], record["evidence"])
        if s.scrub(text) != text
    ]
    assert changed == [1829]


def test_the_content_hash_is_the_same_in_another_process(bundled, tmp_path):
    code = (
        "import sys; from pathlib import Path; from env_lib.envs.triage import store as s;"
        "s.build_store(s.bundled_records(), Path(sys.argv[1]), source=s.BUNDLED);"
        "print(s.store_hash(Path(sys.argv[1])))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "b.db")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert run.stdout.strip() == s.store_hash(bundled)


def test_the_root_follows_the_environment_and_data_falls_back_to_the_checkout(tmp_path):
    code = "from env_lib import paths as p; print(p.ROOT, p.DATA, p.RUNS, p.FIGURES, sep='\\n')"

    def printed(root):
        environment = {**os.environ, "MAINTAINER_GYM_ROOT": str(root)}
        run = [sys.executable, "-c", code]
        return subprocess.check_output(run, text=True, env=environment).splitlines()

    (tmp_path / "data" / "triage").mkdir(parents=True)
    names = ("", "data", "runs", "figures")
    assert printed(tmp_path) == [str(tmp_path / name) for name in names]
