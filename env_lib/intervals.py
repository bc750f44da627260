"""Bootstrap intervals: episodes are the clusters, what belongs to one is resampled together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

RESAMPLES = 2000
LEVEL = 0.95


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    mean: float
    low: float
    high: float


def resampled_means(rows: Any, resamples: int = RESAMPLES, seed: int = 0) -> np.ndarray:
    """Return the means of `resamples` draws of the rows with replacement.

    Args:
        rows: (clusters, columns), the columns of one cluster staying together.
        resamples: how many draws.
        seed: of the draws; the same seed and number of rows draw the same clusters.

    Returns:
        (resamples, columns).

    Raises:
        ValueError: there are no rows, or a value is not finite.
    """
    import numpy as np

    values = np.atleast_2d(np.asarray(rows, dtype=float))
    if values.size == 0 or not np.isfinite(values).all():
        raise ValueError(
            f"{values.shape} values to resample; at least one row, all finite, is needed"
        )
    count = len(values)
    draws = np.random.default_rng(seed).multinomial(
        count, np.full(count, 1 / count), size=resamples
    )
    return draws @ values / count


def ends(statistics: Any, level: float = LEVEL) -> tuple[float, float]:
    """Return the percentile ends of resampled statistics."""
    import numpy as np

    tail = (1 - level) / 2
    low, high = np.quantile(statistics, [tail, 1 - tail])
    return float(low), float(high)


def mean_interval(values: Sequence[float], seed: int = 0) -> Interval:
    """Return the mean of `values`, one a cluster, with its 95 % interval."""
    mean = sum(values) / len(values) if values else float("nan")
    return Interval(mean, *ends(resampled_means([[v] for v in values], seed=seed)[:, 0]))


def exact_share(right: int, count: int, level: float = LEVEL) -> Interval:
    """Return a share with its exact interval (Clopper and Pearson); each task counts once.

    Raises:
        ValueError: no task, or more right ones than tasks.
    """
    from scipy.stats import beta

    if not 0 <= right <= count or not count:
        raise ValueError(f"{right} of {count}; at least one task, and no more right than tasks")
    tail = (1 - level) / 2
    low = beta.ppf(tail, right, count - right + 1) if right else 0.0
    high = beta.ppf(1 - tail, right + 1, count - right) if right < count else 1.0
    return Interval(right / count, float(low), float(high))


def normalised_interval(
    score: Sequence[float], bottom: Sequence[float], top: Sequence[float], seed: int = 0
) -> Interval:
    """Return (score - bottom) / (top - bottom) of the means, the three paired by cluster.

    NaN where top and bottom do not differ.
    """
    import numpy as np

    rows = np.array([score, bottom, top], dtype=float).T
    s, b, t = rows.mean(axis=0)
    if t == b:
        return Interval(float("nan"), float("nan"), float("nan"))
    draws = resampled_means(rows, seed=seed)
    span = draws[:, 2] - draws[:, 1]
    kept = span != 0
    shares = (draws[kept, 0] - draws[kept, 1]) / span[kept]
    return Interval(float((s - b) / (t - b)), *ends(shares))
