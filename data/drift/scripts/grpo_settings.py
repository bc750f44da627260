"""Settings and rewards of a GRPO run, checked before it is started."""

from trl import GRPOConfig, ModelConfig, RLOOConfig
from trl.experimental.orpo import ORPOConfig
from trl.rewards import get_soft_overlong_punishment, think_format_reward


def main(inputs):
    grpo = GRPOConfig(
        "out", use_cpu=True, bf16=False, num_generations=inputs["group"],
        per_device_train_batch_size=inputs["group"] * 2, max_completion_length=256,
        vllm_mode="server", vllm_structured_outputs_regex="a+", log_unique_prompts=True,
    )
    rloo = RLOOConfig("out", use_cpu=True, bf16=False, num_generations=2)
    orpo = ORPOConfig("out", use_cpu=True, bf16=False, max_length=inputs["length"])
    model = ModelConfig(dtype="bfloat16", lora_r=8)
    punish = get_soft_overlong_punishment(max_completion_len=10, soft_punish_cache=4)
    format_ = think_format_reward([[{"content": text}] for text in inputs["answers"]])
    long_ = punish([list(range(n)) for n in inputs["lengths"]])
    return {"groups": grpo.per_device_train_batch_size // grpo.num_generations, "orpo": orpo.max_length,
            "completion": grpo.max_completion_length, "mode": grpo.vllm_mode, "rloo": rloo.num_generations,
            "dtype": str(model.dtype), "format": format_, "long": [round(x, 2) for x in long_]}
