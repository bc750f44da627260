import dataclasses
import json

import pytest

from env_lib.sandbox import Limits, SandboxError
from env_lib.sandbox.verdict import Evidence, check_exits, judge

NAMES = ("test_a", "test_b")
GOOD = {
    "results": [["test_a", "passed", ""], ["test_b", "passed", ""]],
    "error": "",
    "message": "",
    "canary": "failed",
}
EVIDENCE = Evidence("full", ("seccomp",), 0, None, "", json.dumps(GOOD).encode(), "", 9.0, 4.0, 9.0)


def judged(report=GOOD, **changes):
    data = report if isinstance(report, bytes) else json.dumps(report).encode()
    return judge(NAMES, Limits(), dataclasses.replace(EVIDENCE, report=data, **changes))


def results(*triples):
    return {**GOOD, "results": [list(triple) for triple in triples]}


def test_a_whole_report_passes():
    assert judged().all_passed


A, B = ("test_a", "passed", ""), ("test_b", "passed", "")
SPOILED = {
    "an id is missing": results(A),
    "an id comes twice": results(A, B, B),
    "an id replaces another": results(A, A),
    "an id is unknown": results(A, B, ("test_c", "passed", "")),
    "the order is another": results(B, A),
    "a status is unknown": results(A, ("test_b", "skipped", "")),
    "a message is no text": results(A, ("test_b", "failed", 3)),
    "the canary passed": {**GOOD, "canary": "passed"},
    "there is no canary": {key: GOOD[key] for key in ("results", "error", "message")},
    "it is a list": [GOOD],
    "it is empty": b"",
    "it comes twice": json.dumps(GOOD).encode() * 2,
    "it is cut": json.dumps(GOOD).encode()[:-1],
    "it is no text": b"\xff\0",
}


@pytest.mark.parametrize("name", SPOILED)
def test_nothing_passes_on_a_report_that_is_not_exact(name):
    out = judged(SPOILED[name])
    assert out.passed == set()
    assert out.error == "protocol"
    assert [result.status for result in out.results.values()] == ["missing", "missing"]


@pytest.mark.parametrize("status", [1, 70, -11, None])
def test_nothing_passes_when_the_checker_did_not_end_well(status):
    out = judged(checker_exit=status)
    assert (out.passed, out.error) == (set(), "protocol")


def test_nothing_passes_when_the_run_was_cut_short():
    assert judged(late="time").error == "timeout"
    assert judged(late="time").passed == set()
    assert judged(late="disk").error == "crash"
    assert judged(late="disk").passed == set()


def test_a_process_killed_from_outside_is_no_verdict():
    for changes in ({"checker_exit": -9}, {"candidate_exit": -9}):
        with pytest.raises(SandboxError, match="killed from outside"):
            check_exits(dataclasses.replace(EVIDENCE, **changes), Limits())
    spent = dataclasses.replace(EVIDENCE, candidate_exit=-9, candidate_cpu_ms=2000.0, cpu_ms=2100.0)
    check_exits(spent, Limits(cpu_s=2))


def test_messages_are_short_and_the_same_in_every_run():
    text = f"got <Thing object at 0x7f12ab> in /dev/shm/walled-x1/c/data {'long ' * 90}"
    out = judged(results(("test_a", "failed", text), B))
    assert len(out.results["test_a"].message) == 200
    assert out.results["test_a"].message.startswith("got <Thing object> in <folder>/c/data long")
