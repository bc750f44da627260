"""The bundled facts, `data/triage/*.jsonl`, and the default store that is built from them."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from env_lib.envs.triage.store_records import check_record
from env_lib.envs.triage.store_schema import StoreError
from env_lib.paths import DATA

BUNDLED = "bundled"


def bundled_files() -> list[Path]:
    """The files of the facts by name."""
    return sorted((DATA / "triage").glob("*.jsonl"))


def bundled_records() -> list[dict[str, Any]]:
    """The bundled facts, in the order of their files; a bad line raises with file and line."""
    records = []
    for path in bundled_files():
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


def origin_hash() -> str:
    """Hash of the bundled files (hex sha256)."""
    return _hash_of(tuple((path, *stamp(path)) for path in bundled_files()))


@lru_cache(maxsize=8)
def _hash_of(files: tuple[tuple[Path, int, int], ...]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path, *_ in files)).hexdigest()


def stamp(path: Path) -> tuple[int, int]:
    """What changes when a file does: time of change in ns, and size in bytes."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size
