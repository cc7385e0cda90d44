"""Copies in threads: the same bits, progress of all of them, and one end for all."""

import threading
import warnings

import numpy as np
import pytest
import sklearn

from kernelwise import LSSVMClassifier, LSSVMRegressor, SVMClassifier
from kernelwise.estimators import fold_fits
from kernelwise.estimators.progress import listening
from kernelwise.estimators.side_by_side import Stopped, n_side_by_side, side_by_side


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    return X, X[:, 0] + X[:, 1] ** 2


@pytest.mark.parametrize(
    ("kind", "selection"),
    [(LSSVMClassifier, "loo"), (LSSVMRegressor, "first-level"), (SVMClassifier, "span")],
)
def test_copies_have_the_same_bits_for_any_n_jobs(table, kind, selection, monkeypatch):
    X, z = table
    y = z if kind is LSSVMRegressor else z > 0.8
    threads = set()
    fitted = fold_fits._without_fold
    monkeypatch.setattr(
        fold_fits,
        "_without_fold",
        lambda *given: (threads.add(threading.current_thread().name), fitted(*given))[1],
    )
    models = [kind("gaussian", selection, n_jobs=n).fit(X, y) for n in (None, 3)]
    assert len(threads) == 4 and "MainThread" in threads
    one, other = (
        (m.honest_error_, m.relevance_interval_.tolist(), m.selected_features_.tolist())
        for m in models
    )
    assert one == other
    np.testing.assert_array_equal(*(m.predict(X) for m in models))


def test_every_step_of_every_copy_is_told(table):
    X, z = table
    counts = []
    for n_jobs in (1, 2):
        steps = []
        with listening(lambda steps=steps: steps.append(1)):
            LSSVMClassifier("gaussian", "loo", n_jobs=n_jobs).fit(X, z > 0.8)
        counts.append(len(steps))
    assert counts[0] == counts[1] > 20


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_listener_ends_all_copies(table, error):
    X, z = table
    before, steps = threading.active_count(), []

    def listener():
        steps.append(threading.current_thread().name)
        if threading.current_thread() is not threading.main_thread():
            raise error("enough")

    with listening(listener), pytest.raises(error, match="enough"):
        LSSVMClassifier("gaussian", "loo", n_jobs=2).fit(X, z > 0.8)
    assert sum(name != "MainThread" for name in steps) == 1
    assert threading.active_count() == before


def test_the_first_failure_is_told_and_ends_the_others():
    started = threading.Barrier(2)

    def function(item, step):
        started.wait()
        if item == 0:
            while True:
                step()
        raise ValueError("item 1")

    calls = []
    with pytest.raises(ValueError, match="item 1"):
        side_by_side(function, [0, 1], 2, lambda: calls.append(1))
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda item, step: step(), range(5), 2, lambda: 1 / 0)
    assert issubclass(Stopped, Exception)


def test_settings_of_scikit_learn_hold_in_threads():
    def seen(item, step):
        return sklearn.get_config()["assume_finite"]

    with sklearn.config_context(assume_finite=True):
        assert side_by_side(seen, range(3), 2, lambda: None) == [True] * 3


def test_how_many_run_at_a_time(monkeypatch):
    assert n_side_by_side(None, 100, 5) == 1
    assert n_side_by_side(3, 100, 5) == 3 and n_side_by_side(8, 100, 5) == 5
    assert n_side_by_side(8, 5000, 5) == 1, "there BLAS has the threads"
    monkeypatch.setattr("kernelwise.estimators.side_by_side.most_rows", lambda: 1500.0)
    assert n_side_by_side(8, 1000, 5) == 2, "memory has room for two"


def test_warnings_are_as_they_were(table):
    X, z = table
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        before = list(warnings.filters)
        SVMClassifier("gaussian", "gacv", loss="hinge", n_jobs=3).fit(X, z > 0.8)
        assert warnings.filters == before
