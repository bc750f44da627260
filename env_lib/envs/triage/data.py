"""What notebook 01 asks of a duty: `build` its data, and `tables` that show what is there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from env_lib.envs.triage.facts import default_store
from env_lib.envs.triage.store import open_store, store_hash
from env_lib.envs.triage.threads import load_threads

if TYPE_CHECKING:
    import pandas as pd

SPLITS = ("train", "val", "test")


def build(live_repo: str = "", months: int = 6) -> dict[str, Any]:
    """Bring the default store up to date; with `live_repo` (owner/name) add a live pull to it.

    The bundled facts need no network. A pull keeps its pages beside the store, resumes where it
    was stopped, and run twice changes nothing.

    Returns:
        threads, repositories, the content's hash and, after a pull, its report.
    """
    report: dict[str, Any] = {}
    if live_repo:
        from env_lib.envs.triage.github import PullConfig, pull_into_store

        cache = default_store().parent / "cache" / live_repo.replace("/", "__")
        open_store().close()
        done = pull_into_store(PullConfig(live_repo, months=months), cache, default_store())
        report["pull"] = vars(done)
    threads = load_threads()
    repositories = sorted({thread.repo for thread in threads})
    return {
        "threads": len(threads),
        "repositories": repositories,
        "hash": store_hash(),
    } | report


def validate() -> list[str]:
    """Return what is wrong with the store."""
    scored = {thread.split for thread in load_threads() if thread.truth.scored}
    return [f"no scored thread in split {split!r}" for split in SPLITS if split not in scored]


def tables() -> dict[str, pd.DataFrame]:
    """Return `splits` (threads by repository) and `truth` (the maintainers' action by split).

    `scored` counts the threads whose outcome the facts show, which alone enter episodes.
    """
    import pandas as pd

    threads = load_threads()
    rows = []
    for repo in sorted({thread.repo for thread in threads}):
        for split in SPLITS:
            some = [t for t in threads if (t.repo, t.split) == (repo, split)]
            kinds = Counter(t.kind for t in some)
            scored = sum(t.truth.scored for t in some)
            rows.append(
                {
                    "repository": repo,
                    "split": split,
                    **kinds,
                    "threads": len(some),
                    "scored": scored,
                }
            )
    seen = [(t.truth.action, t.truth.source, t.split) for t in threads if t.truth.scored]
    truth = pd.DataFrame(seen, columns=["action", "source", "split"])
    counts = truth.groupby(["action", "source"])["split"].value_counts().unstack(fill_value=0)
    return {
        "splits": pd.DataFrame(rows),
        "truth": counts.reindex(columns=list(SPLITS), fill_value=0),
    }
