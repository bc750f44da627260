"""The vocabulary of a repository's threads: what synthetic threads are written from.

A corpus holds, for each repository, its threads' titles and sentences as pieces (``spam_pieces``),
the fillers of their slots as often as they occur, which threads are about similar things, and what
merged pull requests brought. The grammars of the louder tiers are data: ``data/triage/spam/``.

Not covered: meaning. Two neighbouring sentences of a synthetic text are about related things, not
about the same thing.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from env_lib.envs.triage.spam_pieces import (
    Compiler,
    Piece,
    Segments,
    Slot,
    content_words,
    is_about_itself,
    load_data,
    plain,
    sentences_of,
)

MIN_THREADS = 20
"""A repository with fewer threads borrows the words of the whole corpus."""

_BRINGS = re.compile(
    r"^(?:(?:Fix(?:es)?|Adds?|Support|Allow|Correct|Repair|Enable|Implement|Introduce|Handle)"
    r"(?: for| the| an?)? )"
)
_CHORE = re.compile(
    r"README|Docs?\b|CI\b|[Tt]ypo|[Bb]ump|[Rr]elease|[Vv]ersion|[Tt]ests?\b|[Ll]inks?\b|"
    r"\bPR\b|again|attempt|replacement|[Ff]ollow"
)
_SETTING = re.compile(r"\((?=[^()#]*\d\.\d)[^()#]{8,60}\)")


class ThreadLike(Protocol):
    """What is read of a thread; ``store.Thread`` has it."""

    @property
    def repo(self) -> str:
        """Owner and name."""
        ...

    @property
    def number(self) -> int:
        """Number in its repository."""
        ...

    @property
    def kind(self) -> str:
        """Kind, ``issue`` or ``pull_request``."""
        ...

    @property
    def state(self) -> str:
        """State: ``open``, ``closed`` or ``merged``."""
        ...

    @property
    def title(self) -> str:
        """Title."""
        ...

    @property
    def body(self) -> str:
        """Text."""
        ...

    @property
    def category(self) -> str:
        """Recorded type."""
        ...


@dataclass(frozen=True, slots=True)
class Fact:
    """One thread of the repository, as far as synthetic text refers to it."""

    number: int
    kind: str
    state: str
    category: str
    title: str
    words: frozenset[str]
    heading: Piece
    sentences: tuple[Piece, ...]
    donors: tuple[Piece, ...]
    """The sentences with a joint; all where none has one."""


@dataclass(frozen=True, slots=True)
class RepoWords:
    """Everything that text about one repository may be made of; indices point into ``facts``.

    ``topics`` says of the pull requests in ``brought`` what they added or mended, ``releases`` are
    the major and minor numbers of the package and ``patch`` the highest patch number that threads
    name, ``flavoured`` holds the issue sentences that suit a pattern of spam, ``sizes`` the lengths
    of issues in letters, from 60 to 280, ``settings`` the brackets with versions.
    """

    package: str
    facts: tuple[Fact, ...]
    usable: Mapping[str, tuple[int, ...]]
    near: tuple[Mapping[str, tuple[int, ...]], ...]
    tails: Mapping[tuple[str, bool, str], tuple[Piece, ...]]
    having: Mapping[tuple[str, str], tuple[Piece, ...]]
    pools: Mapping[str, tuple[str, ...]]
    synonyms: Mapping[str, tuple[str, ...]]
    topics: Mapping[int, Piece]
    brought: tuple[int, ...]
    merged: tuple[int, ...]
    releases: tuple[tuple[int, int], ...]
    patch: int
    flavoured: Mapping[str, tuple[Piece, ...]]
    sizes: tuple[int, ...]
    hash_share: float
    settings: tuple[Segments, ...]


@dataclass(frozen=True)
class Corpus:
    """Vocabulary of the threads of one or more repositories; building it takes a second or less."""

    threads: tuple[ThreadLike, ...]
    """The threads it was built from."""
    compiler: Compiler = field(repr=False, compare=False)
    """Cuts text that is not from the corpus."""
    lower: frozenset[str] = field(repr=False, compare=False)
    """Words that occur in lower case: ordinary ones, at the start of a sentence too."""
    _words: Mapping[str, RepoWords] = field(repr=False, compare=False)

    @classmethod
    def of(cls, threads: Iterable[ThreadLike]) -> Corpus:
        """Builds the vocabulary; the order of the threads does not matter.

        Raises:
            ValueError: there is no thread at all.
        """
        ordered = tuple(sorted(threads, key=lambda t: (t.repo, t.number)))
        if not ordered:
            raise ValueError("no threads given: a corpus needs at least one")
        by_repo: dict[str, list[ThreadLike]] = defaultdict(list)
        for thread in ordered:
            by_repo[thread.repo].append(thread)
        compiler = Compiler(repo.rpartition("/")[2] for repo in by_repo)
        text = " ".join(f"{thread.title} {thread.body[:600]}" for thread in ordered)
        lower = frozenset(re.findall(r"(?<![\w.`-])[a-z]+\b(?![\w.`-])", text))
        words = {
            repo: _words_of(own if len(own) >= MIN_THREADS else ordered, repo, compiler, lower)
            for repo, own in by_repo.items()
        }
        return cls(ordered, compiler, lower, words)

    def words(self, repo: str) -> RepoWords:
        """Returns the vocabulary of a repository.

        Raises:
            KeyError: the corpus has no thread of that repository.
        """
        if repo not in self._words:
            raise KeyError(f"no threads of {repo!r} in the corpus, which has {sorted(self._words)}")
        return self._words[repo]


def _words_of(
    threads: Sequence[ThreadLike], repo: str, compiler: Compiler, lower: frozenset[str]
) -> RepoWords:
    facts = tuple(_fact(thread, compiler) for thread in threads)
    pools = _pools(facts, compiler.sets)
    constant = frozenset(kind for kind, words in pools.items() if len(set(words)) == 1)
    facts = tuple(_settled(fact, constant) for fact in facts)
    tails: dict[tuple[str, bool, str], list[Piece]] = defaultdict(list)
    having: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    usable: dict[str, list[int]] = {"issue": [], "pull_request": []}
    for index, fact in enumerate(facts):
        if fact.sentences and not is_about_itself(fact.title):
            usable[fact.kind].append(index)
        for title, piece in [(True, fact.heading), *((False, s) for s in fact.sentences)]:
            rest = piece
            while rest.tail:
                tails[fact.kind, title, rest.joint].append(rest.tail)
                rest = rest.tail
            for slot in piece.slots if not title else ():
                having[fact.kind, slot].append(piece)
    every = list(range(len(facts)))
    usable = {kind: found or usable["issue"] or every for kind, found in usable.items()}
    text = " ".join(f"{thread.title} {thread.body}" for thread in threads)
    hashes = len(re.findall(r"#\d+", text))
    bare = len(re.findall(r"\b(?:PRs?|issues?|see|resolves|fixes) \d+", text))
    package = repo.rpartition("/")[2]
    topics = _topics(facts, compiler, lower)
    named = re.findall(rf"(?i)\b{re.escape(package)}[ -](\d+\.\d+(?:\.\d+)?)", text)
    versions = [_numbers(version) for version in named]
    return RepoWords(
        package=package,
        facts=facts,
        usable={kind: tuple(found) for kind, found in usable.items()},
        near=_neighbours(facts, {k: frozenset(v) for k, v in usable.items()}),
        tails={key: tuple(found) for key, found in tails.items()},
        having={key: tuple(found) for key, found in having.items()},
        pools=pools,
        synonyms={kind: found for kind, found in pools.items() if kind.startswith("syn:")},
        topics=topics,
        brought=tuple(topics),
        merged=tuple(i for i, f in enumerate(facts) if f.state == "merged" and len(f.words) > 2),
        releases=tuple(version[:2] for version in versions) or ((0, 1),),
        patch=max((version[2] for version in versions), default=0),
        flavoured=_flavours(facts),
        sizes=tuple(min(max(len(t.body), 60), 280) for t in threads if t.kind == "issue") or (110,),
        hash_share=hashes / (hashes + bare) if hashes + bare else 1.0,
        settings=tuple(compiler.segments(found) for found in _SETTING.findall(text)),
    )


def _settled(fact: Fact, constant: frozenset[str]) -> Fact:
    """Replaces slots that have one filler by it: nothing to draw, and faster to say."""
    settle = partial(_settle, constant=constant)
    sentences, donors = (tuple(map(settle, part)) for part in (fact.sentences, fact.donors))
    return replace(fact, heading=settle(fact.heading), sentences=sentences, donors=donors)


def _settle(piece: Piece, constant: frozenset[str]) -> Piece:
    head: list[str | Slot] = []
    for segment in piece.head:
        text = segment if isinstance(segment, str) else segment[1]
        if not isinstance(segment, str) and segment[0] not in constant:
            head.append(segment)
        elif head and isinstance(head[-1], str):
            head[-1] += text
        else:
            head.append(text)
    tail = _settle(piece.tail, constant) if piece.tail else None
    return piece._replace(head=tuple(head), tail=tail)


def _numbers(version: str) -> tuple[int, int, int]:
    major, minor, patch = (*re.findall(r"\d+", version)[:3], "0")[:3]
    return int(major), int(minor), int(patch)


def _fact(thread: ThreadLike, compiler: Compiler) -> Fact:
    sentences = tuple(compiler.piece(text) for text in sentences_of(thread.body))
    return Fact(
        number=thread.number,
        kind=thread.kind if thread.kind == "pull_request" else "issue",
        state=thread.state,
        category=thread.category,
        title=thread.title,
        words=content_words(thread.title),
        heading=compiler.piece(thread.title, title=True),
        sentences=sentences,
        donors=tuple(s for s in sentences if s.joint) or sentences,
    )


def _topics(facts: Sequence[Fact], compiler: Compiler, lower: frozenset[str]) -> dict[int, Piece]:
    """Names what each merged pull request brought, in words that fit inside a sentence."""
    topics = {}
    for index, fact in enumerate(facts):
        topic, brings = _BRINGS.subn("", fact.title)
        wanted = fact.state == "merged" and (brings or fact.category == "feature")
        if not wanted or _CHORE.search(topic) or len(content_words(topic)) < 2:
            continue
        first, space, rest = topic.partition(" ")
        if first[1:].islower() and first.lower() in lower:
            first = first.lower()
        topics[index] = compiler.piece(f"{first}{space}{rest}", title=True)
    return topics


def _flavours(facts: Sequence[Fact]) -> dict[str, tuple[Piece, ...]]:
    """Collects for each pattern the issue sentences that suit it."""
    out = {}
    for pattern, expression in load_data()["words"]["flavours"].items():
        issues = (s for fact in facts if fact.kind == "issue" for s in fact.sentences)
        out[pattern] = tuple(s for s in issues if s.joint and re.search(expression, plain(s)))
    return out


def _pools(facts: Sequence[Fact], sets: Sequence[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Collects the fillers by kind of slot, each as often as it occurs."""
    found: dict[str, list[str]] = defaultdict(list)
    for fact in facts:
        for piece in (fact.heading, *fact.sentences):
            for segment in piece.segments():
                if not isinstance(segment, str):
                    found[segment[0]].append(segment[1])
    found["ref"] = [str(fact.number) for fact in facts]
    found["id"] = [w for kind in found if kind[:4] in ("code", "snak", "name") for w in found[kind]]
    for index, words in enumerate(sets):
        found.setdefault(f"syn:{index}", list(words))
    return {kind: tuple(words) for kind, words in found.items() if words}


def _neighbours(
    facts: Sequence[Fact], usable: Mapping[str, frozenset[int]], most: int = 24
) -> tuple[dict[str, tuple[int, ...]], ...]:
    """Lists for each thread the threads of each kind that share its rarest words."""
    counts = Counter(word for fact in facts for word in fact.words)
    posts: dict[str, list[int]] = defaultdict(list)
    for index, fact in enumerate(facts):
        for word in sorted(fact.words):
            if counts[word] <= max(12, len(facts) // 12):
                posts[word].append(index)
    out = []
    for index, fact in enumerate(facts):
        score: dict[int, float] = defaultdict(float)
        for word in sorted(fact.words):
            for other in posts.get(word, ()):
                score[other] += math.log(len(facts) / counts[word] + 1)
        score.pop(index, None)
        ranked = sorted(score, key=lambda other: (-score[other], other))
        out.append({k: tuple([i for i in ranked if i in on][:most]) for k, on in usable.items()})
    return tuple(out)
