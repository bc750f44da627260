"""Train a tiny model on preference pairs with DPO and look at what a batch holds."""

import copy

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer


def main(inputs):
    words = ["[PAD]", "[UNK]", "</s>", *sorted(set(" ".join(sum(inputs["pairs"], [])).split()))]
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
    columns = zip(("prompt", "chosen", "rejected"), map(list, zip(*inputs["pairs"])))
    args = DPOConfig("out", max_length=inputs["length"], truncation_mode="keep_start", bf16=False,
                     use_cpu=True, report_to="none", save_strategy="no", max_steps=2, beta=0.2)
    trainer = DPOTrainer(
        model, copy.deepcopy(model), args=args, train_dataset=Dataset.from_dict(dict(columns)),
        processing_class=tok,
    )
    batch = trainer.data_collator(list(trainer.train_dataset))
    loss = trainer.train().training_loss
    return {"shape": list(batch["input_ids"].shape), "beta": trainer.args.beta,
            "answers": batch["completion_mask"].sum(-1).tolist(), "loss": round(loss, 1),
            "sigmoid": "sigmoid" in args.loss_type}
