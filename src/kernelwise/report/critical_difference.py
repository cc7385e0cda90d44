"""One picture of which methods differ over many data sets."""

import math
from typing import TYPE_CHECKING, Any

from kernelwise.evaluation import MeanRanks, Nemenyi
from kernelwise.report.style import (
    BLUE,
    DARK,
    LINE_HEIGHT,
    MIDDLE,
    as_label,
    figure_style,
    new_figure,
    spread,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# In inches.
EDGE = 0.12  # around everything
PAD = 0.06  # between a line and its text
ELBOW = 0.35  # from an end of the axis to the names' leader lines
SLANT = 0.14  # height in which leader lines move apart
LEADER_GAP = 0.07
BAR_STEP = 0.13
OVERHANG = 0.04  # of a bar beyond its methods, so that equal ranks have one too
TICK = 0.06


def critical_difference_diagram(ranking: MeanRanks, nemenyi: Nemenyi | None = None) -> "Figure":
    """Methods on an axis of mean ranks, the best on the left.

    Heavy bars join the groups of ``nemenyi``, in which no two methods differ; the ruler above the
    axis is as long as the critical difference. Without ``nemenyi`` there is neither. The mean rank
    is written beside each name. Cost: O(k^2) for ``k`` methods.

    Not drawn by scikit-posthocs, which finds the groups again from a table of p-values, loads
    pyplot and seaborn, draws equal ranks as one line, and leaves it to the caller to make room for
    the names, which are outside its axes.

    References
    ----------
    Demšar (2006), Journal of Machine Learning Research 7.
    """
    _check(ranking, nemenyi)
    with figure_style():
        return _Diagram(ranking, nemenyi).draw()


class _Diagram:
    """Geometry in inches: x from the left edge of the canvas, y up from the axis of ranks."""

    def __init__(self, ranking: MeanRanks, nemenyi: Nemenyi | None) -> None:
        self.ranking, self.nemenyi = ranking, nemenyi
        order, k = ranking.order, len(ranking.methods)
        self.left, self.right = order[: (k + 1) // 2], order[(k + 1) // 2 :]
        self.first = min(1, math.floor(min(ranking.values)))
        self.last = max(k, math.ceil(max(ranking.values)))
        self.axis_width = min(6.0, 3.0 + 0.25 * k)
        self.number_width = text_width(f"{value:.2f}" for value in ranking.values) + 2 * PAD
        self.axis_title = "mean rank"
        names = text_width(map(as_label, self.left)) + self.number_width
        names = max(names, text_width([self.axis_title]) + PAD - ELBOW)
        self.axis_start = EDGE + names + PAD + ELBOW
        self.levels = self._bar_levels()
        self.names_top = -(TICK + BAR_STEP * (max(self.levels, default=-1) + 1) + SLANT + PAD)

    def x(self, rank: float) -> float:
        share = (rank - self.first) / (self.last - self.first)
        return self.axis_start + share * self.axis_width

    def draw(self) -> "Figure":
        ruler = 0.0 if self.nemenyi is None else self.nemenyi.critical_difference
        ruler_end = self.x(self.first + ruler)
        ruler_end = max(ruler_end, self.axis_start + text_width([self._ruler_title()]))
        names = text_width(map(as_label, self.right)) + self.number_width
        width = EDGE + max(ruler_end, self.axis_start + self.axis_width + ELBOW + PAD + names)
        top = EDGE + TICK + PAD + LINE_HEIGHT * (1 if self.nemenyi is None else 2.6)
        bottom = self.names_top - LINE_HEIGHT * (len(self.left) - 0.5) - EDGE
        figure = new_figure(width, top - bottom, layout=None)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(bottom, top))
        axes.set_axis_off()
        self._draw_axis(axes)
        self._draw_names(axes)
        if self.nemenyi is not None:
            self._draw_groups(axes)
            self._draw_ruler(axes)
        return figure

    def _draw_axis(self, axes: "Axes") -> None:
        axes.plot([self.x(self.first), self.x(self.last)], [0, 0], color=DARK, lw=1, gid="axis")
        for rank in range(self.first, self.last + 1):
            axes.plot([self.x(rank)] * 2, [0, TICK], color=DARK, lw=1, gid="tick")
            axes.text(self.x(rank), TICK + PAD / 2, str(rank), ha="center", va="bottom")
        axes.text(self.axis_start - PAD, 0, self.axis_title, ha="right", va="center", color=MIDDLE)

    def _draw_names(self, axes: "Axes") -> None:
        """Write the outermost methods on top, so that no leader line crosses another."""
        order, gap = self.ranking.order, min(LEADER_GAP, self.axis_width / len(self.ranking.order))
        start, end = self.axis_start - ELBOW, self.axis_start + self.axis_width + ELBOW
        feet = spread(
            [self.x(self.ranking.of(name)) for name in order], gap, start + gap, end - gap
        )
        foot = dict(zip(order, feet, strict=True))
        for row, name in enumerate(self.left):
            self._draw_name(axes, name, row, foot[name], start, -1)
        for row, name in enumerate(reversed(self.right)):
            self._draw_name(axes, name, row, foot[name], end, 1)

    def _draw_name(
        self, axes: "Axes", name: str, row: int, foot: float, end: float, side: int
    ) -> None:
        """Write a name beside its rank, and draw the leader line to it.

        Parameters
        ----------
        axes, name : where to draw, and the method
        row : of the name, from the top
        foot, end : where its leader line goes down, and where it ends
        side : -1 for names on the left, 1 for the right
        """
        rank, y = self.ranking.of(name), self.names_top - row * LINE_HEIGHT
        x, knee = self.x(rank), self.names_top + PAD
        across, down = [x, x, foot, foot, end], [0, knee + SLANT, knee, y, y]
        axes.plot(across, down, color=MIDDLE, lw=0.8, gid="leader", solid_joinstyle="round")
        axes.plot([x], [0], "o", color=DARK, ms=3.5, gid="mark")
        style: dict[str, Any] = {"ha": "left" if side > 0 else "right", "va": "center"}
        axes.text(end + side * PAD, y, f"{rank:.2f}", color=MIDDLE, **style)
        axes.text(end + side * self.number_width, y, as_label(name), gid="name", **style)

    def _bar_levels(self) -> list[int]:
        """For each group, the first level below the axis where its bar has room."""
        ends: list[float] = []
        levels = []
        for group in self.nemenyi.groups if self.nemenyi else ():
            start, end = (self.x(self.ranking.of(name)) for name in (group[0], group[-1]))
            free = [number for number, other in enumerate(ends) if other + 2 * PAD < start]
            level = free[0] if free else len(ends)
            ends[level : level + 1] = [end]
            levels.append(level)
        return levels

    def _draw_groups(self, axes: "Axes") -> None:
        assert self.nemenyi is not None
        for group, level in zip(self.nemenyi.groups, self.levels, strict=True):
            first, last = (self.x(self.ranking.of(name)) for name in (group[0], group[-1]))
            ends, y = [first - OVERHANG, last + OVERHANG], -(TICK + BAR_STEP * (level + 0.5))
            axes.plot(ends, [y, y], color=BLUE, lw=4, solid_capstyle="butt", gid="group", zorder=3)

    def _ruler_title(self) -> str:
        if self.nemenyi is None:
            return ""
        difference, level = self.nemenyi.critical_difference, self.nemenyi.alpha
        return f"critical difference {difference:.3g} (level {level:g})"

    def _draw_ruler(self, axes: "Axes") -> None:
        assert self.nemenyi is not None
        y = TICK + PAD + 1.35 * LINE_HEIGHT
        ends = [self.x(self.first), self.x(self.first + self.nemenyi.critical_difference)]
        axes.plot(ends, [y, y], color=BLUE, lw=1.2, marker="|", ms=6, mew=1.2, gid="ruler")
        axes.text(ends[0], y + PAD, self._ruler_title(), va="bottom")


def _check(ranking: MeanRanks, nemenyi: Nemenyi | None) -> None:
    if len(ranking.methods) < 2 or len(ranking.methods) != len(ranking.values):
        raise ValueError("a diagram of mean ranks needs at least two methods, each with a rank")
    if not all(math.isfinite(value) for value in ranking.values):
        raise ValueError(f"mean ranks must be finite numbers, not {ranking.values}")
    if nemenyi is not None:
        compared = {method for pair in nemenyi.pairs for method in pair.methods}
        if compared != set(ranking.methods):
            raise ValueError(
                f"the test compared {sorted(compared)}, but the ranks are of "
                f"{sorted(ranking.methods)}: make it with nemenyi(ranking)"
            )
