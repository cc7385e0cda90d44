"""Displays
===========

Relevances, a search and a criterion drawn as scikit-learn draws (extra ``report``).
"""

from matplotlib.figure import Figure
from sklearn.datasets import load_diabetes

from kernelwise import LSSVMRegressor
from kernelwise.report import CriterionSurfaceDisplay, RelevanceDisplay, SearchTraceDisplay

X, y = load_diabetes(return_X_y=True, as_frame=True)
model = LSSVMRegressor("ard").fit(X, y)

figure = Figure(figsize=(14, 4), layout="constrained")
first, second, third = figure.subplots(1, 3)
RelevanceDisplay.from_estimator(model).plot(first, name="Which features matter")
SearchTraceDisplay.from_estimator(model).plot(second, name="How it searched")
surface = CriterionSurfaceDisplay.from_estimator(model, X, y)
surface.plot(third, name="What it chose among")
figure.savefig("displays.png")

# Without axes there is a new figure of pyplot; this one is made without, for a file or a page.
RelevanceDisplay.from_estimator(model).as_figure().savefig("relevance.svg")
