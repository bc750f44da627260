"""A Trainer with a loss and a training step of its own, and a callback that keeps a record."""

import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainerCallback
from transformers import TrainingArguments
from transformers.integrations import is_deepspeed_zero3_enabled


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        return 2 * model(**inputs).loss

    def training_step(self, model, inputs, num_items_in_batch=None):
        self.seen = getattr(self, "seen", 0) + len(inputs["input_ids"])
        return super().training_step(model, inputs, num_items_in_batch)


class Record(TrainerCallback):
    ended = False

    def on_train_end(self, args, state, control, processing_class=None, **kwargs):
        Record.ended = state.global_step


def main(inputs):
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=16, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
                         num_attention_heads=4, num_key_value_heads=4)
    data = Dataset.from_dict({"input_ids": inputs["rows"], "labels": inputs["rows"]})
    args = TrainingArguments("out", max_steps=inputs["steps"], per_device_train_batch_size=2,
                             use_cpu=True, report_to="none", save_strategy="no", warmup_steps=0.1)
    trainer = Weighted(LlamaForCausalLM(config), args, train_dataset=data, callbacks=[Record()])
    loss = trainer.train().training_loss
    return {"loss": round(loss, 1), "seen": trainer.seen, "ended": Record.ended,
            "zero3": is_deepspeed_zero3_enabled()}
