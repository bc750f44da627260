"""Pad a batch for a masked model, and check what the collator and the optimiser were given."""

import torch
from torch.optim import AdamW
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import DataCollatorWithPadding, PreTrainedTokenizerFast, TrainingArguments
from transformers import BertConfig, BertForSequenceClassification


def main(inputs):
    words = ["[PAD]", "[UNK]", *sorted(set(" ".join(inputs["texts"]).split()))]
    raw = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]")
    args = TrainingArguments(
        "out", eval_strategy="steps", eval_steps=inputs["every"], use_cpu=True, report_to="none",
        accelerator_config={"dispatch_batches": False},
    )
    rows = [tok(text, truncation="longest_first", max_length=4) for text in inputs["texts"]]
    batch = DataCollatorWithPadding(tok)(rows)
    one = tok(inputs["texts"][0], padding="max_length", max_length=6)["input_ids"]
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(words), hidden_size=16, num_hidden_layers=1,
                        num_attention_heads=2, intermediate_size=16)
    model = BertForSequenceClassification(config).eval()
    optimizer = AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
    logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
    return {"shape": list(logits.shape), "mask": batch["attention_mask"].sum(-1).tolist(),
            "one": one, "every": args.eval_steps, "strategy": str(args.eval_strategy.value),
            "decay": optimizer.defaults["weight_decay"]}
