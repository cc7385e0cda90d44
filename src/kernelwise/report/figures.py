"""Distributions over trials, and figures in files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.files import written_whole
from kernelwise.report.style import (
    BLUE,
    LIGHT,
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
    from matplotlib.figure import Figure

MOST_BINS, MOST_ROUND_BINS = 40, 100  # chosen by the results, and of a given width

# No date in the file: the same figure is the same file.
METADATA: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


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
