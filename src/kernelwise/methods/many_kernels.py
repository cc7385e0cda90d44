"""Methods by name: machines on many kernels, each with a weight that is learned."""

from typing import Any

from kernelwise.estimators import BEMKLClassifier, BEMKLRegressor, MKLClassifier, MKLRegressor
from kernelwise.methods.method import Method
from kernelwise.multikernel import KernelBank

# Gönen's inference: a fixed number of sweeps, without momentum.
PUBLISHED = {"momentum": False, "max_sweeps": 200, "tolerance": 0.0}
# Momentum, and more sweeps than any paper table needs to converge.
CONVERGED = {"max_sweeps": 2000}


def _bayesian(
    name: str, summary: str, sparsity: str, settings: dict[str, Any], multi_class: str = "shared"
) -> Method:
    """Bayesian efficient multiple kernel learning.

    Parameters
    ----------
    name, summary : of the method
    sparsity, settings : the prior of the kernel weights, and how the sweeps are made
    multi_class : whether classes share the kernel weights; outputs always do
    """
    return Method(
        name,
        f"Bayesian MKL, {summary}",
        classifier=lambda _: BEMKLClassifier(
            sparsity=sparsity, multi_class=multi_class, **settings
        ),
        regressor=(lambda _: BEMKLRegressor(sparsity=sparsity, **settings))
        if multi_class == "shared"
        else None,
    )


def _weighed(name: str, summary: str, method: str) -> Method:
    """Gaussian and polynomial kernels on all columns and on each, weighed by a method."""
    return Method(
        name,
        summary,
        classifier=lambda _: MKLClassifier(method=method),
        regressor=None if method == "simple" else lambda _: MKLRegressor(method=method),
    )


def _infinite(name: str, summary: str, dissimilarity: str) -> Method:
    """Kernels of a scale per column, made one after the other."""
    return Method(
        name,
        summary,
        classifier=lambda _: MKLClassifier(method="infinite", dissimilarity=dissimilarity),
        regressor=lambda _: MKLRegressor(method="infinite", dissimilarity=dissimilarity),
        categorical=True,
    )


MANY_KERNELS = (
    _bayesian("BEMKL-SPARSE", "few kernels, 200 sweeps", "sparse", PUBLISHED),
    _bayesian("BEMKL-DENSE", "many kernels, 200 sweeps", "dense", PUBLISHED),
    _bayesian("BEMKL-OVA", "BEMKL-DENSE with weights per class", "dense", PUBLISHED, "ovr"),
    _bayesian("BEMKL-SPARSE-CONV", "few kernels, converged", "sparse", CONVERGED),
    _bayesian("BEMKL-DENSE-CONV", "many kernels, converged", "dense", CONVERGED),
    _weighed("MKL-LS", "least squares on kernels whose weights have a price", "least-squares"),
    _weighed("MKL-SIMPLE", "SimpleMKL: SVM on kernels of weight 1 in all", "simple"),
    _weighed("MKL-ALIGNED", "least squares on kernels weighed by alignment", "aligned"),
    _weighed("MKL-UNIFORM", "least squares on kernels of equal weight", "uniform"),
    # Gehler & Nowozin's "separate" kernels: Gaussians on all columns together and on each.
    Method(
        "MKL",
        "SimpleMKL, Gaussians on all columns and on each",
        classifier=lambda _: MKLClassifier(KernelBank(degrees=[]), method="simple"),
        regressor=None,
    ),
    _infinite("IKL", "infinite kernel learning, squared differences", "squared"),
    _infinite("IKL-ABS", "infinite kernel learning, absolute differences", "absolute"),
)
