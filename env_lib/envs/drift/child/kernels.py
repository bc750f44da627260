"""A CPU back end for the fused losses of trl, which exist as Triton kernels alone.

trl 1.15 trains on no CPU as it stands: the log-probabilities of SFT, DPO and GRPO come from
kernels that need a GPU. The same functions in plain torch take their place while the libraries
are loaded, so that scripts are written as their users write them.
"""

from __future__ import annotations

import sys
from typing import Any


def install() -> None:
    """Replace the kernels where trl is loaded and has them."""
    for module, name, function in (
        ("trl.kernels.chunked_logprob", "ChunkedLogProbFunction", _chunked),
        ("trl.kernels.logprob_entropy", "_LogProbEntropyFunction", _selected),
    ):
        kernel = getattr(sys.modules.get(module), name, None)
        if kernel is not None:
            kernel.apply = staticmethod(function)


def _chunked(
    hidden: Any, weight: Any, bias: Any, targets: Any, temperature: float, chunk_size: int,
    final_logit_softcapping: float | None = None, logit_scale: float = 1.0,
    outputs: tuple[str, ...] = ("entropy", "log_sum_sq_probs", "mean_logits", "is_top1"),
) -> tuple[Any, ...]:  # fmt: skip
    """Log-probabilities of targets [N] under hidden [N, H] times weight [V, H], and statistics."""
    import torch

    logits = torch.nn.functional.linear(hidden, weight, bias).float() * logit_scale
    if final_logit_softcapping is not None:
        logits = final_logit_softcapping * torch.tanh(logits / final_logit_softcapping)
    logits = logits / temperature
    logprobs, entropy = _both(logits, targets)
    with torch.no_grad():
        squares = (2 * logits.log_softmax(-1)).logsumexp(-1)
        told = {
            "entropy": entropy,
            "log_sum_sq_probs": squares,
            "mean_logits": logits.mean(-1),
            "is_top1": logits.argmax(-1) == targets,
        }
    return logprobs, *(told[name] if name in outputs else None for name in told)


def _selected(logits: Any, index: Any, temperature: float, row_mask: Any) -> tuple[Any, Any]:
    """Log-probability of each row's index, and the row's entropy; 0 where the mask is."""
    logprobs, entropy = _both(logits.float() / temperature, index)
    if row_mask is not None:
        keep = row_mask.to(logprobs.dtype)
        logprobs, entropy = logprobs * keep, entropy * keep
    return logprobs, entropy


def _both(logits: Any, index: Any) -> tuple[Any, Any]:
    logs = logits.log_softmax(-1)
    return logs.gather(-1, index.unsqueeze(-1)).squeeze(-1), -(logs.exp() * logs).sum(-1)


install()
