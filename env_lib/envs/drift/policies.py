"""Rule-based policies of drift: random, rules from the message, from signatures, search, oracle."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator

from env_lib.core import Action, Environment, Observation
from env_lib.envs.drift import exploits, guessing, reading
from env_lib.envs.drift.action import DriftAction, DriftObservation
from env_lib.envs.drift.edits import action_of, words_of
from env_lib.envs.drift.env import DriftEnv
from env_lib.envs.drift.exploits import inspect, seen_in
from env_lib.envs.drift.menu import can, looks, repairs
from env_lib.envs.drift.records import Change
from env_lib.rollout import Oracle, Policy

TRIES = 12
"""Repairs that the search tries on copies a step."""


def noop_of(seen: DriftObservation) -> DriftAction:
    """Return the action that does nothing: a look at the library."""
    return inspect(seen.versions[0][0] if seen.versions else seen.library)


class Noop(Policy):
    """Does nothing: every task is broken for it."""

    name = "noop"

    def __call__(self, obs: Observation) -> Action:
        """Look at the library itself."""
        return noop_of(seen_in(obs))


class RandomPolicy(Policy):
    """Any small edit of the script that can be carried out, or a look, all alike."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws."""
        self._rng = random.Random(f"drift/random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw an action."""
        seen = seen_in(obs)
        names = sorted(set(re.findall(r"[A-Za-z_]\w+", seen.code)))
        keywords = sorted({k.arg for c in reading.calls(seen.code) for k in c.keywords if k.arg})
        choices = [inspect(name) for name in self._paths(seen)]
        for _ in range(6):
            new = self._rng.choice(names)
            choices += [action_of(Change("rename_kwarg", "", word, new)) for word in keywords] + [
                action_of(Change("drop_kwarg", "", word, "")) for word in keywords
            ]
            old = self._rng.choice(names)
            choices.append(action_of(Change("rename_symbol", "", old, new)))
        self._rng.shuffle(choices)
        return next((one for one in choices if can(one, seen)), noop_of(seen))

    def _paths(self, seen: DriftObservation) -> list[str]:
        from env_lib.envs.drift.looking import bindings

        told = {name for name, _ in seen.told}
        return [path for path in sorted(bindings(seen.code).values()) if path not in told][:2]


class Reader(Policy):
    """Makes the first repair that its rules suggest and that was not tried yet."""

    def start(self, env: Environment, seed: int) -> None:
        """Forget the episode before."""
        self._done: set[str] = set()

    def suggestions(self, seen: DriftObservation) -> Iterator[Change]:
        """Yield repairs, the likeliest first."""
        raise NotImplementedError

    def __call__(self, obs: Observation) -> Action:
        """Make the first new repair that applies; do nothing where there is none."""
        seen = seen_in(obs)
        for change in self.suggestions(seen):
            action = action_of(change)
            if words_of(action) not in self._done and can(action, seen):
                self._done.add(words_of(action))
                return action
        return noop_of(seen)


class TracebackReader(Reader):
    """Rules from the error message alone: did-you-mean, use-instead, an unexpected keyword."""

    name = "traceback_reader"

    def suggestions(self, seen: DriftObservation) -> Iterator[Change]:
        """Read the message."""
        return reading.from_message(seen)


class SignatureReader(Reader):
    """Looks at the signature of what refused, then renames to what is likest, or drops."""

    name = "signature_reader"

    def suggestions(self, seen: DriftObservation) -> Iterator[Change]:
        """Follow the library's own advice, then what was looked at, then the message."""
        return guessing.suggested(seen)

    def __call__(self, obs: Observation) -> Action:
        """Look once at what refused, unless the library says what is right."""
        seen = seen_in(obs)
        look = guessing.wanted_look(seen)
        worth = look and not reading.advice(seen.message) and look not in dict(seen.told)
        if worth and f"look {look}" not in self._done:
            self._done.add(f"look {look}")
            return inspect(look)
        return super().__call__(obs)


class PrimitiveSearch(SignatureReader):
    """Tries repairs on copies of the episode, and makes the one after which the run gets furthest.

    It has the signature reader's rules, then every keyword of the failing call, and of a script
    that runs with another result every switch that a signature shows, turned over. What it sees of
    a copy is what the next observation would show, and what helped on none is not tried again. More
    tries and looks than the others have: a bound of rules, not their equal.
    """

    name = "primitive_search"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the episode whose copies are tried."""
        super().start(env, seed)
        assert isinstance(env, DriftEnv)
        self._env = env
        self._tried: set[tuple[str, str]] = set()

    def suggestions(self, seen: DriftObservation) -> Iterator[Change]:
        """Yield what helps on a copy, the best first."""
        before, helped = _progress(seen), []
        for number, change in enumerate(self._applicable(seen)):
            self._tried.add((seen.code, words_of(action_of(change))))
            twin = self._env.branch()
            after = _progress(seen_in(twin.step(action_of(change))))
            if after > before:
                helped.append((after, -number, change))
            if after == RIGHT or number + 1 == TRIES:
                break
        yield from (change for *_, change in sorted(helped, key=lambda one: one[:2], reverse=True))

    def _applicable(self, seen: DriftObservation) -> Iterator[Change]:
        for change in dict.fromkeys(self._candidates(seen)):
            words = words_of(action_of(change))
            known = words in self._done or (seen.code, words) in self._tried
            if not known and can(action_of(change), seen):
                yield change

    def _candidates(self, seen: DriftObservation) -> Iterator[Change]:
        yield from super().suggestions(seen)
        everywhere = reading.calls(seen.code)
        near = [c for c in everywhere if c.lineno == seen.line]
        for call in near:
            for keyword in call.keywords:
                if keyword.arg:
                    yield Change("drop_kwarg", "", keyword.arg, "")
        shaped = "'tuple'" in seen.message or "'dict'" in seen.message
        above = [c for c in reversed(everywhere) if c.lineno < seen.line] if shaped else []
        for call in (*near, *above):
            name = ast.unparse(call.func).rpartition(".")[2]
            for accessor in ("[0]", "list", "['input_ids']"):
                if name.isidentifier():
                    yield Change("unwrap_return", "", name, accessor)
        if not seen.error_type:
            yield from guessing.switches(seen, self._look)

    def _look(self, path: str) -> str:
        """Return the signature of a path, seen on a copy; "" where there is none."""
        return dict(seen_in(self._env.branch().step(inspect(path))).told).get(path, "")


RIGHT = (2, 0, 0)
"""The progress of a script that is right."""


def _progress(seen: DriftObservation) -> tuple[int, int, int]:
    """Return how far a script gets: right, or to its end with so many differences, or to a line."""
    if seen.error_type:
        return (0, seen.line, 0)
    return (1, -len(seen.differs), 0) if seen.differs else RIGHT


class Guided(Oracle):
    """The oracle that looks first: what it writes follows from what stands in the prompt.

    Where the message gives no advice it looks at what refused, and of a silent drift at the call
    that is to be set. A name that nothing shows is not written at all: no breakage of the train
    split is in another, so that names learned by heart would be names made up. It writes no whole
    scripts.
    """

    name = "guided"

    def __call__(self, obs: Observation) -> Action:
        """Return the look that the repair rests on, or the repair, or nothing."""
        assert isinstance(self._env, DriftEnv)
        seen, move = seen_in(obs), self._env.oracle_action()
        assert isinstance(move, DriftAction)
        if move.action_type != "apply":
            return noop_of(seen)
        known, due = dict(seen.told), looks(seen)
        if seen.error_type and due:
            return inspect(due[0])
        if _stands_in(move, obs.prompt):
            return move
        for path in dict.fromkeys(guessing.paths_of(move.old or "", seen.code)):
            if path not in known and _stands_in(
                move, self._env.branch().step(inspect(path)).prompt
            ):
                return inspect(path)
        return noop_of(seen)


class Stray(RandomPolicy):
    """Makes one of the repairs that the prompt names, be it right or wrong, or any small edit."""

    name = "stray"

    def __call__(self, obs: Observation) -> Action:
        """Draw a repair."""
        named = repairs(seen_in(obs))
        if not named or self._rng.random() < 0.3:
            return super().__call__(obs)
        return action_of(self._rng.choice(named))


def _stands_in(move: DriftAction, prompt: str) -> bool:
    """Whether every name that a repair writes stands in a prompt."""
    written = set(_NAME.findall(move.new or "")) - {"True", "False", "None"}
    if move.primitive == "set_kwarg":
        written.add((move.old or "").rpartition(".")[2])
    return written <= set(_NAME.findall(prompt))


_NAME = re.compile(r"[A-Za-z_]\w*")
TEACHERS: tuple[type[Policy], ...] = (Guided,)
"""Whose steps that earned are the traces of the warm start: nothing is made up in them."""
STRAY = Stray
"""Who makes a share of the teacher's steps; see `training.traces`."""
ACTION_TOKENS = 64
"""Tokens of an answer: names of libraries are long, and two of them stand in a repair."""
MORE_TRACES = 2
"""So many times the traces of a profile: all that the train split gives, since names are to be
copied and each copy is another."""
PREPARES = ("inspect",)
"""Action types that earn nothing themselves and prepare a step that does."""
LAST_LINES = 3
"""What may come next, the failure, and the library's line of it or what was tried last."""
LOOK_AHEAD = "signature_reader"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("traceback_reader", "signature_reader", "primitive_search")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "primitive_search"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("D1", "D2", "D3", "D4")
"""Scenarios on which no exploit may earn."""
FEWER_EPISODES = 2
"""Steps are few and each runs a script: half as many episodes are judged, eight a tier in profile
`cpu`, which a tier of the test split has."""
FULL_EPISODES = True
"""The model is judged on whole episodes: they have six steps, of which three are attempts."""
RULES_PLAY = 2
"""Honest rules are judged on twice the models' tasks: 16 a tier in profile `cpu`."""
GAP_GROWS: tuple[str, ...] = ()
"""None: the tiers are kinds of drift and no ladder, and the oracle needs more steps for more."""
EXPLOITS = tuple(policy.name for policy in exploits.EXPLOITS)
_ALL: tuple[type[Policy], ...] = (
    RandomPolicy, Noop, *exploits.EXPLOITS, TracebackReader, SignatureReader, PrimitiveSearch,
    Guided, Oracle,
)  # fmt: skip
POLICIES: dict[str, type[Policy]] = {policy.name: policy for policy in _ALL}
audit_policies = exploits.audit_policies
