"""Pieces: titles and sentences of real threads, cut at joints, with slots, to be said again.

A piece is a head and a tail around a joint (" with ", " when ", ...), in which names, versions,
thread numbers, model names and synonyms are slots. It is said again by filling the slots from what
the same repository uses, in the proportions in which it uses them, so that no word by itself tells
a synthetic thread from a real one.

Not covered: languages other than English, and nested clauses (a joint is found by its words).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from env_lib.paths import DATA

T = TypeVar("T")
Slot = tuple[str, str, float]
"""Kind of slot, the words that stood there, and how often they are kept."""
Segments = Sequence["str | Slot"]
"""Text with slots."""

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
    r"no description|bare template|template text|[Uu]nfilled|"
    r"(?:is|are) (?:not )?(?:visible|stored|cut)|stored (?:copy|thread|excerpt)|excerpt|"
    r"^[Mm]aintainer|maintainer (?:task|note)"
)
_STOP = re.compile(r"the|and|with|for|that|this|from|not|are|but|has|was|its|into|when|does")


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


@lru_cache(maxsize=1)
def load_data() -> dict[str, dict]:
    """Returns the grammars by file name: ``words``, ``patterns``, ``facts``."""
    folder = DATA / "triage" / "spam"
    names = ("words", "patterns", "facts")
    return {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in names}


def pick(rng: random.Random, items: Sequence[T]) -> T:
    """Draws one item; one call of the generator, whatever the length."""
    return items[int(rng.random() * len(items))]


def capital(text: str) -> str:
    """Raises the first letter where the first word is in lower case and no name."""
    first = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() else text


def fit(text: str, limit: int) -> str:
    """Cuts a text at a word so that it has at most ``limit`` characters."""
    return text if len(text) <= limit else text[: limit + 1].rsplit(" ", 1)[0].rstrip(" ,:;(")


def content_words(text: str) -> frozenset[str]:
    """Returns the words of a text that can name its subject, in lower case."""
    words = re.findall(r"[a-z][a-z0-9_]{2,}", text.lower())
    return frozenset(word for word in words if not _STOP.fullmatch(word))


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
        if isinstance(segment, str):
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


def plain(piece: Piece) -> str:
    """Returns a piece with the words that stood in its slots."""
    return "".join(s if isinstance(s, str) else s[1] for s in piece.segments())


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
            r"|(?P<hash>#\d+)"
            r"|(?P<word>\b(?:PRs?|issues?|[Ss]ee|resolves|fixes) )(?P<bare>\d{2,5})\b"
            r"|(?P<code>`[^`]+`)|(?P<name>\b[A-Z]\w*(?P<end>Error|Trainer|Config)\b)"
            rf"|(?P<model>\b(?:{_MODELS})[\w.-]*\w)"
            r"|(?P<gpu>\b(?:A100|H100|V100|T4|L4|A10G|A6000|RTX ?\d{4}|[34]090)s?\b)"
            r"|(?P<snake>\b[a-z]+_\w+(?:\.\w+)*\b)|(?P<camel>\b[A-Z][a-z]+[A-Z]\w+\b(?!-))"
            r"|(?P<num>(?<![\w.#/=-])(?!20[12]\d)[1-9]\d{1,5}(?![\w.%/-]))|"
            + "|".join(alternatives)
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
    return [part for part in clean if 20 <= len(part) <= 200 and not is_about_itself(part)]


def is_about_itself(text: str) -> bool:
    """Tells whether a text speaks of the record (an empty form, no description), not of a bug."""
    return bool(_META.search(text))
