"""Which features matter."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from kernelwise.data.pipeline import final_step
from kernelwise.insight import FitRecord
from kernelwise.report.display import Display, feature_names
from kernelwise.report.short_names import short_names
from kernelwise.report.style import (
    BLUE,
    DARK,
    GRID,
    LIGHT,
    LINE_HEIGHT,
    MIDDLE,
    POINTS_PER_INCH,
    check_count,
    finite_array,
    legend_above,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME_WIDTH = 2.4  # inches
FILTERED = "filtered out"
TOLD, NOT_TOLD = "told apart from noise", "not told apart"
ROUNDING = 1e-6


class RelevanceDisplay(Display):
    """A bar per feature, the most relevant on top, in percent of the whole.

    Beyond ``max_features``, one line says how many are left and what they add up to. Long names are
    shortened. ``plot`` hands further arguments to ``Axes.barh``.

    Parameters
    ----------
    relevance : shares that sum to 1, such as an estimator's ``relevance_``
    names : of the features
    intervals : (features, 2), such as ``relevance_interval_``: a whisker each, none where NaN
    selected : column numbers, such as ``selected_features_``; all other features are gray. With
        ``intervals`` these are the features told apart from noise, and a legend says so; without,
        those in the kernel, and all others are marked as filtered out. None: all.
    max_features : how many have a bar

    Attributes
    ----------
    bars_ : the bars, from the top
    whiskers_ : the lines of the intervals, None without them
    """

    def __init__(
        self,
        relevance: ArrayLike,
        names: Sequence[str],
        intervals: ArrayLike | None = None,
        selected: Collection[int] | None = None,
        max_features: int = 20,
    ):
        self.relevance = _checked(names, relevance, selected)
        check_count(max_features, "max_features")
        self.names, self.selected, self.max_features = names, selected, max_features
        self.intervals = None if intervals is None else _ends(intervals, self.relevance)

    @classmethod
    def from_estimator(cls, estimator: Any, *, max_features: int = 20) -> Self:
        """The relevances of a fitted estimator, or of the last step of a pipeline."""
        model = final_step(estimator)
        check_is_fitted(model)
        if not hasattr(model, "relevance_"):
            raise ValueError(f"this {type(model).__name__} has no relevance_: it saw no features")
        return cls(
            model.relevance_,
            feature_names(model),
            getattr(model, "relevance_interval_", None),
            getattr(model, "selected_features_", None),
            max_features,
        )

    @classmethod
    def from_record(cls, record: FitRecord, *, max_features: int = 20) -> Self:
        """The features of a record of a fit."""
        features = record.features
        ends = np.array([(one.low, one.high) for one in features], float)  # NaN: not known
        return cls(
            [one.relevance for one in features],
            [one.name for one in features],
            ends,
            [number for number, one in enumerate(features) if one.selected],
            max_features,
        )

    @property
    def size(self) -> tuple[float, float]:
        width = 4.4 + text_width(self._labels)
        if self._marks_filtered:
            width += text_width([FILTERED])
        return width, 0.8 + LINE_HEIGHT * (1.25 * self._n_lines + self._has_legend)

    @property
    def _order(self) -> np.ndarray:
        """Descending; ties in the order of the columns."""
        return np.argsort(-self.relevance, kind="stable")[: self.max_features]

    @property
    def _chosen(self) -> np.ndarray:
        if self.selected is None:
            return np.ones(len(self._order), bool)
        return np.isin(self._order, list(self.selected))

    @property
    def _labels(self) -> list[str]:
        return short_names([self.names[column] for column in self._order], NAME_WIDTH)

    @property
    def _n_lines(self) -> int:
        return len(self._order) + (len(self.relevance) > self.max_features)

    @property
    def _marks_filtered(self) -> bool:
        return self.intervals is None and not bool(self._chosen.all())

    @property
    def _has_legend(self) -> bool:
        return self.intervals is not None and not bool(self._chosen.all())

    def _draw(self, ax: "Axes", **kwargs: Any) -> None:
        order, chosen, shares = self._order, self._chosen, self.relevance
        colors = np.where(chosen, BLUE, LIGHT).tolist()
        style = {"height": 0.7, "color": colors} | kwargs
        self.bars_ = ax.barh(range(len(order)), 100 * shares[order], **style)
        self.whiskers_ = self._draw_whiskers(ax)
        ax.set_yticks(range(len(order)), self._labels)
        for label, own in zip(ax.get_yticklabels(), chosen, strict=True):
            label.set_color(DARK if own else MIDDLE)
        percents = [_percent(share) for share in shares[order]]
        _write_percents(ax, percents, chosen, self._marks_filtered)
        if len(shares) > len(order):
            rest = _percent(np.delete(shares, order).sum())
            said = f"and {len(shares) - len(order)} more (together {rest} %)"
            box = {"facecolor": "white", "linewidth": 0, "pad": 1}
            ax.text(0, len(order), said, color=MIDDLE, va="center_baseline", bbox=box, gid="rest")
        ax.set_ylim(self._n_lines - 0.4, -0.6)
        ax.set_xlim(left=0)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", **GRID)
        ax.set_xlabel("relevance, %")
        self._lines_above = int(self._has_legend)
        if self._has_legend:
            legend_above(ax, **{TOLD: BLUE, NOT_TOLD: LIGHT})

    def _draw_whiskers(self, ax: "Axes") -> Any:
        if self.intervals is None:
            return None
        ends = 100 * self.intervals[self._order]
        lines = np.arange(len(ends))
        return ax.hlines(lines, ends[:, 0], ends[:, 1], colors=DARK, lw=0.8, gid="interval")


def relevance_bars(
    names: Sequence[str],
    relevance: ArrayLike,
    selected: Collection[int] | None = None,
    most: int = 20,
) -> "Figure":
    """The figure of a `RelevanceDisplay` without intervals, made without pyplot.

    ``most`` is the display's ``max_features``.
    """
    check_count(most, "most")
    return RelevanceDisplay(relevance, names, None, selected, most).as_figure()


def _write_percents(
    axes: "Axes", percents: Sequence[str], chosen: np.ndarray, marks_filtered: bool
) -> None:
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
        if marks_filtered and not own:
            axes.annotate(FILTERED, place, (end + 8, 0), color=color, gid="filtered", **style)


def _percent(share: float) -> str:
    """A percentage with one decimal, or "< 0.1"."""
    percent = 100 * share
    return "< 0.1" if 0 < percent < 0.05 else f"{percent:.1f}"


def _checked(
    names: Sequence[str], relevance: ArrayLike, selected: Collection[int] | None
) -> np.ndarray:
    shares = finite_array(relevance, 1, "relevance")
    if len(names) != len(shares):
        raise ValueError(f"{len(names)} names were given for {len(shares)} features")
    if (shares < 0).any() or abs(shares.sum() - 1) > ROUNDING:
        raise ValueError(
            "relevance must be shares of 0 or more that sum to 1, like an estimator's relevance_: "
            f"the smallest is {shares.min():.3g}, the sum {shares.sum():.3g}"
        )
    if selected is not None:
        known = range(len(shares))
        unknown = [column for column in selected if column not in known]
        if unknown:
            raise ValueError(
                f"selected must be column numbers from 0 to {len(shares) - 1}, got {unknown}"
            )
    return shares


def _ends(intervals: ArrayLike, shares: np.ndarray) -> np.ndarray:
    ends = np.asarray(intervals, float)
    if ends.shape != (len(shares), 2) or (ends[:, 0] > ends[:, 1]).any():
        raise ValueError(
            f"intervals must be a lower and an upper end for each of {len(shares)} features, "
            f"got an array of shape {ends.shape}"
        )
    return ends
