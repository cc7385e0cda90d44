"""An ascent of sampled gradients
=================================

Twonorm with all length scales alike at first, as in Figs. 5 and 6 of Gold & Sollich (2003), as a
picture (extra ``report``).
"""

import numpy as np

from kernelwise import SVMClassifier
from kernelwise.data.generators import GENERATORS
from kernelwise.kernels import Constant, Gaussian
from kernelwise.report import ascent_plot
from kernelwise.selections import Given, SampledEvidence

X, y = GENERATORS["twonorm"](1300, 0)
X = (X - X.mean(axis=0)) / X.std(axis=0)
kernel = 0.5 * Gaussian(np.full(20, 1.5)) + Constant(0.2)
model = SVMClassifier(
    kernel,
    SampledEvidence(Given(), trajectories=40, validation=True),  # a fifth of the rows tells when
    loss="hinge",
    C=0.6,
    searcher="ascent",
    random_state=0,
).fit(X[:300], y[:300])
print(f"{len(model.trace_)} points, then {1 - model.score(X[300:], y[300:]):.1%} wrong")
ascent_plot(model.trace_, model.kernel_).savefig("ascent.svg")
