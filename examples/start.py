"""A first model
================

Fit, and ask how good the model is, what was chosen, and which features matter (extra ``report``).
"""

from sklearn.datasets import load_wine

from kernelwise import AutoKernelClassifier
from kernelwise.report import LeaderboardDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
model = AutoKernelClassifier(candidates=["gaussian", "laplacian", "linear"]).fit(X[::2], y[::2])
print(model.explain())

# %%
# Each candidate is judged by copies that have not seen the rows they predict; so is their sum.
LeaderboardDisplay.from_estimator(model).as_figure().savefig("leaderboard.png")

# %%
# The other half of the rows had no part in the fit.
print(f"accuracy on new rows: {model.score(X[1::2], y[1::2]):.2f}")
print(model.explain(X[1:2]))
