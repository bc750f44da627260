"""Train a tiny reward model on preference pairs with trl."""

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForSequenceClassification, PreTrainedTokenizerFast
from transformers.utils import is_peft_available
from trl import RewardConfig, RewardTrainer


def main(inputs):
    words = ["[PAD]", "[UNK]", "</s>", *sorted(set(" ".join(sum(inputs["pairs"], [])).split()))]
    raw = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]", eos_token="</s>"
    )
    torch.manual_seed(0)
    model = LlamaForSequenceClassification(LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, pad_token_id=0, num_labels=1,
    ))
    chosen, rejected = map(list, zip(*inputs["pairs"]))
    args = RewardConfig(
        "out", max_steps=3, max_length=8, bf16=False, use_cpu=True, report_to="none",
        save_strategy="no", disable_tqdm=True, learning_rate=0.05,
    )
    trainer = RewardTrainer(
        model, args, train_dataset=Dataset.from_dict({"chosen": chosen, "rejected": rejected}),
        processing_class=tok,
    )
    steps = trainer.train().global_step
    batch = tok(chosen + rejected, return_tensors="pt", padding=True)
    scores = model(**batch).logits[:, 0].tolist()
    wins = sum(a > b for a, b in zip(scores, scores[len(chosen):]))
    return {"steps": steps, "wins": wins, "pairs": len(trainer.train_dataset), "peft": is_peft_available()}
