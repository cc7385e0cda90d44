"""Weights of several machines: against brute force, and what must not change them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_softmax

from kernelwise.estimators.stacking import combination, least_squares_weights, logistic_stack


def stack_weights(held_out, targets, weights, loss="squared"):
    """Weights by the name of what they make least."""
    if loss == "squared":
        return least_squares_weights(targets - held_out, weights)
    return combination(held_out, targets, weights, classes=True).weights


def quantities(seed=0, machines=4, rows=40, outputs=2):
    """Machines whose errors are of different size, and alike; targets; unequal weights."""
    random = np.random.default_rng(seed)
    targets = random.normal(size=(rows, outputs))
    size = random.uniform(0.3, 1.5, size=(machines, 1, 1))
    errors = random.normal(size=(rows, outputs)) + 0.5 * random.normal(
        size=(machines, rows, outputs)
    )
    held_out = targets + size * errors
    return held_out, targets, random.uniform(0.2, 3.0, size=rows)


def labels(seed=0, machines=3, rows=60, classes=2):
    """Machines that see noisy labels: -1 and +1, one column, or one per class if there are more."""
    random = np.random.default_rng(seed)
    codes = random.integers(classes, size=rows)
    coded = np.where(np.eye(classes)[codes] > 0, 1.0, -1.0)
    targets = coded[:, 1:] if classes == 2 else coded
    noise = random.uniform(0.5, 3.0, size=(machines, 1, 1))
    held_out = 0.3 * targets + noise * random.normal(size=(machines, *targets.shape)) + 0.2
    return held_out, targets, random.uniform(0.2, 3.0, size=rows)


def best_on_simplex(loss, machines):
    found = minimize(
        loss,
        np.full(machines, 1 / machines),
        bounds=[(0, 1)] * machines,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        options={"ftol": 1e-14, "maxiter": 500},
        method="SLSQP",
    )
    return found.x


def two_class_loss(point, held_out, targets, weights):
    """Platt's loss, one row at a time."""
    positive = weights[targets[:, 0] > 0].sum()
    negative = weights[targets[:, 0] < 0].sum()
    total = 0.0
    for i, weight in enumerate(weights):
        odds = point[:-1] @ held_out[:, i, 0] + point[-1]
        wanted = (positive + 1) / (positive + 2) if targets[i, 0] > 0 else 1 / (negative + 2)
        total -= weight * (wanted * np.log(expit(odds)) + (1 - wanted) * np.log(expit(-odds)))
    return total


def many_class_loss(point, held_out, targets, weights):
    """The same for several classes; the first offset is 0."""
    machines, classes = len(held_out), targets.shape[1]
    offsets = np.append(0.0, point[machines:])
    codes = targets.argmax(axis=1)
    total = 0.0
    for i, weight in enumerate(weights):
        scores = log_softmax(point[:machines] @ held_out[:, i] + offsets)
        own = weights[codes == codes[i]].sum()
        wanted = np.full(classes, 1 / (own + classes))
        wanted[codes[i]] += own / (own + classes)
        total -= weight * wanted @ scores
    return total


def least(loss, arrays, free):
    machines = len(arrays[0])
    found = minimize(
        loss,
        np.append(np.full(machines, 0.3), np.zeros(free)),
        args=arrays,
        bounds=[(0, None)] * machines + [(None, None)] * free,
        options={"ftol": 1e-15, "gtol": 1e-9, "maxfun": 10**5},
        method="L-BFGS-B",
    )
    return found.x


@pytest.mark.parametrize("seed", range(6))
def test_squared_weights_have_the_least_weighted_squared_error(seed):
    held_out, targets, weights = quantities(seed)

    def error(w):
        return weights @ ((targets - np.tensordot(w, held_out, 1)) ** 2).sum(axis=1)

    brute = best_on_simplex(error, len(held_out))
    np.testing.assert_allclose(stack_weights(held_out, targets, weights), brute, atol=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_slopes_of_two_classes_have_the_least_loss(seed):
    arrays = labels(seed)
    brute = least(two_class_loss, arrays, 1)
    found = logistic_stack(*arrays)
    np.testing.assert_allclose(np.append(found.slopes, found.offsets), brute, atol=1e-4)
    weights = stack_weights(*arrays, loss="logistic")
    np.testing.assert_allclose(weights, brute[:-1] / brute[:-1].sum(), atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_slopes_of_many_classes_have_the_least_loss(seed):
    arrays = labels(seed, classes=3)
    brute = least(many_class_loss, arrays, 2)
    found = logistic_stack(*arrays)
    np.testing.assert_allclose(found.slopes, brute[:3], atol=1e-4)
    np.testing.assert_allclose(found.offsets, np.append(0.0, brute[3:]), atol=1e-4)


def test_some_of_these_slopes_are_zero():
    """The tests above would say little if no bound were ever reached."""
    slopes = [logistic_stack(*labels(seed)).slopes for seed in range(4)]
    weights = [stack_weights(*quantities(seed)) for seed in range(6)]
    assert any((found == 0).any() for found in slopes)
    assert any((found == 0).any() for found in weights)


@pytest.mark.parametrize(("loss", "tolerance"), [("squared", 1e-9), ("logistic", 1e-6)])
@given(seed=st.integers(0, 10**6), order=st.permutations(range(4)))
def test_order_of_machines_only_permutes_the_weights(loss, tolerance, seed, order):
    held_out, targets, weights = labels(seed, machines=4)
    plain = stack_weights(held_out, targets, weights, loss)
    permuted = stack_weights(held_out[list(order)], targets, weights, loss)
    np.testing.assert_allclose(permuted, plain[list(order)], atol=tolerance)
    assert (plain >= 0).all()
    assert plain.sum() == pytest.approx(1)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
@given(seed=st.integers(0, 10**6))
def test_equal_machines_share_their_weight(loss, seed):
    held_out, targets, weights = labels(seed)
    plain = stack_weights(held_out, targets, weights, loss)
    doubled = stack_weights(np.concatenate([held_out, held_out[:1]]), targets, weights, loss)
    np.testing.assert_allclose(doubled[[0, 3]], plain[0] / 2, atol=1e-5)
    np.testing.assert_allclose(doubled[1:3], plain[1:], atol=1e-5)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
@given(seed=st.integers(0, 10**6), row=st.integers(0, 59))
def test_a_row_of_weight_two_is_a_repeated_row(loss, seed, row):
    held_out, targets, _ = labels(seed, classes=3)
    once = np.ones(len(targets))
    twice = np.append(np.arange(len(targets)), row)
    repeated = stack_weights(held_out[:, twice], targets[twice], once[twice], loss)
    once[row] = 2
    np.testing.assert_allclose(stack_weights(held_out, targets, once, loss), repeated, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_equal_rows_of_different_labels_may_be_merged(classes):
    held_out, targets, weights = labels(classes=classes)
    held_out[:, 1] = held_out[:, 0]
    targets[1] = targets[np.flatnonzero((targets != targets[0]).any(axis=1))[0]]
    separate = stack_weights(held_out, targets, weights, "logistic")
    mean = np.average(targets[:2], axis=0, weights=weights[:2])
    merged = stack_weights(
        held_out[:, 1:],
        np.vstack([mean, targets[2:]]),
        np.append(weights[:2].sum(), weights[2:]),
        "logistic",
    )
    np.testing.assert_allclose(merged, separate, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_combined_outputs_are_calibrated_by_the_sum_of_the_slopes(classes):
    held_out, targets, weights = labels(2, classes=classes)
    stack = logistic_stack(held_out, targets, weights)
    share = stack.slopes / stack.slopes.sum()
    combined = logistic_stack(np.tensordot(share, held_out, 1)[None], targets, weights)
    np.testing.assert_allclose(combined.slopes, [stack.slopes.sum()], rtol=1e-5)
    np.testing.assert_allclose(combined.offsets, stack.offsets, atol=1e-5)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_units_of_a_hopeless_machine_do_not_matter(loss):
    """Outputs of 1e8 must not round away what distinguishes the good machines."""
    held_out, targets, weights = labels(1)
    noise = np.random.default_rng(0).normal(size=(1, *targets.shape)) - targets
    plain = stack_weights(held_out, targets, weights, loss)
    more = stack_weights(np.concatenate([held_out, 1e8 * noise]), targets, weights, loss)
    np.testing.assert_allclose(more, np.append(plain, 0.0), atol=1e-6)


def test_classes_told_apart_without_an_error_have_finite_slopes():
    targets = np.repeat([[-1.0], [1.0]], 10, axis=0)
    held_out = np.stack([targets, 0.5 * targets])
    found = logistic_stack(held_out, targets, np.ones(20))
    # Ten of eleven counts on each side: log odds of 11 to 1 at an output of 1.
    assert found.slopes @ [1.0, 0.5] == pytest.approx(np.log(11), rel=1e-6)
    assert found.offsets[0] == pytest.approx(0, abs=1e-9)


def test_a_rare_class_has_the_least_loss_too():
    """Whole Newton steps from the shares of the classes go too far here."""
    random = np.random.default_rng(0)
    targets = np.where(np.arange(100) < 3, 1.0, -1.0)[:, None]
    held_out = targets * np.array([1.0, 3.0])[:, None, None] + 0.3 * random.normal(size=(2, 100, 1))
    arrays = held_out, targets, np.ones(100)
    found = logistic_stack(*arrays)
    brute = least(two_class_loss, arrays, 1)
    np.testing.assert_allclose(np.append(found.slopes, found.offsets), brute, atol=1e-3)


def test_machines_that_speak_against_the_labels_are_weighted_by_squares():
    held_out, targets, weights = labels(3)
    against = -np.abs(held_out) * targets
    assert not logistic_stack(against, targets, weights).slopes.any()
    expected = stack_weights(against, targets, weights)
    np.testing.assert_array_equal(stack_weights(against, targets, weights, "logistic"), expected)


def test_machines_without_error_share_the_weight():
    _, targets, weights = quantities()
    perfect = np.stack([targets, targets])
    np.testing.assert_allclose(stack_weights(perfect, targets, weights), 0.5)
    with_another = np.concatenate([perfect, perfect[:1] + 1])
    np.testing.assert_allclose(
        stack_weights(with_another, targets, weights), [0.5, 0.5, 0], atol=1e-9
    )


def test_outputs_that_never_vary_are_no_trouble():
    _, targets, weights = labels()
    nothing = np.zeros((2, *targets.shape))
    np.testing.assert_allclose(stack_weights(nothing, targets, weights, "logistic"), 0.5)


def test_offsets_are_those_of_the_likelihood_in_units_of_the_outputs():
    held_out, targets, weights = labels(3)
    stack, found = logistic_stack(held_out, targets, weights), None
    found = combination(held_out, targets, weights, classes=True)
    np.testing.assert_allclose(found.offsets * stack.slopes.sum(), stack.offsets)
    np.testing.assert_allclose(found.weights * stack.slopes.sum(), stack.slopes)
    rare = combination(1e-9 * held_out, np.abs(targets), weights, classes=True)
    assert np.abs(rare.offsets).max() <= 2
    assert not combination(held_out, targets, weights, classes=False).offsets.any()
