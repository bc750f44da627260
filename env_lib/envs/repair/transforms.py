"""The syntax-tree transformations that an agent may apply; formatting and comments survive.

A transformation is named by an id and a line: `increment_constant` on line 7. Ids with variants
carry them after a colon (`use_other_variable:total`, `add_none_guard:title:empty_string`), and the
second place of the same id on a line is `flip_boolean#2`. Line numbers count from 1; a guard is
named by the line of the statement that it goes before. LibCST is loaded by the first call.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from env_lib.envs.repair.transforms_catalog import REGISTRY, Transform, entry_of

__all__ = ["REGISTRY", "Offer", "Transform", "TransformError", "apply", "entry_of", "offers"]

NAMED_AT_MOST = 8
"""Places that an error message lists."""


class Offer(NamedTuple):
    """A transformation and a line on which it applies."""

    transform_id: str
    """Registry name, with variants after colons, and `#2` for the second place on the line."""
    line: int
    """Counted from 1."""


class TransformError(ValueError):
    """A transformation that cannot be applied there; says what would have been right."""


def offers(source: str) -> list[Offer]:
    """Every transformation that applies somewhere in a source, by line, column and name.

    Empty for a source that is no Python (or is too large or too deep to be read).
    """
    from env_lib.envs.repair.transforms_survey import Unreadable

    try:
        return list(_offers(source))
    except Unreadable:
        return []


@lru_cache(maxsize=20_000)
def apply(source: str, transform_id: str, line: int) -> str:
    """Applies one of the `offers`.

    Raises:
        TransformError: unknown id; known id that does not apply on that line; unreadable source.
    """
    from env_lib.envs.repair.transforms_survey import Unreadable, survey

    entry = entry_of(transform_id)
    if entry is None or not entry.offered:
        raise TransformError(_unknown(transform_id))
    try:
        found = survey(source)
    except Unreadable as error:
        raise TransformError(f"{transform_id} needs Python to work on: {error}") from error
    for site in found.sites:
        if (site.transform_id, site.line) == (transform_id, line):
            changed = found.write(site)
            if changed is None:
                raise TransformError(
                    f"{transform_id} does not fit the spacing of line {line}: use replace"
                )
            return changed
    raise TransformError(_elsewhere(_offers(source), entry, transform_id, line))


@lru_cache(maxsize=20_000)
def _offers(source: str) -> tuple[Offer, ...]:
    from env_lib.envs.repair.transforms_survey import survey

    return tuple(
        Offer(site.transform_id, site.line) for site in survey(source).sites if site.entry.offered
    )


def _unknown(transform_id: str) -> str:
    known = [name for name, entry in REGISTRY.items() if entry.offered]
    near = difflib.get_close_matches(transform_id, known, n=3)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    return f"unknown transformation {transform_id!r}{hint}; known: {', '.join(known)}"


def _elsewhere(known: tuple[Offer, ...], entry: Transform, transform_id: str, line: int) -> str:
    """Where the id, else its registry name, else anything on the line, would apply."""
    same = [offer.line for offer in known if offer.transform_id == transform_id]
    kin = [offer for offer in known if entry_of(offer.transform_id) == entry]
    problem = f"{transform_id} does not apply on line {line}"
    if same:
        return f"{problem}; it applies on line {_some(map(str, same))}"
    if kin:
        return (
            f"{problem}; there is {_some(f'{offer.transform_id} on {offer.line}' for offer in kin)}"
        )
    here = [offer.transform_id for offer in known if offer.line == line]
    return f"{problem} nor on any other; on line {line}: {_some(here) or 'nothing applies'}"


def _some(items: Iterable[str]) -> str:
    listed = list(items)
    more = f" and {len(listed) - NAMED_AT_MOST} more" if len(listed) > NAMED_AT_MOST else ""
    return ", ".join(listed[:NAMED_AT_MOST]) + more
