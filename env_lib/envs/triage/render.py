"""The prompt of one thread: sections in order of priority until the token budget is full.

Tokens are estimated by `language.count_tokens`. The budget covers the prompt, the system prompt
excluded.
"""

from __future__ import annotations

from env_lib.envs.triage.scenario import Item
from env_lib.language import count_tokens, cut

DYNAMIC_TOKENS = 52
"""Room always kept for the last lines and notes, so that a first note changes nothing else."""
QUEUE_TOKENS = 38
"""The queue, and what the thread is and what is known of its author."""
FEW_MERGED = 2
"""Merged pull requests up to which an author is unknown until the record is asked for."""
RECORD_TOKENS = 14
CLOSED_TOKENS = 12
MARGIN = 0.9
"""Share of the budget that the estimate may fill."""


def kind_of(item: Item) -> str:
    """Return what a thread is, in a word of prompts."""
    return "PR" if item.kind == "pull_request" else "issue"


def standing_of(item: Item, history: str | None) -> str:
    """Return in a word what is known of an author: by the record, where asked, else by work merged.

    The words are those of `people.record_of`; they are unlike each other, so that a small model can
    tell them apart.
    """
    if history:
        return history.partition(",")[0]
    return "trusted" if item.author.merged > FEW_MERGED else "unknown"


def error_tokens(budget: int) -> int:
    """Return the room for an error: less where the prompt is short."""
    return 20 if budget >= 200 else 10


def reserve(budget: int, record: bool, closed: bool, error: bool) -> int:
    """Return the tokens that the lines under the thread's text may take."""
    notes = RECORD_TOKENS * record + CLOSED_TOKENS * closed + (error_tokens(budget) + 3) * error
    return max(DYNAMIC_TOKENS, QUEUE_TOKENS + notes)


def thread_text(item: Item, budget: int, kept: int = DYNAMIC_TOKENS) -> str:
    """Render a thread within `budget` tokens of which `kept` go to the lines below it.

    Order of priority: head and title, author, best neighbour, body, further neighbours.
    """
    left = int(budget * MARGIN) - kept
    head = (
        f"{item.repo.split('/')[1]} {kind_of(item)} {item.number} ({item.age_days}d): {item.title}"
    )
    head = cut(head, max(20, left // 2))
    person = item.author
    first = "first contribution, " if person.first else ""
    author = f"author {person.handle}: {first}{person.merged} merged, {person.account_days}d"
    left -= count_tokens(head) + count_tokens(author)
    near: list[str] = []
    for rank, (number, title, score) in enumerate(item.similar):
        if rank == 1:
            body = cut(item.body, max(0, left))
            left -= count_tokens(body)
        line = f"similar {number} ({score:.0f}): {cut(title, 14)}"
        cost = count_tokens(line)
        if cost > left:
            break
        near.append(line)
        left -= cost
    if len(near) < 2:
        body = cut(item.body, max(0, left))
    return "\n".join(part for part in (head, body, author, *near) if part)
