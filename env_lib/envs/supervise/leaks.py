"""What must stay hidden in supervise, and checks that it does.

Each returns what leaked, or ""; those that measure return that and the figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from env_lib.envs.supervise.env import SCENARIOS, SuperviseEnv, SuperviseObservation
from env_lib.envs.supervise.facts import ARTEFACTS, HARMLESS, LIES, SHOWN_BY, word
from env_lib.envs.supervise.notes import known, view
from env_lib.envs.supervise.organisation import BLOCK, HOLD, MOST, organisation
from env_lib.envs.supervise.probe import ORGANISATIONS, prompts_do_not_tell
from env_lib.envs.supervise.proposals import Proposal, constant_share
from env_lib.envs.supervise.workers import QUESTIONS, answer

HIDDEN = frozenset(
    {
        "due", "reason", "lie", "habit", "lie_rate", "unseen", "returns", "mends", "rules",
        "organisation", "material", "violated", "outcome", "third",
    }
)  # fmt: skip
"""Field names that no observation may have, at any depth."""
RELEASES = 16
"""Of each tier, at least: a third of one holds few proposals."""

RECORDS = "cases"
"""The field of decided changes: public with all their facts, and checked by their number."""


def keys_of(value: Any) -> Iterator[str]:
    """Yield every name in nested values, those of models and named tuples included."""
    if isinstance(value, BaseModel):
        value = dict(value)
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from keys_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from keys_of(inner)


def _releases(split: str, seeds: Sequence[int]) -> Iterator[tuple[str, int, SuperviseEnv]]:
    """Yield every tier and seed with its release, just begun."""
    for tier in SCENARIOS:
        env = SuperviseEnv(scenario=tier, split=split)
        for seed in seeds:
            env.reset(seed=seed)
            yield tier, seed, env


def observations_hide(split: str, seeds: Sequence[int]) -> str:
    """Walk every release with the oracle and look at every observation: its names, its values."""
    for tier, seed, env in _releases(split, seeds):
        obs = env._observe(None, {}, "")
        while not obs.done:
            if leak := _leak_of(env, obs):
                return f"{tier} seed {seed} step {obs.step}: {leak}"
            obs = env.step(env.oracle_action())
    return ""


def _leak_of(env: SuperviseEnv, obs: SuperviseObservation) -> str:
    """Say what an observation of the release as it is tells, "" where nothing."""
    names = HIDDEN & set(keys_of({name: value for name, value in obs if name != RECORDS}))
    if names:
        return f"field {min(names)!r} is in the observation"
    if len(obs.cases) != obs.decided:  # the oracle looks no precedents up
        return f"{len(obs.cases)} records of {obs.decided} decided"
    twin = _otherwise(env)._observe(None, {}, "")
    told = [name for name, value in env._observe(None, {}, "") if getattr(twin, name) != value]
    return f"{told[0]!r} would differ if what is hidden did" if told else ""


def _otherwise(env: SuperviseEnv) -> SuperviseEnv:
    """Return the release as it would look the same: another policy, other truths of what is open.

    Facts stay, but for false claims of which no artefact was looked at.
    """
    twin, shown = env.branch(), dict(env._seen)
    twin._ranked = ((), [])
    twin._release = replace(
        env._release, crew=(), organisation=organisation(env.tier, env.split, env._seed + 1)
    )
    twin._queue = tuple(
        replace(
            p if LIES.get(p.facts.lie) in shown else _honest(p),
            due=BLOCK if p.due == HOLD else HOLD, reason="secret" if p.reason != "secret" else "",
            unseen=not p.unseen, third=(p.third + 1) % 3, returns=not p.returns, mends=not p.mends,
        )
        for p in env._queue
    )  # fmt: skip
    return twin


def headers_show_no_tell(split: str, seeds: Sequence[int]) -> str:
    """Compare each lying proposal's header with that of an honest one with nothing to hide.

    Headers are made from what workers claim: this holds them to that, the probe looks for the rest.
    """
    for tier, seed, env in _releases(split, seeds):
        for proposal in env._queue:
            lie = proposal.facts.lie
            if lie and view(_honest(proposal)) != view(proposal):
                return f"{tier} seed {seed}: the header of {proposal.id} tells {lie!r}"
    return ""


def _honest(proposal: Proposal) -> Proposal:
    """Return the proposal as an honest worker would make it that has nothing to hide."""
    facts = proposal.facts
    name = {"tests": "tests", "coverage": "coverage", "scan": "scan"}.get(facts.lie)
    mended = {name: HARMLESS[name]} if name else {}
    honest = proposal.material._replace(facts=facts._replace(lie="", **mended))
    return Proposal(**{**vars(proposal), "material": honest})


def answers_show_no_tell(split: str, seeds: Sequence[int]) -> str:
    """Ask every worker every question: no answer denies the header or is not an honest worker's."""
    for tier, seed, env in _releases(split, seeds):
        for p in env._queue:
            header, twin = view(p), _honest(p)
            claimed = {name: HARMLESS[name] for name in ("tests", "coverage", "scan")}
            claimed |= known(header, ())
            for question in QUESTIONS:
                said = answer(p.facts, question)
                denies = said != answer(twin.facts, question)
                if value := claimed.get(question):
                    denies |= said != (word(question, value) or f"{question} {value}")
                if question == "licence":
                    denies |= header.adds_package != (said != "licence none")
                if denies:
                    return f"{tier} seed {seed}: {said!r} of {p.id} tells {p.facts.lie!r}"
    return ""


def tells_are_in_the_artefacts(split: str, seeds: Sequence[int]) -> str:
    """Read every artefact: each shows exactly the facts that are its to show, lies included."""
    for tier, seed, env in _releases(split, seeds):
        for p in env._queue:
            for name in ARTEFACTS:
                found = known(view(p), ((name, p.artefact(name)),))
                wanted = {f: getattr(p.facts, f) for f, place in SHOWN_BY.items() if place == name}
                if LIES.get(p.facts.lie) == name:
                    wanted["lie"] = p.facts.lie
                told = {f: found[f] for f in (*wanted, "lie") if f in found}
                if told != wanted:
                    return f"{tier} seed {seed}, {name} of {p.id}: {told}, facts {wanted}"
    return ""


def no_constant_is_often_right(split: str, seeds: Sequence[int]) -> tuple[str, str]:
    """Count the decisions of each release that one verdict, always given, gets right."""
    shares = []
    for tier, seed, env in _releases(split, seeds):
        share, kind = constant_share(env._queue, env._release.organisation)
        shares.append((share, f"always {kind} on {tier}, seed {seed}"))
    share, where = max(shares)
    told = f"at most {share:.3f} of a release's decisions ({where})"
    return (told if share > MOST else ""), told


def the_learner_learns(split: str, seeds: Sequence[int]) -> tuple[str, str]:
    """Precedents teach the policy: the learner judges the last third better than the first.

    RELEASES a tier are played at least, however few seeds there are, and the 95 % interval of the
    gain, over releases, is above zero. Tiers are pooled: RELEASES of one tier alone do not tell its
    gain from chance. Thirds are also phases, since proposals come by phase: that the public rules
    alone gain nothing is tested apart (tests/envs/supervise/test_policies.py).
    """
    from env_lib.envs.supervise.rules import PrecedentLearner
    from env_lib.intervals import mean_interval
    from env_lib.rollout import run_episode

    gains = []
    for tier in SCENARIOS:
        env = SuperviseEnv(scenario=tier, split=split)
        for seed in range(max(len(seeds), RELEASES)):
            found = run_episode(env, PrecedentLearner(), seed).metrics
            gains.append(found["accuracy_last"] - found["accuracy_first"])
    gain = mean_interval(gains)
    told = (
        f"the last third is {gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}] more accurate in "
        f"{len(gains)} releases"
    )
    return ("" if gain.low > 0 else told), told


CHECKS: Mapping[str, Callable[[str, Sequence[int]], str | tuple[str, str]]] = {
    "hidden fields": observations_hide,
    "false claims do not show in the header": headers_show_no_tell,
    "answers deny no header and are those of an honest worker": answers_show_no_tell,
    "each fact is in its artefact": tells_are_in_the_artefacts,
    "no constant verdict is right too often": no_constant_is_often_right,
    f"verdict from the first prompt alone, {ORGANISATIONS} organisations a tier": (
        prompts_do_not_tell
    ),
    "the learner improves within the episode": the_learner_learns,
}
