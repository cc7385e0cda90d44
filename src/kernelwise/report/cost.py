"""Errors against costs."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kernelwise.evaluation import CostAndError
from kernelwise.optional import import_optional
from kernelwise.report.style import (
    BLUE,
    LIGHT,
    LINE_HEIGHT,
    MIDDLE,
    as_label,
    check_methods,
    figure_style,
    new_figure,
    settle,
    spread,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AROUND = 0.9  # inches of height outside the axes
FAN = 1.06  # where the names begin, in widths of the axes


def error_against_cost(
    points: Mapping[str, Sequence[float]],
    *,
    xlabel: str = "CPU seconds per fit",
    ylabel: str = "mean error, %",
) -> "Figure":
    """One marker per method: its cost on a logarithmic axis and its error with the interval.

    ``points`` maps a method to a ``CostAndError`` or its four numbers. Methods that nothing
    cheaper beats are blue and joined by a line, the Pareto front. Costs follow the names.
    """
    found = _checked(points)
    height = max(3.6, AROUND + 1.1 * LINE_HEIGHT * len(found))
    with figure_style():
        figure = new_figure(5.2 + text_width(_names(found).values()), height)
        axes = figure.subplots()
        axes.set_xscale("log")
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        front = pareto_front(found)
        stairs = [found[name][:2] for name in front]
        axes.step(*zip(*stairs, strict=True), where="post", color=BLUE, alpha=0.4, gid="front")
        for name, point in found.items():
            color = BLUE if name in front else MIDDLE
            ends = [point.lower, point.upper]
            axes.plot([point.cost] * 2, ends, color=color, lw=1, gid="interval")
            axes.plot([point.cost], [point.error], "o", color=color, ms=5, gid="mark")
        _few_ticks(axes, [point.cost for point in found.values()])
        _draw_names(axes, found, gap=LINE_HEIGHT / (height - AROUND))
        settle(figure)
    return figure


def _few_ticks(axes: "Axes", costs: Sequence[float]) -> None:
    """Label plain round numbers up to two decades, and beyond them only powers of ten."""
    ticker = import_optional("matplotlib.ticker", extra="report")
    axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    ratio = max(costs) / min(costs)
    if ratio < 100:
        plain = ticker.MaxNLocator(4) if ratio < 10 else ticker.LogLocator(subs=(1, 2, 5))
        axes.xaxis.set_major_locator(plain)
        axes.xaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
        axes.xaxis.set_minor_locator(ticker.NullLocator())


def pareto_front(points: Mapping[str, CostAndError]) -> list[str]:
    """The methods, cheapest first, whose error is below that of all cheaper ones."""
    front: list[str] = []
    for name in sorted(points, key=lambda name: points[name][:2]):
        if not front or points[name].error < points[front[-1]].error:
            front.append(name)
    return front


def _checked(points: Mapping[str, Sequence[float]]) -> dict[str, CostAndError]:
    check_methods(points, "its cost, its error and the ends of the error's interval")
    found = {}
    for name, numbers in points.items():
        if len(numbers) != 4 or not all(math.isfinite(number) for number in numbers):
            raise ValueError(
                f"{name} needs four finite numbers (cost, error, lower, upper), not {numbers!r}"
            )
        point = CostAndError(*map(float, numbers))
        if point.cost <= 0:
            raise ValueError(f"the cost of {name} must be positive, not {point.cost}")
        if not point.lower <= point.error <= point.upper:
            raise ValueError(f"the error of {name} is outside its interval: {point}")
        found[name] = point
    return found


def _names(points: Mapping[str, CostAndError]) -> dict[str, str]:
    """Names with the cost, which distinguishes methods of equal error."""
    return {name: f"{as_label(name)} ({point.cost:.3g})" for name, point in points.items()}


def _draw_names(axes: "Axes", points: Mapping[str, CostAndError], gap: float) -> None:
    """Write the names in a column on the right, in the order of errors, each joined to its mark.

    Horizontal lines to the edge of the axes, then a fan to the names: no two cross, however close
    the marks are. ``gap`` is the distance between two names as a share of the axes' height.
    """
    right, (bottom, top) = axes.get_xlim()[1], axes.get_ylim()
    axes.set(xlim=axes.get_xlim(), ylim=(bottom, top))  # what follows must not change them
    order, names = sorted(points, key=lambda name: points[name].error), _names(points)
    heights = [(points[name].error - bottom) / (top - bottom) for name in order]
    places = spread(heights, gap, low=0, high=1)
    style: dict[str, Any] = {"color": LIGHT, "lw": 0.8, "zorder": 1, "gid": "leader"}
    for name, height, place in zip(order, heights, places, strict=True):
        cost, error = points[name][:2]
        axes.plot([cost, right], [error, error], **style)
        axes.plot([1, FAN], [height, place], transform=axes.transAxes, clip_on=False, **style)
        axes.text(
            FAN + 0.01,
            place,
            names[name],
            transform=axes.transAxes,
            va="center_baseline",
            gid="name",
        )
