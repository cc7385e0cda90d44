"""Alignment over the widths of two features, as a map."""

from typing import TYPE_CHECKING

from kernelwise.insight.alignment_surface import AlignmentSurface
from kernelwise.report.criterion_surface import CriterionSurfaceDisplay
from kernelwise.report.short_names import short_names
from kernelwise.report.style import finite_array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME_WIDTH = 2.0  # inches


def alignment_surface_plot(surface: AlignmentSurface) -> "Figure":
    """The alignment as the figure of a `CriterionSurfaceDisplay`, marked at the learned widths.

    A learned width outside the grid, such as that of a filtered-out feature, is marked by an arrow
    at the edge it is beyond.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment, Figure 3.
    """
    first, second = short_names(surface.names, NAME_WIDTH)
    display = CriterionSurfaceDisplay(
        surface.first,
        surface.second,
        finite_array(surface.values, 2, "values"),
        surface.learnt,
        rf"$\log_{{10}}$ width of {first}",
        rf"$\log_{{10}}$ width of {second}",
        value_name="alignment",
        best_name="learned widths",
    )
    return display.as_figure()
