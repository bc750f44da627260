"""The thread store of the triage duty: one SQLite file, and the gate that private data cannot pass.

World: threads of public repositories, from the bundled facts (`data/triage/*.jsonl`), a live pull
or an imported table. All of them enter through `build_store` or `upsert`, which check every record,
scrub every text and refuse an author that is not a pseudonym. The store holds facts alone; truth
(`truth.py`) and split are computed when threads are loaded, so a changed rule needs no new store.

The file is written under a temporary name and renamed, and left untouched where it already holds
the same content. It is built anew from the bundled facts when it is missing, or when it was built
from them and they have changed since.

Not covered: names and logins written without `@`, a link or a path around them.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from env_lib.envs.triage.truth import LABELS, Truth, truth_of, under_described
from env_lib.paths import DATA

SCHEMA_VERSION = 1
KEY_VARIABLE = "MAINTAINER_GYM_KEY"
BUNDLED = "bundled"
KINDS = ("issue", "pull_request")
STATES = ("open", "closed", "merged")

Rows = dict[str, list[tuple[Any, ...]]]


class StoreError(RuntimeError):
    """A store file that cannot be used as it is; the message says what to run."""


# Privacy --------------------------------------------------------------------------------------

_OWN = r"(?:huggingface/(?:peft|trl)|unslothai/unsloth)"
_OWN_PAGE = re.compile(
    rf"https?://github\.com/{_OWN}(?![\w-])(?:/(?:issues|pull|discussions)/\d+)?", re.I
)
_LINK = re.compile(
    r"(?:[a-z][a-z\d+.-]{1,20}://|www\.|git@"
    r"|(?<![\w.-])(?:[\w-]{1,63}\.){1,8}(?:ai|app|co|com|de|dev|edu|gg|io|me|net|org|space|xyz)/"
    r"|(?<![\w-])[\w-]{1,63}\.(?:github\.io|hf\.space)\b)[^\s<>()\[\]\"'`]*",
    re.I,
)
# Lengths are bounded so that no text takes longer than in proportion to its size.
# A pair a/b is a hub id, unless it is a file or both halves are words of the trade or sizes: a
# name that slips through identifies somebody, a lost "foo/bar" costs a little retrieval.
_PAIR = re.compile(
    r"(?<![\w./@])([A-Za-z\d][\w.-]{0,95})/([A-Za-z\d][\w-]*(?:\.[\w-]+)*)(?![\w/-])"
)
_FILE = re.compile(r"[\w.-]+\.(?:cpp|csv|cu|ipynb|jsonl?|md|py|sh|toml|txt|ya?ml)", re.I)
_SIZE = re.compile(
    r"(?:[ahltv]|fp|bf|nf|u?int|float|conv|zero|cuda|stage|py)?-?\d[\d.]*"
    r"(?:-?bit|[bdkmsx]|gb)?",
    re.I,
)
_WORDS = frozenset(
    """
    a absmax accelerate adapter after amd and backward base batch before benchmarks bitsandbytes
    bug cd chosen ci cli commands completion conda config configs cpu cuda data dataset decode
    decoder deepspeed desirable disk docs dpo embed_tokens encode encoder eval examples export
    feature forward fsdp gkd gpu grad grpo higher ia3 import in init input issue jax key kl kto
    label layers left linux lm_head load local loftq loha lokr lora loss lower macos max merge min
    models mps nan no notebooks npu off olora on online or orpo out output peft pip pissa policy
    ppo pr prefix prompt python pytorch qlora query question read ref reference rejected release
    reward right rloo rocm save scripts sft source src target tensorflow test tests text tokenizer
    torch tpu train trainer training transformers triton trl tuners undesirable unsloth utils val
    valid validation value vllm weight weights windows with without write xpu yes zero
    """.split()  # noqa: SIM905 - words read better as a text
)
_AT = r"(?:\s*[\[({]\s*at\s*[\])}]\s*|@|%40)"
_DOT = r"(?:\.|\s*[\[({]\s*dot\s*[\])}]\s*)"
_REVISION = r"(?:v?\d[\w.]*|main|master|dev|[\da-f]{7,40})(?![\w:-])"
_SECRETS = (
    r"(?<![a-z\d])(?:gh[opsur]_[a-z\d]{10,}|github_pat_\w{10,}|hf_[a-z\d]{20,}"
    r"|sk-(?=[\w-]{0,80}\d)[\w-]{16,}|(?:akia|asia)[a-z\d]{16}|aiza[\w-]{30,}"
    r"|(?:glpat|xox[abeprs]|pypi)-[\w-]{10,}|eyj[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
)
_NAMED_SECRET = (
    r"((?:api[_-]?key|secret(?:[_-]?key)?|passw(?:or)?d|(?:access|auth|hf|hub|bearer)[_-]?token)"
    r"[\"']?\s*[=:]\s*[\"']?)[\w./+=-]{8,}"
)
_BEFORE_PAIRS = (
    (r"(?m)^[ \t]*[\w-]+-by:[^\n]*", "<trailer>"),
    (
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        "<token>",
    ),
    (_SECRETS, "<token>"),
    (_NAMED_SECRET, r"\1<token>"),
    (r"((?:/home|/users|[a-z]:\\users)[/\\])[\w.@-]+", r"\1user"),
    (r"\b(?:models|datasets|spaces)(?:--[\w.-]+|/[\w.-]+/[\w.-]+)", "<hub-id>"),
)
_AFTER_PAIRS = (
    (rf"(?<![\w.+%-])[\w.+%-]+{_AT}[\w-]+(?:{_DOT}[\w-]+)*{_DOT}[a-z]{{2,}}\b", "<email>"),
    (rf"(?<![\w.-])[\w.-]*\w@(?!{_REVISION})[\w.-]+", "<email>"),
    (r"(?<!\w)@[a-z\d][\w-]*(?:/[\w.-]+)?(?:\[bot\])?", "@user"),
)
_BEFORE = tuple((re.compile(pattern, re.I), to) for pattern, to in _BEFORE_PAIRS)
_AFTER = tuple((re.compile(pattern, re.I), to) for pattern, to in _AFTER_PAIRS)
_LOOKALIKES = {0xFF20: "@", **dict.fromkeys((0x200B, 0x200C, 0x2060, 0xFEFF))}
_PSEUDONYM = re.compile(r"[0-9a-f]{10}")


def _link(found: re.Match[str]) -> str:
    own = _OWN_PAGE.match(found.group())
    return own.group() if own else "<link>"


def _pair(found: re.Match[str]) -> str:
    halves = found.groups()
    plain = all(half.lower() in _WORDS or _SIZE.fullmatch(half) for half in halves)
    own = re.fullmatch(_OWN, found.group(), re.I)
    return found.group() if own or plain or any(map(_FILE.fullmatch, halves)) else "<hub-id>"


def scrub(text: str) -> str:
    """Text without e-mail addresses, tokens, links, @logins, hub ids and home folders.

    Each is replaced by a mark such as `<email>`; links to threads of the three repositories stay.
    Scrubbing twice changes nothing.
    """
    before, after = text, _scrub_once(text.translate(_LOOKALIKES))
    while after != before:  # what is left between two marks can make a new match
        before, after = after, _scrub_once(after)
    return after


def _scrub_once(text: str) -> str:
    for pattern, to in _BEFORE:
        text = pattern.sub(to, text)
    text = _PAIR.sub(_pair, _LINK.sub(_link, text))
    for pattern, to in _AFTER:
        text = pattern.sub(to, text)
    return text


def pseudonym(login: str, key: bytes) -> str:
    """Keyed hash of a login, 10 hex digits; the same login and key give the same one."""
    if not key or not login.strip():
        raise ValueError(f"login {login!r} needs a name and a key that is not empty")
    return hmac.new(key, login.strip().casefold().encode(), hashlib.sha256).hexdigest()[:10]


def ingestion_key(folder: Path | None = None) -> bytes:
    """The key of `pseudonym`: from MAINTAINER_GYM_KEY, else a random one kept beside the store.

    The kept one is `pseudonym.key`, which git ignores; losing it means new pseudonyms.
    """
    if named := os.environ.get(KEY_VARIABLE):
        return named.encode()
    path = (folder or DATA / "triage") / "pseudonym.key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(path)
        temporary.write_text(secrets.token_hex(32), "utf-8")
        temporary.replace(path)
    return path.read_bytes().strip()


def _temporary(path: Path) -> Path:
    """A new empty file beside `path`, readable by its owner alone."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    os.close(handle)
    return Path(name)


# Tables ---------------------------------------------------------------------------------------

_MAINTAINER_FIELDS = (
    *("asked_for_info", "answered", "duplicate_of"),
    *("fixed_by", "closed_as", "merged"),
)
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE issues (
    repo TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    created_at TEXT, title TEXT NOT NULL, body TEXT NOT NULL, category TEXT, author TEXT,
    has_repro BOOLEAN, has_versions BOOLEAN, has_traceback BOOLEAN,
    asked_for_info BOOLEAN, answered BOOLEAN, duplicate_of INTEGER, fixed_by INTEGER,
    closed_as TEXT, merged BOOLEAN, assignees TEXT NOT NULL, evidence TEXT NOT NULL,
    state_verified BOOLEAN NOT NULL, extra TEXT NOT NULL,
    PRIMARY KEY (repo, number)) WITHOUT ROWID;
CREATE TABLE labels (
    repo TEXT NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL, label TEXT NOT NULL,
    PRIMARY KEY (repo, number, position),
    FOREIGN KEY (repo, number) REFERENCES issues) WITHOUT ROWID;
CREATE TABLE comments (
    repo TEXT NOT NULL, number INTEGER NOT NULL, id INTEGER NOT NULL, author TEXT,
    association TEXT, created_at TEXT, body TEXT NOT NULL,
    PRIMARY KEY (repo, number, id), FOREIGN KEY (repo, number) REFERENCES issues) WITHOUT ROWID;
CREATE TABLE events (
    repo TEXT NOT NULL, number INTEGER NOT NULL, id INTEGER NOT NULL, author TEXT,
    event TEXT NOT NULL, label TEXT, created_at TEXT, detail TEXT,
    PRIMARY KEY (repo, number, id), FOREIGN KEY (repo, number) REFERENCES issues) WITHOUT ROWID;
CREATE TABLE contributors (
    repo TEXT NOT NULL, author TEXT NOT NULL, merged_prs INTEGER, threads INTEGER,
    first_seen TEXT, reputation REAL, PRIMARY KEY (repo, author)) WITHOUT ROWID;
CREATE INDEX issues_by_author ON issues (repo, author);
"""


class _Table(NamedTuple):
    columns: tuple[str, ...]
    key: tuple[str, ...]
    flags: tuple[str, ...]


@lru_cache(maxsize=1)
def _layout() -> dict[str, _Table]:
    """Columns, primary key and BOOLEAN columns of every table but `meta`, from the schema."""
    layout = {}
    with closing(sqlite3.connect(":memory:")) as store:
        store.executescript(_SCHEMA)
        for table in ("issues", "labels", "comments", "events", "contributors"):
            info = store.execute(f"PRAGMA table_info({table})").fetchall()
            key = sorted((place, name) for _, name, _, _, _, place in info if place)
            layout[table] = _Table(
                columns=tuple(name for _, name, *_ in info),
                key=tuple(name for _, name in key),
                flags=tuple(name for _, name, kind, *_ in info if kind == "BOOLEAN"),
            )
    return layout


def check_record(record: Mapping[str, Any], where: str = "") -> None:
    """Raise ValueError, beginning with `where`, for the first field that a record has wrong."""
    needed = ("repo", "number", "kind", "state", "title")
    wrong = ""
    if missing := [key for key in needed if key not in record]:
        wrong = f"field {missing[0]!r} is missing"
    elif not re.fullmatch(r"[\w.-]+/[\w.-]+", str(record["repo"])):
        wrong = f"repo {record['repo']!r} is not of the form owner/name"
    elif type(record["number"]) is not int or record["number"] < 1:
        wrong = f"number {record['number']!r} is not a positive integer"
    elif record["kind"] not in KINDS or record["state"] not in STATES:
        wrong = f"kind {record['kind']!r}, state {record['state']!r} not of {KINDS}, {STATES}"
    elif record.get("category") not in (None, *LABELS):
        wrong = f"category {record['category']!r} is not one of {LABELS}"
    elif not isinstance(record["title"], str) or not isinstance(record.get("body") or "", str):
        wrong = "title and body must be strings"
    elif not _is_date(record.get("created_at")):
        wrong = f"created_at {record['created_at']!r} is no ISO date, as 2024-05-31, nor null"
    if wrong:
        name = f"{record.get('repo')}#{record.get('number')}"
        raise ValueError(f"{where or name}: {wrong}")


def _is_date(value: Any) -> bool:
    """None or an ISO date or date and time."""
    try:
        return value is None or bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False


def _clean(value: Any) -> Any:
    """A JSON value with every text in it scrubbed, keys of objects included."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        return {scrub(str(key)): _clean(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_clean(item) for item in value]
    return value


def _checked_person(person: Any, where: str) -> str | None:
    if person is not None and not _PSEUDONYM.fullmatch(str(person)):
        raise ValueError(f"{where}: author or assignee is not a pseudonym, use pseudonym()")
    return person


def _issue_row(record: Mapping[str, Any]) -> tuple[Any, ...]:
    check_record(record)
    where = f"{record['repo']}#{record['number']}"
    columns, _, flags = _layout()["issues"]
    row = {key: record.get(key) for key in columns}
    row |= {key: _clean(row[key]) for key in ("title", "body", "evidence")}
    row |= {key: _clean((record.get("maintainer") or {}).get(key)) for key in _MAINTAINER_FIELDS}
    row |= {key: None if (flag := row[key]) is None else int(flag) for key in flags}
    known = {*columns, "labels", "maintainer"}
    extra = dict(record.get("extra") or {}) | {k: v for k, v in record.items() if k not in known}
    row["author"] = _checked_person(record.get("author"), where)
    row["assignees"] = _json([_checked_person(x, where) for x in record.get("assignees") or ()])
    row["extra"] = _json(_clean(extra))
    row["body"], row["evidence"] = row["body"] or "", row["evidence"] or ""
    row["state_verified"] = 1 if row["state_verified"] is None else row["state_verified"]
    return tuple(row[key] for key in columns)


def _plain_row(table: str, entry: Mapping[str, Any]) -> tuple[Any, ...]:
    columns, key, _ = _layout()[table]
    where = f"{table} entry {[entry.get(name) for name in key]}"
    if unknown := set(entry) - set(columns):
        raise ValueError(f"{where}: unknown {sorted(unknown)}, the fields are {columns}")
    row = {name: _clean(entry.get(name)) for name in columns} | {"repo": entry["repo"]}
    row["author"] = _checked_person(entry.get("author"), where)
    return tuple(row[name] for name in columns)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _sorted_once(table: str, rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows by key; a key that comes twice raises."""
    columns, names, _ = _layout()[table]
    at = [columns.index(name) for name in names]
    by_key: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in rows:
        key = tuple(row[i] for i in at)
        if key in by_key:
            raise ValueError(f"{table}: {key} comes twice, each is to come once")
        by_key[key] = row
    return [by_key[key] for key in sorted(by_key)]


def _tables(
    records: Iterable[Mapping[str, Any]], others: Mapping[str, Iterable[Mapping[str, Any]]]
) -> Rows:
    """The rows of all tables in their order; remarks on threads that are not there are left out."""
    records = list(records)
    rows: Rows = {"issues": _sorted_once("issues", map(_issue_row, records))}
    rows["labels"] = sorted(
        (record["repo"], record["number"], position, scrub(label))
        for record in records
        for position, label in enumerate(record.get("labels") or ())
    )
    there = {row[:2] for row in rows["issues"]}
    for table, entries in others.items():
        kept = (
            entry
            for entry in entries
            if table == "contributors" or (entry["repo"], entry["number"]) in there
        )
        rows[table] = _sorted_once(table, (_plain_row(table, entry) for entry in kept))
    return rows


def _digest(rows: Rows) -> str:
    state = hashlib.sha256()
    for table in _layout():
        state.update(_json([table, rows[table]]).encode())
    return state.hexdigest()


# Writing --------------------------------------------------------------------------------------


def build_store(
    records: Iterable[Mapping[str, Any]],
    path: Path,
    *,
    source: str,
    contributors: Iterable[Mapping[str, Any]] = (),
    comments: Iterable[Mapping[str, Any]] = (),
    events: Iterable[Mapping[str, Any]] = (),
    origin: str = "",
) -> Path:
    """Write a store of exactly these records; the same input leaves an equal file untouched.

    `source` names where they come from, `origin` is a hash of the files they were read from.
    Comments and events of threads that are not among the records are left out. Raises ValueError
    for a wrong record, a key that comes twice, and an author that is not a pseudonym.
    """
    others = {"comments": comments, "events": events, "contributors": contributors}
    rows = _tables(records, others)
    meta = {
        "schema_version": str(SCHEMA_VERSION),
        "source": source,
        "origin": origin,
        "content_hash": _digest(rows),
    }
    path = Path(path)
    if _meta(path) == meta:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    try:
        _write(temporary, rows, meta)
        temporary.chmod(0o644)  # another user may run what one user built
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _write(path: Path, rows: Rows, meta: Mapping[str, str]) -> None:
    with closing(sqlite3.connect(path)) as store, store:
        for pragma in ("foreign_keys = ON", "journal_mode = OFF", "synchronous = OFF"):
            store.execute(f"PRAGMA {pragma}")
        store.executescript(_SCHEMA)
        store.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
        for table, layout in _layout().items():
            marks = ", ".join("?" * len(layout.columns))
            store.executemany(f"INSERT INTO {table} VALUES ({marks})", rows[table])


def upsert(
    records: Iterable[Mapping[str, Any]],
    path: Path,
    *,
    source: str,
    contributors: Iterable[Mapping[str, Any]] = (),
    comments: Iterable[Mapping[str, Any]] = (),
    events: Iterable[Mapping[str, Any]] = (),
) -> Path:
    """Add to a store, or replace what has the same key; run twice it changes nothing.

    A store that does not exist is built. Raises as `build_store` does.
    """
    path = Path(path)
    new = {
        "issues": list(records),
        "comments": list(comments),
        "events": list(events),
        "contributors": list(contributors),
    }
    merged: dict[str, list[Mapping[str, Any]]] = {}
    with closing(open_store(path) if path.exists() else sqlite3.connect(":memory:")) as store:
        for table, entries in new.items():
            old = _read(store, table) if path.exists() else []
            key = _layout()[table].key
            by_key = {tuple(entry[name] for name in key): entry for entry in [*old, *entries]}
            merged[table] = list(by_key.values())
    return build_store(
        merged["issues"],
        path,
        source=source,
        contributors=merged["contributors"],
        comments=merged["comments"],
        events=merged["events"],
    )


# Reading --------------------------------------------------------------------------------------


def _bundled_files() -> list[Path]:
    return sorted((DATA / "triage").glob("*.jsonl"))


def bundled_records() -> list[dict[str, Any]]:
    """The bundled facts, in the order of their files; a bad line raises with file and line."""
    records = []
    for path in _bundled_files():
        for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            where = f"{path.name}, line {line}"
            try:
                record = json.loads(text)
            except json.JSONDecodeError as error:
                raise ValueError(f"{where}: not a JSON object ({error})") from error
            check_record(record, where)
            records.append(record)
    if not records:
        raise StoreError(f"no facts in {DATA / 'triage'}: expected peft.jsonl, trl.jsonl, …")
    return records


def default_store() -> Path:
    """Where the store lies when no path is given: `data/triage/repo.db`."""
    return DATA / "triage" / "repo.db"


def _origin() -> str:
    """Hash of the bundled files (hex sha256)."""
    return _hash_of(tuple((path, *_stamp(path)) for path in _bundled_files()))


@lru_cache(maxsize=8)
def _hash_of(files: tuple[tuple[Path, int, int], ...]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path, *_ in files)).hexdigest()


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when a file does: time of change in ns, and size in bytes."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def _meta(path: Path) -> dict[str, str]:
    """The `meta` table, empty where the file is missing or no store of ours."""
    if not path.is_file():
        return {}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as store:
            return dict(store.execute("SELECT key, value FROM meta"))
    except sqlite3.DatabaseError:
        return {}


def open_store(path: Path | None = None) -> sqlite3.Connection:
    """A read-only connection whose rows answer to names; without a path, to the default store.

    The default store is built from the bundled facts where it is missing or holds older ones.
    Raises StoreError for a missing file, another schema version or a file that is no store.
    """
    target = Path(path) if path is not None else default_store()
    if path is None and (not target.exists() or _stale(target)):
        build_store(bundled_records(), target, source=BUNDLED, origin=_origin())
    if not target.is_file():
        raise StoreError(f"no store at {target}: build_store, import_store or a pull writes one")
    version = _meta(target).get("schema_version", "none")
    if version != str(SCHEMA_VERSION):
        raise StoreError(
            f"{target} has schema version {version}, expected {SCHEMA_VERSION}: delete the file "
            "and run notebook 01_data_pull (the bundled facts are built by themselves), or import "
            "or pull again"
        )
    store = sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro", uri=True)
    store.row_factory = sqlite3.Row
    store.execute("PRAGMA foreign_keys = ON")
    return store


def _stale(path: Path) -> bool:
    """Built from bundled facts of this schema that have changed since."""
    meta = _meta(path)
    ours = meta.get("source") == BUNDLED and meta.get("schema_version") == str(SCHEMA_VERSION)
    return ours and meta.get("origin") != _origin()


def _read(store: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    """The rows of a table as `build_store` takes them; issues come back as whole records."""
    order = ", ".join(_layout()[table].key)
    rows = [dict(row) for row in store.execute(f"SELECT * FROM {table} ORDER BY {order}")]
    if table != "issues":
        return rows
    flags = _layout()["issues"].flags
    labels = defaultdict(list)
    for repo, number, _, label in store.execute("SELECT * FROM labels ORDER BY 1, 2, 3"):
        labels[repo, number].append(label)
    for row in rows:
        row |= {key: None if row[key] is None else bool(row[key]) for key in flags}
        row["labels"] = labels[row["repo"], row["number"]]
        row["maintainer"] = {key: row.pop(key) for key in _MAINTAINER_FIELDS}
        row |= {key: json.loads(row[key]) for key in ("assignees", "extra")}
    return rows


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread as episodes draw it; truth and split are hidden from policies."""

    repo: str
    """owner/name."""
    number: int
    """Number in its repository; follows time."""
    kind: str
    """One of KINDS."""
    state: str
    """One of STATES."""
    created_at: str | None
    """ISO date or date and time, None where it is not known."""
    title: str
    """Title, scrubbed."""
    body: str
    """Text, scrubbed."""
    labels: tuple[str, ...]
    """The repository's own labels."""
    category: str
    """Recorded type, one of LABELS; empty where none is recorded."""
    under_described: bool
    """A bug, install or performance issue with neither repro, versions nor traceback."""
    author: str | None
    """Pseudonym, None in the bundled facts."""
    truth: Truth
    """What the maintainers did."""
    split: str
    """"train", "val" or "test"."""


def split_of(rank: int, count: int) -> str:
    """Split of the thread at `rank` (0 is the oldest) of `count` in a repository: 70, 15, 15 %."""
    if rank < count * 70 // 100:
        return "train"
    return "val" if rank < count * 85 // 100 else "test"


def _thread(record: Mapping[str, Any], there: set[int], split: str) -> Thread:
    truth = truth_of(record)
    if truth.duplicate_of is not None and truth.duplicate_of not in there:
        truth = replace(truth, scored=False)  # nobody can find a target that the store lacks
    same = ("repo", "number", "kind", "state", "created_at", "title", "body", "author")
    return Thread(
        **{key: record[key] for key in same},
        labels=tuple(record["labels"]),
        category=record["category"] or "",
        under_described=under_described(record),
        truth=truth,
        split=split,
    )


@lru_cache(maxsize=8)
def _load(path: Path, stamp: tuple[int, int]) -> tuple[Thread, ...]:
    del stamp
    by_repo = defaultdict(list)
    with closing(open_store(path)) as store:
        for record in _read(store, "issues"):
            by_repo[record["repo"]].append(record)
    threads = []
    for _, records in sorted(by_repo.items()):
        there = {record["number"] for record in records}
        for rank, record in enumerate(records):
            threads.append(_thread(record, there, split_of(rank, len(records))))
    return tuple(threads)


def load_threads(path: Path | None = None) -> tuple[Thread, ...]:
    """All threads of a store by repository and number, read once for each state of the file.

    A duplicate whose target the store does not hold is not scored. Raises as `open_store` does.
    """
    open_store(path).close()
    target = Path(path) if path is not None else default_store()
    return _load(target.resolve(), _stamp(target))


def store_hash(path: Path | None = None) -> str:
    """Hash of a store's content (hex sha256), which tables record beside their numbers."""
    with closing(open_store(path)) as store:
        found = store.execute("SELECT value FROM meta WHERE key = 'content_hash'").fetchone()
    return str(found["value"])


def contributor_rows(
    path: Path | None = None, repo: str | None = None
) -> dict[str, dict[str, Any]]:
    """Contributors by pseudonym, empty for the bundled facts.

    Each holds repo, author, merged_prs, threads, first_seen, and the hidden reputation in [0, 1].
    Raises ValueError where somebody is known in several repositories and `repo` names none.
    """
    with closing(open_store(path)) as store:
        rows = [row for row in _read(store, "contributors") if repo in (None, row["repo"])]
    by_author = {row["author"]: row for row in rows}
    if len(by_author) < len(rows):
        raise ValueError(f"repo={repo}: authors known in several repositories, name one of them")
    return by_author
