"""A kernel handed over is the kernel that was learned, and the widths are the paper's."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier, RVMClassifier
from kernelwise.kernels import Gaussian
from kernelwise.methods import METHODS
from kernelwise.methods.learned_columns import LearnedColumns

WIDTHS = [0.01, 0.1, 0.3, 1, 2, 3, 4, 5, 7, 10]


@pytest.fixture(scope="module")
def rows():
    generator = np.random.default_rng(0)
    X = generator.normal(3.0, [1.0, 10.0, 0.1], size=(60, 3))
    return X, np.where(X[:, 0] + 0.3 * generator.normal(size=60) > 3, "yes", "no")


@pytest.mark.parametrize(
    "estimator",
    [
        LSSVMClassifier("ard", "first-level", honest=False),
        LSSVMClassifier("gaussian", "loo", honest=False),
        RVMClassifier(Gaussian(np.array([1.0, 20.0, 0.3])), None),
    ],
)
def test_the_unit_gaussian_on_the_columns_is_the_learned_kernel(rows, estimator):
    X, y = rows
    learned = LearnedColumns(estimator).fit(X, y)
    inner = learned.estimator_
    columns = learned.transform(X)
    gram = inner.kernel_(inner.columns_.scaled(X))
    np.testing.assert_allclose(rbf_kernel(columns, gamma=0.5), gram, atol=1e-12)
    assert not hasattr(estimator, "kernel_"), "the estimator given stays unfitted"


@pytest.mark.parametrize("name", ["RVM-CV", "RVM-MV", "RVM-EVID", "RVM-EVID-0"])
def test_a_scan_tries_the_papers_widths(rows, name):
    machine = METHODS[name].estimator("classification", 3, 0).fit(*rows)[-1]
    tried = [machine.kernel_.with_theta(point).length_scale for point in machine.trace_.points]
    assert np.ravel(tried) == pytest.approx(WIDTHS[::-1])
    assert machine.kernel_.length_scale in np.ravel(tried)
    assert machine.bias == "penalized"


def test_the_svm_has_the_width_of_highest_validity(rows):
    X, y = rows
    valid = METHODS["RVM-MV"].estimator("classification", 3, 0).fit(X, y)[-1]
    svm = METHODS["SVM-MV"].estimator("classification", 3, 0).fit(X, y)
    expected = StandardScaler().fit_transform(X) / valid.kernel_.length_scale
    np.testing.assert_allclose(svm[:-1].transform(X), expected)


def test_one_machine_of_each_width(rows):
    vote = METHODS["RVM-MIN"].estimator("classification", 3, 0).fit(*rows)[-1]
    assert [float(name) for name, _ in vote.estimators] == WIDTHS
    found = [machine.kernel_.length_scale for machine in vote.estimators_]
    assert np.ravel(found) == pytest.approx(WIDTHS)
