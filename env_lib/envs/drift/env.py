"""drift: keep a script alive while the library under it moves.

World: a script that broke at an update, or under an overlay that moves the library further; every
attempt is run for real in the sandbox, on one visible input, and judged on two further ones.
Sees: the end of the traceback (or what changed in the result), lines of the script, the library's
installed version, notes of what was inspected and tried. Hidden: the drift, the reference, the
further inputs, and the expected value of a script that does not run to its end.
Does: one JSON object a step; see `DriftAction`. Up to 3 attempts are run (`apply`, `patch`,
`script`); one that makes the run worse is taken back, another stays. `inspect` tells an installed
signature. With `challenger=True` the first step is a `propose`; see `challenger`.
Reward: `rubric.py`'s table; a step pays between -1.02 and +2.08.
Ends: when the script is right, or the attempts are spent (`completed`), or the steps (`budget`).
Seed: fixes the task; everything else follows from the actions.
Not covered: scripts of several files, GPUs, the network, drifts that need another release.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from env_lib.core import Action, Environment, InvalidAction, Scenario, State, StopReason
from env_lib.envs.drift import judge
from env_lib.envs.drift.action import ChallengeAction, DriftAction, DriftObservation
from env_lib.envs.drift.edits import (
    action_of,
    changed_lines,
    edited,
    is_python,
    words_of,
)
from env_lib.envs.drift.forbidden import reaches
from env_lib.envs.drift.records import Overlay, Task, healthy
from env_lib.envs.drift.render import error_words, outcome, prompt_text
from env_lib.envs.drift.rubric import StepFacts, drift_rubric, reward_range
from env_lib.envs.drift.runner import LIBRARIES
from env_lib.language import describe_actions

__all__ = [
    "ENVIRONMENT", "SCENARIOS", "SPLITS", "DriftAction", "DriftEnv", "DriftObservation", "task_of",
]  # fmt: skip
SCENARIOS = {
    "D1": Scenario("D1", "one breakage", 6),
    "D2": Scenario("D2", "two or three", 6),
    "D3": Scenario("D3", "invented names", 6),
    "D4": Scenario("D4", "silent", 6),
}
SPLITS = ("train", "val", "test", "test_ood")
ATTEMPTS = 3
LEAST_TOKENS = 250
"""Keeps the failure, a note and the lines around the failing one of every bundled task; within 260
of SmolLM2's tokens, so that with the system prompt and an action a state is within 512."""
PROMPT_TOKENS = 320
RECALLED = 2
"""Repairs of the library that are shown where that is asked for."""
TASK = "A script broke when its libraries were updated. Mend it for the installed version."


def task_of(split: str, tier: str, seed: int) -> Task:
    """Return the task of a seed: consecutive seeds draw without replacement."""
    from env_lib.envs.drift.pool import pool

    tasks = pool(split, tier)
    return tasks[seed % len(tasks)]


class DriftEnv(Environment):
    """The drift duty; options: `prompt_tokens`, `steps`, `task`, `recall`, `challenger`."""

    duty = "drift"
    action_type: ClassVar[type[Action]] = DriftAction
    observation_type = DriftObservation
    slow_steps = True
    """Attempts run scripts: a server takes each step in a thread, so that its sessions go on."""

    def __init__(
        self,
        *,
        scenario: str = "D1",
        split: str = "train",
        prompt_tokens: int = PROMPT_TOKENS,
        steps: int | None = None,
        task: Task | None = None,
        recall: bool = False,
        challenger: bool = False,
    ) -> None:
        """Prepare a scenario on a split, or one task.

        Raises:
            ValueError: `steps` under 1; the message says what is right.
        """
        if steps is not None and steps < 1:
            raise ValueError(f"steps={steps}; it is at least 1")
        self.tier, self.split = SCENARIOS[scenario], split
        self.prompt_tokens = max(prompt_tokens, LEAST_TOKENS)
        given: dict[str, Any] = {"prompt_tokens": prompt_tokens, "steps": steps}
        given |= {"recall": recall or None, "challenger": challenger or None}
        self.options = {name: value for name, value in given.items() if value is not None}
        if challenger:
            self.action_type = ChallengeAction  # type: ignore[misc]
        self.system_prompt = describe_actions(self.action_type, TASK)
        self._given, self._recall, self._challenger = task, recall, challenger
        self._budget = min(steps or self.tier.steps, self.tier.steps)
        self._rubric = drift_rubric()

    def reset(self, seed: int = 0, episode_id: str | None = None) -> DriftObservation:
        """Start the task that `seed` fixes."""
        self._seed, self._episode_id = seed, episode_id
        self._steps = 0
        self._stop, self._started = StopReason.RUNNING, True
        self._rubric.reset()
        self._take(self._given or task_of(self.split, self.tier.name, seed))
        self._proposing = self._challenger
        if self._proposing:
            self._source = healthy(self._task)
            self._report = judge.run(self._source, self._task.inputs[:1], Overlay())
        return self._observe(None, {}, "")

    def _take(self, task: Task) -> None:
        """Put a task before the repairer."""
        self._task, self._source = task, task.source
        self._attempts, self._share = ATTEMPTS, 0.0
        self._told: tuple[tuple[str, str], ...] = ()
        self._tried: tuple[str, ...] = ()
        self._reached = ""
        self._solved = False
        self._report = judge.run(task.source, task.inputs[:1], task.overlay)
        self._proposal: dict[str, float] = {}

    @property
    def state(self) -> State:
        """The public state."""
        if not self._started:
            return State(duty=self.duty, scenario=self.tier.name, split=self.split)
        return self._state_with(task_id=self._task.id, attempts=self._attempts)

    def step(self, action: Action) -> DriftObservation:
        """Carry out one action: run an attempt, or look at a signature."""
        self._check_running()
        self._steps += 1
        facts = StepFacts(action.action_type)
        if isinstance(action, InvalidAction) or not isinstance(action, DriftAction):
            error = getattr(action, "error", f"{type(action).__name__} is no action of this duty")
            facts.kind = "invalid"
        elif self._proposing or isinstance(action, ChallengeAction):
            error = self._opening(action, facts)
        elif action.action_type == "inspect":
            error = self._inspect(action.symbol or "")
        else:
            error = self._attempt(action, facts)
        facts.valid = not error or facts.forbidden or facts.proposed
        self._end()
        components = self._rubric.components(facts)
        return self._observe(sum(components.values()), components, error)

    def _opening(self, action: DriftAction, facts: StepFacts) -> str:
        """Tell proposals from repairs where an episode opens with one."""
        proposes = isinstance(action, ChallengeAction) and action.action_type == "propose"
        if self._proposing:
            if proposes:
                return self._propose(action, facts)
            return "the episode opens with a propose"
        if proposes:
            return "a drift is there already; repair it"
        if action.action_type == "inspect":
            return self._inspect(action.symbol or "")
        return self._attempt(action, facts)

    def _propose(self, action: DriftAction, facts: StepFacts) -> str:
        """Let the challenger's drift take the place of the sampled one, where it is valid."""
        assert isinstance(action, ChallengeAction)
        from env_lib.envs.drift.challenger import proposed

        facts.proposed = True
        task, error = proposed(action, self._task)
        if task is not None:
            self._proposing = False
            self._take(task)
        self._proposal = {"valid": float(task is not None)}
        return error

    def _inspect(self, symbol: str) -> str:
        from env_lib.envs.drift.looking import look

        found, error = look(symbol, self._source, self._task.overlay)
        if not error:
            self._told = (*(one for one in self._told if one[0] != symbol), (symbol, found))
        return error

    def _attempt(self, action: DriftAction, facts: StepFacts) -> str:
        """Make an edit, run it, and keep it unless it makes the run worse."""
        made, wrong = edited(action, self._source)
        if wrong:
            return wrong
        task = self._task
        facts.attempted, facts.readable = True, is_python(made)
        self._attempts -= 1
        reached = reaches(made, task.source, task.reference)
        verdict = None if reached else judge.seen(task, made)
        reached = reached or (verdict.by_heart if verdict else "")
        if reached or verdict is None:
            facts.forbidden, self._reached = True, reached
            return f"refused: {reached}"
        facts.executed = self._solved = verdict.right
        self._measure(made, facts)
        report = verdict.report
        said = f"{report.error_type}: {report.message}" if report.error_type else "wrong result"
        if not verdict.right:
            back = judge.worse(self._report, report, self._source, made)
            kept = "taken back" if back else "kept"
            self._tried = (*self._tried, f"{words_of(action)}: {kept}, {said}")
            if back:
                return ""
        self._source, self._report = made, report
        return ""

    def _measure(self, made: str, facts: StepFacts) -> None:
        """Compare with the reference: how minimal it is, which of the changes are in place."""
        task = self._task
        needed = max(1, changed_lines(task.source, task.reference))
        own = max(1, changed_lines(task.source, made))
        facts.minimality = min(1.0, needed / own)
        share = 1.0 if facts.executed else 1 - changed_lines(made, task.reference) / needed
        facts.gained = max(0.0, share - self._share)
        self._share += facts.gained

    def _end(self) -> None:
        if self._solved or self._attempts <= 0:
            self._stop = StopReason.COMPLETED
        elif self._steps >= self._budget:
            self._stop = StopReason.BUDGET

    def oracle_action(self) -> DriftAction:
        """The next repair of the hidden drift; the whole reference where none leads on."""
        if self._proposing:
            from env_lib.envs.drift.challenger import first_proposal

            return first_proposal(self._task, self._seed, self._steps)
        task, near = self._task, changed_lines(self._source, self._task.reference)
        steps = []
        for change in task.repairs:
            action = action_of(change)
            made, wrong = edited(action, self._source)
            if not wrong and changed_lines(made, task.reference) < near:
                steps.append((action, made))
        last = len(steps) <= self._attempts
        if steps and last:
            for action, made in steps:  # the one that the run asks for first
                if len(steps) == 1 or not self._is_worse(made):
                    return action
            return steps[0][0]
        return DriftAction.model_construct(action_type="script", script=task.reference)

    def _is_worse(self, made: str) -> bool:
        task = self._task
        after = judge.run(made, task.inputs[:1], task.overlay)
        moved = (after.error_type, after.message) != (
            self._report.error_type,
            self._report.message,
        )
        return not moved or judge.worse(self._report, after, self._source, made)

    def known_answer(self) -> Any:
        """Return the visible input's expected value, for the exploits that guess it alone."""
        return self._task.expected[0]

    def truth_source(self) -> str:
        """Whether the drift is a real one or an overlay."""
        return "overlay" if self._task.overlay.changes else "real"

    def held_out(self) -> dict[str, float]:
        """What judges an episode; `undrifted` is there for overlays that keep the script valid."""
        source = self._task.source if self._proposing else self._source
        judged = judge.held_out(self._task, source)
        return {
            **judged,
            "forbidden": float(bool(self._reached)),
            "attempts": float(ATTEMPTS - self._attempts),
            "silent": float(self._task.silent),
            **{f"proposal_{name}": value for name, value in self._proposal.items()},
        }

    def branch(self) -> Self:
        """Copy the episode: all of its parts are immutable, so references suffice."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def _versions(self) -> tuple[tuple[str, str], ...]:
        from env_lib.envs.drift.looking import versions_of

        return versions_of(self._task.source, self._task.library)

    def _observe(
        self, reward: float | None, components: dict[str, float], error: str
    ) -> DriftObservation:
        done = self._stop is not StopReason.RUNNING
        metadata: dict[str, Any] = {"stop_reason": self._stop.value}
        if reward is not None:
            metadata["reward_components"] = components
        if done:
            metadata["held_out"] = self.held_out()
        task, report = self._task, self._report
        gaps = judge.shown_difference(task, report)
        versions = self._versions()
        obs = DriftObservation(
            prompt="The episode is over.",
            reward=reward,
            done=done,
            metadata=metadata,
            code=self._source,
            library=task.library,
            versions=versions,
            error_type=report.error_type,
            message=report.message,
            line=report.line,
            traceback_end=report.traceback_end,
            differs=gaps,
            told=self._told,
            tried=self._tried,
            attempts=self._attempts,
            step=self._steps,
            budget=self._budget,
            error=error,
        )
        return obs if done else obs.model_copy(update={"prompt": self._prompt(obs)})

    def _prompt(self, obs: DriftObservation) -> str:
        from env_lib.envs.drift.looking import frame_of
        from env_lib.envs.drift.menu import options

        report, gaps = self._report, obs.differs
        failure = outcome(report.error_type, report.message, report.line, gaps)
        shown = " ".join(f"{name} {version}" for name, version in obs.versions[:2])
        head = f"{shown}; step {self._steps}/{self._budget}, attempts left {self._attempts}"
        if self._proposing:
            head = f"propose a drift of {self._task.library}; {head}"
            failure = "the script is healthy"
        words = error_words(report.message) or [where.rpartition(".")[2] for where, _, _ in gaps]
        recalled: tuple[str, ...] = ()
        if self._recall:
            from env_lib.envs.drift.library import recall

            recalled = recall(report.error_type, report.message, self._source, RECALLED)
        return prompt_text(
            head=head,
            failure=failure,
            frame=frame_of(report.traceback_end),
            code=self._source,
            line=report.line,
            words=words,
            told=self._told,
            tried=self._tried,
            recalled=recalled,
            options=() if self._proposing else options(obs),
            error=obs.error,
            tokens=self.prompt_tokens,
        )


ENVIRONMENT = DriftEnv
NEEDS = LIBRARIES
"""Libraries that scripts import: what runs the duty elsewhere has them too."""
REWARD_RANGE = reward_range()
"""What one step can pay; the served package states it."""
