"""The look of all figures: one style, the texts and their sizes, and what every figure refuses.

Figures are made with ``matplotlib.figure.Figure``, never with pyplot: nothing global changes, and
no display is needed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Distinct for color-blind readers too: Okabe & Ito (2008), "Color universal design".
BLUE, ORANGE = "#0072B2", "#D55E00"
DARK, MIDDLE, LIGHT = "#222222", "#767676", "#D0D0D0"

FONT_SIZE = 9.0
POINTS_PER_INCH = 72.0
LINE_HEIGHT = 1.5 * FONT_SIZE / POINTS_PER_INCH  # inches

GRID: dict[str, Any] = {"color": LIGHT, "linewidth": 0.5}
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so the same everywhere
    "font.size": FONT_SIZE,
    "axes.titlesize": FONT_SIZE,
    "axes.titlelocation": "left",
    "figure.titlesize": FONT_SIZE + 1,
    "figure.labelsize": FONT_SIZE,
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.1,
    "legend.fontsize": FONT_SIZE,
    "legend.frameon": False,
    "xtick.labelsize": FONT_SIZE,
    "ytick.labelsize": FONT_SIZE,
    "text.color": DARK,
    "axes.labelcolor": DARK,
    "axes.edgecolor": MIDDLE,
    "xtick.color": MIDDLE,
    "ytick.color": MIDDLE,
    "xtick.labelcolor": DARK,
    "ytick.labelcolor": DARK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    **{f"grid.{name}": value for name, value in GRID.items()},
    "savefig.dpi": 150,
    "svg.hashsalt": "kernelwise",  # else the identifiers in an SVG file differ from run to run
    "pdf.fonttype": 42,
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw in the style of kernelwise, whatever the caller's settings, which are then restored."""
    style = import_optional("matplotlib.style", extra="report")
    with style.context(["default", STYLE]):
        yield


def new_figure(width: float, height: float, layout: str | None = "constrained") -> "Figure":
    """An empty figure, with its size in inches."""
    module = import_optional("matplotlib.figure", extra="report")
    return module.Figure(figsize=(width, height), layout=layout)


def settle(figure: "Figure") -> None:
    """Arrange the axes once and for all: each further drawing would move them a little."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def legend_above(axes: "Axes", **patches: str) -> None:
    """A legend in one line above the axes: of the artists with labels, or of colored patches.

    Parameters
    ----------
    axes : where it goes
    patches : what each color means, ``meaning=color``
    """
    module = import_optional("matplotlib.patches", extra="report")
    handles, labels = axes.get_legend_handles_labels()
    for meaning, color in patches.items():
        handles, labels = [*handles, module.Patch(color=color)], [*labels, meaning]
    axes.legend(
        handles,
        labels,
        loc="lower right",  # on the left there may be a power of ten, for all numbers of the axis
        bbox_to_anchor=(1, 1),
        ncols=len(labels),
        borderaxespad=0.2,
        borderpad=0,
        handlelength=1.2,
        handleheight=0.8,
        handletextpad=0.5,
        columnspacing=1.2,
    )


def as_label(name: object) -> str:
    """A name in one line, where a dollar sign begins no formula."""
    return " ".join(str(name).split()).replace("$", r"\$")


def as_number(value: float) -> str:
    """Four digits, trailing zeros included, so that the numbers of a column look alike."""
    return f"{value:#.4g}".rstrip(".")


def text_width(texts: Iterable[str], size: float = FONT_SIZE) -> float:
    """The width of the widest text in inches; 0 for no text."""
    textpath = import_optional("matplotlib.textpath", extra="report")
    fonts = import_optional("matplotlib.font_manager", extra="report")
    font = fonts.FontProperties(family=STYLE["font.family"], size=size)
    measured = [
        textpath.text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
        for text in texts
    ]
    return max(measured, default=0.0) / POINTS_PER_INCH


def check_methods(mapping: Mapping[str, Any], content: str) -> None:
    """Refuse anything but a mapping with methods; ``content`` says what belongs to each."""
    if not hasattr(mapping, "keys") or not len(mapping):
        raise ValueError(f"give a mapping of at least one method to {content}, not {mapping!r}")


def check_count(value: int, owner: str) -> None:
    """Refuse anything but a whole number of 1 or more."""
    if not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{owner} must be a whole number of 1 or more, got {value!r}")


def finite_array(values: ArrayLike, dimensions: int, owner: str) -> np.ndarray:
    """The numbers as an array of that many dimensions, or a ValueError that names ``owner``."""
    array = np.asarray(values, dtype=float)
    if array.ndim != dimensions or not array.size:
        raise ValueError(
            f"{owner}: an array of {dimensions} dimension(s) with at least one number is needed, "
            f"not one of shape {array.shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{owner}: some numbers are missing or infinite; leave those fits out")
    return array


def spread(
    positions: Sequence[float], gap: float, low: float = -np.inf, high: float = np.inf
) -> np.ndarray:
    """Increasing positions moved as little as possible (least squares) to be ``gap`` apart.

    All end between ``low`` and ``high``, which must be far enough apart for that. Cost: linear.
    """
    steps = gap * np.arange(len(positions))
    moved = isotonic_regression(np.asarray(positions, dtype=float) - steps).x
    return np.clip(moved, low, high - steps[-1]) + steps
