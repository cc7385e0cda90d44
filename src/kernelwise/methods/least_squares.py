"""Methods by name: least-squares machines whose kernel a selection of ours chooses."""

from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor
from kernelwise.methods.method import Method


def _least_squares(name: str, kernel: str, selection: str, summary: str) -> Method:
    return Method(
        name,
        summary,
        classifier=lambda _: LSSVMClassifier(kernel, selection),
        regressor=lambda _: LSSVMRegressor(kernel, selection),
        categorical=True,
    )


LEAST_SQUARES = (
    _least_squares("RBF-LOO", "gaussian", "loo", "Gaussian kernel, leave-one-out"),
    _least_squares("RBF-XVAL", "gaussian", "cv", "Gaussian kernel, 5-fold"),
    _least_squares("RBF-FLKL", "gaussian", "first-level", "Gaussian kernel, first level"),
    _least_squares("ARD-LOO", "ard", "loo", "a scale per feature, leave-one-out"),
    _least_squares("ARD-XVAL", "ard", "cv", "a scale per feature, 5-fold"),
    _least_squares("ARD-FLKL", "ard", "first-level", "a scale per feature, first level"),
    _least_squares("ARD-BR", "ard", "loo-bayes", "a scale per feature, Bayesian LOO"),
    _least_squares("ARD-ALIGN", "ard", "alignment", "a scale per feature, alignment"),
    _least_squares("LAPLACIAN", "ard-laplacian", "first-level", "absolute differences"),
    _least_squares("MIXED", "mixed", "first-level", "squared or absolute differences"),
)
