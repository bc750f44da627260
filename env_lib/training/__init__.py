"""Thin layers over TRL: the SFT warm start and state-level GRPO."""
