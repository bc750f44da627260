import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import strip_comment


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("a '#", max_size=8))
def test_line_equals_the_pattern_form(line):
    code = re.match(r"(?:[^'#]|'[^']*'|'[^']*$)*", line)[0]
    assert strip_comment(line) == code.rstrip()


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("ab #'", max_size=6), st.text("xy #'", max_size=6))
def test_an_added_comment_changes_nothing(line, comment):
    code = strip_comment(line)
    if code.count("'") % 2 == 0:
        assert strip_comment(f"{code} #{comment}") == code


def test_an_open_quote_hides_the_sign():
    assert strip_comment("say 'a # b") == "say 'a # b"


def test_empty_line():
    assert strip_comment("") == strip_comment("   ") == ""
