"""Replay pages of a run: two policies on the same episode, with the evidence that each had.

`python -m env_lib.envs.release.pages runs/<run>` reads the stored episodes, plays them again from
their actions and writes to `runs/<run>/eval/pages/`: naive beside careful, the base model beside
the trained one, for each split. Shown is the episode on which the second gains most over the
first; the page says by how much and out of how many.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from env_lib.envs.release.evidence import played_again, write_evidence
from env_lib.rollout import Episode

PAIRS = (("naive", "careful"), ("base_few_shot", "grpo"))


def telling(
    episodes: Sequence[Episode], pair: tuple[str, str], split: str
) -> tuple[tuple[Episode, Episode] | None, int]:
    """Return the two episodes where the second gains most, and how many both policies played."""
    first, second = (
        {(e.scenario, e.seed): e for e in episodes if (e.policy, e.split) == (name, split)}
        for name in pair
    )
    both = sorted(first.keys() & second.keys())
    if not both:
        return None, 0
    best = max(both, key=lambda place: second[place].total_reward - first[place].total_reward)
    return (first[best], second[best]), len(both)


def write(run_folder: Path, to: Path | None = None) -> list[Path]:
    """Write the pages of a run to a folder, its own `eval/pages` by default; return their paths.

    Raises:
        FileNotFoundError: the run holds no episodes.
        ValueError: they are of another duty, or no pair played the same episode.
    """
    from env_lib.reverify import stored_episodes

    episodes = stored_episodes(run_folder, "release")
    folder, written = to or run_folder / "eval" / "pages", []
    for split in sorted({episode.split for episode in episodes}):
        for pair in PAIRS:
            shown, count = telling(episodes, pair, split)
            if shown:
                note = (
                    f"{pair[1]} earns {shown[1].total_reward - shown[0].total_reward:+.2f} more "
                    f"than {pair[0]} here, the most of the {count} episodes of {split} that both "
                    "played."
                )
                path = folder / f"{'_beside_'.join(pair)}_{split}.html"
                written.append(write_evidence(path, *map(played_again, shown), note=note))
    if not written:
        raise ValueError(f"no pair of {PAIRS} played the same episode in {run_folder}")
    return written


def main(arguments: Sequence[str]) -> int:
    """Write the pages of each run; return the exit status."""
    if not arguments:
        print("usage: python -m env_lib.envs.release.pages RUN_FOLDER ...", file=sys.stderr)
        return 2
    for name in arguments:
        print(*write(Path(name)), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
