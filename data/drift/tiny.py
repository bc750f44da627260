"""Offline fixtures of the snippets in breakages.jsonl: tiny tokenizer, models, data, a hub cache.

Works on every release that the snippets were run on. Libraries are imported where they are used,
since a snippet takes all names of this file by a star.
"""

import os
import tempfile
from pathlib import Path

WORDS = "[PAD] [UNK] <s> </s> hello world good bad the a cat dog sat on mat user assistant : .".split()
CHAT = (
    "{% for m in messages %}{{ m['role'] }} : {{ m['content'] }} </s> {% endfor %}"
)
SIZES = {
    "vocab_size": len(WORDS), "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
    "num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 64,
    "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3,
}  # fmt: skip


def tok():
    """Return a tokenizer that knows WORDS."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", unk_token="[UNK]", bos_token="<s>",
        eos_token="</s>", model_max_length=64,
    )  # fmt: skip
    made.chat_template = CHAT
    return made


def cfg():
    """Return the settings of the models."""
    from transformers import LlamaConfig

    return LlamaConfig(**SIZES)


def model():
    """Return a causal language model."""
    import torch
    from transformers import LlamaForCausalLM

    torch.manual_seed(0)
    return LlamaForCausalLM(cfg()).eval()


def clf():
    """Return a classifier of two classes."""
    import torch
    from transformers import LlamaForSequenceClassification

    torch.manual_seed(0)
    settings = cfg()
    settings.num_labels = 2
    return LlamaForSequenceClassification(settings).eval()


def saved(dtype=None):
    """Return the folder of a saved model and tokenizer."""
    folder = tempfile.mkdtemp()
    made = model()
    if dtype is not None:
        made = made.to(dtype)
    made.save_pretrained(folder)
    tok().save_pretrained(folder)
    return folder


def text_ds():
    """Return texts."""
    from datasets import Dataset

    texts = ["hello world", "good cat sat on the mat", "bad dog", "the cat sat"]
    return Dataset.from_dict({"text": texts})


def lm_ds():
    """Return token ids with labels."""
    from datasets import Dataset

    ids = [[4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 4], [5, 6, 7, 8]]
    return Dataset.from_dict({"input_ids": ids, "labels": ids, "attention_mask": [[1] * 4] * 4})


def pref_ds():
    """Return preferences."""
    from datasets import Dataset

    rows = {
        "prompt": ["hello", "the cat"],
        "chosen": [" good world", " sat on the mat"],
        "rejected": [" bad dog", " bad mat"],
    }
    return Dataset.from_dict(rows)


def csv():
    """Return the path of a table of texts and labels."""
    path = os.path.join(tempfile.mkdtemp(), "d.csv")
    Path(path).write_text("text,label\nhello world,0\nbad dog,1\n")
    return path


def hub_cache():
    """Return a hub cache that holds one file of the repository a/b."""
    folder = tempfile.mkdtemp()
    home, commit = Path(folder, "models--a--b"), "0" * 40
    (home / "refs").mkdir(parents=True)
    (home / "snapshots" / commit).mkdir(parents=True)
    (home / "refs" / "main").write_text(commit)
    (home / "snapshots" / commit / "c.txt").write_text("x")
    return folder
