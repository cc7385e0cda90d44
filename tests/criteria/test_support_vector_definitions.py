"""Criteria of support vector machines against their definitions, with plain loops."""

from fractions import Fraction

import numpy as np
import pytest
from support_vector_records import KINDS, STEPS, draw, slope, solved

from kernelwise.criteria.error_bounds import OpperWinther
from kernelwise.criteria.gacv import GACV
from kernelwise.criteria.laplace_evidence import DampedEvidence, LaplaceEvidence
from kernelwise.criteria.likelihood import log_normalizer
from kernelwise.criteria.radius_margin import RadiusMargin, enclosing_ball
from kernelwise.criteria.span import SmoothedSpan, Span, best_combinations, spans
from kernelwise.kernels import Gaussian
from kernelwise.machines.support_vector.machine import SupportVector
from kernelwise.solutions import Targets


def ridge(solution):
    """``1 / (C weight)`` for the squared hinge."""
    if solution.loss == "hinge":
        return np.zeros(len(solution.coef))
    return 1 / (solution.C * solution.targets.weights)


def evidence_by_definition(solution, smoothing):
    """Eq. (15)-(17) of the paper, by row and output; rows of unit weight."""
    K, C, n = solution.gram, solution.C, len(solution.coef)
    grid = np.linspace(0, 1, 100_001)
    total = 0.0
    for t in range(solution.coef.shape[1]):
        log_posterior, rows, curvatures = 0.0, [], []
        for i in range(n):
            alpha, margin = solution.alpha[i, t], (solution.targets.values * solution.outputs)[i, t]
            weights_part = solution.coef[i, t] * (K @ solution.coef)[i, t]
            loss = max(0.0, 1 - margin)
            if solution.loss == "hinge":
                log_posterior -= weights_part / 2 + C * loss
                if 0 < alpha < C:
                    rows.append(i)
                    curvatures.append(2 * np.pi * (alpha * (C - alpha) / C) ** 2)
            else:
                log_posterior -= weights_part / 2 + C * loss**2 / 2
                if alpha > 0:
                    rows.append(i)
                    curvatures.append(C * np.exp(-smoothing / (1 - margin)))
        if solution.loss == "hinge":
            kappa = 1 / (1 + np.exp(-2 * C))
        else:
            kappa = 1 / (np.exp(-C * (1 - grid) ** 2 / 2) + np.exp(-C * (1 + grid) ** 2 / 2)).max()
        determinant = np.linalg.det(np.eye(len(rows)) + np.diag(curvatures) @ K[np.ix_(rows, rows)])
        total += log_posterior / n + np.log(kappa) - np.log(determinant) / (2 * n)
    return -total


@pytest.mark.parametrize("C", [0.3, 2.0])
@pytest.mark.parametrize("smoothing", [0.1, 0.0])
@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_evidence_by_definition(loss, has_bias, smoothing, C):
    for seed in range(3):
        solution = solved(seed, loss, has_bias, C, n=15, n_outputs=2)
        value, _ = LaplaceEvidence(smoothing)(solution)
        assert value == pytest.approx(evidence_by_definition(solution, smoothing), rel=1e-8)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [1e-6, 0.5, 1.0, 1.001, 1.3, 3.0, 20.0])
def test_log_normalizer(C, loss):
    power = 1 if loss == "hinge" else 2
    grid = np.linspace(-1, 1, 200_001)
    sums = np.exp(-C * (1 - grid) ** power / power) + np.exp(-C * (1 + grid) ** power / power)
    value, derivative = log_normalizer(C, loss)
    assert value == pytest.approx(-np.log(sums.max()), abs=1e-9)
    expected = slope(lambda t: log_normalizer(C + t, loss)[0], 1e-4 * C)
    assert derivative == pytest.approx(expected, abs=1e-4 if C == 1 else 1e-7)


@pytest.mark.parametrize("distance", [1e-15, 1e-12, 1e-9, 1e-8, 1.1e-8, 1e-6, 1e-4])
def test_log_normalizer_just_above_one(distance):
    """``z^2 = 3 (C - 1)`` to first order, so ``ln kappa = C/2 - ln 2 - 3/4 (C - 1)^2``."""
    value, derivative = log_normalizer(1 + distance, "squared_hinge")
    distance = (1 + distance) - 1
    expected = (1 + distance) / 2 - np.log(2) - 0.75 * distance**2
    assert value == pytest.approx(expected, abs=1e-15 + 2 * distance**3)
    assert derivative == pytest.approx(0.5 - 1.5 * distance, abs=1e-15 + 4 * distance**2)


@pytest.mark.parametrize("C", [1e-300, 1e-4, 1e3, 1e8, 1e300])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_log_normalizer_at_extremes(C, loss):
    value, derivative = log_normalizer(C, loss)
    assert -np.log(2) - 1e-12 <= value <= 0 and 0 <= derivative <= 1


def damped_evidence_by_definition(solution, threshold):
    total, n = 0.0, len(solution.coef)
    for t in range(solution.coef.shape[1]):
        alpha = solution.alpha[:, t]
        v = [1 - min(0, a / alpha.mean() / threshold - 1) ** 2 for a in alpha]
        K = solution.gram + np.eye(n) / solution.C
        for i in range(n):
            for j in range(n):
                K[i, j] *= 1 if i == j else v[i] * v[j]
        total += np.log(np.linalg.det(K)) / n + np.log(alpha.mean())
    return total


def gacv_by_definition(solution):
    n = len(solution.coef)
    centring = np.eye(n) - 1 / n if solution.has_bias else np.eye(n)
    gram, total = centring @ solution.gram @ centring, 0.0
    for t in range(solution.coef.shape[1]):
        for i in range(n):
            margin = solution.targets.values[i, t] * solution.outputs[i, t]
            total += max(0.0, 1 - margin)
            if solution.alpha[i, t] > 0:
                total += solution.alpha[i, t] * gram[i, i] * (2 if margin < -1 else 1)
    return total / len(solution.coef)


def spans_by_definition(solution, t, damping):
    """The minimum over all combinations, from the inverse of a matrix per row."""
    K, squares = solution.gram + np.diag(ridge(solution)), {}
    alpha, limits = solution.alpha[:, t], solution.C * solution.targets.weights
    for i in np.flatnonzero(alpha):
        free = [j for j in np.flatnonzero(solution.marginal[:, t]) if j != i]
        A = np.zeros((len(free) + 1,) * 2)
        A[:-1, :-1] = K[np.ix_(free, free)]
        for k, j in enumerate(free):
            fading = 1 if solution.loss == "squared_hinge" else 1 - alpha[j] / limits[j]
            A[k, k] += damping / alpha[j] / fading
        right = np.append(K[free, i], 1.0)
        if solution.has_bias:
            A[-1, :-1] = A[:-1, -1] = 1
        else:
            A, right = A[:-1, :-1], right[:-1]
        squares[i] = K[i, i] - right @ np.linalg.solve(A, right)
    return squares


def smoothed_span_by_definition(solution, steepness, damping):
    total = 0.0
    for t in range(solution.coef.shape[1]):
        squares = spans_by_definition(solution, t, damping)
        for i in range(len(solution.coef)):
            lost = solution.alpha[i, t] * squares.get(i, 0.0)
            margin = solution.targets.values[i, t] * solution.outputs[i, t]
            x = lost - (margin if solution.hard[i, t] else 1)
            total += 1 / (1 + np.exp(-steepness * x))
    return total / len(solution.coef)


@pytest.mark.parametrize("C", [0.8, 3.0])
@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_values_by_definition(loss, has_bias, C):
    for seed in range(3):
        solution = solved(seed, loss, has_bias, C, n=15, n_outputs=2)
        assert solution.marginal.sum(axis=0).min() > 1
        pairs = [
            (DampedEvidence(0.4), damped_evidence_by_definition(solution, 0.4)),
            (GACV(), gacv_by_definition(solution)),
            (SmoothedSpan(), smoothed_span_by_definition(solution, 5, 1)),
            (SmoothedSpan(10, 0.1), smoothed_span_by_definition(solution, 10, 0.1)),
        ]
        for criterion, expected in pairs:
            assert criterion(solution)[0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
@pytest.mark.parametrize("damping", [0.0, 0.1, 1.0])
def test_spans_by_definition(damping, loss, has_bias):
    for seed in range(3):
        solution = solved(seed, loss, has_bias, n=15, weighted=True)
        found, expected = spans(solution, 0, damping), spans_by_definition(solution, 0, damping)
        assert list(found.rows) == list(expected)
        np.testing.assert_allclose(found.squares, list(expected.values()), rtol=1e-8)


def test_spans_between_their_limits():
    """No damping: the span rule; a strong one: each row alone (Jaakkola and Haussler)."""
    solution = solved(0, "squared_hinge", False, n=15)
    alone = np.diagonal(solution.gram) + ridge(solution)
    weak, strong, none = (spans(solution, 0, damping) for damping in (1e-9, 1e9, 0.0))
    np.testing.assert_allclose(strong.squares, alone[strong.rows], rtol=1e-7)
    np.testing.assert_allclose(weak.squares, none.squares, rtol=1e-6)


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_span_is_leave_one_out_where_no_row_moves(loss, has_bias):
    """Exact if the sets stay the same; ``-s`` prints for how many rows they do."""
    same = total = 0
    for seed in range(4):
        C = 0.8 if loss == "hinge" else 30.0
        solution = solved(seed, loss, has_bias, C, n=20, weighted=True)
        found = spans(solution, 0)
        machine = SupportVector(solution.C, loss, has_bias)
        for i, square in zip(found.rows, found.squares, strict=True):
            rest = np.setdiff1d(np.arange(20), i)
            without = machine.solve(
                [solution.gram[np.ix_(rest, rest)]], solution.targets.take(rest)
            )
            total += 1
            if not (
                (without.marginal == solution.marginal[rest]).all()
                and (without.hard == solution.hard[rest]).all()
            ):
                continue
            same += 1
            y = solution.targets.values[i, 0]
            left_out = y * (solution.gram[i, rest] @ without.coef[:, 0] + without.intercept[0])
            margin = y * solution.outputs[i, 0]
            taken = solution.alpha[i, 0] * (square - ridge(solution)[i])
            assert margin - taken == pytest.approx(left_out, abs=1e-8)
            counted = Span().errors(solution)[i, 0]
            assert counted == (left_out <= 0)
    print(f"{loss}, bias {has_bias}: {same} of {total} supporting rows leave the others in place")
    assert same > 0.2 * total


@pytest.mark.parametrize(("loss", "has_bias"), KINDS)
def test_counts_by_definition(loss, has_bias):
    for seed in range(3):
        solution = solved(seed, loss, has_bias, n=15, weighted=True)
        weights = solution.targets.weights
        expected = dict.fromkeys(STEPS, 0.0)
        rows = np.flatnonzero(solution.alpha[:, 0])
        inverse = np.linalg.inv((solution.gram + np.diag(ridge(solution)))[np.ix_(rows, rows)])
        squares = spans_by_definition(solution, 0, 0.0)
        for k, i in enumerate(rows):
            alpha, margin = solution.alpha[i, 0], (solution.targets.values * solution.outputs)[i, 0]
            expected["support fraction"] += weights[i]
            expected["jaakkola-haussler"] += weights[i] * (alpha * solution.gram[i, i] >= margin)
            expected["opper-winther"] += weights[i] * (alpha / inverse[k, k] >= 1)
            expected["span"] += weights[i] * (alpha * (squares[i] - ridge(solution)[i]) >= margin)
        for name, criterion in STEPS.items():
            value, gradient = criterion(solution)
            assert value == pytest.approx(expected[name] / weights.sum(), rel=1e-12), name
            assert gradient.gram is None and gradient.coef is None and gradient.C == 0
            assert criterion.gives == {"value"}


def test_opposite_labels_of_equal_rows_do_not_flip_gacv():
    """One of two equal rows is marginal, so the other's margin is -1, give or take rounding."""
    gram = np.ones((3, 3)) + np.diag([0, 0, 1.0])
    for scale in np.random.default_rng(0).uniform(0.5, 2, 50):
        targets = Targets.plain(np.array([1.0, -1, 1]), np.array([3.0, 1, 1]))
        solution = SupportVector(1 / scale, "hinge").solve([scale * gram], targets)
        margins = targets.values * solution.outputs
        assert solution.marginal[0, 0] and margins[1, 0] == pytest.approx(-1, abs=1e-12)
        expected = 2 / 5 + scale * np.diagonal(gram) @ solution.alpha[:, 0] / 5
        assert GACV()(solution)[0] == pytest.approx(expected, rel=1e-9)


def test_opper_winther_is_the_span_rule_of_the_squared_hinge():
    for seed in range(5):
        solution = solved(seed, "squared_hinge", False, C=3.0, n=20, n_outputs=2)
        assert OpperWinther()(solution)[0] == Span()(solution)[0]


@pytest.mark.parametrize("width", [0.05, 1.0, 10.0, 1e3])
@pytest.mark.parametrize("noise", [0.0, 1e-6, 0.5])
def test_enclosing_ball_is_optimal(noise, width):
    """Rows with a part in the center are on the ball, all others inside: only one ball is so."""
    for seed in range(5):
        X, targets = draw(seed, n=30, weighted=True)
        gram, noises = Gaussian(width)(X), noise / targets.weights
        beta = enclosing_ball(gram, noises)
        assert (beta >= 0).all() and beta.sum() == pytest.approx(1, abs=1e-14)
        slopes = np.diagonal(gram) - 2 * (gram @ beta + noises * beta)
        size = np.var(X, axis=0).sum() / width**2 if width > 1 else 1.0
        on, tolerance = beta > 0, 1e-9 * size + 30 * np.finfo(float).eps
        assert np.ptp(slopes[on]) < tolerance
        assert slopes.max() <= slopes[on].max() + tolerance


def test_enclosing_balls_that_are_known():
    points = np.array([[-1.0, 0], [3, 0], [0, 1.5], [2, -1]])
    beta = enclosing_ball(points @ points.T, np.zeros(4))
    np.testing.assert_allclose(beta @ points, [1, 0], atol=1e-9)
    np.testing.assert_allclose(enclosing_ball(np.eye(6), np.zeros(6)), 1 / 6)
    np.testing.assert_allclose(enclosing_ball(np.ones((1, 1)), np.zeros(1)), 1)
    twice = points[[0, 0, 1, 1, 2]]
    beta = enclosing_ball(twice @ twice.T, np.zeros(5))
    np.testing.assert_allclose(beta @ twice, [1, 0], atol=1e-9)
    assert enclosing_ball(np.ones((3, 3)), np.zeros(3)).sum() == 1


def test_radius_margin_by_definition():
    """Against the variance, and against the largest of many balls' lower limits."""
    solution = solved(1, "squared_hinge", True, n=15)
    K = solution.gram + np.eye(15) / solution.C
    alpha = solution.alpha.sum()
    variance = np.mean(np.diagonal(K)) - K.mean()
    assert RadiusMargin("variance")(solution)[0] == pytest.approx(variance * alpha / 15, rel=1e-12)
    ball = RadiusMargin()(solution)[0] * 15 / alpha
    betas = np.random.default_rng(0).dirichlet(np.ones(15), size=2000)
    lower = betas @ np.diagonal(K) - ((betas @ K) * betas).sum(axis=1)
    center = enclosing_ball(solution.gram, ridge(solution))
    upper = max(K[i, i] - 2 * K[i] @ center + center @ K @ center for i in range(15))
    assert lower.max() <= ball == pytest.approx(upper, rel=1e-9)


@pytest.mark.parametrize("has_bias", [False, True])
def test_gacv_counts_rows_far_on_the_wrong_side_twice(has_bias):
    found = [solved(seed, "hinge", has_bias, 0.8, n=15, n_outputs=2) for seed in range(10)]
    far = [one for one in found if (one.targets.values * one.outputs < -1).any()]
    assert len(far) > 1
    for solution in far:
        assert GACV()(solution)[0] == pytest.approx(gacv_by_definition(solution), rel=1e-8)


def exact_inverse(matrix):
    """Of a matrix of floats, by fractions."""
    n = len(matrix)
    rows = [
        [Fraction(x) for x in row] + [Fraction(int(i == j)) for j in range(n)]
        for i, row in enumerate(matrix.tolist())
    ]
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [x - rows[k][i] * z for x, z in zip(rows[k], rows[i], strict=True)]
    return [row[n:] for row in rows]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("has_bias", [False, True])
def test_spans_of_almost_equal_rows_keep_their_digits(has_bias, seed):
    """``1 / (A^-1)_ii``, with A bordered by ones for a bias; two rows have spans of about 1e-7."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(6, 3))
    X[1] = X[0] + 3e-4 * random.normal(size=3)
    gram = Gaussian(1.0)(X)
    bordered = np.ones((7, 7))
    bordered[:6, :6], bordered[6, 6] = gram, 0.0
    inverse = exact_inverse(bordered if has_bias else gram)
    expected = [float(1 / inverse[i][i]) for i in range(6)]
    squares, _ = best_combinations(gram, np.arange(6), np.empty(0, int), np.zeros(6), has_bias)
    np.testing.assert_allclose(squares, expected, rtol=5e-9)
