"""What the commands of the command line do; each returns an Outcome and prints next to nothing."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from env_lib.core import Environment, Observation
from env_lib.registry import DUTIES, duty_module, list_envs, make, policy
from env_lib.rollout import Episode, new_episode, run_episode

QUIT = ("q", "quit", "exit")


class UsageError(ValueError):
    """An argument that cannot be used; the message says what would have been right."""


@dataclass(frozen=True)
class Outcome:
    """What a command found: JSON for programs, text for people, and the broken promises."""

    data: dict[str, Any]
    text: str = ""
    broken: Sequence[str] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether every promise holds."""
        return not self.broken


def _made(args: Namespace, scenario: str | None = None) -> Environment:
    options = {"steps": args.steps} if getattr(args, "steps", None) else {}
    try:
        return make(args.duty, scenario=scenario or args.scenario, split=args.split, **options)
    except ValueError as error:
        raise UsageError(str(error)) from error


def list_duties(args: Namespace) -> Outcome:
    """List what is registered."""
    table = list_envs()
    lines = []
    for duty, parts in table.items():
        lines += [duty, *(f"  {part}: {', '.join(names)}" for part, names in parts.items())]
    return Outcome({"duties": table}, "\n".join(lines))


def play(args: Namespace) -> Outcome:
    """Play by hand, or let a policy play, and show every step."""
    env = _made(args)
    if args.policy:
        try:
            episode = run_episode(env, policy(args.duty, args.policy), args.seed)
        except ValueError as error:
            raise UsageError(str(error)) from error
        lines = [
            line for n, step in enumerate(episode.steps) for line in _told(n, step.prompt, step)
        ]
        return Outcome(episode.record(), "\n".join([*lines, _closing(episode)]))
    episode = _by_hand(env, args.seed)
    return Outcome(episode.record(), _closing(episode))


def _told(number: int, prompt: str, step: Any) -> list[str]:
    paid = ", ".join(f"{name} {value:+.2f}" for name, value in step.components.items() if value)
    kind = step.action["action_type"]
    shown = step.action.get("error", "") if kind == "invalid" else _shown(step.action)
    return [f"--- {number}", prompt, f"> {kind} {shown}".rstrip(), f"{step.reward:+.2f}  ({paid})"]


def _shown(action: dict[str, Any]) -> str:
    return " ".join(f"{k}={v}" for k, v in action.items() if k != "action_type")


def _closing(episode: Episode) -> str:
    held = ", ".join(f"{name} {value:.2f}" for name, value in episode.metrics.items())
    head = f"{episode.stop_reason}: {len(episode.steps)} steps"
    return f"{head}, return {episode.total_reward:.2f}; {held}"


def _by_hand(env: Environment, seed: int) -> Episode:
    """Read one JSON action a line from the terminal until the episode or the input ends."""
    print(env.system_prompt)
    print(f"One action a line, or {QUIT[0]} to leave.")
    obs: Observation = env.reset(seed=seed)
    episode = new_episode(env, "by hand", seed)
    while not obs.done:
        print(f"\n{obs.prompt}")
        try:
            text = input("> ").strip()
        except EOFError:
            break
        if text.lower() in QUIT:
            break
        prompt, action = obs.prompt, env.parse(text)
        obs = env.step(action)
        episode.add(prompt, action, obs, text=text)
        paid = episode.steps[-1]
        print("\n".join(_told(len(episode.steps) - 1, "", paid)[3:]))
    return episode


def generate(args: Namespace) -> Outcome:
    """Make tasks where the duty makes some, else write its episodes."""
    data = duty_module(args.duty, "data")
    if not hasattr(data, "generate"):
        args.split = args.split or "test"
        return _episodes(args)
    if ignored := [n for n in ("scenario", "split", "steps") if getattr(args, n)]:
        raise UsageError(f"{args.duty} makes tasks for its whole pool; leave out --{ignored[0]}")
    there = data.pool_size() if hasattr(data, "pool_size") else 0
    if not args.out and args.n < there:
        raise UsageError(
            f"--n {args.n} would leave {args.n} tasks of the {there} of the pool; "
            f"give --n {there} or more, or --out FILE"
        )
    try:
        told: dict[str, Any] = data.generate(
            args.n, args.seed, Path(args.out) if args.out else None
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    text = "\n".join(f"{name}: {value}" for name, value in told.items())
    short = [f"{told['made']} tasks of {args.n}"] if told["made"] < args.n else []
    return Outcome(told, text, short)


def _episodes(args: Namespace) -> Outcome:
    """Write one episode a line: each prompt of the oracle's walk, and its action."""
    from env_lib.runs import write_jsonl

    if not args.out:
        raise UsageError("--out is needed: the file to write, one episode a line")
    env = _made(args)
    rows = []
    for seed in range(args.seed, args.seed + args.n):
        episode = run_episode(env, policy(args.duty, "oracle"), seed)
        steps = [{"prompt": step.prompt, "action": step.action} for step in episode.steps]
        named = {
            name: getattr(episode, name)
            for name in ("duty", "scenario", "split", "seed", "options")
        }
        rows.append(named | {"system_prompt": env.system_prompt, "steps": steps})
    write_jsonl(Path(args.out), rows)
    prompts = sum(len(row["steps"]) for row in rows)
    return Outcome(
        {"file": args.out, "episodes": len(rows), "prompts": prompts},
        f"{len(rows)} episodes, {prompts} prompts in {args.out}",
    )


def validate(args: Namespace) -> Outcome:
    """Check a duty's data, and on every scenario what any environment promises."""
    from env_lib.validation import checks

    _made(args, scenario=next(iter(duty_module(args.duty).SCENARIOS)))
    found = checks(args.duty, args.split, args.seed)
    lines = [
        f"{'BROKEN' if fault else 'holds '}  {name}{': ' if fault else ''}{fault}"
        for name, fault in found.items()
    ]
    broken = [f"{name}: {fault}" for name, fault in found.items() if fault]
    return Outcome({"checks": found}, "\n".join(lines), broken)


def run_audit(args: Namespace) -> Outcome:
    """Audit the reward."""
    from env_lib.audit import audit

    _made(args, scenario=next(iter(duty_module(args.duty).SCENARIOS)))
    report = audit(args.duty, args.split, range(args.seeds), args.jobs)
    broken = [f"{p.name}: {p.detail}" for p in report.promises if not p.holds]
    return Outcome(report.record(), report.text(), broken)


def run_evaluate(args: Namespace) -> Outcome:
    """Score policies, or measure the duty's yardstick."""
    if args.yardstick:
        return _yardstick(args)
    from env_lib.evaluation import evaluate
    from env_lib.registry import policies
    from env_lib.runs import write_text

    names = args.policies.split(",") if args.policies else list(policies(args.duty))
    tiers = args.scenario.split(",") if args.scenario else None
    options = {"steps": args.steps} if args.steps else {}
    try:
        table = evaluate(
            args.duty,
            names,
            scenario=tiers,
            split=args.split,
            seeds=range(args.seeds),
            n_jobs=args.jobs,
            **options,
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    if args.out:
        write_text(Path(args.out), table.to_csv(index=False))
    shown = [
        "policy",
        "scenario",
        "episodes",
        "mean_return",
        "ci_low",
        "ci_high",
        "per_step",
        "normalised",
        "valid_share",
    ]
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return Outcome({"rows": rows}, table[shown].round(3).to_string(index=False))


def _yardstick(args: Namespace) -> Outcome:
    """Train and test the classic control on two files of a public set, beside published scores."""
    if others := [n for n in ("policies", "scenario", "steps", "out") if getattr(args, n)]:
        raise UsageError(f"--yardstick plays no policies; leave out --{others[0]}")
    if find_spec(f"{DUTIES[args.duty]}.yardstick") is None:
        raise UsageError(f"{args.duty} has no outside yardstick; triage has one")
    try:
        found = duty_module(args.duty, "yardstick").yardstick(*args.yardstick)
    except (ValueError, OSError) as error:
        raise UsageError(str(error)) from error
    published = ", ".join(f"{name} {score:.3f}" for name, score in found["published"].items())
    lines = [f"{repo:32} {score:.3f}" for repo, score in found["by_repo"].items()]
    lines += [f"{'mean F1 of the projects':32} {found['macro_f1']:.3f}  {found['threads']} threads"]
    return Outcome(found, "\n".join([*lines, f"published on the set's own split: {published}"]))


def run_reverify(args: Namespace) -> Outcome:
    """Replay stored episodes."""
    from env_lib.reverify import reverify

    try:
        report = reverify(args.run)
    except FileNotFoundError as error:
        raise UsageError(str(error)) from error
    text = f"{report.steps} steps of {report.episodes} episodes in {report.files} files replayed"
    agree = "all agree exactly" if report.ok else f"{len(report.mismatches)} episodes do not agree"
    return Outcome(report.record(), f"{text}: {agree}", report.mismatches)


def run_serve(args: Namespace) -> Outcome:
    """Serve until interrupted."""
    from env_lib.server import serve

    serve(args.duty, args.host, args.port, args.web)
    return Outcome({"served": args.duty})


def run_export(args: Namespace) -> Outcome:
    """Write an OpenEnv package."""
    from env_lib.export import ExportError, export

    try:
        folder = export(args.duty, Path(args.out))
    except ExportError as error:
        raise UsageError(str(error)) from error
    return Outcome({"folder": str(folder)}, f"{args.duty} is exported to {folder}")


def run_doctor(args: Namespace) -> Outcome:
    """Say what is there."""
    from env_lib.doctor import examine

    rows = examine(args.weights)
    lines = [
        f"{'ok     ' if row['ok'] else 'MISSING'}  {row['what']}: {row['found']}" for row in rows
    ]
    lines = [
        f"{line}\n           {row['how']}" if row["how"] else line
        for line, row in zip(lines, rows, strict=True)
    ]
    broken = [f"{row['what']}: {row['found']}" for row in rows if row["needed"] and not row["ok"]]
    return Outcome({"rows": rows}, "\n".join(lines), broken)


def run_pipeline(args: Namespace) -> Outcome:
    """Run the notebooks."""
    from env_lib.pipeline import run
    from env_lib.profiles import PROFILES

    if args.profile not in ("auto", *PROFILES):
        raise UsageError(f"unknown profile {args.profile!r}; known: auto, {', '.join(PROFILES)}")
    status = run(args.duty, args.profile, args.seed, args.run_dir)
    broken = [f"a notebook failed (status {status}); its error is above"] if status else []
    return Outcome({"status": status}, "", broken)
