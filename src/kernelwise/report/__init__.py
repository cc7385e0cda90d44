"""Records as pictures: nothing is computed here but where to draw."""

from kernelwise.report.box_plots import parameter_box_plots, parameter_by_dataset_box_plots
from kernelwise.report.cost import CostAndError, error_against_cost
from kernelwise.report.critical_difference import critical_difference_diagram
from kernelwise.report.figures import error_intervals, histograms, save_figure

__all__ = [
    "CostAndError",
    "critical_difference_diagram",
    "error_against_cost",
    "error_intervals",
    "histograms",
    "parameter_box_plots",
    "parameter_by_dataset_box_plots",
    "save_figure",
]
