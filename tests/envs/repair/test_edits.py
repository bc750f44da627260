"""Exact replacements and unified diffs."""

import difflib

import pytest

from env_lib.envs.repair.edits import EditError, patch, replace

SOURCE = "def f(a):\n    b = a + 1\n\n    c = a + 1\n    return b * c\n"


def diff_to(changed, context=3):
    lines = difflib.unified_diff(
        SOURCE.splitlines(keepends=True), changed.splitlines(keepends=True), "a", "b", n=context
    )
    return "".join(lines)


def test_a_text_that_stands_once_is_replaced():
    assert replace(SOURCE, "b * c", "b - c") == SOURCE.replace("b * c", "b - c")


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("a + 1", "matches 2 times (from line 2, 4)"),
        ("return b*c", "matches 0 times; the nearest is line 5: '    return b * c'"),
        ("", "is empty"),
    ],
    ids=["twice", "never", "empty"],
)
def test_a_text_that_does_not_stand_once_is_counted(search, said):
    with pytest.raises(EditError) as error:
        replace(SOURCE, search, "x")
    assert said in str(error.value)


def test_overlapping_matches_count_apart():
    with pytest.raises(EditError, match="matches 2 times"):
        replace("x = aaa\n", "aa", "b")


@pytest.mark.parametrize("context", [0, 1, 3])
@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("b * c", "b - c"),
        SOURCE.replace("    c = a + 1\n", ""),
        SOURCE.replace("\n\n", "\n    if b:\n        return 0\n"),
        SOURCE.replace("f(a)", "f(a, d)").replace("b * c", "d"),
        "# first\n" + SOURCE + "# last\n",
        "",
    ],
    ids=["line", "removed", "added", "two hunks", "ends", "all gone"],
)
def test_a_diff_made_by_difflib_gives_the_changed_text(changed, context):
    assert patch(SOURCE, diff_to(changed, context)) == changed


def test_a_diff_needs_no_file_header():
    changed = SOURCE.replace("b * c", "b - c")
    headless = diff_to(changed).split("\n", 2)[2]
    assert headless.startswith("@@")
    assert patch(SOURCE, headless) == changed


def test_a_hunk_with_the_wrong_line_goes_to_the_only_place_it_fits():
    diff = "@@ -1,1 +1,1 @@\n-    return b * c\n+    return b - c\n"
    assert patch(SOURCE, diff) == SOURCE.replace("b * c", "b - c")


def test_a_missing_last_newline_stays_missing():
    diff = "@@ -2 +2 @@\n-    return 1\n+    return 2\n"
    assert patch("def f():\n    return 1", diff) == "def f():\n    return 2"


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        ("no diff at all", "has no hunk"),
        ("@@ -2,1 +2,1 @@\n-    b = a\n+    b = 0\n", "hunk 1 does not apply at line 2"),
        (
            "@@ -1,1 +1,1 @@\n-def f(a):\n+def f(a, b):\n"
            "@@ -5,1 +5,1 @@\n-    return a\n+    pass\n",
            "hunk 2 does not apply at line 5, and its old lines stand nowhere after line 1; "
            "line 5 is '    return b * c', not '    return a'",
        ),
        ("@@ -2,3 +2,1 @@\n-    b = a + 1\n+    b = 0\n", "hunk 1 cannot be read"),
        ("@@ -2,1 +2,1 @@\n-    b = a + 1\n+    b = 0\n+    d = 1\n", "1 old and 2 new ones"),
        ("@@ here @@\n-    b = a + 1\n", "hunk 1 cannot be read"),
        ("@@ -90,0 +91,1 @@\n+x = 1\n", "which should be 0 to 5"),
        (
            "@@ -1,1 +1,1 @@\n-def f(a):\n+def f(b):\n--- a/tests.py\n+++ b/tests.py\n"
            "@@ -1,1 +1,1 @@\n-x\n+y\n",
            "another file after hunk 1",
        ),
    ],
    ids=["none", "old", "second", "short", "long", "header", "beyond", "two files"],
)
def test_a_diff_that_does_not_apply_names_its_hunk(diff, said):
    with pytest.raises(EditError) as error:
        patch(SOURCE, diff)
    assert said in str(error.value)


def test_a_hunk_that_fits_in_several_places_but_the_stated_one_is_refused():
    source = "x = 1\ny = 2\nx = 1\n"
    diff = "@@ -2,1 +2,1 @@\n-x = 1\n+x = 3\n"
    with pytest.raises(EditError, match="2 other places"):
        patch(source, diff)
