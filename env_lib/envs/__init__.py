"""The duties, one package each; no duty imports another."""
