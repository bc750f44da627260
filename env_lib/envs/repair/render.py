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
ALL_TOKENS = 60
"""Room for the messages of all failing tests, which `run_tests` shows in its place."""
ERROR_TOKENS = 24
"""Room for what was wrong with the last action."""
LEAST_MESSAGE = 12
"""Room that is kept for messages before the menu is cut."""


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


def menu_rows(offers: Sequence[Offer]) -> list[str]:
    """Return one line an offer: its number, its place and what it does."""
    return [
        f"{number}: line {offer.line} {offer.transform_id.replace('_', ' ')}"
        for number, offer in enumerate(offers)
    ]


def prompt_text(
    *,
    task: str,
    source: str,
    report: Report,
    offers: Sequence[Offer],
    before: int | None,
    error: str,
    show_all: bool,
    step: int,
    budget_steps: int,
    tokens: int,
) -> str:
    """Render a state within `tokens`: code and menu whole where they fit, then the messages.

    Where they do not fit, the end of the menu is left out, then the end of the code, of which a
    third of the budget is always shown. `before` is that of the observation. `error` is of the last
    action; `show_all` tells every failing test and not the first alone.
    """
    counts = f"{_counts(report, before)}; step {step}/{budget_steps}"
    left = tokens - count_tokens(counts) - count_tokens(task)
    code = numbered(source, max(tokens // 3, left - LEAST_MESSAGE))
    left -= count_tokens(code)
    menu, left = _fitting(menu_rows(offers), left, LEAST_MESSAGE)
    said = []
    for text, most in ((f"error: {error}" if error else "", ERROR_TOKENS), _told(report, show_all)):
        said.append(cut(text, min(most, left)) if text else "")
        left -= count_tokens(said[-1]) if said[-1] else 0
    return "\n".join(part for part in (task, code, *reversed(said), *menu, counts) if part)


def _counts(report: Report, before: int | None) -> str:
    """Return the last line: what passes, and what the last edit gained."""
    passing = f"tests: {len(report.passed)} of {report.total} pass"
    if before is None:
        return passing
    return f"{passing}; last edit gained {max(0, len(report.passed) - before) or 'nothing'}"


def _fitting(rows: Sequence[str], left: int, kept: int) -> tuple[list[str], int]:
    """Return the first rows that leave `kept` tokens, and what is left."""
    shown: list[str] = []
    for row in rows:
        if left - count_tokens(row) < kept:
            break
        left -= count_tokens(row)
        shown.append(row)
    return shown, left


def _told(report: Report, show_all: bool) -> tuple[str, int]:
    """Return what the tests say, and how many tokens it may have."""
    if report.error:
        return f"{report.error} error: {report.message}", MESSAGE_TOKENS
    if not report.failed:
        return "all visible tests pass: submit", MESSAGE_TOKENS
    rows = [f"{name}: {message}" for name, message in report.failed]
    return ("; ".join(rows), ALL_TOKENS) if show_all else (rows[0], MESSAGE_TOKENS)
