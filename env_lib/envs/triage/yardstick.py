"""Outside yardstick: issue types on an import of the public NLBSE'24 set (train and test files).

The measure is that of the competition: F1 averaged over bug, feature and question within each
project, then over projects [@kallis2024nlbse]. The set is not bundled; its two CSV files load with
`import_table`; `python -m env_lib evaluate triage --yardstick TRAIN.csv TEST.csv` scores them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from env_lib.envs.triage.importer import import_table

TYPES = ("bug", "feature", "question")
PUBLISHED = {"fastText": 0.718, "RoBERTa": 0.792, "SetFit": 0.824}
"""Published mean F1 [@kallis2024nlbse], on the set's own split."""

Record = Mapping[str, Any]
Classifier = Callable[[Sequence[Record], Sequence[Record]], list[str]]
"""From training records and test records to one type a test record."""


def text_of(record: Record) -> str:
    """The text that is classified: the title twice, then the body."""
    return f"{record['title']} {record['title']} {record['body']}"


def tfidf(train: Sequence[Record], test: Sequence[Record]) -> list[str]:
    """Classic control: TF-IDF and logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)),
        LogisticRegression(C=10.0, max_iter=1000),
    )
    model.fit([text_of(r) for r in train], [r["category"] for r in train])
    return [str(label) for label in model.predict([text_of(r) for r in test])]


def yardstick(train: Path | str, test: Path | str, classify: Classifier = tfidf) -> dict[str, Any]:
    """Train on one export, classify the other, and score a project at a time.

    Returns `macro_f1`, `by_repo`, `threads` (of the test file) and `published`.

    Raises:
        ValueError: a test project has no training rows, or a label outside `TYPES` is in the set.
    """
    from sklearn.metrics import f1_score

    known, asked = import_table(train), import_table(test)
    if odd := [r for r in [*known, *asked] if r["category"] not in TYPES]:
        raise ValueError(f"label {odd[0]['category']!r} in {odd[0]['repo']}; known: {TYPES}")
    scores = {}
    for repo in sorted({record["repo"] for record in asked}):
        own = [r for r in known if r["repo"] == repo]
        if not own:
            raise ValueError(f"no training rows of {repo!r}; the two files hold the same projects")
        rows = [r for r in asked if r["repo"] == repo]
        found = classify(own, rows)
        truth = [r["category"] for r in rows]
        scores[repo] = float(
            f1_score(truth, found, labels=list(TYPES), average="macro", zero_division=0)
        )
    mean = sum(scores.values()) / len(scores)
    return {"macro_f1": mean, "by_repo": scores, "threads": len(asked), "published": PUBLISHED}
