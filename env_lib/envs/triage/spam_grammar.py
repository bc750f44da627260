"""What synthetic threads are written from: the corpus' own clauses, names and numbers.

A thread's title and sentences are compiled once to pieces: a head and a tail around a joint
(" with ", " when ", ...), in which names, versions, thread numbers, model names and synonyms are
slots. A piece is said again by filling its slots from what the same repository uses, in the
proportions in which it uses them, so that no word by itself tells a synthetic thread from a real
one. The grammars of the louder tiers are data: ``data/triage/spam/*.json``.

Not covered: grammar beyond the sentence (two neighbouring sentences are about related things, not
about the same thing), and languages other than English.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import NamedTuple, Protocol, TypeVar

from env_lib.paths import DATA

T = TypeVar("T")
Slot = tuple[str, str, float]
"""Kind of slot, the words that stood there, and how often they are kept."""
Segments = Sequence["str | Slot"]
"""Text with slots."""

MIN_THREADS = 20
"""A repository with fewer threads borrows the words of the whole corpus."""

KEEP = {"num": 0.4, "model": 0.4, "gpu": 0.4, "code": 0.6, "name": 0.6, "snake": 0.6, "camel": 0.8}
"""Share of slots that keep the words that stood there; of kinds not named: none."""

_LIBRARIES = (
    "transformers torch accelerate vllm vLLM datasets bitsandbytes deepspeed diffusers python"
)
_MODELS = (
    "Qwen|Llama|LLaMA|llama-|Mistral|Mixtral|Gemma|gemma|Phi-|OPT|[Bb]loom|GPT|gpt|T5|Whisper|"
    "SmolLM|DeepSeek|Falcon"
)
_CLAUSE = re.compile(
    r",? (?:when|while|with|after|although|but|since|because|so|under|without|and the|whether|if) "
    r"|: |; |, (?=the |a |an |it |no |\w+ing |\w+s )"
)
_JOINT = re.compile(_CLAUSE.pattern + r"|(?<=\w) (?:in|on|from|for) ")
_META = re.compile(
    r"no description|bare template|template text|[Uu]nfilled|is (?:visible|stored|cut)|"
    r"stored (?:copy|thread)|^[Mm]aintainer|maintainer (?:task|note)",
)
_BRINGS = re.compile(
    r"^(?:(?:Fix(?:es)?|Adds?|Support|Allow|Correct|Repair|Enable|Implement|Introduce|Handle)"
    r"(?: for| the| an?)? )"
)
_CHORE = re.compile(
    r"README|Docs?\b|CI\b|[Tt]ypo|[Bb]ump|[Rr]elease|[Vv]ersion|[Tt]ests?\b|[Ll]inks?\b|"
    r"\bPR\b|again|attempt|replacement|[Ff]ollow"
)
_STOP = frozenset("the and with for that this from not are but has was its into when does".split())


class ThreadLike(Protocol):
    """What is read of a thread; ``store.Thread`` has it."""

    @property
    def repo(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def category(self) -> str: ...


class Piece(NamedTuple):
    """A title, a sentence or the rest of one, cut at its first joint; no joint, no tail.

    ``slots`` are the kinds of slot in the whole of it.
    """

    head: Segments
    joint: str
    tail: Piece | None
    slots: frozenset[str]

    def segments(self) -> Segments:
        """Returns the whole of it as it was, uncut."""
        rest = (self.joint, *self.tail.segments()) if self.tail else ()
        return (*self.head, *rest)


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
    name, ``flavoured`` holds the issue sentences that suit a pattern of spam, ``sizes`` the
    lengths of issues in letters, from 80 to 280, ``variety`` how many free choices of a tail make a
    text that is not met twice.
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
    variety: int


@lru_cache(maxsize=1)
def load_data() -> dict[str, dict]:
    """Returns the grammars by file name: ``words``, ``patterns``, ``facts``."""
    folder = DATA / "triage" / "spam"
    names = ("words", "patterns", "facts")
    return {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in names}


def pick(rng: random.Random, items: Sequence[T]) -> T:
    """Draws one item; one call of the generator, whatever the length."""
    return items[int(rng.random() * len(items))]


def content_words(text: str) -> frozenset[str]:
    """Returns the words of a text that can name its subject, in lower case."""
    return frozenset(w for w in re.findall(r"[a-z][a-z0-9_]{2,}", text.lower()) if w not in _STOP)


def say(
    segments: Segments,
    rng: random.Random,
    pools: Mapping[str, Sequence[str]],
    fixed: Mapping[str, str] | None = None,
) -> str:
    """Fills the slots of a text.

    Args:
        segments: what to say.
        rng: source of chance.
        pools: fillers by kind of slot; a kind that is not there keeps its words.
        fixed: fillers that are not drawn, by kind of slot.
    """
    out: list[str] = []
    draw = rng.random
    for segment in segments:
        if type(segment) is str:
            out.append(segment)
            continue
        kind, text, keep = segment
        if fixed is not None and kind in fixed:
            out.append(fixed[kind])
        elif (keep and draw() < keep) or kind not in pools:
            out.append(text)
        elif kind == "num":
            low = 10 ** (len(text) - 1)
            out.append(str(low + int(draw() * 9 * low)))
        else:
            words = pools[kind]
            out.append(words[int(draw() * len(words))])
    return "".join(out)


class Compiler:
    """Turns text into pieces; one per corpus, since package names are slots too."""

    def __init__(self, packages: Iterable[str]) -> None:
        names = dict.fromkeys([p for n in packages for p in (n, n.upper())] + _LIBRARIES.split())
        synonyms = load_data()["words"]["synonyms"]
        self.sets = [tuple(entry["words"]) for entry in synonyms]
        alternatives = [
            rf"(?P<s{i}>(?<!\ba )(?<!\ban )\b(?:{'|'.join(map(re.escape, entry['words']))})"
            rf"\b(?={entry.get('before', '')}))"
            for i, entry in enumerate(synonyms)
        ]
        self.slot = re.compile(
            rf"(?P<version>\b(?P<package>{'|'.join(map(re.escape, names))}) "
            r"(?P<number>\d+\.\d+(?:\.\d+)?(?:\.?(?:dev|post|rc)\d+)?))"
            r"|(?P<hash>#\d+)|(?P<word>\b(?:PRs?|issues?|[Ss]ee|resolves|fixes) )(?P<bare>\d{2,5})\b"
            r"|(?P<code>`[^`]+`)|(?P<name>\b[A-Z]\w*(?P<end>Error|Trainer|Config)\b)"
            rf"|(?P<model>\b(?:{_MODELS})[\w.-]*\w)"
            r"|(?P<gpu>\b(?:A100|H100|V100|T4|L4|A10G|A6000|RTX ?\d{4}|[34]090)s?\b)"
            r"|(?P<snake>\b[a-z]+_\w+(?:\.\w+)*\b)|(?P<camel>\b[A-Z][a-z]+[A-Z]\w+\b(?!-))"
            r"|(?P<num>(?<![\w.#/=-])(?!20[12]\d)[1-9]\d{1,5}(?![\w.%/-]))|" + "|".join(alternatives)
        )

    def segments(self, text: str) -> Segments:
        """Cuts a text into words and slots."""
        out: list[str | Slot] = []
        end = 0
        for match in self.slot.finditer(text):
            out += [text[end : match.start()], *self._slot(match)]
            end = match.end()
        return tuple(part for part in (*out, text[end:]) if part)

    def _slot(self, match: re.Match[str]) -> list[str | Slot]:
        text = match[0]
        if match["version"]:
            package = match["package"]
            return [f"{package} ", (f"version:{package.lower()}", match["number"], 0.0)]
        if match["hash"]:
            return ["#", ("ref", text[1:], 0.0)]
        if match["bare"]:
            return [match["word"], ("ref", match["bare"], 0.0)]
        for group in ("code", "name", "model", "gpu", "snake", "camel", "num"):
            if match[group]:
                return [(f"{group}{_shape(group, text)}", text, KEEP[group])]
        index = next(i for i in range(len(self.sets)) if match[f"s{i}"])
        return [(f"syn:{index}", text, 0.0)]

    def piece(self, text: str, title: bool = False, shortest: int = 12) -> Piece:
        """Compiles a title or a sentence without its full stop; heads have ``shortest`` letters."""
        joints = (_JOINT if title else _CLAUSE).finditer(text)
        cut = next((m for m in joints if _cuts(text, m, shortest)), None)
        head = self.segments(text if cut is None else text[: cut.start()])
        tail = None if cut is None else self.piece(text[cut.end() :], title, 6)
        slots = frozenset(s[0] for s in head if not isinstance(s, str))
        return Piece(head, cut[0] if cut else "", tail, slots | tail.slots if tail else slots)


def _shape(group: str, text: str) -> str:
    """Tells names of one group apart so that a slot is filled by a name of the same sort."""
    if group not in ("code", "name", "camel"):
        return ""
    found = re.search(r"(Error|Trainer|Config|R[Aa]$|[.(_=])", text)
    return f":{found[1] if found else ''}"


def _cuts(text: str, match: re.Match[str], shortest: int) -> bool:
    head = text[: match.start()]
    balanced = head.count("`") % 2 == 0 and head.count("(") == head.count(")")
    return balanced and len(head) >= shortest and len(text) - match.end() >= 8


def sentences_of(body: str) -> list[str]:
    """Splits the first 600 characters of a body into sentences of 20 to 200 characters."""
    parts = re.split(r"(?<=[.?!])\s+(?=[A-Z`\d#])|\n+", body[:600])
    clean = (part.strip().rstrip(".") for part in parts)
    return [part for part in clean if 20 <= len(part) <= 200 and not _META.search(part)]


@dataclass(frozen=True)
class Corpus:
    """Vocabulary of the threads of one or more repositories; building it takes a second or less."""

    threads: tuple[ThreadLike, ...]
    """The threads it was built from."""
    compiler: Compiler = field(repr=False, compare=False)
    """Cuts text that is not from the corpus."""
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
        words = {
            repo: _words_of(own if len(own) >= MIN_THREADS else ordered, repo, compiler)
            for repo, own in by_repo.items()
        }
        return cls(ordered, compiler, words)

    def words(self, repo: str) -> RepoWords:
        """Returns the vocabulary of a repository.

        Raises:
            KeyError: the corpus has no thread of that repository.
        """
        if repo not in self._words:
            raise KeyError(f"no threads of {repo!r} in the corpus, which has {sorted(self._words)}")
        return self._words[repo]


def _words_of(threads: Sequence[ThreadLike], repo: str, compiler: Compiler) -> RepoWords:
    facts = tuple(_fact(thread, compiler) for thread in threads)
    pools = _pools(facts, compiler.sets)
    constant = frozenset(kind for kind, words in pools.items() if len(set(words)) == 1)
    facts = tuple(_settled(fact, constant) for fact in facts)
    tails: dict[tuple[str, bool, str], list[Piece]] = defaultdict(list)
    having: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    usable: dict[str, list[int]] = {"issue": [], "pull_request": []}
    for index, fact in enumerate(facts):
        if fact.sentences and not _META.search(fact.title):
            usable[fact.kind].append(index)
        for title, piece in [(True, fact.heading), *((False, s) for s in fact.sentences)]:
            rest = piece
            while rest.tail:
                tails[fact.kind, title, rest.joint].append(rest.tail)
                rest = rest.tail
            for slot in piece.slots if not title else ():
                having[fact.kind, slot].append(piece)
    every = tuple(range(len(facts)))
    usable = {kind: found or usable["issue"] or every for kind, found in usable.items()}
    text = " ".join(f"{thread.title} {thread.body}" for thread in threads)
    hashes = len(re.findall(r"#\d+", text))
    bare = len(re.findall(r"\b(?:PRs?|issues?|see|resolves|fixes) \d+", text))
    package = repo.rpartition("/")[2]
    topics = _topics(facts, compiler, set(re.findall(r"\b[a-z]+\b", text)))
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
        sizes=tuple(min(max(len(t.body), 80), 280) for t in threads if t.kind == "issue") or (110,),
        hash_share=hashes / (hashes + bare) if hashes + bare else 1.0,
        variety=2 if len(facts) >= 200 else 3,
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


def _topics(facts: Sequence[Fact], compiler: Compiler, lower: set[str]) -> dict[int, Piece]:
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


def plain(piece: Piece) -> str:
    """Returns a piece with the words that stood in its slots."""
    return "".join(s if isinstance(s, str) else s[1] for s in piece.segments())


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
