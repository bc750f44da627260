"""Synthetic spam threads: five patterns, each on five tiers of stealth.

Tier 0 shouts and links; 1 says an obvious claim in clean prose; 2 is a plausible report with one
cue; 3 reads like a real thread and claims one thing that the repository's facts deny; 4 has no
surface cue: every clause comes from real threads of the repository, and only its author's record
and a claim against the facts give it away. The claims: a thing is missing that a merged pull
request brought; a merged change was reverted or never merged; a thread is cited for what its title
does not say; a version that was never released; two statements that exclude each other.

A text is a pure function of its arguments and the state of the generator. A learned spammer can
take the place of ``template_spam`` behind ``SpamSource``.

Not covered: comments, images, code blocks, and claims against anything outside the repository.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from env_lib.envs.triage.spam_grammar import (
    MIN_THREADS,
    Corpus,
    Piece,
    RepoWords,
    load_data,
    pick,
    say,
)

PATTERNS = (
    "promotional_link",
    "fabricated_urgency",
    "title_paraphrase",
    "contributor_mimicry",
    "self_contradicting_appeal",
)
TIERS = (0, 1, 2, 3, 4)
TITLE_CHARS = 88
BODY_CHARS = 280
PULL_REQUEST_SHARE = 1 / 12

CLAIMS: Mapping[int, Mapping[str, tuple[str, ...]]] = {
    3: dict.fromkeys(PATTERNS, ("missing", "reverted", "state", "reference", "version", "self")),
    4: {
        "promotional_link": ("missing", "missing", "version", "reference"),
        "fabricated_urgency": ("missing", "version", "version", "reference"),
        "title_paraphrase": ("missing", "missing", "version", "reference"),
        "contributor_mimicry": ("missing", "version", "reference"),
        "self_contradicting_appeal": ("self", "missing", "reference", "version"),
    },
}
"""Kinds of claim by tier and pattern, as often as they are drawn; below tier 3 there is none."""


@dataclass(frozen=True, slots=True)
class SpamText:
    """A synthetic thread; ``contradicts`` is hidden, and empty below tier 3."""

    title: str
    body: str
    kind: str
    pattern: str
    tier: int
    contradicts: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Something false about a repository; ``truth`` says what is the case instead."""

    kind: str
    anchor: int
    """Index of the thread it is about in ``RepoWords.facts``."""
    version: str
    truth: str


@dataclass(frozen=True, slots=True)
class Story:
    """What several accounts of one campaign push, each in its own words."""

    repo: str
    product: str
    link: str
    identifier: str
    claim: Claim


SpamSource = Callable[[str, int, random.Random, Corpus, str], SpamText]


def story(rng: random.Random, corpus: Corpus, repo: str) -> Story:
    """Draws a campaign about one repository; its claim is one that ``template_spam`` can word."""
    words = corpus.words(repo)
    kinds = [kind for kind in CLAIMS[3][PATTERNS[0]] if kind != "self"]
    product = _product(rng)
    identifier = pick(rng, words.pools.get("id") or (words.package,))
    return Story(repo, product, _link(rng, product), identifier, _claim(rng, words, kinds))


def template_spam(
    pattern: str,
    tier: int,
    rng: random.Random,
    corpus: Corpus,
    repo: str,
    story: Story | None = None,
) -> SpamText:
    """Writes one spam thread from grammars and the repository's own vocabulary.

    Args:
        pattern: one of ``PATTERNS``.
        tier: one of ``TIERS``.
        rng: source of chance, the only state that is used.
        corpus: vocabulary.
        repo: repository whose queue it is for, ``owner/name``.
        story: campaign to serve, of the same repository; an own one where it is None.

    Raises:
        ValueError: unknown pattern or tier, or a story about another repository.
    """
    _check(pattern, tier)
    if story is not None and story.repo != repo:
        raise ValueError(f"the story is about {story.repo!r}, the text is asked for {repo!r}")
    kind = "pull_request" if rng.random() < PULL_REQUEST_SHARE else "issue"
    words = corpus.words(repo)
    voice = kind if len(words.usable[kind]) >= MIN_THREADS else "issue"
    writer = _Writer(rng, words, voice, pattern, story)
    title, body = (_loud if tier < 2 else _half if tier == 2 else _quiet)(writer, tier)
    truth = writer.claim.truth if tier > 2 else ""
    return SpamText(title, body, kind, pattern, tier, truth)


def appeal_text(
    rng: random.Random, corpus: Corpus, repo: str, closed_title: str, tier: int
) -> SpamText:
    """Writes the appeal that follows a closing; it contradicts what the closed thread said.

    Args:
        rng: source of chance.
        corpus: vocabulary.
        repo: repository of the closed thread.
        closed_title: title of the closed thread.
        tier: one of ``TIERS``.

    Raises:
        ValueError: unknown tier.
    """
    pattern = "self_contradicting_appeal"
    _check(pattern, tier)
    writer = _Writer(rng, corpus.words(repo), "issue", pattern, None)
    old = corpus.compiler.piece(closed_title, title=True)
    new, change = _retold(writer, old, closed_title)
    if tier > 2:
        claim, extras = writer.opposites()
        if tier == 3:
            extras.append(writer.hint())
        body = _body([*writer.donors(extras), *extras], keep=len(extras))
        title, truth = new, f"{change or claim}; the closed thread is {closed_title!r}"
    else:
        writer.closed = closed_title if len(closed_title) < 60 else closed_title[:57].rsplit(" ", 1)[0]
        phrase = pick(rng, load_data()["patterns"]["appeal"][str(tier)])
        extra = writer.parts(tier)[1:] if tier < 2 else writer.donors()
        loud = writer.expand(pick(rng, load_data()["patterns"][pattern]["0"]["title"]))
        title = loud if tier == 0 else f"Appeal: {new}" if tier == 1 else new
        body, truth = _body([_capital(writer.expand(phrase)), *extra], keep=1), ""
    return SpamText(_fit(title, TITLE_CHARS), body, "issue", pattern, tier, truth)


def _check(pattern: str, tier: int) -> None:
    if pattern not in PATTERNS:
        raise ValueError(f"unknown pattern {pattern!r}, known are {', '.join(PATTERNS)}")
    if tier not in TIERS:
        raise ValueError(f"unknown tier {tier!r}, known are {TIERS}")


# The tiers ------------------------------------------------------------------------------------


def _loud(writer: _Writer, tier: int) -> tuple[str, str]:
    """Tiers 0 and 1: grammar alone."""
    titles = load_data()["patterns"][writer.pattern][str(tier)]["title"]
    for _ in range(4):
        title = _capital(writer.expand(pick(writer.rng, titles)))
        if len(title) <= TITLE_CHARS:
            break
    return _fit(title, TITLE_CHARS), _body(writer.parts(tier), keep=2)


def _half(writer: _Writer, tier: int) -> tuple[str, str]:
    """Tier 2: a real report's clauses and one sentence with a cue."""
    cues = load_data()["patterns"][writer.pattern][str(tier)]["cue"]
    extras = [_capital(writer.expand(pick(writer.rng, cues)))]
    if writer.story is not None:
        extras.append(writer.phrase())
    title = writer.title()
    return title, _body([*writer.donors(extras), *extras], keep=len(extras))


def _quiet(writer: _Writer, tier: int) -> tuple[str, str]:
    """Tiers 3 and 4: real clauses and a claim that the facts deny."""
    kinds = CLAIMS[tier][writer.pattern]
    if writer.story is None:
        writer.claim = _claim(writer.rng, writer.words, kinds)
    claim, told = writer.claim, tier == 3
    extras: list[str] = []
    if claim.kind == "self":
        truth, extras = writer.opposites()
        writer.claim = Claim("self", claim.anchor, "", truth)
    elif told or claim.kind in ("reverted", "state"):
        extras = [writer.phrase()]
    elif claim.kind == "reference":
        extras = [writer.citing()]
    elif claim.kind == "version":
        extras = [writer.dated()]
    if told and writer.rng.random() < 0.5:
        extras.append(writer.hint())
    title = writer.wish() if claim.kind == "missing" and not told else writer.title()
    least = int(told or not extras or writer.free < 3)
    return title, _body([*writer.donors(extras, least), *extras], keep=len(extras))


# Claims ---------------------------------------------------------------------------------------


def _claim(rng: random.Random, words: RepoWords, kinds: Sequence[str]) -> Claim:
    """Draws a claim of one of the kinds; one that the repository cannot carry becomes a version."""
    kind = pick(rng, kinds)
    changes = words.brought if kind == "missing" else words.merged
    if kind in ("missing", "reverted", "state") and changes:
        anchor = pick(rng, changes)
        fact = words.facts[anchor]
        return Claim(kind, anchor, "", f"#{fact.number} is merged: {fact.title}")
    anchor = pick(rng, words.usable["issue"])
    if kind == "self":
        return Claim(kind, anchor, "", "says two things that exclude each other")
    if kind == "reference":
        cited = _unrelated(rng, words, anchor)
        if cited is not None:
            fact = words.facts[cited]
            return Claim(kind, cited, "", f"#{fact.number} is about something else: {fact.title}")
    version = _unreleased(rng, words)
    return Claim("version", anchor, version, f"{words.package} {version} was never released")


def _unrelated(rng: random.Random, words: RepoWords, anchor: int) -> int | None:
    """Finds a thread whose title shares no word with the anchor's."""
    own = words.facts[anchor].words
    for _ in range(8):
        other = int(rng.random() * len(words.facts))
        if other != anchor and not own & words.facts[other].words:
            return other
    return None


def _unreleased(rng: random.Random, words: RepoWords) -> str:
    """Makes a version with a patch number beyond all that the repository's threads name."""
    major, minor = pick(rng, words.releases)
    return f"{major}.{minor}.{words.patch + 3 + int(rng.random() * 4)}"



# Words ----------------------------------------------------------------------------------------


class _Writer:
    """Says things about one thread in the making."""

    def __init__(
        self, rng: random.Random, words: RepoWords, kind: str, pattern: str, story: Story | None
    ) -> None:
        self.rng, self.words, self.kind, self.pattern, self.story = rng, words, kind, pattern, story
        self.product = story.product if story else ""
        self.link = story.link if story else ""
        self.closed = ""
        self.free = 0
        anchor = pick(rng, words.usable[kind])
        self.claim = story.claim if story else Claim("", anchor, "", "")

    def near(self) -> int:
        """Draws a thread of the same kind that is about something similar."""
        near = self.words.near[self.claim.anchor][self.kind]
        if self.rng.random() * 12 < min(len(near), 10):
            return pick(self.rng, near)
        return pick(self.rng, self.words.usable[self.kind])

    def crossed(self, piece: Piece, title: bool, fixed: Mapping[str, str] | None = None) -> str:
        """Says a piece; after each joint it mostly goes on as another one with the same joint."""
        rng, words = self.rng, self.words
        out = [*piece.head]
        tail, budget = piece.tail, 4
        while tail:
            joint = piece.joint
            if budget and rng.random() < 0.75:
                options = words.tails.get((self.kind, title, joint), (tail,))
                self.free += len(options) > 9
                tail = options[int(rng.random() * len(options))]
            out.append(joint)
            out += tail.head
            piece, tail, budget = tail, tail.tail, budget - 1
        return say(out, rng, words.pools, fixed)

    def title(self) -> str:
        """Makes a title from real ones, if possible one that is none of them."""
        text = ""
        for _ in range(6):
            self.free = 0
            fact = self.words.facts[self.near()]
            text = self.crossed(fact.heading, True)
            if len(text) <= TITLE_CHARS and text != fact.title:
                break
        return _fit(text, TITLE_CHARS)

    def donors(self, extras: Sequence[str] = (), least: int = 1) -> list[str]:
        """Makes sentences from real ones, as long as a real body is together with the extras.

        Where they leave little to chance, the last one gets an environment.
        """
        room = pick(self.rng, self.words.sizes) - sum(map(len, extras))
        most = BODY_CHARS - sum(map(len, extras)) - 4
        out: list[str] = []
        for tries in range(6):
            if len(out) >= least and (room < 60 or tries > 1):
                break
            free, text = self.free, self.sentence()
            if text and text not in out and len(text) <= (room + 20 if tries < 2 else most):
                out.append(text)
                room, most = room - len(text), most - len(text) - 2
            else:
                self.free = free
        if out and self.free < self.words.variety and most > 70 and "transformers " not in out[-1]:
            out[-1] = f"{out[-1]} {self.details()}"
        return out

    def sentence(self) -> str:
        """Makes one sentence, now and then from one that suits the pattern; may be empty."""
        found = self.words.flavoured.get(self.pattern) if self.kind == "issue" else ()
        if not found or self.rng.random() > 0.2:
            found = self.words.facts[self.near()].donors
        return self.crossed(pick(self.rng, found), False) if found else ""

    def details(self) -> str:
        """Makes up an environment; the package's version is left to a claim about it."""
        rng, shared = self.rng, load_data()["words"]
        package = self.words.package.lower()
        names = ["transformers", "torch"] if rng.random() < 0.4 else [package, "transformers"]
        if self.claim.version:
            names = ["transformers", "torch"]
        pools, known = self.words.pools, shared["libraries"]
        found = [pools.get(f"version:{name}") or known.get(name, ("main",)) for name in names]
        pairs = [f"{n} {pick(rng, versions)}" for n, versions in zip(names, found, strict=True)]
        return f"{pick(rng, shared['environments'])} ({', '.join(pairs)})"

    def topic(self) -> str:
        """Names what the claim is about; synonyms alone vary."""
        fact = self.words.facts[self.claim.anchor]
        piece = self.words.topics.get(self.claim.anchor, fact.heading)
        return say(piece.segments(), self.rng, self.words.synonyms)

    def wish(self) -> str:
        """Titles a report that something is missing or broken which is there and works."""
        topic = self.topic()
        forms = load_data()["facts"]["wishes"]
        more = self.words.facts[self.near()].heading
        if more.joint[:1] == " " and more.tail and self.rng.random() < 0.5:
            topic += more.joint + self.crossed(more.tail, True)
        text = _capital(pick(self.rng, forms).replace("{topic}", topic))
        return _fit(text, TITLE_CHARS)

    def phrase(self) -> str:
        """Says the claim outright."""
        return _capital(self.expand(pick(self.rng, load_data()["facts"][self.claim.kind])))

    def hint(self) -> str:
        """Says something mild that suits the pattern."""
        return pick(self.rng, load_data()["facts"]["hints"][self.pattern])

    def citing(self) -> str:
        """Takes a real sentence that cites a thread, and cites the claim's thread in it."""
        number = str(self.words.facts[self.claim.anchor].number)
        found = self.words.having.get((self.kind, "ref"))
        if not found or self.rng.random() < 0.3:
            return self.phrase()
        text = self.crossed(pick(self.rng, found), False, {"ref": number})
        return text if number in text else f"{text}, see {self.expand('{ref}')}"

    def dated(self) -> str:
        """Takes a real sentence and gives the claim's version as the one in use."""
        package, version = self.words.package, self.claim.version
        slot = f"version:{package.lower()}"
        found = self.words.having.get((self.kind, slot)) if self.rng.random() < 0.8 else None
        if found:
            text = self.crossed(pick(self.rng, found), False, {slot: version})
        else:
            text = self.sentence() or "Environment given"
        return text if version in text else f"{text} ({package} {version})"

    def opposites(self) -> tuple[str, list[str]]:
        """Makes two statements that exclude each other, the first one hung on a real sentence."""
        first, second = pick(self.rng, load_data()["words"]["opposites"])
        piece = pick(self.rng, self.words.facts[self.near()].sentences or (_NOTHING,))
        head = say(piece.head, self.rng, self.words.pools) or "It happens"
        return f"says both {first!r} and {second!r}", [f"{head} {first}", second]

    def parts(self, tier: int) -> list[str]:
        """Expands the sentences of a loud body, one or two or all of them."""
        groups = load_data()["patterns"][self.pattern][str(tier)]["body"]
        return [_capital(self.expand(pick(self.rng, group))) for group in groups]

    def expand(self, template: str) -> str:
        """Fills the slots of a grammar's template."""
        return "".join([t if i % 2 == 0 else self.slot(t) for i, t in enumerate(_parts(template))])

    def slot(self, name: str) -> str:
        """Returns the filler of one slot; a name that no list has raises KeyError."""
        rng, words = self.rng, self.words
        fact = words.facts[self.claim.anchor]
        match name:
            case "product" | "PRODUCT":
                self.product = self.product or _product(rng)
                return self.product if name[0] == "p" else self.product.upper()
            case "link":
                self.product = self.product or _product(rng)
                self.link = self.link or _link(rng, self.product)
                return f"{self.link}/{pick(rng, _list('page'))}{int(rng.random() * 10000)}"
            case "id":
                own = self.story and self.story.identifier
                return own or pick(rng, words.pools.get("id") or (words.package,))
            case "pkg" | "Pkg":
                return words.package
            case "ver":
                seen = words.pools.get(f"version:{words.package.lower()}") or ("0.1.0",)
                return pick(rng, seen)
            case "bogus":
                return self.claim.version
            case "pct":
                return str(10 + int(rng.random() * 90))
            case "num":
                return str(100 + int(rng.random() * 9900))
            case "title" | "closed":
                return self.closed or fact.title
            case "topic" | "Topic":
                return self.topic()
            case "ref" | "Ref":
                if rng.random() < words.hash_share:
                    return f"#{fact.number}"
                return ("PR " if fact.kind == "pull_request" else "issue ") + str(fact.number)
        return pick(rng, _list(name))


_NOTHING = Piece((), "", None, frozenset())


def _list(name: str) -> list[str]:
    return load_data()["words"]["lists"][name]


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[str, ...]:
    """Splits a template; every second part is the name of a slot."""
    return tuple(re.split(r"\{(\w+)\}", template))


def _product(rng: random.Random) -> str:
    syllables = [pick(rng, _list("syllable")) for _ in range(3)]
    return "".join(syllables).capitalize() + pick(rng, _list("ending"))


def _link(rng: random.Random, product: str) -> str:
    return f"https://{product.lower()}.{pick(rng, _list('host'))}"


def _retold(writer: _Writer, old: Piece, closed_title: str) -> tuple[str, str]:
    """Says a closed title again about another thing; empty change where it names nothing."""
    for segment in old.segments():
        if isinstance(segment, str) or segment[0].startswith(("syn:", "ref", "num", "version")):
            continue
        pool = [w for w in writer.words.pools.get(segment[0], ()) if w != segment[1]]
        if pool:
            other = pick(writer.rng, pool)
            title = closed_title.replace(segment[1], other, 1)
            return _fit(title, TITLE_CHARS), f"speaks of {other} where it spoke of {segment[1]}"
    return writer.crossed(old, True), ""


def _capital(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() else text


def _fit(text: str, limit: int) -> str:
    """Cuts a text at a word so that it fits."""
    return text if len(text) <= limit else text[: limit + 1].rsplit(" ", 1)[0].rstrip(" ,:;(")


def _body(sentences: Sequence[str], keep: int) -> str:
    """Joins sentences; the first ones are left out where all do not fit, the last ``keep`` never.

    A text that is longer all the same is cut at a word.
    """
    chosen = list(sentences)
    while len(chosen) > keep and sum(map(len, chosen)) + 2 * len(chosen) > BODY_CHARS:
        del chosen[0]
    text = " ".join([s if s[-1] in ".!?" else f"{s}." for s in chosen if s])
    return text if len(text) <= BODY_CHARS else _fit(text, BODY_CHARS - 1) + "."

