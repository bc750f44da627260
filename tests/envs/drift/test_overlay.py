"""Overlays: a script meets the drift, its library does not, and nothing is left behind."""

import pytest

from env_lib.envs.drift.overlays import why_invalid
from env_lib.envs.drift.records import Change, Overlay
from env_lib.envs.drift.runner import NONE, run

PANDAS = "import numpy as np\nimport pandas as pd\n"
FRAME = "pd.DataFrame({'a': [1, 2]})"


def script(text, head=PANDAS):
    return f"{head}\ndef main(inputs):\n" + "".join(f"    {line}\n" for line in text.splitlines())


CASES = {
    "rename a method": (
        Change("rename_symbol", "pandas.DataFrame.nlargest", "nlargest", "top_rows"),
        f"return {FRAME}.nlargest(1, 'a')['a'].tolist()",
        f"return {FRAME}.top_rows(1, 'a')['a'].tolist()",
        "AttributeError",
    ),
    "rename a function": (
        Change("rename_symbol", "pandas.concat", "concat", "stack_all"),
        "return pd.concat([pd.Series([1])]).tolist()",
        "return pd.stack_all([pd.Series([1])]).tolist()",
        "AttributeError",
    ),
    "remove": (
        Change("remove_symbol", "pandas.DataFrame.nlargest"),
        f"return {FRAME}.nlargest(1, 'a')['a'].tolist()",
        f"return {FRAME}.sort_values('a')['a'].tolist()[-1:]",
        "AttributeError",
    ),
    "move": (
        Change("move_symbol", "sklearn.metrics.f1_score", "f1_score", "sklearn.metrics.scores"),
        "from sklearn.metrics import f1_score\nreturn f1_score([1], [1])",
        "from sklearn.metrics.scores import f1_score\nreturn f1_score([1], [1])",
        "ImportError",
    ),
    "rename a keyword": (
        Change("rename_kwarg", "pandas.DataFrame.sort_values", "ascending", "upwards"),
        f"return {FRAME}.sort_values('a', ascending=False)['a'].tolist()",
        f"return {FRAME}.sort_values('a', upwards=False)['a'].tolist()",
        "TypeError",
    ),
    "rename a keyword of an estimator": (
        Change("rename_kwarg", "sklearn.linear_model.Ridge", "alpha", "strength"),
        "from sklearn.linear_model import Ridge\n"
        "return round(float(Ridge(alpha=2.0).fit([[0], [1]], [0, 1]).coef_[0]), 3)",
        "from sklearn.linear_model import Ridge\n"
        "return round(float(Ridge(strength=2.0).fit([[0], [1]], [0, 1]).coef_[0]), 3)",
        "TypeError",
    ),
    "remove a keyword": (
        Change("remove_kwarg", "pandas.DataFrame.sort_values", "kind", "'quicksort'"),
        f"return {FRAME}.sort_values('a', kind='quicksort')['a'].tolist()",
        f"return {FRAME}.sort_values('a')['a'].tolist()",
        "TypeError",
    ),
    "make a place a keyword": (
        Change("rename_kwarg", "pandas.DataFrame.head", "0", "n"),
        f"return len({FRAME}.head(1))",
        f"return len({FRAME}.head(n=1))",
        "TypeError",
    ),
    "reorder": (
        Change("rename_kwarg", "numpy.clip", "1,2", "a_min,a_max"),
        "return np.clip([0, 5], 1, 2).tolist()",
        "return np.clip([0, 5], a_min=1, a_max=2).tolist()",
        "",
    ),
    "change a default": (
        Change("change_default", "pandas.DataFrame.sort_values", "ascending", "False"),
        f"return {FRAME}.sort_values('a')['a'].tolist()",
        f"return {FRAME}.sort_values('a', ascending=True)['a'].tolist()",
        "",
    ),
    "return a tuple": (
        Change("change_return", "numpy.cumsum", "", "[0]"),
        "return np.cumsum([1, 2]).tolist()",
        "return np.cumsum([1, 2])[0].tolist()",
        "AttributeError",
    ),
    "return an object": (
        Change("change_return", "pandas.DataFrame.sum", "", ".totals"),
        f"return {FRAME}.sum().tolist()",
        f"return {FRAME}.sum().totals.tolist()",
        "AttributeError",
    ),
    "return what was inside": (
        Change("change_return", "numpy.unique_counts", "", "-.counts"),
        "return np.unique_counts([1, 1]).counts.tolist()",
        "return np.unique_counts([1, 1]).tolist()",
        "AttributeError",
    ),
    "rename a column": (
        Change("rename_column", "sklearn.datasets.load_iris", "target", "labels"),
        "from sklearn.datasets import load_iris\nreturn int(load_iris()['target'].sum())",
        "from sklearn.datasets import load_iris\nreturn int(load_iris()['labels'].sum())",
        "KeyError",
    ),
    "rename a method of pydantic": (
        Change("rename_symbol", "pydantic.BaseModel.model_dump", "model_dump", "to_plain"),
        "class Row(pydantic.BaseModel):\n    a: int\nreturn Row(a=1).model_dump()",
        "class Row(pydantic.BaseModel):\n    a: int\nreturn Row(a=1).to_plain()",
        "AttributeError",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_kind_breaks_the_old_form_and_runs_the_new_one(name):
    change, old, new, error = CASES[name]
    head = f"{PANDAS}import pydantic\n" if "pydantic" in old else PANDAS
    overlay = Overlay((change,))
    healthy, mended = script(old, head), script(new, head)
    assert why_invalid(healthy, mended, [0], overlay) == ""
    broken = run(healthy, [0], overlay)
    assert broken.error_type == error
    assert "<" not in broken.traceback_end.partition("File")[2]


def test_an_overlay_leaves_nothing_behind():
    change, old, _, _ = CASES["rename a function"]
    healthy = script(old)
    assert not run(healthy, [0], Overlay((change,))).ok
    assert run(healthy, [1], NONE).values == ([1],)


def test_a_renamed_function_is_met_under_its_old_name_nowhere():
    change = Change("rename_symbol", "pandas.concat", "concat", "stack_all")
    for line in ("from pandas import concat", "from pandas.core.reshape.concat import concat",
                 "from pandas.core.reshape.api import concat"):  # fmt: skip
        assert run(script(f"{line}\nreturn 1"), [0], Overlay((change,))).error_type == "ImportError"


def test_a_library_goes_on_with_its_own_names():
    change = Change("rename_kwarg", "pandas.DataFrame.sort_values", "ascending", "upwards")
    text = f"return {FRAME}.value_counts('a', ascending=True).tolist()"
    assert run(script(text), [0], Overlay((change,))).values == ([1, 1],)


def test_a_library_calls_what_a_subclass_defines_under_the_new_name():
    text = (
        "class Own(json.JSONEncoder):\n    pass\n"
        "class Steps(BaseEstimator, TransformerMixin):\n"
        "    def learn(self, X, y=None):\n        return self\n"
        "    def transform(self, X):\n        return X\n"
        "return Steps().fit_transform([[1]])"
    )
    head = "import json\nfrom sklearn.base import BaseEstimator, TransformerMixin\n"
    change = Change("rename_symbol", "sklearn.base.TransformerMixin.fit_transform",
                    "fit_transform", "learn_both")  # fmt: skip
    report = run(script(text, head), [0], Overlay((change,)))
    assert report.error_type == "AttributeError"
    mended = text.replace("fit_transform", "learn_both").replace("learn(", "fit(")
    assert run(script(mended, head), [0], Overlay((change,))).values == ([[1]],)


def test_changes_of_one_callable_add_up():
    target = "pandas.DataFrame.sort_values"
    overlay = Overlay((
        Change("rename_kwarg", target, "ascending", "upwards"),
        Change("change_default", target, "upwards", "False"),
    ))  # fmt: skip
    text = f"return [{FRAME}.sort_values('a', upwards=u)['a'].tolist() for u in (True, False)]"
    assert run(script(text), [0], overlay).values == ([[1, 2], [2, 1]],)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("rename_symbol", "numpy.ndarray.sum", "sum", "total"), "immutable"),
        (Change("rename_symbol", "pandas.nothing", "nothing", "more"), "does not exist"),
        (Change("rename_symbol", "pandas.concat", "concat", "merge"), "is there already"),
        (Change("rename_kwarg", "pandas.DataFrame.head", "m", "k"), "no keyword 'm'"),
        (Change("remove_kwarg", "pandas.DataFrame.sort_values", "by"), "needs by"),
        (Change("change_default", "pandas.DataFrame.head", "n", "len"), "no plain value"),
        (Change("change_return", "numpy.cumsum", "", "!"), "no accessor"),
        (Change("melt", "pandas.concat"), "unknown breakage"),
    ],
    ids=lambda value: value.primitive if isinstance(value, Change) else "",
)
def test_what_cannot_be_made_is_told(change, said):
    report = run(script("return 1"), [0], Overlay((change,)))
    assert (report.ok, report.error_type) == (False, "overlay")
    assert said in report.message


def test_an_overlay_that_makes_no_task_is_rejected():
    change, old, new, _ = CASES["rename a function"]
    overlay = Overlay((change,))
    assert why_invalid(script("return 1"), script("return 1"), [0], overlay) == (
        "the overlay breaks nothing"
    )
    assert why_invalid(script(old), script(old), [0], overlay)
    other = script(new.replace("[1]", "[2]"))
    assert why_invalid(script(old), other, [0], overlay) == "the mended script returns other values"
