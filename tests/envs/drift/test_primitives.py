"""Each primitive edits what it means and nothing else, and says what it missed."""

import pytest

from env_lib.envs.drift.primitives import (
    BREAKAGES,
    REPAIR_OF,
    PrimitiveError,
    age,
    apply,
    inverse,
)
from env_lib.envs.drift.records import Change

CASES = {
    "rename_symbol: attribute": ("rename_symbol", "infty", "inf", "x = np.infty\n", "x = np.inf\n"),
    "rename_symbol: dotted": (
        "rename_symbol", "np.infty", "np.a.inf", "x = np.infty, z.infty\n",
        "x = np.a.inf, z.infty\n",
    ),
    "rename_symbol: import and uses": (
        "rename_symbol", "Old", "New", "from trl import Old\nOld(1)\n",
        "from trl import New\nNew(1)\n",
    ),
    "rename_symbol: alias stays": (
        "rename_symbol", "Old", "New", "from trl import Old as T\nT(1)\n",
        "from trl import New as T\nT(1)\n",
    ),
    "rename_symbol: own names, texts and keywords stay": (
        "rename_symbol", "Old", "New",
        "from trl import Old\ndef f(Old):\n    return Old\ng('Old', Old=1)  # Old\n",
        "from trl import New\ndef f(Old):\n    return Old\ng('Old', Old=1)  # Old\n",
    ),
    "rename_symbol: overriding method": (
        "rename_symbol", "log", "note", "class T(Trainer):\n    def log(self): pass\n",
        "class T(Trainer):\n    def note(self): pass\n",
    ),
    "replace_symbol: holes": (
        "replace_symbol", "$a.append($b)", "pd.concat([$a, $b])", "s.append(x + 1)\n",
        "pd.concat([s, x + 1])\n",
    ),
    "replace_symbol: rest": (
        "replace_symbol", "pd.count($args)", "len($args)", "pd.count(s, n=1)\n", "len(s, n=1)\n",
    ),
    "replace_symbol: parentheses": (
        "replace_symbol", "pd.count($a)", "$a.count()", "pd.count(s + 1)\n", "(s + 1).count()\n",
    ),
    "replace_symbol: import is taken out": (
        "replace_symbol", "gone", "there", "from a import gone, kept\ngone(kept)\n",
        "from a import kept\nthere(kept)\n",
    ),
    "change_import: one of several": (
        "change_import", "B", "a.new", "from a import A, B\nB()\n",
        "from a import A\nfrom a.new import B\nB()\n",
    ),
    "change_import: in brackets": (
        "change_import", "a.B", "a.new", "from a import (\n    A,\n    B,\n)\n",
        "from a import (\n    A)\nfrom a.new import B\n",
    ),
    "change_import: module": (
        "change_import", "a.old", "a.new", "from a.old import A, B\n", "from a.new import A, B\n",
    ),
    "change_import: below an alias": (
        "change_import", "AxisError", "numpy.exceptions", "import numpy as np\nnp.AxisError\n",
        "import numpy as np\nnp.exceptions.AxisError\n",
    ),
    "rename_kwarg: everywhere": (
        "rename_kwarg", "a", "b", "f(a=1, c=a)\ng(2, a=3)\n", "f(b=1, c=a)\ng(2, b=3)\n",
    ),
    "rename_kwarg: one call": (
        "rename_kwarg", "f.a", "b", "f(a=1)\nx.f(a=2)\ng(a=3)\n", "f(b=1)\nx.f(b=2)\ng(a=3)\n",
    ),
    "rename_kwarg: places": (
        "rename_kwarg", "f.0,1", "x,y", "f(1, 2)\nf(3, 4, z=5)\ng(6, 7)\n",
        "f(x=1, y=2)\nf(x=3, y=4, z=5)\ng(6, 7)\n",
    ),
    "drop_kwarg: last": ("drop_kwarg", "b", "", "f(1, a=2, b=3)\n", "f(1, a=2)\n"),
    "drop_kwarg: only one": ("drop_kwarg", "f.b", "", "f(b=3)\ng(b=3)\n", "f()\ng(b=3)\n"),
    "drop_kwarg: one a line": (
        "drop_kwarg", "b", "", "f(\n    a=2,  # two\n    b=3,\n)\n", "f(\n    a=2,  # two\n)\n",
    ),
    "set_kwarg: value": ("set_kwarg", "f.a", "{1: 2}", "f(0, a=3)\n", "f(0, a={1: 2})\n"),
    "set_kwarg: added": ("set_kwarg", "f.a", "None", "f()\nf(0)\n", "f(a=None)\nf(0, a=None)\n"),
    "set_kwarg: one a line": (
        "set_kwarg", "f.b", "3", "f(\n    0,\n    a=2,  # two\n)\n",
        "f(\n    0,\n    a=2,  # two\n    b=3,\n)\n",
    ),
    "unwrap_return: attribute": ("unwrap_return", "f", ".x", "f(1)\nx.f\n", "f(1).x\nx.f\n"),
    "unwrap_return: item": (
        "unwrap_return", "t.f", "['a']", "len(t.f(1))\nu.f(1)\n", "len(t.f(1)['a'])\nu.f(1)\n",
    ),
    "unwrap_return: around an expression": (
        "unwrap_return", "d['t']", "list", "d['t'] + d['u']\n", "list(d['t']) + d['u']\n",
    ),
    "unwrap_return: off": ("unwrap_return", "f", "-[0]", "f(1)[0]\nf(2)\n", "f(1)\nf(2)\n"),
    "rename_column: data, no docstring, no result": (
        "rename_column", "t", "u",
        "def f(d):\n    't'\n    d['t'], g(['t'], t=1)\n    return {'t': d['t']}\n",
        "def f(d):\n    't'\n    d['u'], g(['u'], t=1)\n    return {'t': d['u']}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("primitive", "old", "new", "source", "wanted"), CASES.values(), ids=CASES)
def test_a_repair_edits_what_it_means_and_nothing_else(primitive, old, new, source, wanted):
    assert apply(source, Change(primitive, "", old, new)) == wanted


def test_every_repair_primitive_is_tested():
    assert {case[0] for case in CASES.values()} == set(REPAIR_OF.values())


SCRIPT = """import numpy as np
from trl import Trainer as T, Config
def main(inputs):
    config = Config(steps=1, size=2)
    return T(config).train(np.inf)["loss"]
"""
MISSED = {
    "rename_symbol": ("rename_symbol", "inft", "inf", "no name inft; the script has inf"),
    "replace_symbol": ("replace_symbol", "$a.trains()", "$a", "the script has train"),
    "change_import": ("change_import", "Confi", "a.b", "no import of Confi; the script has Config"),
    "rename_kwarg": ("rename_kwarg", "step", "n", "no keyword step; the script has steps"),
    "drop_kwarg": ("drop_kwarg", "sizes", "", "no keyword sizes; the script has size"),
    "set_kwarg": ("set_kwarg", "Conf.a", "1", "no call of Conf; the script has Config"),
    "unwrap_return": ("unwrap_return", "trai", ".x", "no call of trai; the script has train"),
    "rename_column": ("rename_column", "los", "x", "no text 'los'; the script has loss"),
    "no expression": ("set_kwarg", "Config.a", "1 +", "is no Python expression"),
    "no keyword": ("rename_kwarg", "steps", "a b", "rename_kwarg takes two keywords"),
    "no primitive": ("rename", "a", "b", "unknown primitive 'rename'; known: rename_symbol"),
    "no new": ("rename_kwarg", "steps", "", "needs new"),
    "no hole": ("replace_symbol", "$a.train($args)", "$b", r"new has \$b"),
    "no change": ("rename_kwarg", "steps", "steps", "changes nothing"),
}


@pytest.mark.parametrize(("primitive", "old", "new", "said"), MISSED.values(), ids=MISSED)
def test_what_does_not_match_is_told_with_what_would_have(primitive, old, new, said):
    with pytest.raises(PrimitiveError, match=said):
        apply(SCRIPT, Change(primitive, "", old, new))


def test_what_is_no_python_is_told_with_its_line():
    with pytest.raises(PrimitiveError, match="at line 2"):
        apply("x = 1\ny = (\n", Change("rename_kwarg", "", "a", "b"))


HEALTHY = """from lib import Call, other
def main(inputs):
    rows = Call(new=inputs["text"], kept=1)
    return other(rows).value + rows.new_method()
"""
BROKEN = {
    "rename_symbol": (
        Change("rename_symbol", "lib.Call", "Old", "Call"),
        HEALTHY.replace("Call", "Old"),
    ),
    "remove_symbol": (
        Change("remove_symbol", "", "$a.old_method()", "$a.new_method()"),
        HEALTHY.replace("new_method", "old_method"),
    ),
    "move_symbol": (
        Change("move_symbol", "old_lib.other", "other", "lib"),
        HEALTHY.replace("import Call, other", "import Call\nfrom old_lib import other"),
    ),
    "rename_kwarg": (
        Change("rename_kwarg", "lib.Call", "old", "new"),
        HEALTHY.replace("new=", "old="),
    ),
    "remove_kwarg": (
        Change("remove_kwarg", "lib.Call", "gone", "3"),
        HEALTHY.replace("kept=1", "kept=1, gone=3"),
    ),
    "change_default": (
        Change("change_default", "lib.Call", "kept", "2"),
        HEALTHY.replace(", kept=1", ""),
    ),
    "change_return": (
        Change("change_return", "lib.other", "", ".value"),
        HEALTHY.replace(".value", ""),
    ),
    "rename_column": (
        Change("rename_column", "", "line", "text"),
        HEALTHY.replace('"text"', '"line"'),
    ),
}


@pytest.mark.parametrize(("breakage", "aged"), BROKEN.values(), ids=BROKEN)
def test_a_breakage_ages_a_script_and_its_inverse_mends_it(breakage, aged):
    assert age(HEALTHY, breakage) == aged
    repair = inverse(breakage, was="1")
    assert repair.primitive == REPAIR_OF[breakage.primitive]
    mended = apply(aged, repair)
    wanted = HEALTHY.replace("import Call, other", "import Call\nfrom lib import other")
    assert mended in (HEALTHY, wanted)


def test_every_breakage_primitive_is_tested_and_has_its_own_repair():
    assert set(BROKEN) == set(BREAKAGES) == set(REPAIR_OF)
    assert len(set(REPAIR_OF.values())) == 8


def test_a_changed_default_is_not_undone_without_the_old_one():
    with pytest.raises(PrimitiveError, match="give `was`"):
        inverse(Change("change_default", "lib.Call", "kept", "2"))
