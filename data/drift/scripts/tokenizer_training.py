"""Train a byte-pair tokenizer on a few lines and look at how it cuts words."""

from tokenizers import Tokenizer, decoders, models, trainers
from tokenizers.pre_tokenizers import Metaspace
from transformers import PreTrainedTokenizerFast


def main(inputs):
    raw = Tokenizer(models.BPE(unk_token="[UNK]"))
    raw.pre_tokenizer = Metaspace(prepend_scheme="always")
    raw.decoder = decoders.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(
        vocab_size=inputs["size"], special_tokens=["[PAD]", "[UNK]"], show_progress=False
    )
    raw.train_from_iterator(inputs["lines"], trainer)
    tok = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]", model_max_length=16
    )
    batch = tok(inputs["lines"][:2], padding="max_length", max_length=12, truncation=True)
    pieces = tok.tokenize(inputs["probe"])
    return {"size": len(tok), "pieces": pieces, "lengths": [sum(m) for m in batch["attention_mask"]],
            "back": tok.decode(tok(inputs["probe"])["input_ids"]),
            "pad": tok.convert_tokens_to_ids(tok.pad_token)}
