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


def test_what_the_same_weights_answered_is_not_decoded_again(tiny, tokenizer, questions):
    from env_lib.policy_model import ModelPolicy
    from env_lib.rollout import Answer

    one, other = (ModelPolicy(tiny, tokenizer, name=n, max_tokens=4) for n in ("sft", "grpo"))
    system, (prompt, *_) = questions
    said = Answer("said before", 0.5)
    one._memory[system, prompt] = said
    other.remember(one)
    assert other.answer(system, [prompt]) == [said]


@pytest.mark.parametrize("duty", sorted(env_lib.list_envs()))
def test_what_a_mask_lets_through_ends_as_an_action_in_every_duty(duty, tokenizer):
    import torch

    from env_lib.models import stop_ids
    from env_lib.policy_model import ModelPolicy

    count, stops = 8, stop_ids(tokenizer)
    action_type = env_lib.make(duty).action_type
    writer = ModelPolicy(None, tokenizer, constrain=action_type)
    mask, rows = writer._grammar(count), [[] for _ in range(count)]
    chance = torch.Generator().manual_seed(0)
    for _ in range(200):
        logits = torch.randn(count, len(tokenizer), generator=chance)
        mask(rows, logits)
        for row, choice in zip(rows, logits.argmax(1).tolist(), strict=True):
            if not row or row[-1] not in stops:
                row.append(choice)
    ended = [row for row in rows if row[-1] in stops]  # a diff at random may be 2,000 letters long
    assert len(ended) > count // 2
    found = [parse_action(writer.text(row), action_type) for row in ended]
    assert "invalid" not in {action.action_type for action in found}
    assert len({action.action_type for action in found}) > 1
