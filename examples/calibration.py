"""Probabilities that come true
===============================

A calibration curve by scikit-learn's own display, and sets of classes (extra ``report``).
"""

import numpy as np
from matplotlib.figure import Figure
from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import make_moons

from kernelwise import LSSVMClassifier

X, y = make_moons(2200, noise=0.45, random_state=0)  # classes that overlap
model = LSSVMClassifier("gaussian", "loo").fit(X[:200], y[:200])

figure = Figure(figsize=(5, 5), layout="constrained")
CalibrationDisplay.from_estimator(model, X[200:], y[200:], n_bins=8, ax=figure.subplots())
figure.savefig("calibration.png")

# %%
# A set of level 0.9 holds the true class of nine rows in ten. Where both classes are possible, it
# holds both.
sets = model.predict_set(X[200:], level=0.9)
right, both = sets[np.arange(2000), y[200:]].mean(), sets.all(axis=1).mean()
print(f"right: {right:.3f}, with both classes: {both:.3f}")
