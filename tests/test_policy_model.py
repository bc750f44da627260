"""A model that knows nothing of actions, held to their grammar, answers in actions."""

import pytest

import env_lib
from env_lib.language import parse_action

pytest.importorskip("llguidance", reason="the train extra is not installed")

MAX_TOKENS = 100
"""Enough for the longest action spelt letter by letter, as a random model may."""


@pytest.fixture
def questions():
    """A system prompt and the first prompts of three tiers."""
    envs = [env_lib.make("triage", scenario=tier, split="val") for tier in ("E0", "E2", "E5")]
    return envs[0].system_prompt, [env.reset(seed=0).prompt for env in envs]


def test_every_constrained_answer_is_whole_and_parses(tiny, tokenizer, questions):
    from env_lib.envs.triage.env import TriageAction
    from env_lib.policy_model import ModelPolicy

    raw = ModelPolicy(tiny, tokenizer, max_tokens=MAX_TOKENS)
    free = raw.answer(*questions)
    assert {parse_action(a.text, TriageAction).action_type for a in free} == {"invalid"}
    held = raw.constrained(TriageAction)
    answers = held.answer(*questions)
    found = [parse_action(answer.text, TriageAction) for answer in answers]
    assert [getattr(action, "error", "") for action in found] == [""] * len(found)
    assert {action.action_type for action in found} <= set(TriageAction.needs)
    assert not any(answer.truncated for answer in answers)
    assert all(0 <= answer.confidence <= 1 for answer in answers)


def test_a_constrained_answer_that_was_valid_unconstrained_is_not_decoded_again(
    tiny, tokenizer, questions
):
    from env_lib.envs.triage.env import TriageAction
    from env_lib.policy_model import ModelPolicy
    from env_lib.rollout import Answer

    raw = ModelPolicy(tiny, tokenizer, max_tokens=MAX_TOKENS)
    system, (one, two, _) = questions
    good = Answer('{"action_type": "wait", "target_issue_id": 5}', 0.5)
    raw._memory[system, one] = good
    raw._memory[system, two] = Answer("close it", 0.5)
    held = raw.constrained(TriageAction)
    again, other = held.answer(system, [one, two])
    assert again is good
    assert parse_action(other.text, TriageAction).action_type != "invalid"
