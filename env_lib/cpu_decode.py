"""What makes decoding on a CPU quicker and leaves its numbers as they are.

For a token a row the products are tall and thin: `weight @ x.T` runs up to twice as fast as
`x @ weight.T` there, and a LoRA adapter triples the number of products unless it is merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

FEW_ROWS = 256
"""Rows up to which the transposed product is the quicker one."""


def _thin(layer: nn.Linear) -> Callable[[Tensor], Tensor]:
    def forward(x: Tensor) -> Tensor:
        flat = x.reshape(-1, x.shape[-1])
        if len(flat) > FEW_ROWS:
            return nn.functional.linear(x, layer.weight, layer.bias)
        out = (layer.weight @ flat.t()).t().contiguous()
        if layer.bias is not None:
            out = out + layer.bias
        return out.reshape(*x.shape[:-1], -1)

    return forward


def _merge(model: Any) -> bool:
    """Merge the active adapter where there is one and none is merged; say whether it was done."""
    layers = [m for m in model.modules() if hasattr(m, "merged") and hasattr(m, "lora_A")]
    if not layers or any(layer.merged for layer in layers):
        return False
    model.merge_adapter()
    return True


@contextmanager
def quick_decode(model: Any) -> Iterator[None]:
    """Decode quickly inside the block; a model on a GPU, or a quantised one, is left alone.

    An adapter is merged and taken out again, which moves the weights by rounding alone (1e-7).
    """
    plain = [m for m in model.modules() if type(m) is nn.Linear]
    on_cpu = next(model.parameters()).device.type == "cpu"
    if not on_cpu or len(plain) < len([m for m in model.modules() if isinstance(m, nn.Linear)]):
        yield
        return
    merged = _merge(model)
    for layer in plain:
        layer.forward = _thin(layer)
    try:
        yield
    finally:
        for layer in plain:
            del layer.forward
        if merged:
            model.unmerge_adapter()
