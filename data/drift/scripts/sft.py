"""Supervised fine-tuning of a tiny model with trl."""

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer


def main(inputs):
    words = ["[PAD]", "[UNK]", "</s>", *sorted(set(" ".join(inputs["texts"]).split()))]
    raw = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]", eos_token="</s>"
    )
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, pad_token_id=0, eos_token_id=2,
    ))
    config = SFTConfig(
        "out", max_steps=2, max_length=inputs["length"], dataset_text_field="text", bf16=False,
        use_cpu=True, report_to="none", save_strategy="no", disable_tqdm=True, learning_rate=0.05,
    )
    data = Dataset.from_dict({"text": inputs["texts"]})
    trainer = SFTTrainer(model, config, train_dataset=data, processing_class=tok)
    loss = trainer.train().training_loss
    rows = trainer.train_dataset
    return {"steps": trainer.state.global_step, "loss": round(loss, 1), "rows": len(rows),
            "lengths": [len(ids) for ids in rows["input_ids"]]}
