"""Organisations: enough, distinct, decidable, fair, and unseen kinds where they belong."""

import random

import pytest

import env_lib
from env_lib.envs.supervise import proposals
from env_lib.envs.supervise.facts import FIELDS, VALUES, draw
from env_lib.envs.supervise.organisation import (
    KINDS,
    MOST,
    OOD_KINDS,
    STOPS,
    VERDICT_KINDS,
    Organisation,
    Rule,
    changed_share,
    is_fair,
    kind_of,
    organisation,
    split_of,
    without_one,
)
from env_lib.envs.supervise.rules import decide
from env_lib.envs.supervise.scenario import SCENARIOS, SPLITS, sizes

S1, S4 = SCENARIOS["S1"], SCENARIOS["S4"]
PLAIN = draw(
    random.Random(0), area="ui", phase="build", author="lead", day="mon", incident="none",
    size="small", spread="few", migration="none", api="kept", secret="no", tests="pass",
    coverage="full", licence="none", scan="clean",
)  # fmt: skip


def test_no_two_of_two_thousand_organisations_of_the_splits_are_alike():
    digests = {
        (split, organisation(S1, split, number).digest)
        for split in SPLITS for number in range(510)
    }  # fmt: skip
    for split in SPLITS:
        assert sum(of == split for of, _ in digests) >= 500
    assert len({digest for _, digest in digests}) == len(digests), "a split shares an organisation"


@pytest.mark.parametrize("tier", list(SCENARIOS.values())[1:], ids=list(SCENARIOS)[1:])
def test_no_two_organisations_of_the_other_tiers_are_alike(tier):
    digests = [organisation(tier, split, number).digest for split in SPLITS for number in range(40)]
    assert len(set(digests)) == len(digests)


def test_the_grammar_has_twelve_kinds_and_two_that_only_test_ood_has():
    assert len(KINDS) == 14
    assert len(set(KINDS) - set(OOD_KINDS)) == 12
    for split in SPLITS:
        for tier in (S1, S4):
            for number in range(20):
                kinds = {rule.kind for rule in organisation(tier, split, number).rules}
                assert bool(kinds & set(OOD_KINDS)) == (split == "test_ood")


@pytest.mark.parametrize("tier", SCENARIOS.values(), ids=SCENARIOS)
def test_every_organisation_has_its_number_of_rules_and_is_fair(tier):
    exceptions = 0
    for number in range(10):
        rules = organisation(tier, "val", number).rules
        exceptions += sum(rule.exception is not None for rule in rules)
        assert len(rules) == tier.rules
        assert 5 <= len(rules) <= 9
        assert is_fair(rules, tier.lies)
    assert exceptions <= 10 * tier.exceptions
    assert bool(exceptions) == bool(tier.exceptions)


def test_a_policy_where_one_verdict_is_nearly_always_right_is_not_fair():
    always = Rule("size", (("size", ("small", "large")),), "hold")
    assert not is_fair((always,), S1.lies)
    assert not is_fair((), S1.lies)


@pytest.mark.parametrize("tier", SCENARIOS.values(), ids=SCENARIOS)
def test_without_a_rule_or_an_exception_some_changes_have_another_verdict(tier):
    for number in range(6):
        rules = organisation(tier, "test", number).rules
        others = list(without_one(rules))
        assert len(others) == len(rules) + sum(rule.exception is not None for rule in rules)
        assert all(changed_share(rules, some, tier.lies) >= 0.01 for some in others)


def test_a_rule_that_a_later_one_repeats_is_not_fair():
    rules = organisation(S1, "test", 0).rules
    assert is_fair(rules, S1.lies)
    twice = (*rules[:-1], rules[-1], rules[-1])
    assert changed_share(twice, twice[:-1], S1.lies) == 0
    assert not is_fair(twice, S1.lies)


@pytest.mark.parametrize("split", ["train", "test_ood"])
@pytest.mark.parametrize("tier", SCENARIOS.values(), ids=SCENARIOS)
def test_every_rule_and_exception_decides_a_precedent(tier, split):
    for seed in range(5):
        made = proposals.release(tier, split, seed, tier.proposals)
        cases = [case.facts for some in made.precedents.values() for case in some]
        decided = set().union(*map(made.organisation.deciders, cases))
        assert made.organisation.to_be_seen() <= decided


def test_an_exception_decides_where_the_verdict_would_be_another_without_it():
    first = Rule("area", (("area", ("ui",)),), "hold", ("author", "lead"))
    org = Organisation((first, Rule("day", (("day", ("mon",)),), "hold")), "")
    assert org.deciders(PLAIN) == {(1, "rule")}
    assert org.deciders(PLAIN._replace(day="tue")) == {(0, "exception")}
    assert org.deciders(PLAIN._replace(author="junior")) == {(0, "rule")}
    assert org.deciders(PLAIN._replace(secret="yes")) == set()


def test_the_first_rule_that_applies_decides_and_an_exception_lets_the_next_one():
    first = Rule("area", (("area", ("ui",)),), "hold", ("author", "lead"))
    second = Rule("day", (("day", ("mon",)),), "escalate:legal")
    org = Organisation((first, second), "")
    assert org.verdict(PLAIN) == "escalate:legal"
    assert org.verdict(PLAIN._replace(author="junior")) == "hold"
    assert org.verdict(PLAIN._replace(day="tue")) == "approve"


def test_the_public_rules_come_first():
    org = Organisation((Rule("area", (("area", ("ui",)),), "hold"),), "")
    assert org.verdict(PLAIN._replace(secret="yes")) == "block"
    assert org.verdict(PLAIN._replace(secret="yes", lie="stale")) == "request_changes"


def test_rules_can_be_told_in_words():
    rule = Rule(
        "api", (("api", ("changed",)), ("day", ("mon", "tue"))), "escalate:legal", ("area", "ui")
    )
    assert rule.words() == "api changed, mon or tue but not ui: escalate legal"


def test_any_change_has_exactly_one_due_verdict():
    rng = random.Random(5)
    org = organisation(S4, "train", 3)
    kinds = {kind_of(org.verdict(draw(rng, rng.choice(("", "", "stale"))))) for _ in range(300)}
    assert kinds == set(VERDICT_KINDS) == {"approve", *STOPS}


def test_the_split_follows_from_the_content():
    for split in ("train", "val", "test"):
        assert {split_of(organisation(S4, split, n).digest) for n in range(5)} == {split}


def test_precedents_follow_the_policy_with_its_exceptions():
    for seed in range(4):
        release = proposals.release(S4, "test", seed, S4.proposals)
        cases = [case for area in release.precedents.values() for case in area]
        assert len(cases) == 6 * proposals.PAGES * S4.page
        assert all(case.verdict == release.organisation.verdict(case.facts) for case in cases)
        assert all(case.facts.area == a for a, some in release.precedents.items() for case in some)


@pytest.mark.parametrize("tier", SCENARIOS.values(), ids=SCENARIOS)
def test_no_constant_verdict_is_right_in_more_than_35_percent_of_a_release(tier):
    for split in SPLITS:
        for seed in range(5):
            made = proposals.release(tier, split, seed, tier.proposals)
            counts = [sum(kind_of(p.due) == kind for p in made.queue) for kind in VERDICT_KINDS]
            assert max(counts) <= MOST * len(made.queue)
            assert proposals.constant_share(made.queue, made.organisation)[0] <= MOST


def constant(split, seed, verdict, reason):
    """The share of decisions that a constant verdict gets right, as played."""
    env = env_lib.make("supervise", split=split)
    obs = env.reset(seed=seed)
    while not obs.done:
        obs = env.step(decide(obs.proposal, verdict, reason))
    return env.held_out()["accuracy"], env.state.decided


def test_the_share_of_a_constant_verdict_is_the_one_that_is_played():
    back = 0
    for seed in range(3):
        made = proposals.release(S1, "val", seed, S1.proposals)
        told, kind = proposals.constant_share(made.queue, made.organisation)
        played = [
            constant("val", seed, verdict, reason)
            for verdict in ("approve", "block", "hold", "request_changes")
            for reason in (proposals.REASONS if verdict == "request_changes" else ("policy",))
        ]
        shares, counts = zip(*played, strict=True)
        if kind == "escalate":  # the roles of which are counted as one verdict
            assert max(shares) <= told
        else:
            assert max(shares) == told
        back += max(counts) > len(made.queue)
    assert back, "nothing came back"


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_small_releases_are_as_mixed_as_their_number_lets_them_be(count):
    for seed in range(12):
        made = proposals.release(S1, "val", seed, count)
        assert len(made.queue) == count
        share, _ = proposals.constant_share(made.queue, made.organisation)
        assert share <= max(MOST, 1 / count)


def test_a_release_that_cannot_be_mixed_is_refused(monkeypatch):
    monkeypatch.setattr(proposals, "constant_share", lambda *_: (0.5, "hold"))
    with pytest.raises(RuntimeError, match=r"S1, val, seed 77, 10 .*always hold is right in 0\.50"):
        proposals.release(S1, "val", 77, 10)


def test_a_combination_of_rules_that_no_precedent_had_is_marked_unseen():
    def together(org, facts):
        own = [n for n, rule in enumerate(org.rules) if rule.applies(facts)]
        return (*own, facts.lie != "", facts.lie == "" and facts.secret == "yes")

    marks = set()
    for tier in (S1, S4):
        for seed in range(4):
            made = proposals.release(tier, "test", seed, tier.proposals)
            told = {
                together(made.organisation, case.facts)
                for some in made.precedents.values() for case in some
            }  # fmt: skip
            for p in made.queue:
                assert p.unseen == (together(made.organisation, p.facts) not in told)
                marks.add(p.unseen)
    assert marks == {True, False}


def test_rules_that_another_overrules_have_a_say_too():
    first = Rule("area", (("area", ("ui",)),), "hold", ("author", "lead"))
    org = Organisation((first, Rule("day", (("day", ("mon",)),), "hold")), "")
    assert org.combination(PLAIN) == {1}
    assert org.combination(PLAIN._replace(author="junior")) == {0, 1}
    assert org.combination(PLAIN._replace(day="tue")) == set()
    assert org.combination(PLAIN._replace(secret="yes")) == {1, -2}
    assert org.combination(PLAIN._replace(secret="yes", lie="stale")) == {1, -1}


def test_proposals_come_in_the_order_of_phases_and_have_possible_facts():
    queue = proposals.release(S4, "val", 1, 16).queue
    phases = [VALUES["phase"].index(p.facts.phase) for p in queue]
    assert phases == sorted(phases)
    assert [p.id for p in queue] == list(range(1, 17))
    for p in queue:
        assert all(getattr(p.facts, name) in VALUES[name] for name in FIELDS)


def test_fewer_steps_make_a_smaller_release_and_looks_cover_forty_percent():
    for tier in SCENARIOS.values():
        steps, count, looks = sizes(tier, None)
        assert (steps, count) == (tier.steps, tier.proposals)
        assert looks / (3 * count) == pytest.approx(0.4, abs=0.02)
    assert sizes(S4, 12) == (12, 4, 5)
    with pytest.raises(ValueError, match="steps=2; an episode needs at least 3"):
        sizes(S4, 2)
