"""Signatures as a script meets them."""

from env_lib.envs.drift.records import Change, Overlay
from env_lib.envs.drift.signature import signature

SORT = "pandas.DataFrame.sort_values"


def test_it_is_the_installed_one_in_a_line():
    shown = signature(SORT)
    assert shown.startswith(f"{SORT}(self, by, *, axis=0, ascending=True,")
    assert "\n" not in shown


def test_an_overlay_is_seen_through():
    overlay = Overlay((
        Change("rename_kwarg", SORT, "ascending", "upwards"),
        Change("remove_kwarg", SORT, "key"),
        Change("change_default", SORT, "kind", "'heapsort'"),
        Change("rename_kwarg", "sklearn.linear_model.Ridge", "alpha", "strength"),
    ))  # fmt: skip
    shown = signature(SORT, overlay)
    assert "upwards=True" in shown
    assert "kind='heapsort'" in shown
    assert "ascending" not in shown
    assert "key" not in shown
    assert signature("sklearn.linear_model.Ridge", overlay).startswith(
        "sklearn.linear_model.Ridge(strength=1.0, *, fit_intercept=True"
    )


def test_a_long_one_keeps_what_is_nearest_to_a_word():
    shown = signature("pandas.read_csv", wanted="separator", budget=80)
    assert len(shown) <= 80
    assert "sep=" in shown
    assert shown.endswith("…)")


def test_of_a_missing_name_the_nearest_ones_are_told():
    renamed = Overlay((Change("rename_symbol", "pandas.concat", "concat", "concat_frames"),))
    shown = signature("pandas.concat", renamed)
    assert shown.startswith("pandas has no concat; nearest: concat_frames,")
    assert signature("pandas.DataFrame.grupby").startswith(
        "pandas.DataFrame has no grupby; nearest: groupby,"
    )
    assert signature("nolib.thing") == "what is installed has no nolib"


def test_of_a_module_the_nearest_members_are_told():
    shown = signature("sklearn.metrics", wanted="accuracy")
    assert shown.startswith("sklearn.metrics has: accuracy_score,")
