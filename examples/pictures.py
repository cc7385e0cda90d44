"""Pictures of a kernel
=======================

What alignment and relevance vectors have learned; four files in the current folder (extra
``report``).
"""

from sklearn.datasets import load_breast_cancer

from kernelwise import KernelAligner, RVMClassifier
from kernelwise.insight import alignment_surface, empirical_feature_space, width_curves
from kernelwise.report import (
    alignment_surface_plot,
    feature_space_plot,
    relevance_bars,
    width_curves_plot,
)

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, y = X[::3], y[::3]
aligner = KernelAligner().fit(X, y)  # one width per feature
one = KernelAligner("gaussian").fit(X, y)  # one width for all features

relevance_bars(X.columns, aligner.relevance_, aligner.selected_features_).savefig("relevance.png")

spaces = {
    "one width": empirical_feature_space(one.kernel_, X),
    "one width per feature": empirical_feature_space(aligner.kernel_, X),
}
feature_space_plot(spaces, y).savefig("spaces.png")  # the classes in two dimensions

surface = alignment_surface(aligner, X, y, ["worst radius", "worst texture"])
alignment_surface_plot(surface).savefig("surface.png")

curves = width_curves(RVMClassifier(), X, y)  # what evidence, validity and folds say of each width
width_curves_plot(curves).savefig("widths.png")
