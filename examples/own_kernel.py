"""A kernel of your own
=======================

A class with a Gram matrix and its derivatives is learned like any other kernel.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier
from kernelwise.kernels import Kernel
from kernelwise.parameters import Parameter


class Cauchy(Kernel):
    """``1 / (1 + rate |x - z|^2)``."""

    def __init__(self, rate=0.1):
        self.rate = rate

    @property
    def parameters(self):
        return [Parameter("rate", self.rate, limits=(1e-6, 1e6))]  # what a search may change

    def with_values(self, values):
        return Cauchy(float(values[0]))

    def evaluate(self, A, B=None, up_to_constant=False):
        squares = ((A[:, None] - (A if B is None else B)[None]) ** 2).sum(axis=2)
        gram = 1 / (1 + self.rate * squares)
        # For any M: sum_j M_ij d gram_ij / d rate, one line per row i, one column per value.
        return gram, lambda M: -(M * gram**2 * squares).sum(axis=1, keepdims=True)


X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)  # a kernel object acts on the columns as they are
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=200, random_state=0)

model = LSSVMClassifier(Cauchy(), selection="loo").fit(X_train, y_train)
print(f"rate {model.kernel_.rate:.3g}, accuracy {model.score(X_test, y_test):.3f}")
