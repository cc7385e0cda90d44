"""Distributions over trials, errors with their intervals, and figures in files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.evaluation import ErrorInterval
from kernelwise.files import written_whole
from kernelwise.report.style import (
    BLUE,
    LIGHT,
    LINE_HEIGHT,
    MIDDLE,
    ORANGE,
    as_label,
    as_number,
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

MOST_BINS, MOST_ROUND_BINS = 40, 100  # chosen by the results, and of a given width

# No date in the file: the same figure is the same file.
METADATA: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
# A baseline farther from the intervals than this many of their widths is not drawn but named.
FAR = 3.0


def histograms(
    trials: Mapping[str, ArrayLike],
    *,
    xlabel: str,
    reference: Mapping[str, float] | None = None,
    reference_name: str = "reference",
    bin_width: float | None = None,
) -> "Figure":
    """Histograms of each method's results over trials, in panels with the same axes and bins.

    A blue line marks the mean, a dashed one the reference.

    Parameters
    ----------
    trials : the results of each method
    xlabel : what the results are
    reference, reference_name : numbers to compare methods with, such as a paper's, and their name
    bin_width : bins are between its multiples; None: as suits the results
    """
    check_methods(trials, "its results, one per trial")
    results = {
        name: finite_array(values, 1, f"trials of {name}") for name, values in trials.items()
    }
    reference = _checked_reference(reference, results)
    titles = {
        name: _numbers(values, name, reference, reference_name) for name, values in results.items()
    }
    pooled = np.concatenate(list(results.values()))
    edges = _automatic_edges(pooled) if bin_width is None else _round_edges(pooled, bin_width)
    with figure_style():
        width = text_width(map(as_label, results)) + text_width(titles.values()) + 1.2
        figure = new_figure(max(5.5, width), 0.8 + 1.1 * len(results))
        panels = figure.subplots(len(results), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, (name, values) in zip(panels, results.items(), strict=True):
            weights = np.full(len(values), 100 / len(values))
            axes.hist(values, edges, weights=weights, color=LIGHT, edgecolor="white", lw=0.5)
            axes.axvline(values.mean(), color=BLUE, lw=1.6, gid="mean")
            if name in reference:
                axes.axvline(reference[name], color=ORANGE, lw=1.4, ls=(0, (4, 2)), gid="reference")
            axes.set_title(as_label(name))
            axes.set_title(titles[name], loc="right", color=MIDDLE)
        panels[-1].set_xlabel(xlabel)
        figure.supylabel("trials, %")
        settle(figure)
    return figure


def _automatic_edges(values: np.ndarray) -> np.ndarray:
    edges = np.histogram_bin_edges(values, "auto")
    return edges if len(edges) <= MOST_BINS + 1 else np.histogram_bin_edges(values, MOST_BINS)


def _round_edges(values: np.ndarray, width: float) -> np.ndarray:
    """Multiples of ``width``; the last bin ends above the highest value."""
    if not width > 0 or np.ptp(values) / width > MOST_ROUND_BINS:
        raise ValueError(
            f"bins of width {width:g} do not suit results from {values.min():g} to "
            f"{values.max():g}: at most {MOST_ROUND_BINS} can be drawn"
        )
    first, last = np.floor(values.min() / width), np.floor(values.max() / width)
    return width * np.arange(first, last + 2)


def error_intervals(
    errors: Mapping[str, ErrorInterval],
    *,
    baseline: float | None = None,
    xlabel: str = "error",
    baseline_name: str = "baseline",
) -> "Figure":
    """Each method's error with its interval, the lowest on top.

    ``baseline`` is the error of a trivial predictor, drawn as a line across all methods, or named
    at the edge if it is far away.
    """
    check_methods(errors, "an error with its interval")
    for name, error in errors.items():
        ends = finite_array([error.lower, error.value, error.upper], 1, f"error of {name}")
        if (np.diff(ends) < 0).any():
            raise ValueError(f"the error of {name} is outside its interval: {error}")
    if baseline is not None:
        finite_array([baseline], 1, "baseline")
    order = sorted(errors, key=lambda name: errors[name].value)
    with figure_style():
        width = 4.4 + text_width(map(as_label, order))
        figure = new_figure(width, 0.9 + 1.7 * LINE_HEIGHT * len(order))
        axes = figure.subplots()
        for row, name in enumerate(order):
            error = errors[name]
            axes.plot([error.lower, error.upper], [row, row], color=BLUE, lw=1.4, gid="interval")
            axes.plot([error.value], [row], "o", color=BLUE, ms=5, gid="mark")
            axes.text(
                1.02,
                row,
                as_number(error.value),
                transform=axes.get_yaxis_transform(),
                va="center_baseline",
            )
        if baseline is not None:
            _draw_baseline(axes, baseline, f"{baseline_name} {as_number(baseline)}")
        axes.set_yticks(range(len(order)), [as_label(name) for name in order])
        axes.set_ylim(len(order) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        axes.set_xlabel(xlabel)
        settle(figure)
    return figure


def _draw_baseline(axes: "Axes", baseline: float, said: str) -> None:
    """Draw a line, or only its number at the edge if it would squeeze the intervals together."""
    low, high = axes.get_xlim()
    top = axes.get_xaxis_transform()
    if high + FAR * (high - low) < baseline:
        axes.text(high, 1.02, f"{said} →", transform=top, ha="right", va="bottom", color=MIDDLE)
        axes.set_xlim(low, high)
        return
    axes.axvline(baseline, color=MIDDLE, lw=1, ls=(0, (4, 2)), zorder=1, gid="baseline")
    axes.text(baseline, 1.02, said, transform=top, ha="center", va="bottom", color=MIDDLE)


def save_figure(figure: "Figure", path: str | Path) -> None:
    """Write a figure whole or not at all, as PNG, SVG or PDF by the suffix of ``path``.

    The same figure gives the same bytes (with the same version of matplotlib).
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in METADATA:
        raise ValueError(f"{path}: a figure's file must end in {', '.join(METADATA)}")
    with figure_style(), written_whole(path) as temporary:
        figure.savefig(temporary, format=suffix[1:], metadata=METADATA[suffix])


def _checked_reference(
    reference: Mapping[str, float] | None, results: Mapping[str, np.ndarray]
) -> Mapping[str, float]:
    reference = {} if reference is None else reference
    unknown = [str(name) for name in reference if name not in results]
    if unknown:
        raise ValueError(f"reference values of {', '.join(unknown)}, which have no trials")
    for name, value in reference.items():
        finite_array([value], 1, f"reference value of {name}")
    return reference


def _numbers(
    values: np.ndarray, name: str, reference: Mapping[str, float], reference_name: str
) -> str:
    said = f"{len(values)} trials, mean {as_number(values.mean())}"
    return said + (f", {reference_name} {as_number(reference[name])}" if name in reference else "")
