"""The base class of displays: pictures in scikit-learn's manner."""

from typing import TYPE_CHECKING, Any, Self

from kernelwise.optional import import_optional
from kernelwise.report.style import (
    DARK,
    LINE_HEIGHT,
    POINTS_PER_INCH,
    as_label,
    figure_style,
    new_figure,
    settle,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


TITLE_HEIGHT = 1.3 * LINE_HEIGHT  # inches


class Display:
    """Numbers that can be drawn, on axes of the caller, on new ones or in a figure of their own.

    A subclass takes plain arrays, says how large its picture is, and draws it.

    Attributes
    ----------
    ax_, figure_ : where it was drawn last
    """

    ax_: "Axes"
    figure_: "Figure"
    # Lines of text above the axes, over which a title goes.
    _lines_above = 0
    # Where a title begins, as a share of the width of the axes.
    _title_start = 0.0

    @property
    def size(self) -> tuple[float, float]:
        """The width and height, in inches, of a figure in which all texts have room."""
        raise NotImplementedError

    def _size_under(self, name: str | None) -> tuple[float, float]:
        """The size with room for a title, if there is one."""
        width, height = self.size
        return width, height + (0.0 if name is None else TITLE_HEIGHT)

    def _draw(self, ax: "Axes", **kwargs: Any) -> None:
        raise NotImplementedError

    def plot(self, ax: "Axes | None" = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw, and set ``ax_``, ``figure_`` and the artists.

        Parameters
        ----------
        ax : axes of matplotlib; None: a new figure of pyplot, which is loaded only then. Texts
            beside the axes need a layout that gives them room, such as ``layout="constrained"``.
        name : a title
        kwargs : for the artists that show the numbers; the class says which these are
        """
        with figure_style():
            if ax is None:
                pyplot = import_optional("matplotlib.pyplot", extra="report")
                _, ax = pyplot.subplots(figsize=self._size_under(name), layout="constrained")
            assert ax is not None
            self._draw_named(ax, name, kwargs)
        return self

    def as_figure(self, *, name: str | None = None, **kwargs: Any) -> "Figure":
        """Draw in a figure made without pyplot: no global state, and no window."""
        with figure_style():
            figure = new_figure(*self._size_under(name))
            self._draw_named(figure.subplots(), name, kwargs)
            settle(figure)
        return figure

    def _draw_named(self, ax: "Axes", name: str | None, kwargs: dict[str, Any]) -> None:
        self.ax_, self.figure_ = ax, ax.figure  # type: ignore[assignment]  # or part of a figure
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        self._draw(ax, **kwargs)
        if name is not None:
            pad = 6 + POINTS_PER_INCH * LINE_HEIGHT * self._lines_above
            ax.set_title(as_label(name), color=DARK, loc="left", pad=pad, x=self._title_start)


def feature_names(estimator: Any) -> list[str]:
    """The names of the columns of a fit; x0, x1, ... if they have none."""
    unnamed = [f"x{r}" for r in range(estimator.n_features_in_)]
    return [str(name) for name in getattr(estimator, "feature_names_in_", unnamed)]
