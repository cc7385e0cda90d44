"""No tuning
============

Candidates are tried, stacked, and judged by rows that had no part in any choice.
"""

from pathlib import Path

from sklearn.datasets import load_diabetes, load_wine

from kernelwise import AutoKernelClassifier, AutoKernelRegressor

X, y = load_wine(return_X_y=True, as_frame=True)
model = AutoKernelClassifier().fit(X, y)
print(model.explain())  # how good, what was chosen and why, features, what to know first
print(model.explain(X[:2]))  # why these rows are predicted as they are
print(model.leaderboard_[["candidate", "weight", "error", "low", "high", "verdict"]])
print(model.error_estimate_.value, model.error_estimate_.lower, model.error_estimate_.upper)
print(model.predict_proba(X[:3]))
print(model.best_estimator_)  # the best candidate alone, an LSSVMClassifier
Path("record.json").write_text(model.record_.as_json())  # all of this as plain data

X, y = load_diabetes(return_X_y=True, as_frame=True)
quick = AutoKernelRegressor(candidates="core", folds=0).fit(X, y)  # without an honest error
print(quick.predict(X[:3], return_std=True))
