"""Records as pictures and pages: only the layout is computed here."""

from kernelwise.report.alignment_surface import alignment_surface_plot
from kernelwise.report.ascent import ascent_plot
from kernelwise.report.bounds import bounds_plot
from kernelwise.report.box_plots import parameter_box_plots, parameter_by_dataset_box_plots
from kernelwise.report.cost import error_against_cost
from kernelwise.report.criterion_surface import CriterionSurfaceDisplay
from kernelwise.report.critical_difference import (
    CriticalDifferenceDisplay,
    critical_difference_diagram,
)
from kernelwise.report.feature_space import feature_space_plot
from kernelwise.report.figures import histograms, save_figure
from kernelwise.report.kernel_weights import kernel_weights_plot, view_weights_plot
from kernelwise.report.leaderboard import LeaderboardDisplay, error_intervals
from kernelwise.report.relevance import RelevanceDisplay, relevance_bars
from kernelwise.report.search_trace import SearchTraceDisplay
from kernelwise.report.width_curves import width_curves_plot
from kernelwise.report.writing import fit_report

__all__ = [
    "CriterionSurfaceDisplay",
    "CriticalDifferenceDisplay",
    "LeaderboardDisplay",
    "RelevanceDisplay",
    "SearchTraceDisplay",
    "alignment_surface_plot",
    "ascent_plot",
    "bounds_plot",
    "critical_difference_diagram",
    "error_against_cost",
    "error_intervals",
    "feature_space_plot",
    "fit_report",
    "histograms",
    "kernel_weights_plot",
    "parameter_box_plots",
    "parameter_by_dataset_box_plots",
    "relevance_bars",
    "save_figure",
    "view_weights_plot",
    "width_curves_plot",
]
