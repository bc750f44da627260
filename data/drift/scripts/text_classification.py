"""Train a tiny classifier of short sentences and say what it predicts."""

import torch
from datasets import Dataset
from transformers import LlamaConfig, LlamaForSequenceClassification, Trainer, TrainingArguments


def main(inputs):
    words = sorted({word for text in inputs["texts"] for word in text.split()})
    ids = {word: number + 1 for number, word in enumerate(words)}
    rows = [[ids[word] for word in text.split()][:3] for text in inputs["texts"]]
    rows = [row + [0] * (3 - len(row)) for row in rows]
    data = Dataset.from_dict({"input_ids": rows, "labels": inputs["labels"]})
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(ids) + 1, hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, pad_token_id=0, num_labels=2,
    )
    args = TrainingArguments(
        "out", max_steps=3, per_device_train_batch_size=len(rows), learning_rate=0.01,
        optim="adafactor", use_cpu=True, report_to="none", save_strategy="no", disable_tqdm=True,
    )
    trainer = Trainer(
        LlamaForSequenceClassification(config), args, train_dataset=data, eval_dataset=data
    )
    steps = trainer.train(resume_from_checkpoint=None).global_step
    found = trainer.predict(data).predictions.argmax(-1).tolist()
    return {"steps": steps, "right": sum(a == b for a, b in zip(found, inputs["labels"])),
            "loss": round(trainer.evaluate()["eval_loss"], 1)}
