"""What notebook 01 asks of a duty: `build` its data, and `tables` that show what is there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from env_lib.envs.supervise import ci
from env_lib.envs.supervise.modules import OLD, VARIANTS, WRONG, modules
from env_lib.envs.supervise.organisation import kind_of, organisation
from env_lib.envs.supervise.proposals import release
from env_lib.envs.supervise.scenario import SCENARIOS, SPLITS

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 20
"""Organisations a tier and split that the tables are made from."""


def build(live_repo: str = "") -> dict[str, Any]:
    """Execute the CI runs that the bundle lacks.

    Raises:
        ValueError: `live_repo` is set; this duty pulls nothing from a live repository.
    """
    if live_repo:
        raise ValueError(f"LIVE_REPO={live_repo!r}: supervise has no live source; leave it empty")
    from env_lib.runs import file_hash

    executed = ci.bundle()
    return {
        "modules": len(modules()),
        "executed": executed,
        "hash": file_hash(ci.store_file()),
    }


def validate() -> list[str]:
    """Return what is wrong with the bundled runs: none missing, each variant with its outcome."""
    faults = [f"{ci.key_of(*run)}: not in the bundle" for run in ci.missing()]
    for module in modules().values():
        for k in module.constants:
            for variant in (OLD, *VARIANTS):
                passes = variant != WRONG
                for whole in (True, False):
                    found = ci.results(*module.run(k, variant, whole))
                    if all(status == "passed" for _, status, _ in found) is not passes:
                        faults.append(f"{module.name}, k={k}, {variant}: {found}")
    return faults


def tables() -> dict[str, pd.DataFrame]:
    """Return `splits` (organisations and proposals, `scored`) and `truth` (due verdicts).

    Both are of the first organisations of each tier and split; there is no end of them.
    """
    import pandas as pd

    rows, verdicts = [], []
    for split in SPLITS:
        for tier in SCENARIOS.values():
            kinds: Counter[str] = Counter()
            for seed in range(SHOWN):
                kinds.update(rule.kind for rule in organisation(tier, split, seed).rules)
                queue = release(tier, split, seed, tier.proposals).queue
                verdicts += [(kind_of(p.due), split) for p in queue]
            rows.append(
                {
                    "split": split, "tier": tier.name, "organisations": SHOWN,
                    "rule kinds": len(kinds), "rules": tier.rules,
                    "scored": SHOWN * tier.proposals,
                }
            )  # fmt: skip
    truth = pd.DataFrame(verdicts, columns=["verdict", "split"])
    counts = truth.groupby("verdict")["split"].value_counts().unstack(fill_value=0)
    return {
        "splits": pd.DataFrame(rows),
        "truth": counts.reindex(columns=list(SPLITS), fill_value=0),
    }
