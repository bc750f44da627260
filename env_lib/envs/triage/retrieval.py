"""The most similar known threads, by BM25 (bm25s) within a repository, older threads only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from env_lib.envs.triage.threads import Thread

_WORD = re.compile(r"[a-z][a-z0-9_]{2,}")
NEIGHBOURS = 3

Hit = tuple[int, str, float]
"""Number, title, BM25 score of a known thread."""


def tokens(text: str) -> list[str]:
    """Lower-case words of three characters and more."""
    return _WORD.findall(text.lower())


class Index:
    """BM25 over the titles (twice) and bodies of one repository's threads, by number."""

    def __init__(self, threads: Sequence[Thread]) -> None:
        """Index threads of one repository; `threads` is sorted by number."""
        self.threads = tuple(sorted(threads, key=lambda thread: thread.number))

    @cached_property
    def _model(self) -> Any:
        import logging

        import bm25s

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it logs every index at DEBUG
        model = bm25s.BM25()
        model.index(
            [tokens(f"{t.title} {t.title} {t.body}") for t in self.threads], show_progress=False
        )
        return model

    @cached_property
    def _numbers(self) -> Any:
        import numpy as np

        return np.array([thread.number for thread in self.threads])

    def similar(self, title: str, body: str, before: int) -> tuple[Hit, ...]:
        """Return up to three threads numbered below `before`, best first, scores above 0."""
        import numpy as np

        query = [word for word in tokens(f"{title} {body}") if word in self._model.vocab_dict]
        older = int(np.searchsorted(self._numbers, before))
        if not query or not older:
            return ()
        scores = self._model.get_scores(query)[:older]
        best = np.argsort(-scores, kind="stable")[:NEIGHBOURS]
        return tuple(
            (self.threads[i].number, self.threads[i].title, round(float(scores[i]), 1))
            for i in best
            if scores[i] > 0
        )
