"""An episode, or several side by side, as one HTML text without scripts or outside files.

The same text is shown in a notebook (`IPython.display.HTML(replay_html(episode))`) and, inside a
page, written as a file. Everything that comes from an episode is escaped: spam in a queue is made
to be read, not run. Not covered: live episodes, and lining up steps that act on the same thread.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from env_lib.rollout import Episode, Step

MAX_PROMPT = 4000
"""Characters of a prompt that are shown."""
_STYLE = """<style>
.mg-replay{display:flex;gap:12px;flex-wrap:wrap;font:13px/1.45 system-ui,sans-serif}
.mg-replay,.mg-replay section,.mg-replay table{color:#1b1b1b;background:#fff}
.mg-replay section{flex:1 1 340px;min-width:0;border:1px solid #d0d0d0;border-radius:6px}
.mg-replay section{padding:10px}
.mg-replay h3{margin:0 0 2px;font-size:15px}
.mg-replay p{margin:0 0 8px;color:#555}
.mg-replay details{border-top:1px solid #e4e4e4;padding:3px 0}
.mg-replay summary{cursor:pointer;display:flex;gap:8px;align-items:baseline}
.mg-replay .n{color:#767676;min-width:2.2em;text-align:right}
.mg-replay .a{flex:1;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
.mg-replay .pos{color:#005a8c}
.mg-replay .neg{color:#b34a00}
.mg-replay pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:4px 0;padding:6px}
.mg-replay pre{background:#f6f6f6;color:#1b1b1b;font-size:12px}
.mg-replay table{border-collapse:collapse;font-size:12px}
.mg-replay td{padding:0 6px 0 0;text-align:left;border:0}
.mg-replay td.v{text-align:right;font-variant-numeric:tabular-nums}
.mg-replay .b{display:block;position:relative;width:160px;height:9px;background:#f0f0f0}
.mg-replay .b i{position:absolute;top:0;height:9px}
.mg-replay .b u{position:absolute;left:80px;top:0;width:1px;height:9px;background:#767676}
</style>"""
_POSITIVE, _NEGATIVE = "#0072B2", "#D55E00"


def replay_html(*episodes: Episode) -> str:
    """Return one column an episode: totals, then each step with prompt, action and reward parts.

    Raises:
        ValueError: no episode.
    """
    if not episodes:
        raise ValueError("no episode to replay; give at least one")
    columns = "".join(_column(episode) for episode in episodes)
    return f'{_STYLE}<div class="mg-replay">{columns}</div>'


def write_replay(path: Path, *episodes: Episode) -> Path:
    """Write the replay as a page that opens anywhere, to a temporary name first."""
    from env_lib.runs import write_text

    title = escape(
        " and ".join(e.policy for e in episodes) + f" on {episodes[0].duty}" if episodes else ""
    )
    write_text(
        path,
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title></head>\n<body>{replay_html(*episodes)}</body></html>\n",
    )
    return path


def _column(episode: Episode) -> str:
    steps, where = (
        len(episode.steps),
        f"{episode.duty} {episode.scenario}, {episode.split}, seed {episode.seed}",
    )
    total = episode.total_reward
    ended = f"{where}: {steps} steps, {episode.stop_reason}, return"
    head = f"<h3>{escape(episode.policy)}</h3><p>{escape(ended)} {_signed(total)}</p>"
    body = "".join(_step(number, step) for number, step in enumerate(episode.steps, start=1))
    metrics = "".join(
        f'<tr><td>{escape(name)}</td><td class="v">{value:.2f}</td></tr>'
        for name, value in episode.metrics.items()
    )
    held = (
        f"<details><summary>held-out metrics</summary><table>{metrics}</table></details>"
        if metrics
        else ""
    )
    return f"<section>{head}{_bars(episode.components)}{held}{body}</section>"


def _step(number: int, step: Step) -> str:
    kind = step.action["action_type"]
    said = {
        name: value for name, value in step.action.items() if name not in ("action_type", "error")
    }
    told = ", ".join(f"{name}={_short(value)}" for name, value in said.items())
    sure = "" if step.confidence is None else f" ({step.confidence:.0%} sure)"
    answer = f"<pre>{escape(step.text[:MAX_PROMPT])}</pre>" if step.text else ""
    wrong = f"<pre>{escape(str(step.action['error']))}</pre>" if step.action.get("error") else ""
    shown = escape(f"{kind}({told}){sure}")
    return (
        f'<details><summary><span class="n">{number}</span><span class="a">{shown}</span>'
        f"{_signed(step.reward)}</summary><pre>{escape(step.prompt[:MAX_PROMPT])}</pre>{answer}{wrong}"
        f"{_bars(step.components)}</details>"
    )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _signed(value: float) -> str:
    sign = "pos" if value >= 0 else "neg"
    return f'<b class="{sign}">{value:+.2f}</b>'


def _bars(components: dict[str, float]) -> str:
    """One row a component that paid; its bar goes right for earnings, left for costs."""
    paid = {name: value for name, value in components.items() if value}
    widest = max((abs(value) for value in paid.values()), default=1.0)
    rows = []
    for name, value in paid.items():
        width = max(1, round(80 * abs(value) / widest))
        left, colour = (80, _POSITIVE) if value > 0 else (80 - width, _NEGATIVE)
        bar = f'<i style="left:{left}px;width:{width}px;background:{colour}"></i><u></u>'
        rows.append(
            f'<tr><td>{escape(name)}</td><td><span class="b">{bar}</span></td>'
            f'<td class="v">{value:+.2f}</td></tr>'
        )
    return f"<table>{''.join(rows)}</table>" if rows else ""
