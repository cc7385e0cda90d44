"""Methods on many kernels: as published or converged, and with the kernels of a data set."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian, Linear
from kernelwise.methods import METHODS


@pytest.fixture(scope="module")
def rows():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(60, 2))
    return X, np.where(X[:, 0] + 0.3 * generator.normal(size=60) > 0, 1, -1)


def made(name, task="classification", **settings):
    return METHODS[name].estimator(task, 2, 0, **settings)


@pytest.mark.parametrize("name", ["BEMKL-SPARSE", "BEMKL-DENSE"])
def test_the_published_methods_make_200_plain_sweeps(rows, name):
    fitted = made(name).fit(*rows)
    assert fitted.n_sweeps_ == 200 and not fitted.momentum
    assert len(fitted.kernels_) == 39
    assert fitted.sparsity == name.removeprefix("BEMKL-").lower()


@pytest.mark.parametrize("name", ["BEMKL-SPARSE-CONV", "BEMKL-DENSE-CONV"])
@pytest.mark.filterwarnings("error")
def test_the_converged_ones_end_at_a_higher_bound(rows, name):
    fitted, published = made(name).fit(*rows), made(name.removesuffix("-CONV")).fit(*rows)
    assert fitted.n_sweeps_ < 2000, "no warning, and not stopped by the number of sweeps"
    assert fitted.lower_bound_[-1] > published.lower_bound_[-1]


def test_the_columns_of_first_level_table_4(rows):
    """Gaussians alone, on all columns and on each; one family of kernels, two dissimilarities."""
    mkl = made("MKL")
    members = mkl.kernels.members(2)
    assert [m.name for m in members[:2]] == [
        "Gaussian of width 0.125 on all columns",
        "Gaussian of width 0.25 on all columns",
    ]
    assert len(members) == 30 and mkl.method == "simple"
    for name, dissimilarity in (("IKL", "squared"), ("IKL-ABS", "absolute")):
        ikl = made(name)
        assert (ikl.method, ikl.family, ikl.dissimilarity) == ("infinite", "product", dissimilarity)


@pytest.mark.parametrize(
    "name", ["BEMKL-DENSE", "BEMKL-OVA", "MKL-LS", "MKL-UNIFORM", "MKL-SIMPLE", "MKL"]
)
def test_a_method_uses_the_kernels_of_the_data_set(rows, name):
    kernels = [Gaussian(2.0), Linear()]
    fitted = made(name, kernels=kernels).fit(*rows)
    assert len(fitted.kernels_) == 2
    plain, with_kernels = (
        METHODS[name].definition("classification", 2, k) for k in (None, kernels)
    )
    assert plain != with_kernels and "Linear(" in with_kernels


def test_other_methods_refuse_kernels():
    with pytest.raises(ValueError, match="RBF-LOO takes a table of columns, not kernels"):
        made("RBF-LOO", kernels=[Linear()])


def test_weights_per_class_are_for_classes():
    assert not METHODS["BEMKL-OVA"].learns("regression")
    assert made("BEMKL-OVA").multi_class == "ovr" and made("BEMKL-DENSE").multi_class == "shared"
