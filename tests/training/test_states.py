"""A sampled answer is scored in a branch and leaves the state as it was."""

from random import Random

import env_lib
from env_lib.profiles import PROFILES
from env_lib.rollout import Answer, TextPolicy
from env_lib.runs import Run
from env_lib.training.states import Visit, choose, follow, score_answers, visit_episodes


def score_answer(env, text, **settings):
    """One answer's score."""
    return score_answers([(env, text)], **settings)[0]


class OracleWriter(TextPolicy):
    """Answers a prompt with `wait` on its thread: enough to walk."""

    def answer(self, system_prompt, prompts):
        numbers = [prompt.split(":")[0].split()[2] for prompt in prompts]
        return [Answer(f'{{"action_type": "wait", "target_issue_id": {n}}}') for n in numbers]


def test_scoring_leaves_the_state_untouched_and_repeats_itself():
    env = env_lib.make("triage", scenario="E3")
    env.reset(seed=1)
    before = env.state.model_dump()
    text = env.oracle_action().text()
    first = score_answer(env, text, look_ahead=3, gamma=0.9)
    assert first == score_answer(env, text, look_ahead=3, gamma=0.9)
    assert env.state.model_dump() == before
    assert first.valid


def test_the_look_ahead_is_the_discounted_sum_of_the_next_rewards():
    env = env_lib.make("triage", scenario="E3")
    env.reset(seed=1)
    text = env.oracle_action().text()
    score = score_answer(env, text, look_ahead=2, gamma=0.5)
    twin = env.branch()
    obs = twin.step(twin.parse(text))
    assert score.step_reward == obs.reward
    guide = env_lib.policy("triage", "memory_aware")
    one = twin.step(guide(obs))
    two = twin.step(guide(one))
    assert score.look_ahead == 0.5 * (one.reward + 0.5 * two.reward)


def test_a_malformed_answer_costs_and_is_not_valid():
    env = env_lib.make("triage")
    env.reset(seed=0)
    score = score_answer(env, "close it", look_ahead=0, gamma=1.0)
    assert not score.valid
    assert score.components["invalid_action"] == -0.5


def test_a_wasted_step_is_not_paid_for_what_the_cheap_policy_does_after_it():
    env = env_lib.make("triage", scenario="E3")
    obs = env.reset(seed=1)
    query = f'{{"action_type": "query_history", "target_issue_id": {obs.thread.number}}}'
    assert score_answer(env, query, look_ahead=3, gamma=0.9).look_ahead != 0.0
    env.step(env.parse(query))
    again = score_answer(env, query, look_ahead=3, gamma=0.9)
    assert again.components["repeat_action_penalty"] < 0
    assert again.look_ahead == 0.0
    assert score_answer(env, "close it", look_ahead=3, gamma=0.9).look_ahead == 0.0


def test_a_wasted_step_only_puts_off_the_worst_of_the_other_answers():
    env = env_lib.make("triage", scenario="E3")
    obs = env.reset(seed=1)
    head = f'"target_issue_id": {obs.thread.number}'
    moves = [f'{{"action_type": "{kind}", {head}}}' for kind in ("wait", "query_history")]
    scores = score_answers([(env, text) for text in [*moves, "no"]], look_ahead=3, gamma=0.9)
    least, most = sorted(score.step_reward + score.look_ahead for score in scores[:2])
    assert most > least != 0.0
    assert scores[2].look_ahead == 0.9 * least
    assert not scores[2].valid


def test_a_decision_that_is_put_off_is_made_by_the_model_itself():
    env = env_lib.make("triage", scenario="E3")
    obs = env.reset(seed=1)
    query = f'{{"action_type": "query_history", "target_issue_id": {obs.thread.number}}}'
    score = score_answer(env, query, look_ahead=2, gamma=0.5, writer=OracleWriter())
    twin = env.branch()
    asked = twin.step(twin.parse(query))
    own = twin.step(twin.parse(OracleWriter().answer("", [asked.prompt])[0].text))
    after = twin.step(env_lib.policy("triage", "memory_aware")(own))
    assert score.step_reward == asked.reward
    assert score.look_ahead == 0.5 * (own.reward + 0.5 * after.reward)
    assert score.look_ahead != score_answer(env, query, look_ahead=2, gamma=0.5).look_ahead


def test_equal_answers_to_one_state_are_scored_once(monkeypatch):
    env, other = env_lib.make("triage", scenario="E3"), env_lib.make("triage", scenario="E3")
    env.reset(seed=1)
    other.reset(seed=2)
    texts = [env.oracle_action().text(), "close it"]
    answers = [(env, texts[0]), (env, texts[1]), (env, texts[0]), (other, texts[1])]
    alone = [
        *score_answers(answers[:3], look_ahead=2, gamma=0.5),
        score_answer(other, texts[1], look_ahead=2, gamma=0.5),
    ]
    made = []
    branch = type(env).branch
    monkeypatch.setattr(type(env), "branch", lambda self: made.append(self) or branch(self))
    assert score_answers(answers, look_ahead=2, gamma=0.5) == alone
    assert made == [env, env, other]


def test_a_better_rule_follows_to_a_higher_reward():
    env = env_lib.make("triage", scenario="E2")
    obs = env.reset(seed=4)
    good = follow(env.branch(), obs, "memory_aware", 40)
    assert good > follow(env.branch(), obs, "random", 40)


def test_visits_are_the_same_for_the_same_seed(tmp_path):
    run = Run("triage", PROFILES["smoke"], 0, tmp_path)
    first = visit_episodes(run, OracleWriter(), ["E0", "E3"], "round 1")
    again = visit_episodes(run, OracleWriter(), ["E0", "E3"], "round 1")
    assert [v.normalised for v in first] == [v.normalised for v in again]
    assert [[t for _, t in v.states] for v in first] == [[t for _, t in v.states] for v in again]
    assert all(v.states for v in first)


def test_the_least_certain_states_are_kept_once_a_prompt():
    env = env_lib.make("triage", scenario="E0")
    one = Visit("E0", [(env, "a"), (env, "b"), (env, "a")], 0.0, [0.9, 0.4, 0.9])
    two = Visit("E3", [(env, "c"), (env, "d")], 0.0, [0.6, 1.0])
    assert [prompt for _, prompt in choose([one, two], 3, 0.0, Random(0))] == ["b", "c", "a"]
    assert len(choose([one, two], 9, 0.0, Random(0))) == 4


def test_a_share_of_the_states_stands_guard_over_what_the_model_is_sure_of():
    env = env_lib.make("triage", scenario="E0")
    sure = [i / 20 for i in range(20)]
    visit = Visit("E0", [(env, str(i)) for i in range(20)], 0.0, sure)
    found = [int(prompt) for _, prompt in choose([visit], 10, 0.4, Random(0))]
    assert found[:6] == [0, 1, 2, 3, 4, 5]
    assert len(set(found)) == 10
    assert min(found[6:]) > 5


def test_visits_tell_how_sure_the_model_was(tmp_path):
    run = Run("triage", PROFILES["smoke"], 0, tmp_path)
    (visit,) = visit_episodes(run, OracleWriter(), ["E0"], "round 1")
    assert len(visit.confidence) == len(visit.states)
    assert all(0 <= sure <= 1 for sure in visit.confidence)
