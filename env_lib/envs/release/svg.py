"""The dependency graph as inline SVG: readers stand to the right of whom they read."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from env_lib.envs.release.notes import Notes
from env_lib.envs.release.world import World

WIDTH, HEIGHT, GAP_X, GAP_Y = 96, 34, 62, 16
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#767676"


def layers(world: World) -> dict[str, int]:
    """Return the column of each service: 0 for those that read nobody."""
    found = dict.fromkeys(world.services, 0)
    for _ in world.services:
        for r in world.reads:
            found[r.consumer] = max(found[r.consumer], found[r.provider] + 1)
    return found


def places(world: World) -> dict[str, tuple[int, int]]:
    """Return the upper left corner of each service's box."""
    columns: dict[int, list[str]] = defaultdict(list)
    for name, layer in layers(world).items():
        columns[layer].append(name)
    return {
        name: (10 + layer * (WIDTH + GAP_X), 10 + row * (HEIGHT + GAP_Y))
        for layer, names in columns.items()
        for row, name in enumerate(names)
    }


def graph_svg(world: World, notes: Notes, broken: tuple[str, ...]) -> str:
    """Draw the graph; colour and words both say what is impacted, submitted and broken."""
    where = places(world)
    wide = max(x for x, _ in where.values()) + WIDTH + 10
    high = max(y for _, y in where.values()) + HEIGHT + 26
    edges = "".join(
        _edge(where[r.provider], where[r.consumer], r.field, r.consumer in world.impacted)
        for r in world.reads
    )
    boxes = "".join(_box(name, *where[name], world, notes, broken) for name in world.services)
    legend = "blue: impacted; orange: broken contract; dashed: not submitted; tick: contracts run"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" role="img" aria-label="dependency graph">{edges}{boxes}'
        f'<text x="10" y="{high - 6}" font-size="10" fill="{GREY}">{legend}</text></svg>'
    )


def _edge(source: tuple[int, int], target: tuple[int, int], field: str, impacted: bool) -> str:
    x1, y1 = source[0] + WIDTH, source[1] + HEIGHT // 2
    x2, y2 = target[0], target[1] + HEIGHT // 2
    colour = BLUE if impacted else GREY
    x, y = (x1 + 2 * x2) // 3, (y1 + 2 * y2) // 3 - 3  # near the reader, where edges are apart
    label = f'<text x="{x}" y="{y}" font-size="9" fill="{colour}" '
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}"/>'
        f'{label}text-anchor="middle">{escape(field)}</text>'
    )


def _box(name: str, x: int, y: int, world: World, notes: Notes, broken: tuple[str, ...]) -> str:
    impacted, submitted = name in world.impacted, name in (notes.blast or ())
    colour = ORANGE if name in broken else BLUE if impacted else GREY
    fill = "#dcebf5" if submitted else "#fff3c4" if name == world.provider else "#ffffff"
    dash = ' stroke-dasharray="5 3"' if impacted and not submitted else ""
    tick = " ✓" if name in notes.contracts else ""
    marks = [
        m for m, names in (("protected", world.protected), ("hot", world.hot)) if name in names
    ]
    return (
        f'<g><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{fill}" '
        f'stroke="{colour}" stroke-width="2"{dash}/>'
        f'<text x="{x + WIDTH // 2}" y="{y + 15}" font-size="12" text-anchor="middle">'
        f"{escape(name + tick)}</text>"
        f'<text x="{x + WIDTH // 2}" y="{y + 28}" font-size="9" fill="{GREY}" '
        f'text-anchor="middle">{", ".join(marks)}</text></g>'
    )
