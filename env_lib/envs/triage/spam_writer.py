"""The hand of the spammer: says titles, sentences, claims and phrases for one thread."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from env_lib.envs.triage.spam_claims import Claim, Story, draw_link, draw_product
from env_lib.envs.triage.spam_grammar import RepoWords
from env_lib.envs.triage.spam_pieces import Piece, capital, fit, load_data, pick, say

TITLE_CHARS = 88
BODY_CHARS = 280
LONGEST = 210
"""A sentence that carries a claim is not longer; with details it still fits a body."""

_NOTHING = Piece((), "", None, frozenset())


class Writer:
    """Says things about one thread in the making.

    ``free`` counts the free choices of a tail in what was said and kept so far: texts with few of
    them get more detail, or two seeds would say the same.
    """

    def __init__(
        self, rng: random.Random, words: RepoWords, kind: str, pattern: str, story: Story | None
    ) -> None:
        self.rng, self.words, self.kind, self.pattern, self.story = rng, words, kind, pattern, story
        self.product = story.product if story else ""
        self.link = story.link if story else ""
        self.closed = ""
        self.free = 0
        anchor = pick(rng, words.usable[kind])
        self.claim = story.claim if story else Claim("", anchor, anchor)

    def near(self) -> int:
        """Draws a thread of the same kind that is about something similar."""
        near = self.words.near[self.claim.about][self.kind]
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
        return fit(text, TITLE_CHARS)

    def donors(self, extras: Sequence[str] = (), least: int = 1) -> list[str]:
        """Makes sentences from real ones, as long as a real body is together with the extras.

        Where they leave little to chance, the first one gets an environment.
        """
        room = pick(self.rng, self.words.sizes) - sum(map(len, extras))
        out: list[str] = []
        while len(out) < least or (room > 60 and len(out) < 4):
            best, free = "", self.free
            for _ in range(3):
                self.free = free
                text = self.sentence()
                if text and text not in out and (not best or len(text) < len(best)):
                    best, gained = text, self.free
                if best and len(best) <= room + 10:
                    break
            self.free = gained if best else free
            if not best or (len(out) >= least and len(best) > room + 10):
                break
            out.append(best)
            room -= len(best) + 2
        return self.varied(out)

    def varied(self, sentences: list[str], more: int = 0) -> list[str]:
        """Adds an environment to the first sentence where the text leaves little to chance."""
        least = more + (1 if len(self.words.facts) > 200 else 2)
        if sentences and self.free < least and len(sentences[0]) <= LONGEST:
            return [f"{sentences[0]} {self.details()}", *sentences[1:]]
        return sentences

    def sentence(self) -> str:
        """Makes one sentence, now and then from one that suits the pattern; may be empty."""
        found = self.words.flavoured.get(self.pattern) if self.kind == "issue" else ()
        if not found or self.rng.random() > 0.2:
            found = self.words.facts[self.near()].donors
        return self.crossed(pick(self.rng, found), False) if found else ""

    def details(self) -> str:
        """Makes up an environment; the package's version is left to a claim about it."""
        rng, words = self.rng, self.words
        found = words.settings if len(words.settings) > 4 and rng.random() < 0.8 else ()
        setting = say(pick(rng, found), rng, words.pools) if found else ""
        if setting and not (self.claim.version and words.package.lower() in setting.lower()):
            return setting
        shared = load_data()["words"]
        library = pick(rng, sorted(shared["libraries"]))
        version = pick(rng, shared["libraries"][library])
        return f"{pick(rng, shared['environments'])} ({library} {version})"

    def topic(self) -> str:
        """Names what the claim is about; synonyms alone vary."""
        fact = self.words.facts[self.claim.cited]
        piece = self.words.topics.get(self.claim.cited, fact.heading)
        return say(piece.segments(), self.rng, self.words.synonyms)

    def wish(self) -> str:
        """Titles a report that something is missing or broken which is there and works."""
        topic = self.topic()
        forms = load_data()["facts"]["wishes"]
        more = self.words.facts[self.near()].heading
        if more.joint[:1] == " " and more.tail and self.rng.random() < 0.5:
            topic += more.joint + self.crossed(more.tail, True)
        text = capital(pick(self.rng, forms).replace("{topic}", topic))
        return fit(text, TITLE_CHARS)

    def phrase(self) -> str:
        """Says the claim outright."""
        return capital(self.expand(pick(self.rng, load_data()["facts"][self.claim.kind])))

    def hint(self) -> str:
        """Says something mild that suits the pattern."""
        return pick(self.rng, load_data()["facts"]["hints"][self.pattern])

    def citing(self) -> str:
        """Takes a real sentence that cites a thread, and cites the claim's thread in it."""
        number = str(self.words.facts[self.claim.cited].number)
        found = self.words.having.get((self.kind, "ref"))
        if not found or self.rng.random() < 0.3:
            return self.phrase()
        text = self.crossed(pick(self.rng, found), False, {"ref": number})
        text = text if number in text else f"{text}, see {self.expand('{ref}')}"
        return text if len(text) <= LONGEST else self.phrase()

    def dated(self) -> str:
        """Takes a real sentence and gives the claim's version as the one in use."""
        package, version = self.words.package, self.claim.version
        slot = f"version:{package.lower()}"
        found = self.words.having.get((self.kind, slot)) if self.rng.random() < 0.8 else None
        if found:
            text = self.crossed(pick(self.rng, found), False, {slot: version})
        else:
            text = self.sentence() or "Environment given"
        text = text if version in text else f"{text} ({package} {version})"
        return text if len(text) <= LONGEST else self.phrase()

    def opposites(self) -> tuple[str, list[str]]:
        """Makes two statements that exclude each other, the first one hung on a real sentence."""
        first, second = pick(self.rng, load_data()["words"]["opposites"])
        piece = pick(self.rng, self.words.facts[self.near()].sentences or (_NOTHING,))
        head = say(piece.head, self.rng, self.words.pools) or "It happens"
        return f"says both {first!r} and {second!r}", [f"{head} {first}", second]

    def parts(self, tier: int) -> list[str]:
        """Expands the sentences of a loud body, one or two or all of them."""
        groups = load_data()["patterns"][self.pattern][str(tier)]["body"]
        return [capital(self.expand(pick(self.rng, group))) for group in groups]

    def expand(self, template: str) -> str:
        """Fills the slots of a grammar's template."""
        return "".join([t if i % 2 == 0 else self.slot(t) for i, t in enumerate(_parts(template))])

    def slot(self, name: str) -> str:
        """Returns the filler of one slot; a name that no list has raises KeyError."""
        rng, words = self.rng, self.words
        fact = words.facts[self.claim.cited]
        match name:
            case "product" | "PRODUCT":
                self.product = self.product or draw_product(rng)
                return self.product if name[0] == "p" else self.product.upper()
            case "link":
                self.product = self.product or draw_product(rng)
                self.link = self.link or draw_link(rng, self.product)
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


def _list(name: str) -> list[str]:
    return load_data()["words"]["lists"][name]


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[str, ...]:
    """Splits a template; every second part is the name of a slot."""
    return tuple(re.split(r"\{(\w+)\}", template))


def joined(sentences: Sequence[str], keep: int) -> str:
    """Joins sentences; the first ones are left out where all do not fit, the last ``keep`` never.

    A text that is longer all the same is cut at a word.
    """
    chosen = list(sentences)
    while len(chosen) > keep and sum(map(len, chosen)) + 2 * len(chosen) > BODY_CHARS:
        del chosen[0]
    text = " ".join([s if s[-1] in ".!?" else f"{s}." for s in chosen if s])
    return text if len(text) <= BODY_CHARS else fit(text, BODY_CHARS - 1) + "."
