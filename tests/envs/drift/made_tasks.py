"""Tasks made by hand: real loud ones, a real silent one, overlays."""

import difflib

from env_lib.envs.drift.records import Change, Overlay, Task

LOUD_HEALTHY = '''"""Sum prices a shop."""

import pandas as pd


def main(inputs):
    frame = pd.DataFrame(inputs)
    total = {}
    for name, column in frame.items():
        total[name] = int(column.sum())
    ranked = frame.sort_values(by="price", ascending=False)
    return {"total": total, "first": int(ranked["price"].iloc[0])}
'''
TWO_HEALTHY = '''"""Mean distance to the origin."""

import numpy as np
import pandas as pd


def main(inputs):
    points = np.array(inputs["points"], dtype=float)
    far = np.inf
    frame = pd.DataFrame({"x": points[:, 0], "y": points[:, 1]})
    frame = frame.map(abs)
    best = min(far, float(frame["x"].min()))
    return {"best": round(best, 3), "mean": round(float(frame["y"].mean()), 3)}
'''
FRAMES = ({"price": [3, 1, 2]}, {"price": [5, 9]}, {"price": [4]})
POINTS = (
    {"points": [[1, 2], [3, 4]]}, {"points": [[-5, 2], [7, 4]]}, {"points": [[0, 0], [3, -8]]},
)  # fmt: skip


def task(name, source, reference, repairs, inputs, expected, *, overlay=(), **more):
    return Task(
        name, name, "pandas", "test", more.pop("kind", "rename_symbol"), more.pop("silent", False),
        source, reference, Overlay(tuple(overlay)), tuple(repairs), (), inputs, expected,
        more.pop("tier", "D1"),
    )  # fmt: skip


LOUD = task(
    "loud",
    LOUD_HEALTHY.replace("frame.items()", "frame.iteritems()"),
    LOUD_HEALTHY,
    [Change("rename_symbol", "", "iteritems", "items")],
    FRAMES,
    (
        {"total": {"price": 6}, "first": 3},
        {"total": {"price": 14}, "first": 9},
        {"total": {"price": 4}, "first": 4},
    ),
)
TWO = task(
    "two",
    TWO_HEALTHY.replace("np.inf", "np.infty").replace("frame.map(", "frame.applymap("),
    TWO_HEALTHY,
    [Change("rename_symbol", "", "applymap", "map"), Change("rename_symbol", "", "infty", "inf")],
    POINTS,
    ({"best": 1.0, "mean": 3.0}, {"best": 5.0, "mean": 3.0}, {"best": 0.0, "mean": 4.0}),
    tier="D2",
)
SILENT_HEALTHY = '''"""Mean of each group."""

import pandas as pd


def main(inputs):
    frame = pd.DataFrame(inputs)
    groups = frame.groupby("kind", sort=False)["value"].mean()
    return {"kinds": list(groups.index), "means": [float(v) for v in groups]}
'''
SILENT = task(
    "silent",
    SILENT_HEALTHY.replace(", sort=False", ""),
    SILENT_HEALTHY,
    [Change("set_kwarg", "", "groupby.sort", "False")],
    (
        {"kind": ["b", "a"], "value": [1, 2]},
        {"kind": ["c", "a", "c"], "value": [1, 2, 3]},
        {"kind": ["z", "a"], "value": [4, 2]},
    ),
    (
        {"kinds": ["b", "a"], "means": [1.0, 2.0]},
        {"kinds": ["c", "a"], "means": [2.0, 2.0]},
        {"kinds": ["z", "a"], "means": [4.0, 2.0]},
    ),
    silent=True,
    kind="change_default",
    tier="D4",
)
OVERLAY = task(
    "overlay",
    LOUD_HEALTHY,
    LOUD_HEALTHY.replace("ascending=", "rising="),
    [Change("rename_kwarg", "", "ascending", "rising")],
    FRAMES,
    LOUD.expected,
    overlay=[Change("rename_kwarg", "pandas.DataFrame.sort_values", "ascending", "rising")],
    kind="rename_kwarg",
    tier="D3",
)
SWITCH_HEALTHY = '''"""Prices as text."""

import pandas as pd


def main(inputs):
    frame = pd.DataFrame(inputs)
    return {"text": frame.to_csv()}
'''
SWITCH = task(
    "switch",
    SWITCH_HEALTHY,
    SWITCH_HEALTHY.replace("to_csv()", "to_csv(index=True)"),
    [Change("set_kwarg", "", "to_csv.index", "True")],
    FRAMES,
    (
        {"text": ",price\n0,3\n1,1\n2,2\n"},
        {"text": ",price\n0,5\n1,9\n"},
        {"text": ",price\n0,4\n"},
    ),
    overlay=[Change("change_default", "pandas.DataFrame.to_csv", "index", "False")],
    silent=True,
    kind="change_default",
    tier="D4",
)
"""No rule knows this keyword: only trying what a signature shows finds it."""
ALL = {one.id: one for one in (LOUD, TWO, SILENT, OVERLAY)}


def diff_between(source, goal):
    """Return the unified diff that leads from one script to another."""
    lines = difflib.unified_diff(
        source.splitlines(keepends=True), goal.splitlines(keepends=True), "a", "b", n=1
    )
    return "".join(lines)
