"""Missing numbers
==================

What they count as, and that they are missing.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

from kernelwise import LSSVMClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean texture", "mean smoothness", "worst area"]]
X.loc[::7, "mean texture"] = np.nan
model = LSSVMClassifier("gaussian", "loo").fit(X[:150], y[:150])
print(model.checks_)  # a sentence for each column with gaps
print(model.predict(X[150:]))  # gaps are filled as those of fit were
print(model.relevance_)  # one per column: its gaps count to it
