"""Intervals around predictions
===============================

Where nine in ten new observations lie (extra ``report``).
"""

import numpy as np
from matplotlib.figure import Figure

from kernelwise import LSSVMRegressor

random = np.random.default_rng(0)
X = random.uniform(-3, 3, (120, 1))
y = np.sinc(X[:, 0]) + 0.1 * random.standard_normal(120)
model = LSSVMRegressor("gaussian", "evidence").fit(X, y)

new = np.linspace(-4, 4, 200)[:, None]
low, high = model.predict_interval(new, level=0.9).T
figure = Figure(figsize=(7, 4), layout="constrained")
axes = figure.subplots()
axes.fill_between(new[:, 0], low, high, alpha=0.25, label="90 % interval")
axes.plot(new, model.predict(new), label="prediction")
axes.plot(X, y, ".", color="black", label="rows")
axes.legend()
figure.savefig("intervals.png")

# %%
# Beyond the rows the intervals widen: a kernel knows nothing there.
unseen = random.uniform(-3, 3, (1000, 1))
truth = np.sinc(unseen[:, 0]) + 0.1 * random.standard_normal(1000)
low, high = model.predict_interval(unseen, level=0.9).T
print(f"within: {np.mean((low <= truth) & (truth <= high)):.3f}")
