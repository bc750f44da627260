"""Records of a run's repair episodes: a line a step, a row an episode, a row a policy.

`python -m env_lib.envs.repair.records runs/<run>` reads the stored episodes, plays them again and
writes to `runs/<run>/eval/records/`: `trajectory.jsonl`, `benchmark.csv` and `leaderboard.csv`.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.core import InvalidAction, StopReason
from env_lib.envs.repair.env import RepairAction, RepairEnv, RepairObservation
from env_lib.envs.repair.rubric import repair_rubric
from env_lib.rollout import Episode

if TYPE_CHECKING:
    import pandas as pd


def code_hash(source: str) -> str:
    """Return the first twelve digits of the code's sha256."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def _action_id(action: dict[str, Any], obs: RepairObservation) -> str:
    """What was done, in one word: a transformation under its name and line."""
    kind = str(action["action_type"])
    if kind == "transform":
        return f"{action['transform_id']}@{action['line']}"
    if kind != "apply":
        return kind
    number = action["offer"]
    if not 0 <= number < len(obs.offers):
        return f"apply:{number}"
    name, line = obs.offers[number]
    return f"{name}@{line}"


def trajectory(episode: Episode) -> Iterator[dict[str, Any]]:
    """Play a stored episode again and yield one row a step.

    Keys: episode_id, task_id, agent, step, action_id, changed, code_hash_before, code_hash_after,
    tests_passed, tests_failed (visible ones), error_type, reward, done, truncated (the steps were
    spent), duration_ms (of this replay, not of the episode: tests that ran before are remembered);
    then action_type, and refusal: why the action was refused or could not be carried out, or "".
    """
    env = RepairEnv(scenario=episode.scenario, split=episode.split, **episode.options)
    obs = env.reset(seed=episode.seed)
    task_id = env.state.model_dump()["task_id"]
    name = f"{episode.policy}/{episode.split}/{episode.scenario}/{episode.seed}"
    for number, step in enumerate(episode.steps):
        kind = InvalidAction if step.action["action_type"] == "invalid" else RepairAction
        before, began = obs, time.perf_counter()
        obs = env.step(kind.model_validate(step.action))
        yield {
            "episode_id": name,
            "task_id": task_id,
            "agent": episode.policy,
            "step": number,
            "action_id": _action_id(step.action, before),
            "changed": obs.code != before.code,
            "code_hash_before": code_hash(before.code),
            "code_hash_after": code_hash(obs.code),
            "tests_passed": len(obs.passed),
            "tests_failed": len(obs.failed),
            "error_type": obs.error_type,
            "reward": step.reward,
            "done": obs.done,
            "truncated": obs.done and env.state.stop_reason is StopReason.BUDGET,
            "duration_ms": round(1000 * (time.perf_counter() - began), 2),
            "action_type": step.action["action_type"],
            "refusal": obs.error,
        }


def benchmark(episodes: Sequence[Episode]) -> pd.DataFrame:
    """Return a row an episode: agent, split, scenario, seed, and what came of it."""
    import pandas as pd

    weight = repair_rubric().weights
    rows = []
    for e in episodes:
        paid = e.components
        rows.append(
            {
                "agent": e.policy, "split": e.split, "scenario": e.scenario, "seed": e.seed,
                "solved": bool(e.metrics["solved"]), "impossible": bool(e.metrics["impossible"]),
                "cheated": bool(e.metrics["cheated"]), "steps": len(e.steps),
                "reward": e.total_reward, "stop_reason": str(e.stop_reason),
                "syntax_errors": round(paid["syntax_error"] / weight["syntax_error"]),
                "timeouts": round(paid["timeout"] / weight["timeout"]),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def leaderboard(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row an agent and split, best solve rate first; impossible tasks count in rewards.

    Columns: split, agent, solve_rate (of possible tasks), mean_steps, mean_reward, syntax_errors,
    timeouts, episodes. Agents may have played different numbers of tasks (`episodes`): what is
    compared pairwise is in the evaluation's `differences.csv`.
    """
    import pandas as pd

    lines = []
    for (split, agent), part in rows.groupby(["split", "agent"]):
        possible = part[~part["impossible"]]
        lines.append(
            {
                "split": split, "agent": agent,
                "solve_rate": possible["solved"].mean(), "mean_steps": part["steps"].mean(),
                "mean_reward": part["reward"].mean(), "syntax_errors": part["syntax_errors"].sum(),
                "timeouts": part["timeouts"].sum(), "episodes": len(part),
            }
        )  # fmt: skip
    order = ["split", "solve_rate", "mean_reward"]
    return pd.DataFrame(lines).sort_values(order, ascending=[True, False, False], ignore_index=True)


def write(run_folder: Path) -> Path:
    """Write the three files of a run; return their folder.

    Raises:
        FileNotFoundError: the run holds no episodes.
        ValueError: they are of another duty.
    """
    from env_lib.reverify import stored_episodes
    from env_lib.runs import write_jsonl, write_text

    episodes = stored_episodes(run_folder, "repair")
    folder = run_folder / "eval" / "records"
    write_jsonl(folder / "trajectory.jsonl", [row for e in episodes for row in trajectory(e)])
    rows = benchmark(episodes)
    for name, table in (("benchmark", rows), ("leaderboard", leaderboard(rows))):
        write_text(folder / f"{name}.csv", table.to_csv(index=False, float_format="%.6g"))
    return folder


def main(arguments: Sequence[str]) -> int:
    """Write the records of each run; return the exit status."""
    if not arguments:
        print("usage: python -m env_lib.envs.repair.records RUN_FOLDER ...", file=sys.stderr)
        return 2
    for name in arguments:
        print(write(Path(name)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
