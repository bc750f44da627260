"""From (tier, split, seed) to a queue of threads: a pure function.

Real threads of the split are drawn without replacement, spam and, in release week, honest
duplicates are mixed in. Where a split holds fewer threads than a tier needs, the tier is shortened
in proportion. A synthetic thread takes an unused number near a real one: numbers tell nothing.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from env_lib.core import Scenario
from env_lib.envs.triage import people
from env_lib.envs.triage.duplicates import duplicate_report
from env_lib.envs.triage.people import Author
from env_lib.envs.triage.retrieval import Hit, Index
from env_lib.envs.triage.spam import PATTERNS, Corpus, SpamSource, appeal_text, story, template_spam
from env_lib.envs.triage.store import contributor_rows
from env_lib.envs.triage.threads import Thread, load_threads
from env_lib.envs.triage.truth import Truth

THREADS_PER_STEP = 0.8
"""Threads of a queue for each step of the budget: a fifth of the steps is left for questions."""
HARMLESS = 2
"""Real threads that an account of a long con posts first, where so many come before its spam."""
BURST_DAYS = 3
"""The most days that a duplicate of the release bug is old."""
Seen = dict[str, list[Author]]
"""The honest authors of a queue so far, by repository."""
_CITED = re.compile(r"#(\d+)")


@dataclass(frozen=True)
class Tier(Scenario):
    """A triage scenario."""

    spam: float = 0.0
    """Share of threads that are spam."""
    stealth: tuple[int, ...] = ()
    """Stealth tiers of the adversary, drawn with equal chance."""
    duplicates: float = 0.0
    """Share of threads that re-report the release bug, in a burst."""
    campaign: int = 0
    """Accounts that push one story together; 0 for none."""
    long_con: float = 0.0
    """Share of spam accounts that post harmless threads first."""
    appeals: bool = False
    """Whether each closing of spam is appealed in a later spam slot of the repository; the closing
    of an appeal is not, or one account would fill the queue."""


SCENARIOS = {
    tier.name: tier
    for tier in (
        Tier("E0", "quiet day", 30),
        Tier("E1", "release week", 60, 0.10, (0, 1), duplicates=0.12),
        Tier("E2", "spam wave", 120, 0.40, (1, 2)),
        Tier("E3", "coordinated attack", 200, 0.55, (2, 3), campaign=6),
        Tier("E4", "long con", 320, 0.60, (3, 4), campaign=6, long_con=0.3),
        Tier("E5", "hostile fork war", 500, 0.65, (4,), campaign=6, long_con=0.3, appeals=True),
    )
}

SPAM_TRUTH = Truth("close_spam", None, frozenset(), None, None, frozenset(), "synthetic", True)


@dataclass(frozen=True, slots=True)
class Item:
    """One thread of a queue; from `truth` on everything is hidden from policies."""

    repo: str
    number: int
    kind: str
    title: str
    body: str
    age_days: int
    author: Author
    similar: tuple[Hit, ...]
    under_described: bool
    truth: Truth
    spam: bool = False
    pattern: str = ""
    stealth: int = -1
    campaign: int = 0
    """Threads of one campaign share a number from 1 on; 0 for none."""
    appeals: bool = False
    appeal_of: int = 0
    """The closed thread that this slot turned into an appeal against."""


@dataclass(frozen=True, eq=False)
class Library:
    """What episodes draw from: the threads of a split, and an index a repository over all."""

    pool: tuple[Thread, ...]
    indexes: dict[str, Index]
    corpus: Corpus
    people: dict[tuple[str, str], Author]

    @cached_property
    def numbers(self) -> dict[str, frozenset[int]]:
        """The known numbers of each repository."""
        return {
            repo: frozenset(t.number for t in index.threads) for repo, index in self.indexes.items()
        }

    @cached_property
    def pool_numbers(self) -> dict[str, tuple[int, ...]]:
        """The numbers of each repository in the split."""
        return {repo: tuple(t.number for t in self.pool if t.repo == repo) for repo in self.indexes}

    @cached_property
    def similar(self) -> Callable[[Thread], tuple[Hit, ...]]:
        """The most similar older threads of a real one, asked once."""
        return lru_cache(maxsize=None)(
            lambda t: self.indexes[t.repo].similar(t.title, t.body, t.number)
        )


@lru_cache(maxsize=16)
def library(split: str, store: Path | None = None) -> Library:
    """Load the threads of a split once a process."""
    threads = load_threads(store)
    repos = sorted({thread.repo for thread in threads})
    indexes = {repo: Index([t for t in threads if t.repo == repo]) for repo in repos}
    pool = tuple(t for t in threads if t.split == split and t.truth.scored)
    if not pool:
        raise ValueError(
            f"split {split!r} of the store holds no scored thread; pull or import more"
        )
    rows = {
        (repo, name): row for repo in repos for name, row in contributor_rows(store, repo).items()
    }
    handles = people.handles_of(name for _, name in rows)
    known = {key: people.known_author(key[1], handles[key[1]], row) for key, row in rows.items()}
    return Library(pool, indexes, Corpus.of(_known_by(split, threads)), known)


def _known_by(split: str, threads: Sequence[Thread]) -> list[Thread]:
    """The threads that spam is written from: none that is newer than the split."""
    order = ("train", "val", "test")
    earlier = order[: order.index(split) + 1] if split in order else order
    return [thread for thread in threads if thread.split in earlier]


def sizes(tier: Tier, available: int, steps: int | None = None) -> tuple[int, int, int, int]:
    """Return (steps, real, spam, duplicates), shortened in proportion to what is available."""
    steps = tier.steps if steps is None else min(steps, tier.steps)
    if steps < 5:
        raise ValueError(f"steps={steps}; an episode needs at least 5")
    real_share = 1.0 - tier.spam - tier.duplicates
    total = int(THREADS_PER_STEP * steps)
    if total * real_share > available:
        total = int(available / real_share)
        steps = int(total / THREADS_PER_STEP)
    spam, duplicates = round(tier.spam * total), round(tier.duplicates * total)
    return steps, total - spam - duplicates, spam, duplicates


@lru_cache(maxsize=64)
def build_queue(
    tier: Tier,
    lib: Library,
    seed: int,
    steps: int | None = None,
    source: SpamSource = template_spam,
) -> tuple[int, tuple[Item, ...]]:
    """Return (steps, queue in order of arrival) of the episode that `seed` fixes."""
    # Cached: every policy of a table plays the same queues.
    rng = random.Random(f"triage/{tier.name}/{seed}")
    steps, n_real, n_spam, n_duplicates = sizes(tier, len(lib.pool), steps)
    taken: set[int] = set()
    seen: Seen = defaultdict(list)
    real = [_real(rng, lib, thread, seen) for thread in _draw(rng, lib.pool, n_real, taken)]
    spam = _spam(rng, tier, lib, n_spam, taken, source)
    queue: list[Item] = real + spam
    rng.shuffle(queue)
    if tier.long_con and spam:
        queue = _long_con(rng, tier, queue)
    if n_duplicates:
        queue = _burst(rng, lib, queue, n_duplicates, taken, seen)
    return steps, tuple(_first_once(queue))


def _first_once(queue: Sequence[Item]) -> Iterator[Item]:
    """Only the first thread of an account is its first contribution."""
    seen: set[str] = set()
    for item in queue:
        if item.author.first and item.author.handle in seen:
            item = replace(item, author=replace(item.author, first=False))
        seen.add(item.author.handle)
        yield item


def _draw(rng: random.Random, pool: Sequence[Thread], count: int, taken: set[int]) -> list[Thread]:
    """Draw without replacement; two repositories may share a number, a queue may not."""
    chosen: list[Thread] = []
    for thread in rng.sample(pool, len(pool)):
        if len(chosen) == count:
            break
        if thread.number not in taken:
            taken.add(thread.number)
            chosen.append(thread)
    return chosen


def _real(rng: random.Random, lib: Library, thread: Thread, seen: Seen) -> Item:
    author = lib.people.get((thread.repo, thread.author or "")) or people.draw_honest(
        rng, thread.kind, seen[thread.repo]
    )
    return Item(
        thread.repo,
        thread.number,
        thread.kind,
        thread.title,
        thread.body,
        _age(rng),
        author,
        lib.similar(thread),
        thread.under_described or thread.truth.action == "request_info",
        thread.truth,
    )


def _age(rng: random.Random) -> int:
    return int(rng.expovariate(1 / 6))


def _free_number(
    rng: random.Random, lib: Library, repo: str, taken: set[int], near: int = 0
) -> int:
    pool, known = lib.pool_numbers[repo], lib.numbers[repo]
    newest, spread = max(known), 60
    while True:
        spread += 1  # a store may hold every number for a while
        number = (min(near, newest) or rng.choice(pool)) + rng.randint(1, spread)
        if number not in taken and number <= newest + spread and number not in known:
            taken.add(number)
            return number


def _spam(
    rng: random.Random, tier: Tier, lib: Library, count: int, taken: set[int], source: SpamSource
) -> list[Item]:
    repos = [thread.repo for thread in lib.pool]
    accounts: list[Author] = []
    items = []
    plot = None
    plot_left = campaigns = 0
    for _ in range(count):
        stealth = rng.choice(tier.stealth)
        if tier.campaign and plot_left == 0 and rng.random() < 0.15:
            plot_repo = rng.choice(repos)
            plot, plot_left = story(rng, lib.corpus, plot_repo), tier.campaign
            campaigns += 1
        repo = plot_repo if plot_left else rng.choice(repos)
        reuse = accounts and stealth >= 3 and rng.random() < 0.4
        author = rng.choice(accounts) if reuse else people.spammer(rng, stealth)
        accounts.append(author)
        pattern = rng.choice(PATTERNS)
        campaign = campaigns if plot_left else 0
        if campaign:
            text = source(pattern, stealth, rng, lib.corpus, repo, story=plot)
            plot_left -= 1
        else:
            text = source(pattern, stealth, rng, lib.corpus, repo)
        cited = [int(n) for n in _CITED.findall(f"{text.title} {text.body}")]
        number = _free_number(rng, lib, repo, taken, near=max(cited, default=0))
        similar = lib.indexes[repo].similar(text.title, text.body, number)
        items.append(
            Item(
                repo,
                number,
                text.kind,
                text.title,
                text.body,
                _age(rng),
                author,
                similar,
                False,
                SPAM_TRUTH,
                True,
                pattern,
                stealth,
                campaign,
                tier.appeals,
            )
        )
    return items


def _long_con(rng: random.Random, tier: Tier, queue: list[Item]) -> list[Item]:
    """Give up to `HARMLESS` real threads to spam accounts, before their first spam."""
    first: dict[str, int] = {}
    for i, item in enumerate(queue):
        if item.spam:
            first.setdefault(item.author.handle, i)
    free = {i for i, item in enumerate(queue) if not item.spam}
    for handle in rng.sample(sorted(first), int(tier.long_con * len(first))):
        before = sorted(i for i in free if i < first[handle])
        harmless = set(rng.sample(before, min(HARMLESS, len(before))))
        if not harmless:
            continue
        free -= harmless
        author = people.after_harmless(queue[first[handle]].author)
        queue = [
            replace(item, author=author)
            if i in harmless or (item.spam and item.author.handle == handle)
            else item
            for i, item in enumerate(queue)
        ]
    return queue


def _burst(
    rng: random.Random,
    lib: Library,
    queue: list[Item],
    count: int,
    taken: set[int],
    seen: Seen,
) -> list[Item]:
    """Move the release bug to the front and let its duplicates arrive in a burst."""
    bugs = [
        item
        for item in queue
        if not item.spam and item.kind == "issue" and item.truth.label == "bug"
    ]
    if not bugs:
        bugs = [item for item in queue if not item.spam]
    original = rng.choice(bugs)
    queue.remove(original)
    queue.insert(min(1, len(queue)), original)
    start = len(queue) // 3
    for _ in range(count):
        title, body = duplicate_report(rng, lib.corpus, original)
        number = _free_number(rng, lib, original.repo, taken, near=original.number)
        similar = lib.indexes[original.repo].similar(title, body, number)
        labels = frozenset({"bug"})
        truth = Truth(
            "link_duplicate",
            "bug",
            labels,
            original.number,
            None,
            frozenset({"comment"}),
            "synthetic",
            True,
        )
        author = people.draw_honest(rng, "issue", seen[original.repo])
        age = min(_age(rng), BURST_DAYS)
        item = Item(original.repo, number, "issue", title, body, age, author, similar, False, truth)
        queue.insert(start + rng.randint(0, count), item)
    return queue


@lru_cache(maxsize=4096)
def appealed(lib: Library, seed: int, slot: Item, closed: Item) -> Item:
    """Turn a spam slot into its closed author's appeal; a pure function, cached over branches."""
    rng = random.Random(f"appeal/{seed}/{slot.number}/{closed.number}")
    text = appeal_text(rng, lib.corpus, slot.repo, closed.title, slot.stealth)
    return replace(
        slot,
        title=text.title,
        body=text.body,
        kind=text.kind,
        author=replace(closed.author, first=False),
        similar=lib.indexes[slot.repo].similar(text.title, text.body, slot.number),
        pattern="self_contradicting_appeal",
        appeal_of=closed.number,
    )
