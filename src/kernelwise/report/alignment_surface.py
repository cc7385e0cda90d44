"""Alignment over the widths of two features, as a map."""

from typing import TYPE_CHECKING

import numpy as np

from kernelwise.insight.alignment_surface import AlignmentSurface
from kernelwise.optional import import_optional
from kernelwise.report.short_names import short_names
from kernelwise.report.style import figure_style, finite_array, new_figure, settle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = "cividis"  # made for color-blind readers too
MOST_LEVELS = 25
NAME_WIDTH = 2.0  # inches


def alignment_surface_plot(surface: AlignmentSurface) -> "Figure":
    """Filled contours of the alignment, with a mark at the learned widths.

    A learned width outside the grid, such as that of a filtered-out feature, is marked by an arrow
    at the edge it is beyond.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, Figure 3.
    """
    values = finite_array(surface.values, 2, "values")
    if values.shape != (len(surface.first), len(surface.second)) or min(values.shape) < 2:
        raise ValueError(
            f"an alignment for each pair of {len(surface.first)} and {len(surface.second)} widths "
            f"is needed (at least two of each), not an array of shape {values.shape}"
        )
    ticker = import_optional("matplotlib.ticker", extra="report")
    with figure_style():
        figure = new_figure(4.9, 4.2)
        axes = figure.subplots()
        levels = _levels(values)
        drawn = axes.contourf(surface.first, surface.second, values.T, levels, cmap=COLORS)
        first, second = short_names(surface.names, NAME_WIDTH)
        axes.set_xlabel(rf"$\log_{{10}}$ width of {first}")
        axes.set_ylabel(rf"$\log_{{10}}$ width of {second}")
        axes.set_box_aspect(1)
        _mark_learnt(axes, surface)
        bar = figure.colorbar(drawn, ax=axes, ticks=ticker.MaxNLocator(8))
        bar.outline.set_visible(False)
        bar.set_label("alignment")
        figure.legend(loc="outside upper left", handletextpad=0.3, borderpad=0)
        settle(figure)
    return figure


def _levels(values: np.ndarray) -> np.ndarray:
    """Round numbers that span all values; a flat surface has two levels around its value."""
    low, high = float(values.min()), float(values.max())
    if high - low < 1e-6:
        return np.array([low - 0.01, high + 0.01])
    ticker = import_optional("matplotlib.ticker", extra="report")
    return ticker.MaxNLocator(MOST_LEVELS, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)


def _mark_learnt(axes: "Axes", surface: AlignmentSurface) -> None:
    """Draw a cross inside the grid, or a triangle that points to the widths."""
    grids = (surface.first, surface.second)
    inside = [
        float(np.clip(place, grid[0], grid[-1]))
        for place, grid in zip(surface.learnt, grids, strict=True)
    ]
    beyond = np.sign(np.subtract(surface.learnt, inside))
    marker: str | tuple[int, int, float] = "X"
    said = "learned widths"
    if beyond.any():
        # A triangle points up: turn it by the angle from there to where it should point.
        marker = (3, 0, float(np.degrees(-np.arctan2(beyond[0], beyond[1]))))
        said = "learned widths (beyond the edge)"
    axes.plot(
        [inside[0]],
        [inside[1]],
        linestyle="",
        marker=marker,
        ms=11,
        color="white",
        markeredgecolor="black",
        clip_on=False,
        label=said,
        gid="learnt",
        zorder=4,
    )
