"""What the text of a thread says, by documented patterns, and what of it may be kept.

The facts are those of the bundled records: `has_repro` (a fenced block with code or a command, not
only a traceback), `has_versions` (a package or tool beside a version number), `has_traceback`
(Python's own header, or a line that starts with an error class). Patterns see the text as written;
`Cleaner` then removes whatever names a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from env_lib.envs.triage.pseudonyms import pseudonym
from env_lib.envs.triage.scrub import scrub

BODY_LIMIT = 4_000
ASK_REACH = 120
NEEDS_INFO = re.compile(r"needs?[ -]+(?:\w+[ -]+)?(?:info|repro)", re.I)

TRACEBACK = re.compile(r"Traceback \(most recent call last\)|^\s*\w*(?:Error|Exception): ", re.M)
VERSIONS = re.compile(
    r"[\w.-]+\s*==\s*v?\d+\.\d+"
    r"|\b(?:versions?|python|torch|pytorch|cuda|transformers|accelerate|peft|trl|unsloth|datasets"
    r"|bitsandbytes|deepspeed|vllm|ubuntu|macos|windows)\b[^\w\n]{0,12}v?\d+(?:\.\d+)+",
    re.I,
)
FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)^[ \t]*\1", re.M | re.S)
CODE_LINE = re.compile(
    r"^\s*(?:>>> |\$ |import \w|from [\w.]+ import |(?:python3?|pip|accelerate|torchrun|trl) )"
    r"|\w\([^\n]*\)",
    re.M,
)
ASKS = re.compile(
    r"\b(?:can|could|would|will) you\b[^.\n]*\b(?:share|provide|post|paste|give|show|send|include"
    r"|tell|run)\b"
    r"|\bplease\b[^.\n]*\b(?:share|provide|post|paste|give|show|send|include)\b"
    r"|\b(?:minimal|reproducible|reproducing)\b[^.\n]*\b(?:example|script|code|snippet|repro)\w*"
    r"|\b(?:which|what) versions?\b"
    r"|\b(?:full|complete|whole) (?:stack ?trace|traceback|error|log)",
    re.I,
)
MATTER = re.compile(
    r"repro|snippet|script|code|example|version|environment|\benv\b|log|trace|error|message|config"
    r"|command|details|information|\binfo\b|setup|hardware|output",
    re.I,
)
CATEGORY_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (category, re.compile(words, re.I))
    for category, words in (
        ("docs", r"\b(?:docs?|documentation|docstrings?|readme|typos?|tutorial|guide)\b"),
        ("install", r"\binstall\w*|\bpip\b|ModuleNotFound|ImportError|cannot import|\bwheels?\b"),
        ("performance", r"\bslow\w*|\boom\b|out of memory|memory (?:leak|usage)|\bspeed|faster"),
        ("maintenance", r"^(?:chore|ci|test|build|refactor)\b|\bbump\b|\bci\b|clean.?up|deprecat"),
        (
            "question",
            r"\?\s*$|^\[?question|\bhow (?:to|do|can|should)\b|^(?:why|what|is|does|can)\b",
        ),
        ("bug", r"\bfix|\bbug|error|exception|crash|fail|broken|wrong|incorrect|\bnan\b|mismatch"),
        ("feature", r"\bfeat|\badd|support|implement|enhanc|request|\ballow|introduce|\bnew\b"),
    )
)
OWN_NUMBER = r"(?:{repo}#|#|https?://github\.com/{repo}/(?:issues|pull)/)(\d+)\b"
DUPLICATE = r"(?<!not )(?<!not a )(?<!n't a )\b(?:duplicate|dupe?) of:?\s+" + OWN_NUMBER
CLOSES = r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+" + OWN_NUMBER
FIXED_IN = r"\b(?:fixed|resolved|solved|addressed|closed) (?:in|by|with|via):?\s+" + OWN_NUMBER

COMMENT_OUT = re.compile(r"<!--.*?-->", re.S)
WORD = re.compile(r"@?[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")


def text_facts(body: str) -> dict[str, bool]:
    """The three facts about how well a report is described."""
    blocks = [block for _, block in FENCE.findall(body)]
    return {
        "has_repro": any(CODE_LINE.search(b) and not TRACEBACK.search(b) for b in blocks),
        "has_versions": bool(VERSIONS.search(body)),
        "has_traceback": bool(TRACEBACK.search(body)),
    }


def asks_for_info(comment: str) -> bool:
    """True where a reply asks for a reproduction, versions, logs or the like.

    What is asked for may stand in the sentence or in the list below it.
    """
    return any(
        MATTER.search(comment, found.start(), found.end() + ASK_REACH)
        for found in ASKS.finditer(comment)
    )


def numbers(pattern: str, text: str, repo: str) -> list[int]:
    """Thread numbers of this repository that a pattern (DUPLICATE, CLOSES, FIXED_IN) finds."""
    return [int(n) for n in re.findall(pattern.replace("{repo}", re.escape(repo)), text, re.I)]


def category_of(title: str, kind: str, labels: Iterable[str]) -> tuple[str, str]:
    """Category and where it comes from: `label`, `keywords` of the title, or else the `kind`."""
    from env_lib.envs.triage.truth import type_label

    for label in labels:
        if (category := type_label(label)) is not None:
            return category, "label"
    for category, words in CATEGORY_WORDS:
        if words.search(title):
            return category, "keywords"
    return ("maintenance" if kind == "pull_request" else "question"), "kind"


class Cleaner:
    """Removes people from text: every login of the pull, then what `scrub` knows."""

    def __init__(self, repo: str, logins: Iterable[str], key: bytes) -> None:
        """Know every login of the pull, to find it also where it is written without an @.

        A login of one or two characters is only removed after an @: it would match plain words.
        """
        self.repo_words = {part.lower() for part in repo.split("/")}
        self.names: Mapping[str, str] = {
            login.lower().removesuffix("[bot]"): pseudonym(login, key)
            for login in logins
            if login.lower() not in self.repo_words
        }

    def text(self, raw: str | None) -> str:
        """Text without hidden comments, logins, links and secrets, at most BODY_LIMIT long."""
        text = scrub(WORD.sub(self._word, COMMENT_OUT.sub("", raw or "")))
        return re.sub(r"\n\s*\n\s*\n+", "\n\n", text).strip()[:BODY_LIMIT]

    def _word(self, found: re.Match[str]) -> str:
        """Replace every run of parts that is a login: `my-login-fork` gives `<name>-fork`."""
        word = found[0].removeprefix("@")
        at = found[0].startswith("@")
        parts = re.split(r"([-_])", word)
        out: list[str] = []
        start = 0
        while start < len(parts):
            for stop in range(len(parts), start, -1):
                name = self.names.get("".join(parts[start:stop]).lower())
                if name and (at or stop - start > 1 or len(parts[start]) > 2):
                    out.append(name)
                    at = False
                    break
            else:
                stop = start + 1
                out.append(parts[start])
            start = stop
        return ("@" if at else "") + "".join(out)
