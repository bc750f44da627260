"""Shared prefixes change the cost, never the numbers."""

import copy

import pytest

torch = pytest.importorskip("torch")

PROMPTS = ([5, 6, 7, 8, 9, 10], [5, 6, 7, 11], [5, 6, 7, 12, 13, 14, 15])


@pytest.fixture(params=["segments", "copies"], autouse=True)
def way(request, monkeypatch):
    """Both ways: shared segments as on a CPU, expanded copies as on a GPU."""
    if request.param == "copies":
        monkeypatch.setattr("env_lib.generation.enable", lambda backbone: False)
    return request.param


def plain_logps(model, prompt, completion):
    ids = torch.tensor([[*prompt, *completion]])
    logits = model(ids).logits.float().log_softmax(-1)[0, len(prompt) - 1 : -1]
    return logits.gather(1, torch.tensor(completion)[:, None]).squeeze(1)


def test_log_probabilities_equal_those_of_full_sequences(tiny):
    from env_lib.generation import completion_logps

    rows = [prompt for prompt in PROMPTS for _ in range(2)]
    completions = torch.randint(20, 900, (6, 5))
    logps, entropies = completion_logps(tiny, rows, completions)
    for i, row in enumerate(rows):
        expected = plain_logps(tiny, row, completions[i].tolist())
        torch.testing.assert_close(logps[i], expected, atol=1e-5, rtol=1e-5)
    assert (entropies > 0).all()


def test_gradients_equal_those_of_full_sequences(tiny):
    from env_lib.generation import completion_logps

    rows = [prompt for prompt in PROMPTS for _ in range(2)]
    completions = torch.randint(20, 900, (6, 5))
    parameters = [p for p in tiny.parameters() if p.requires_grad]
    shared = torch.autograd.grad(completion_logps(tiny, rows, completions)[0].sum(), parameters)
    total = sum(plain_logps(tiny, row, completions[i].tolist()).sum() for i, row in enumerate(rows))
    for ours, theirs in zip(shared, torch.autograd.grad(total, parameters), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-3)


def test_prompts_shared_by_unequal_numbers_of_rows_give_the_same(tiny):
    from env_lib.generation import completion_logps

    rows = [PROMPTS[0], PROMPTS[1], PROMPTS[1], PROMPTS[2]]
    completions = torch.randint(20, 900, (4, 3))
    logps, _ = completion_logps(tiny, rows, completions)
    for i, row in enumerate(rows):
        expected = plain_logps(tiny, row, completions[i].tolist())
        torch.testing.assert_close(logps[i], expected, atol=1e-5, rtol=1e-5)


def test_equal_completions_of_a_prompt_are_computed_once_and_counted_each_time(tiny, monkeypatch):
    from env_lib import generation
    from env_lib.generation import Prefix, completion_logps

    rows = [PROMPTS[i] for i in (0, 1, 0, 1, 1, 0)]  # shuffled, as a trainer's batch is
    one, two = torch.randint(20, 900, (2, 4))
    completions = torch.stack([one, one, two, one, one, one])
    computed, encoded = [], []
    encode = generation.encode
    monkeypatch.setattr(
        generation, "encode", lambda m, prompts: encoded.append(len(prompts)) or encode(m, prompts)
    )
    forward = Prefix.forward
    monkeypatch.setattr(
        Prefix, "forward", lambda s, b, ids, n: computed.append(len(ids)) or forward(s, b, ids, n)
    )
    parameters = [p for p in tiny.parameters() if p.requires_grad]
    logps, _ = completion_logps(tiny, rows, completions)
    assert (encoded, computed) == ([2], [3])
    plain = [plain_logps(tiny, p, c.tolist()) for p, c in zip(rows, completions, strict=True)]
    torch.testing.assert_close(logps, torch.stack(plain), atol=1e-5, rtol=1e-5)
    shared = torch.autograd.grad(logps.sum(), parameters)
    theirs = torch.autograd.grad(torch.stack(plain).sum(), parameters)
    for own, other in zip(shared, theirs, strict=True):
        torch.testing.assert_close(own, other, atol=1e-4, rtol=1e-3)


def test_greedy_samples_equal_those_of_a_plain_loop(tiny):
    from env_lib.generation import sample

    drawn = sample(tiny, PROMPTS, stops=(2,), max_tokens=6)
    for prompt, found in zip(PROMPTS, drawn, strict=True):
        ids = list(prompt)
        for _ in range(6):
            with torch.no_grad():
                ids.append(int(tiny(torch.tensor([ids])).logits[0, -1].argmax()))
        assert found.ids == ids[len(prompt) :][: len(found.ids)]


def test_an_answer_ended_by_hand_counts_as_ended(tiny):
    from env_lib.generation import sample

    def end_at_the_third(rows, logits):
        if len(rows[0]) == 2:
            logits[:] = -1e9
            logits[:, 2] = 0.0

    ended = sample(tiny, PROMPTS, stops=(0, 2), max_tokens=6, logit_mask=end_at_the_third)
    assert [s.truncated for s in ended] == [False] * 3
    assert [s.ids[-1] for s in ended] == [2] * 3
    cut = sample(tiny, PROMPTS, stops=(), max_tokens=6)
    assert [s.truncated for s in cut] == [True] * 3


def test_the_common_prefix_leaves_every_row_a_token():
    from env_lib.generation import common_prefix

    assert common_prefix([[1, 2, 3], [1, 2, 3]]) == 2
    assert common_prefix([[1], [1, 2]]) == 0


def test_quick_decoding_leaves_answers_and_weights_as_they_are(tiny):
    from env_lib.cpu_decode import quick_decode

    model = copy.deepcopy(tiny)
    assert any("lora_B" in name for name, _ in model.named_parameters())
    for name, value in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(value, std=0.5)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    ids = torch.tensor([list(PROMPTS[0])])
    with torch.no_grad():
        expected = model(ids).logits
        with quick_decode(model):
            quick = model(ids).logits
        torch.testing.assert_close(quick, expected, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(model(ids).logits, expected, atol=1e-5, rtol=1e-5)
    for name, value in model.state_dict().items():
        torch.testing.assert_close(value, before[name], atol=1e-6, rtol=1e-6)


def test_sampling_goes_beyond_the_length_that_a_profile_trains_with(tokenizer, tmp_path):
    """The told prompts of supervise may be longer than `max_seq_length`; they are sampled whole."""
    pytest.importorskip("unsloth", reason="the train extra is not installed")
    import dataclasses

    from transformers import LlamaForCausalLM

    from env_lib import models
    from env_lib.generation import sample
    from env_lib.profiles import PROFILES
    from tests.tiny_llama import tiny_config

    torch.manual_seed(0)
    plain = LlamaForCausalLM(tiny_config(tokenizer, positions=1024))
    plain.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    short = dataclasses.replace(
        PROFILES["smoke"], model=str(tmp_path), max_seq_length=64, precision="fp32"
    )
    loaded, _ = models.load(short)
    prompt = torch.randint(20, 900, (150,)).tolist()
    (found,) = sample(loaded, [prompt], stops=(), max_tokens=6)
    ids = list(prompt)
    for _ in range(6):
        with torch.no_grad():
            ids.append(int(plain(torch.tensor([ids])).logits[0, -1].argmax()))
    assert found.ids == ids[150:]
    changed = [prompt[0] + 1, *prompt[1:]]
    (other,) = sample(loaded, [changed], stops=(), max_tokens=1)
    assert other.logp != sample(loaded, [prompt], stops=(), max_tokens=1)[0].logp, "it is all read"
