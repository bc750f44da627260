import posixpath

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import normalize_path

PARTS = st.lists(st.sampled_from(["a", "b", ".", "..", "", "c."]), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PARTS)
def test_path_equals_that_of_the_library(parts):
    path = "/".join(parts)
    assert normalize_path(path) == posixpath.normpath("/" + path.lstrip("/"))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PARTS)
def test_a_normal_path_stays(parts):
    path = normalize_path("/".join(parts))
    assert normalize_path(path) == path


def test_empty_path():
    assert normalize_path("") == "/"


def test_up_and_down_again():
    assert normalize_path("a/../../b") == "/b"
