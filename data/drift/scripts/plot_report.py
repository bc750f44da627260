"""Draw a two-panel report and check what the figure holds."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main(inputs):
    plt.style.use("seaborn-v0_8-whitegrid")
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(4, 3))
    for name, values in inputs["lines"].items():
        top.plot(range(len(values)), values, label=name)
    legend = top.legend()
    top.grid(visible=inputs["grid"])
    bottom.sharex(top)
    stem = bottom.stem(inputs["stems"])
    top.set_xlim(0, inputs["right"])
    figure.canvas.draw()
    shown = [line.get_visible() for line in top.get_xgridlines()]
    handles = [handle.get_label() for handle in legend.legend_handles]
    result = {"lines": len(top.lines), "legend": handles, "grid": any(shown),
              "shared": list(bottom.get_xlim()), "stems": len(stem),
              "face": matplotlib.rcParams["axes.facecolor"]}
    plt.close(figure)
    return result
