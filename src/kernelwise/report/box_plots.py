"""Learned kernel parameters over replicates: the less they vary, the stabler the learning."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.optional import import_optional
from kernelwise.report.style import (
    BLUE,
    DARK,
    LIGHT,
    LINE_HEIGHT,
    MIDDLE,
    as_label,
    check_methods,
    figure_style,
    finite_array,
    new_figure,
    settle,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def parameter_box_plots(
    parameters: Mapping[str, ArrayLike],
    *,
    title: str = "",
    log: bool = True,
    names: Sequence[str] | None = None,
) -> "Figure":
    """Box plots of the kernel parameters learned on one data set, one panel per method.

    ``parameters`` maps a method to an array with replicates in rows and kernel parameters in
    columns, the same ones for all methods; ``names`` are those of the columns (default: 1, 2, ...)
    and are thinned if there is no room for all. A box spans the quartiles with the median inside,
    whiskers reach the last value within 1.5 interquartile ranges, dots are values beyond. On the
    logarithmic axis (``log``) a zero is drawn at the bottom, on a line marked "0".

    References
    ----------
    Cawley & Talbot, "Kernel Learning at the First Level of Inference", Figure 5.
    """
    check_methods(parameters, "an array (replicates, kernel parameters)")
    tables = {
        name: finite_array(values, 2, f"kernel parameters of {name}")
        for name, values in parameters.items()
    }
    counts = {name: table.shape[1] for name, table in tables.items()}
    if len(set(counts.values())) > 1:
        raise ValueError(f"the methods must have the same kernel parameters, not {counts}")
    count = next(iter(counts.values()))
    if names is not None and len(names) != count:
        raise ValueError(f"{len(names)} names were given for {count} kernel parameters")
    labels = [str(number) for number in range(1, count + 1)] if names is None else names
    samples = {name: list(table.T) for name, table in tables.items()}
    return _panels(samples, labels, title=title, log=log, xlabel="kernel parameter")


def parameter_by_dataset_box_plots(
    parameters: Mapping[str, Mapping[str, ArrayLike]], *, title: str = "", log: bool = True
) -> "Figure":
    """Box plots of a kernel's only parameter, one panel per method and one box per data set.

    ``parameters`` maps a method to data sets, the same for all, and each to the values learned on
    its replicates. Boxes and zeros are drawn as in ``parameter_box_plots``.

    References
    ----------
    Cawley & Talbot, "Kernel Learning at the First Level of Inference", Figure 4.
    """
    check_methods(parameters, "its data sets")
    datasets = list(next(iter(parameters.values())))
    samples = {}
    for method, by_dataset in parameters.items():
        check_methods(by_dataset, f"parameter values (data sets of {method})")
        if set(by_dataset) != set(datasets):
            raise ValueError(
                f"the methods must have the same data sets: {method} has {sorted(by_dataset)}, "
                f"not {sorted(datasets)}"
            )
        samples[method] = [
            finite_array(by_dataset[dataset], 1, f"kernel parameter of {method} on {dataset}")
            for dataset in datasets
        ]
    return _panels(samples, datasets, title=title, log=log, xlabel="")


def _panels(
    samples: Mapping[str, list[np.ndarray]],
    labels: Sequence[str],
    *,
    title: str,
    log: bool,
    xlabel: str,
) -> "Figure":
    """One panel of boxes per method, with a common vertical axis.

    Parameters
    ----------
    samples : for each method the values of each box
    labels : the names of the boxes, the same for all methods
    title, xlabel : of the figure and of its horizontal axis; "" for none
    log : whether the vertical axis is logarithmic
    """
    every = np.concatenate([values for columns in samples.values() for values in columns])
    if log and (every < 0).any():
        raise ValueError("a logarithmic axis has no place for negative values: use log=False")
    floor = _floor_for_zeros(every) if log and (every == 0).any() else None
    count, names = len(labels), [as_label(name) for name in labels]
    width = max(min(0.3 * count, 4.5), 2.2, text_width(map(as_label, samples)))
    ticks, upright = _ticks(names, (width - 0.3) / count)
    room = text_width(names) if upright else LINE_HEIGHT
    with figure_style():
        total = max(0.7 + (width + 0.15) * len(samples), 0.2 + 1.2 * text_width([title]))
        figure = new_figure(total, 3.2 + room)
        panels = figure.subplots(1, len(samples), sharey=True, squeeze=False)[0]
        if log:
            panels[0].set_yscale("log")
            lowest, highest = np.maximum([every.min(), every.max()], floor or 0)
            if lowest == highest:  # matplotlib's own limits would leave no height
                panels[0].set_ylim(lowest / 3, highest * 3)
        for axes, (method, columns) in zip(panels, samples.items(), strict=True):
            axes.set_title(as_label(method))
            _draw_boxes(axes, columns, floor)
            axes.set_xticks(ticks + 1, [names[i] for i in ticks], rotation=90 if upright else 0)
            axes.set_xlim(0.3, count + 0.7)
            axes.grid(axis="y")
        if floor is not None:
            _mark_zero(panels, floor)
        panels[0].set_ylabel("learned value")
        if title:
            figure.suptitle(as_label(title))
        if xlabel:
            figure.supxlabel(xlabel)
        settle(figure)
    return figure


def _ticks(names: Sequence[str], slot: float) -> tuple[np.ndarray, bool]:
    """Which boxes are named, and whether vertically; a slot is the width of one box in inches.

    Numbers stay horizontal and are thinned to every 2nd, 5th, 10th...; long names are vertical.
    """
    level, count = text_width(names) + 0.06, len(names)
    numbered = all(name.isdecimal() for name in names)
    upright = not numbered and level > slot
    step = math.ceil((LINE_HEIGHT if upright else level) / slot)
    if numbered:
        decades = (base * 10**power for power in range(9) for base in (1, 2, 5))
        step = next(nice for nice in decades if nice >= step)
    return np.arange(min(step, count) - 1, count, step), upright


def _floor_for_zeros(values: np.ndarray) -> float:
    """A power of ten at least half a decade below the smallest positive value."""
    positive = values[values > 0]
    smallest = positive.min() if positive.size else 1.0
    return 10.0 ** math.floor(math.log10(smallest) - 0.5)


def _draw_boxes(axes: "Axes", columns: Sequence[np.ndarray], floor: float | None) -> None:
    """Draw boxes with the quartiles of the values themselves; zeros are moved to the floor.

    Not with matplotlib's ``bxp``: it reads all settings, the backend too, and so loads pyplot.
    """
    cbook = import_optional("matplotlib.cbook", extra="report")
    lowest = -np.inf if floor is None else floor
    statistics = [cbook.boxplot_stats(values)[0] for values in columns]
    keys = ("whislo", "q1", "med", "q3", "whishi")
    table = np.maximum([[box[key] for key in keys] for box in statistics], lowest)
    lower, first, median, third, upper = table.T
    places = np.arange(1, len(columns) + 1)
    axes.use_sticky_edges = False  # else the lowest box touches the edge of the panel
    axes.vlines(places, lower, upper, color=MIDDLE, lw=0.7, zorder=2)
    axes.bar(
        places, third - first, 0.6, bottom=first, color=LIGHT, edgecolor=MIDDLE, lw=0.7, zorder=2
    )
    axes.hlines(median, places - 0.3, places + 0.3, color=BLUE, lw=1.6, zorder=3, gid="medians")
    counts = [len(box["fliers"]) for box in statistics]
    beyond = np.maximum(np.concatenate([box["fliers"] for box in statistics]), lowest)
    axes.plot(np.repeat(places, counts), beyond, "o", color=MIDDLE, ms=2, mew=0, alpha=0.6)


def _mark_zero(panels: Sequence["Axes"], floor: float) -> None:
    """Draw the line of zeros below a logarithmic axis, with no ticks between it and a value."""
    ticker = import_optional("matplotlib.ticker", extra="report")
    axis, top = panels[0].yaxis, max(panels[0].get_ylim()[1], 10 * floor)
    powers = ticker.LogLocator().tick_values(floor, top)
    marks = [floor, *(power for power in powers if floor < power <= top)]
    usual = ticker.LogFormatterMathtext()
    axis.set_major_locator(ticker.FixedLocator(marks))
    axis.set_major_formatter(
        ticker.FuncFormatter(lambda value, position: "0" if value == floor else usual(value))
    )
    axis.set_minor_locator(ticker.NullLocator())
    panels[0].set_ylim(floor / 1.6, top)
    for axes in panels:
        axes.axhline(floor, color=DARK, lw=0.8, ls=(0, (1, 2)), zorder=1)
