"""repair: make the failing tests pass without breaking anything else."""
