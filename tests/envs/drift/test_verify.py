"""A sample of the rows of breakages.jsonl; `make verify-drift` runs them all."""

import pytest

from env_lib.envs.drift import verify
from env_lib.envs.drift.runner import Report, kind_of

SAMPLE = 10


def science():
    found = [row for row in verify.rows() if not verify.unfit(row)]
    return [
        row for row in found if kind_of(f"{row['old_snippet']}{row['new_snippet']}") == "science"
    ]


def test_an_even_sample_holds():
    found = science()
    verdicts = verify.verify(found[:: len(found) // SAMPLE])
    assert [verdict for verdict in verdicts if verdict.reason] == []


def test_what_cannot_run_here_is_told_and_no_fault():
    unfit = [row for row in verify.rows() if row["library"] == "gymnasium"][:1]
    other = {**science()[0], "installed": "0.0"}
    first, second = verify.verify([*unfit, other])
    assert first.skipped
    assert second.skipped
    assert "the row is about 0.0" in second.reason


@pytest.mark.parametrize("ids", [["no-such-row"], None], ids=["no such row", "none that can run"])
def test_running_nothing_is_no_success(ids, capsys):
    ids = ids or [row["id"] for row in verify.rows() if row["library"] == "gymnasium"]
    assert verify.main(ids) == 1
    assert "nothing was run" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "silent", "said"),
    [
        (Report(True, ("a",)), Report(True, ("a",)), False, "the old form runs"),
        (Report(False, error_type="KeyError"), Report(True, ("a",)), False, "raises KeyError"),
        (Report(False, error_type="TypeError"), Report(True, ("b",)), False, "prints 'b'"),
        (Report(False, error_type="TypeError"), Report(False), False, "the new form fails"),
        (Report(True, ("a",)), Report(True, ("a",)), True, "both forms print"),
        (Report(False), Report(True, ("a",)), True, "should be silent"),
        (Report(False, error_type="TypeError"), Report(True, ("a",)), False, ""),
        (Report(True, ("b",)), Report(True, ("a",)), True, ""),
    ],
)
def test_what_runs_show_against_a_row(old, new, silent, said):
    row = {"silent": silent, "error_type": "TypeError", "expected_output": "a"}
    fault = verify.fault(row, old, new)
    assert (said in fault) if said else not fault
