"""A first program: two machines, with nothing installed beside the hard dependencies."""

from sklearn.datasets import load_iris

import kernelwise
from kernelwise import AutoKernelClassifier, LSSVMClassifier
from kernelwise.persistence import save_model

X, y = load_iris(return_X_y=True)
for model in (LSSVMClassifier(), AutoKernelClassifier(candidates="core")):
    model.fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    assert abs(model.predict_proba(X[1::2]).sum(axis=1) - 1).max() < 1e-9
assert "Expect about" in model.explain()
try:
    save_model(model, "model.skops")
except ImportError as error:
    print(error)
print(kernelwise.__version__)
