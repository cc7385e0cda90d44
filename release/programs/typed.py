"""A user's script, which ``mypy --strict`` reads and which runs."""

import numpy as np

from kernelwise import AutoKernelClassifier, LSSVMRegressor

X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
model = AutoKernelClassifier(max_time=5, folds=0, random_state=0).fit(X, y)
print(model.explain(), model.predict(X)[:5], model.score(X, y))
means, spreads = LSSVMRegressor("gaussian", "loo").fit(X, X[:, 0]).predict(X, return_std=True)
