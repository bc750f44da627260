"""Classic control: logistic regression from features of a change to the decision about it.

Every feature is read off what the rule has seen on its way to a repair (log, history, guide or
advisory, diffs of the suspects) and off one look at the ownership map; nobody's contract is run.

| feature | what it is |
| --- | --- |
| `protected`, `hot` | marks of the changed service in the ownership map |
| `live` | the blamed commit is deployed |
| `any_live` | some commit on the changed service is deployed |
| `guide`, `advisory`, `hint` | the log names a migration guide, an advisory, a lint suggestion |
| `suspects`, `commits`, `services` | commits on the changed service, all commits, all services |
| `failing` | share of the changed service's unit tests that failed |
| `hunks` | changed places in the code of the blamed commit |
| `edits`, `growth` | edits made, and by how many characters they changed the code's length |

Counts are divided by a round number, so that all features lie near 0 to 1. Label: the right
decision for the repository as the rule repaired it, on the train split; episodes that it did not
repair have none. The likeliest decision is taken: weighed by what an unsafe ship costs, a model
this unsure would never ship. `python -m env_lib.envs.release.change_model` fits (scikit-learn,
without randomness) and writes `data/release/change_model.json`, all that the policy reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from env_lib.core import stable_hash
from env_lib.envs.release import reading
from env_lib.envs.release.env import SCENARIOS, ReleaseEnv, ReleaseObservation
from env_lib.envs.release.looks import is_test
from env_lib.envs.release.world import build
from env_lib.paths import DATA

FEATURES = (
    "protected", "hot", "live", "any_live", "guide", "advisory", "hint", "suspects", "commits",
    "services", "failing", "hunks", "edits", "growth",
)  # fmt: skip
COMMAND = "python -m env_lib.envs.release.change_model"
SEEDS = tuple(range(80))
"""Train-split episodes a tier that the stored numbers are fitted on."""
DIGITS = 4
_FAILING = re.compile(r"(\d+) of (\d+) fail")
Row = tuple[float, ...]


def features(obs: ReleaseObservation) -> Row:
    """Return the features of an observation, in the order of FEATURES."""
    service, log = reading.failing_service(obs), obs.logs.get("unit-tests", "")
    blamed = reading.blamed(obs, by_guide=True)
    live = {commit for commit, own, _, is_live in obs.history if is_live and own == service}
    failing = _FAILING.search(log)
    places = [hunk for hunk in obs.diffs.get(blamed, ()) if not is_test(hunk[0])]
    return (
        float(service in obs.protected),
        float(service in obs.hot),
        float(blamed in live),
        float(bool(live)),
        float("guide: " in log),
        float("advisory: " in log),
        float(" becomes " in log),
        len(reading.suspects(obs)) / 5,
        len(obs.history) / 10,
        len(obs.services) / 10,
        int(failing[1]) / int(failing[2]) if failing else 0.0,
        len(places) / 5,
        len(obs.edits) / 5,
        sum(abs(len(put) - len(search)) for _, search, put in obs.edits) / 50,
    )


def examples(seeds: Iterable[int]) -> list[tuple[Row, str]]:
    """Return (features, right decision) at the moment of deciding, for train-split episodes."""
    from env_lib.envs.release.rules import LogisticRegression

    found = []
    for tier in SCENARIOS:
        env, rule = ReleaseEnv(scenario=tier, split="train"), LogisticRegression()
        for seed in seeds:
            obs = env.reset(seed=seed)
            while not (obs.done or obs.owners or obs.step >= obs.budget - 1):
                obs = env.step(rule(obs))
            right, _ = env.verdict()
            if right:
                found.append((features(obs), right))
    return found


def fitted(seeds: Iterable[int]) -> dict[str, Any]:
    """Fit on `examples(seeds)` and return all that the file holds."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    seeds = list(seeds)
    rows, right = zip(*examples(seeds), strict=True)
    with threadpool_limits(1):  # small matrices: more threads wait for each other
        model = LogisticRegression(max_iter=1000).fit(rows, right)
    return {
        "command": COMMAND,
        "split": "train",
        "seeds": len(seeds),
        "episodes": worlds_hash(seeds),
        "examples": len(rows),
        "features": list(FEATURES),
        "decisions": [str(name) for name in model.classes_],
        "weights": [[round(float(w), DIGITS) for w in line] for line in model.coef_],
        "intercepts": [round(float(b), DIGITS) for b in model.intercept_],
    }


def worlds_hash(seeds: Iterable[int]) -> str:
    """Return the hash of the episodes' content: another one means that a new fit is due."""
    return stable_hash(
        [build("train", tier, s).content_hash() for tier in SCENARIOS for s in seeds]
    )


def model_file() -> Path:
    """Return the file of the fitted numbers."""
    return DATA / "release" / "change_model.json"


@lru_cache(maxsize=1)
def stored() -> dict[str, Any]:
    """Return the fitted numbers.

    Raises:
        ValueError: they are of other features; the message has the command that fits them anew.
    """
    told: dict[str, Any] = json.loads(model_file().read_text(encoding="utf-8"))
    if told["features"] != list(FEATURES):
        raise ValueError(f"{model_file()} is of other features; {COMMAND} fits them anew")
    return told


def decision_of(obs: ReleaseObservation) -> str:
    """Return the likeliest decision."""
    told, row = stored(), features(obs)
    logits = [
        bias + sum(w * x for w, x in zip(line, row, strict=True))
        for line, bias in zip(told["weights"], told["intercepts"], strict=True)
    ]
    return str(told["decisions"][max(range(len(logits)), key=logits.__getitem__)])


if __name__ == "__main__":
    from env_lib.runs import write_json

    write_json(model_file(), fitted(SEEDS))
    print(model_file())
