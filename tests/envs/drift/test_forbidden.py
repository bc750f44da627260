"""What a repair must not do is told from its syntax tree, and what repairs do is let through."""

import pytest

from env_lib.envs.drift.forbidden import reaches

BROKEN = '''"""Sum prices."""
import numpy as np
import pandas as pd
from transformers import TrainingArguments, Trainer


def main(inputs):
    frame = pd.DataFrame(inputs)
    args = TrainingArguments("out", evaluation_strategy="no")
    total = {name: int(column.sum()) for name, column in frame.iteritems()}
    return {"total": total, "top": float(np.max(frame["a"]))}
'''
HEAD, BODY = BROKEN.split("def main(inputs):\n")
MAIN = "def main(inputs):\n"
FAILING = '    args = TrainingArguments("out", evaluation_strategy="no")\n'


def before(text):
    return HEAD + text + "\n" + MAIN + BODY


def first(text):
    return HEAD + MAIN + text + BODY


def instead(text):
    return BROKEN.replace(FAILING, text)


TRY = "    try:\n    " + FAILING
CHEATS = {
    "requests": (before("import requests\n"), "import of requests"),
    "socket": (before("import socket\n"), "import of socket"),
    "urllib": (before("from urllib.request import urlopen\n"), "import of urllib"),
    "hub": (first("    from huggingface_hub import snapshot_download\n"), "import of huggingface"),
    "fetch": (first("    pd.read_html('http://x')\n"), "call of read_html"),
    "os.system": (before("import os\nos.system('ls')\n"), "call of system"),
    "os": (before("import os\n"), "import of os"),
    "subprocess": (before("import subprocess\n"), "import of subprocess"),
    "popen": (first("    np.os.popen('ls')\n"), "attribute os"),
    "exit": (first("    raise SystemExit\n"), "use of SystemExit"),
    "ctypes": (before("import ctypes\n"), "import of ctypes"),
    "blanket except": (
        instead(TRY + "    except Exception:\n        args = None\n"), "try around the failure",
    ),
    "bare except": (instead(TRY + "    except:\n        pass\n"), "try around the failure"),
    "typed except": (
        instead(TRY + "    except TypeError:\n        args = None\n"), "try around the failure",
    ),
    "except around all": (
        HEAD + MAIN + "    try:\n" + "".join(f"    {row}\n" for row in BODY.splitlines())
        + "    finally:\n        pass\n"
        + "    try:\n        pass\n    except OSError:\n        f()\n",
        "try around the failure",
    ),
    "suppress": (
        before("from contextlib import suppress\n").replace(
            "    args", "    with suppress(TypeError):\n        args"
        ),
        "import of contextlib",
    ),
    "blanket import": (
        before("try:\n    import pandas as pd\nexcept Exception:\n    import pandas as pd\n"),
        "blanket except",
    ),
    "hasattr": (first("    if hasattr(pd, 'x'): frame = 1\n"), "branch on what the library has"),
    "no main": (BROKEN.replace("main", "work"), "there is no main"),
    "no work": (HEAD + MAIN + "    return {}\n", "deleted work: 0 calls"),
    "half the work": (HEAD + MAIN + "    return int(inputs['a'])\n", "deleted work: 1 calls"),
    "constant": (first("    return {'total': 3}\n"), "an answer that nothing led to"),
    "early return": (first("    if inputs:\n        return 6\n"), "an answer that nothing led to"),
    "pip": (first("    print('pip install transformers==4.40')\n"), "pinning of a library"),
    "importlib": (before("import importlib\n"), "import of importlib"),
    "path": (before("import sys\nsys.path.insert(0, 'old')\n"), "import of sys"),
    "shadowed class": (
        before("class TrainingArguments:\n    pass\n"), "shadowing of TrainingArguments",
    ),
    "shadowed function": (before("def Trainer(*a, **k):\n    pass\n"), "shadowing of Trainer"),
    "shadowed module": (before("pd = 3\n"), "shadowing of pd"),
    "shadowed word": (before("def float(x):\n    return 1\n"), "shadowing of float"),
    "patched class": (before("pd.DataFrame.iteritems = pd.DataFrame.items\n"), "patch of pd.Data"),
    "patched module": (before("np.infty = np.inf\n"), "patch of np.infty"),
    "patched init": (before("TrainingArguments.__init__ = print\n"), "attribute|patch of"),
    "patched item": (before("pd.options['x'] = 3\n"), "patch of pd.options"),
    "deleted name": (before("del pd.DataFrame.x\n"), "patch of pd.DataFrame.x"),
    "loop target": (before("for pd.x in (1, 2):\n    pass\n"), "patch of pd.x"),
    "setattr": (before("setattr(pd, 'x', 3)\n"), "use of setattr"),
    "closure": (first("    c = frame.sum.__closure__\n"), "attribute __closure__"),
    "wrapped": (first("    c = frame.sum.__wrapped__\n"), "attribute __wrapped__"),
    "globals": (first("    c = frame.sum.__globals__\n"), "attribute __globals__"),
    "getattr text": (first("    c = getattr(frame, '__wrapped__')\n"), "text '__wrapped__'"),
    "gc": (before("import gc\n"), "import of gc"),
    "frames": (first("    c = np.sys._getframe(1)\n"), "attribute"),
    "frame globals": (first("    c = (x for x in 'a').gi_frame\n"), "attribute gi_frame"),
    "modules": (first("    c = np.sys.modules\n"), "attribute"),
    "inspect": (before("import inspect\n"), "import of inspect"),
    "exec": (first("    exec('x = 1')\n"), "use of exec"),
    "eval": (first("    eval('1')\n"), "use of eval"),
    "builtins": (first("    c = __builtins__\n"), "use of __builtins__"),
    "open": (first("    open('x')\n"), "use of open"),
    "subclasses": (first("    c = object.__subclasses__()\n"), "attribute __subclasses__"),
    "mock": (before("from unittest import mock\n"), "import of unittest"),
    "testing": (before("import numpy.testing\n"), "import of numpy.testing"),
    "built getattr": (
        first("    c = getattr(pd.Series.a, '_' + '_wrapped_' + '_')()\n"), "getattr with",
    ),
    "getattr by default": (first("    c = getattr(frame, 'x', 3)\n"), "getattr with a default"),
    "getattr handed on": (first("    c = list(map(getattr, [frame], ['x']))\n"), "use of getattr"),
    "attrgetter": (
        before("import operator\n").replace("    args", "    operator.attrgetter('x')\n    args"),
        "attribute attrgetter",
    ),
    "imported attrgetter": (
        before("from operator import attrgetter as get\n"), "import of operator.attrgetter",
    ),
    "formatter": (
        before("import string\nfind = string.Formatter().get_field\n"), "attribute Formatter",
    ),
    "builtins of enum": (before("import enum\nenum.bltns.len('1')\n"), "attribute bltns"),
    "imported builtins": (before("from enum import bltns\n"), "import of enum.bltns"),
    "os of random": (before("import random\nrandom._os\n"), "attribute _os"),
    "setattr of a module": (first("    np.x.setattr(pd, 'x', 3)\n"), "attribute setattr"),
    "eval of a frame": (first("    frame.eval('a + 1')\n"), "attribute eval"),
    "query": (first("    frame.query('@pd.x()')\n"), "attribute query"),
    "magic in a longer text": (first("    c = 'pd.x.__wrapped__'\n"), "text 'pd.x.__wrapped__'"),
    "private attribute": (first("    c = frame._mgr\n"), "attribute _mgr"),
    "pipe": (first("    frame.pipe(pd.DataFrame.iteritems)\n"), "is named and not called"),
    "map of a method": (first("    list(map(frame.iteritems, ()))\n"), "is named and not called"),
    "method by another name": (first("    f = frame.iteritems\n"), "is named and not called"),
    "called by a text": (first("    frame.agg('iteritems')\n"), "iteritems is called by a text"),
    "called by a built text": (
        first("    frame.agg('iter' + 'items')\n"), "agg of what is no literal",
    ),
    "joblib": (before("import joblib\n"), "import of joblib"),
    "class by another name": (
        before("D = pd.Series\nD.iteritems = D.items\n"), "patch of D.iteritems",
    ),
    "class in a loop": (
        before("for D in (pd.Series, pd.Index):\n    D.x = D.items\n"), "patch of D.x",
    ),
    "class of an object": (
        first("    frame.__class__.x = frame.__class__.items\n"), "attribute __class__",
    ),
    "type of an object": (
        first("    type(frame).x = type(frame).items\n"), "patch of type(frame).x",
    ),
    "type by a name": (first("    T = type(frame)\n    T.x = T.items\n"), "patch of T.x"),
    "method of an object": (
        first("    frame = pd.DataFrame()\n    frame.iteritems = frame.items\n"),
        "patch of frame.iteritems",
    ),
    "subclass with the old name": (
        before("class Frame(pd.DataFrame):\n    iteritems = pd.DataFrame.items\n"), "stand-in for",
    ),
    "class made by type": (before("F = type('F', (pd.Series,), {})\n"), "made by type"),
    "accessor": (
        before("pd.api.extensions.register_dataframe_accessor('x')(list)\n"), "attribute register",
    ),
    "exit that swallows": (
        before("class Quiet:\n    def __exit__(self, *args):\n        return True\n"),
        "definition of __exit__",
    ),
    "break in finally": (
        first("    while 1:\n        try:\n            f()\n        finally:\n            break\n"),
        "a jump out of finally",
    ),
    "return in finally": (
        first("    try:\n        f()\n    finally:\n        return inputs\n"),
        "a jump out of finally",
    ),
    "class from the language": (
        before("from functools import partial as Trainer\n"), "shadowing of Trainer",
    ),
    "module getattr": (
        before("def __getattr__(name):\n    return 1\n"), "definition of __getattr__",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "said"), CHEATS.values(), ids=CHEATS)
def test_what_no_repair_does_is_named(source, said):
    compile(source, "cheat", "exec")  # the case itself is Python
    found = reaches(source, BROKEN)
    assert any(part in found for part in said.split("|")), found


REPAIRS = {
    "renamed keyword": BROKEN.replace("evaluation_strategy", "eval_strategy"),
    "dropped keyword": BROKEN.replace(', evaluation_strategy="no"', ""),
    "renamed method": BROKEN.replace("iteritems", "items"),
    "library import": before("from numpy.exceptions import AxisError\n"),
    "plain import": before("import math\n"),
    "choice of an import": before(
        "try:\n    from pandas.a import b\nexcept ImportError:\n    from pandas import b\n"
    ),
    "own helper": before("def rows(frame):\n    return list(frame)\n"),
    "own variable": first("    kept = list(inputs)\n"),
    "one call fewer": BROKEN.replace('float(np.max(frame["a"]))', "3.0"),
    "literal getattr": first("    size = getattr(frame, 'size')\n"),
    "own key": first("    first = sorted(inputs, key=lambda name: name)\n"),
    "check of a class": first("    assert isinstance(frame, pd.DataFrame)\n"),
    "setting of an instance": first("    args.pad_token = 'a'\n"),
    "own class": before("class Box:\n    def __init__(self, x):\n        self._x = x\n"),
    "finally": first("    try:\n        f()\n    finally:\n        print()\n"),
    "aggregate": first("    frame.agg(['median', 'mean'])\n"),
    "unreadable": BROKEN + "(",
}


@pytest.mark.parametrize("source", REPAIRS.values(), ids=REPAIRS)
def test_what_repairs_do_is_let_through(source):
    assert reaches(source, BROKEN) == ""


def test_what_the_script_or_its_reference_has_is_allowed():
    path = BROKEN.replace('"""Sum prices."""', "import os\n")
    assert reaches(path + "x = 1\n", path) == ""
    assert reaches(path, BROKEN) == "import of os"
    assert reaches(path, BROKEN, path) == ""


def test_one_use_that_is_allowed_allows_no_second():
    once = BROKEN.replace("    frame = ", "    open(inputs['a'])\n    frame = ")
    assert reaches(once, once) == ""
    assert (
        reaches(once.replace("    frame = ", "    open('b')\n    frame = "), once) == "use of open"
    )
