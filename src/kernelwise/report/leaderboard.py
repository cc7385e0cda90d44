"""How good candidates are, each with its interval."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from kernelwise.evaluation import ErrorInterval
from kernelwise.insight import FitRecord
from kernelwise.report.display import Display
from kernelwise.report.short_names import short_names
from kernelwise.report.style import (
    BLUE,
    DARK,
    GRID,
    LINE_HEIGHT,
    MIDDLE,
    POINTS_PER_INCH,
    as_number,
    check_methods,
    finite_array,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME_WIDTH = 6.0  # inches
# A baseline farther from the intervals than this many of their widths is not drawn but named.
FAR = 3.0
GAP = 10  # points between columns of numbers


class LeaderboardDisplay(Display):
    """A dot with an interval for each candidate's error, the lowest on top.

    The baseline is a line across all candidates, or named at the edge if it is far away. ``plot``
    hands further arguments to ``Axes.plot``, for the dots.

    Parameters
    ----------
    names, errors : of the candidates
    intervals : (candidates, 2), a lower and an upper end around each error
    weights : what each counts for in a model made of all; a column of numbers, and candidates
        that count for nothing are gray
    baseline : the error of a trivial predictor
    unit : of the errors
    baseline_name : what to call the trivial predictor
    label : what the errors are

    Attributes
    ----------
    dots_, lines_ : of the candidates, from the top
    baseline_ : the line, or None
    """

    def __init__(
        self,
        names: Sequence[str],
        errors: ArrayLike,
        intervals: ArrayLike,
        weights: ArrayLike | None = None,
        baseline: float | None = None,
        unit: str = "",
        *,
        baseline_name: str = "baseline",
        label: str = "error",
    ):
        self.names, self.errors = list(names), finite_array(errors, 1, "errors")
        self.intervals = finite_array(intervals, 2, "intervals")
        self.weights = None if weights is None else finite_array(weights, 1, "weights")
        self.baseline, self.unit = baseline, unit
        self.baseline_name, self.label = baseline_name, label
        self._check()

    @classmethod
    def from_estimator(cls, estimator: Any) -> Self:
        """The candidates of a fitted estimator with ``leaderboard_`` and ``error_estimate_``.

        Shares of wrong labels are drawn in percent, errors of regressors in units of y.
        """
        check_is_fitted(estimator, "leaderboard_")
        table, estimate = estimator.leaderboard_, estimator.error_estimate_
        ends = np.column_stack([table["low"], table["high"]])
        names, is_class = table["candidate"].tolist(), is_classifier(estimator)
        return cls._from(names, table["error"], ends, table["weight"], estimate, is_class)

    @classmethod
    def from_record(cls, record: FitRecord) -> Self:
        """The candidates of a record of a fit."""
        found = record.candidates
        return cls._from(
            [one.name for one in found],
            np.array([one.error for one in found], float),
            np.array([(one.low, one.high) for one in found], float),
            np.array([one.weight for one in found]),
            record.error,
            record.task == "classification",
        )

    @classmethod
    def _from(
        cls,
        names: list[str],
        errors: np.ndarray,
        ends: np.ndarray,
        weights: np.ndarray,
        estimate: Any,
        classifies: bool,
    ) -> Self:
        if estimate is None:
            raise ValueError("no errors were estimated (folds=0): there is nothing to draw")
        size = 100 if classifies else 1
        unit = "%" if classifies else ""
        return cls(names, size * errors, size * ends, weights, size * estimate.baseline, unit)

    def _check(self) -> None:
        n = len(self.names)
        weighed = n if self.weights is None else len(self.weights)
        if not n == len(self.errors) == len(self.intervals) == weighed:
            raise ValueError(f"errors, intervals and weights must be those of {n} candidates")
        if self.intervals.shape[1] != 2:
            raise ValueError(f"intervals must have two ends each, not {self.intervals.shape[1]}")
        ends = np.column_stack([self.intervals[:, 0], self.errors, self.intervals[:, 1]])
        for name, error in zip(self.names, ends, strict=True):
            if (np.diff(error) < 0).any():
                low, value, high = error
                raise ValueError(
                    f"the error of {name} is outside its interval: {value:g}, not from {low:g} to "
                    f"{high:g}"
                )
        if self.baseline is not None:
            finite_array([self.baseline], 1, "baseline")

    @property
    def size(self) -> tuple[float, float]:
        columns = 0.0 if self.weights is None else text_width(["weight"]) + GAP / POINTS_PER_INCH
        width = 4.4 + text_width(self._labels) + columns
        return width, 0.9 + 1.7 * LINE_HEIGHT * len(self.names)

    @property
    def _order(self) -> np.ndarray:
        return np.argsort(self.errors, kind="stable")

    @property
    def _labels(self) -> list[str]:
        return short_names([self.names[number] for number in self._order], NAME_WIDTH)

    def _draw(self, ax: "Axes", **kwargs: Any) -> None:
        order = self._order
        counts = np.ones(len(order)) if self.weights is None else self.weights[order]
        self.dots_, self.lines_ = [], []
        for row, number in enumerate(order):
            color = BLUE if counts[row] else MIDDLE
            self.lines_ += ax.plot(
                self.intervals[number], [row, row], color=color, lw=1.4, gid="interval"
            )
            style: dict[str, Any] = {"marker": "o", "color": color, "ms": 5, "gid": "mark"} | kwargs
            self.dots_ += ax.plot([self.errors[number]], [row], **style)
        ax.set_yticks(range(len(order)), self._labels)
        for label, counts_for in zip(ax.get_yticklabels(), counts, strict=True):
            label.set_color(DARK if counts_for else MIDDLE)
        self._write_columns(ax, counts)
        self.baseline_ = self._draw_baseline(ax)
        ax.set_ylim(len(order) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", **GRID)
        ax.set_xlabel(f"{self.label}, {self.unit}" if self.unit else self.label)
        self._lines_above = int(self.baseline is not None or self.weights is not None)

    def _write_columns(self, ax: "Axes", counts: np.ndarray) -> None:
        """Write the errors, and the weights if there are any, in columns on the right."""
        columns = [(self.label, [as_number(error) for error in self.errors[self._order]])]
        if self.weights is not None:
            columns += [("weight", [f"{weight:.2f}" for weight in counts])]
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "right"}
        end = 0.0
        for title, numbers in columns:
            heads = [title] if len(columns) > 1 else []
            end += GAP + POINTS_PER_INCH * text_width([*numbers, *heads])
            for row, said in enumerate(numbers):
                color, middle = DARK if counts[row] else MIDDLE, "center_baseline"
                across = ax.get_yaxis_transform()
                ax.annotate(said, (1, row), (end, 0), across, va=middle, color=color, **style)
            for head in heads:
                above = ax.transAxes
                ax.annotate(head, (1, 1.02), (end, 0), above, va="bottom", color=MIDDLE, **style)

    def _draw_baseline(self, ax: "Axes") -> Any:
        """Draw a line, or only its number at the edge if it would squeeze the intervals."""
        if self.baseline is None:
            return None
        said = f"{self.baseline_name} {as_number(self.baseline)}"
        low, high = ax.get_xlim()
        style: dict[str, Any] = {
            "transform": ax.get_xaxis_transform(),
            "va": "bottom",
            "color": MIDDLE,
        }
        if high + FAR * (high - low) < self.baseline:
            ax.text(high, 1.02, f"{said} →", ha="right", **style)
            ax.set_xlim(low, high)
            return None
        line = ax.axvline(
            self.baseline, color=MIDDLE, lw=1, ls=(0, (4, 2)), zorder=1, gid="baseline"
        )
        # Heads of columns begin where the axes end: a name there must end before them.
        low, high = ax.get_xlim()
        beside = self.weights is not None and self.baseline > 0.3 * low + 0.7 * high
        ax.text(self.baseline, 1.02, said, ha="right" if beside else "center", **style)
        return line


def error_intervals(
    errors: Mapping[str, ErrorInterval],
    *,
    baseline: float | None = None,
    xlabel: str = "error",
    baseline_name: str = "baseline",
) -> "Figure":
    """The figure of a `LeaderboardDisplay` of errors with their intervals, without pyplot."""
    check_methods(errors, "an error with its interval")
    for name, error in errors.items():
        finite_array([error.lower, error.value, error.upper], 1, f"error of {name}")
    display = LeaderboardDisplay(
        list(errors),
        [error.value for error in errors.values()],
        [(error.lower, error.upper) for error in errors.values()],
        baseline=baseline,
        baseline_name=baseline_name,
        label=xlabel,
    )
    return display.as_figure()
