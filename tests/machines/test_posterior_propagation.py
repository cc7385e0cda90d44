"""Expectation propagation: against quadrature, differences of its value, and its invariances."""

import numpy as np
import pytest
from posterior_problems import LOSSES, every_loss, exact, few_rows, rows

from kernelwise.criteria import PosteriorEvidence
from kernelwise.linalg import NotPositiveDefiniteError
from kernelwise.machines import PosteriorSupportVector
from kernelwise.machines.posterior.propagation import NoFixedPointError
from kernelwise.machines.posterior.sites import MOMENTS
from kernelwise.solutions import PosteriorGradient, Targets

TIGHT = 1e-11


def solve(gram, targets, C=1.5, loss="hinge", tolerance=TIGHT):
    return PosteriorSupportVector(C, loss, tolerance).solve([gram], targets)


# Exact cases


@every_loss
def test_rows_that_know_nothing_of_each_other_are_exact(loss):
    """One row is one of them; the sum of log moments, and each row's own mean and variance."""
    prior, weights = np.array([0.4, 1.0, 2.5, 7.0]), np.array([1.0, 2.0, 0.3, 1.0])
    y, C = np.array([1.0, -1.0, 1.0, -1.0]), 1.3
    found = solve(np.diag(prior), Targets.plain(y, weights), C, loss)
    moments = MOMENTS[loss](np.zeros(4), prior, C * weights)
    assert found.evidence[0] == pytest.approx(moments.log_z.sum(), rel=1e-12)
    for i in range(4):
        alone = exact(prior[i : i + 1, None], y[i : i + 1], C, loss, weights[i : i + 1])
        one = solve(
            np.diag(prior[i : i + 1]), Targets.plain(y[i : i + 1], weights[i : i + 1]), C, loss
        )
        assert one.evidence[0] == pytest.approx(alone.evidence, abs=1e-6)
        for solution, row in ((found, i), (one, 0)):
            assert solution.outputs[row, 0] == pytest.approx(alone.means[0], abs=1e-6)
            assert solution.variances[row, 0] == pytest.approx(alone.variances[0], abs=1e-5)
    # Without its own label a row has only its prior.
    np.testing.assert_allclose(found.left_out_means, 0, atol=1e-12)
    np.testing.assert_allclose(found.left_out_variances[:, 0], prior, rtol=1e-12)


@every_loss
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("C", [1.0, 3.0])
def test_few_rows_are_nearly_exact(loss, n, C):
    """Means, variances and gradients within a few percent of their own size."""
    gram, y = few_rows(n)
    expected, found = exact(gram, y, C, loss), solve(gram, Targets.plain(y), C, loss)
    assert found.evidence[0] / n == pytest.approx(expected.evidence / n, abs=0.003)
    np.testing.assert_allclose(found.outputs[:, 0], expected.means, atol=0.02)
    np.testing.assert_allclose(found.variances[:, 0], expected.variances, atol=0.03)
    np.testing.assert_allclose(gram @ found.coef, found.outputs, atol=1e-12)
    (in_gram,), in_C = found.pullback(PosteriorGradient(np.ones(1)))
    np.testing.assert_allclose(in_gram, expected.gram_gradient, atol=0.02)
    np.testing.assert_allclose(in_C, expected.C_gradient, atol=0.01)


# The gradient


@every_loss
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_the_gradient_is_that_of_the_value(loss, weighted, n_outputs):
    gram, targets = rows(15, 1, n_outputs, weighted)
    shares, C, step = np.linspace(0.5, 1.5, n_outputs), 1.7, 1e-4
    direction = np.cov(np.random.default_rng(2).normal(size=(15, 20)))
    (in_gram,), in_C = solve(gram, targets, C, loss).pullback(PosteriorGradient(shares, C=0.25))

    def value(k, in_C=0.0):
        moved = gram + k * step * direction * (not in_C)
        return shares @ solve(moved, targets, C + k * in_C, loss).evidence

    np.testing.assert_allclose(in_gram, in_gram.T, rtol=1e-12)
    central = (value(1) - value(-1)) / (2 * step)
    assert (in_gram * direction).sum() == pytest.approx(central, rel=1e-6, abs=1e-6)
    central = (value(1, step) - value(-1, step)) / (2 * step)
    assert in_C[0] - 0.25 == pytest.approx(central, rel=1e-6, abs=1e-6)


@every_loss
@pytest.mark.parametrize("C", [0.4, 2.5])
def test_the_criterion_is_minus_the_log_evidence_per_row(loss, C):
    """With the normalization of the likelihood, whose largest sum of both labels is 1."""
    gram, targets = rows(10, 2, 2, weighted=True)
    solution = solve(gram, targets, C, loss)
    value, gradient = PosteriorEvidence()(solution)
    z = np.linspace(0, 1.5, 150001)
    missing = [np.maximum(1 - s * z, 0) for s in (1, -1)]
    total = sum(np.exp(-C * (m if loss == "hinge" else m**2 / 2)) for m in missing).max()
    n = targets.weights.sum()
    assert value == pytest.approx(-solution.evidence.sum() / n + 2 * np.log(total), abs=1e-9)
    up, down = (PosteriorEvidence()(solve(gram, targets, C + d, loss))[0] for d in (1e-4, -1e-4))
    assert solution.pullback(gradient)[1][0] == pytest.approx((up - down) / 2e-4, abs=1e-7)
    share = np.average(targets.values > 0, axis=0, weights=targets.weights)
    entropy = -(share * np.log(share) + (1 - share) * np.log(1 - share)).sum()
    assert PosteriorEvidence().null_value(solution) == pytest.approx(entropy) != 2 * np.log(2)
    nothing = solve(gram, targets, 1e-7, loss)
    assert PosteriorEvidence()(nothing)[0] == pytest.approx(2 * np.log(2), abs=1e-5)


# What must and what must not matter


@every_loss
def test_a_weight_is_a_larger_C_of_that_row(loss):
    """Checked by quadrature: a row of weight 2 is one site of twice the C."""
    gram, y = few_rows(3)
    heavy = Targets.plain(y, np.array([2.0, 1.0, 1.0]))
    found, expected = solve(gram, heavy, 1.0, loss), exact(gram, y, 1.0, loss, heavy.weights)
    assert found.evidence[0] / 3 == pytest.approx(expected.evidence / 3, abs=0.003)
    np.testing.assert_allclose(found.outputs[:, 0], expected.means, atol=0.02)
    same = solve(gram, Targets.plain(y, 3 * heavy.weights), 1 / 3, loss)
    assert same.evidence[0] == pytest.approx(found.evidence[0], rel=1e-12)
    np.testing.assert_allclose(same.outputs, found.outputs, rtol=1e-9)


@every_loss
def test_order_labels_and_outputs(loss):
    gram, targets = rows(20, 3, 2, weighted=True)
    found, order = solve(gram, targets, 2.0, loss), np.random.default_rng(0).permutation(20)
    moved = solve(gram[np.ix_(order, order)], targets.take(order), 2.0, loss)
    np.testing.assert_allclose(moved.evidence, found.evidence, rtol=1e-10)
    np.testing.assert_allclose(moved.outputs, found.outputs[order], atol=1e-8)
    np.testing.assert_allclose(moved.variances, found.variances[order], atol=1e-8)
    swapped = solve(gram, Targets.plain(-targets.values, targets.weights), 2.0, loss)
    np.testing.assert_allclose(swapped.evidence, found.evidence, rtol=1e-12)
    np.testing.assert_allclose(swapped.outputs, -found.outputs, atol=1e-10)
    np.testing.assert_allclose(swapped.variances, found.variances, atol=1e-10)
    for j in range(2):
        alone = solve(gram, Targets.plain(targets.values[:, j], targets.weights), 2.0, loss)
        np.testing.assert_allclose(alone.outputs[:, 0], found.outputs[:, j], rtol=1e-12)


@every_loss
def test_a_memory_only_saves_sweeps(loss):
    gram, targets = rows(30, 4, 2)
    plain = PosteriorSupportVector(2.0, loss)
    remembering = plain.fresh()
    first = remembering.solve([gram], targets)
    again = remembering.solve([gram], targets)
    assert again.n_factorizations == 2 < first.n_factorizations
    for step in (0.02, 0.5):
        warm = remembering.with_values(np.array([2 + step])).solve([gram * (1 + step)], targets)
        cold = plain.with_values(np.array([2 + step])).solve([gram * (1 + step)], targets)
        np.testing.assert_allclose(warm.evidence, cold.evidence, rtol=1e-8)
        assert warm.n_factorizations < cold.n_factorizations or step > 0.1
    assert plain.solve([gram], targets).n_factorizations == first.n_factorizations
    assert plain.solve([gram], targets).n_factorizations == first.n_factorizations
    assert remembering.fresh().solve([gram], targets).n_factorizations == first.n_factorizations
    far = remembering.with_values(np.array([50.0])).solve([1e3 * gram], targets)
    np.testing.assert_allclose(far.evidence, solve(1e3 * gram, targets, 50.0, loss).evidence, 1e-6)


# The fixed point


@every_loss
def test_moments_agree_at_the_fixed_point(loss):
    gram, targets = rows(25, 5, weighted=True)
    machine = PosteriorSupportVector(2.0, loss, 1e-9)
    record, (last,) = machine.solve_all(gram, targets)
    assert record.mismatch[0] < 1e-9
    m, v, y = record.left_out_means[:, 0], record.left_out_variances[:, 0], targets.values[:, 0]
    # A row's own factor, seen by its left-out moments, gives its posterior moments.
    moments = MOMENTS[loss](y * m, v, 2.0 * targets.weights)
    deviations = np.sqrt(record.variances[:, 0])
    np.testing.assert_array_less(
        abs(m + v * y * moments.slope - record.outputs[:, 0]), 2e-9 * deviations
    )
    np.testing.assert_allclose(v - v**2 * moments.curvature, record.variances[:, 0], rtol=2e-9)
    # And so does its site: precisions add, and shifts do.
    np.testing.assert_allclose(1 / v + last.precisions, 1 / record.variances[:, 0], rtol=1e-10)
    np.testing.assert_allclose(
        m / v + last.shifts, record.outputs[:, 0] / record.variances[:, 0], rtol=1e-9
    )
    dense = np.linalg.inv(np.linalg.inv(gram) + np.diag(last.precisions))
    np.testing.assert_allclose(np.diagonal(dense), record.variances[:, 0], rtol=1e-7)
    np.testing.assert_allclose(dense @ last.shifts, record.outputs[:, 0], rtol=1e-6, atol=1e-8)


@every_loss
def test_left_out_rows_are_nearly_those_of_a_refit(loss):
    gram, targets = rows(30, 6)
    found = solve(gram, targets, 1.0, loss)
    residuals = PosteriorSupportVector(1.0, loss, TIGHT).held_out([gram], targets, None).held_out
    np.testing.assert_allclose(residuals, targets.values - found.left_out_means, atol=1e-9)
    for i in range(0, 30, 5):
        kept = np.delete(np.arange(30), i)
        (without,) = solve(gram[np.ix_(kept, kept)], targets.take(kept), 1.0, loss).posteriors
        across = gram[[i]][:, kept]
        assert found.left_out_means[i, 0] == pytest.approx(without.mean(across)[0], abs=0.02)
        variance = without.variance(across, gram[[i], [i]])[0]
        assert found.left_out_variances[i, 0] == pytest.approx(variance, rel=0.1)
        assert found.left_out_variances[i, 0] > found.variances[i, 0]


@every_loss
def test_posteriors_at_known_and_new_rows(loss):
    gram, targets = rows(40, 7, 2, weighted=True)
    old, new = np.arange(30), np.arange(30, 40)
    record, sweeps = PosteriorSupportVector(2.0, loss, TIGHT).solve_all(
        gram[:30, :30], targets.take(old)
    )
    for j, (posterior, last) in enumerate(zip(record.posteriors, sweeps, strict=True)):
        for where in (old, new):
            across, own = gram[where][:, :30], np.diagonal(gram)[where]
            inverse = np.linalg.inv(gram[:30, :30] + np.diag(1 / last.precisions))
            means = across @ inverse @ (last.shifts / last.precisions)
            variances = own - np.einsum("ij,jk,ik->i", across, inverse, across)
            np.testing.assert_allclose(posterior.mean(across), means, atol=1e-7)
            np.testing.assert_allclose(posterior.variance(across, own), variances, atol=1e-7)
        at_old = posterior.mean(gram[:30, :30])
        np.testing.assert_allclose(at_old, record.outputs[:, j], atol=1e-9)
        at_old = posterior.variance(gram[:30, :30], np.diagonal(gram)[:30])
        np.testing.assert_allclose(at_old, record.variances[:, j], atol=1e-9)


# Edges


def assert_found_or_refused(gram, targets, C, loss):
    """Whether there is a fixed point; if so, its numbers make sense."""
    try:
        found = solve(gram, targets, C, loss, tolerance=1e-6)
    except NoFixedPointError as error:
        assert "no fixed point" in str(error)
        return False
    arrays = [
        found.coef,
        found.outputs,
        found.left_out_means,
        found.pullback(PosteriorGradient(np.ones(1)))[0][0],
    ]
    assert all(np.isfinite(array).all() for array in arrays)
    assert found.evidence[0] <= 0 and found.mismatch[0] <= 1e-2
    assert (found.variances > 0).all() and (
        found.variances <= np.diagonal(gram)[:, None] * (1 + 1e-9)
    ).all()
    assert (found.left_out_variances >= found.variances * (1 - 1e-9)).all()
    return True


@pytest.mark.parametrize("amplitude", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_almost_constant_kernels(amplitude, C):
    random = np.random.default_rng(8)
    X = random.normal(size=(120, 3))
    distances = ((X[:, None] - X) ** 2).sum(axis=2)
    y = np.where(X[:, 0] + random.normal(size=120) > 0, 1.0, -1.0)
    gram = amplitude * np.exp(-1e-6 * distances)
    assert assert_found_or_refused(gram, Targets.plain(y), C, "hinge")


@every_loss
def test_large_amplitudes(loss):
    gram, targets = rows(60, 9, amplitude=np.exp(8))
    assert assert_found_or_refused(gram, targets, 20.0, loss)


@every_loss
def test_weights_of_many_sizes_on_an_almost_constant_kernel(loss):
    """No fixed point is found at once: C is approached from below."""
    random = np.random.default_rng(0)
    X = 1e-3 * random.normal(size=(50, 2))
    y = np.where(np.arange(50) < 24, -1.0, 1.0)
    gram = 14.4 * np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    targets = Targets.plain(y, np.where(y < 0, 1e3, 1e-4))
    assert assert_found_or_refused(gram, targets, 7.0, loss)
    found = solve(gram, targets, 7.0, loss, 1e-6)
    assert found.mismatch[0] < 1e-6 and (found.outputs < 0).all()


@every_loss
def test_rows_that_contradict_each_other(loss):
    gram, targets = rows(6, 10)
    twice = np.tile(np.arange(6), 2)
    y = np.concatenate([targets.values, -targets.values])
    found = solve(gram[np.ix_(twice, twice)], Targets.plain(y), 2.0, loss)
    np.testing.assert_allclose(found.outputs, 0, atol=1e-9)
    assert (found.variances[:, 0] < np.tile(np.diagonal(gram), 2)).all()


@every_loss
def test_one_class_alone(loss):
    gram, _ = rows(12, 11)
    found = solve(gram, Targets.plain(np.ones(12)), 2.0, loss)
    assert (found.outputs > 0.5).all() and found.evidence[0] < 0


def test_a_row_without_variance_is_refused():
    gram = np.diag([1.0, 0.0, 1.0])
    with pytest.raises(NotPositiveDefiniteError, match="no prior variance"):
        solve(gram, Targets.plain(np.array([1.0, -1.0, 1.0])))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"C": 0.0}, "C must be"),
        ({"loss": "log"}, "loss must be"),
        ({"tolerance": 1.0}, "tolerance"),
    ],
)
def test_bad_machines_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        PosteriorSupportVector(**given)


def test_targets_that_are_no_labels_are_refused():
    with pytest.raises(ValueError, match="must be -1 or \\+1"):
        solve(np.eye(2), Targets.plain(np.array([1.0, 0.5])))


def test_every_loss_is_tested():
    assert set(LOSSES) == set(MOMENTS)
