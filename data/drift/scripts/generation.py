"""Generate greedily from a tiny random model, with a cache filled by hand as a check."""

import torch
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM, LogitsProcessor
from transformers import LogitsProcessorList
from transformers.generation.utils import GenerateDecoderOnlyOutput


class Ban(LogitsProcessor):
    def __init__(self, token):
        self.token = token

    def __call__(self, input_ids, scores):
        scores[:, self.token] = -1e9
        return scores


def main(inputs):
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=20, hidden_size=16, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, pad_token_id=0, eos_token_id=3,
    )
    model = LlamaForCausalLM(config).eval()
    prompt = torch.tensor([inputs["prompt"]])
    made = model.generate(
        prompt, max_new_tokens=inputs["tokens"], do_sample=False, return_dict_in_generate=True,
        logits_processor=LogitsProcessorList([Ban(inputs["ban"])]),
    )
    cache = DynamicCache()
    model(prompt, past_key_values=cache)
    return {"ids": made.sequences[0].tolist(), "plain": isinstance(made, GenerateDecoderOnlyOutput),
            "seen": cache.get_seq_length(), "keys": list(cache.layers[0].keys.shape),
            "theta": config.rope_parameters["rope_theta"]}
