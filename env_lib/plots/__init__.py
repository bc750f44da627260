"""Every figure: functions from tables (or CSV files) to figures, and what writes them all.

`all_figures(run)` draws a run's figures from its files; `publish(folders)` the committed ones.
"""

from env_lib.plots.judging import calibration, confusion
from env_lib.plots.publishing import all_figures, publish
from env_lib.plots.results import (
    exploit_audit,
    paired_differences,
    per_step_by_tier,
    results_by_policy,
)
from env_lib.plots.style import page, save, show, view
from env_lib.plots.training import curriculum, grpo_components, grpo_curves, sft_curves

__all__ = [
    "all_figures", "calibration", "confusion", "curriculum", "exploit_audit", "grpo_components",
    "grpo_curves", "page", "paired_differences", "per_step_by_tier", "publish", "results_by_policy",
    "save", "sft_curves", "show", "view",
]  # fmt: skip
