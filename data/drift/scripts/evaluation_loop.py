"""Measure a tiny language model's loss over a data set, batch by batch, with accelerate."""

import torch
from accelerate import Accelerator
from accelerate.utils import AutocastKwargs, DataLoaderConfiguration
from torch.utils.data import DataLoader
from transformers import LlamaConfig, LlamaForCausalLM, TrainingArguments


def main(inputs):
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=16, hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=4, num_key_value_heads=4,
    )
    args = TrainingArguments(
        "out", per_device_eval_batch_size=inputs["batch"], warmup_steps=0.1, report_to="none",
        train_sampling_strategy="group_by_length", use_cpu=True,
    )
    loader = DataLoader(torch.tensor(inputs["rows"]), batch_size=args.per_device_eval_batch_size)
    accelerator = Accelerator(
        cpu=True, dataloader_config=DataLoaderConfiguration(dispatch_batches=False)
    )
    model, loader = accelerator.prepare(LlamaForCausalLM(config).eval(), loader)
    losses = []
    with accelerator.autocast(autocast_handler=AutocastKwargs(cache_enabled=True)):
        for batch in loader:
            with torch.no_grad():
                losses.append(float(model(input_ids=batch, labels=batch).loss))
    mean = sum(losses) / len(losses)
    return {"batches": len(losses), "loss": round(mean, 1), "half": accelerator.mixed_precision,
            "sampling": str(args.train_sampling_strategy), "warm": args.warmup_steps}
