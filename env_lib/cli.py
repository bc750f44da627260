"""The command line: one table of commands, each with `--help` and `--json`.

Exit status: 0 when all promises hold, 1 when one is broken (and which), 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from env_lib import commands
from env_lib.commands import Outcome, UsageError
from env_lib.registry import DUTIES

Option = tuple[tuple[str, ...], dict[str, Any]]


def _option(*names: str, **settings: Any) -> Option:
    return names, settings


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value}; at least 1 is needed")
    return value


DUTY = _option("duty", choices=list(DUTIES), help="a registered duty")
SCENARIO = _option("--scenario", help="one scenario")
SPLIT = _option("--split", default="test", help="split that episodes draw from (default: test)")
SEED = _option("--seed", type=int, default=0, help="seed (default: 0)")
SEEDS = _option(
    "--seeds", type=_count, default=8, help="episodes a scenario, seeds 0, 1, ... (default: 8)"
)
JOBS = _option("--jobs", type=_count, default=2, help="processes (default: 2)")
STEPS = _option("--steps", type=_count, help="steps of a shorter episode")


@dataclass(frozen=True)
class Command:
    """One sub-command: what it says of itself, what it takes, what it does."""

    name: str
    purpose: str
    handler: Callable[[argparse.Namespace], Outcome]
    options: tuple[Option, ...] = ()


COMMANDS = (
    Command("list", "list duties, scenarios, splits and policies", commands.list_duties),
    Command(
        "play",
        "play one episode by hand, or watch a policy play it",
        commands.play,
        (
            DUTY,
            SCENARIO,
            SPLIT,
            SEED,
            STEPS,
            _option("--policy", help="a policy that plays instead of you"),
        ),
    ),
    Command(
        "generate",
        "make tasks where a duty makes them, else episodes: every prompt beside the best action",
        commands.generate,
        (
            DUTY,
            _option("--scenario", help="one scenario; of episodes"),
            _option("--split", help="split that episodes draw from (default: test)"),
            SEED,
            _option("--steps", type=_count, help="steps of a shorter episode"),
            _option("--n", type=_count, default=1, help="tasks, or episodes from --seed on"),
            _option(
                "--out",
                default="",
                help="file to write; tasks have the pool, unless it would get smaller",
            ),
        ),
    ),
    Command(
        "validate",
        "check data, determinism, rewards and oracle",
        commands.validate,
        (DUTY, SPLIT, SEED),
    ),
    Command(
        "audit",
        "judge the reward by its exploits, and look for leaks",
        commands.run_audit,
        (DUTY, SPLIT, SEEDS, JOBS),
    ),
    Command(
        "evaluate",
        "score rule-based policies in a table with intervals, or a duty's outside yardstick",
        commands.run_evaluate,
        (
            DUTY,
            _option("--policies", help="comma-separated names (default: all of the duty)"),
            _option("--scenario", help="comma-separated scenarios (default: all)"),
            SPLIT,
            SEEDS,
            JOBS,
            STEPS,
            _option("--out", help="CSV file to write too"),
            _option(
                "--yardstick",
                nargs=2,
                metavar=("TRAIN.csv", "TEST.csv"),
                help="instead: issue types on these two files of the public NLBSE set (triage)",
            ),
        ),
    ),
    Command(
        "reverify",
        "replay a run's stored episodes and compare every step exactly",
        commands.run_reverify,
        (_option("run", help="a run's folder"),),
    ),
    Command(
        "serve",
        "serve a duty to OpenEnv clients",
        commands.run_serve,
        (
            DUTY,
            _option("--host", default="127.0.0.1", help="address (default: 127.0.0.1)"),
            _option("--port", type=int, default=8000, help="port (default: 8000)"),
            _option("--web", action="store_true", help="with the web page at /web"),
        ),
    ),
    Command(
        "export",
        "write a duty as a self-contained OpenEnv package",
        commands.run_export,
        (
            DUTY,
            _option(
                "--out", required=True, help="folder to write: new, empty, or an earlier export"
            ),
        ),
    ),
    Command(
        "doctor",
        "say what is installed, what is missing and how to get it",
        commands.run_doctor,
        (_option("--weights", action="store_true", help="fetch the small model's weights"),),
    ),
    Command(
        "run",
        "train and judge one duty: notebooks 01 to 05",
        commands.run_pipeline,
        (
            _option(
                "--env",
                dest="duty",
                choices=list(DUTIES),
                default=next(iter(DUTIES)),
                help="a duty",
            ),
            _option("--profile", default="auto", help="smoke, cpu, t4, a100, or auto (default)"),
            SEED,
            _option("--run-dir", default="", help="folder of the run (default: under runs/)"),
        ),
    ),
)


def parser() -> argparse.ArgumentParser:
    """Build the parser from COMMANDS."""
    top = argparse.ArgumentParser(prog="python -m env_lib", description="Maintainer Gym")
    subs = top.add_subparsers(dest="command", required=True, metavar="command")
    for command in COMMANDS:
        sub = subs.add_parser(command.name, help=command.purpose, description=command.purpose)
        for names, settings in command.options:
            sub.add_argument(*names, **settings)
        sub.add_argument(
            "--json", action="store_true", help="print one JSON object and nothing else"
        )
        sub.set_defaults(handler=command.handler)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    known = parser()
    args = known.parse_args(arguments)
    aside = contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext()
    try:
        with aside:
            outcome = args.handler(args)
    except UsageError as error:
        known.exit(2, f"{known.prog} {args.command}: {error}\n")
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps({"ok": outcome.ok} | outcome.data, default=str))
    elif outcome.text:
        print(outcome.text)
    for broken in outcome.broken:
        print(f"broken: {broken}", file=sys.stderr)
    return 0 if outcome.ok else 1
