"""One picture of which methods differ over many data sets."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from kernelwise.evaluation import ALPHA, MeanRanks, Nemenyi, mean_ranks
from kernelwise.evaluation import nemenyi as nemenyi_test
from kernelwise.report.display import Display
from kernelwise.report.rank_diagram import EDGE, RankDiagram
from kernelwise.report.style import figure_style, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class CriticalDifferenceDisplay(Display):
    """Methods on an axis of mean ranks, the best on the left.

    Heavy bars join groups in which no two methods differ; the ruler above the axis is as long as
    the critical difference. The mean rank is written beside each name. The picture is laid out in
    inches: axes of another `size` stretch it, and texts may then touch. ``plot`` hands further
    arguments to ``Axes.plot``, for the bars. Cost: O(k^2) for ``k`` methods.

    Not drawn by scikit-posthocs, which finds the groups again from a table of p-values, loads
    pyplot and seaborn, draws equal ranks as one line, and leaves it to the caller to make room for
    the names, which are outside its axes.

    Parameters
    ----------
    names, ranks : of the methods; mean ranks, 1 for the best
    groups : names of methods, best first, no two of which differ
    critical_difference : of mean ranks, at ``level``; None: there is no ruler
    level : of the test

    Attributes
    ----------
    marks_ : the mean ranks on the axis, best first
    bars_ : of the groups
    ruler_ : the line as long as the critical difference, or None

    References
    ----------
    Demšar (2006), Journal of Machine Learning Research 7.
    """

    def __init__(
        self,
        names: Sequence[str],
        ranks: Sequence[float],
        groups: Sequence[Sequence[str]] = (),
        critical_difference: float | None = None,
        level: float = ALPHA,
    ):
        _check(names, ranks, groups)
        self.names, self.ranks, self.groups = list(names), [float(rank) for rank in ranks], groups
        self.critical_difference, self.level = critical_difference, level

    @classmethod
    def from_results(cls, ranking: MeanRanks, nemenyi: Nemenyi | None = None) -> Self:
        """From mean ranks and the test of all pairs of them; without a test, only the ranks."""
        if nemenyi is None:
            return cls(ranking.methods, ranking.values)
        _check_compared(ranking, nemenyi)
        difference, level = nemenyi.critical_difference, nemenyi.alpha
        return cls(ranking.methods, ranking.values, nemenyi.groups, difference, level)

    @classmethod
    def from_errors(cls, errors: Mapping[str, ArrayLike], level: float = ALPHA) -> Self:
        """Rank the methods on each data set, and test all pairs of mean ranks by Nemenyi's test.

        Parameters
        ----------
        errors : of each method, one per data set, as for `kernelwise.evaluation.mean_ranks`
        level : of the test
        """
        ranking = mean_ranks(errors)
        return cls.from_results(ranking, nemenyi_test(ranking, level))

    @property
    def _diagram(self) -> RankDiagram:
        ranks = dict(zip(self.names, self.ranks, strict=True))
        return RankDiagram(ranks, self.groups, self.critical_difference, self.level)

    @property
    def size(self) -> tuple[float, float]:
        width, bottom, top = self._diagram.ends
        return width, top - bottom

    def _draw(self, ax: "Axes", **kwargs: Any) -> None:
        self._title_start = EDGE / self.size[0]
        self.marks_, self.bars_, self.ruler_ = self._diagram.draw(ax, kwargs)

    def as_figure(self, *, name: str | None = None, **kwargs: Any) -> "Figure":
        """Draw in a figure made without pyplot, which the axes fill to its edges."""
        with figure_style():
            width, whole = self._size_under(name)
            figure = new_figure(width, whole, layout=None)
            axes = figure.add_axes((0, 0, 1, self.size[1] / whole))
            self._draw_named(axes, name, kwargs)
        return figure


def critical_difference_diagram(ranking: MeanRanks, nemenyi: Nemenyi | None = None) -> "Figure":
    """The figure of a `CriticalDifferenceDisplay`, made without pyplot."""
    return CriticalDifferenceDisplay.from_results(ranking, nemenyi).as_figure()


def _check(names: Sequence[str], ranks: Sequence[float], groups: Sequence[Sequence[str]]) -> None:
    if len(names) < 2 or len(names) != len(ranks):
        raise ValueError("a diagram of mean ranks needs at least two methods, each with a rank")
    if not all(math.isfinite(rank) for rank in ranks):
        raise ValueError(f"mean ranks must be finite numbers, not {ranks}")
    unknown = {name for group in groups for name in group} - set(names)
    if unknown:
        raise ValueError(f"groups name {sorted(unknown)}, which have no rank")


def _check_compared(ranking: MeanRanks, nemenyi: Nemenyi) -> None:
    compared = {method for pair in nemenyi.pairs for method in pair.methods}
    if compared != set(ranking.methods):
        raise ValueError(
            f"the test compared {sorted(compared)}, but the ranks are of "
            f"{sorted(ranking.methods)}: make it with nemenyi(ranking)"
        )
