"""What notebook 01 asks of a duty: `build` its data, and `tables` that show what is there.

Episodes are made from their seeds, so that nothing is stored; the hash is that of a sample.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from env_lib.core import stable_hash
from env_lib.envs.release import truth, world
from env_lib.envs.release.families import FAMILIES, OUTSIDE

if TYPE_CHECKING:
    import pandas as pd

SAMPLE = 20
"""Episodes a split and scenario that are hashed, counted and checked."""
Place = tuple[str, str, int]


def _sample() -> list[tuple[Place, world.World]]:
    places = [(s, t, seed) for s in world.SPLITS for t in world.SIZES for seed in range(SAMPLE)]
    return [(place, world.build(*place)) for place in places]


def build(live_repo: str = "") -> dict[str, Any]:
    """Return figures of the generator; there is nothing to fetch.

    Raises:
        ValueError: `live_repo` is set; this duty pulls nothing from a live repository.
    """
    if live_repo:
        raise ValueError(f"LIVE_REPO={live_repo!r}: release has no live source; leave it empty")
    hashes = [made.content_hash() for _, made in _sample()]
    return {
        "families": len(FAMILIES) + len(OUTSIDE),
        "only_in_test_ood": list(OUTSIDE),
        "sampled": len(hashes),
        "distinct": len(set(hashes)),
        "hash": stable_hash(hashes),
    }


def validate() -> list[str]:
    """Return what is wrong with a sample of episodes, by plain execution of their code."""
    return [
        f"{'/'.join(map(str, place))} ({made.family}): {fault}"
        for place, made in _sample()[::4]
        if (fault := fault_of(made, world.situation_of(*place)))
    ]


def fault_of(made: world.World, situation: str) -> str:
    """Say what an episode does not keep of what it was made to be, "" where all is well."""
    from env_lib.envs.release.leaks import plain_results

    units = [c for c in made.checks if c.kind in ("unit", "hidden_unit")]
    head = plain_results(made, made.tree)
    if not any(head[c.id] for c in units):
        return "the pipeline is green"
    tree = made.repaired()
    right = truth.right_decision(made, tree, plain_results(made, tree))
    if right != situation:
        return f"made for {situation!r}, after the reference patch {right!r} is right"
    before = plain_results(made, made.parent(made.causal))
    broken = truth.failed(made, before, "contract", "hidden")
    return f"the contract of {broken[0]} fails before the causal commit" if broken else ""


def tables() -> dict[str, pd.DataFrame]:
    """Return `splits` (families, sizes, `scored`) and `truth` (decisions by split).

    These are the decisions that episodes are made for; `validate` executes a quarter of them.
    """
    import pandas as pd

    rows = [
        {
            "split": split,
            "scenario": tier,
            "family": made.family,
            "services": len(made.services),
            "commits": len(made.history),
            "decision": world.situation_of(split, tier, seed),
            "id": made.content_hash(),
        }
        for (split, tier, seed), made in _sample()
    ]
    frame = pd.DataFrame(rows)
    splits = frame.groupby(["split", "scenario"], sort=False).agg(
        families=("family", "nunique"),
        services=("services", "mean"),
        commits=("commits", "mean"),
        scored=("id", "nunique"),
    )
    counts = frame.groupby("decision")["split"].value_counts().unstack(fill_value=0)
    return {
        "splits": splits.reset_index(),
        "truth": counts.reindex(columns=list(world.SPLITS), fill_value=0),
    }
