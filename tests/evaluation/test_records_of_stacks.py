"""What one fit of AutoKernel is recorded as: the work and the choices of all its candidates."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from kernelwise import AutoKernelClassifier, AutoKernelRegressor, LSSVMClassifier, LSSVMRegressor
from kernelwise.auto.base import AutoKernel
from kernelwise.evaluation import measure_fold

TASKS = pytest.mark.parametrize(
    ("stack", "alone"),
    [(AutoKernelClassifier, LSSVMClassifier), (AutoKernelRegressor, LSSVMRegressor)],
)


def split(stack):
    random = np.random.default_rng(1)
    X = random.normal(size=(120, 3))
    z = X[:, 0] + X[:, 1] ** 2 + 0.3 * random.normal(size=120)
    y = np.where(z > 0.8, "high", "low") if stack is AutoKernelClassifier else z
    return X[:70], y[:70], X[70:], y[70:]


@TASKS
def test_a_stack_is_judged_by_the_rows_of_the_evaluation_alone(stack, alone, monkeypatch):
    rows = split(stack)
    plain = stack(["gaussian", "linear"], folds=0).fit(*rows[:2])
    never = pytest.fail
    monkeypatch.setattr(AutoKernel, "_choose_without", lambda *_: never("a copy was fitted"))
    model = stack(["gaussian", "linear"])
    record = measure_fold(model, *rows, with_probabilities=True)
    assert model.error_estimate_ is None and not model._is_judged_elsewhere
    assert record.inner_error == model.held_out_error_ == plain.held_out_error_
    if stack is AutoKernelRegressor:
        np.testing.assert_allclose(record.predictions, plain.predict(rows[2]))
        return
    assert (record.predictions == plain.predict(rows[2])).all()
    chances = record.probabilities
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (model.classes_[chances.argmax(axis=1)] == record.predictions).all()
    surely = chances.max(axis=1) > 0.9
    assert surely.any() and (record.predictions == rows[3])[surely].mean() > 0.9


@TASKS
def test_counters_are_the_work_of_all_candidates(stack, alone):
    names, rows = ["gaussian", "laplacian", "linear"], split(stack)
    counters = measure_fold(stack(names), *rows).counters
    machines = [alone(name, "loo", honest=False).fit(*rows[:2]) for name in names]
    assert counters == {
        "factorizations": sum(machine.n_factorizations_ for machine in machines),
        "evaluations": sum(len(machine.trace_) for machine in machines),
    }


@TASKS
def test_what_was_learnt_is_the_best_candidate_and_the_weights_of_all(stack, alone):
    rows = split(stack)
    model = stack(["linear", "gaussian"])
    found = measure_fold(model, *rows).learnt
    machine = alone("gaussian", "loo", honest=False).fit(*rows[:2])
    assert found.kernel == "Gaussian"
    np.testing.assert_allclose(found.values, machine.kernel_.values)
    assert found.regularization == pytest.approx(machine.regularization_)
    assert found.relevance == pytest.approx(model.relevance_, abs=1e-6) and sum(found.relevance)
    assert found.parameters == {
        "candidate": "gaussian",
        "weight of linear": model.weights_[0],
        "weight of gaussian": model.weights_[1],
    }
    assert model.weights_[1] > 0.5
    assert json.loads(json.dumps(found.parameters)) == found.parameters


def test_a_stack_without_kernels_has_weights_but_no_searches():
    rows = split(AutoKernelClassifier)
    record = measure_fold(AutoKernelClassifier([("tree", DecisionTreeClassifier())]), *rows)
    assert record.counters == {"factorizations": 0, "evaluations": 0}
    assert record.learnt.parameters == {"candidate": "tree", "weight of tree": 1.0}
    assert record.learnt.kernel == "" and record.learnt.regularization is None
