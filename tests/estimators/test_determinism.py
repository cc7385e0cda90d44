"""The same random_state gives the same bits, whatever the number of jobs or of BLAS threads."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from kernelwise import LSSVMClassifier, LSSVMRegressor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SELECTIONS = ["loo", "cv", "first-level"]


@pytest.fixture(params=[LSSVMClassifier, LSSVMRegressor], ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture
def data(kind, binary, smooth):
    return binary if kind is LSSVMClassifier else smooth


def bits(model, X):
    """Everything a user can see of a fit, as bytes."""
    parts = [model.dual_coef_, model.intercept_, model.relevance_, model.kernel_.values]
    parts += [model.regularization_, model.criterion_, model.n_factorizations_]
    parts += [model.trace_.values, np.concatenate(model.trace_.points)]
    parts += [getattr(model, "predict_proba", model.predict)(X)]
    return [np.asarray(part).tobytes() for part in parts]


@pytest.mark.parametrize("selection", SELECTIONS)
def test_number_of_jobs_changes_no_bit(kind, data, selection):
    fits = [
        kind("gaussian", selection, n_restarts=3, random_state=7, n_jobs=n_jobs, cv=3)
        for n_jobs in (1, 2, 2)
    ]
    one, two, again = (bits(model.fit(data.X, data.y), data.X_test) for model in fits)
    assert one == two
    assert two == again


def test_number_of_jobs_changes_no_bit_of_the_default_kernel(kind, data):
    one, two = (
        kind(selection="loo", n_restarts=3, random_state=7, n_jobs=n_jobs).fit(data.X, data.y)
        for n_jobs in (1, 2)
    )
    assert bits(one, data.X_test) == bits(two, data.X_test)
    assert len(one.trace_.optima) == 4


@pytest.mark.parametrize("selection", SELECTIONS)
def test_same_seed_same_bits_and_another_seed_other_starts(kind, data, selection):
    model = kind("gaussian", selection, n_restarts=1, random_state=0)
    first, second = (clone(model).fit(data.X, data.y) for _ in range(2))
    assert bits(first, data.X_test) == bits(second, data.X_test)
    other = clone(model).set_params(random_state=1, honest=False).fit(data.X, data.y)
    assert not np.array_equal(first.trace_.optima[1].points[0], other.trace_.optima[1].points[0])


def test_random_state_object_is_used_and_moves_on(kind, data):
    model = kind("gaussian", "cv", random_state=np.random.RandomState(0))
    first = model.fit(data.X, data.y).trace_.values
    assert model.fit(data.X, data.y).trace_.values != first
    model.set_params(random_state=np.random.RandomState(0))
    assert model.fit(data.X, data.y).trace_.values == first


def test_fit_leaves_the_global_random_numbers_alone(kind, data):
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    kind("gaussian", "cv", n_restarts=1, random_state=3).fit(data.X, data.y)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


SCRIPT = """
import hashlib
import numpy as np
from sklearn.datasets import make_classification
from kernelwise import LSSVMClassifier
X, y = make_classification(150, 6, random_state=0)
for selection in ("loo", "cv"):
    for n_jobs in (1, 2):
        model = LSSVMClassifier("gaussian", selection, n_restarts=3, random_state=0, n_jobs=n_jobs)
        model.fit(X, y)
        parts = [model.dual_coef_, model.predict_proba(X), np.concatenate(model.trace_.points)]
        print(hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest())
"""


def test_number_of_jobs_changes_no_bit_with_default_blas_threads():
    """In a process of its own, where nothing limits the threads of BLAS."""
    limits = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in limits}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    loo, loo_by_two, cv, cv_by_two = run.stdout.split()
    assert loo == loo_by_two != cv == cv_by_two


def test_blas_threads_are_restored(data, kind):
    from threadpoolctl import threadpool_info

    with threadpool_limits(2, user_api="blas"):
        before = [pool["num_threads"] for pool in threadpool_info()]
        kind("gaussian", "loo", n_restarts=2, random_state=0, n_jobs=2).fit(data.X, data.y)
        assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_a_fit_without_a_random_state_gives_the_same_answer_twice():
    """Also where the first scan sees only some of the rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(450, 3))
    y = X[:, 0] + X[:, 1] ** 2 + random.normal(size=450)
    one, two = (LSSVMRegressor("gaussian", "loo", honest=False).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)
    assert one.honest_error_ == two.honest_error_
