"""What private text looks like, and its removal: `scrub`, which every text of the store passes.

Removed are e-mail addresses, tokens, links, @logins, hub ids and the names of home folders.

Not covered: names and logins written without `@`, a link or a path around them.
"""

import re

_OWN = r"(?:huggingface/(?:peft|trl)|unslothai/unsloth)"
_OWN_PAGE = re.compile(
    rf"https?://github\.com/{_OWN}(?![\w-])(?:/(?:issues|pull|discussions)/\d+)?", re.I
)
_LINK = re.compile(
    r"(?:[a-z][a-z\d+.-]{1,20}://|www\.|git@"
    r"|(?<![\w.-])(?:[\w-]{1,63}\.){1,8}(?:ai|app|co|com|de|dev|edu|gg|io|me|net|org|space|xyz)/"
    r"|(?<![\w-])[\w-]{1,63}\.(?:github\.io|hf\.space)\b)[^\s<>()\[\]\"'`]*",
    re.I,
)
# Lengths are bounded so that no text takes longer than in proportion to its size.
# A pair a/b is a hub id, unless it is a file or both halves are words of the trade or sizes: a
# name that slips through identifies somebody, a lost "foo/bar" costs a little retrieval.
_PAIR = re.compile(
    r"(?<![\w./@])([A-Za-z\d][\w.-]{0,95})/([A-Za-z\d][\w-]*(?:\.[\w-]+)*)(?![\w/-])"
)
_FILE = re.compile(r"[\w.-]+\.(?:cpp|csv|cu|ipynb|jsonl?|md|py|sh|toml|txt|ya?ml)", re.I)
_SIZE = re.compile(
    r"(?:[ahltv]|fp|bf|nf|u?int|float|conv|zero|cuda|stage|py)?-?\d[\d.]*"
    r"(?:-?bit|[bdkmsx]|gb)?",
    re.I,
)
_WORDS = frozenset(
    """
    a absmax accelerate adapter after amd and backward base batch before benchmarks bitsandbytes
    bug cd chosen ci cli commands completion conda config configs cpu cuda data dataset decode
    decoder deepspeed desirable disk docs dpo embed_tokens encode encoder eval examples export
    feature forward fsdp gkd gpu grad grpo higher ia3 import in init input issue jax key kl kto
    label layers left linux lm_head load local loftq loha lokr lora loss lower macos max merge min
    models mps nan no notebooks npu off olora on online or orpo out output peft pip pissa policy
    ppo pr prefix prompt python pytorch qlora query question read ref reference rejected release
    reward right rloo rocm save scripts sft source src target tensorflow test tests text tokenizer
    torch tpu train trainer training transformers triton trl tuners undesirable unsloth utils val
    valid validation value vllm weight weights windows with without write xpu yes zero
    """.split()  # noqa: SIM905 - words read better as a text
)
_AT = r"(?:\s*[\[({]\s*at\s*[\])}]\s*|@|%40)"
_DOT = r"(?:\.|\s*[\[({]\s*dot\s*[\])}]\s*)"
_REVISION = r"(?:v?\d[\w.]*|main|master|dev|[\da-f]{7,40})(?![\w:-])"
_SECRETS = (
    r"(?<![a-z\d])(?:gh[opsur]_[a-z\d]{10,}|github_pat_\w{10,}|hf_[a-z\d]{20,}"
    r"|sk-(?=[\w-]{0,80}\d)[\w-]{16,}|(?:akia|asia)[a-z\d]{16}|aiza[\w-]{30,}"
    r"|(?:glpat|xox[abeprs]|pypi)-[\w-]{10,}|eyj[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
)
_NAMED_SECRET = (
    r"((?:api[_-]?key|secret(?:[_-]?key)?|passw(?:or)?d|(?:access|auth|hf|hub|bearer)[_-]?token)"
    r"[\"']?\s*[=:]\s*[\"']?)[\w./+=-]{8,}"
)
_BEFORE_PAIRS = (
    (r"(?m)^[ \t]*[\w-]+-by:[^\n]*", "<trailer>"),
    (
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        "<token>",
    ),
    (_SECRETS, "<token>"),
    (_NAMED_SECRET, r"\1<token>"),
    (r"((?:/home|/users|[a-z]:\\users)[/\\])[\w.@-]+", r"\1user"),
    (r"\b(?:models|datasets|spaces)(?:--[\w.-]+|/[\w.-]+/[\w.-]+)", "<hub-id>"),
)
_AFTER_PAIRS = (
    (rf"(?<![\w.+%-])[\w.+%-]+{_AT}[\w-]+(?:{_DOT}[\w-]+)*{_DOT}[a-z]{{2,}}\b", "<email>"),
    (rf"(?<![\w.-])[\w.-]*\w@(?!{_REVISION})[\w.-]+", "<email>"),
    (r"(?<!\w)@[a-z\d][\w-]*(?:/[\w.-]+)?(?:\[bot\])?", "@user"),
)
_BEFORE = tuple((re.compile(pattern, re.I), to) for pattern, to in _BEFORE_PAIRS)
_AFTER = tuple((re.compile(pattern, re.I), to) for pattern, to in _AFTER_PAIRS)
_LOOKALIKES = {0xFF20: "@", **dict.fromkeys((0x200B, 0x200C, 0x2060, 0xFEFF))}


def _link(found: re.Match[str]) -> str:
    own = _OWN_PAGE.match(found.group())
    return own.group() if own else "<link>"


def _pair(found: re.Match[str]) -> str:
    halves = found.groups()
    plain = all(half.lower() in _WORDS or _SIZE.fullmatch(half) for half in halves)
    own = re.fullmatch(_OWN, found.group(), re.I)
    return found.group() if own or plain or any(map(_FILE.fullmatch, halves)) else "<hub-id>"


def scrub(text: str) -> str:
    """Text without e-mail addresses, tokens, links, @logins, hub ids and home folders.

    Each is replaced by a mark such as `<email>`; links to threads of the three repositories stay.
    Scrubbing twice changes nothing.
    """
    before, after = text, _scrub_once(text.translate(_LOOKALIKES))
    while after != before:  # what is left between two marks can make a new match
        before, after = after, _scrub_once(after)
    return after


def _scrub_once(text: str) -> str:
    for pattern, to in _BEFORE:
        text = pattern.sub(to, text)
    text = _PAIR.sub(_pair, _LINK.sub(_link, text))
    for pattern, to in _AFTER:
        text = pattern.sub(to, text)
    return text
