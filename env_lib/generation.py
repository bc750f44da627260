"""Batched sampling and scoring in which every shared prefix is computed once.

All prompts of a duty begin with the same system prompt, and the completions of a GRPO group share
their whole prompt. The keys and values of what is shared are computed once: first the common prefix
(one row), then the distinct prompts, then the completions, which attend to what they share
(`shared_attention`; on a GPU, where models have their own attention, to expanded copies). Gradients
flow through, so `completion_logps` gives what a plain forward over full sequences gives, for a
fraction of the tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from env_lib.cpu_decode import quick_decode
from env_lib.shared_attention import Segment, enable

LogitMask = Callable[[list[list[int]], Tensor], None]
"""Called each step with the tokens so far and the logits, which it may mask in place."""


def split_model(model: Any) -> tuple[Any, Any]:
    """Return (backbone, head) of a causal model, with or without LoRA layers in it."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    return base.model, base.lm_head


def common_prefix(rows: Sequence[Sequence[int]]) -> int:
    """Return the length of the longest common prefix that leaves each row a token."""
    shortest = min(map(len, rows)) - 1
    first = rows[0]
    for i in range(shortest):
        if any(row[i] != first[i] for row in rows):
            return i
    return shortest


@dataclass
class Prefix:
    """Encoded prompts: what was computed, lengths in tokens, last hidden states, one row a prompt.

    On a CPU `segments` are shared by the rows and `cache` is empty; elsewhere `cache` and `mask`
    hold all positions of each row.
    """

    segments: list[Segment] | None
    cache: DynamicCache
    mask: Tensor
    lengths: Tensor
    last: Tensor

    def expand(self, repeats: Tensor) -> Prefix:
        """Repeat row i `repeats[i]` times; equal repeats share their segments as they are."""
        rows = torch.repeat_interleave(torch.arange(len(repeats), device=repeats.device), repeats)
        segments, cache = self.segments, self.cache
        if segments is None:
            cache = _select(cache, rows)
        elif len(set(repeats.tolist())) > 1:
            segments = [s if len(s.layers[0][0]) == 1 else s.select(rows) for s in segments]
        return Prefix(segments, cache, self.mask[rows], self.lengths[rows], self.last[rows])

    def forward(self, backbone: Any, ids: Tensor, done: int) -> Tensor:
        """Run `ids`, (rows, n), which follow the prompts and `done` more; return hidden states."""
        steps = torch.arange(done, done + ids.shape[1], device=ids.device)
        known: dict[str, Any] = {"segments": self.segments}
        if self.segments is None:
            self.mask = torch.cat([self.mask, torch.ones_like(ids)], dim=1)
            known = {"attention_mask": self.mask}
        out = backbone(
            input_ids=ids,
            position_ids=self.lengths[:, None] + steps,
            past_key_values=self.cache,
            use_cache=True,
            **known,
        )
        return out.last_hidden_state


def _select(cache: DynamicCache, rows: Tensor) -> DynamicCache:
    pairs = [(layer.keys[rows], layer.values[rows]) for layer in cache.layers]
    return DynamicCache(pairs)


def _padded(rows: Sequence[Sequence[int]], device: Any) -> tuple[Tensor, Tensor]:
    """Right-pad rows with id 0; return (ids, mask)."""
    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=device)
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=device)
    return ids, mask


def _segment(cache: DynamicCache, mask: Tensor | None) -> Segment:
    return Segment([(layer.keys, layer.values) for layer in cache.layers], mask)


def encode(model: Any, prompts: Sequence[Sequence[int]]) -> Prefix:
    """Run the distinct prompts through the model, their common prefix once."""
    backbone, _ = split_model(model)
    device = next(backbone.parameters()).device
    shared = common_prefix(prompts) if len(prompts) > 1 else 0
    count = len(prompts)
    cache = DynamicCache()
    segments: list[Segment] | None = [] if enable(backbone) else None
    if shared:
        head = torch.tensor([list(prompts[0][:shared])], device=device)
        backbone(input_ids=head, past_key_values=cache, use_cache=True)
        if segments is None:
            cache = _select(cache, torch.zeros(count, dtype=torch.long, device=device))
        else:
            segments, cache = [_segment(cache, None)], DynamicCache()
    before = torch.ones(count, shared, dtype=torch.long, device=device)
    ids, own = _padded([row[shared:] for row in prompts], device)
    known: dict[str, Any] = {"segments": segments}
    if segments is None:
        known = {"attention_mask": torch.cat([before, own], dim=1)}
    positions = shared + (own.cumsum(1) - 1).clamp(min=0)
    out = backbone(
        input_ids=ids, position_ids=positions, past_key_values=cache, use_cache=True, **known
    ).last_hidden_state
    last = out[torch.arange(count, device=device), own.sum(1) - 1]
    mask = torch.cat([before, own], dim=1)
    if segments is not None:
        segments, cache = [*segments, _segment(cache, own)], DynamicCache()
    return Prefix(segments, cache, mask, shared + own.sum(1), last)


@dataclass
class Sample:
    """One sampled completion: ids with the stop id if it came, mean log-probability, cut or not."""

    ids: list[int]
    logp: float
    truncated: bool


@torch.no_grad()
def sample(
    model: Any,
    prompts: Sequence[Sequence[int]],
    *,
    stops: Sequence[int],
    max_tokens: int,
    repeats: int = 1,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
    logit_mask: LogitMask | None = None,
) -> list[Sample]:
    """Sample `repeats` completions a prompt (greedy at temperature 0), row order prompt-major.

    `logp` is the sum of the chosen tokens' log-probabilities at temperature 1.
    """
    with quick_decode(model):
        return _sample(
            model, prompts, stops, max_tokens, repeats, temperature, generator, logit_mask
        )


def _sample(
    model: Any,
    prompts: Sequence[Sequence[int]],
    stops: Sequence[int],
    max_tokens: int,
    repeats: int,
    temperature: float,
    generator: torch.Generator | None,
    logit_mask: LogitMask | None,
) -> list[Sample]:
    backbone, head = split_model(model)
    prefix = encode(model, prompts)
    if repeats > 1:
        prefix = prefix.expand(torch.full((len(prompts),), repeats, device=prefix.mask.device))
    count = len(prompts) * repeats
    hidden = prefix.last
    rows: list[list[int]] = [[] for _ in range(count)]
    logps = torch.zeros(count, device=hidden.device)
    alive = torch.ones(count, dtype=torch.bool, device=hidden.device)
    stop = torch.tensor(list(stops), device=hidden.device)
    for t in range(max_tokens):
        logits = head(hidden).float()
        if logit_mask is not None:
            logit_mask(rows, logits)
        chosen = _choose(logits, temperature, generator)
        step_logps = logits.log_softmax(-1).gather(1, chosen[:, None]).squeeze(1)
        logps += torch.where(alive, step_logps, torch.zeros_like(step_logps))
        for i in alive.nonzero().flatten().tolist():
            rows[i].append(int(chosen[i]))
        alive = alive & ~torch.isin(chosen, stop)
        if not alive.any() or t == max_tokens - 1:
            break
        hidden = prefix.forward(backbone, chosen[:, None], t)[:, -1]
    ended = (~alive).tolist()
    return [
        Sample(row, float(logp), not end) for row, logp, end in zip(rows, logps, ended, strict=True)
    ]


def _choose(logits: Tensor, temperature: float, generator: torch.Generator | None) -> Tensor:
    if temperature == 0.0:
        return logits.argmax(-1)
    chances = (logits / temperature).softmax(-1)
    return torch.multinomial(chances, 1, generator=generator).squeeze(1)


def completion_logps(
    model: Any, prompts: Sequence[Sequence[int]], completions: Tensor, temperature: float = 1.0
) -> tuple[Tensor, Tensor]:
    """Return (log-probabilities, entropies), each (rows, tokens), of right-padded completions.

    `prompts[i]` goes with `completions[i]`. Equal prompts are encoded once, and so are equal
    completions of one prompt: a group of eight is often two or three different answers.
    Differentiable.
    """
    backbone, head = split_model(model)
    distinct, counts, firsts, places = _distinct(prompts, completions.tolist())
    prefix = encode(model, distinct).expand(torch.tensor(counts, device=completions.device))
    places = torch.tensor(places, device=completions.device)
    answers = completions[torch.tensor(firsts, device=completions.device)]
    hidden = prefix.last[:, None]
    if answers.shape[1] > 1:
        out = prefix.forward(backbone, answers[:, :-1], 0)
        hidden = torch.cat([hidden, out], dim=1)
    logits = head(hidden).float() / temperature
    chances = logits.log_softmax(-1)
    logps = chances.gather(2, answers[:, :, None]).squeeze(2)
    with torch.no_grad():
        entropies = -(chances.exp() * chances).sum(-1)
    return logps[places], entropies[places]


def _distinct(
    prompts: Sequence[Sequence[int]], completions: Sequence[Sequence[int]]
) -> tuple[list[list[int]], list[int], list[int], list[int]]:
    """Return what is different: prompts, how many completions each has, rows where one comes first.

    Last, for every row the place of its completion among the different ones. Rows of one prompt
    need not be neighbours: TRL shuffles a batch after it was sampled.
    """
    groups: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
    for row, (prompt, completion) in enumerate(zip(prompts, completions, strict=True)):
        groups.setdefault(tuple(prompt), {}).setdefault(tuple(completion), row)
    firsts = [row for group in groups.values() for row in group.values()]
    place = {row: i for i, row in enumerate(firsts)}
    places = [
        place[groups[tuple(prompt)][tuple(completion)]]
        for prompt, completion in zip(prompts, completions, strict=True)
    ]
    counts = [len(group) for group in groups.values()]
    return [list(prompt) for prompt in groups], counts, firsts, places
