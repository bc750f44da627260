"""The registry: one dict from a duty's name to its module, resolved when it is asked for.

A new duty registers one package; tests, tour, README table and figures iterate over it. Its module
`env` has `ENVIRONMENT` (the class), `SCENARIOS`, `SPLITS` and, where scripts of the duty import
more than it does, `NEEDS` (these packages); its module `policies` has `POLICIES` (name -> Policy
class), the names among them that are `EXPLOITS`, `TEACHERS` (of the warm start),
`PREPARES` (action types that earn nothing themselves but lead to a step that does), `LOOK_AHEAD`
(the cheap policy of GRPO's branches) and `COMPARED` (with the trained model), where they can be
told `LAST_LINES` (lines at a prompt's end that the teachers decide by), `ORACLE_SHARE` (of the
traces, that show the oracle's move where a teacher makes another), `PATIENT` (action types
that are kept in traces after a step that prepared them, though they earn nothing), `EASY` (action
types that need few traces), `STRAY` (a policy that makes a share of the teachers' steps, so that
traces show how to go on after errors; it never submits), `STRAY_SHARE` (how large that share is),
`SUCCESS` (what a step pays at least that the gate before GRPO counts as one),
`ACTION_TOKENS` (of an answer, where a profile's are too few), `MORE_TRACES` (how many times a
profile's traces are wanted), `FULL_EPISODES` (true where an episode cannot be shortened),
`FEWER_EPISODES` (how many times fewer episodes are judged than a profile says), `RULES_PLAY` (how
many times as many tasks honest rules play as the models do) and `told_options` (options of `make`
-> those under which prompts tell the rules that are otherwise to be learned: an upper bound of
language models); where the duty shows more than every duty does, its module `figures` has
`tables(episodes)` and `FIGURES` (name -> what draws it from the tables), and where they are there
`REPORTED` (which of that joins the results section, see `plots/reported.py`),
`write_records(run_folder)` (pages and records of a run's single episodes) and
`write_pages(run_folder, to)` (those pages that are published).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from env_lib.core import Environment
    from env_lib.rollout import Policy

DUTIES = {
    "triage": "env_lib.envs.triage",
    "repair": "env_lib.envs.repair",
    "drift": "env_lib.envs.drift",
    "release": "env_lib.envs.release",
    "supervise": "env_lib.envs.supervise",
}


def duty_module(duty: str, part: str = "env") -> ModuleType:
    """Return one module of a duty.

    Raises:
        KeyError: the duty is unknown; the message lists the known ones.
    """
    if duty not in DUTIES:
        raise KeyError(f"unknown duty {duty!r}; known: {', '.join(DUTIES)}")
    return import_module(f"{DUTIES[duty]}.{part}")


def duty_figures(duty: str) -> ModuleType | None:
    """Return a duty's module `figures`; None where it shows nothing of its own."""
    try:
        return duty_module(duty, "figures")
    except ModuleNotFoundError as error:
        if error.name != f"{DUTIES[duty]}.figures":
            raise
        return None


def write_records(duty: str, run_folder: Path) -> list[Path]:
    """Write pages and records of single episodes, where a duty has such; return the files."""
    write = getattr(duty_figures(duty), "write_records", None)
    return list(write(run_folder)) if write else []


def write_pages(duty: str, run_folder: Path, to: Path) -> list[Path]:
    """Write the pages of single episodes that are published, where a duty has such; return them."""
    write = getattr(duty_figures(duty), "write_pages", None)
    return list(write(run_folder, to)) if write else []


def judged_splits(duty: str) -> list[str]:
    """Return the splits that a trained model is judged on: `test` first, then `test_...`."""
    return sorted(split for split in duty_module(duty).SPLITS if split.startswith("test"))


def list_envs() -> dict[str, dict[str, list[str]]]:
    """Return `{duty: {"scenarios": [...], "splits": [...], "policies": [...]}}`."""
    table = {}
    for duty in DUTIES:
        module = duty_module(duty)
        table[duty] = {
            "scenarios": list(module.SCENARIOS),
            "splits": list(module.SPLITS),
            "policies": list(policies(duty)),
        }
    return table


def make(
    duty: str, *, scenario: str | None = None, split: str = "train", **options: Any
) -> Environment:
    """Build an environment; the first scenario of the duty is the default.

    Raises:
        KeyError: an unknown duty.
        ValueError: an unknown scenario or split; the message lists the known ones.
    """
    module = duty_module(duty)
    scenario = scenario if scenario is not None else next(iter(module.SCENARIOS))
    for what, value, known in (
        ("scenario", scenario, module.SCENARIOS),
        ("split", split, module.SPLITS),
    ):
        if value not in known:
            raise ValueError(f"unknown {what} {value!r} of {duty}; known: {', '.join(known)}")
    return module.ENVIRONMENT(scenario=scenario, split=split, **options)


def policies(duty: str) -> dict[str, type[Policy]]:
    """Return the duty's rule-based policies by name, exploits included."""
    return dict(duty_module(duty, "policies").POLICIES)


def policy(duty: str, name: str) -> Policy:
    """Build a rule-based policy by name.

    Raises:
        ValueError: an unknown name; the message lists the known ones.
    """
    known = policies(duty)
    if name not in known:
        raise ValueError(f"unknown policy {name!r} of {duty}; known: {', '.join(known)}")
    return known[name]()
