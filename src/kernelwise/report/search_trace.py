"""How a search went: the criterion against the number of evaluations."""

from textwrap import fill
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from kernelwise.data.pipeline import final_step
from kernelwise.insight import FitRecord
from kernelwise.optional import import_optional
from kernelwise.report.display import Display
from kernelwise.report.style import BLUE, GRID, LINE_HEIGHT, MIDDLE, ORANGE, as_label, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTERS = 68  # of a line below the axes


class SearchTraceDisplay(Display):
    """A dot for the criterion at each point that was tried, and a line for the best so far.

    The axis ends at the first value. Higher points, and those where the criterion could not be
    computed, are triangles at the upper edge. Why the search stopped stands below. ``plot`` hands
    further arguments to ``Axes.plot``, for the dots.

    Parameters
    ----------
    values : the criterion in the order of evaluations, the lower the better; infinite where it
        could not be computed
    reason : why the search stopped
    seconds : since the start, after each evaluation

    Attributes
    ----------
    dots_, line_ : the values, and the best so far
    beyond_ : the triangles, None if there are none
    best_ : the mark of the lowest value
    """

    _lines_above = 1

    def __init__(self, values: ArrayLike, reason: str = "", seconds: ArrayLike | None = None):
        self.values = np.asarray(values, float)
        self.reason = reason
        self.seconds = None if seconds is None else np.asarray(seconds, float)
        if self.values.ndim != 1 or not np.isfinite(self.values).any():
            raise ValueError(
                "values must be those of the points of a search, one of them finite; of a search "
                "by gradients alone there are none"
            )
        if self.seconds is not None and self.seconds.shape != self.values.shape:
            raise ValueError(
                f"{len(self.values)} values need as many seconds, not {self.seconds.shape}"
            )

    @classmethod
    def from_estimator(cls, estimator: Any) -> Self:
        """The search of a fitted estimator, or of the last step of a pipeline: its ``trace_``."""
        model = final_step(estimator)
        check_is_fitted(model)
        if not hasattr(model, "trace_"):
            raise ValueError(f"this {type(model).__name__} has no trace_: it searched nothing")
        trace = model.trace_
        return cls(trace.values, trace.reason, trace.seconds)

    @classmethod
    def from_record(cls, record: FitRecord, candidate: str | None = None) -> Self:
        """The search of a candidate of a record of a fit; None: of the first with a search."""
        found = {one.name: one.trace for one in record.candidates if one.trace is not None}
        if not found or (candidate is not None and candidate not in found):
            raise ValueError(f"no search of {candidate!r} is known; there are {list(found)}")
        trace = found[next(iter(found)) if candidate is None else candidate]
        return cls(trace.values, trace.reason)

    @property
    def size(self) -> tuple[float, float]:
        return 5.2, 3.1 + LINE_HEIGHT * len(self._reason_lines)

    @property
    def _reason_lines(self) -> list[str]:
        return (
            fill(f"stopped: {as_label(self.reason)}", LETTERS).splitlines() if self.reason else []
        )

    @property
    def _axis_name(self) -> str:
        if self.seconds is None or not self.seconds[-1] > 0:  # some searches keep no time
            return "evaluations"
        return f"evaluations ({self.seconds[-1]:.3g} s)"

    def _draw(self, ax: "Axes", **kwargs: Any) -> None:
        numbers = np.arange(1, len(self.values) + 1)
        known = np.where(np.isfinite(self.values), self.values, np.inf)
        so_far = np.minimum.accumulate(known)
        there = np.isfinite(so_far)
        highest, lowest = so_far[there][0], so_far[-1]
        shown = known <= highest
        style: dict[str, Any] = {
            "marker": "o",
            "ls": "",
            "color": MIDDLE,
            "ms": 3.5,
            "gid": "value",
        } | kwargs
        (self.dots_,) = ax.plot(numbers[shown], known[shown], **style)
        (self.line_,) = ax.plot(
            numbers[there],
            so_far[there],
            color=BLUE,
            lw=1.6,
            drawstyle="steps-post",
            label="best so far",
            gid="best-so-far",
        )
        best = int(np.argmin(known))
        (self.best_,) = ax.plot(
            [numbers[best]], [lowest], "D", color=ORANGE, ms=6, label="best", gid="best", zorder=4
        )
        room = 0.06 * (highest - lowest) or 0.05 * abs(lowest) or 1.0
        ax.set_ylim(lowest - room, highest + room)
        self.beyond_ = self._draw_beyond(ax, numbers[~shown]) if (~shown).any() else None
        ax.grid(axis="y", **GRID)
        ax.set_ylabel("criterion")
        ax.set_xlabel("\n".join([self._axis_name, *self._reason_lines]))
        ticker = import_optional("matplotlib.ticker", extra="report")
        ax.xaxis.set_major_locator(ticker.MaxNLocator("auto", integer=True))
        legend_above(ax)

    @staticmethod
    def _draw_beyond(ax: "Axes", numbers: np.ndarray) -> Any:
        top = np.full(len(numbers), 0.97)
        (drawn,) = ax.plot(
            numbers,
            top,
            linestyle="",
            marker="^",
            color=MIDDLE,
            ms=5,
            transform=ax.get_xaxis_transform(),
            label="higher",
            gid="beyond",
        )
        return drawn
