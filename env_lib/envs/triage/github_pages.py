"""The page cache of a pull: raw pages with their ETags, and a cursor that makes it resumable.

    cache/cursor.json        repository, start of the window, pages done in the pull under way
    cache/issues-0001.json   one page as GitHub sent it: url, etag, next, rows
    cache/.gitignore         raw pages hold logins and are never to be committed

A page is written before the cursor counts it, both to a temporary name that is then renamed, so an
interruption at any moment costs at most one request, and that one is answered by its ETag.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from env_lib.envs.triage.github_answers import Page, PullConfig, PullError

CACHE_FORMAT = 1


class PageCache:
    """Pages of one repository on disk, and how far the pull under way has come."""

    def __init__(self, folder: Path, cursor: Mapping[str, Any]) -> None:
        """Use `open_cache` or `read_cache` instead."""
        self.folder = folder
        self.cursor = dict(cursor)

    @property
    def repo(self) -> str:
        """Repository as owner/name."""
        return str(self.cursor["repo"])

    @property
    def since(self) -> str:
        """Start of the window, ISO 8601 in UTC."""
        return str(self.cursor["since"])

    def done(self, name: str) -> int:
        """Pages of a listing that the pull under way has already settled."""
        return int(self.cursor["done"].get(name, 0))

    def page(self, name: str, number: int) -> Page | None:
        """Read a stored page, None where there is none."""
        path = self._path(name, number)
        if not path.is_file():
            return None
        raw = json.loads(path.read_text("utf-8"))
        return Page(raw["url"], tuple(raw["rows"]), raw["etag"], raw["next"])

    def keep(self, name: str, number: int, page: Page | None) -> None:
        """Settle a page: store it where it is new, count it in the cursor."""
        if page is not None:
            content = {"url": page.url, "etag": page.etag, "next": page.next, "rows": page.rows}
            write_json(self._path(name, number), content)
        self.cursor["done"][name] = max(number, self.done(name))
        self._save()

    def trim(self, name: str, last: int) -> None:
        """Drop pages past the last one: left over from a longer earlier listing."""
        for path in self.folder.glob(f"{name}-*.json"):
            if int(path.stem.rpartition("-")[2]) > last:
                path.unlink()

    def finish(self) -> None:
        """Mark the pull as complete: the next one asks for every page again, by ETag."""
        self.cursor["complete"] = True
        self._save()

    def rows(self, name: str) -> Iterator[Mapping[str, Any]]:
        """Every row of a listing once, by id: pages overlap where rows moved during the pull."""
        seen: set[int] = set()
        for path in sorted(self.folder.glob(f"{name}-*.json")):
            for row in json.loads(path.read_text("utf-8"))["rows"]:
                if row["id"] not in seen:
                    seen.add(row["id"])
                    yield row

    def _path(self, name: str, number: int) -> Path:
        return self.folder / f"{name}-{number:04d}.json"

    def _save(self) -> None:
        write_json(self.folder / "cursor.json", self.cursor)


def open_cache(folder: Path, config: PullConfig, now: float) -> PageCache:
    """Open or create the cache of a pull: resume an unfinished one, else begin anew.

    The window starts on the first of a month, so that addresses, and with them the ETags, stay the
    same until the month changes. Raises PullError where the folder belongs to another repository.
    """
    wanted = {"repo": config.repo, "months": config.months, "per_page": config.per_page}
    fresh = {
        "format": CACHE_FORMAT,
        **wanted,
        "since": window_start(now, config.months),
        "complete": False,
        "done": {},
    }
    if (folder / "cursor.json").is_file():
        cache = read_cache(folder)
        if cache.repo.lower() != config.repo.lower():
            raise PullError(
                f"cache {folder} holds pages of {cache.repo}, not of {config.repo}: "
                "give each repository a folder of its own"
            )
        if not cache.cursor["complete"] and all(cache.cursor[k] == wanted[k] for k in wanted):
            return cache
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", "utf-8")
    cache = PageCache(folder, fresh)
    cache._save()
    return cache


def read_cache(folder: Path) -> PageCache:
    """Open the cache of an earlier pull; raises PullError where there is none of this format."""
    path = folder / "cursor.json"
    if not path.is_file():
        raise PullError(f"{folder} holds no pull (cursor.json is missing): call pull() first")
    cursor = json.loads(path.read_text("utf-8"))
    if cursor.get("format") != CACHE_FORMAT:
        raise PullError(
            f"{path} has format {cursor.get('format')}, expected {CACHE_FORMAT}: "
            "delete the folder and pull again"
        )
    return PageCache(folder, cursor)


def window_start(now: float, months: int) -> str:
    """First day of the month that lies `months` months before the one of `now`."""
    today = datetime.fromtimestamp(now, UTC)
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    return f"{year:04d}-{month + 1:02d}-01T00:00:00Z"


def write_json(path: Path, value: object) -> None:
    """Write to a temporary name in the same folder, then rename."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    temporary.replace(path)
