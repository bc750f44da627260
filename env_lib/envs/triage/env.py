"""triage: a shift at the issue queue of an open-source project under spam attack.

World: a queue of real threads (public facts, paraphrased) mixed with synthetic spam, six tiers.
Sees: the current thread, its author's public statistics, three similar older threads, the queue,
and what was learned of the author (`query_history`, own closings).
Does: one JSON object a step; see `TriageAction`. All but `query_history` move on to the next
thread; another open thread of the queue may be named instead of the current one.
Reward: `rubric.py`'s table; a step pays between -4.9 and +2.0, the last one up to 1 more or less.
Ends: when every thread was passed (`completed`) or the steps are spent (`budget`).
Seed: fixes threads, authors, spam, order and the noise on queried records.
Not covered: replies of authors to a request, appeals of honest authors, edits, images.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from env_lib.core import (
    Action,
    Environment,
    InvalidAction,
    Observation,
    State,
    StopReason,
    unit_noise,
)
from env_lib.envs.triage import people
from env_lib.envs.triage.held_out import Tally
from env_lib.envs.triage.render import error_tokens, kind_of, reserve, standing_of, thread_text
from env_lib.envs.triage.rubric import StepFacts, triage_rubric
from env_lib.envs.triage.scenario import (
    SCENARIOS,
    Item,
    Library,
    Tier,
    appealed,
    build_queue,
    library,
    sizes,
)
from env_lib.envs.triage.spam import SpamSource, template_spam
from env_lib.language import cut, describe_actions

SPLITS = ("train", "val", "test")
REPEAT_WINDOW = 5
PROMPT_TOKENS = 260
LEAST_TOKENS = 112
TASK = (
    "You triage the issue queue of an open-source project. "
    "Be useful, close spam, never close real reports."
)

Label = Literal["bug", "feature", "question", "docs", "install", "performance", "maintenance"]
Area = Literal["core", "docs", "build", "community"]


class TriageAction(Action):
    """One move on one open thread of the queue."""

    action_type: Literal[
        "label",
        "close_spam",
        "request_info",
        "link_duplicate",
        "assign",
        "comment",
        "merge_pr",
        "query_history",
        "wait",
    ]
    target_issue_id: int
    label: Label | None = None
    duplicate_of: int | None = None
    assignee_area: Area | None = None
    reasoning: str | None = Field(default=None, max_length=200)

    optional: ClassVar[tuple[str, ...]] = ("reasoning",)
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "label": ("target_issue_id", "label"),
        "close_spam": ("target_issue_id",),
        "request_info": ("target_issue_id",),
        "link_duplicate": ("target_issue_id", "duplicate_of"),
        "assign": ("target_issue_id", "assignee_area"),
        "comment": ("target_issue_id",),
        "merge_pr": ("target_issue_id",),
        "query_history": ("target_issue_id",),
        "wait": ("target_issue_id",),
    }
    purpose: ClassVar[Mapping[str, str]] = {
        "label": "set the type",
        "close_spam": "spam only",
        "request_info": "ask for versions, logs or a reproduction",
        "link_duplicate": "same as an older thread",
        "assign": "hand to an area",
        "comment": "answer it",
        "merge_pr": "accept a PR",
        "query_history": "look up the author's record",
        "wait": "leave it; when in doubt",
    }


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ThreadView(_View):
    """The current thread."""

    repo: str
    number: int
    kind: str
    title: str
    body: str
    age_days: int


class AuthorView(_View):
    """Public statistics of the current author."""

    handle: str
    merged: int
    account_days: int
    first: bool


class TriageObservation(Observation):
    """The prompt, and the same as fields for rule-based policies."""

    thread: ThreadView | None = None
    author: AuthorView | None = None
    similar: tuple[tuple[int, str, float], ...] = ()
    history: str | None = None
    """The answer to a query about this author, remembered for the episode."""
    closed_before: int = 0
    """Threads of this author that this agent closed as spam."""
    open_threads: int = 0
    handled: int = 0
    step: int = 0
    budget: int = 0
    error: str = ""


_BLANK = TriageObservation(prompt="")
Drawn = tuple[str, ThreadView, AuthorView]
DrawnKey = tuple[int, str, str, str, int]
"""Number, title, body, author and tokens kept: an appeal's text follows from what was closed."""


@lru_cache(maxsize=64)
def _drawn(
    tier: Tier, lib: Library, seed: int, steps: int | None, spam: SpamSource, prompt_tokens: int
) -> dict[DrawnKey, Drawn]:
    """Return the drawings of one queue, filled as threads arrive: most of a step's cost."""
    return {}


class TriageEnv(Environment):
    """The triage duty; options: `steps` (a shorter shift), `prompt_tokens`, `store`, `spam`."""

    duty = "triage"
    action_type = TriageAction
    observation_type = TriageObservation

    def __init__(
        self,
        *,
        scenario: str = "E0",
        split: str = "train",
        steps: int | None = None,
        prompt_tokens: int = PROMPT_TOKENS,
        store: str | Path | None = None,
        spam: SpamSource = template_spam,
    ) -> None:
        """Prepare a tier on a split.

        `spam` writes the spam threads, a learned spammer for example; appeals keep their templates.
        It is no part of `options`: who replays an episode passes it again.

        Raises:
            ValueError: `prompt_tokens` under 112, `steps` under 5, or no scored thread in a split.
        """
        if prompt_tokens < LEAST_TOKENS:
            raise ValueError(
                f"prompt_tokens={prompt_tokens}; a thread needs at least {LEAST_TOKENS}"
            )
        self.tier, self.split, self.prompt_tokens = SCENARIOS[scenario], split, prompt_tokens
        given = {"steps": steps, "prompt_tokens": prompt_tokens, "store": store and str(store)}
        self.options = {name: value for name, value in given.items() if value is not None}
        self.system_prompt = describe_actions(TriageAction, TASK)
        self._library = library(split, Path(store) if store else None)
        sizes(self.tier, len(self._library.pool), steps)  # refuses what no shift can be made of
        self._rubric = triage_rubric()
        self._asked_steps, self._spam = steps, spam

    def reset(self, seed: int = 0, episode_id: str | None = None) -> TriageObservation:
        """Start the shift that `seed` fixes."""
        self._seed, self._episode_id = seed, episode_id
        drawn_by = (self.tier, self._library, seed, self._asked_steps, self._spam)
        self._budget, self._queue = build_queue(*drawn_by)
        self._drawn = _drawn(*drawn_by, self.prompt_tokens)
        self._shown: dict[int, Item] = {}
        self._at, self._steps = 0, 0
        self._decided: dict[int, str] = {}
        self._recent: tuple[tuple[int, str, int], ...] = ()
        self._requested: frozenset[int] = frozenset()
        self._history: dict[str, str] = {}
        self._closed_by: dict[str, int] = {}
        self._appeal: tuple[Item, ...] = ()
        self._stop = StopReason.RUNNING
        self._tally = Tally.of(self._queue)
        self._started = True
        self._rubric.reset()
        self._arrive()
        return self._observe(None, {}, "")

    @property
    def state(self) -> State:
        """The public state."""
        if not self._started:
            return State(duty=self.duty, scenario=self.tier.name, split=self.split)
        return self._state_with(
            open_threads=len(self._queue) - self._at, handled=len(self._decided)
        )

    def step(self, action: Action) -> TriageObservation:
        """Carry out one action on an open thread."""
        self._check_running()
        error = self._problem(action)
        self._steps += 1
        facts = StepFacts("invalid", valid=False) if error else self._carry_out(action)  # type: ignore[arg-type]
        if self._at >= len(self._queue):
            self._stop = StopReason.COMPLETED
        elif self._steps >= self._budget:
            self._stop = StopReason.BUDGET
        facts.last = self._stop is not StopReason.RUNNING
        if facts.last:
            facts.completion, facts.spam_gate = self._tally.completion(), self._tally.spam_gate()
        components = self._rubric.components(facts)
        return self._observe(sum(components.values()), components, error)

    def _problem(self, action: Action) -> str:
        """Say what is wrong with an action that parses, "" where nothing is."""
        if isinstance(action, InvalidAction):
            return action.error
        if not isinstance(action, TriageAction):
            return f"{type(action).__name__} is no action of this duty"
        item = self._find(action.target_issue_id)
        if item is None or self._decided.get(item.number) in (
            "close_spam",
            "link_duplicate",
            "merge_pr",
        ):
            now, target = self._current().number, action.target_issue_id
            given = str(target) if abs(target) < 10**9 else "out of range"
            return f"target_issue_id {given} is not an open thread; current: {now}"
        missing = [n for n in TriageAction.needs[action.action_type] if getattr(action, n) is None]
        return f"{action.action_type} needs {', '.join(missing)}" if missing else ""

    def _find(self, number: int) -> Item | None:
        """An arrived thread by number."""
        return self._shown.get(number)

    def _current(self) -> Item:
        return self._shown[self._queue[self._at].number]

    def _carry_out(self, action: TriageAction) -> StepFacts:
        item = self._shown[action.target_issue_id]
        kind, number = action.action_type, item.number
        facts = StepFacts(kind, spam=item.spam, under_described=item.under_described)
        since = self._steps - REPEAT_WINDOW
        self._recent = tuple(done for done in self._recent if done[0] >= since)
        facts.repeated = any(done[1:] == (kind, number) for done in self._recent)
        facts.requested_before = number in self._requested
        self._recent = (*self._recent, (self._steps, kind, number))
        if kind == "query_history":
            noise = unit_noise("record", self._seed, item.author.handle)
            self._history[item.author.handle] = people.record_of(item.author, noise)
            return facts
        if kind == "request_info":
            self._requested |= {number}
        if number not in self._decided:
            self._decide(action, item, facts)
        if number == self._queue[self._at].number:
            self._at += 1
            self._arrive()
        return facts

    def _decide(self, action: TriageAction, item: Item, facts: StepFacts) -> None:
        """Judge the first decision on a thread."""
        facts.decided = True
        facts.outcome = outcome_of(action, item)
        rep = item.author.reputation
        trusted, low = rep >= people.TRUSTED_REPUTATION, rep <= people.LOW_REPUTATION
        facts.reputation = "trusted" if trusted else "low" if low else "unknown"
        if action.action_type == "label" and not item.spam and item.truth.labels:
            union = item.truth.labels | {action.label}
            facts.jaccard = float(action.label in item.truth.labels) / len(union)
        self._decided[item.number] = action.action_type
        self._tally = self._tally.after(action, item, facts.outcome)
        if action.action_type == "close_spam":
            name = item.author.handle
            self._closed_by[name] = self._closed_by.get(name, 0) + 1
            if item.spam and not item.appeal_of:
                self._appeal = (*self._appeal, item)

    def _arrive(self) -> None:
        """Let the next thread arrive; a spam slot may turn into an appeal against a closing."""
        if self._at >= len(self._queue):
            return
        item = self._queue[self._at]
        closed = next((c for c in self._appeal if item.appeals and c.repo == item.repo), None)
        if closed is not None:
            item = appealed(self._library, self._seed, item, closed)
            self._appeal = tuple(c for c in self._appeal if c is not closed)
        self._shown[item.number] = item

    def oracle_action(self) -> TriageAction:
        """The maintainers' action on the current thread."""
        item = self._current()
        truth = item.truth
        return TriageAction(
            action_type=truth.action,
            target_issue_id=item.number,
            label=truth.label if truth.action == "label" else None,
            duplicate_of=truth.duplicate_of,
            assignee_area=truth.assignee_area,
        )

    def truth_source(self) -> str:
        """`maintainer`, `category` or `synthetic`, as `truth.Truth` has it."""
        return self._current().truth.source

    def held_out(self) -> dict[str, float]:
        """Spam precision and recall, label and duplicate accuracy and the like."""
        return self._tally.metrics()

    def branch(self) -> Self:
        """Copy what changes; threads, texts and the library are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in ("_decided", "_history", "_closed_by", "_shown"):
            setattr(twin, name, dict(self.__dict__[name]))
        return twin

    def _observe(
        self, reward: float | None, components: dict[str, float], error: str
    ) -> TriageObservation:
        metadata: dict[str, Any] = {"stop_reason": self._stop.value}
        if reward is not None:
            metadata["reward_components"] = components
        if self._stop is not StopReason.RUNNING:
            metadata["held_out"] = self.held_out()
            return TriageObservation(
                prompt="The shift is over.",
                reward=reward,
                done=True,
                metadata=metadata,
                error=error,
                handled=len(self._decided),
                step=self._steps,
                budget=self._budget,
            )
        item = self._current()
        handle = item.author.handle
        history, closed = self._history.get(handle), self._closed_by.get(handle, 0)
        kept = reserve(self.prompt_tokens, bool(history), bool(closed), bool(error))
        text, thread, author = self._drawn_of(item, kept)
        seen = {
            "prompt": self._prompt(item, text, history, closed, error),
            "reward": reward,
            "done": False,
            "metadata": metadata,
            "thread": thread,
            "author": author,
            "similar": item.similar,
            "history": history,
            "closed_before": closed,
            "open_threads": len(self._queue) - self._at,
            "handled": len(self._decided),
            "step": self._steps,
            "budget": self._budget,
            "error": error,
        }
        return _BLANK.model_copy(update=seen)  # not validated: all of it is our own

    def _drawn_of(self, item: Item, kept: int) -> Drawn:
        """What the agent is shown of a thread; the same in every branch of the queue."""
        key = (item.number, item.title, item.body, item.author.handle, kept)
        if key not in self._drawn:
            a = item.author
            thread = ThreadView(
                repo=item.repo,
                number=item.number,
                kind=item.kind,
                title=item.title,
                body=item.body,
                age_days=item.age_days,
            )
            author = AuthorView(
                handle=a.handle, merged=a.merged, account_days=a.account_days, first=a.first
            )
            self._drawn[key] = (thread_text(item, self.prompt_tokens, kept), thread, author)
        return self._drawn[key]

    def _prompt(self, item: Item, text: str, history: str | None, closed: int, error: str) -> str:
        """Render a state; what decides most is said again last, where a small model looks first."""
        lines = [text]
        if history:
            lines.append(f"record: {history}")
        if closed:
            lines.append(f"you closed {closed} of this author's threads as spam")
        if error:
            lines.append(f"error: {cut(error, error_tokens(self.prompt_tokens))}")
        waiting, handled = len(self._queue) - self._at, len(self._decided)
        step = f"step {self._steps}/{self._budget}"
        lines.append(f"queue: {waiting} open, {handled} handled, {step}")
        lines.append(f"now: {kind_of(item)} {item.number}, author {standing_of(item, history)}")
        return "\n".join(lines)


def outcome_of(action: TriageAction, item: Item) -> str:
    """Judge an action against the truth: same, acceptable, abstained or wrong.

    `wait` abstains where the maintainers acted; a label counts only with a right type, a link
    only with the right target, an assignment only with the right area.
    """
    truth, kind = item.truth, action.action_type
    right = {
        "label": action.label in truth.labels,
        "link_duplicate": action.duplicate_of == truth.duplicate_of,
        "assign": action.assignee_area == truth.assignee_area,
    }.get(kind, True)
    if kind == truth.action and right:
        return "same"
    if kind == "wait":
        return "abstained"
    if kind in truth.acceptable and (kind != "label" or right):
        return "acceptable"
    return "wrong"


ENVIRONMENT = TriageEnv
REWARD_RANGE = (-5.9, 3.0)
"""What one step can pay, the terminal part included; the served package states it."""
