"""TRL's GRPOTrainer with shared prefixes, for a CPU; on a GPU Unsloth's own class is used."""

from __future__ import annotations

from typing import Any

from env_lib import models

KL_EVERY = 2
"""Optimiser steps from one look at the KL to the next: each costs a tenth of a step."""


def trainer_class(shared: bool) -> Any:
    """Return the GRPO trainer: TRL's (Unsloth's on a GPU), or the shared-prefix one."""
    import torch
    from trl import GRPOTrainer
    from trl.trainer.utils import use_adapter

    if not shared:
        return GRPOTrainer

    from env_lib.generation import completion_logps, sample

    class SharedPrefixGRPOTrainer(GRPOTrainer):
        """Samples and scores each group's prompt once; logs the KL to the adapter `reference`."""

        def _generate_single_turn(
            self,
            prompt_ids: Any,
            images: Any,
            multimodal_fields: Any,
            num_generations: int,
            has_tool_images: Any = False,
        ) -> Any:
            group = self.num_generations
            distinct = [list(ids) for ids in prompt_ids[::group]]
            if [row for row in distinct for _ in range(group)] != [list(ids) for ids in prompt_ids]:
                raise ValueError("prompts do not come in groups of num_generations")
            drawn = sample(
                self.model,
                distinct,
                stops=models.stop_ids(self.processing_class),
                repeats=group,
                max_tokens=self.max_completion_length,
                temperature=self.temperature,
            )
            return [s.ids for s in drawn], None

        def _get_per_token_logps_and_entropies(
            self,
            model: Any,
            input_ids: Any,
            attention_mask: Any,
            logits_to_keep: int,
            *args: Any,
            **kwargs: Any,
        ) -> Any:
            width = input_ids.shape[1] - logits_to_keep
            prompts = [
                row[mask.bool()].tolist()
                for row, mask in zip(input_ids[:, :width], attention_mask[:, :width], strict=True)
            ]
            completions = input_ids[:, width:]
            logps, entropies = completion_logps(model, prompts, completions, self.temperature)
            looked_at = torch.is_grad_enabled() and self.state.global_step % KL_EVERY == 0
            if looked_at and "reference" in getattr(model, "peft_config", {}):
                self._log_kl(model, prompts, completions, attention_mask[:, width:], logps)
            return logps, entropies, None

        def _log_kl(
            self, model: Any, prompts: Any, completions: Any, mask: Any, logps: Any
        ) -> None:
            """Estimate KL(policy || SFT) on a group's worth of rows (k3); a look, not a loss."""
            rows = slice(0, self.num_generations)
            with torch.no_grad(), use_adapter(model, "reference"):
                reference, _ = completion_logps(
                    model, prompts[rows], completions[rows], self.temperature
                )
            gap = reference - logps[rows].detach()
            k3 = (gap.exp() - gap - 1) * mask[rows]
            self._metrics["train"]["kl"].append((k3.sum() / mask[rows].sum().clamp(min=1)).item())

    return SharedPrefixGRPOTrainer
