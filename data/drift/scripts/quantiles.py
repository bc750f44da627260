"""Robust statistics of measurements: quantiles, membership, areas."""

import numpy as np


def main(inputs):
    values = np.array(inputs["values"], dtype=float)
    groups = np.array(inputs["groups"], dtype=object)
    low = float(np.percentile(values, 25, method="lower"))
    high = float(np.quantile(values, 0.75, method="higher"))
    kept = values[(values >= low) & (values <= high)]
    wanted = np.isin(groups, inputs["wanted"])
    area = float(np.trapezoid(values))
    ragged = np.array([[1, 2], [3]], dtype=object)
    total = int(values[wanted].sum())
    return {"low": low, "high": high, "kept": kept.tolist(), "wanted": int(wanted.sum()),
            "area": round(area, 3), "ragged": [len(row) for row in ragged], "total": total,
            "share": round(float(total) / len(values), 2), "label": str(inputs["wanted"][0])}
