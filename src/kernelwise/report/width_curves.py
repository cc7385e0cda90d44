"""Four judgments of a kernel's width, one above the other."""

from typing import TYPE_CHECKING

import numpy as np

from kernelwise.insight.width_curves import WidthCurves
from kernelwise.optional import import_optional
from kernelwise.report.style import (
    BLUE,
    MIDDLE,
    ORANGE,
    as_number,
    figure_style,
    finite_array,
    new_figure,
    settle,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = {
    "log_evidence": "log evidence",
    "priced_evidence": "log evidence, less a price per vector",
    "log_validity": "log kernel validity",
    "held_out_error": "held-out error",
}
WIDTH, PANEL, COUNTS = 5.6, 1.0, 0.12  # inches of the figure, of a panel's and the counts' height
GAP = 0.06  # inches between two counts
# Ratios of the widths up to which any numbers are labeled, and beyond which only powers of ten.
NARROW_RANGE, WIDE_RANGE = 10.0, 300.0


def width_curves_plot(curves: WidthCurves) -> "Figure":
    """Evidence, priced evidence, kernel validity and held-out error against the width.

    An orange mark is the width that a judgment prefers; above it on the right stand that width and
    the held-out error it leads to. The numbers on top are those of relevance vectors. A judgment
    without a value (validity, if the kernel has no derivatives in its centers) has no panel.

    References
    ----------
    Kropotov, Ryazanov & Vetrov, Extended Bayesian framework for automatic tuning of kernel
    data-mining methods, section 5.
    """
    widths, preferred = _checked(curves), curves.preferred
    heights = [COUNTS] + [PANEL] * len(preferred)
    with figure_style():
        figure = new_figure(WIDTH, 0.9 + 1.25 * PANEL * len(preferred))
        top, *panels = figure.subplots(
            len(heights), 1, sharex=True, gridspec_kw={"height_ratios": heights}
        )
        top.set_xscale("log")
        for axes, (name, best) in zip(panels, preferred.items(), strict=True):
            values = np.asarray(getattr(curves, name), float)
            if name == "held_out_error" and curves.classification:
                values = 100 * values
            axes.plot(widths, values, "o-", color=BLUE, lw=1.2, ms=3, gid=name)
            axes.axvline(widths[best], color=ORANGE, lw=1, ls=(0, (4, 2)), zorder=1)
            axes.plot([widths[best]], [values[best]], "o", color=ORANGE, ms=7, gid="preferred")
            axes.set_title(_title(name, curves.classification))
            axes.set_title(_said(curves, best), loc="right", color=ORANGE)
            axes.locator_params(axis="y", nbins=4)
            axes.margins(y=0.12)
            axes.grid(axis="y")
        unit = "length scales over those given" if curves.relative else "length scale"
        panels[-1].set_xlabel(f"width ({unit})")
        _plain_ticks(panels[-1], widths)
        top.set_title("relevance vectors")
        top.axis("off")
        settle(figure)
        _write_counts(top, curves)
    return figure


def _title(name: str, classification: bool) -> str:
    if name != "held_out_error":
        return NAMES[name]
    return f"{NAMES[name]}, %" if classification else f"{NAMES[name]}, root mean square"


def _said(curves: WidthCurves, best: int) -> str:
    """The preferred width and where it leads."""
    error = curves.held_out_error[best]
    said = f"{100 * error:.1f} %" if curves.classification else as_number(error)
    return f"best at {curves.widths[best]:.3g}: error {said}"


def _plain_ticks(axes: "Axes", widths: np.ndarray) -> None:
    """Label 1, 2 and 5 of each decade; powers of ten if there are many, any numbers if few."""
    ticker = import_optional("matplotlib.ticker", extra="report")
    ratio = widths[-1] / widths[0]
    locator = ticker.LogLocator(subs=(1, 2, 5) if ratio < WIDE_RANGE else (1,), numticks=20)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(5) if ratio < NARROW_RANGE else locator)
    axes.xaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())


def _write_counts(axes: "Axes", curves: WidthCurves) -> None:
    """Write the number of relevance vectors over each width, where there is room for it."""
    inches = axes.figure.dpi_scale_trans.inverted()
    places = (axes.transData + inches).transform([(width, 0) for width in curves.widths])[:, 0]
    end = -np.inf
    for width, place, count in zip(curves.widths, places, curves.n_vectors, strict=True):
        half = text_width([str(count)]) / 2
        if place - half > end:
            end = place + half + GAP
            axes.text(
                width,
                0,
                str(count),
                transform=axes.get_xaxis_transform(),
                ha="center",
                va="baseline",
                color=MIDDLE,
                gid="count",
            )


def _checked(curves: WidthCurves) -> np.ndarray:
    widths = finite_array(curves.widths, 1, "widths")
    if (np.diff(widths) <= 0).any() or widths[0] <= 0:
        raise ValueError(f"widths must be positive and increase, got {curves.widths!r}")
    for name in ("log_evidence", "priced_evidence", "held_out_error", "n_vectors"):
        finite_array(getattr(curves, name), 1, name)
    for name in (*NAMES, "n_vectors"):
        if np.shape(getattr(curves, name)) != widths.shape:
            raise ValueError(
                f"{name} must have a number for each of the {len(widths)} widths, not the shape "
                f"{np.shape(getattr(curves, name))}"
            )
    return widths
