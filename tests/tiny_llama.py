"""The shape of the tiny random Llama that the tests train: SmolLM2's vocabulary, two layers."""

from transformers import LlamaConfig


def tiny_config(tokenizer, positions=512):
    """Return its configuration; weights follow from the seed that the caller sets."""
    return LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=tokenizer.pad_token_id,
    )
