"""A contour plot, a colour map and a line of dates, read back from the canvas."""

import datetime

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def main(inputs):
    figure, (left, right) = plt.subplots(1, 2, figsize=(4, 2), dpi=50)
    grid = np.outer(np.asarray(inputs["x"]), np.asarray(inputs["y"]))
    contour = left.contour(grid, levels=inputs["levels"])
    paths = len(contour.get_paths())
    colours = matplotlib.colormaps["viridis"]
    days = [datetime.datetime(2024, 1, day) for day in inputs["days"]]
    marks = right.plot(days, range(len(days)), "o")
    figure.canvas.draw()
    pixels = len(bytes(figure.canvas.buffer_rgba()))
    result = {"levels": paths, "name": colours.name, "size": pixels, "marks": len(marks),
              "colour": [round(part, 2) for part in colours(inputs["place"])],
              "points": len(marks[0].get_xdata())}
    plt.close(figure)
    return result
