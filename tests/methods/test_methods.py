"""Methods by name: each fits, is seeded to the innermost estimator, and means one thing."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone, is_classifier, is_regressor

from kernelwise.methods import COMPETITORS, METHODS
from kernelwise.methods.registry import methods_named
from kernelwise.runs.cells import Skipped

TASKS = ("classification", "regression")
EVERY = pytest.mark.parametrize("name", METHODS)
EVERY_TASK = pytest.mark.parametrize(
    ("name", "task"),
    [(name, task) for name in METHODS for task in TASKS if METHODS[name].learns(task)],
)


def problem(task, rows=40):
    """The first of three columns decides."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(rows, 3))
    if task == "classification":
        return X, np.where(X[:, 0] > 0, "yes", "no")
    return X, X[:, 0] + 0.1 * generator.normal(size=rows)


@EVERY_TASK
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::kernelwise.selections.AtLimitWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning:sklearn")
def test_every_method_learns_its_tasks(name, task):
    X, y = problem(task, rows=84 if name == "LIGHTGBM" else 40)  # its leaves have 20 or more
    estimator = METHODS[name].estimator(task, 3, seed=0)
    assert is_classifier(estimator) == (task == "classification")
    assert is_regressor(estimator) == (task == "regression")
    # As in a comparison, whose own folds judge: the fit has no copies of its own.
    estimator._is_judged_elsewhere = True
    found = estimator.fit(X, y).predict(X)
    if task == "classification":
        assert set(found) <= {"yes", "no"} and np.mean(found == y) > 0.8
    else:
        assert np.corrcoef(found, y)[0, 1] > 0.7


@EVERY_TASK
def test_seeds_reach_every_random_state(name, task):
    one, other = (METHODS[name].estimator(task, 3, seed) for seed in (7, 2**63 - 1))
    seeds = {
        parameter: value
        for parameter, value in one.get_params().items()
        if parameter.split("__")[-1] == "random_state"
    }
    assert set(seeds.values()) <= {7}, "another estimator of the method must not change this one"
    with_seed = not (name in ("LINEAR", "SVM-GRID", "CV") and task == "regression")
    assert bool(seeds) == with_seed or name in ("LINEAR", "SVM") or name.startswith("BEMKL")
    for parameter in seeds:
        assert 0 <= other.get_params()[parameter] < 2**32


@pytest.mark.parametrize("task", TASKS)
def test_definitions_differ_and_do_not_change(task):
    able = [name for name in METHODS if METHODS[name].learns(task)]
    definitions = {name: METHODS[name].definition(task, 3) for name in able}
    assert len(set(definitions.values())) == len(able)
    with sklearn.config_context(print_changed_only=False):
        again = {name: METHODS[name].definition(task, 3) for name in able}
    assert again == definitions
    assert all("\n" not in text and "0x" not in text for text in definitions.values())
    machine = "LSSVMClassifier" if task == "classification" else "LSSVMRegressor"
    assert definitions["RBF-LOO"].startswith(f"{machine}(")
    for stated in ("kernel='gaussian'", "selection='loo'", "random_state=0", "n_restarts=0"):
        assert stated in definitions["RBF-LOO"]
    assert "gamma': array([3.33333333e-04" in definitions["SVM-GRID"]
    assert METHODS["SVM-GRID"].definition(task, 2) != definitions["SVM-GRID"]


@EVERY_TASK
def test_a_method_is_ours_where_an_estimator_of_ours_takes_part(name, task):
    made = METHODS[name].estimator(task, 3, 0)
    modules = {type(part).__module__ for part in (made, *made.get_params().values())}
    parts = ("kernelwise.estimators.", "kernelwise.multikernel.", "kernelwise.auto.")
    assert METHODS[name].ours == any(module.startswith(parts) for module in modules)


def test_support_vectors_are_given_a_target_in_their_unit():
    """C and the tube of SVR are absolute: another unit of the target must not change the fit."""
    X, y = problem("regression")
    machine = METHODS["SVM-GRID"].estimator("regression", 3, 0).estimator
    mine, larger = (clone(machine).fit(X, scale * y).predict(X) for scale in (1, 2**20))
    assert np.array_equal(larger, 2**20 * mine)


def test_a_method_for_classes_refuses_quantities():
    assert METHODS["ARD-SPAN"].learns("classification")
    assert not METHODS["ARD-SPAN"].learns("regression")
    with pytest.raises(ValueError, match="ARD-SPAN learns classes, not quantities"):
        METHODS["ARD-SPAN"].estimator("regression", 3, 0)


def test_a_method_is_not_tried_on_too_many_rows():
    METHODS["GP-ARD"].check_rows(250)
    with pytest.raises(Skipped, match="GP-ARD is tried on up to 250 rows, not 251"):
        METHODS["GP-ARD"].check_rows(251)
    METHODS["RBF-LOO"].check_rows(10**9)


def test_methods_by_name():
    assert methods_named(["rbf-loo", "LINEAR", "RBF-LOO"]) == [
        METHODS["RBF-LOO"],
        METHODS["LINEAR"],
    ]
    with pytest.raises(ValueError, match="no method 'RBF-LO': did you mean RBF-LOO"):
        methods_named(["LINEAR", "RBF-LO"])
    with pytest.raises(ValueError, match="no method 'xyz': choose from AUTO, RBF-LOO, RBF-XVAL"):
        methods_named(["xyz"])
    assert all(method.name == name for name, method in METHODS.items())
    assert set(COMPETITORS) <= set(METHODS)
    assert all(method.summary for method in METHODS.values())


@EVERY
def test_estimators_can_be_sent_to_another_process(name):
    estimator = METHODS[name].estimator("classification", 3, seed=0)
    assert repr(pickle.loads(pickle.dumps(estimator))) == repr(estimator)


def test_a_misspelt_method_gets_a_hint():
    with pytest.raises(ValueError, match="did you mean MSCKTA"):
        methods_named(["mskta"])
