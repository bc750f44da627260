"""What happens in a release: looks, questions, precedents, decisions, what comes back."""

import dataclasses
import json
import re
from itertools import permutations

import pytest

import env_lib
from env_lib.core import StopReason
from env_lib.envs.supervise import leaks, probe
from env_lib.envs.supervise.env import (
    LEAST_TOKENS,
    LOOKS,
    REWARD_RANGE,
    TOLD_TOKENS,
    SuperviseAction,
    SuperviseEnv,
)
from env_lib.envs.supervise.facts import AREAS, LIES
from env_lib.envs.supervise.held_out import Decision, Tally
from env_lib.envs.supervise.notes import case_text
from env_lib.envs.supervise.proposals import resubmitted
from env_lib.envs.supervise.render import error_text
from env_lib.envs.supervise.rules import call, decide
from env_lib.envs.supervise.scenario import SCENARIOS
from env_lib.language import choices_of, count_tokens
from env_lib.profiles import PROFILES
from env_lib.runs import Run


def started(tier="S2", seed=0, split="test", **options):
    env = SuperviseEnv(scenario=tier, split=split, **options)
    return env, env.reset(seed=seed)


def parts(obs):
    return {name: value for name, value in obs.metadata["reward_components"].items() if value}


def at(env, wanted):
    """Put the first proposal that `wanted` accepts before the agent; search over seeds."""
    for seed in range(60):
        env.reset(seed=seed)
        for place, proposal in enumerate(env._queue):
            if wanted(proposal):
                env._queue = env._queue[place:]
                return env._observe(None, {}, ""), proposal
    raise AssertionError("no such proposal in sixty releases")


def test_a_look_shows_the_artefact_costs_a_call_and_a_look():
    env, first = started()
    obs = env.step(call("inspect_pr_diff", first.proposal))
    assert obs.seen == (("diff", env._queue[0].artefact("diff")),)
    assert "+++ b/" in obs.seen[0][1]
    assert obs.looks == first.looks - 1
    assert obs.proposal == first.proposal
    assert parts(obs) == {"tool_call": -0.02}


def test_a_second_look_at_the_same_is_a_tool_failure_and_costs_no_look():
    env, first = started()
    env.step(call("inspect_ci_run", first.proposal))
    obs = env.step(call("inspect_ci_run", first.proposal))
    assert obs.error == "the ci of 1 is shown already"
    assert obs.looks == first.looks - 1
    assert parts(obs) == {"tool_call": -0.02, "tool_failure": -0.2}


def test_without_looks_no_artefact_is_shown():
    env, obs = started()
    env._looks = 0
    obs = env.step(call("inspect_dependencies", obs.proposal))
    assert obs.error == "no looks left; decide"
    assert obs.seen == ()


@pytest.mark.parametrize("number", [-1, 0, 99, 10**5000], ids=["minus", "zero", "late", "huge"])
def test_a_proposal_that_is_not_open_is_answered_with_the_one_that_is(number):
    env, first = started()
    obs = env.step(SuperviseAction.model_construct(action_type="approve", proposal=number))
    assert obs.error.endswith("is not open; current: 1")
    assert len(obs.error) < 60
    assert obs.decided == first.decided


def test_missing_fields_are_answered_also_where_no_text_was_parsed():
    env, _ = started()
    assert env.step(SuperviseAction(action_type="block", proposal=1)).error == "block needs reason"


def test_precedents_are_looked_up_by_area_until_there_are_no_more():
    env, first = started()
    page = SCENARIOS["S2"].page
    obs = env.step(SuperviseAction(action_type="view_precedents", area="auth"))
    assert len(obs.cases) == page
    assert "precedents:" in obs.prompt
    obs = env.step(SuperviseAction(action_type="view_precedents", area="auth"))
    assert len({*obs.cases}) > page
    assert "auth" in first.more
    assert "auth" not in obs.more
    obs = env.step(SuperviseAction(action_type="view_precedents", area="auth"))
    assert "no more precedents of auth; left: api" in obs.error


def test_a_worker_answers_for_the_current_proposal_alone():
    env, first = started()
    obs = env.step(call("ask_worker", first.proposal, question="api"))
    assert obs.said[0].startswith(f"{first.proposal.worker} says: api ")
    assert obs.said[0] in obs.prompt
    assert env.step(call("approve", first.proposal)).said == ()


def test_a_decision_is_corrected_by_feedback_and_becomes_a_precedent():
    env, first = started()
    truth = env._queue[0]
    obs = env.step(call("block", first.proposal))
    assert obs.cases[-1] == (truth.facts, truth.due)
    assert obs.feedback == f"was due: {truth.due.replace(':', ' ')}"
    assert obs.feedback in obs.prompt
    assert obs.proposal != first.proposal


def test_a_false_claim_is_caught_by_a_look_and_a_stop_that_names_it():
    env, _ = started("S4")
    obs, truth = at(env, lambda p: p.facts.lie)
    look = next(kind for kind, name in LOOKS.items() if name == LIES[truth.facts.lie])
    blind, wrong, right = env.branch(), env.branch(), env.branch()
    named = decide(obs.proposal, "request_changes", truth.facts.lie)
    assert parts(blind.step(named)).get("evidence", 0) <= 0
    wrong.step(call(look, obs.proposal))
    assert "evidence" not in parts(wrong.step(decide(obs.proposal, "request_changes")))
    right.step(call(look, obs.proposal))
    seen = right.step(named)
    assert (parts(seen)["verdict"], parts(seen)["evidence"]) == (1.0, 0.3)
    assert seen.caught == ((obs.proposal.worker, truth.facts.lie),)


def test_a_risky_change_decided_without_a_look_costs():
    env, _ = started()
    obs, truth = at(env, lambda p: p.risky and not p.facts.lie)
    assert ", risky" in obs.prompt
    looked = env.branch()
    verdict = decide(obs.proposal, truth.due, truth.reason)
    assert parts(env.step(verdict))["evidence"] == -0.2
    looked.step(call("inspect_ci_run", obs.proposal))
    assert "evidence" not in parts(looked.step(verdict))


def test_holding_does_not_mend_and_what_was_held_comes_back_as_it_was():
    env, _ = started("S3")
    obs, truth = at(env, lambda p: p.returns and p.due == "hold")
    count = len(env._queue)
    env.step(decide(obs.proposal, "hold"))
    (again,) = [p for p in env._queue if p.id == truth.id]
    assert len(env._queue) == count
    assert (again.facts, again.due, again.version) == (truth.facts, "hold", 2)
    assert again.material.head != truth.material.head
    assert not again.returns


def test_a_worker_mends_only_what_it_was_told():
    env, _ = started("S4")
    _, truth = at(env, lambda p: p.returns and p.mends and p.facts.lie)
    org = env._release.organisation
    fixed = resubmitted(truth, org, "request_changes", truth.reason)
    assert fixed.facts.lie == ""
    assert fixed.due == org.verdict(fixed.facts)
    for verdict, reason in (("request_changes", "policy"), ("hold", truth.reason)):
        assert resubmitted(truth, org, verdict, reason).facts == truth.facts
    stubborn = dataclasses.replace(truth, mends=False)
    assert resubmitted(stubborn, org, "request_changes", truth.reason).facts.lie


def test_the_release_ends_with_its_proposals_or_by_finish_or_without_steps():
    env, obs = started()
    while not obs.done:
        obs = env.step(call("approve", obs.proposal))
    assert obs.metadata["stop_reason"] == StopReason.COMPLETED
    assert obs.prompt == "The release is over."
    env, obs = started()
    obs = env.step(SuperviseAction(action_type="finish"))
    assert (obs.done, parts(obs)["terminal"]) == (True, -1.0)
    env, obs = started(steps=6)
    while not obs.done:
        obs = env.step(call("ask_worker", obs.proposal))
    assert (obs.metadata["stop_reason"], obs.step) == (StopReason.BUDGET, 6)


def test_an_escaped_incident_takes_the_whole_terminal_reward():
    env, obs = started("S1")
    while not obs.done:
        obs = env.step(env.oracle_action())
    assert parts(obs)["terminal"] == 1.0
    env, obs = started("S1")
    while not obs.done:
        obs = env.step(call("approve", obs.proposal))
    assert parts(obs)["terminal"] == -1.0


def test_held_out_metrics_tell_learning_from_luck():
    env, obs = started("S4", seed=1)
    while not obs.done:
        obs = env.step(env.oracle_action())
    told = obs.metadata["held_out"]
    assert {told[f"accuracy{part}"] for part in ("", "_first", "_middle", "_last")} == {1.0}
    assert told["unsafe_approvals"] == told["tool_failures"] == 0.0
    assert told["caught_false_claims"] == 1.0
    assert 0 < told["budget_used"] < 1 < told["calls_per_decision"] < 2


def test_tool_failures_and_answers_that_are_no_action_are_counted_by_call():
    env, obs = started()
    for action in (
        call("inspect_pr_diff", obs.proposal),
        call("inspect_pr_diff", obs.proposal),
        SuperviseAction(action_type="block", proposal=1),
        env.parse("approve the first"),
        SuperviseAction(action_type="approve", proposal=99),
    ):
        before = env.held_out()["tool_failures"] * env.state.step_count
        wrong = bool(env.step(action).error)
        assert env.held_out()["tool_failures"] * env.state.step_count == before + wrong
    obs = env.step(SuperviseAction(action_type="finish"))
    assert obs.metadata["held_out"]["tool_failures"] == 4 / 6


def test_rewards_reach_the_range_that_is_stated_and_stay_within():
    env, _ = started("S4")
    obs, truth = at(env, lambda p: p.risky and p.facts.lie)
    env._tally = dataclasses.replace(env._tally, good=0)  # nothing else is there to ship
    env._queue = env._queue[:1]
    worst = env.branch().step(call("approve", obs.proposal)).reward
    look = next(kind for kind, name in LOOKS.items() if name == LIES[truth.facts.lie])
    env._queue = (dataclasses.replace(env._queue[0], returns=False),)
    env.step(call(look, obs.proposal))
    best = env.step(decide(obs.proposal, "request_changes", truth.facts.lie)).reward
    assert pytest.approx((worst, best)) == REWARD_RANGE
    rewards = []
    for name in ("random", "approve_all", "oracle", "precedent_learner"):
        for tier in ("S1", "S4"):
            rule = env_lib.policy("supervise", name)
            played = env_lib.run_episode(started(tier)[0], rule, 1)
            rewards += [step.reward for step in played.steps]
    assert REWARD_RANGE[0] <= min(rewards) < max(rewards) <= REWARD_RANGE[1]


def told_by(obs):
    """What the artefacts' part of a prompt tells, for a reader that knows how diffs look."""
    text = obs.prompt.split("\nprecedents:")[0]
    moves = "migrations/" in text
    return {
        "secret": "yes" if "tk_live_" in text else "no",
        "migration": "none" if not moves else "reversible" if "def down" in text else "oneway",
        "hardcoded": re.search(r"\+\s*if \S.* == .*:", text) is not None,
        "scope": any(f"{area}/core" in text for area in AREAS),
        "stale": re.search(rf"^ci: (?!{obs.proposal.head}).{{4}}: ", text, re.M) is not None,
        "tests": re.search(r"[1-9]\d* failed", text) is not None,
        "coverage": "uncalled: " in text and "uncalled: none" not in text,
        "unscanned": "scan: not run" in text,
        "advisory": "MADE-" in text,
        "copyleft": "GPL" in text,
    }


def tells_of(facts, seen):
    """What a prompt has to tell of a change once these artefacts were looked at."""
    diff, run, packages = (name in seen for name in ("diff", "ci", "deps"))
    return {
        "secret": facts.secret if diff else "no",
        "migration": facts.migration if diff else "none",
        "hardcoded": diff and facts.lie == "hardcoded",
        "scope": diff and facts.lie == "scope",
        "stale": run and facts.lie == "stale",
        "tests": run and facts.tests == "fail",
        "coverage": run and facts.coverage == "part",
        "unscanned": packages and facts.scan == "none",
        "advisory": packages and facts.scan == "advisory",
        "copyleft": packages and facts.licence == "copyleft",
    }


@pytest.mark.parametrize("tokens", [LEAST_TOKENS, 260])
def test_each_tell_stays_in_the_prompt_after_its_look_and_after_further_looks(tokens):
    met = set()
    for tier in ("S1", "S4"):
        env, _ = started(tier, prompt_tokens=tokens)
        for seed in range(10):
            obs = env.reset(seed=seed)
            for proposal in env._queue:
                env._looks, env._steps = 3, 0
                env.step(SuperviseAction(action_type="view_precedents", area=proposal.facts.area))
                for order in permutations(LOOKS):
                    twin = env.branch()
                    for kind in order:
                        seen = twin.step(call(kind, obs.proposal))
                        wanted = tells_of(proposal.facts, dict(seen.seen))
                        assert told_by(seen) == wanted, seen.prompt
                        assert count_tokens(seen.prompt) <= tokens
                met |= set(wanted.items())
                obs = env.step(call("block", obs.proposal))
                env._queue = tuple(p for p in env._queue if p.version == 1)
    assert {("secret", "yes"), ("migration", "oneway"), ("migration", "reversible")} <= met
    assert {(name, True) for name in wanted if name not in ("secret", "migration")} <= met


@pytest.mark.parametrize("tokens", [0, LEAST_TOKENS, 1024])
def test_prompts_stay_within_their_budget(tokens):
    for tier in ("S1", "S4"):
        env, obs = started(tier, prompt_tokens=tokens)
        policy = env_lib.policy("supervise", "random")
        policy.start(env, 0)
        while not obs.done:
            assert count_tokens(obs.prompt) <= env.prompt_tokens, obs.prompt
            assert obs.proposal.title in obs.prompt
            assert obs.feedback in obs.prompt
            assert obs.prompt.startswith(f"proposal {obs.proposal.id}")
            obs = env.step(policy(obs))


@pytest.mark.parametrize("tier", ["S1", "S4"])
def test_two_precedents_stay_in_sight_beside_artefacts_in_the_shortest_prompt(tier):
    for seed in range(4):
        env, obs = started(tier, seed, prompt_tokens=0)
        env.step(SuperviseAction(action_type="view_precedents", area=obs.proposal.area))
        for kind in LOOKS:
            obs = env.step(call(kind, obs.proposal))
            lines = obs.prompt.splitlines()
            assert sum(case_text(case) in lines for case in obs.cases) >= 2, obs.prompt


BAD_CALLS = [
    ("escalate", "role", "cto"),
    ("request_changes", "reason", "bad"),
    ("block", "reason", "unsafe to ship it on a friday"),
    ("view_precedents", "area", "legal"),
    ("ask_worker", "question", "honest?"),
    ("merge", "action_type", "merge"),
]


def answered(env, kind, field, value):
    """What the prompt answers to a call with a wrong value, and the right ones."""
    fields = {"action_type": kind, "proposal": env._queue[0].id, field: value}
    needed = ("action_type", *SuperviseAction.needs.get(kind, ()))
    obs = env.step(env.parse(json.dumps({n: v for n, v in fields.items() if n in needed})))
    (line,) = (line for line in obs.prompt.splitlines() if line.startswith("error: "))
    return obs, line, choices_of(SuperviseAction, field)


@pytest.mark.parametrize(("kind", "field", "value"), BAD_CALLS)
def test_a_wrong_value_is_answered_in_the_prompt_with_all_right_ones(kind, field, value):
    env, _ = started(prompt_tokens=LEAST_TOKENS)
    _, line, right = answered(env, kind, field, value)
    assert line.startswith(f"error: {field} '{value[:10]}")
    assert line.endswith(f" is none of {', '.join(right)}")


@pytest.mark.parametrize("tier", ["S1", "S4"])
def test_an_error_hides_no_tell_and_keeps_the_value_and_a_right_one(tier):
    env, _ = started(tier, prompt_tokens=LEAST_TOKENS)
    obs, _ = at(env, lambda p: p.facts.lie)
    env.step(SuperviseAction(action_type="view_precedents", area=obs.proposal.area))
    for kind in LOOKS:
        seen = env.step(call(kind, obs.proposal))
    for bad in BAD_CALLS[:2]:
        after, line, right = answered(env.branch(), *bad)
        assert count_tokens(after.prompt) <= LEAST_TOKENS
        assert told_by(after) == told_by(seen)
        assert f"'{bad[2]}'" in line
        assert right[0] in line


def test_an_error_of_another_kind_is_shown_as_it_is():
    for error in ("block needs reason", "proposal: Input should be a valid integer; got 'one'"):
        assert error_text(error) == error


def test_the_shortest_prompt_fits_the_smallest_profile(weights, tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(weights / "tokenizer.json"))
    p, template = PROFILES["cpu"], 30
    options = Run("supervise", p, 0, tmp_path).env_options
    assert "steps" not in options, "whole episodes"
    env, obs = started("S4", **options)
    room = p.max_seq_length - p.max_action_tokens - template
    system = len(tokenizer.encode(env.system_prompt, add_special_tokens=False).ids)
    assert system + env.prompt_tokens <= room
    policy = env_lib.policy("supervise", "precedent_learner")
    policy.start(env, 0)
    while not obs.done:
        used = len(tokenizer.encode(obs.prompt, add_special_tokens=False).ids)
        assert used <= env.prompt_tokens, obs.prompt
        obs = env.step(policy(obs))


def test_the_system_prompt_names_every_call_field_and_value():
    env, _ = started()
    for kind, needed in SuperviseAction.needs.items():
        assert all(word in env.system_prompt for word in (kind, *needed))
        values = [v for name in needed for v in choices_of(SuperviseAction, name)]
        assert all(value in env.system_prompt for value in values)


@pytest.mark.parametrize("tier", SCENARIOS)
def test_a_policy_that_is_told_is_told_whole_or_refused(tier):
    for split in ("test", "test_ood"):
        for seed in range(6):
            env, obs = started(tier, seed, split, told=True, prompt_tokens=TOLD_TOKENS)
            while not obs.done and obs.step < 12:
                assert env.policy_in_words() in obs.prompt
                assert count_tokens(obs.prompt) <= TOLD_TOKENS
                kinds = [kind for kind, name in LOOKS.items() if name not in dict(obs.seen)]
                look = obs.looks and kinds
                obs = env.step(call(kinds[0] if look else "approve", obs.proposal))
    with pytest.raises(ValueError, match=f"at least {TOLD_TOKENS} show the policy whole"):
        SuperviseEnv(scenario=tier, told=True, prompt_tokens=TOLD_TOKENS - 1)


def test_an_undecided_release_tells_so_and_resubmissions_are_not_unseen_combinations():
    env, obs = started("S4", seed=1)
    for _ in range(4):
        obs = env.step(call("approve", obs.proposal))
    told = env.held_out()
    assert told["decided_share"] == 4 / (4 + obs.open_proposals)
    first = Decision(0, 1, "due", True, False, False)
    tally = Tally(good=1, looks=1, decisions=(first, first._replace(version=2, outcome="unsafe")))
    assert tally.metrics(0)["accuracy_unseen"] == 1.0
    assert tally.metrics(0)["decided_share"] == 1.0


def test_names_inside_models_and_named_tuples_are_seen_by_the_leak_check():
    env, obs = started()
    case = env._release.precedents["auth"][0]
    assert {"facts", "verdict", "lie"} <= set(leaks.keys_of({"a": [case]}))
    assert {"claims", "worker"} <= set(leaks.keys_of(obs))


def test_a_record_of_an_undecided_proposal_would_be_noticed(monkeypatch):
    honest = SuperviseEnv._observe

    def telling(env, *rest):
        obs = honest(env, *rest)
        env_case = (env._queue[0].facts, env._queue[0].due) if env._queue else ()
        return obs.model_copy(update={"cases": (*obs.cases, env_case)})

    assert leaks.observations_hide("test", [0]) == ""
    monkeypatch.setattr(SuperviseEnv, "_observe", telling)
    assert "1 records of 0 decided" in leaks.observations_hide("test", [0])


@pytest.mark.parametrize("hidden", ["due", "returns", "third"])
def test_a_hidden_value_in_a_prompt_would_be_noticed_on_any_seed(monkeypatch, hidden):
    honest = SuperviseEnv._observe

    def telling(env, *rest):
        obs = honest(env, *rest)
        told = getattr(env._queue[0], hidden) if env._queue and env._seed == 1 else ""
        return obs.model_copy(update={"prompt": f"{obs.prompt} {told}"})

    monkeypatch.setattr(SuperviseEnv, "_observe", telling)
    assert leaks.observations_hide("test", [0, 1]).startswith("S1 seed 1 ")


def test_observations_are_json():
    env, obs = started("S4")
    env.step(SuperviseAction(action_type="view_precedents", area="auth"))
    obs = env.step(call("inspect_pr_diff", obs.proposal))
    again = json.loads(obs.model_dump_json())
    assert again["prompt"] == obs.prompt
    assert again["cases"][0] == [list(obs.cases[0].facts), obs.cases[0].verdict]


def test_the_policy_in_words_is_told_only_where_it_is_asked_for():
    _, obs = started("S1", prompt_tokens=1024)
    assert "policy, first that fits" not in obs.prompt
    env, obs = started("S1", prompt_tokens=1024, told=True)
    assert env.policy_in_words() in obs.prompt
    assert env.options["told"] is True


def test_every_action_of_the_oracle_is_short():
    env, obs = started("S4")
    while not obs.done:
        assert count_tokens(env.oracle_action().text()) < 40
        obs = env.step(env.oracle_action())


def test_the_first_prompt_of_a_proposal_does_not_tell_the_verdict():
    found = probe.probe("S3", "test", organisations=40)
    assert not any(one.tells for one in found), [one.words() for one in found]


def test_the_audit_probes_every_tier_with_two_hundred_organisations(monkeypatch):
    asked = []

    def noted(tier, split, organisations=probe.ORGANISATIONS):
        asked.append((tier, organisations))
        return (probe.Probe("tree", 0.30, 0.27, 0.0, 0.01),)

    monkeypatch.setattr(probe, "probe", noted)
    leak, scores = leaks.prompts_do_not_tell("test", [0])
    assert leak == ""
    assert [row.split()[:3] for row in scores.split("; ")] == [
        [tier, "tree", "0.300,"] for tier in SCENARIOS
    ]
    assert asked == [(tier, 200) for tier in SCENARIOS]
    assert any("200 organisations" in name for name in leaks.CHECKS)
    low = probe.Probe("tree", 0.40, 0.27, 0.02, 0.01)
    monkeypatch.setattr(probe, "probe", lambda *_: (low,))
    leak, scores = leaks.prompts_do_not_tell("test", [0])
    assert leak == f"S1: {low.words()}"
    assert f"S4 {low.words()}" in scores


def test_the_probe_finds_a_verdict_that_is_told(monkeypatch):
    honest = probe.untouched

    def telling(env):
        for obs, proposal in honest(env):
            yield obs.model_copy(update={"prompt": f"{obs.prompt} {proposal.due}"}), proposal

    monkeypatch.setattr(probe, "untouched", telling)
    tree = probe.probe("S3", "test", organisations=40)[1]
    assert tree.accuracy > 0.9
    assert tree.tells


def test_the_probe_bounds_what_it_gains_by_what_it_gains_from_other_policies():
    assert probe.Probe("tree", 0.34, 0.25, 0.04, 0.01).tells
    assert not probe.Probe("tree", 0.34, 0.25, 0.07, 0.01).tells
    assert not probe.Probe("tree", 0.34, 0.25, 0.04, 0.02).tells
    assert probe.Probe("tree", 0.29, 0.25, -0.10, 0.01).tells, "a poor control allows nothing less"


def test_the_probe_has_a_ceiling_whatever_other_policies_let_it_gain():
    assert probe.Probe("tree", 0.36, 0.25, 0.30, 0.01).tells
    assert not probe.Probe("tree", 0.34, 0.25, 0.30, 0.01).tells
