"""Criteria of support vector machines: gradients, invariances, continuity, extremes."""

from itertools import pairwise

import numpy as np
import pytest
from support_vector_records import KINDS, SMOOTH, STEPS, draw, moved, record, slope

from kernelwise.criteria.error_bounds import SupportFraction
from kernelwise.criteria.first_level import FirstLevel
from kernelwise.criteria.gacv import GACV
from kernelwise.criteria.held_out_margins import HeldOutErrors, HeldOutHinge
from kernelwise.criteria.laplace_evidence import DampedEvidence, LaplaceEvidence
from kernelwise.criteria.likelihood import log_normalizer
from kernelwise.criteria.near_start import NearStart
from kernelwise.criteria.radius_margin import RadiusMargin
from kernelwise.criteria.span import SmoothedSpan, Span, spans
from kernelwise.kernels import Constant, Gaussian, Scaled
from kernelwise.machines import Folded
from kernelwise.machines.support_vector.machine import SupportVector
from kernelwise.objective import Objective
from kernelwise.solutions import HeldOutSolution, Targets


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("seed", range(3))
def test_explicit_gradients(seed, name, loss, has_bias):
    """In the Gram matrix, the coefficients, the intercepts and C, each with the others fixed."""
    start, criterion = record(seed, loss, has_bias), SMOOTH[name]
    value, gradient = criterion(start)
    assert np.isfinite(value)
    np.testing.assert_allclose(gradient.gram, gradient.gram.T, rtol=0, atol=1e-14)
    # A ball may touch other rows nearby: its radius has only a first derivative.
    step = 1e-6 if name == "radius-margin" else 5e-5

    def check(given, **directions):
        def along(t):
            parts = {field: getattr(start, field) + t * d for field, d in directions.items()}
            return criterion(moved(start, **parts))[0]

        assert given == pytest.approx(slope(along, step), rel=1e-7, abs=1e-8)

    random = np.random.default_rng(seed)
    for _ in range(4):
        direction = random.normal(size=start.gram.shape)
        direction += direction.T
        check((gradient.gram * direction).sum(), gram=direction)
        direction = np.where(start.coef != 0, random.normal(size=start.coef.shape), 0.0)
        check(
            (gradient.coef * direction * np.abs(start.coef)).sum(),
            coef=direction * np.abs(start.coef),
        )
    check(gradient.C, C=1.0)
    if has_bias:
        intercept = np.zeros(2) if gradient.intercept is None else gradient.intercept
        for direction in np.eye(2):
            check(intercept @ direction, intercept=direction)


COUNTED_BY_COPIES = {name: c for name, c in SMOOTH.items() if "span" not in name}
COUNTED_BY_COPIES["support fraction"] = SupportFraction()


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
@pytest.mark.parametrize("name", COUNTED_BY_COPIES)
def test_weight_two_is_a_repeated_row(name, loss, has_bias):
    X, targets = draw(3)
    weights = np.random.default_rng(3).integers(1, 4, 12)
    gram, rows = Gaussian(1.5)(X), np.repeat(np.arange(12), weights)
    machine, criterion = SupportVector(0.8, loss, has_bias), COUNTED_BY_COPIES[name]

    def value(gram, targets):
        solution = machine.solve([gram], targets)
        return criterion(solution)[0]

    weighted = value(gram, Targets.plain(targets.values, weights))
    repeated = value(gram[np.ix_(rows, rows)], Targets.plain(targets.values[rows]))
    assert weighted == pytest.approx(repeated, rel=1e-8)


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
@pytest.mark.parametrize("name", [*SMOOTH, *STEPS])
def test_labels_and_order(name, loss, has_bias):
    criterion, C = (SMOOTH | STEPS)[name], 0.8
    X, targets = draw(5, n=15, weighted=True)
    gram, machine = Gaussian(1.5)(X), SupportVector(C, loss, has_bias)

    def value(gram, y, weights):
        solution = machine.solve([gram], Targets.plain(y, weights))
        return criterion(solution)[0]

    y, weights = targets.values, targets.weights
    expected, order = value(gram, y, weights), np.random.default_rng(5).permutation(15)
    assert value(gram, -y, weights) == pytest.approx(expected, rel=1e-9)
    reordered = value(gram[np.ix_(order, order)], y[order], weights[order])
    assert reordered == pytest.approx(expected, rel=1e-9)
    both = value(gram, np.hstack([y, -y]), weights)
    assert both == pytest.approx(2 * expected, rel=1e-9)


def objective_of(criterion, loss, has_bias, seed=0, C=0.8, n=20, **shape):
    X, targets = draw(seed, n=n, weighted=True, **shape)
    kernel = Scaled(Gaussian(np.array([1.2, 1.5, 1.9])), 1.3) + Constant(0.2)
    machine = SupportVector(C, loss, has_bias)
    criterion = criterion.anchored(1.5 * kernel.values, 0.4 * machine.values)
    return Objective(kernel, machine, criterion, X, targets)


def check_gradient(objective, gradient):
    """Each entry against differences, with steps too small to move a row."""
    for given, direction in zip(gradient, np.eye(len(gradient)), strict=True):
        expected = slope(lambda t, d=direction: objective.value(objective.point + t * d), 1e-5)
        assert given == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
@pytest.mark.parametrize("name", SMOOTH)
def test_gradient_of_the_whole_chain(name, loss, has_bias):
    """Kernel, machine and criterion, in every parameter."""
    objective = objective_of(SMOOTH[name], loss, has_bias, n_outputs=2)
    gradient = objective(objective.point).gradient
    check_gradient(objective, gradient)


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
@pytest.mark.parametrize("name", STEPS)
def test_step_functions_have_no_slope(name, loss, has_bias):
    objective = objective_of(STEPS[name], loss, has_bias)
    found = objective(objective.point)
    assert 0 <= found.value <= 1 and found.gradient is None


def support_changes(loss, has_bias, count=3):
    """Values of C, a hair apart, between which a row begins or ceases to support."""
    X, targets = draw(2, n=20)
    gram = Gaussian(1.5)(X)

    def at(C):
        return SupportVector(C, loss, has_bias).solve([gram], targets)

    def sets(C):
        solution = at(C)
        return (solution.support + 2 * solution.hard).tobytes()

    limits, found = np.geomspace(0.1, 10, 60), []
    for low, high in pairwise(limits):
        start = sets(low)
        if len(found) == count or start == sets(high):
            continue
        while high - low > 1e-10 * low:
            middle = (low + high) / 2
            low, high = (middle, high) if sets(middle) == start else (low, middle)
        found.append((at(low), at(high)))
    assert len(found) == count
    return found


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_continuity_where_the_support_changes(loss, has_bias):
    names = ["evidence", "damped evidence", "smoothed span", "radius-margin"]
    for before, after in support_changes(loss, has_bias):
        for name in names:
            left, right = (SMOOTH[name](solution)[0] for solution in (before, after))
            assert left == pytest.approx(right, abs=1e-7), name


def test_the_evidence_jumps_where_it_is_not_smoothed():
    jumps = [
        abs(LaplaceEvidence(0.0)(after)[0] - LaplaceEvidence(0.0)(before)[0])
        for before, after in support_changes("squared_hinge", False)
    ]
    assert max(jumps) > 1e-3


@pytest.mark.parametrize("amplitude", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("C", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_extremes_are_finite(loss, has_bias, C, amplitude):
    """All rows hard, none marginal, or separable as if without slack."""
    X, targets = draw(4)
    gram = amplitude * Gaussian(1.5)(X)
    solution = SupportVector(C, loss, has_bias).solve([gram], targets)
    for criterion in (SMOOTH | STEPS).values():
        value, gradient = criterion(solution)
        (gram_gradient,), C_gradient = solution.pullback(gradient)
        assert np.isfinite(value), criterion
        assert np.isfinite(gram_gradient).all() and np.isfinite(C_gradient).all(), criterion


@pytest.mark.parametrize("y", [[1.0], [1.0, -1.0], [1.0, 1.0]], ids=str)
@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_few_rows(loss, has_bias, y):
    """One row, or two of two classes or of one (which a bias fits alone: no row supports)."""
    gram = np.array([[1.0, 0.3], [0.3, 1.0]])[: len(y), : len(y)]
    solution = SupportVector(0.7, loss, has_bias).solve([gram], Targets.plain(np.array(y)))
    for criterion in (SMOOTH | STEPS).values():
        value, gradient = criterion(solution)
        (gram_gradient,), C_gradient = solution.pullback(gradient)
        assert np.isfinite([value, *C_gradient, *gram_gradient.ravel()]).all(), criterion


def test_a_span_without_anything_to_take_its_place_is_infinite():
    """A bias and one free row: without it nothing fixes the bias, so it counts as wrong."""
    start = record(0, "hinge", True, n_outputs=1)
    marginal = np.flatnonzero(start.marginal[:, 0])
    coef = start.coef.copy()
    coef[marginal[1:]] = 0
    lonely = moved(start, coef=coef)
    found = spans(lonely, 0)
    assert np.isinf(found.squares[list(found.rows).index(marginal[0])])
    assert np.isfinite(found.squares).sum() == len(found.rows) - 1
    assert Span().errors(lonely)[marginal[0], 0]
    value, gradient = SmoothedSpan()(lonely)
    assert np.isfinite(value) and np.isfinite(gradient.gram).all()
    coef[marginal[0]] = 0
    assert np.isinf(spans(moved(start, coef=coef), 0).squares).all()


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_the_false_supremum(loss):
    """As the amplitude grows the smoothed evidence forgets the data; without smoothing it does not.

    Labels are noise, so an honest evidence is worse than guessing, ``ln 2`` per row.
    """
    random = np.random.default_rng(0)
    gram = Gaussian(0.7)(random.normal(size=(30, 3)))
    targets = Targets.plain(random.choice([-1.0, 1.0], 30))

    def evidence(amplitude, smoothing=0.1):
        machine = SupportVector(5.0, loss, False)
        return LaplaceEvidence(smoothing)(machine.solve([amplitude * gram], targets))[0]

    guessing, values = np.log(2), [evidence(amplitude) for amplitude in 10.0 ** np.arange(7)]
    limit = -log_normalizer(5.0, loss)[0]
    assert values[0] > guessing > values[-1]
    assert (np.diff(values[1:]) < 0).all() and values[-1] == pytest.approx(limit, abs=0.01)
    if loss == "squared_hinge":
        assert evidence(1e6, smoothing=0.0) > values[0]


def test_near_start():
    """Half the logarithm of each kernel value's ratio to its start, and that of C."""
    solution, values, C = record(0, "squared_hinge", False), np.array([0.4, 1.1]), np.array([1.7])
    plain, near = GACV(), NearStart(GACV(), strength=0.5)
    assert near(solution)[0] == plain(solution)[0]
    assert near.penalty(values, C)[0] == 0, "without a start nothing is added"
    anchored = near.anchored(np.array([0.1, 2.0]), np.array([3.0]))
    way = [0.5 * np.log(0.4 / 0.1), 0.5 * np.log(1.1 / 2.0), np.log(1.7 / 3.0)]
    penalty, in_values, in_machine = anchored.penalty(values, C)
    assert penalty == pytest.approx(0.5 * np.mean(np.square(way)), rel=1e-12)
    both, size = np.append(values, C), len(values)

    def at(t, direction):
        moved = both + t * direction
        return anchored.penalty(moved[:size], moved[size:])[0]

    for given, direction in zip([*in_values, *in_machine], np.eye(3), strict=True):
        assert given == pytest.approx(slope(lambda t, d=direction: at(t, d), 1e-4), rel=1e-8)


def test_near_start_is_added_to_the_penalty_of_its_criterion():
    values, ridge = np.array([0.4, 1.1]), np.array([0.3])
    inner = FirstLevel(0.7)
    near = NearStart(inner, 2.0, 2 * values, ridge)
    found, own = near.penalty(values, ridge), inner.penalty(values, ridge)
    assert found[0] == pytest.approx(own[0] + 2.0 * 2 * (0.5 * np.log(2)) ** 2 / 3)
    assert near.reads is inner.reads and near.gives == inner.gives
    np.testing.assert_allclose(found[1], own[1] - 2.0 * np.log(2) / 3 / values * 0.5)
    twice = NearStart(NearStart(GACV(), 1.0, values, 2 * ridge), 3.0, values, 2 * ridge)
    once = NearStart(GACV(), 4.0, values, 2 * ridge)
    for two, one in zip(twice.penalty(values, ridge), once.penalty(values, ridge), strict=True):
        np.testing.assert_allclose(two, one, rtol=1e-12)
    assert once.penalty(values, ridge)[2] != 0


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_folds_of_support_vector_machines(loss, has_bias):
    """Held-out hinge loss and errors against plain refits."""
    X, targets = draw(6, n=24, n_outputs=2, weighted=True)
    folds = [np.arange(24)[k::3] for k in range(3)]
    machine, gram = SupportVector(0.8, loss, has_bias), Gaussian(1.5)(X)
    solution = Folded(machine, folds).solve([gram], targets)
    hinge = errors = 0.0
    for S in folds:
        T = np.setdiff1d(np.arange(24), S)
        fit = machine.solve([gram[np.ix_(T, T)]], targets.take(T))
        margins = targets.values[S] * (gram[np.ix_(S, T)] @ fit.coef + fit.intercept)
        hinge += (targets.weights[S, None] * np.maximum(0, 1 - margins)).sum()
        errors += (targets.weights[S, None] * (margins <= 0)).sum()
    total = targets.weights.sum()
    assert HeldOutHinge()(solution)[0] == pytest.approx(hinge / total, rel=1e-9)
    assert HeldOutErrors()(solution)[0] == pytest.approx(errors / total, rel=1e-12)
    objective = Objective(
        Gaussian([1.2, 1.5, 1.9]), Folded(machine, folds), HeldOutHinge(), X, targets
    )
    gradient = objective(objective.point).gradient
    check_gradient(objective, gradient)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: LaplaceEvidence(-0.1), "smoothing must not be negative"),
        (lambda: DampedEvidence(0), "threshold must be positive"),
        (lambda: SmoothedSpan(slope=0), "slope and damping must be positive"),
        (lambda: SmoothedSpan(damping=0), "slope and damping must be positive"),
        (lambda: RadiusMargin("cube"), "radius must be one of"),
        (lambda: NearStart(GACV(), -1), "strength must not be negative"),
    ],
)
def test_bad_settings_are_refused(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


def test_a_mean_label_counts_both_labels():
    """Two rows of each label at one place are two errors of four, wherever the output lies."""
    for output, expected in ((0.4, 0.5), (-0.4, 0.5), (0.0, 1.0)):
        targets = Targets.plain(np.zeros(3), np.full(3, 4.0))
        held_out = HeldOutSolution(targets.values - output, targets, back=None)
        assert HeldOutErrors()(held_out)[0] == expected
    targets = Targets.plain(np.array([0.5, 1.0, -1.0]), np.array([4.0, 1.0, 1.0]))
    held_out = HeldOutSolution(targets.values - np.array([[2.0], [-0.1], [-3.0]]), targets, None)
    assert HeldOutErrors()(held_out)[0] == pytest.approx((1 + 1 + 0) / 6)
