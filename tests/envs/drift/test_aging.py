import pytest

from env_lib.envs.drift import aging, recover, rows
from env_lib.envs.drift.breakages import breakages
from env_lib.envs.drift.making import broken_by
from env_lib.envs.drift.primitives import apply
from env_lib.envs.drift.records import Change, Script
from env_lib.envs.drift.runner import run
from env_lib.envs.drift.undoing import undone
from env_lib.envs.drift.widening import widened

ROWS = breakages()
HEALTHY = '''"""Area and range."""

import numpy as np


def main(inputs):
    values = np.asarray(inputs["values"])
    return {"area": float(np.trapezoid(values)), "range": int(np.ptp(values))}
'''
SCRIPT = Script("made", "numpy", ("numpy",), HEALTHY, ({"values": [1, 2]},) * 3)


def forms(name, script=SCRIPT):
    return list(aging.aged(script, ROWS[name]))


def test_an_aged_script_fails_for_real_and_its_repairs_lead_back():
    (aged,) = forms("np-trapz")
    report = run(aged.source, SCRIPT.inputs[:1])
    assert (report.ok, report.error_type) == (False, "AttributeError")
    assert "trapz" in report.message
    assert broken_by(ROWS["np-trapz"], aged.source, SCRIPT.inputs, HEALTHY)
    assert not broken_by(ROWS["np-trapz"], HEALTHY, SCRIPT.inputs, HEALTHY)
    (repair,) = aged.repairs
    assert apply(aged.source, repair) == HEALTHY


def test_what_is_the_snippets_own_becomes_a_hole_and_the_repair_says_the_scripts_words():
    (aged,) = forms("np-ptp-method")
    assert "values.ptp()" in aged.source
    assert aged.repairs == (Change("replace_symbol", "", "values.ptp()", "np.ptp(values)"),)


def test_a_script_that_does_not_use_what_changed_is_not_aged():
    assert forms("np-product") == []
    assert forms("pd-applymap") == []


@pytest.mark.parametrize(
    ("old", "new", "own", "pattern"),
    [
        ("c.collections", "c.get_paths()", {"c"}, ("$p.collections", "$p.get_paths()")),
        ("flat(g(1))", "g(1).flat()", set(), ("flat($p)", "$p.flat()")),
    ],
    ids=["own name", "common part"],
)
def test_a_change_is_widened_by_holes(old, new, own, pattern):
    assert pattern in widened(old, new, frozenset(own))


PAIRS = {
    "rename_kwarg": ("f(a=1, b=2)", "f(c=1, b=2)"),
    "drop_kwarg": ("f(a=1, b=2)", "f(b=2)"),
    "set_kwarg": ("f(b=2)", "f(b=2, a=1)"),
    "rename_symbol": ("import m\nm.old(1)", "import m\nm.new(1)"),
    "change_import": ("from m import x\nx(1)", "from m.n import x\nx(1)"),
    "rename_column": ("d['old']", "d['new']"),
    "unwrap_return": ("y = f(1)", "y = f(1)[0]"),
    "replace_symbol": ("y = g(2) + f(1)", "y = g(2) + h(1, 3)"),
}


@pytest.mark.parametrize("primitive", PAIRS)
def test_each_primitive_is_found_from_two_forms(primitive):
    old, new = PAIRS[primitive]
    (found,) = recover.repairs(old, new)
    assert found.primitive == primitive
    assert recover.arrived(apply(old, found), new)


def test_two_changes_are_found_and_far_ones_are_not():
    found = recover.repairs("f(a=1)\ng(x=2)", "f(b=1)\ng()")
    assert {change.primitive for change in found} == {"rename_kwarg", "drop_kwarg"}
    assert recover.repairs("x = 1", "for i in y:\n    z(i)") is None


def test_an_import_may_be_left_over_only_where_nothing_uses_it():
    assert recover.arrived("import a\nimport b\nb.f()", "import b\nb.f()")
    assert not recover.arrived("import b\nb.f()", "import a\nimport b\nb.f()")
    assert not recover.arrived("import a\nimport b\na.f()", "import b\nb.f()")


@pytest.mark.parametrize(
    ("source", "change"),
    [
        ("f(a=1, b=g(2))", Change("drop_kwarg", "", "f.b", "")),
        ("f(a=1)", Change("set_kwarg", "", "f.c", "3")),
        ("f(a=1)", Change("rename_kwarg", "", "f.a", "z")),
        ("f(x)['k']", Change("unwrap_return", "", "f", "-['k']")),
        ("import m\nm.a(1)", Change("rename_symbol", "", "a", "b")),
    ],
    ids=lambda value: getattr(value, "primitive", ""),
)
def test_a_change_is_undone_by_what_it_tells(source, change):
    made = apply(source, change)
    for repair in undone(source, change):
        made = apply(made, repair)
    assert recover.shape(made) == recover.shape(source)


def test_a_row_becomes_a_script_whose_value_is_an_input():
    old, new, inputs, text = next(iter(rows.forms(ROWS["np-product"])))
    assert "np.product(inputs['value'])" in old
    assert "np.prod(inputs['value'])" in new
    assert text == "[2, 3]"
    assert [one["value"] for one in inputs] == [[2, 3], [3, 4], [3, 2, 2]]
    assert run(new, inputs).values == (6, 12, 12)


@pytest.mark.parametrize("name", ["tf-evaluation-strategy", "trl-sft-tokenizer"])
def test_a_row_that_needs_the_fixtures_is_no_script_of_its_own(name):
    needs = [row for row in ROWS.values() if row.needs_tiny]
    assert ROWS[name] in needs or list(rows.forms(ROWS[name]))
    assert all(not list(rows.forms(row)) for row in needs)
