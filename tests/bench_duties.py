"""What `make bench` measures of release and supervise: steps, with what they execute, and branches.

Called by tests/bench.py. The time of a policy is not counted; that of a reset is in release alone,
where tests run.
"""

from __future__ import annotations

import time
from typing import Any

Row = tuple[Any, ...]
"""What tests/bench.py makes its rows of: (what, value, unit[, wanted, ok])."""
ROUNDS = 5
EPISODES = 4
"""Episodes that make one round: none of them was played before."""
WINDOW = 20
"""Steps in a row of which the best are shown beside whole episodes, which the promise is on."""
BRANCHES = 200


def _branch(env: Any) -> float:
    """Return the seconds of one branch, the best of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(BRANCHES):
            env.branch()
        best = min(best, (time.perf_counter() - began) / BRANCHES)
    return best


def _walk(env: Any, rule: Any, seed: int) -> tuple[float, float, int]:
    """Play an episode; return the seconds of its reset, of its steps, and their number."""
    began = time.perf_counter()
    obs = env.reset(seed=seed)
    reset, took, steps = time.perf_counter() - began, 0.0, 0
    while not obs.done:
        action = rule(obs)
        began = time.perf_counter()
        obs = env.step(action)
        took, steps = took + time.perf_counter() - began, steps + 1
    return reset, took, steps


def release() -> list[Row]:
    """Steps a second of episodes never played, tests executed in them; branches."""
    import env_lib

    env, rule = env_lib.make("release", scenario="L3"), env_lib.policy("release", "careful")
    _walk(env, rule, 4999)  # starts the sandbox
    rate, reset = 0.0, float("inf")
    for turn in range(ROUNDS):
        first = 5000 + turn * EPISODES
        played = [_walk(env, rule, seed) for seed in range(first, first + EPISODES)]
        resets, took, steps = (sum(part) for part in zip(*played, strict=True))
        rate, reset = max(rate, steps / (resets + took)), min(reset, resets / EPISODES)
    obs = env.reset(seed=0)
    while not obs.edits:
        obs = env.step(rule(obs))
    branch = _branch(env)
    return [
        ("release, L3, tests executed", rate, "steps/s", ">= 100", rate >= 100),
        ("release, L3, reset to a new seed", reset * 1e3, "ms"),
        ("release, branch after an edit", branch * 1e3, "ms", "<= 2", branch <= 2e-3),
    ]


def supervise() -> list[Row]:
    """Steps a second, precedents looked up and artefacts made on the way, none executed.

    Resets are left out: to draw a new release takes longer than many of its steps.
    """
    import env_lib
    from env_lib.envs.supervise.env import SuperviseAction

    best, whole = float("inf"), float("inf")
    env = env_lib.make("supervise", scenario="S4", split="test")
    for seed in range(ROUNDS):
        obs, times = env.reset(seed=seed), []
        while not obs.done:
            area = obs.proposal.area
            ask = area in obs.more and obs.budget - obs.step > 2 * obs.open_proposals
            action = SuperviseAction(action_type="view_precedents", area=area)
            action = action if ask else env.oracle_action()
            began = time.perf_counter()
            obs = env.step(action)
            times.append(time.perf_counter() - began)
        whole = min(whole, sum(times) / len(times))
        starts = range(len(times) - WINDOW + 1)
        best = min(best, *(sum(times[i : i + WINDOW]) / WINDOW for i in starts))
    branch = _branch(_half_way(env))
    return [
        ("supervise, S4, whole episodes", 1 / whole, "steps/s", ">= 2000", 1 / whole >= 2000),
        (f"supervise, S4, best {WINDOW} steps in a row", 1 / best, "steps/s"),
        ("supervise, branch", branch * 1e3, "ms"),
    ]


def _half_way(env: Any) -> Any:
    obs = env.reset(seed=0)
    while obs.decided < obs.open_proposals:
        obs = env.step(env.oracle_action())
    return env
