"""Criterion surfaces against the objective at each point, and the model at its center."""

import numpy as np
import pandas as pd
import pytest

from kernelwise import LSSVMClassifier, LSSVMRegressor, SVMClassifier
from kernelwise.criteria import (
    BayesianLeaveOneOut,
    Evidence,
    HeldOutSquares,
    LeaveOneOut,
    RadiusMargin,
)
from kernelwise.insight import criterion_surface
from kernelwise.machines import LeastSquares
from kernelwise.objective import Objective

REACH = {"decades": (0.5, 1.0), "points": 5}


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.normal(size=50), "kind": list("abcab" * 10)})
    y = np.sin(2 * X["x"]) + (X["kind"] == "a") + 0.1 * random.normal(size=50)
    X.loc[::9, "x"] = np.nan
    return X, y.to_numpy(), random.integers(1, 4, 50).astype(float)


@pytest.mark.parametrize("criterion", [None, Evidence(), BayesianLeaveOneOut()], ids=str)
@pytest.mark.parametrize("kernel", ["gaussian", "ard-laplacian"])
def test_values_are_those_of_the_objective(kernel, criterion, frame):
    X, y, weights = frame
    model = LSSVMRegressor(kernel, "loo", honest=False).fit(X, y, weights)
    found = criterion_surface(model, X, y, weights, criterion=criterion, **REACH)
    assert found.values.shape == (5, 5) and found.chosen[0] == 0 == found.factors[2]
    assert found.factors[-1] == 0.5
    np.testing.assert_allclose(np.ptp(found.regularizations), 2)
    assert found.regularizations[2] == pytest.approx(np.log10(model.regularization_))
    reading = LSSVMRegressor(kernel)._read(X, y, weights)
    judge = (criterion or LeaveOneOut()).anchored(
        model.kernel_.values, np.array([model.regularization_])
    )
    for i, j in [(0, 0), (1, 4), (2, 2), (4, 1)]:
        kernel_there = model.kernel_.with_length_scale(
            model.kernel_.length_scale * 10 ** found.factors[i]
        )
        # The kernel's values pass through logarithms here, which a small regularization amplifies.
        machine = LeastSquares(10 ** found.regularizations[j])
        parts = reading.parts
        objective = Objective(kernel_there, machine, judge, parts.X, parts.targets)
        assert found.values[i, j] == pytest.approx(objective.value(objective.point), rel=1e-5)


@pytest.mark.parametrize(
    ("selection", "criterion", "name"),
    [("loo", None, "leave one out"), ("cv", HeldOutSquares(), "held out squares")],
)
def test_the_middle_is_the_criterion_of_the_model(selection, criterion, name, binary):
    model = LSSVMClassifier("gaussian", selection, honest=False).fit(binary.X, binary.y)
    found = criterion_surface(model, binary.X, binary.y, criterion=criterion, **REACH)
    assert found.values[2, 2] == pytest.approx(model.criterion_, rel=1e-6)
    assert found.values[2, 2] <= found.values.min() * (1 + 1e-6)
    assert found.criterion == name


def test_threads_change_nothing(binary):
    model = LSSVMClassifier("gaussian", "loo", honest=False, n_jobs=2).fit(binary.X, binary.y)
    two = criterion_surface(model, binary.X, binary.y, **REACH).values
    model.set_params(n_jobs=1)
    np.testing.assert_array_equal(criterion_surface(model, binary.X, binary.y, **REACH).values, two)


def test_what_has_no_surface_is_refused(binary):
    X, y = binary.X, binary.y
    model = LSSVMClassifier("gaussian", None, honest=False).fit(X, y)
    with pytest.raises(ValueError, match="not SVMClassifier"):
        criterion_surface(SVMClassifier(), X, y)
    with pytest.raises(ValueError, match="kernel with length scales"):
        criterion_surface(LSSVMClassifier("linear", None, honest=False).fit(X, y), X, y)
    with pytest.raises(ValueError, match="fitted on landmarks"):
        criterion_surface(LSSVMClassifier("gaussian", landmarks=20).fit(X, y), X, y)
    with pytest.raises(ValueError, match="two positive, finite numbers"):
        criterion_surface(model, X, y, decades=(1, 0))
    with pytest.raises(ValueError, match="points must be a whole number of 2 or more, got 1"):
        criterion_surface(model, X, y, points=1)
    with pytest.raises(ValueError, match="does not judge a LeastSquares machine"):
        criterion_surface(model, X, y, criterion=RadiusMargin())
