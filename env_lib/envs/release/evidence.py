"""The evidence view: what each policy knew when it decided, side by side, as one HTML page.

Per policy: the dependency graph (inline SVG), who is really impacted and who was submitted, what
was validated, the decision beside the right one, and the timeline. No script, no outside file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from env_lib.core import InvalidAction
from env_lib.envs.release import truth
from env_lib.envs.release.env import ReleaseEnv
from env_lib.envs.release.notes import Notes
from env_lib.envs.release.svg import graph_svg
from env_lib.envs.release.world import World
from env_lib.rollout import Episode, Policy, Step, run_episode

SEEN = 160
"""Characters of what a step showed that a timeline holds."""
STYLE = """<style>
.mg-ev{font:13px/1.45 system-ui,sans-serif;color:#1b1b1b;background:#fff}
.mg-ev .cols{display:flex;gap:14px;flex-wrap:wrap}
.mg-ev section{flex:1 1 420px;min-width:0;border:1px solid #d0d0d0;border-radius:6px;padding:10px}
.mg-ev h2{margin:0 0 4px;font-size:16px}
.mg-ev h3{margin:10px 0 4px;font-size:13px}
.mg-ev .verdict{padding:6px 8px;border-radius:4px;background:#f3f3f3}
.mg-ev .right{border-left:5px solid #0072B2}
.mg-ev .wrong{border-left:5px solid #D55E00}
.mg-ev table{border-collapse:collapse;font-size:12px;width:100%}
.mg-ev td,.mg-ev th{padding:2px 6px 2px 0;text-align:left;vertical-align:top}
.mg-ev tr{border-top:1px solid #e8e8e8}
.mg-ev svg{max-width:100%;height:auto}
.mg-ev ol{margin:0;padding-left:22px;font-size:12px}
.mg-ev li b{float:right;font-weight:600}
.mg-ev .seen{color:#555;white-space:pre-line;overflow-wrap:anywhere}
.mg-ev code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
</style>"""


@dataclass(frozen=True)
class Account:
    """A finished episode with the truth beside it."""

    episode: Episode
    shown: tuple[str, ...]
    """What each step showed."""
    world: World
    notes: Notes
    right: str
    """The right decision for the repository as it stood at the end; "" where tests failed."""
    broken: tuple[str, ...]
    """Consumers whose contracts were broken at the end."""


def account(env: ReleaseEnv, policy: Policy, seed: int = 0) -> Account:
    """Play one episode and keep what it showed."""
    return played_again(run_episode(env, policy, seed))


def played_again(episode: Episode) -> Account:
    """Return the account of a finished or stored episode, from its actions alone."""
    env, shown = ReleaseEnv(scenario=episode.scenario, split=episode.split, **episode.options), []
    env.reset(seed=episode.seed)
    for step in episode.steps:
        invalid = step.action["action_type"] == "invalid"
        obs = env.step((InvalidAction if invalid else env.action_type).model_validate(step.action))
        shown.append(f"error: {obs.error}" if obs.error else obs.shown)
    right, broken = env.verdict()
    return Account(episode, tuple(shown), env.world, env.notes, right, broken)


def evidence_html(*accounts: Account) -> str:
    """Return one column an account.

    Raises:
        ValueError: no account.
    """
    if not accounts:
        raise ValueError("no account to show; give at least one")
    columns = "".join(_column(one) for one in accounts)
    return f'{STYLE}<div class="mg-ev"><div class="cols">{columns}</div></div>'


def write_evidence(path: Path, *accounts: Account, note: str = "") -> Path:
    """Write the view, under a note, as a page that opens anywhere; to a temporary name first."""
    from env_lib.runs import write_text

    title = escape(" and ".join(one.episode.policy for one in accounts))
    said = f'<p class="mg-ev">{escape(note)}</p>' if note else ""
    write_text(
        path,
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width,initial-scale=1"/>'
        f"<title>release: {title}</title></head>\n<body>{said}"
        f"{evidence_html(*accounts)}</body></html>\n",
    )
    return path


def _column(one: Account) -> str:
    episode, world = one.episode, one.world
    where = f"{episode.scenario}, {episode.split}, seed {episode.seed}: {world.family}"
    return (
        f"<section><h2>{escape(episode.policy)}</h2><p>{escape(where)}</p>{_verdict(one)}"
        f"<h3>Dependency graph: {escape(world.provider)} changed</h3>"
        f"{graph_svg(world, one.notes, one.broken)}"
        f"<h3>Evidence</h3>{_evidence(one)}<h3>Timeline</h3>{_timeline(one)}</section>"
    )


def _verdict(one: Account) -> str:
    decision, total = one.notes.decision or "no decision", one.episode.total_reward
    right = one.right or "none: unit tests fail"
    style = "right" if decision == one.right else "wrong"
    broken = f"; broken contracts: {', '.join(one.broken)}" if one.broken else ""
    return (
        f'<p class="verdict {style}">decided <b>{escape(decision)}</b>, notified '
        f"{escape(one.notes.owner or 'nobody')}; right: <b>{escape(right)}</b>"
        f"{escape(broken)}; return {total:+.2f}</p>"
    )


def _evidence(one: Account) -> str:
    """One row a service: impacted, submitted, validated."""
    world, notes = one.world, one.notes
    rows = ["<tr><th>service</th><th>owner</th><th>impacted</th><th>submitted</th>"
            "<th>contracts</th></tr>"]  # fmt: skip
    submitted = set(notes.blast or ())
    for name in world.services:
        run = "not run" if name not in notes.contracts else "run"
        state = " (broken)" if name in one.broken else ""
        cells = (
            f"{name}{' (changed)' if name == world.provider else ''}",
            world.owners[name],
            "yes" if name in world.impacted else "no",
            "yes" if name in submitted else "no",
            run + state,
        )
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    hit = truth.f1(submitted, world.impacted)
    cause = f"cause submitted: {notes.causal or 'none'}; right: {world.causal}; blast F1 {hit:.2f}"
    return f"<table>{''.join(rows)}</table><p>{escape(cause)}</p>"


def _timeline(one: Account) -> str:
    moments = map(_moment, one.episode.steps, one.shown)
    return f"<ol>{''.join(moments)}</ol>"


def _moment(step: Step, shown: str) -> str:
    """Return one step: what was done, what it paid, and what was seen after it."""
    action: Mapping[str, object] = step.action
    told = ", ".join(str(v) for k, v in action.items() if k not in ("action_type", "raw"))
    text = f"{action['action_type']}({told[:120]})"
    seen = shown if len(shown) <= SEEN else f"{shown[: SEEN - 4]} ..."
    return (
        f"<li><b>{step.reward:+.2f}</b><code>{escape(text)}</code>"
        f'<div class="seen">{escape(seen)}</div></li>'
    )
