"""Which split a library's version step is in: splits share no step, no script and no row.

`test_ood` is trl, which no other split has, and the silent rows of the steps of `test`; the silent
rows of the other steps are held back, so that no step is on both sides.
"""

from __future__ import annotations

from env_lib.envs.drift.breakages import Breakage

UNSEEN = "trl"
"""The library that only `test_ood` has."""
GROUPS = {
    ("pandas", "2.2.3->3.0.0"): "train",
    ("numpy", "1.26.4->2.0.2"): "train",
    ("scikit-learn", "1.1.3->1.4.2"): "train",
    ("matplotlib", "3.6.3->3.9.2"): "train",
    ("transformers", "4.57.1->5.0.0"): "train",
    ("datasets", "2.19.2->3.1.0"): "train",
    ("accelerate", "0.30.1->1.0.1"): "val",
    ("accelerate", "1.0.1->1.10.1"): "val",
    ("accelerate", "1.12.0->1.15.0"): "val",
    ("huggingface_hub", "0.23.4->0.26.5"): "val",
    ("huggingface_hub", "0.36.0->1.0.1"): "val",
    ("huggingface_hub", "1.0.1->1.33.0"): "val",
    ("matplotlib", "3.9.2->3.10.8"): "val",
    ("matplotlib", "3.10.8->3.11.2"): "val",
    ("numpy", "2.0.2->2.3.5"): "val",
    ("scikit-learn", "1.7.2->1.9.1"): "val",
    ("scipy", "1.9.3->1.13.1"): "val",
    ("scipy", "1.13.1->1.15.3"): "val",
    ("tokenizers", "0.13.3->0.23.3"): "val",
    ("torch", ""): "val",
    ("transformers", "4.40.2->4.46.3"): "val",
    ("transformers", "5.0.0->5.17.0"): "val",
    ("datasets", "4.0.0->4.4.2"): "val",
    ("pandas", "1.5.3->2.0.3"): "test",
    ("numpy", "1.23.5->1.26.4"): "test",
    ("numpy", "2.3.5->2.4.6"): "test",
    ("scikit-learn", "1.5.2->1.7.2"): "test",
    ("pydantic", "1.10.15->2.9.2"): "test",
    ("transformers", "4.46.3->4.57.1"): "test",
    ("datasets", "3.6.0->4.0.0"): "test",
    ("peft", "0.13.2->0.17.1"): "test",
    ("peft", "0.18.1->0.21.2"): "test",
}


def split_of(row: Breakage) -> str:
    """Return the split of a row; "" where it is held back or its library is not run here."""
    home = "test_ood" if row.library == UNSEEN else GROUPS.get(row.group, "")
    if not row.silent or home == "test_ood":
        return home
    return "test_ood" if home == "test" else ""


def home_of(split: str) -> tuple[str, ...]:
    """Return the splits of the seed scripts that a split's tasks are made of."""
    return ("test", "test_ood") if split == "test_ood" else (split,)
