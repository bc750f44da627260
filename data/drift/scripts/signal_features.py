"""Features of a sampled signal: areas, peaks, products, spectra of bytes."""

import numpy as np


def main(inputs):
    signal = np.asarray(inputs["signal"], dtype=np.float64)
    steps = np.asarray(inputs["steps"])
    growth = np.cumprod(1 + steps / 10)
    weights = np.float64(inputs["weight"]) * np.ones(3)
    kind = np.promote_types(np.float32, steps.dtype)
    lowest = np.inf
    for value in signal:
        lowest = min(lowest, value)
    try:
        signal.sum(axis=3)
        axis = "ok"
    except np.exceptions.AxisError:
        axis = "no such axis"
    return {
        "range": round(float(np.ptp(signal)), 3), "lowest": round(float(lowest), 3),
        "product": int(np.prod(steps)), "growth": np.round(growth, 3).tolist(),
        "all": bool(np.all(signal > 0)), "any": bool(np.any(signal > 2)),
        "kind": str(kind), "size": np.dtype(np.float32).itemsize, "axis": axis,
        "weights": np.round(weights, 2).tolist(), "name": str(np.str_("signal")),
        "mark": np.bytes_("s").decode(), "bound": bool(lowest < np.inf),
    }
