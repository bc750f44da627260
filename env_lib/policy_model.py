"""A language model as a policy: greedy answers in batches, raw or constrained by a grammar.

Constrained decoding (llguidance) re-decodes only answers that do not parse: where the greedy answer
is already in the grammar, every one of its tokens was allowed, so masking would not change it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from env_lib import models
from env_lib.core import Action
from env_lib.language import action_schema, parse_action
from env_lib.rollout import Answer, TextPolicy

BATCH = 32


class ModelPolicy(TextPolicy):
    """Greedy answers of a model; equal prompts are answered once and remembered."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        name: str = "model",
        max_tokens: int = 40,
        shots: tuple[tuple[str, str], ...] = (),
        constrain: type[Action] | None = None,
    ) -> None:
        """Wrap a loaded model; `constrain` holds the answers to that action's grammar."""
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.max_tokens, self.shots, self.constrain = max_tokens, shots, constrain
        self._stops = models.stop_ids(tokenizer)
        self._memory: dict[tuple[str, str], Answer] = {}

    def answer(self, system_prompt: str, prompts: Sequence[str]) -> list[Answer]:
        """Return one greedy answer a prompt; confidence is the answer's probability."""
        new = list(dict.fromkeys(p for p in prompts if (system_prompt, p) not in self._memory))
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            for prompt, answer in zip(batch, self._decode(system_prompt, batch), strict=True):
                self._memory[system_prompt, prompt] = answer
        return [self._memory[system_prompt, p] for p in prompts]

    def remember(self, other: ModelPolicy) -> None:
        """Take over the answers of a policy with the same weights, shots and limits."""
        self._memory.update(other._memory)

    def constrained(self, action_type: type[Action]) -> ModelPolicy:
        """Return the same model held to a grammar, sharing the answers already in it."""
        twin = ModelPolicy(
            self.model,
            self.tokenizer,
            name=f"{self.name}+constrained",
            max_tokens=self.max_tokens,
            shots=self.shots,
            constrain=action_type,
        )
        good = {
            k: a
            for k, a in self._memory.items()
            if parse_action(a.text, action_type).action_type != "invalid"
        }
        twin._memory.update(good)
        return twin

    def _decode(self, system_prompt: str, prompts: Sequence[str]) -> list[Answer]:
        from env_lib.generation import sample

        rows = [self.token_ids(system_prompt, prompt) for prompt in prompts]
        self.model.eval()
        mask = None if self.constrain is None else self._grammar(len(rows))
        found = sample(
            self.model, rows, stops=self._stops, max_tokens=self.max_tokens, logit_mask=mask
        )
        return [Answer(self.text(s.ids), math.exp(min(0.0, s.logp)), s.truncated) for s in found]

    def token_ids(self, system_prompt: str, prompt: str) -> list[int]:
        """Return the token ids of one question, by the model's own chat template."""
        asked = models.chat(system_prompt, prompt, self.shots)
        return list(
            self.tokenizer.apply_chat_template(
                asked, add_generation_prompt=True, tokenize=True, return_dict=False
            )
        )

    def text(self, ids: Sequence[int]) -> str:
        """Decode an answer, stop token dropped."""
        kept = [token for token in ids if token not in self._stops]
        return str(self.tokenizer.decode(kept, clean_up_tokenization_spaces=False))

    def _grammar(self, count: int) -> Any:
        """Return what masks the logits of `count` rows to the grammar, in place.

        Raises, when it is called:
            RuntimeError: the grammar refused a token that its own mask had let through.
        """
        import llguidance
        import llguidance.torch as masks

        assert self.constrain is not None
        vocabulary = llguidance.LLTokenizer(
            _byte_level(self.tokenizer), eos_token=self.tokenizer.eos_token_id
        )
        options = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
        schema = {**action_schema(self.constrain), "x-guidance": options}
        grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
        matchers = [llguidance.LLMatcher(vocabulary, grammar) for _ in range(count)]
        bitmask = masks.allocate_token_bitmask(1, vocabulary.vocab_size)
        fed = [0] * count

        def apply(rows: list[list[int]], logits: Any) -> None:
            for i, matcher in enumerate(matchers):
                for token in rows[i][fed[i] :]:
                    if not matcher.is_stopped():
                        matcher.consume_token(token)
                fed[i] = len(rows[i])
                if matcher.is_error():  # left alone, it would let everything through
                    raise RuntimeError(f"the grammar refused {rows[i]}: {matcher.get_error()}")
                if matcher.is_stopped():  # the object is whole: the end is all that may follow
                    logits[i] = float("-inf")
                    logits[i, self.tokenizer.eos_token_id] = 0.0
                else:
                    masks.fill_next_token_bitmask(matcher, bitmask, 0)
                    masks.apply_token_bitmask_inplace(logits[i : i + 1], bitmask.to(logits.device))

        return apply


def _byte_level(tokenizer: Any) -> str:
    """Return a fast tokenizer as JSON whose decoder says plainly that its tokens are bytes.

    The conversion of GGUF weights puts a `ByteFallback` before the byte-level decoder; llguidance
    goes by the first, takes the "\u0120" of a space for that letter, and refuses its own tokens.
    """
    told = json.loads(tokenizer.backend_tokenizer.to_str())
    told["padding"] = told["truncation"] = None
    decoder = told["decoder"] or {}
    for part in decoder.get("decoders", ()):
        if part["type"] == "ByteLevel":
            told["decoder"] = part
    return json.dumps(told)
