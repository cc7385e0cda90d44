"""Which features matter."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.report.short_names import short_names
from kernelwise.report.style import (
    BLUE,
    DARK,
    LIGHT,
    LINE_HEIGHT,
    MIDDLE,
    POINTS_PER_INCH,
    figure_style,
    finite_array,
    new_figure,
    settle,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME_WIDTH = 2.4  # inches
FILTERED = "filtered out"
ROUNDING = 1e-6


def relevance_bars(
    names: Sequence[str],
    relevance: ArrayLike,
    selected: Collection[int] | None = None,
    most: int = 20,
) -> "Figure":
    """A bar per feature, the most relevant on top, in percent of the whole.

    ``relevance`` and ``selected`` are an estimator's ``relevance_`` (shares that sum to 1) and
    ``selected_features_`` (column numbers); all other features are gray and marked as filtered
    out. Beyond ``most`` features, one line says how many are left and what they add up to. Long
    names are shortened.
    """
    shares = _checked(names, relevance, selected, most)
    # Descending; ties in the order of the columns.
    order = np.argsort(-shares, kind="stable")[:most]
    chosen = np.ones(len(order), bool) if selected is None else np.isin(order, list(selected))
    labels = short_names([names[column] for column in order], NAME_WIDTH)
    n_lines = len(order) + (len(shares) > most)
    with figure_style():
        width = 4.4 + text_width(labels) + (0 if chosen.all() else text_width([FILTERED]))
        figure = new_figure(width, 0.8 + 1.25 * LINE_HEIGHT * n_lines)
        axes = figure.subplots()
        colors = np.where(chosen, BLUE, LIGHT).tolist()
        axes.barh(range(len(order)), 100 * shares[order], 0.7, color=colors)
        axes.set_yticks(range(len(order)), labels)
        for label, own in zip(axes.get_yticklabels(), chosen, strict=True):
            label.set_color(DARK if own else MIDDLE)
        _write_percents(axes, [_percent(share) for share in shares[order]], chosen)
        if len(shares) > most:
            rest = _percent(np.delete(shares, order).sum())
            said = f"and {len(shares) - most} more (together {rest} %)"
            box = {"facecolor": "white", "linewidth": 0, "pad": 1}
            axes.text(0, most, said, color=MIDDLE, va="center_baseline", bbox=box, gid="rest")
        axes.set_ylim(n_lines - 0.4, -0.6)
        axes.set_xlim(left=0)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        axes.set_xlabel("relevance, %")
        settle(figure)
    return figure


def _write_percents(axes: "Axes", percents: Sequence[str], chosen: np.ndarray) -> None:
    """Write percentages in a column on the right, as bars of a few thousandths cannot be read.

    Beside it, say which features were filtered out: their bars may have no length to be gray.
    """
    style: dict[str, Any] = {
        "xycoords": axes.get_yaxis_transform(),
        "textcoords": "offset points",
        "va": "center_baseline",
    }
    end = 6 + POINTS_PER_INCH * text_width(percents)
    for line, (percent, own) in enumerate(zip(percents, chosen, strict=True)):
        place, color = (1, line), DARK if own else MIDDLE
        axes.annotate(percent, place, (end, 0), ha="right", color=color, gid="percent", **style)
        if not own:
            axes.annotate(FILTERED, place, (end + 8, 0), color=color, gid="filtered", **style)


def _percent(share: float) -> str:
    """A percentage with one decimal, or "< 0.1"."""
    percent = 100 * share
    return "< 0.1" if 0 < percent < 0.05 else f"{percent:.1f}"


def _checked(
    names: Sequence[str], relevance: ArrayLike, selected: Collection[int] | None, most: int
) -> np.ndarray:
    shares = finite_array(relevance, 1, "relevance")
    if len(names) != len(shares):
        raise ValueError(f"{len(names)} names were given for {len(shares)} features")
    if (shares < 0).any() or abs(shares.sum() - 1) > ROUNDING:
        raise ValueError(
            "relevance must be shares of 0 or more that sum to 1, like an estimator's relevance_: "
            f"the smallest is {shares.min():.3g}, the sum {shares.sum():.3g}"
        )
    if not isinstance(most, int | np.integer) or most < 1:
        raise ValueError(f"most must be a whole number of 1 or more, got {most!r}")
    if selected is not None:
        known = range(len(shares))
        unknown = [column for column in selected if column not in known]
        if unknown:
            raise ValueError(
                f"selected must be column numbers from 0 to {len(shares) - 1}, got {unknown}"
            )
    return shares
