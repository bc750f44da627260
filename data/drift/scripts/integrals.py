"""Areas under sampled curves, a window, and a test of a fair coin."""

import numpy as np
from scipy.integrate import cumulative_trapezoid, simpson
from scipy.signal.windows import hann
from scipy.stats import binomtest


def main(inputs):
    values = np.asarray(inputs["values"], dtype=float)
    area = float(simpson(values, dx=inputs["dx"]))
    running = cumulative_trapezoid(values, dx=inputs["dx"])
    window = hann(len(values))
    fair = binomtest(inputs["heads"], inputs["throws"]).pvalue
    smooth = float((values * window).sum() / window.sum())
    return {"area": round(area, 3), "running": np.round(running, 3).tolist(),
            "smooth": round(smooth, 3), "fair": round(float(fair), 3),
            "rejected": bool(fair < 0.05), "window": np.round(window, 2).tolist()}
