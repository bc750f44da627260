"""What must stay hidden or be true in release, each checked: what leaked or is wrong, or ""."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from env_lib.envs.release import truth
from env_lib.envs.release.action import act
from env_lib.envs.release.brute import failing
from env_lib.envs.release.env import SCENARIOS, ReleaseEnv, ReleaseObservation, opening
from env_lib.envs.release.message_probe import messages_tell_no_cause
from env_lib.envs.release.runner import run_checks
from env_lib.envs.release.second_opinion import COMPARED, disagreements
from env_lib.envs.release.world import SITUATIONS, World, build, patched
from env_lib.rollout import Policy, run_episode

HIDDEN = frozenset(
    {
        "world", "sketch", "family", "situation", "impacted", "repair", "reference", "untouched",
        "right_decision", "right_owners", "checks", "demand", "shift", "causal_is_live",
    }
)  # fmt: skip
"""Field names that no observation may have, at any depth."""
SHARE = (0.15, 0.35)
"""Between which the share of each right decision lies."""
SAMPLE = 40
"""Episodes a scenario over which shares are counted: a multiple of five."""


def keys_of(value: Any) -> Iterable[str]:
    """Yield every key of nested JSON."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from keys_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from keys_of(inner)


def leaked(obs: ReleaseObservation, world: World) -> str:
    """Say what an observation tells of the hidden; `held_out` comes with the last one alone."""
    public = obs.model_dump(exclude={"metadata"})
    names = HIDDEN & (set(keys_of(public)) - set(world.services))
    if names:
        return f"field {min(names)!r} is in the observation"
    text = obs.model_dump_json(exclude={"metadata"})
    if "test_hidden" in text or "test_safety" in text:
        return "a hidden test is named in the observation"
    secret = [c.statement for c in world.checks if c.kind in ("hidden", "hidden_unit", "safety")]
    shown = [line for each in secret for line in each.splitlines() if line in text]
    return f"the hidden expectation {shown[0]!r} is shown" if shown else ""


def observations_hide(split: str, seeds: Sequence[int]) -> str:
    """Walk episodes that look at everything, and look at every observation."""
    from env_lib.envs.release.policies import Guided

    for tier in SCENARIOS:
        env, guide = ReleaseEnv(scenario=tier, split=split), Guided()
        obs = env.reset(seed=seeds[0])
        guide.start(env, seeds[0])
        for path in env.world.tree:
            seen = env.branch().step(act("cat", file_path=path))
            if leak := leaked(seen, env.world):
                return f"{tier}, {path}: {leak}"
        while not obs.done:
            if leak := leaked(obs, env.world):
                return f"{tier} step {obs.step}: {leak}"
            obs = env.step(guide(obs))
    return ""


def submissions_tell_nothing(split: str, seeds: Sequence[int]) -> str:
    """Whatever commit or set is submitted, all but the reward looks alike."""
    for tier in SCENARIOS:
        env = ReleaseEnv(scenario=tier, split=split)
        env.reset(seed=seeds[0])
        seen = set()
        for commit in env.world.history:
            obs = env.branch().step(act("submit_causal_change", commit=commit.id))
            text = obs.model_dump_json(exclude={"reward", "metadata"})
            seen.add(text.replace(f'"{commit.id}"', '"ID"').replace(f": {commit.id}", ": ID"))
        if len(seen) > 1:
            return f"{tier}: what follows a submission depends on the truth: {sorted(seen)[:2]}"
        if len(told := set(_after_sets(env))) > 1:
            return f"{tier}: what follows a set depends on the truth: {sorted(told)[:2]}"
    return ""


def _after_sets(env: ReleaseEnv) -> Iterable[str]:
    """Yield what follows the right set, a part of it, all services and one wrong one."""
    world = env.world
    right = sorted(world.impacted)
    for names in (right, right[:1], world.services, (world.provider,)):
        told = ", ".join(names)
        obs = env.branch().step(act("submit_blast_radius", impacted_services=told))
        text = obs.model_dump_json(exclude={"reward", "metadata", "blast"})
        yield text.replace(f"impacted: {told}", "impacted: SET")


def plain_results(world: World, tree: Mapping[str, str]) -> dict[str, str]:
    """Return results as the sandbox gives them, by plain execution; for trees of our own alone."""
    bad = failing(tree, world.checks)
    return {c.id: "fails" if c.id in bad else "" for c in world.checks}


def decisions_are_even(split: str, seeds: Sequence[int]) -> str:
    """Each decision is right in 15 to 35 % of the episodes, after the reference patch."""
    for tier in SCENARIOS:
        counts: Counter[str] = Counter()
        for seed in range(SAMPLE):
            world = build(split, tier, seed)
            tree = world.repaired()
            counts[truth.right_decision(world, tree, plain_results(world, tree))] += 1
        for decision in ("ship", "block", "canary", "rollback", "request_owner_approval"):
            share = counts[decision] / SAMPLE
            if not SHARE[0] <= share <= SHARE[1]:
                return f"{tier}: {decision} is right in {share:.0%} of {SAMPLE} episodes"
    return ""


def truth_is_what_runs(split: str, seeds: Sequence[int]) -> str:
    """The sandbox and plain execution agree on every check, before and after the patch."""
    for tier in SCENARIOS:
        for seed in seeds[:4]:
            world = build(split, tier, seed)
            fixed = world.repaired()
            pairs = (
                (opening(split, tier, seed), world.tree),
                (run_checks(fixed, world.checks), fixed),
            )
            for results, tree in pairs:
                bad = {check.id for check in world.checks if results[check.id]}
                if bad != failing(tree, world.checks):
                    return f"{tier} seed {seed}: {sorted(bad ^ failing(tree, world.checks))[0]}"
    return ""


def impact_is_what_breaks(split: str, seeds: Sequence[int]) -> str:
    """Where the changed field holds nothing, the contracts of the impacted alone fail."""
    for tier in SCENARIOS:
        for seed in seeds[:4]:
            world = build(split, tier, seed)
            name = f'"{world.sketch.field}": '
            bare = patched(world.repaired(), world.path, (name, f'{name}None, "was": '))
            contracts = [c for c in world.checks if c.kind == "contract"]
            bad = failing(bare, contracts)
            found = {c.service for c in contracts if c.id in bad}
            if found != world.impacted:
                return f"{tier} seed {seed}: {sorted(found ^ world.impacted)}"
    return ""


def naive_ships_what_is_broken(split: str, seeds: Sequence[int]) -> str:
    """Green is not safe: naive ships broken contracts and earns less than careful, on each tier.

    Each situation is played once at least, however few seeds there are.
    """
    from env_lib.envs.release.rules import Careful, Naive

    kinds: tuple[type[Policy], ...] = (Naive, Careful)
    for tier in SCENARIOS:
        env = ReleaseEnv(scenario=tier, split=split)
        places = range(max(len(seeds), len(SITUATIONS)))
        naive, careful = ([run_episode(env, kind(), n) for n in places] for kind in kinds)
        if not any(e.metrics["unsafe_ship"] for e in naive):
            return f"{tier}: naive shipped nothing broken in {len(places)} episodes"
        earned = [sum(e.total_reward for e in some) / len(places) for some in (naive, careful)]
        if earned[0] >= earned[1]:
            return f"{tier}: naive earns {earned[0]:.2f}, careful {earned[1]:.2f}"
    return ""


def other_words_earn_the_same(split: str, seeds: Sequence[int]) -> str:
    """The same patches in other words earn what they earn, on each tier."""
    from env_lib.envs.release.rules import Careful, Reworded

    for tier in SCENARIOS:
        env = ReleaseEnv(scenario=tier, split=split)
        for seed in seeds[:4]:
            plain, other = (run_episode(env, kind(), seed) for kind in (Careful, Reworded))
            if abs(plain.total_reward - other.total_reward) > 1e-9:
                return f"{tier} seed {seed}: {plain.total_reward:.2f}, {other.total_reward:.2f}"
    return ""


CHECKS: Mapping[str, Callable[[str, Sequence[int]], str]] = {
    "observations hold nothing hidden": observations_hide,
    "submissions tell nothing": submissions_tell_nothing,
    "each decision is right in 15 to 35 %": decisions_are_even,
    "sandbox and plain execution agree": truth_is_what_runs,
    "impacted is what breaks": impact_is_what_breaks,
    f"truth agrees with calling every reader, {COMPARED * len(SCENARIOS)} episodes": disagreements,
    "cause from messages alone": messages_tell_no_cause,
    "the same patch in other words earns the same": other_words_earn_the_same,
    "naive ships what is broken, below careful": naive_ships_what_is_broken,
}
