"""Gram matrices of your own
============================

In cross-validation X is a column of case numbers.
"""

from sklearn.datasets import load_wine
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import scale

from kernelwise import BEMKLClassifier
from kernelwise.multikernel import KernelStack

X, y = load_wine(return_X_y=True)
columns = scale(X)
distances = [euclidean_distances(columns[:, :6]), euclidean_distances(columns[:, 6:])]
stack = KernelStack.from_distances(distances, names=["taste", "color"])  # exp(-d / mean d)

print(cross_val_score(BEMKLClassifier(stack), stack.cases, y).mean())
