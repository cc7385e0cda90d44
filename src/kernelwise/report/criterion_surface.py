"""A criterion over two parameters, as a map."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from kernelwise.data.pipeline import final_step
from kernelwise.insight.criterion_surface import CriterionSurface, criterion_surface
from kernelwise.optional import import_optional
from kernelwise.report.display import Display
from kernelwise.report.style import as_label, finite_array, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = "cividis"  # made for color-blind readers too
MOST_LEVELS = 25


class CriterionSurfaceDisplay(Display):
    """Filled contours of a criterion, with a mark where a model is.

    A point outside the grid is marked by an arrow at the edge it is beyond. ``plot`` hands further
    arguments to ``Axes.contourf``.

    Parameters
    ----------
    x, y : ascending, such as logarithms of two parameters
    values : ``values[i, j]`` is the criterion at ``x[i]``, ``y[j]``; NaN where there is none
    best : the point to mark; None: none
    x_name, y_name, value_name, best_name : what the axes, the colors and the mark are
    highest : higher values all have one color, so that lower ones can be told apart; None: none do

    Attributes
    ----------
    contours_, colorbar_ : the filled contours, and what their colors are
    best_ : the mark, or None
    """

    _lines_above = 1

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        values: ArrayLike,
        best: tuple[float, float] | None = None,
        x_name: str = "",
        y_name: str = "",
        *,
        value_name: str = "criterion",
        best_name: str = "chosen",
        highest: float | None = None,
    ):
        self.x, self.y = finite_array(x, 1, "x"), finite_array(y, 1, "y")
        self.values, self.best = np.asarray(values, float), best
        self.x_name, self.y_name = x_name, y_name
        self.value_name, self.best_name, self.highest = value_name, best_name, highest
        if self.values.shape != (len(self.x), len(self.y)) or min(self.values.shape) < 2:
            raise ValueError(
                f"a value for each pair of {len(self.x)} and {len(self.y)} numbers is needed (at "
                f"least two of each), not an array of shape {self.values.shape}"
            )
        if not np.isfinite(self.values).any() or np.isinf(self.values).any():
            raise ValueError("values must be finite, or NaN where there is none")

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, sample_weight: Any = None, **options: Any
    ) -> Self:
        """The surface around what a fitted least-squares machine chose.

        Parameters
        ----------
        estimator : a fitted LSSVMClassifier or LSSVMRegressor, or a pipeline that ends in one
        X, y, sample_weight : what it was fitted to
        options : those of `kernelwise.insight.criterion_surface`, which also states the cost
        """
        seen = estimator[:-1].transform(X) if isinstance(estimator, Pipeline) else X
        found = criterion_surface(final_step(estimator), seen, y, sample_weight, **options)
        return cls.from_surface(found)

    @classmethod
    def from_surface(cls, surface: CriterionSurface) -> Self:
        """From what `kernelwise.insight.criterion_surface` has computed.

        The highest quarter of the values has one color: far from the best ones a criterion often
        rises steeply.
        """
        return cls(
            surface.factors,
            surface.regularizations,
            surface.values,
            surface.chosen,
            r"$\log_{10}$ factor on all length scales",
            r"$\log_{10}$ regularization",
            value_name=as_label(surface.criterion),
            highest=float(np.nanquantile(surface.values, 0.75)),
        )

    @property
    def size(self) -> tuple[float, float]:
        return 4.9, 4.2

    def _draw(self, ax: "Axes", **kwargs: Any) -> None:
        ticker = import_optional("matplotlib.ticker", extra="report")
        seen = np.ma.masked_invalid(self.values.T)
        levels, high = self._levels(), seen.max()
        style: dict[str, Any] = {"levels": levels, "cmap": COLORS} | kwargs
        style.setdefault("extend", "max" if high > levels[-1] else "neither")
        self.contours_ = ax.contourf(self.x, self.y, seen, **style)
        ax.set_xlabel(self.x_name)
        ax.set_ylabel(self.y_name)
        ax.set_box_aspect(1)
        self.best_ = None if self.best is None else self._mark_best(ax)
        self.colorbar_ = ax.figure.colorbar(self.contours_, ax=ax, ticks=ticker.MaxNLocator(8))
        self.colorbar_.outline.set_visible(False)
        self.colorbar_.set_label(self.value_name)
        legend_above(ax)

    def _levels(self) -> np.ndarray:
        """Round numbers that span all values; a flat surface has two levels around its value."""
        low, high = float(np.nanmin(self.values)), float(np.nanmax(self.values))
        if self.highest is not None:
            high = min(high, self.highest)
        if high - low < 1e-6:
            return np.array([low - 0.01, high + 0.01])
        ticker = import_optional("matplotlib.ticker", extra="report")
        return ticker.MaxNLocator(MOST_LEVELS, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)

    def _mark_best(self, ax: "Axes") -> Any:
        """Draw a cross inside the grid, or a triangle that points to the best point."""
        assert self.best is not None
        grids = (self.x, self.y)
        inside = [
            float(np.clip(place, grid[0], grid[-1]))
            for place, grid in zip(self.best, grids, strict=True)
        ]
        beyond = np.sign(np.subtract(self.best, inside))
        marker: str | tuple[int, int, float] = "X"
        said = self.best_name
        if beyond.any():
            # A triangle points up: turn it by the angle from there to where it should point.
            marker = (3, 0, float(np.degrees(-np.arctan2(beyond[0], beyond[1]))))
            said = f"{said} (beyond the edge)"
        (drawn,) = ax.plot(
            [inside[0]],
            [inside[1]],
            linestyle="",
            marker=marker,
            ms=11,
            color="white",
            markeredgecolor="black",
            clip_on=False,
            label=said,
            gid="best",
            zorder=4,
        )
        return drawn
