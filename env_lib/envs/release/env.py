"""release: green CI is not the same as safe to ship.

World: four to nine services in one repository, tiny Python packages with unit tests, contracts
of consumers, owners, marks, and a linear history with one causal commit; the pipeline is red.
Sees: names of services, and notes of every log, diff, file, test result and map looked at.
Does: one JSON object a step; see `ReleaseAction`. Looks, edits of service code, runs of tests,
three submissions of which each is taken once; the last one decides and ends the episode. An
action's fields stand beside `action_type` ("job_name" and the like), as in every duty here, and not
in an object `params`: one parser, one grammar for decoding and one schema of the served package
take all duties, and a small model writes no nested braces. The nested form is read too. Every
profile has all sixteen actions at every step; the last line of a prompt names those of the phase
that is due, see `menu`.
Reward: `rubric.py`'s table; parts pay once and sum to 1.0; a step pays between -1.42 and +0.5.
Ends: on `submit_release_decision` (`completed`), or when the steps are spent (`budget`).
Seed: fixes the whole organisation; tests are run for real, and the right decision is computed
from the repository after every edit.
Not covered: edits of several files at once, new files, merges, code that needs a clock or network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self

from pydantic import Field

from env_lib.core import (
    Action,
    Environment,
    InvalidAction,
    Observation,
    Scenario,
    State,
    StopReason,
)
from env_lib.envs.release import looks, moves, truth
from env_lib.envs.release.action import ReleaseAction, system_prompt
from env_lib.envs.release.code import Check, path_of
from env_lib.envs.release.notes import Notes, Refused, add
from env_lib.envs.release.render import line, prompt_text
from env_lib.envs.release.rubric import StepFacts, release_rubric
from env_lib.envs.release.runner import READ_ONLY, Results, run_checks
from env_lib.envs.release.world import SPLITS, World, build

__all__ = ["ENVIRONMENT", "SCENARIOS", "SPLITS"]
PROMPT_TOKENS = 260
LEAST_TOKENS = 200
"""What shows the text to replace beside what leads to it; with the system prompt and an action it
is within 512 of SmolLM2's tokens."""
LONGEST = 4000
"""Characters of a file that an edit may lead to."""
STEPS = 24
STOPS = ("block", "rollback")
"""Decisions after which nothing ships."""
SCENARIOS = {
    "L1": Scenario("L1", "direct readers", STEPS),
    "L2": Scenario("L2", "two hops", STEPS),
    "L3": Scenario("L3", "three hops, long history", STEPS),
}
TASK = (
    "The pipeline is red. Find the causal commit, repair it with little change, find who is "
    "impacted, run their contracts, decide, which ends the episode. Green is not safe to ship."
)


class ReleaseObservation(Observation):
    """The prompt, and the same as fields for rule-based policies."""

    services: tuple[str, ...] = ()
    jobs: tuple[str, ...] = looks.JOBS
    shown: str = ""
    """What the last action showed."""
    logs: dict[str, str] = Field(default_factory=dict)
    history: tuple[tuple[str, str, str, bool], ...] = ()
    """(id, service, message, live), newest first; empty until looked at."""
    diffs: dict[str, tuple[tuple[str, str, str], ...]] = Field(default_factory=dict)
    """Commit -> (path, old line, new line) of each change."""
    files: dict[str, str] = Field(default_factory=dict)
    guides: dict[str, str] = Field(default_factory=dict)
    advisories: dict[str, str] = Field(default_factory=dict)
    graph: dict[str, tuple[tuple[str, ...], ...]] = Field(default_factory=dict)
    owners: dict[str, str] = Field(default_factory=dict)
    protected: tuple[str, ...] = ()
    hot: tuple[str, ...] = ()
    units: dict[str, str] = Field(default_factory=dict)
    """Service -> "" or what fails, of the code as it is."""
    contracts: dict[str, str] = Field(default_factory=dict)
    """The same for contracts."""
    without_contracts: tuple[str, ...] = ()
    """Services whose contracts were asked for and that have none."""
    marked: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, str], ...] = ()
    causal: str = ""
    blast: tuple[str, ...] | None = None
    tries: int = 0
    """Edits so far, carried out or not, and answers that were no action."""
    step: int = 0
    budget: int = 0
    error: str = ""
    """What was wrong with the last action, "" where nothing."""


_BLANK = ReleaseObservation(prompt="")


@lru_cache(maxsize=2048)
def opening(split: str, tier: str, seed: int) -> Results:
    """Return the results of all checks on the repository as it is found."""
    world = build(split, tier, seed)
    return run_checks(world.tree, world.checks)


@lru_cache(maxsize=2048)
def allowed(split: str, tier: str, seed: int) -> str:
    """Return the decision that is right after the reference patch."""
    world = build(split, tier, seed)
    tree = world.repaired()
    results = {**opening(split, tier, seed), **run_checks(tree, _reached(world, world.provider))}
    return truth.right_decision(world, tree, results)


def _reached(world: World, service: str) -> list[Check]:
    """Return the checks that an edit of a service can reach."""
    return [c for c in world.checks if service in world.closure[c.service]]


class ReleaseEnv(Environment):
    """The release duty; options: `steps` (at most 24), `prompt_tokens` (200 at least)."""

    duty = "release"
    action_type = ReleaseAction
    observation_type = ReleaseObservation
    slow_steps = True
    """An edit runs tests, up to their limit; the server makes steps in threads beside its loop."""

    def __init__(
        self,
        *,
        scenario: str = "L1",
        split: str = "train",
        steps: int | None = None,
        prompt_tokens: int = PROMPT_TOKENS,
    ) -> None:
        """Prepare a scenario on a split.

        Raises:
            ValueError: `steps` under 1.
        """
        if steps is not None and steps < 1:
            raise ValueError(f"steps={steps}; it is at least 1")
        self.tier, self.split = SCENARIOS[scenario], split
        self.prompt_tokens = max(prompt_tokens, LEAST_TOKENS)
        given = {"steps": steps, "prompt_tokens": prompt_tokens}
        self.options = {name: value for name, value in given.items() if value is not None}
        self.system_prompt = system_prompt(TASK)
        self._budget = min(steps or self.tier.steps, self.tier.steps)
        self._rubric = release_rubric()

    def reset(self, seed: int = 0, episode_id: str | None = None) -> ReleaseObservation:
        """Start the episode that `seed` fixes."""
        self._seed, self._episode_id = seed, episode_id
        self._world: World = build(self.split, self.tier.name, seed)
        self._tree: Mapping[str, str] = self._world.tree
        self._opened: Results = opening(self.split, self.tier.name, seed)
        self._results: Results = self._opened
        self._notes, self._steps, self._tries = Notes(), 0, 0
        self._paid_repair = self._repaired_at_end = False
        self._earned: dict[str, float] = {}
        self._judged: dict[str, float] = {}
        self._stop, self._started = StopReason.RUNNING, True
        self._rubric.reset()
        return self._observe(None, {}, "", ("", ""))

    @property
    def state(self) -> State:
        """The public state."""
        if not self._started:
            return State(duty=self.duty, scenario=self.tier.name, split=self.split)
        return self._state_with(services=self._world.services, edits=len(self._notes.edits))

    def step(self, action: Action) -> ReleaseObservation:
        """Carry out one action; what cannot be carried out is answered."""
        self._check_running()
        self._steps += 1
        self._tries += action.action_type in ("replace", "invalid")
        facts, shown, error = StepFacts(action.action_type), ("", ""), ""
        try:
            shown = self._carried_out(action, facts)
        except Refused as refusal:
            error, facts.valid = str(refusal), False
        self._end(facts)
        components = self._rubric.components(facts)
        self._earned = {
            name: self._earned.get(name, 0.0) + value for name, value in components.items()
        }
        return self._observe(sum(components.values()), components, error, shown)

    def _carried_out(self, action: Action, facts: StepFacts) -> moves.Key:
        """Do what an action says and return the key of what it shows, or raise `Refused`."""
        if isinstance(action, InvalidAction):
            raise Refused(action.error)
        if not isinstance(action, ReleaseAction):
            raise Refused(f"{type(action).__name__} is no action of this duty")
        kind = action.action_type
        missing = [n for n in ReleaseAction.needs[kind] if getattr(action, n) is None]
        if missing:
            raise Refused(f"{kind} needs {', '.join(missing)}")
        if kind == "replace":
            return self._edit(action, facts)
        if kind == "view_reward":
            paid = [f"{n} {v:+.2f}" for n, v in self._earned.items() if abs(v) > 1e-9]
            return "earned", ", ".join(paid) or "nothing"
        if kind.startswith("submit_"):
            self._notes, key = moves.submit(self._world, self._notes, action, facts)
        else:
            self._notes, key = moves.look(self._world, self._notes, action, self._tree)
        return key

    def _edit(self, action: ReleaseAction, facts: StepFacts) -> moves.Key:
        """Replace text in one service, and run again what depends on it."""
        path, search, put = action.file_path or "", action.search or "", action.replace or ""
        if path.startswith(READ_ONLY):
            facts.tampered = True
            raise Refused(f"{path}: tests and contracts are not to be edited")
        files = [path_of(name) for name in self._world.services]
        if path not in files:
            near = ", ".join(moves.closest(path, files))
            raise Refused(f"file_path {path[:30]!r} cannot be edited; files: {near}")
        text = self._tree[path]
        count = text.count(search) if search else 0
        if count != 1:
            raise Refused(f"search is found {count} times in {path}; it must be found once")
        edited = text.replace(search, put, 1)
        if edited == text or len(edited) > LONGEST:
            raise Refused(
                "the edit changes nothing" if edited == text
                else f"{path} would have {len(edited)} characters; at most {LONGEST}"
            )  # fmt: skip
        tree = {**self._tree, path: edited}
        home = path.split("/")[0]
        self._results = {**self._results, **run_checks(tree, _reached(self._world, home))}
        self._tree = tree
        stale = {name for name, names in self._world.closure.items() if home in names}
        seen = self._notes
        self._notes = replace(
            seen,
            edits=(*seen.edits, (path, search, put)),
            files=add(seen.files, path),
            units=tuple(n for n in seen.units if n not in stale),
            contracts=tuple(n for n in seen.contracts if n not in stale),
        )
        if not self._paid_repair and truth.is_repaired(self._world, self._results):
            self._paid_repair = facts.repaired_now = True
        return "edit", path

    def _end(self, facts: StepFacts) -> None:
        """Close the episode where it ends, and judge it by the state of the repository."""
        decided = bool(self._notes.decision)
        if decided:
            self._stop = StopReason.COMPLETED
        elif self._steps >= self._budget:
            self._stop, facts.out_of_steps = StopReason.BUDGET, True
        if self._stop is StopReason.RUNNING:
            return
        world, tree, results, notes = self._world, self._tree, self._results, self._notes
        repaired = truth.is_repaired(world, results)
        facts.repair_lost = self._paid_repair and not repaired
        self._repaired_at_end = repaired
        if not decided:
            return
        facts.decided, facts.repaired = True, repaired
        facts.smallness = truth.smallness(world, tree)
        facts.validated_f1 = truth.f1(notes.contracts, world.impacted)
        facts.validated = bool(set(notes.contracts) & world.impacted)
        right = truth.right_decision(world, tree, results)
        facts.decision_right = notes.decision == right
        facts.owner_right = notes.owner in truth.right_owners(world, tree, results)
        unsafe = bool(truth.broken_contracts(world, results)) or truth.is_unsafe(world, results)
        facts.shipped_broken = notes.decision == "ship" and unsafe
        stops = notes.decision in STOPS
        harmless = stops and (right or allowed(self.split, self.tier.name, self._seed)) not in STOPS
        self._judged = {
            "decision_right": float(facts.decision_right and repaired),
            "unsafe_ship": float(notes.decision in ("ship", "canary") and unsafe),
            "needless_block": float(harmless),
            "owner_right": float(facts.owner_right and facts.decision_right and repaired),
            "validation_f1": facts.validated_f1,
        }

    def oracle_action(self) -> ReleaseAction:
        """The next step of the shortest way to the right decision, by the hidden truth."""
        return moves.shortest(self._world, self._notes, self._tree, self._results)

    def held_out(self) -> dict[str, float]:
        """What judges an episode and is never trained on."""
        notes, names = (
            self._notes,
            ("decision_right", "unsafe_ship", "needless_block", "owner_right"),
        )
        base = dict.fromkeys((*names, "validation_f1"), 0.0) | self._judged
        return base | {
            "decided": float(bool(notes.decision)),
            "repaired": float(self._repaired_at_end),
            "causal_right": float(notes.causal == self._world.causal),
            "blast_f1": notes.blast_f1,
            "edits": float(len(notes.edits)),
        }

    @property
    def world(self) -> World:
        """The hidden world: for the evidence view and for privileged teachers alone."""
        return self._world

    @property
    def tree(self) -> Mapping[str, str]:
        """The repository as it stands, path -> text: for privileged teachers alone."""
        return self._tree

    @property
    def notes(self) -> Notes:
        """What the agent has seen and submitted."""
        return self._notes

    def verdict(self) -> tuple[str, tuple[str, ...]]:
        """Return the right decision and the broken consumers of the repository as it stands."""
        right = truth.right_decision(self._world, self._tree, self._results)
        return right, truth.broken_contracts(self._world, self._results)

    def right_owners(self) -> frozenset[str]:
        """Return the teams of whom one is to be notified with the right decision, or "none"."""
        return truth.right_owners(self._world, self._tree, self._results)

    def branch(self) -> Self:
        """Copy the episode: all of its parts are immutable, so references suffice."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def _observe(
        self, reward: float | None, components: dict[str, float], error: str, key: moves.Key
    ) -> ReleaseObservation:
        done = self._stop is not StopReason.RUNNING
        metadata: dict[str, Any] = {"stop_reason": self._stop.value}
        if reward is not None:
            metadata["reward_components"] = components
        if done:
            metadata["held_out"] = self.held_out()
        fields = moves.seen(self._world, self._notes, self._tree, self._results, self._opened)
        fields |= {
            "reward": reward, "done": done, "metadata": metadata, "error": error,
            "step": self._steps, "budget": self._budget, "tries": self._tries,
        }  # fmt: skip
        obs = _BLANK.model_copy(update=fields)  # not validated: all of it is our own
        obs.shown = line(obs, *key)
        obs.prompt = "The episode is over." if done else prompt_text(obs, self.prompt_tokens)
        return obs


ENVIRONMENT = ReleaseEnv
REWARD_RANGE = (-1.42, 0.5)
"""What one step can pay; the served package states it."""
