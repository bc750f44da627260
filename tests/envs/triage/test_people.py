"""Authors of a live pull show what drawn ones show: nothing on their face tells them from spam."""

import re

import pytest
from sklearn.metrics import roc_auc_score

from env_lib.envs.triage.env import TriageEnv
from env_lib.envs.triage.facts import bundled_records
from env_lib.envs.triage.people import handles_of, known_author
from env_lib.envs.triage.pseudonyms import pseudonym
from env_lib.envs.triage.scenario import SCENARIOS, build_queue, library
from env_lib.envs.triage.store_build import build_store

NAMES = [pseudonym(f"login{i}", b"key") for i in range(150)]


def contributor(repo, place, name):
    row = {"repo": repo, "author": name, "merged_prs": (0, 0, 0, 2, 12)[place % 5]}
    row |= {"threads": (1, 1, 4, 6, 30)[place % 5], "first_seen": f"2026-0{1 + place % 6}-01"}
    return row | {"reputation": 0.5}


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """The bundled threads as a pull would bring them: every author known by activity."""
    records = bundled_records()
    named = [r | {"author": NAMES[i % len(NAMES)]} for i, r in enumerate(records)]
    people = [
        contributor(repo, i, name)
        for repo in sorted({r["repo"] for r in records})
        for i, name in enumerate(NAMES)
    ]
    path = tmp_path_factory.mktemp("live") / "live.db"
    return build_store(named, path, source="live", contributors=people)


@pytest.fixture(scope="module")
def queue(live):
    lib = library("train", live)
    return [item for seed in range(3) for item in build_queue(SCENARIOS["E4"], lib, seed)[1]]


def test_handles_of_real_and_drawn_authors_have_one_form(live, queue):
    real = {f"u{name[:5]}" for name in NAMES}
    assert sum(item.author.handle in real for item in queue) > 100
    assert [i for i in queue if not re.fullmatch("u[0-9a-f]{5}", i.author.handle)] == []
    prompt = TriageEnv(scenario="E4", split="train", store=live).reset(seed=0).prompt
    assert not any(name in prompt for name in NAMES)


def test_the_age_of_an_account_does_not_tell_spam(queue):
    spam = [item.spam for item in queue]
    area = roc_auc_score(spam, [item.author.account_days for item in queue])
    assert 0.35 < area < 0.65


def test_no_two_accounts_share_a_handle():
    handles = handles_of(["abcde00000", "abcde11111", "12345abcde", "abcde11111"])
    assert handles["abcde00000"] == "uabcde"
    assert handles["12345abcde"] == "u12345"
    assert re.fullmatch("u[0-9a-f]{5}", handles["abcde11111"])
    assert len(set(handles.values())) == 3


def test_an_account_has_one_age_whenever_it_is_seen():
    row = contributor("a/b", 3, "abcde00000")
    early, late = (
        known_author("abcde00000", "uabcde", row | {"first_seen": day})
        for day in ("2026-01-01", None)
    )
    assert early == late
    assert early.account_days >= 120
