"""Shared fixtures: a tiny random Llama with SmolLM2's tokenizer, so that training is fast."""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest


@pytest.fixture(scope="session")
def weights():
    """The converted SmolLM2 weights, from the cache that `make setup` fills."""
    from env_lib.models import weights_folder

    folder = weights_folder()
    if not (folder / "model.safetensors").is_file():
        pytest.skip("SmolLM2 is not in the cache; `make setup` fetches it")
    return folder


@pytest.fixture(scope="session")
def tokenizer(weights):
    """SmolLM2's tokenizer."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(weights)


@pytest.fixture
def tiny(tokenizer):
    """A random Llama of two layers and SmolLM2's vocabulary, with LoRA layers that do something."""
    pytest.importorskip("unsloth", reason="the train extra is not installed")
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import LlamaForCausalLM

    from tests.tiny_llama import tiny_config

    torch.manual_seed(0)
    config = tiny_config(tokenizer)
    model = get_peft_model(
        LlamaForCausalLM(config),
        LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM"),
    )
    for name, parameter in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter, std=0.05)
    return model
