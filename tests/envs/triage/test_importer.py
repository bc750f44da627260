"""Import of exported issue tables: columns, labels, numbers, dates and privacy."""

import csv
import json

import pytest

from env_lib.envs.triage.importer import import_store, import_table
from env_lib.envs.triage.pseudonyms import pseudonym
from env_lib.envs.triage.store import store_hash
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.threads import load_threads

ROWS = [
    {
        "repo": "some/project",
        "created_at": "2024-03-02 10:00:00",
        "label": "bug",
        "title": "Crash on load",
        "body": "It crashes.\nSecond line, with a comma",
    },
    {
        "repo": "some/project",
        "created_at": "2024-03-01T23:30:00+00:00",
        "label": "question",
        "title": "How do I save?",
        "body": "Where is it?",
    },
    {
        "repo": "other/tool",
        "created_at": "2023-01-01",
        "label": "feature",
        "title": "Add a flag",
        "body": "A flag would help.",
    },
]


def write(path, rows):
    if path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return path


@pytest.fixture(params=["issues.csv", "issues.jsonl"])
def table(request, tmp_path):
    return tmp_path / request.param


def test_rows_are_numbered_by_time_in_each_repository(table):
    records = import_table(write(table, ROWS))
    found = [(r["repo"], r["number"], r["title"], r["category"]) for r in records]
    assert found == [
        ("other/tool", 1, "Add a flag", "feature"),
        ("some/project", 1, "How do I save?", "question"),
        ("some/project", 2, "Crash on load", "bug"),
    ]


def test_an_import_becomes_a_store_whose_labels_are_the_truth(table, tmp_path):
    store = import_store(write(table, ROWS), tmp_path / "a.db")
    threads = load_threads(store)
    assert [thread.truth.label for thread in threads] == ["feature", "question", "bug"]
    assert {thread.truth.action for thread in threads} == {"label"}
    assert all(thread.truth.scored and not thread.under_described for thread in threads)
    assert threads[2].body == ROWS[0]["body"]


def test_csv_and_jsonl_give_the_same_store(tmp_path):
    stores = [
        import_store(write(tmp_path / name, ROWS), tmp_path / f"{name}.db")
        for name in ("a.csv", "a.jsonl")
    ]
    assert store_hash(stores[0]) == store_hash(stores[1])


def test_numbers_are_kept_where_the_table_has_them(table):
    numbered = [row | {"number": number} for row, number in zip(ROWS, (40, 12, 3), strict=True)]
    records = import_table(write(table, numbered))
    assert [record["number"] for record in records] == [3, 12, 40]


def test_numbers_for_some_rows_alone_are_refused(tmp_path):
    path = write(tmp_path / "a.jsonl", [ROWS[0] | {"number": 4}, ROWS[1]])
    with pytest.raises(ValueError, match="some/project: 1 of 2 have no number"):
        import_table(path)


def test_unknown_columns_are_kept(table):
    path = write(table, [row | {"stars": "7", "split": "train"} for row in ROWS])
    assert all(r["extra"] == {"stars": "7", "split": "train"} for r in import_table(path))


@pytest.mark.parametrize("column", ["repo", "created_at", "label", "title", "body"])
def test_a_missing_column_is_named(table, column):
    path = write(table, [{k: v for k, v in row.items() if k != column} for row in ROWS])
    with pytest.raises(ValueError, match=f"column '{column}' is missing"):
        import_table(path)


def test_an_issue_without_a_text_is_read_and_another_null_is_named(tmp_path):
    path = write(tmp_path / "a.jsonl", [ROWS[0] | {"body": None}])
    assert import_table(path)[0]["body"] == ""
    write(path, [ROWS[0] | {"title": None}])
    with pytest.raises(ValueError, match="row 1: column 'title' is null, which body alone may be"):
        import_table(path)


def test_a_short_csv_row_is_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("repo,created_at,label,title,body\na/b,2024-01-01,bug,T\n", "utf-8")
    with pytest.raises(ValueError, match=r"a\.csv, row 1: column 'body' is missing"):
        import_table(path)


def test_an_unknown_label_is_named_with_its_row(table):
    path = write(table, [ROWS[0], ROWS[1] | {"label": "wontfix"}])
    with pytest.raises(ValueError, match=r"row 2: label 'wontfix' is not known"):
        import_table(path)


def test_a_label_map_translates_and_is_checked(table):
    path = write(table, [ROWS[0] | {"label": "T-Defect"}])
    assert import_table(path, label_map={"T-Defect": "bug"})[0]["labels"] == ["bug"]
    with pytest.raises(ValueError, match="label_map gives 'defective'"):
        import_table(path, label_map={"T-Defect": "defective"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"created_at": "last May"}, "row 1: created_at 'last May' is no ISO date"),
        ({"created_at": ""}, "row 1: created_at '' is no ISO date"),
        ({"number": "1.5"}, "row 1: number '1.5' is not a whole number"),
    ],
)
def test_a_wrong_value_is_named_with_its_row(table, change, message):
    with pytest.raises(ValueError, match=message):
        import_table(write(table, [ROWS[0] | change]))


def test_a_line_that_is_no_json_object_is_named(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(ROWS[0]) + "\n\n[1, 2]\n", "utf-8")
    with pytest.raises(ValueError, match=r"a\.jsonl, line 3: '\[1, 2\]' is not a JSON object"):
        import_table(path)


def test_a_line_that_is_no_csv_is_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('repo,created_at,label,title,body\na/b,2024-01-01,bug,T,"x"y\n', "utf-8")
    with pytest.raises(ValueError, match=r"a\.csv, after line 1: not CSV"):
        import_table(path)


def test_another_kind_of_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"expected a name that ends in \.csv or \.jsonl"):
        import_table(tmp_path / "a.parquet")


def test_people_columns_and_texts_hold_no_login_after_import(table, tmp_path):
    private = {"author": "jane-roe", "assignee": "Max-Muster", "note": "mail jane@roe.example"}
    records = import_table(write(table, [ROWS[0] | private]), key=b"k")
    assert records[0]["author"] == pseudonym("jane-roe", b"k")
    assert records[0]["extra"]["assignee"] == pseudonym("max-muster", b"k")
    raw = build_store(records, tmp_path / "a.db", source="import").read_bytes().lower()
    assert not any(word in raw for word in (b"jane", b"muster", b"roe.example"))


@pytest.mark.parametrize(
    ("column", "value", "wanted"),
    [
        ("assignees", ["jane-roe", "max-muster"], ["jane-roe", "max-muster"]),
        ("assignees", [], []),
        ("reporter", "jane-roe", "jane-roe"),
        ("creator", {"login": "Jane-Roe", "id": 3, "html_url": "x/jane-roe"}, "jane-roe"),
        ("user_login", "jane-roe", "jane-roe"),
        ("pr_author", "jane-roe", "jane-roe"),
        ("closing", {"actor": "jane-roe"}, {"actor": "jane-roe"}),
        ("Username", "", ""),
    ],
)
def test_every_column_of_people_is_hashed_item_by_item(tmp_path, column, value, wanted):
    def hashed(part):
        if isinstance(part, dict):
            return {name: hashed(inner) for name, inner in part.items()}
        return list(map(hashed, part)) if isinstance(part, list) else part and pseudonym(part, b"k")

    path = write(tmp_path / "a.jsonl", [ROWS[0] | {column: value}])
    record = import_table(path, key=b"k")[0]
    assert record["extra"] == {column: hashed(wanted)}
    assert "author" not in record


def test_only_author_user_or_login_makes_the_author(table):
    people = {"assignee": "max", "closed_by": "eve", "login": "ann", "user": "jane"}
    record = import_table(write(table, [ROWS[0] | people]), key=b"k")[0]
    assert record["author"] == pseudonym("jane", b"k")
