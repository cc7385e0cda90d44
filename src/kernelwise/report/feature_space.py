"""Rows as a kernel sees them: the first two coordinates of its feature space."""

import math
from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.insight.feature_space import EmpiricalFeatureSpace
from kernelwise.report.short_names import short_names
from kernelwise.report.style import (
    BLUE,
    DARK,
    LINE_HEIGHT,
    MIDDLE,
    ORANGE,
    as_label,
    check_methods,
    figure_style,
    finite_array,
    new_figure,
    settle,
    text_width,
)
from kernelwise.tables.task import look_like_classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito's colors without their yellow, which is hard to see on white. Seven colors and eight
# markers have no common divisor: 56 classes differ, and neighbors in both color and marker.
COLORS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#56B4E9", "#E69F00", DARK)
# With the areas that make all look equally large.
MARKERS = {"o": 1.0, "^": 1.1, "s": 0.9, "D": 0.8, "v": 1.1, "P": 1.4, "X": 1.4, "*": 2.0}
MOST_CLASSES = len(COLORS) * len(MARKERS)
QUANTITY_COLORS = "cividis"  # made for color-blind readers too

# In inches.
PANEL = 3.0
AROUND = 0.95, 0.6  # each panel, across and down: for axis labels and title
NAME_WIDTH = 1.8
HANDLE = 0.5  # a marker of the legend with the space around it
COLOR_BAR = 0.9

PANELS_PER_ROW = 3
GAMMA = "\N{GREEK SMALL LETTER GAMMA}"


def feature_space_plot(
    spaces: Mapping[str, EmpiricalFeatureSpace], labels: ArrayLike, *, labels_name: str = ""
) -> "Figure":
    """The rows in the first two coordinates of each kernel's feature space, in panels.

    ``spaces`` maps a name to a space of the same rows; gamma, the share of the Gram matrix that
    the picture holds, is in each title. ``labels`` has one class or one number per row, and
    ``labels_name`` says what they are. Classes differ in color and marker, and rare ones are drawn
    on top; quantities have a color bar. Few different whole numbers are classes, as they are for a
    KernelAligner; more than ten numbered classes are treated as quantities unless given as text.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, Figure 5.
    """
    check_methods(spaces, "its empirical feature space")
    values = _checked_labels(labels)
    for name, space in spaces.items():
        if len(space.coordinates) != len(values) or space.coordinates.shape[1] < 2:
            raise ValueError(
                f"{name}: two coordinates of each of the {len(values)} labeled rows are needed, "
                f"not an array of shape {space.coordinates.shape}"
            )
    gammas = {name: f"{GAMMA} = {space.share:.2f}" for name, space in spaces.items()}
    width = max(PANEL, text_width(map(as_label, spaces)) + text_width(gammas.values()) + 0.2)
    down = math.ceil(len(spaces) / PANELS_PER_ROW)
    across = math.ceil(len(spaces) / down)
    with figure_style():
        figure = new_figure(across * (width + AROUND[0]), down * (PANEL + AROUND[1]))
        panels = list(figure.subplots(down, across, squeeze=False).flat)
        for axes in panels[len(spaces) :]:
            axes.set_axis_off()
        del panels[len(spaces) :]
        for axes, (name, space) in zip(panels, spaces.items(), strict=True):
            axes.set_title(as_label(name))
            axes.set_title(gammas[name], loc="right", color=MIDDLE)
            axes.set(xlabel="first coordinate", ylabel="second coordinate")
            axes.locator_params(nbins=5)
            if values.dtype.kind == "f":
                _draw_quantities(axes, space.coordinates, values)
            else:
                _draw_classes(axes, space.coordinates, values)
        if values.dtype.kind == "f":
            _add_color_bar(figure, panels, labels_name)
        else:
            _add_legend(figure, panels[0], labels_name)
        settle(figure)
    return figure


def _draw_quantities(axes: "Axes", coordinates: np.ndarray, values: np.ndarray) -> None:
    axes.scatter(
        coordinates[:, 0],
        coordinates[:, 1],
        _marker_area(len(values)),
        c=values,
        cmap=QUANTITY_COLORS,
        linewidths=0.3,
        edgecolors="white",
    )


def _draw_classes(axes: "Axes", coordinates: np.ndarray, values: np.ndarray) -> None:
    """Draw one collection per class, in the order of the classes; the rarest lies on top."""
    classes, counts = np.unique(values, return_counts=True)
    height = np.argsort(np.argsort(-counts, kind="stable"))
    names = short_names(classes.tolist(), NAME_WIDTH)
    looks = zip(cycle(COLORS), cycle(MARKERS.items()), strict=False)
    for number, (own, (color, (marker, area))) in enumerate(zip(classes, looks, strict=False)):
        places = coordinates[values == own]
        axes.scatter(
            places[:, 0],
            places[:, 1],
            area * _marker_area(len(values)),
            facecolors=color,
            edgecolors="white",
            marker=marker,
            linewidths=0.3,
            alpha=0.8,
            zorder=2 + height[number] / len(classes),
            label=names[number],
        )


def _marker_area(n_rows: int) -> float:
    """The area of a marker in square points; smaller for many rows."""
    return float(np.clip(12000 / n_rows, 13, 32))


def _add_color_bar(figure: "Figure", panels: list["Axes"], name: str) -> None:
    figure.set_figwidth(figure.get_figwidth() + COLOR_BAR)
    bar = figure.colorbar(panels[0].collections[0], ax=panels, aspect=30)
    bar.outline.set_visible(False)
    bar.set_label(as_label(name))


def _add_legend(figure: "Figure", axes: "Axes", name: str) -> None:
    """Add a legend to the right of all panels, in as many columns as their height requires."""
    handles, texts = axes.get_legend_handles_labels()
    lines = int((figure.get_figheight() - 0.4) / (1.1 * LINE_HEIGHT)) - bool(name)
    columns = math.ceil(len(texts) / lines)
    (title,) = short_names([name], NAME_WIDTH)
    width = columns * (text_width(texts) + HANDLE) + 0.2
    figure.set_figwidth(figure.get_figwidth() + max(width, text_width([title]) + 0.2))
    legend = figure.legend(
        handles,
        texts,
        title=title,
        loc="outside right upper",
        ncols=columns,
        labelspacing=0.4,
        handletextpad=0.2,
        columnspacing=1.0,
        alignment="left",
    )
    for handle in legend.legend_handles:  # a single mark need not be transparent
        if handle is not None:
            handle.set(alpha=1)


def _checked_labels(labels: ArrayLike) -> np.ndarray:
    """Floats for quantities; whole numbers, booleans or texts for classes."""
    values = np.asarray(labels)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"labels must be one class or number per row, not of shape {values.shape}")
    if any(value is None or value != value for value in values.tolist()):
        raise ValueError("some labels are missing: leave these rows out")
    if not look_like_classes(values):
        return finite_array(values, 1, "labels")
    if values.dtype.kind != "b":
        values = values.astype(np.int64 if values.dtype.kind in "iuf" else str)
    count = len(np.unique(values))
    if count > MOST_CLASSES:
        raise ValueError(
            f"{count} classes cannot be distinguished in one picture: merge some, so that at most "
            f"{MOST_CLASSES} are left"
        )
    return values
