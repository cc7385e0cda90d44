"""SVMClassifier: several starts, their optima, the average of their machines, false optima."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from kernelwise import SVMClassifier
from kernelwise.searchers import RandomWalk
from kernelwise.selections import AtLimitWarning

STARTED = SVMClassifier("gaussian", "span", n_restarts=3, random_state=0)


@pytest.fixture(scope="module")
def table(binary):
    return binary.X[:40], binary.y[:40]


@pytest.fixture(scope="module")
def best(table):
    return clone(STARTED).fit(*table)


@pytest.fixture(scope="module")
def average(table):
    return clone(STARTED).set_params(combine="average").fit(*table)


def bits(model, X):
    """Everything a user can see of a fit, as bytes."""
    parts = [model.dual_coef_, model.intercept_, model.relevance_, model.kernel_.values]
    parts += [model.C_, model.criterion_, model.n_factorizations_, model.support_]
    parts += [model.trace_.values, np.concatenate(model.trace_.points), model.predict_proba(X)]
    parts += [optimum.disagreement for optimum in model.trace_.optima]
    return [np.asarray(part).tobytes() for part in parts]


def test_each_start_leaves_its_optimum(best, table):
    optima = best.trace_.optima
    assert len(optima) == 4 and len(best.machines_) == 1
    assert sum(map(len, optima)) == len(best.trace_)
    chosen = min(optima, key=lambda optimum: optimum.best_value)
    assert best.criterion_ == chosen.best_value == min(best.trace_.values)
    np.testing.assert_array_equal(chosen.kernel.values, best.kernel_.values)
    assert chosen.disagreement == 0
    assert all(0 <= optimum.disagreement <= 1 for optimum in optima)
    assert max(optimum.disagreement for optimum in optima) > 0, "this test could not fail"
    # A share of 40 rows.
    shares = [40 * optimum.disagreement for optimum in optima]
    np.testing.assert_allclose(shares, np.round(shares), atol=1e-9)


def test_each_optimum_is_a_machine_of_its_own(best, average, table):
    X, y = table
    kernels = [optimum.kernel for optimum in best.trace_.optima]
    assert len({kernel.values.tobytes() for kernel in kernels}) > 1
    rows = average.columns_.scaled(X)
    for machine in average.machines_:
        given = SVMClassifier(machine.kernel, None, C=machine.C).fit(rows, y)
        shown = machine.kernel(rows, average.X_fit_) @ machine.dual_coef + machine.intercept
        np.testing.assert_allclose(shown[:, 0], given.decision_function(rows), rtol=0, atol=1e-7)


def test_the_average_is_the_mean_of_the_machines(average, best, binary):
    assert len(average.machines_) == 4
    rows = average.columns_.scaled(binary.X_test)
    outputs = [
        (machine.kernel(rows, average.X_fit_) @ machine.dual_coef + machine.intercept)[:, 0]
        for machine in average.machines_
    ]
    shown = average.decision_function(binary.X_test)
    np.testing.assert_allclose(shown, np.mean(outputs, axis=0), atol=1e-10)
    # What is stored besides them is that of the best.
    np.testing.assert_allclose(outputs[0], best.decision_function(binary.X_test), atol=1e-10)
    assert average.C_ == best.C_ and average.criterion_ == best.criterion_
    np.testing.assert_array_equal(average.kernel_.values, best.kernel_.values)
    np.testing.assert_array_equal(average.dual_coef_, average.machines_[0].dual_coef)
    # Every machine's supporting rows.
    coefs = np.hstack([machine.dual_coef for machine in average.machines_])
    assert (coefs != 0).any(axis=1).all() and len(average.support_) == len(coefs)
    assert set(best.support_) < set(average.support_)
    probabilities = average.predict_proba(binary.X_test)
    decided = average.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(decided, average.predict(binary.X_test))
    assert average.score(binary.X_test, binary.y_test) > 0.8


def test_three_classes_are_averaged(three_classes):
    X, y = three_classes.X[:40], three_classes.y[:40]
    model = clone(STARTED).set_params(combine="average", n_restarts=1).fit(X, y)
    assert len(model.machines_) == 2
    rows = model.columns_.scaled(three_classes.X_test)
    outputs = [
        machine.kernel(rows, model.X_fit_) @ machine.dual_coef + machine.intercept
        for machine in model.machines_
    ]
    shown = model.decision_function(three_classes.X_test)
    np.testing.assert_allclose(shown, np.mean(outputs, axis=0), atol=1e-10)
    probabilities = model.predict_proba(three_classes.X_test)
    decided = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(decided, model.predict(three_classes.X_test))
    assert model.score(three_classes.X_test, three_classes.y_test) > 0.8


def test_one_start_is_its_own_average(table):
    model = clone(STARTED).set_params(combine="average", n_restarts=0).fit(*table)
    plain = clone(STARTED).set_params(n_restarts=0).fit(*table)
    assert len(model.machines_) == 1
    assert bits(model, table[0]) == bits(plain, table[0])


@pytest.mark.parametrize("combine", ["best", "average"])
def test_number_of_jobs_changes_no_bit(best, average, table, combine):
    one = best if combine == "best" else average
    two = clone(STARTED).set_params(combine=combine, n_jobs=2).fit(*table)
    assert bits(one, table[0]) == bits(two, table[0])


def test_same_seed_same_bits_and_another_seed_other_starts(best, table):
    again = clone(STARTED).fit(*table)
    assert bits(again, table[0]) == bits(best, table[0])
    other = clone(STARTED).set_params(random_state=1, n_restarts=1).fit(*table)
    assert not np.array_equal(best.trace_.optima[1].points[0], other.trace_.optima[1].points[0])
    np.testing.assert_array_equal(best.trace_.points[0], other.trace_.points[0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_random_walks_follow_the_seed_of_the_estimator(table):
    def points(walk, seed, n_restarts=0):
        model = SVMClassifier(
            "gaussian",
            "span",
            searcher=walk,
            n_restarts=n_restarts,
            random_state=seed,
            honest=False,
        )
        return np.array(model.fit(*table).trace_.points)

    walk = RandomWalk(max_evaluations=12)
    np.testing.assert_array_equal(points(walk, 0), points(walk, 0))
    assert not np.array_equal(points(walk, 0), points(walk, 1))
    assert walk.seed is None
    own = RandomWalk(max_evaluations=12, seed=5)
    np.testing.assert_array_equal(points(own, 0), points(own, 1))
    # Restarts take other paths, not the same one from elsewhere.
    several = points(walk, 0, n_restarts=1)
    first, second = several[: len(several) // 2], several[len(several) // 2 :]
    assert not np.allclose(first[1:] - first[:1], second[1:] - second[:1])


def separable(n=30):
    X = np.random.default_rng(0).normal(size=(40, 3))[:n]
    return X, (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)


def test_hinge_evidence_warns_of_its_false_optimum():
    with pytest.warns(AtLimitWarning, match=r"end of the range of amplitude.*false optimum"):
        SVMClassifier("gaussian", "evidence", "hinge").fit(*separable())


def test_squared_hinge_evidence_has_none():
    with warnings.catch_warnings():
        warnings.simplefilter("error", AtLimitWarning)
        SVMClassifier("gaussian", "evidence").fit(*separable())


@pytest.mark.parametrize("combine", ["best", "average"])
def test_an_optimum_inside_is_preferred_to_a_better_one_at_a_bound(binary, combine):
    model = SVMClassifier(
        "gaussian", "evidence", "hinge", n_restarts=3, combine=combine, random_state=0, honest=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", AtLimitWarning)
        model.fit(binary.X, binary.y)
    optima = model.trace_.optima
    highest = max(optimum.kernel.values[0] for optimum in optima)
    at_bound = [optimum.kernel.values[0] > 0.999 * highest for optimum in optima]
    assert 0 < sum(at_bound) < 4
    false = [optimum for optimum, bound in zip(optima, at_bound, strict=True) if bound]
    assert min(optimum.best_value for optimum in false) < model.criterion_
    assert model.kernel_.values[0] < 0.9 * highest
    assert max(optimum.disagreement for optimum in false) > 0
    # The average leaves the false ones out.
    assert len(model.machines_) == (1 if combine == "best" else 4 - sum(at_bound))
