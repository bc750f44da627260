"""One batch through TRL's GRPO trainer and through the class that Unsloth generates for a GPU.

Run as a script in its own process: it makes Unsloth write its GPU trainer on a machine without a
GPU (its Triton kernels are not exercised). Prints one JSON object.
"""

import copy
import json
import os
import sys
import tempfile
import types

KIND, WEIGHTS = sys.argv[1:]
os.environ.update(
    HF_HUB_OFFLINE="1",
    TRL_EXPERIMENTAL_SILENCE="1",
    ACCELERATE_USE_CPU="1",
    TQDM_DISABLE="1",
    OMP_WAIT_POLICY="PASSIVE",
)
if KIND == "generated":
    os.environ.update(UNSLOTH_ALLOW_CPU="1", UNSLOTH_COMPILE_DISABLE="1", TORCHDYNAMO_DISABLE="1")
os.chdir(tempfile.mkdtemp())

import unsloth  # noqa: F401, E402 - before trl
from trl import GRPOConfig, GRPOTrainer  # noqa: E402

TRAINER = (GRPOConfig, GRPOTrainer)
if KIND == "generated":
    from unsloth.models import rl

    os.environ["UNSLOTH_ALLOW_CPU"] = "0"
    rl.patch_trl_disable_gradient_checkpointing()
    rl.patch_trl_rl_trainers()
    os.environ["UNSLOTH_ALLOW_CPU"] = "1"
    module = sys.modules["UnslothGRPOTrainer"]
    TRAINER = (module.UnslothGRPOConfig, module.UnslothGRPOTrainer)

import torch  # noqa: E402
from datasets import Dataset  # noqa: E402
from peft import LoraConfig, get_peft_model  # noqa: E402
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM, TrainerCallback  # noqa: E402

from env_lib.profiles import PROFILES  # noqa: E402
from env_lib.runs import Run  # noqa: E402
from env_lib.training.grpo import _config  # noqa: E402

tokenizer = AutoTokenizer.from_pretrained(WEIGHTS)
torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=len(tokenizer),
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=512,
    tie_word_embeddings=True,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=tokenizer.pad_token_id,
)
base = get_peft_model(
    LlamaForCausalLM(config), LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM")
)
with torch.no_grad():  # the two processes must hold the same model, however it was initialised
    fixed = torch.Generator().manual_seed(0)
    for _, parameter in sorted(base.named_parameters()):
        parameter.copy_(0.1 * torch.randn(parameter.shape, generator=fixed))
ANSWERS = [[50, 51, 52, 2], [60, 61, 2], [70, 71, 72, 73, 74, 75], [80, 2]]
"""The third is cut: it has no stop id and must be masked."""
REWARDS = [1.0, -0.5, 0.4, 0.0]


def reward(completions, **_):
    """Fixed rewards, one an answer."""
    return REWARDS * (len(completions) // 4)


def train(config_class, trainer_class):
    """One optimiser step on scripted answers; return what the loss saw and what it was."""
    model = copy.deepcopy(base)
    model.for_training = types.MethodType(lambda self, **_: self.train() and self, model)
    model.for_inference = types.MethodType(lambda self, **_: self.eval() and self, model)
    wanted = _config(Run("triage", PROFILES["smoke"], 0, None), "out", 4).to_dict()
    keep = (
        "learning_rate",
        "lr_scheduler_type",
        "warmup_steps",
        "optim",
        "weight_decay",
        "max_grad_norm",
        "beta",
        "epsilon",
        "epsilon_high",
        "loss_type",
        "scale_rewards",
        "mask_truncated_completions",
        "importance_sampling_level",
        "num_generations",
        "per_device_train_batch_size",
        "gradient_accumulation_steps",
        "steps_per_generation",
        "num_iterations",
        "temperature",
        "top_k",
        "top_p",
        "shuffle_dataset",
        "logging_steps",
        "save_strategy",
        "report_to",
        "seed",
        "gradient_checkpointing",
        "bf16",
        "fp16",
    )
    settings = {name: wanted[name] for name in keep} | {
        "max_steps": 1,
        "max_completion_length": 6,
        "use_cpu": True,
    }
    settings["per_device_train_batch_size"] = 4
    rows = Dataset.from_list(
        [{"prompt": [{"role": "user", "content": "say " + "x " * i}]} for i in range(2)]
    )
    trainer = trainer_class(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=rows,
        args=config_class(output_dir="out", **settings),
    )

    def scripted(ids, images, multimodal, num_generations, *args, **kwargs):
        return [list(ANSWERS[i % 4]) for i in range(len(ids))], None

    grads = []

    class Keep(TrainerCallback):
        """Keeps the gradient before it is clipped and used."""

        def on_pre_optimizer_step(self, args, state, control, **kwargs):
            parts = [p.grad.flatten() for n, p in model.named_parameters() if "lora_B" in n]
            grads.append(torch.cat(parts))

    trainer.add_callback(Keep())
    trainer._generate_single_turn = scripted
    trainer.train()
    batch = trainer._buffered_inputs[0]
    log = trainer.state.log_history[0]
    return {
        "mask": batch["completion_mask"].tolist(),
        "advantages": [round(a, 5) for a in batch["advantages"].flatten().tolist()],
        "loss": log["loss"],
        "gradient": (grads[0] / grads[0].norm()).tolist(),
        "grad_norm": grads[0].norm().item(),
        "clipped": log["completions/clipped_ratio"],
        "settings": {
            k: str(getattr(trainer.args, k))
            for k in ("loss_type", "beta", "scale_rewards", "epsilon_high")
        },
        "class": type(trainer).__name__,
    }


print(json.dumps(train(*TRAINER)))
