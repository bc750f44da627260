"""Maintainer Gym: the duties of a software maintainer as environments with verifiable outcomes.

`make` builds an environment, `policy` a policy by name, `run_episode` plays one episode and
`evaluate` a table. Everything heavy is imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from env_lib.registry import list_envs, make, policies, policy
from env_lib.rollout import run_episode

if TYPE_CHECKING:
    import pandas as pd

__version__ = "0.1.0"
__all__ = ["evaluate", "list_envs", "make", "policies", "policy", "run_episode"]


def evaluate(duty: str, names: list[str], **options: Any) -> pd.DataFrame:
    """Score policies of one duty in a table; see `env_lib.evaluation.evaluate`."""
    from env_lib.evaluation import evaluate as run

    return run(duty, names, **options)
