"""The pictures of a report that no display draws: of held-out rows, dependences and fewer rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelwise.insight.fit_record import (
    CalibrationBin,
    CurvePoint,
    DependenceRecord,
    FitRecord,
    TraceRecord,
)
from kernelwise.report.short_names import short_names
from kernelwise.report.style import BLUE, GRID, MIDDLE, as_label, figure_style, new_figure, settle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches.
USUAL, SMALL = (4.2, 3.4), (2.7, 2.1)
LEVEL_WIDTH = 0.8
# Of squares that stand for many rows: points across, and shades of blue.
SQUARE, SHADES = 6.0, 5
DASHED = (0, (4, 2))


def calibration_figure(bins: Sequence[CalibrationBin], said: str, came: str) -> Figure:
    """What came true against what was said, with intervals; on the diagonal both agree."""
    with figure_style():
        figure, ax = _figure(USUAL)
        ax.plot([0, 100], [0, 100], color=MIDDLE, lw=1, ls=DASHED, gid="diagonal")
        for one in bins:
            x = 100 * one.predicted
            ax.plot([x, x], [100 * one.low, 100 * one.high], color=BLUE, lw=1.2, gid="interval")
        for one in bins:
            ax.plot([100 * one.predicted], [100 * one.observed], "o", color=BLUE, ms=5, gid="mark")
        ax.set_xlabel(f"{as_label(said)}, %")
        ax.set_ylabel(f"{as_label(came)}, %")
        ax.grid(**GRID)
        settle(figure)
    return figure


def pairs_figure(record: FitRecord) -> Figure:
    """Predictions against what was true; on the diagonal both agree."""
    true, predicted, counts = _pairs(record)
    with figure_style():
        figure, ax = _figure(USUAL)
        ends = [min(true.min(), predicted.min()), max(true.max(), predicted.max())]
        _draw_points(ax, true, predicted, counts)
        ax.plot(ends, ends, color=MIDDLE, lw=1, ls=DASHED, gid="diagonal")
        ax.set_xlabel(f"true {_short(record.target)}")
        ax.set_ylabel("predicted")
        settle(figure)
    return figure


def residuals_figure(record: FitRecord) -> Figure:
    """Truth minus prediction against prediction."""
    true, predicted, counts = _pairs(record)
    with figure_style():
        figure, ax = _figure(USUAL)
        _draw_points(ax, predicted, true - predicted, counts)
        ax.axhline(0, color=MIDDLE, lw=1, ls=DASHED, gid="zero")
        ax.set_xlabel(f"predicted {_short(record.target)}")
        ax.set_ylabel("true minus predicted")
        settle(figure)
    return figure


def dependence_figure(
    one: DependenceRecord, output: int, label: str, ends: tuple[float, float], size: float
) -> Figure:
    """The mean prediction against the value that a feature is set to.

    Parameters
    ----------
    one, output : what to draw, and which of its outputs
    label : of the outputs
    ends : of their axis, which pictures side by side share
    size : what outputs are multiplied by: 100 for percent
    """
    y = [size * line[output] for line in one.outputs]
    with figure_style():
        figure, ax = _figure(SMALL)
        if all(isinstance(value, str) for value in one.values):
            _draw_levels(ax, [str(value) for value in one.values], y)
        else:
            x = np.array(one.values, float)
            ax.plot(x, y, color=BLUE, lw=1.6, gid="line")
            for point in zip(x, y, strict=True):
                ax.plot(*([value] for value in point), "o", color=BLUE, ms=3, gid="mark")
        room = 0.05 * (ends[1] - ends[0]) or 1.0
        ax.set_ylim(ends[0] - room, ends[1] + room)
        ax.set_xlabel(_short(one.name))
        ax.set_ylabel(label)
        ax.grid(axis="y", **GRID)
        settle(figure)
    return figure


def curve_figure(curve: Sequence[CurvePoint], size: float, label: str) -> Figure:
    """The error against the number of rows to learn from."""
    with figure_style():
        figure, ax = _figure(USUAL)
        x, y = [point.rows for point in curve], [size * point.error for point in curve]
        ax.plot(x, y, color=BLUE, lw=1.6, gid="line")
        for point in zip(x, y, strict=True):
            ax.plot(*([value] for value in point), "o", color=BLUE, ms=5, gid="mark")
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("rows to learn from")
        ax.set_ylabel(label)
        ax.grid(axis="y", **GRID)
        settle(figure)
    return figure


def trace_figure(trace: TraceRecord) -> Figure:
    """The criterion in the order of evaluations, and the best so far."""
    values = np.array(trace.values, float)
    numbers = np.arange(1, len(values) + 1)
    so_far = np.minimum.accumulate(values)
    with figure_style():
        figure, ax = _figure(SMALL)
        shown = values <= values[0]
        ax.plot(numbers[shown], values[shown], "o", color=MIDDLE, ms=3, gid="value")
        ax.plot(numbers, so_far, color=BLUE, lw=1.6, drawstyle="steps-post", gid="best-so-far")
        ax.ticklabel_format(useOffset=False)
        ax.set_xlabel("evaluations")
        ax.set_ylabel("criterion")
        ax.grid(axis="y", **GRID)
        settle(figure)
    return figure


def _figure(size: tuple[float, float]) -> tuple[Figure, Axes]:
    figure = new_figure(*size)
    return figure, figure.subplots()


def _pairs(record: FitRecord) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """True and predicted quantities; of many rows those of squares, and how many rows each has."""
    if not record.squares:
        true, predicted = np.array(record.pairs, float).T
        return true, predicted, None
    squares = record.squares
    true, predicted = np.array([(one.true, one.predicted) for one in squares], float).T
    return true, predicted, np.array([one.rows for one in squares], float)


def _draw_points(ax: Axes, x: np.ndarray, y: np.ndarray, counts: np.ndarray | None) -> None:
    """A point per row, or a square per square, the darker the more rows are in it."""
    if counts is None:
        ax.plot(x, y, "o", color=BLUE, ms=3, alpha=0.6, mew=0, gid="points")
        return
    dark = np.ceil(SHADES * np.log1p(counts) / np.log1p(counts.max())) / SHADES
    for shade in np.unique(dark):
        own = dark == shade
        ax.plot(x[own], y[own], "s", color=BLUE, ms=SQUARE, alpha=shade, mew=0, gid="squares")


def _draw_levels(ax: Axes, levels: list[str], y: list[float]) -> None:
    style: dict[str, Any] = {"color": BLUE, "ms": 5, "gid": "mark"}
    for place, value in enumerate(y):
        ax.plot([place], [value], "o", **style)
    ax.set_xticks(range(len(levels)), short_names(levels, LEVEL_WIDTH), rotation=35, ha="right")
    ax.set_xlim(-0.5, len(levels) - 0.5)


def _short(name: str) -> str:
    return short_names([name], SMALL[0] - 1)[0]
