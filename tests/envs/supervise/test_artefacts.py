"""Artefacts are real: executed runs, diffs that apply, and each tell where it belongs."""

import random

import pytest

from env_lib.envs.supervise import artefacts, ci, data, leaks, packages
from env_lib.envs.supervise.facts import LIES, draw
from env_lib.envs.supervise.modules import jobs, modules
from env_lib.envs.supervise.reading import changes, read
from env_lib.envs.supervise.workers import HABITS, answer, claims


def material(lie="", seed=1, **facts):
    rng = random.Random(seed)
    given = {
        "area": "auth", "size": "small", "spread": "few", "migration": "none", "api": "kept",
        "secret": "no", "tests": "pass", "coverage": "full", "licence": "permissive",
        "scan": "clean",
    } | facts  # fmt: skip
    return artefacts.Material(draw(rng, lie, **given), "session", 30, "abcd", "dcba", seed)


def found(m, name, lie_claims=None):
    told = claims(m.facts) if lie_claims is None else lie_claims
    return dict(read(((name, artefacts.artefact(m, name)),), m.facts.area, m.head, told))


def test_every_run_is_bundled_and_wrong_variants_alone_fail():
    assert ci.missing() == []
    assert data.validate() == []
    assert len({ci.key_of(*run) for run in jobs()}) == 276, "some old code has no constant"


def test_a_stale_run_is_a_run_of_the_code_before_the_change_with_the_tests_of_its_time():
    m = material(lie="stale")
    files, tests = modules()["session"].run(30, "old", whole=m.facts.coverage == "full")
    assert files["session.py"] == modules()["session"].code(30)
    assert "test_limit" not in tests, "the change brings it"
    passed = len(ci.results(files, tests))
    assert artefacts.artefact(m, "ci").startswith(f"dcba: {passed} passed, 0 failed")
    fresh = artefacts.artefact(material(coverage=m.facts.coverage), "ci")
    assert fresh.startswith(f"abcd: {passed + 1} passed, 0 failed")


def test_the_first_test_of_a_module_fails_without_its_change():
    module = modules()["session"]
    found = ci.execute([({"session.py": module.code(30)}, module.test_file(30, whole=True))])[0]
    assert [name for name, status, _ in found if status != "passed"] == [next(iter(module.tests))]


def test_a_scan_names_what_an_advisory_names_and_nothing_else():
    known, advisories = packages.known()
    fault = advisories[0]
    versions = known[fault.package].versions
    for version in versions:
        found = packages.scan([(fault.package, version)])
        old = versions.index(version) < versions.index(fault.fixed_in)
        assert found == ((fault,) if old else ())
    listed = ((fault.package, versions[0]),)
    assert packages.report(listed) == f"1 packages {fault.id} {fault.package}"
    assert packages.report(packages.mended(listed)) == "1 packages clean"
    assert packages.mended(listed, but=fault.package) == listed


def test_the_list_is_shown_whole_and_is_what_was_scanned():
    for seed in range(10):
        first, scan, *others = artefacts.artefact(material(seed=seed), "deps").splitlines()
        sign, name, version, licence = first.split()
        listed = [(name, version), *(tuple(line.split()) for line in others)]
        package = packages.known()[0][name]
        assert (sign, licence) == ("+", package.licence)
        assert scan == f"scan: {len(listed)} packages clean"
        assert all(v in packages.known()[0][n].versions for n, v in listed)
        assert packages.scan(listed) == ()


def test_half_of_the_false_claims_of_a_scan_hide_an_advisory_that_the_list_confirms():
    drawn = [draw(random.Random(seed), "scan", worker="scanner") for seed in range(60)]
    assert 20 < sum(facts.scan == "advisory" for facts in drawn) < 40
    assert {facts.scan for facts in drawn} == {"advisory", "none"}
    for seed in range(10):
        m = material("scan", seed, scan="clean")
        assert m.facts.scan == "advisory"
        first, scan, *others = artefacts.artefact(m, "deps").splitlines()
        (fault,) = packages.scan([tuple(first.split()[1:3]), *(tuple(x.split()) for x in others)])
        assert scan.endswith(f" packages {fault.id} {fault.package}")
        assert found(m, "deps")["lie"] == "scan"
        assert "scan clean" in claims(m.facts)
        assert answer(m.facts, "scan") == "scan clean"


def test_lists_are_drawn_with_faults_and_shown_scanned_without():
    faulty = 0
    for seed in range(40):
        new, listed = packages.drawn(random.Random(seed), "permissive")
        assert dict(listed)[new.name] in new.versions
        assert new.licence not in packages.COPYLEFT
        faulty += bool(packages.scan(listed))
        assert not packages.scan(packages.mended(listed))
        shown = artefacts.artefact(material(seed=seed), "deps")
        assert " packages clean" in shown.splitlines()[1]
    assert faulty > 20
    assert "not run" in artefacts.artefact(material(scan="none"), "deps")


def test_the_type_follows_from_what_the_header_shows():
    from env_lib.envs.supervise.facts import TYPES
    from env_lib.envs.supervise.notes import view
    from env_lib.envs.supervise.proposals import release
    from env_lib.envs.supervise.render import header_text
    from env_lib.envs.supervise.scenario import SCENARIOS

    found = set()
    for seed in range(6):
        for proposal in release(SCENARIOS["S4"], "val", seed, 16).queue:
            shown = view(proposal)
            assert shown.type == ("deps" if shown.adds_package else TYPES[shown.worker])
            assert f"{shown.type} by {shown.worker}" in header_text(shown)
            found.add(shown.type)
    assert found == {"fix", "tests", "deps", "docs", "migration", "release"}


def test_bundled_runs_are_what_the_sandbox_says():
    sample = random.Random(7).sample(list(jobs()), 3)
    assert ci.execute(sample) == [ci.results(*run) for run in sample]


def test_a_special_case_passes_the_tests_and_is_not_the_right_change():
    for module in modules().values():
        k = module.constants[0]
        special, right = module.code(k, "special"), module.code(k, "new")
        assert special != right
        assert all(s == "passed" for _, s, _ in ci.results(
            {f"{module.name}.py": special}, module.test_file(k, whole=True)))  # fmt: skip


def test_the_diff_of_the_module_leads_from_the_old_to_the_new_source():
    m = material(lie="", seed=3)
    module = modules()["session"]
    (file,) = [f for f in changes(artefacts.artefact(m, "diff")) if f.path == "auth/session.py"]
    old, new = module.code(30).splitlines(), module.code(30, "new").splitlines()
    assert list(file.added) == [line for line in new if line not in old]
    assert file.removed == len([line for line in old if line not in new])


@pytest.mark.parametrize("lie", LIES)
def test_a_false_claim_shows_in_its_artefact_and_in_no_other(lie):
    m = material(lie=lie)
    for name in artefacts.ARTEFACTS:
        assert found(m, name).get("lie") == (lie if LIES[lie] == name else None)


@pytest.mark.parametrize("lie", LIES)
def test_a_false_claim_does_not_show_in_the_claims(lie):
    assert claims(material(lie=lie).facts) == claims(material().facts)


def test_an_honest_worker_admits_what_is_wrong_and_is_then_no_liar():
    m = material(tests="fail", coverage="part", scan="none")
    assert {"tests fail", "part covered", "no scan"} < set(claims(m.facts))
    assert all("lie" not in found(m, name) for name in artefacts.ARTEFACTS)
    assert found(m, "ci") == {"tests": "fail", "coverage": "part"}


@pytest.mark.parametrize("lie", LIES)
def test_a_worker_that_claims_falsely_says_its_claim_again_and_no_other_falsehood(lie):
    m = material(lie, api="changed", size="large", migration="oneway", licence="copyleft")
    honest = {"api": "api changed", "size": "large", "migration": "migration no down"}
    assert {name: answer(m.facts, name) for name in honest} == honest
    assert answer(m.facts, "licence") == "GPL package"
    for question in ("tests", "coverage", "scan"):
        assert answer(m.facts, question).endswith(("pass", "full", "clean")), question
    assert answer(m.facts, "scope") == "only auth"


def test_a_liar_admits_what_its_header_admits():
    m = material("tests", coverage="part", scan="none")
    assert {"tests pass", "part covered", "no scan"} < set(claims(m.facts))
    assert answer(m.facts, "tests") == "tests pass"
    assert (answer(m.facts, "coverage"), answer(m.facts, "scan")) == ("part covered", "no scan")


def test_an_answer_that_denies_the_header_would_be_noticed(monkeypatch):
    from env_lib.envs.supervise.facts import HARMLESS

    def harmless(facts, question):
        return f"{question} {HARMLESS[question]}" if facts.lie else answer(facts, question)

    assert leaks.answers_show_no_tell("val", range(2)) == ""
    honest = dict(HARMLESS, scope="")
    monkeypatch.setattr(leaks, "answer", lambda facts, q: harmless(facts, q) if honest[q] else "")
    assert " tells '" in leaks.answers_show_no_tell("val", range(2))


def test_every_lie_is_some_workers_habit_and_each_kind_has_two():
    assert {habit for habits in HABITS.values() for habit in habits} == set(LIES)
    assert all(len(set(habits)) == 2 for habits in HABITS.values())


def test_every_fact_of_many_proposals_can_be_read_from_its_artefact():
    assert leaks.tells_are_in_the_artefacts("val", range(3)) == ""


def test_equal_materials_give_equal_texts_and_unknown_names_are_refused():
    first = artefacts.artefact(material(secret="yes"), "diff")
    artefacts.artefact.cache_clear()
    assert artefacts.artefact(material(secret="yes"), "diff") == first
    assert "tk_live_" in first
    with pytest.raises(ValueError, match="known: diff, ci, deps"):
        artefacts.artefact(material(), "log")


def test_tables_show_every_split_and_verdict():
    shown = data.tables()
    assert set(shown["splits"]["split"]) == {"train", "val", "test", "test_ood"}
    assert len(shown["truth"]) == 5
    with pytest.raises(ValueError, match="no live source"):
        data.build("owner/name")
