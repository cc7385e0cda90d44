"""Where everything is in a diagram of mean ranks, and the drawing of it."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kernelwise.report.style import BLUE, DARK, LINE_HEIGHT, MIDDLE, as_label, spread, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# In inches.
EDGE = 0.12  # around everything
PAD = 0.06  # between a line and its text
ELBOW = 0.35  # from an end of the axis to the names' leader lines
SLANT = 0.14  # height in which leader lines move apart
LEADER_GAP = 0.07
BAR_STEP = 0.13
OVERHANG = 0.04  # of a bar beyond its methods, so that equal ranks have one too
TICK = 0.06


class RankDiagram:
    """Geometry in inches: x from the left edge of the canvas, y up from the axis of ranks.

    Parameters
    ----------
    rank_of : the mean rank of each method
    groups : methods that do not differ, best first
    difference, level : the critical difference and the level of its test; None: there is none
    """

    def __init__(
        self,
        rank_of: Mapping[str, float],
        groups: Sequence[Sequence[str]],
        difference: float | None,
        level: float,
    ) -> None:
        self.rank_of, self.groups = rank_of, groups
        self.difference, self.level = difference, level
        self.order = sorted(rank_of, key=lambda name: rank_of[name])
        k, ranks = len(self.order), rank_of.values()
        self.left, self.right = self.order[: (k + 1) // 2], self.order[(k + 1) // 2 :]
        self.first = min(1, math.floor(min(ranks)))
        self.last = max(k, math.ceil(max(ranks)))
        self.axis_width = min(6.0, 3.0 + 0.25 * k)
        self.number_width = text_width(f"{rank:.2f}" for rank in ranks) + 2 * PAD
        self.axis_title = "mean rank"
        names = text_width(map(as_label, self.left)) + self.number_width
        names = max(names, text_width([self.axis_title]) + PAD - ELBOW)
        self.axis_start = EDGE + names + PAD + ELBOW
        self.levels = self._bar_levels()
        self.names_top = -(TICK + BAR_STEP * (max(self.levels, default=-1) + 1) + SLANT + PAD)

    def x(self, rank: float) -> float:
        share = (rank - self.first) / (self.last - self.first)
        return self.axis_start + share * self.axis_width

    @property
    def ends(self) -> tuple[float, float, float]:
        """The right, lower and upper end of the canvas."""
        ruler_end = self.x(self.first + (self.difference or 0.0))
        ruler_end = max(ruler_end, self.axis_start + text_width([self._ruler_title()]))
        names = text_width(map(as_label, self.right)) + self.number_width
        width = EDGE + max(ruler_end, self.axis_start + self.axis_width + ELBOW + PAD + names)
        top = EDGE + TICK + PAD + LINE_HEIGHT * (1 if self.difference is None else 2.6)
        bottom = self.names_top - LINE_HEIGHT * (len(self.left) - 0.5) - EDGE
        return width, bottom, top

    def draw(self, axes: "Axes", bar_style: dict[str, Any]) -> tuple[list, list, Any]:
        """Draw everything; the marks, the bars and the ruler are returned."""
        width, bottom, top = self.ends
        axes.set(xlim=(0, width), ylim=(bottom, top))
        axes.set_axis_off()
        self._draw_axis(axes)
        marks = self._draw_names(axes)
        bars = self._draw_groups(axes, bar_style)
        return marks, bars, None if self.difference is None else self._draw_ruler(axes)

    def _draw_axis(self, axes: "Axes") -> None:
        axes.plot([self.x(self.first), self.x(self.last)], [0, 0], color=DARK, lw=1, gid="axis")
        for rank in range(self.first, self.last + 1):
            axes.plot([self.x(rank)] * 2, [0, TICK], color=DARK, lw=1, gid="tick")
            axes.text(self.x(rank), TICK + PAD / 2, str(rank), ha="center", va="bottom")
        axes.text(self.axis_start - PAD, 0, self.axis_title, ha="right", va="center", color=MIDDLE)

    def _draw_names(self, axes: "Axes") -> list:
        """Write the outermost methods on top, so that no leader line crosses another."""
        order, gap = self.order, min(LEADER_GAP, self.axis_width / len(self.order))
        start, end = self.axis_start - ELBOW, self.axis_start + self.axis_width + ELBOW
        places = [self.x(self.rank_of[name]) for name in order]
        foot = dict(zip(order, spread(places, gap, start + gap, end - gap), strict=True))
        marks = {}
        for row, name in enumerate(self.left):
            marks[name] = self._draw_name(axes, name, row, foot[name], start, -1)
        for row, name in enumerate(reversed(self.right)):
            marks[name] = self._draw_name(axes, name, row, foot[name], end, 1)
        return [marks[name] for name in order]

    def _draw_name(
        self, axes: "Axes", name: str, row: int, foot: float, end: float, side: int
    ) -> Any:
        """Write a name beside its rank, and draw the mark on the axis with a leader line.

        Parameters
        ----------
        axes, name : where to draw, and the method
        row : of the name, from the top
        foot, end : where its leader line goes down, and where it ends
        side : -1 for names on the left, 1 for the right
        """
        rank, y = self.rank_of[name], self.names_top - row * LINE_HEIGHT
        x, knee = self.x(rank), self.names_top + PAD
        across, down = [x, x, foot, foot, end], [0, knee + SLANT, knee, y, y]
        axes.plot(across, down, color=MIDDLE, lw=0.8, gid="leader", solid_joinstyle="round")
        (mark,) = axes.plot([x], [0], "o", color=DARK, ms=3.5, gid="mark")
        style: dict[str, Any] = {"ha": "left" if side > 0 else "right", "va": "center"}
        axes.text(end + side * PAD, y, f"{rank:.2f}", color=MIDDLE, **style)
        axes.text(end + side * self.number_width, y, as_label(name), gid="name", **style)
        return mark

    def _bar_levels(self) -> list[int]:
        """For each group, the first level below the axis where its bar has room."""
        ends: list[float] = []
        levels = []
        for group in self.groups:
            start, end = (self.x(self.rank_of[name]) for name in (group[0], group[-1]))
            free = [number for number, other in enumerate(ends) if other + 2 * PAD < start]
            level = free[0] if free else len(ends)
            ends[level : level + 1] = [end]
            levels.append(level)
        return levels

    def _draw_groups(self, axes: "Axes", style: dict[str, Any]) -> list:
        bars = []
        for group, level in zip(self.groups, self.levels, strict=True):
            first, last = (self.x(self.rank_of[name]) for name in (group[0], group[-1]))
            ends, y = [first - OVERHANG, last + OVERHANG], -(TICK + BAR_STEP * (level + 0.5))
            plain: dict[str, Any] = {
                "color": BLUE,
                "lw": 4,
                "solid_capstyle": "butt",
                "gid": "group",
                "zorder": 3,
            }
            bars += axes.plot(ends, [y, y], **(plain | style))
        return bars

    def _ruler_title(self) -> str:
        if self.difference is None:
            return ""
        return f"critical difference {self.difference:.3g} (level {self.level:g})"

    def _draw_ruler(self, axes: "Axes") -> Any:
        assert self.difference is not None
        y = TICK + PAD + 1.35 * LINE_HEIGHT
        ends = [self.x(self.first), self.x(self.first + self.difference)]
        (ruler,) = axes.plot(
            ends, [y, y], color=BLUE, lw=1.2, marker="|", ms=6, mew=1.2, gid="ruler"
        )
        axes.text(ends[0], y + PAD, self._ruler_title(), va="bottom")
        return ruler
