"""Scrubbing removes what is private, leaves the words of the trade, and ends soon."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_lib.envs.triage.scrub import scrub

LEAKS = [
    ("write to jane.roe+x@mail.example.org now", "jane"),
    ("jane.roe [at] mail [dot] com", "jane"),
    ("jane(at)mail.com", "jane"),
    ("jane%40mail.com", "jane"),
    ("jane\uff20mail.com", "jane"),
    ("ja\u200bne@roe.com", "roe"),
    ("jane@gpu-box:~/code$ python run.py", "jane"),
    ("thanks @jane-roe, and (@Jane_Roe)", "roe"),
    ("cc @jane-roe/core-team", "roe"),
    ("`@janeroe` said", "janeroe"),
    ("@janeroe[bot] opened", "janeroe"),
    ("\uff20janeroe", "janeroe"),
    ("https://huggingface.co/janeroe/secret-model/tree/main", "janeroe"),
    ("huggingface.co/janeroe/secret-model", "janeroe"),
    ("[w](https://wandb.ai/janeroe/runs/1)", "janeroe"),
    ("hf.co/janeroe", "janeroe"),
    ("hf://datasets/janeroe/x", "janeroe"),
    ("see janeroe-demo.hf.space", "janeroe"),
    ("see janeroe.github.io", "janeroe"),
    ("www.janeroe.com", "janeroe"),
    ("https://github.com/janeroe/peft/pull/1", "janeroe"),
    ("https://github.com/huggingface/peft/compare/main...janeroe:fix", "janeroe"),
    ("https://github.com/huggingface/peft-janeroe", "janeroe"),
    ("git@github.com:janeroe/peft.git", "janeroe"),
    ("pip install git+https://github.com/janeroe/peft@main", "janeroe"),
    ("load janeroe/llama-2-7b-lora please", "janeroe"),
    ("model='JaneRoe/test'", "janeroe"),
    ("janeroe1/llama2 crashes", "janeroe"),
    ("fixed in janeroe/peft#12", "janeroe"),
    ("branch janeroe/peft@fix-it", "janeroe"),
    ("datasets/janeroe/set", "janeroe"),
    ("~/.cache/models--janeroe--secret/snapshots", "janeroe"),
    ("/home/janeroe/code/x.py", "janeroe"),
    ("/Users/janeroe/x.py and C:\\Users\\janeroe\\x.py", "janeroe"),
    ("Fix\n\nCo-authored-by: Jane Roe <j@roe.example>\nSigned-off-by: Jane Roe", "jane"),
    ("ghp_" + "a1B2" * 9, "a1B2"),
    ("github_pat_" + "11AB_" * 8, "11AB"),
    ("TOKEN=hf_" + "xYzQ" * 8, "xYzQ"),
    ("sk-proj-" + "Ab3_" * 10, "Ab3"),
    ("AKIA" + "Q7W2" * 4, "Q7W2"),
    ("AIza" + "Q7w2" * 9, "Q7w2"),
    ("WANDB_API_KEY='0123456789abcdef'", "0123456789"),
    ('{"password": "correct-horse"}', "horse"),
    ("Bearer_token=Zm9vYmFyYmF6", "Zm9v"),
    ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "c2lnbm"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
    ("-----BEGIN PRIVATE KEY-----\nMIIE cut off", "MIIE"),
]


@pytest.mark.parametrize(("text", "secret"), LEAKS, ids=range(len(LEAKS)))
def test_scrubbing_removes_what_names_a_person_or_opens_a_door(text, secret):
    assert secret.lower() not in scrub(f"Before {text}\nafter").lower()
    assert secret.lower() not in scrub(text).lower()


@pytest.mark.parametrize(
    "text",
    [
        "fp16/bf16, 4bit/8bit, A40/A100, Conv1d/Conv2d, 3.11/3.12 and ZeRO-1/2",
        "train/eval, before/after, PiSSA/OLoRA, embed_tokens/lm_head, and/or",
        "see lora/bnb.py, trl/commands/scripts/sft.py and llama.cpp/llama-quantize",
        "huggingface/peft#12 and unslothai/unsloth, as in huggingface/trl",
        "https://github.com/huggingface/trl/issues/48",
        "transformers@v4.31.0, peft@main; y = a @ b; model.module.io",
        "self.tokenizer = AutoTokenizer.from_pretrained(name, token=True)",
        "sk-learn-contrib-something and hf_quantizer_config stay",
        "eos_token = '<|endoftext|>', ratio 1/2, 12/31",
    ],
)
def test_scrubbing_leaves_the_words_of_the_trade_alone(text):
    assert scrub(text) == text


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet="ab1.@/:-_=[](<>%4 0\n\\\uff20\u200b", max_size=60))
def test_scrubbing_twice_changes_nothing(text):
    once = scrub(text)
    assert scrub(once) == once


@pytest.mark.parametrize("part", ["a", "a.", "@", "a@", "-", " ", "a/", "[at]", "@a.", "sk-", "<"])
def test_scrubbing_a_text_of_the_longest_size_ends_soon(part):
    before = time.process_time()
    scrub(part * (65_536 // len(part)))
    assert time.process_time() - before < 5
