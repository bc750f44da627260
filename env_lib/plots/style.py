"""How every figure looks: size, type, colours that colour-blind readers tell apart, PNG files."""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

P = ParamSpec("P")
BLACK, GREY, ORANGE, SKY, GREEN = "#000000", "#767676", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK, GREY)
MARKERS = "osD^vPX*"
WIDTH, HEIGHT, DPI, COLOURS = 7.0, 4.0, 150, 128
LIMIT = 80_000
"""Bytes of a committed figure; a crowded one is drawn with fewer dots per inch."""
MODELS = ("base_zero_shot", "base_few_shot", "sft", "grpo")
"""Language models in the order of the pipeline."""
_RC = {
    "font.size": 10, "axes.titlesize": 10, "axes.labelsize": 10,
    "xtick.labelsize": 9, "ytick.labelsize": 9, "legend.fontsize": 9,
    "legend.frameon": False, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6, "axes.axisbelow": True,
    "lines.linewidth": 1.5, "lines.markersize": 5,
    "figure.facecolor": "white", "savefig.facecolor": "white",
}  # fmt: skip


def figure(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Draw in the project's style and leave matplotlib's global settings as they were."""

    @functools.wraps(draw)
    def styled(*args: P.args, **options: P.kwargs) -> Figure:
        import matplotlib

        with matplotlib.rc_context(_RC):
            return draw(*args, **options)

    return styled


def canvas(
    rows: int = 1, columns: int = 1, height: float = HEIGHT, **options: Any
) -> tuple[Figure, Any]:
    """Return a figure without pyplot's bookkeeping, and its axes (2-D where there are several)."""
    from matplotlib.figure import Figure

    fig = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = fig.subplots(rows, columns, squeeze=rows * columns == 1, **options)
    return fig, axes


def table_of(source: pd.DataFrame | Path | str) -> pd.DataFrame:
    """Return a table given as such or as the path of a CSV file.

    Raises:
        FileNotFoundError: no such file; the message names it.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        return source
    if not Path(source).is_file():
        raise FileNotFoundError(f"{source} is missing; run the notebook that writes it first")
    return pd.read_csv(source)


def need(table: pd.DataFrame, *columns: str) -> None:
    """Check that a table has the columns that a figure draws.

    Raises:
        ValueError: a column is missing, or the table is empty.
    """
    missing = [name for name in columns if name not in table]
    if missing or table.empty:
        have = ", ".join(map(str, table.columns))
        raise ValueError(f"{len(table)} rows with {have}; needed: {', '.join(columns)}")


def whiskers(
    value: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> list[list[float]]:
    """Return the lengths below and above `value`, as matplotlib's error bars want them."""
    below = [max(0.0, v - bound) for v, bound in zip(value, low, strict=True)]
    above = [max(0.0, bound - v) for v, bound in zip(value, high, strict=True)]
    return [below, above]


def png(fig: Figure, dpi: int = DPI) -> bytes:
    """Return the figure as PNG with a palette: a third of the size, nothing lost that is seen."""
    from PIL import Image

    raw = io.BytesIO()
    fig.savefig(raw, format="png", dpi=dpi, metadata={"Software": None})
    small = io.BytesIO()
    picture = Image.open(raw).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def save(fig: Figure, path: Path) -> Path:
    """Write the figure as PNG of at most LIMIT bytes, to a temporary name first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}")
    picture = png(fig)
    half.write_bytes(picture if len(picture) <= LIMIT else png(fig, dpi=110))
    half.replace(path)
    return path


def show(fig: Figure) -> Any:
    """Return the figure as an image for a notebook cell, small enough to be committed."""
    from IPython.display import Image

    return Image(data=png(fig, dpi=100), width=int(WIDTH * 100))


def view(path: Path, width: int = 600) -> Any:
    """Return a written figure for a notebook cell, `width` dots wide, so that it stays small."""
    from IPython.display import Image as Shown
    from PIL import Image

    picture = Image.open(path).convert("RGB")
    height = round(picture.height * width / picture.width)
    small = io.BytesIO()
    scaled = picture.resize((width, height), Image.Resampling.LANCZOS)
    scaled.quantize(24, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return Shown(data=small.getvalue(), width=width)


def page(path: Path) -> Any:
    """Return a written HTML page for a notebook cell; the page's style is to be its own."""
    from IPython.display import HTML

    return HTML(path.read_text(encoding="utf-8"))
