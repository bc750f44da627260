"""Fine-tune a tiny causal model on a few lines and report its loss before and after."""

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    AutoModelForCausalLM, DataCollatorForLanguageModeling, LlamaConfig, PreTrainedTokenizerFast,
    Trainer, TrainingArguments,
)


def main(inputs):
    words = sorted(set(" ".join(inputs["lines"]).split()))
    vocab = {word: number for number, word in enumerate(["[PAD]", "[UNK]", *words])}
    raw = Tokenizer(models.WordLevel(vocab, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]")
    data = Dataset.from_dict({"text": inputs["lines"]})
    data = data.map(lambda row: {"input_ids": tok(row["text"])["input_ids"]}, remove_columns="text")
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(LlamaConfig(
        vocab_size=len(vocab), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2,
    ))
    args = TrainingArguments(
        "out", max_steps=inputs["steps"], per_device_train_batch_size=4, learning_rate=0.02,
        use_cpu=True, report_to="none", save_strategy="no", disable_tqdm=True,
    )
    collator = DataCollatorForLanguageModeling(tok, mlm=False)
    trainer = Trainer(
        model, args, train_dataset=data, eval_dataset=data, data_collator=collator,
        processing_class=tok,
    )
    before = trainer.evaluate()["eval_loss"]
    trainer.train()
    after = trainer.evaluate()["eval_loss"]
    return {"steps": trainer.state.global_step, "before": round(before, 1),
            "fell": after < before - 0.1, "pad": str(tok.special_tokens_map["pad_token"])}
