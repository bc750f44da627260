"""Turn dialogues into token ids with a chat template and count the tokens of each speaker."""

from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

TEMPLATE = "{% for m in messages %}{{ m['role'] }} : {{ m['content'] }} </s> {% endfor %}"


def main(inputs):
    words = "[PAD] [UNK] </s> : user assistant hello what is the sum of one and two three bye"
    raw = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words.split())}, "[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tok = PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]", eos_token="</s>"
    )
    tok.chat_template = TEMPLATE
    tok.add_special_tokens({"extra_special_tokens": ["<think>"]})
    talks = [[dict(zip(("role", "content"), turn)) for turn in talk] for talk in inputs["talks"]]
    ids = [tok.apply_chat_template(talk, return_dict=False) for talk in talks]
    data = Dataset.from_list([{"talk": talk} for talk in talks])
    data = data.map(lambda row: {"length": len(tok(row["talk"][0]["content"])["input_ids"])})
    target = tok(text_target="bye")["input_ids"]
    return {"lengths": [len(row) for row in ids], "first": list(data["length"]),
            "unknown": sum(row.count(tok.unk_token_id) for row in ids), "target": target,
            "extra": tok.extra_special_tokens, "special": len(tok.all_special_tokens)}
