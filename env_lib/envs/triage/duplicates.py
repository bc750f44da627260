"""Honest duplicates: another user reports a known bug again, in other words.

The names that identify the bug stay (identifiers, error names, models); synonyms are exchanged,
clauses and sentences change their order, and the environment is the second user's own: other
versions, another machine. Nothing that is said contradicts the first report.

Not covered: duplicates that describe another symptom of the same cause.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Protocol

from env_lib.envs.triage.spam_grammar import Corpus
from env_lib.envs.triage.spam_pieces import (
    Piece,
    Segments,
    capital,
    content_words,
    fit,
    load_data,
    pick,
    plain,
    sentences_of,
)
from env_lib.envs.triage.spam_writer import BODY_CHARS, TITLE_CHARS

_NOT_OWN = re.compile(r" \((?=[^()]*\d\.\d)[^()]*\)")
"""The first user's versions in brackets."""
_CROSS_REFERENCE = re.compile(r"#\d+|\b(?:PR|issue) \d+|^Same ")
_RUNS_ON = re.compile(
    r" and |, |: |\b(?:fails|breaks|works?|raises|gives|hangs|stops|does|is|are|ends|crashes|has|"
    r"runs|"
    r"gets|leads?|stays?|makes?|leaves?|needs?|returns?)\b"
)
"""What a part that is moved to the front must not hold."""
_CLAUSES = ("when", "while", "after", "although", "since", "because")
_PHRASES = (*_CLAUSES, "with", "under", "without", "in", "on", "for")
_OPENINGS = (
    "Happens {} too",
    "Seen {}",
    "Environment: {}",
    "The run was {}",
    "Met {}",
    "Reproduced {}",
    "Shows up {}",
)


class Reported(Protocol):
    """What is read of the thread that is reported again."""

    @property
    def repo(self) -> str:
        """Owner and name."""
        ...

    @property
    def title(self) -> str:
        """Title."""
        ...

    @property
    def body(self) -> str:
        """Text."""
        ...


def can_be_repeated(thread: Reported) -> bool:
    """Tells whether a thread says enough to be reported again in other words."""
    return bool(sentences_of(thread.body)) and len(content_words(thread.title)) >= 2


def duplicate_report(rng: random.Random, corpus: Corpus, thread: Reported) -> tuple[str, str]:
    """Reports a thread's bug again in other words.

    Args:
        rng: source of chance, the only state that is used.
        corpus: vocabulary; it need not hold the thread.
        thread: the first report, best one that ``can_be_repeated``.

    Returns:
        Title (at most 88 characters) and body (at most 280).

    Raises:
        KeyError: the corpus has no thread of that repository.
    """
    package = corpus.words(thread.repo).package
    title = _title(rng, corpus, thread.title)
    told = [_NOT_OWN.sub("", text) for text in sentences_of(thread.body)]
    own = [text for text in told if not _CROSS_REFERENCE.search(text)] or told
    said = [_sentence(rng, corpus, text) for text in own]
    rng.shuffle(said)
    if len(said) > 1 and rng.random() < 0.5:
        said.remove(min(said, key=len))
    if not said:
        said = [capital(_reworded(rng, corpus, corpus.compiler.piece(thread.title).segments()))]
    seen = pick(rng, _OPENINGS).format(_environment(rng, package, corpus, thread.repo))
    said.insert(rng.randrange(2) * len(said), seen)
    while len(said) > 2 and sum(map(len, said)) + 2 * len(said) > BODY_CHARS:
        said.remove(max((s for s in said if s != seen), key=len))
    body = " ".join(s if s[-1] in ".?!" else f"{s}." for s in said)
    return title, fit(body, BODY_CHARS)


def _title(rng: random.Random, corpus: Corpus, title: str) -> str:
    """Turns the two halves of a title round, or names a place where it has one half."""
    piece = corpus.compiler.piece(title, title=True)
    head = _reworded(rng, corpus, piece.head)
    joint = piece.joint.strip(" ,")
    if piece.tail and joint == ":":
        turned = f"{_reworded(rng, corpus, piece.tail.segments())} ({head})"
    elif piece.tail and joint in _PHRASES and not _RUNS_ON.search(plain(piece.tail)):
        turned = f"{joint} {_reworded(rng, corpus, piece.tail.segments())}: {_small(corpus, head)}"
    else:
        turned = _reworded(rng, corpus, piece.segments())
        place = pick(rng, load_data()["words"]["environments"])
        if turned == title or rng.random() < 0.5:
            turned = f"{turned} {place}" if len(turned) + len(place) < TITLE_CHARS else title
    return capital(fit(turned, TITLE_CHARS))


def _sentence(rng: random.Random, corpus: Corpus, text: str) -> str:
    """Says a sentence with other words and, where it has a subordinate clause, that one first."""
    piece = corpus.compiler.piece(text)
    joint = piece.joint.strip(" ,")
    turns = joint in _CLAUSES and not _opens_with(piece, _PHRASES)
    if piece.tail is None or not turns or rng.random() < 0.3:
        return _reworded(rng, corpus, piece.segments())
    head, tail = (_reworded(rng, corpus, part) for part in (piece.head, piece.tail.segments()))
    if ";" in tail and "," not in tail:
        tail, _, rest = tail.partition("; ")
        return f"{capital(joint)} {tail}, {_small(corpus, head)}; {rest}"
    if "," in tail:
        return f"{head}{piece.joint}{tail}"
    return f"{capital(joint)} {tail}, {_small(corpus, head)}"


def _opens_with(piece: Piece, words: Sequence[str]) -> bool:
    first = piece.head[0] if piece.head else ""
    return isinstance(first, str) and first.split(" ", 1)[0].lower() in words


def _reworded(rng: random.Random, corpus: Corpus, segments: Segments) -> str:
    """Exchanges synonyms for other ones; names and numbers stay."""
    out = []
    for segment in segments:
        if isinstance(segment, str):
            out.append(segment)
        elif segment[0].startswith("syn:"):
            words = corpus.compiler.sets[int(segment[0][4:])]
            out.append(pick(rng, [word for word in words if word != segment[1]] or words))
        else:
            out.append(segment[1])
    return "".join(out)


def _environment(rng: random.Random, package: str, corpus: Corpus, repo: str) -> str:
    words = load_data()["words"]
    known = corpus.words(repo).pools.get(f"version:{package.lower()}", ())
    library = pick(rng, sorted(words["libraries"]))
    versions = [f"{library} {pick(rng, words['libraries'][library])}"]
    if known and rng.random() < 0.6:
        versions.insert(0, f"{package} {pick(rng, known)}")
    return f"{pick(rng, words['environments'])} ({', '.join(versions)})"


def _small(corpus: Corpus, text: str) -> str:
    """Lower-cases the first letter where the first word is an ordinary one."""
    first = text.split(" ", 1)[0]
    ordinary = first[1:].islower() and first.isalpha() and first.lower() in corpus.lower
    return text[0].lower() + text[1:] if ordinary else text
