"""The challenger's reward, what makes a drift valid, and the rule-based challenger."""

from dataclasses import replace

import pytest

from env_lib.core import InvalidAction
from env_lib.envs.drift.action import ChallengeAction, DriftAction
from env_lib.envs.drift.challenger import (
    RECENT,
    RuleChallenger,
    candidates,
    cosine,
    default_of,
    first_proposal,
    propose,
    proposed,
    repetition,
    reward,
    solved_of,
    task_for,
    uncertainty,
)
from env_lib.envs.drift.contest import play
from env_lib.envs.drift.env import DriftEnv
from env_lib.envs.drift.policies import Noop
from env_lib.envs.drift.records import Change
from env_lib.rollout import Oracle, Policy, run_episode
from tests.envs.drift.made_tasks import LOUD, OVERLAY

SORT = "pandas.DataFrame.sort_values"
GOOD = Change("rename_kwarg", SORT, "by", "key_name")
OTHER = Change("rename_symbol", "numpy.array", "array", "make")


@pytest.mark.parametrize(
    ("solved", "attempts", "wanted"), [(0, 4, 0.0), (2, 4, 1.0), (6, 8, 0.5), (8, 8, 0.0)]
)
def test_uncertainty_is_highest_at_one_half(solved, attempts, wanted):
    assert uncertainty(solved, attempts) == wanted


@pytest.mark.parametrize(("solved", "attempts"), [(1, 3), (1, 9), (5, 4), (-1, 4)])
def test_a_proposal_is_judged_by_four_to_eight_attempts(solved, attempts):
    with pytest.raises(ValueError, match="4 to 8 attempts"):
        uncertainty(solved, attempts)


def test_an_invalid_drift_earns_nothing_however_unsure_the_repairer():
    assert reward(GOOD, False, 2, 4, []) == 0.0
    assert reward(GOOD, True, 2, 4, []) == 1.0


def test_repeating_a_proposal_halves_what_it_earns_and_an_unlike_one_does_not():
    assert reward(GOOD, True, 2, 4, [GOOD]) == pytest.approx(0.5)
    assert reward(GOOD, True, 2, 4, [OTHER]) > 0.8
    assert reward(GOOD, True, 0, 4, [GOOD]) == 0.0, "nothing earns less than nothing"


def test_only_recent_proposals_count():
    assert repetition(GOOD, [GOOD, *[OTHER] * RECENT]) < 0.5
    assert cosine(GOOD, GOOD) == pytest.approx(1.0)


INVALID = {
    "breaks nothing": Change("rename_kwarg", SORT, "kind", "sort_kind"),
    "no such name": Change("rename_kwarg", "pandas.DataFrame.no_such", "by", "key"),
    "no breakage": Change("drop_kwarg", SORT, "by", ""),
    "nothing mends it": Change("remove_kwarg", SORT, "by", ""),
}


@pytest.mark.parametrize("change", INVALID.values(), ids=INVALID)
def test_a_drift_that_breaks_nothing_or_that_nothing_mends_is_invalid(change):
    assert task_for(change, LOUD) is None


def test_a_valid_drift_breaks_the_healthy_script_and_its_inverse_mends_it():
    task = task_for(GOOD, LOUD)
    assert task.source == LOUD.reference
    assert task.overlay.changes == (GOOD,)
    assert solved_of(task, [Oracle]) == 4
    assert solved_of(task, [Oracle, Noop]) == 2
    assert solved_of(task, [Noop], 8) == 0


def test_a_changed_default_takes_the_old_one_from_the_signature():
    task = task_for(Change("change_default", SORT, "na_position", "'first'"), LOUD)
    assert task is None, "no value is missing: it breaks nothing"
    assert default_of(Change("change_default", SORT, "ascending", "False")) == "True"


def test_the_rule_based_challenger_proposes_valid_drifts_each_unlike_the_last():
    challenger = RuleChallenger(seed=3)
    made = [challenger(LOUD) for _ in range(2)]
    assert all(task is not None for task in made)
    assert len(set(challenger.recent)) == 2
    again = RuleChallenger(seed=3)
    assert again(LOUD).overlay == made[0].overlay


def test_candidates_are_of_what_the_script_uses():
    import random

    found = list(candidates(LOUD.reference, random.Random(0)))
    assert {"remove_symbol", "move_symbol"}.isdisjoint({c.primitive for c in found})
    assert {"pandas.DataFrame", SORT} <= {change.target for change in found}
    assert {change.old for change in found if change.primitive == "rename_kwarg"} == {
        "by", "ascending", "0",
    }  # fmt: skip
    assert Change("rename_column", "pandas.DataFrame", "price", "price_spec") in [
        replace(change, new="price_spec") for change in found
    ]
    assert all(change.old != change.new for change in found)


def test_an_episode_may_open_with_a_proposal():
    env = DriftEnv(scenario="D1", split="test", task=LOUD, challenger=True)
    obs = env.reset()
    assert obs.prompt.startswith("propose a drift of pandas")
    obs = env.step(propose(GOOD))
    assert obs.error == ""
    assert "'by'" in obs.message
    obs = env.step(
        DriftAction(action_type="apply", primitive="rename_kwarg", old="by", new="key_name")
    )
    assert obs.metadata["held_out"]["solved"] == obs.metadata["held_out"]["proposal_valid"] == 1.0


WHY = {
    "breaks nothing": (
        INVALID["no breakage"],
        "'drop_kwarg' is no breakage; one of: rename_symbol",
    ),
    "no such name": (INVALID["no such name"], "pandas.DataFrame.no_such does not exist"),
    "nothing mends it": (INVALID["breaks nothing"], "nothing mends it: no keyword kind"),
}


@pytest.mark.parametrize(("change", "said"), WHY.values(), ids=WHY)
def test_an_invalid_proposal_is_told_why_pays_nothing_and_may_be_followed_by_another(change, said):
    env = DriftEnv(scenario="D1", split="test", task=LOUD, challenger=True)
    assert env.reset().code == LOUD.reference, "a drift is proposed of what runs"
    obs = env.step(propose(change))
    assert said in obs.error
    assert obs.reward == 0.0
    assert env.step(propose(GOOD)).error == ""


def test_an_episode_that_only_proposes_solves_nothing():
    env = DriftEnv(scenario="D1", split="test", task=LOUD, challenger=True, steps=1)
    env.reset()
    obs = env.step(propose(INVALID["breaks nothing"]))
    assert obs.done
    assert obs.metadata["held_out"]["solved"] == obs.metadata["held_out"]["proposal_valid"] == 0.0


def test_misspelt_params_are_told():
    action = propose(GOOD).model_copy(update={"params": {"odl": "by"}})
    assert proposed(action, LOUD)[1] == "params has odl; it takes old, new and was"


class Proposes(Policy):
    """Proposes the same drift whatever it sees."""

    name = "proposes"

    def __call__(self, obs):
        assert obs.prompt.startswith("propose a drift of pandas")
        return propose(GOOD)


def test_a_contest_pays_a_drift_that_half_of_the_attempts_mend():
    first, second = play(Proposes(), [Oracle, Noop], [LOUD, OVERLAY])
    assert (first.solved, first.reward, first.error) == (2, 1.0, "")
    assert (second.solved, second.reward) == (2, 0.5), "it is the same again"
    (none,) = play(Noop(), [Oracle], [LOUD])
    assert (none.task, none.reward) == (None, 0.0)


def test_a_repair_names_its_call_where_another_has_the_keyword():
    source = LOUD.reference.replace(
        "    return", "    frame.sort_index(ascending=True)\n    return"
    )
    task = task_for(
        Change("rename_kwarg", SORT, "ascending", "rising"), replace(LOUD, reference=source)
    )
    assert task.repairs[0].old == "sort_values.ascending"


def test_repairs_wait_for_the_proposal_and_proposals_come_once():
    env = DriftEnv(scenario="D1", split="test", task=LOUD, challenger=True)
    env.reset()
    early = env.step(DriftAction(action_type="inspect", symbol="pandas"))
    assert early.error == "the episode opens with a propose"
    env.step(propose(GOOD))
    assert env.step(propose(OTHER)).error == "a drift is there already; repair it"


def test_a_proposal_parses_and_only_where_it_is_asked_for():
    text = propose(GOOD).text()
    assert text.startswith('{"action_type": "propose", "primitive": "rename_kwarg", "target": ')
    asked = DriftEnv(challenger=True)
    assert isinstance(asked.parse(text), ChallengeAction)
    assert isinstance(DriftEnv().parse(text), InvalidAction)
    assert "propose" in asked.system_prompt


def test_the_oracle_proposes_and_repairs():
    env = DriftEnv(scenario="D3", split="test", task=OVERLAY, challenger=True)
    env.reset(seed=1)
    assert env.oracle_action() == first_proposal(OVERLAY, 1)
    assert run_episode(env, Oracle(), 1).metrics["solved"] == 1.0
