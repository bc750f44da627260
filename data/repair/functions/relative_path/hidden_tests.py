import posixpath

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import relative_path

FOLDERS = st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map("/".join)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(FOLDERS, FOLDERS)
def test_way_equals_that_of_the_library(source, target):
    assert relative_path(source, target) == posixpath.relpath("/" + target, "/" + source)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(FOLDERS, FOLDERS)
def test_following_the_way_arrives(source, target):
    way = relative_path(source, target)
    assert posixpath.normpath(f"{source}/{way}") == target


def test_nothing_shared():
    assert relative_path("a/b", "c") == "../../c"


def test_a_shared_name_below_another_folder():
    assert relative_path("x/b", "y/b") == "../../y/b"
