"""How much of each kernel, and of each view, a model of many kernels uses."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.report.relevance import relevance_bars
from kernelwise.report.short_names import short_names
from kernelwise.report.style import (
    BLUE,
    LINE_HEIGHT,
    MIDDLE,
    check_count,
    figure_style,
    finite_array,
    new_figure,
    settle,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME_WIDTH = 3.2  # inches


def kernel_weights_plot(
    names: Sequence[str], weights: ArrayLike, intervals: ArrayLike | None = None, most: int = 20
) -> "Figure":
    """A dot per kernel at its weight, the largest weight of either sign on top.

    ``names``, ``weights`` and ``intervals`` are an estimator's ``kernel_names_``,
    ``kernel_weights_`` (or ``weights_``) and ``kernel_weight_intervals_``: lines show the 95 %
    credible interval of each weight. Beyond ``most`` kernels, one line says how many are left.
    """
    values, ends = _checked(names, weights, intervals, most)
    order = np.argsort(-np.abs(values), kind="stable")[:most]
    labels = short_names([names[number] for number in order], NAME_WIDTH)
    left = len(values) - len(order)
    lines = range(len(order))
    with figure_style():
        figure = new_figure(
            4.2 + text_width(labels), 0.9 + 1.25 * LINE_HEIGHT * (len(order) + (left > 0))
        )
        axes = figure.subplots()
        axes.axvline(0, color=MIDDLE, lw=0.8)
        if ends is not None:
            axes.hlines(lines, *ends[order].T, color=BLUE, lw=1.2, gid="interval")
        axes.plot(values[order], lines, "o", color=BLUE, ms=4, gid="weight")
        axes.set_yticks(lines, labels)
        axes.set_ylim(len(order) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        axes.set_xlabel("kernel weight" + ("" if ends is None else ", with 95 % interval"))
        if left:
            largest = np.abs(np.delete(values, order)).max()
            axes.set_title(f"and {left} more, none above {largest:.2g} in size", color=MIDDLE)
        settle(figure)
    return figure


def view_weights_plot(views: Sequence[str], shares: ArrayLike, most: int = 20) -> "Figure":
    """A bar per view with the shares of all its kernels together, in percent.

    ``views`` are an estimator's ``kernel_views_``; ``shares`` its ``kernel_shares_`` or its
    ``weights_``, not negative.
    """
    values = finite_array(shares, 1, "shares")
    if len(views) != len(values):
        raise ValueError(f"{len(views)} views were given for {len(values)} kernels")
    if (values < 0).any() or not values.any():
        raise ValueError("shares must be 0 or more, and one of them above 0")
    kinds = list(dict.fromkeys(views))
    numbers = np.array([kinds.index(view) for view in views])
    totals = np.bincount(numbers, values)
    figure = relevance_bars(kinds, totals / totals.sum(), most=most)
    figure.axes[0].set_xlabel("share of the view, %")
    return figure


def _checked(
    names: Sequence[str], weights: ArrayLike, intervals: ArrayLike | None, most: int
) -> tuple[np.ndarray, np.ndarray | None]:
    if np.ndim(weights) == 2:
        raise ValueError("each class has its own weights: draw those of one, kernel_weights_[k]")
    values = finite_array(weights, 1, "weights")
    if len(names) != len(values):
        raise ValueError(f"{len(names)} names were given for {len(values)} kernels")
    check_count(most, "most")
    if intervals is None:
        return values, None
    ends = finite_array(intervals, 2, "intervals")
    if ends.shape != (len(values), 2) or (ends[:, 0] > values).any() or (ends[:, 1] < values).any():
        raise ValueError("intervals must have a lower and an upper end around each weight")
    return values, ends
