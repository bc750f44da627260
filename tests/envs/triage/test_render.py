"""The prompt: within its budget by the real tokenizer, and filled in order of priority."""

import random
import re
from collections import Counter

import pytest

from env_lib.envs.triage.env import TriageAction, TriageEnv
from env_lib.envs.triage.render import reserve, thread_text
from env_lib.envs.triage.scenario import SCENARIOS, build_queue, library
from env_lib.language import count_tokens, cut

PROMPTS = 2000


@pytest.fixture(scope="module")
def tokens(weights):
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(
        str(weights / "tokenizer.json")
    )
    return lambda texts: [
        len(e.ids) for e in tokenizer.encode_batch(texts, add_special_tokens=False)
    ]


def prompts(budget, split="test", seed=3):
    """Prompts of whole shifts of every tier, with records, closings and errors as they come."""
    found = []
    for tier in SCENARIOS:
        env, rng = TriageEnv(scenario=tier, split=split, prompt_tokens=budget), random.Random(tier)
        obs = env.reset(seed=seed)
        while not obs.done:
            found.append(obs.prompt)
            kind = rng.choice(["query_history", "close_spam", "nonsense", "best"])
            if kind == "nonsense":
                action = env.parse(
                    '{"action_type": "label", "target_issue_id": "' + "x9_#" * 30 + '"}'
                )
            elif kind == "best":
                action = env.oracle_action()
            else:
                action = TriageAction(action_type=kind, target_issue_id=obs.thread.number)
            obs = env.step(action)
    return found


@pytest.mark.parametrize("budget", [112, 128, 260])
def test_no_prompt_of_any_tier_is_over_its_budget(tokens, budget):
    texts = prompts(budget) + prompts(budget, split="train")
    assert len(texts) >= PROMPTS
    counts = tokens(texts)
    longest = max(range(len(texts)), key=counts.__getitem__)
    assert counts[longest] <= budget, texts[longest]


def test_a_larger_budget_is_used(tokens):
    assert sum(tokens(prompts(112))) < 0.7 * sum(tokens(prompts(260)))


def test_the_estimate_is_seldom_under_the_real_count(tokens):
    texts = prompts(260)
    under = [n > count_tokens(text) * 1.12 for n, text in zip(tokens(texts), texts, strict=True)]
    assert sum(under) / len(under) < 0.01


def some_item(similar=3):
    queue = [i for seed in range(4) for i in build_queue(SCENARIOS["E0"], library("test"), seed)[1]]
    return next(i for i in queue if len(i.similar) == similar and len(i.body) > 150)


def test_a_prompt_holds_head_text_author_and_neighbours_in_that_order():
    item = some_item()
    lines = thread_text(item, 1024).splitlines()
    assert lines[0].startswith(f"{item.repo.split('/')[1]} ")
    assert str(item.number) in lines[0]
    assert item.title in lines[0]
    assert lines[1] == item.body
    assert lines[2].startswith(f"author {item.author.handle}: ")
    assert [line.split()[1] for line in lines[3:]] == [str(number) for number, _, _ in item.similar]


def test_the_further_neighbours_go_first_and_the_author_never():
    item = some_item()
    counts = []
    for budget in (280, 160, 128, 112):
        text = thread_text(item, budget)
        counts.append(text.count("\nsimilar "))
        assert f"author {item.author.handle}" in text
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 3


def test_a_text_is_cut_between_words_and_marked():
    assert cut("one two three", 50) == "one two three"
    assert cut("one two three four five six seven eight", 6).endswith(" ...")
    assert "one two three four five six seven eight".startswith(
        cut("one two three four five six seven eight", 6)[:-4]
    )
    assert cut("word " * 50, 0) == ""


def test_notes_below_the_thread_take_room_only_where_there_are_some():
    assert reserve(112, False, False, False) == reserve(112, True, False, False)
    assert (
        reserve(112, True, True, True)
        > reserve(112, True, True, False)
        > reserve(112, False, False, False)
    )


def test_the_same_thread_is_always_drawn_the_same():
    assert prompts(112, seed=5) == prompts(112, seed=5)


def test_the_last_line_says_in_a_word_what_is_known_of_the_author():
    words = Counter()
    for text in prompts(128, "train"):
        *above, last = text.split("\n")
        word = last.rpartition("author ")[2]
        record = [row for row in above if row.startswith("record: ")]
        merged = int(re.search(r"(\d+) merged", text).group(1))
        shown = record[0].removeprefix("record: ").partition(",")[0] if record else ""
        assert word == (shown or ("trusted" if merged > 2 else "unknown"))
        words[word] += 1
    assert set(words) >= {"trusted", "unknown", "spammer"}
