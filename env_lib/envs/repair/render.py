"""The prompt of a broken program: code, failing tests, menu, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from env_lib.language import count_tokens, cut

if TYPE_CHECKING:
    from env_lib.envs.repair.runner import Report
    from env_lib.envs.repair.transforms import Offer

MESSAGE_TOKENS = 40
"""Room for the first failing test's message."""
LINE_TOKENS = 16
"""Room always kept for the counts and the step."""


def numbered(source: str, budget: int) -> str:
    """Return the code with line numbers, blank and docstring lines left out, within budget."""
    kept: list[str] = []
    left = budget
    for number, line in enumerate(source.splitlines(), 1):
        text = line.rstrip()
        docstring = text.lstrip().startswith('"""') and text.endswith('"""')
        if not text or docstring:
            continue
        row = f"{number} {text}"
        left -= count_tokens(row)
        if left < 0:
            kept.append("...")
            break
        kept.append(row)
    return "\n".join(kept)


def task_line(source: str) -> str:
    """Return the first line of the module's docstring: what the function should do."""
    import ast

    try:
        return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    except (SyntaxError, ValueError):
        return ""


def prompt_text(
    *,
    task: str,
    source: str,
    report: Report,
    offers: Sequence[Offer],
    note: str,
    step: int,
    budget_steps: int,
    tokens: int,
) -> str:
    """Render a state within `tokens`; the menu is cut last, the code first after the tests."""
    counts = f"tests: {len(report.passed)} of {report.total} pass; step {step}/{budget_steps}"
    rows = [counts]
    if report.error:
        rows.append(cut(f"{report.error} error: {report.message}", MESSAGE_TOKENS))
    elif report.failed:
        name, message = report.failed[0]
        rows.append(cut(f"{name}: {message}", MESSAGE_TOKENS))
    else:
        rows.append("all visible tests pass: submit")
    if note:
        rows.append(cut(note, LINE_TOKENS))
    menu = [f"{number}: line {offer.line} {_said(offer)}" for number, offer in enumerate(offers)]
    left = tokens - sum(map(count_tokens, rows)) - count_tokens(task)
    asked = sum(map(count_tokens, menu))
    code = numbered(source, max(tokens // 3, left - asked))
    left -= count_tokens(code)
    shown: list[str] = []
    for row in menu:
        left -= count_tokens(row)
        if left < 0:
            break
        shown.append(row)
    return "\n".join(part for part in (task, code, *rows, *shown) if part)


def _said(offer: Offer) -> str:
    return offer.transform_id.replace("_", " ")
