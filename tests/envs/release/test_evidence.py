"""The evidence view: a well-formed page without scripts that shows what each policy knew."""

import xml.etree.ElementTree as ET
from html import escape

import pytest

import env_lib
from env_lib.envs.release.env import ReleaseEnv
from env_lib.envs.release.evidence import SEEN, account, evidence_html, write_evidence
from env_lib.envs.release.svg import layers
from tests.envs.release.finding import seed_of


@pytest.fixture(scope="module")
def accounts():
    seed = seed_of("block", tier="L2")
    env = ReleaseEnv(scenario="L2", split="train")
    return [account(env, env_lib.policy("release", name), seed) for name in ("naive", "careful")]


def test_the_page_is_well_formed_and_names_every_service_twice(accounts, tmp_path):
    path = write_evidence(tmp_path / "pair.html", *accounts)
    text = path.read_text("utf-8")
    tree = ET.fromstring(text.removeprefix("<!doctype html>\n"))
    shown = [" ".join(svg.itertext()) for svg in tree.iter("{http://www.w3.org/2000/svg}svg")]
    assert len(shown) == 2
    for name in accounts[0].world.services:
        assert all(name in drawn for drawn in shown)
    assert "<script" not in text


def test_the_page_shows_decisions_beside_the_right_ones(accounts):
    text = evidence_html(*accounts)
    assert "decided <b>ship</b>" in text
    assert "decided <b>block</b>" in text
    assert text.count("right: <b>block</b>") == 2
    assert 'class="verdict wrong"' in text
    assert 'class="verdict right"' in text
    assert "not run" in text
    assert "broken contracts: " in text


def test_each_service_has_its_impact_and_what_was_submitted_and_run_beside_it(accounts):
    for one in accounts:
        table = ET.fromstring(evidence_html(one).partition("</style>")[2]).find(".//table")
        head, *rows = [[cell.text for cell in row] for row in table]
        assert head == ["service", "owner", "impacted", "submitted", "contracts"]
        assert [row[0].split()[0] for row in rows] == list(one.world.services)
        for name, (_, owner, impacted, submitted, run) in zip(
            one.world.services, rows, strict=True
        ):
            assert owner == one.world.owners[name]
            assert impacted == ("yes" if name in one.world.impacted else "no")
            assert submitted == ("yes" if name in (one.notes.blast or ()) else "no")
            assert run.startswith("run" if name in one.notes.contracts else "not run")
            assert ("(broken)" in run) == (name in one.broken)
    _, careful = accounts
    assert careful.notes.blast, "the careful rules submit a set"


def test_a_timeline_shows_what_each_step_showed_cut_where_it_is_long(accounts):
    text = evidence_html(*accounts)
    assert text.count('class="seen"') == sum(len(one.episode.steps) for one in accounts)
    shown = [escape(seen) for one in accounts for seen in one.shown]
    assert any(seen and len(seen) <= SEEN for seen in shown)
    assert all(seen in text for seen in shown if len(seen) <= SEEN)
    cut = [seen for one in accounts for seen in one.shown if len(seen) > SEEN]
    assert cut, "the careful rules look at a file"
    assert all(escape(seen[: SEEN - 4]) in text and escape(seen) not in text for seen in cut)


def test_readers_stand_to_the_right_of_whom_they_read(accounts):
    world, column = accounts[0].world, layers(accounts[0].world)
    assert all(column[r.consumer] > column[r.provider] for r in world.reads)


def test_nothing_to_show_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        evidence_html()
