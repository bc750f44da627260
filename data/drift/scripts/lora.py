"""Put LoRA adapters on a tiny model, train them for a few steps, merge them."""

import torch
from peft import LoraConfig, get_peft_model
from peft.mapping import PEFT_TYPE_TO_TUNER_MAPPING
from peft.mapping_func import MODEL_TYPE_TO_PEFT_MODEL_MAPPING
from transformers import LlamaConfig, LlamaForCausalLM


def main(inputs):
    torch.manual_seed(0)
    base = LlamaForCausalLM(LlamaConfig(
        vocab_size=16, hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2,
    ))
    config = LoraConfig(
        r=inputs["rank"], lora_alpha=16, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"
    )
    model = get_peft_model(base, config)
    trained, total = model.get_nb_trainable_parameters()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=0.05)
    rows = torch.tensor(inputs["rows"])
    losses = []
    for _ in range(4):
        loss = model(input_ids=rows, labels=rows).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(float(loss.detach()))
    merged = model.merge_and_unload()
    return {"trained": trained, "total": total, "fell": losses[-1] < losses[0],
            "scaling": config.lora_alpha / config.r, "merged": type(merged).__name__,
            "known": config.task_type in MODEL_TYPE_TO_PEFT_MODEL_MAPPING,
            "tuner": PEFT_TYPE_TO_TUNER_MAPPING[config.peft_type].__name__}
