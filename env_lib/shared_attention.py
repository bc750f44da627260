"""Attention over prefixes that many rows share, without copying them for each row.

A `Segment` holds the keys and values of tokens that blocks of rows have in common: the system
prompt of all rows, the prompt of a GRPO group. Queries of a block attend to it in one product, so
that memory and time grow with the distinct tokens and not with rows times tokens. Registered under
`NAME` with transformers' attention interface; calls that pass no segments go to its own SDPA.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "shared_prefix"


@dataclass
class Segment:
    """Keys and values a layer, (blocks, key heads, tokens, width); mask, (blocks, tokens)."""

    layers: list[tuple[Tensor, Tensor]]
    mask: Tensor | None

    def select(self, blocks: Tensor) -> Segment:
        """Return the segment with its blocks repeated or reordered."""
        layers = [(keys[blocks], values[blocks]) for keys, values in self.layers]
        return Segment(layers, None if self.mask is None else self.mask[blocks])


def enable(backbone: Any) -> bool:
    """Switch a model to this attention where it can be; say whether it is on.

    It can be on a CPU, for models whose layers ask transformers' interface for their attention.
    """
    config, layer = backbone.config, backbone.layers[0].self_attn
    module = sys.modules[type(layer).__module__]
    if next(backbone.parameters()).device.type != "cpu" or not hasattr(
        module, "ALL_ATTENTION_FUNCTIONS"
    ):
        return False
    if config._attn_implementation != NAME:
        AttentionInterface.register(NAME, _forward)
        AttentionMaskInterface.register(NAME, sdpa_mask)
        config._attn_implementation = NAME
    return True


def _forward(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    segments: Sequence[Segment] | None = None,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    if segments is None:
        return sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **kwargs
        )
    shared = [(*segment.layers[module.layer_idx], segment.mask) for segment in segments]
    factor = scaling if scaling is not None else query.shape[-1] ** -0.5
    return attend(query * factor, key, value, shared).transpose(1, 2), None


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    shared: Sequence[tuple[Tensor, Tensor, Tensor | None]],
) -> Tensor:
    """Return causal attention over the shared segments, then a row's own tokens.

    `query` (rows, heads, n, width), scaled; `key`, `value` (rows, key heads, own, width), of which
    the last n are the query's. A segment's rows // blocks consecutive rows share a block.
    """
    rows, heads, n, width = query.shape
    groups, own = key.shape[1], key.shape[2]
    grouped = query.reshape(rows, groups, heads // groups * n, width)
    scores = []
    for keys, _, mask in shared:
        score = _by_block(grouped, keys.shape[0]) @ keys.transpose(-1, -2)
        if mask is not None:
            score = score.masked_fill(~mask.bool()[:, None, None], float("-inf"))
        scores.append(_by_row(score, rows))
    mine = grouped @ key.transpose(-1, -2)
    if n > 1:
        ahead = torch.ones(n, own, dtype=torch.bool, device=query.device).triu(own - n + 1)
        mine = mine.masked_fill(ahead.repeat(heads // groups, 1), float("-inf"))
    chances = torch.cat([*scores, mine], dim=-1).softmax(-1, dtype=torch.float32).to(query.dtype)
    *parts, last = chances.split([*(keys.shape[2] for keys, _, _ in shared), own], dim=-1)
    out = last @ value
    for part, (_, values, _) in zip(parts, shared, strict=True):
        out = out + _by_row(_by_block(part, values.shape[0]) @ values, rows)
    return out.reshape(rows, heads, n, width)


def _by_block(x: Tensor, blocks: int) -> Tensor:
    """Turn (rows, groups, m, w) into (blocks, groups, rows/blocks * m, w)."""
    rows, groups, m, w = x.shape
    if blocks == rows:
        return x
    return (
        x.reshape(blocks, rows // blocks, groups, m, w)
        .transpose(1, 2)
        .reshape(blocks, groups, -1, w)
    )


def _by_row(x: Tensor, rows: int) -> Tensor:
    """Turn (blocks, groups, rows/blocks * m, w) back into (rows, groups, m, w)."""
    blocks, groups, total, w = x.shape
    if blocks == rows:
        return x
    each = rows // blocks
    return (
        x.reshape(blocks, groups, each, total // each, w)
        .transpose(1, 2)
        .reshape(rows, groups, -1, w)
    )
