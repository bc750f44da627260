"""People as keyed hashes: pseudonyms, their key, and the check that refuses a login."""

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path
from typing import Any

from env_lib.envs.triage.new_file import new_file
from env_lib.paths import DATA

KEY_VARIABLE = "MAINTAINER_GYM_KEY"

_PSEUDONYM = re.compile(r"[0-9a-f]{10}")


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
        temporary = new_file(path)
        temporary.write_text(secrets.token_hex(32), "utf-8")
        temporary.replace(path)
    return path.read_bytes().strip()


def checked_person(person: Any, where: str) -> str | None:
    """The same person; ValueError, beginning with `where`, for what is not a pseudonym or None."""
    if person is not None and not _PSEUDONYM.fullmatch(str(person)):
        raise ValueError(f"{where}: author or assignee is not a pseudonym, use pseudonym()")
    return person
