"""The relevance vector machine against dense brute force."""

import numpy as np
import pytest
from finite_differences import assert_derivatives
from relevance_vector_problems import (
    dense_columns,
    draw,
    laplace_evidence,
    normal_density,
    problem_of,
    small_problem,
)
from scipy.optimize import minimize_scalar

from kernelwise.kernels import Gaussian
from kernelwise.machines import RelevanceVector
from kernelwise.machines.relevance_vector import ascent
from kernelwise.machines.relevance_vector.ascent import ascend, climbed, gains_of
from kernelwise.machines.relevance_vector.logistic import FREE_BIAS_VARIANCE, Logistic
from kernelwise.machines.relevance_vector.normal import Normal
from kernelwise.machines.relevance_vector.polishing import log_variance_gradient, polished
from kernelwise.machines.relevance_vector.reestimation import reestimate
from kernelwise.machines.relevance_vector.spread_start import spread_start
from kernelwise.solutions import Targets

KINDS = [
    (likelihood, bias) for likelihood in ("normal", "logistic") for bias in ("free", "penalized")
]
ALL = 10**6


def some_model(problem, size=5, seed=3):
    """Some columns with prior variances that are not optimal; the bias among them."""
    random = np.random.default_rng(seed)
    n = problem.columns.bias
    which = np.append(random.choice(n, size, replace=False), n)
    variances = random.uniform(0.2, 3.0, size + 1)
    if problem.free_bias:
        variances[-1] = problem.likelihood.free_bias_variance
    return problem.model(which, variances)


def test_regression_evidence_is_a_normal_density():
    problem = small_problem("normal", "penalized")
    model = some_model(problem)
    columns = dense_columns(problem)[:, model.which]
    t = problem.likelihood.targets
    expected = normal_density(t, columns, model.variances, model.posterior.noise)
    assert model.evidence == pytest.approx(expected, abs=1e-9)
    for factor in (0.9, 1.1):  # the noise is the most probable one
        noise = factor * model.posterior.noise
        assert normal_density(t, columns, model.variances, noise) < expected


def test_a_free_bias_is_the_density_of_all_contrasts():
    """With a flat prior the mean of the targets says nothing; all else has a density."""
    problem = small_problem("normal", "free")
    model = some_model(problem)
    t, n = problem.likelihood.targets, problem.columns.bias
    contrasts = np.linalg.svd(np.ones((1, n)))[2][1:]
    columns = contrasts @ dense_columns(problem)[:, model.which[:-1]]
    noise = model.posterior.noise
    expected = normal_density(contrasts @ t, columns, model.variances[:-1], noise)
    assert model.evidence == pytest.approx(expected - 0.5 * np.log(n), abs=1e-9)


@pytest.mark.parametrize("bias", ["free", "penalized"])
def test_classification_evidence_is_laplaces(bias):
    problem = small_problem("logistic", bias)
    model = some_model(problem)
    assert problem.free_bias == (model.variances[-1] == FREE_BIAS_VARIANCE)
    columns = dense_columns(problem)[:, model.which]
    t = 2 * problem.likelihood.shares - 1
    expected = laplace_evidence(t, columns, model.variances)
    assert model.evidence == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("likelihood", "bias"), KINDS)
def test_gradient_in_the_prior_variances(likelihood, bias):
    problem = small_problem(likelihood, bias)
    model = some_model(problem)
    moving = ~problem.is_fixed(model.which)

    def evidence(logs):
        variances = model.variances.copy()
        variances[moving] = np.exp(logs)
        return problem.model(model.which, variances).evidence

    given = log_variance_gradient(problem, model)[moving]
    assert_derivatives(given, evidence, np.log(model.variances[moving]), rtol=1e-7)


@pytest.mark.parametrize(("likelihood", "bias"), KINDS)
def test_gradient_in_the_length_scales(likelihood, bias):
    """``dL/dPhi`` -> Gram gradient -> pullback, for fixed columns and prior variances."""
    X, y = draw(40, labels=likelihood == "logistic")
    weights = np.random.default_rng(1).uniform(0.5, 2.0, 40)
    kernel = Gaussian([1.2, 1.6, 2.4])

    def model_at(theta):
        gram = kernel.with_theta(theta)(X)
        problem = problem_of(gram, y, likelihood, bias, weights, within=1.5)
        return problem, some_model(problem)

    problem, model = model_at(kernel.theta)
    gradient = np.zeros((40, 40))
    in_columns = problem.likelihood.scaled_gradient(model.posterior) * model.deviations
    problem.columns.add_gram_gradient(gradient, model.which, in_columns)
    np.testing.assert_array_equal(gradient, gradient.T)
    given = kernel.gram_and_ways(X).pullback(gradient)
    assert_derivatives(given, lambda theta: model_at(theta)[1].evidence, kernel.theta, rtol=1e-7)


def test_the_best_prior_variance_and_its_gain():
    """Against a search in one prior variance by dense brute force, the noise following."""
    problem = small_problem("normal", "penalized", n=25)
    model = some_model(problem)
    pool = ascent.pool_around(problem, model, tolerance=0.0, most=ALL)
    best, gains = gains_of(
        problem.likelihood, np.diagonal(pool.R), pool.Q, pool.variances, pool.least, pool.noise
    )
    columns, t = dense_columns(problem), problem.likelihood.targets

    def evidence(which, variances):
        shape = np.eye(len(t)) + (columns[:, which] * variances) @ columns[:, which].T
        noise = t @ np.linalg.solve(shape, t) / len(t)
        return normal_density(t, columns[:, which], variances, noise)

    for i in range(len(pool.which)):

        def with_variance(log, i=i):
            variances = pool.variances.copy()
            variances[i] = np.exp(log)
            return evidence(pool.which, variances)

        found = minimize_scalar(
            lambda log, f=with_variance: -f(log),
            bounds=(-16, 12),
            method="bounded",
            options={"xatol": 1e-9},
        )
        if best[i] > 0:
            assert best[i] == pytest.approx(np.exp(found.x), rel=1e-3)
            assert gains[i] == pytest.approx(-found.fun - model.evidence, abs=1e-7)
        else:
            assert found.x < -14  # the evidence falls with the variance


def test_steps_in_the_pool_are_exact():
    """Rank-one updates against a pool computed anew."""
    problem = small_problem("normal", "penalized")
    model = some_model(problem)
    pool = ascent.pool_around(problem, model, tolerance=0.0, most=ALL)
    changed, moves = pool.changed(problem.likelihood, 5, np.zeros(len(pool.which), bool))
    assert len(moves) == 5
    after = changed.model(problem, model)
    anew = ascent.pool_around(problem, after, tolerance=-1.0, most=ALL)
    shared, left, right = np.intersect1d(changed.which, anew.which, return_indices=True)
    assert len(shared) > 5
    np.testing.assert_allclose(
        changed.R[np.ix_(left, left)], anew.R[np.ix_(right, right)], atol=1e-8
    )
    np.testing.assert_allclose(changed.Q[left], anew.Q[right], atol=1e-8)
    assert changed.noise == pytest.approx(after.posterior.noise, rel=1e-10)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("likelihood", "bias"), KINDS)
def test_the_evidence_never_falls(likelihood, bias, seed, monkeypatch):
    problem = small_problem(likelihood, bias, n=80, width=0.8, seed=seed)
    empty = problem.empty_model()
    for start in (empty, spread_start(problem, empty, ALL)[0]):
        found = []
        for rounds in range(12):
            monkeypatch.setattr(ascent, "MAX_ROUNDS", rounds)
            found.append(climbed(problem, start, 1e-3, ALL)[0].evidence)
        assert found == sorted(found) and len(set(found)) > 2
    model = ascend(problem, 1e-3, ALL)[0]
    assert polished(problem, model, 1e-3)[0].evidence >= model.evidence


def test_a_round_that_lowers_the_evidence_is_taken_back(monkeypatch):
    """With fixed precisions several changes may promise what the mode does not keep."""
    random = np.random.default_rng(1)
    X = random.normal(size=(90, 8))
    score = X[:, 0] + 0.5 * np.sin(2 * X[:, 1]) + 0.5 * random.normal(size=90)
    problem = problem_of(Gaussian(1.0)(X), np.where(score > 0, 1.0, -1.0), "logistic")
    improved, taken_back, evidences = ascent.improved, [], []

    def watched(problem, model, pool, limit):
        better, left, tried = improved(problem, model, pool, limit)
        taken_back.append(tried > 1 and left < limit)
        evidences.append(model.evidence)
        return better, left, tried

    monkeypatch.setattr(ascent, "improved", watched)
    evidences.append(ascend(problem, 1e-3, ALL)[0].evidence)
    assert sum(taken_back) >= 2
    assert evidences == sorted(evidences)


def test_no_change_of_one_column_is_worth_it():
    """At the end of a regression's ascent, by brute force over all columns."""
    problem = small_problem("normal", "penalized")
    model, _ = ascend(problem, 1e-6, ALL)
    columns, t = dense_columns(problem), problem.likelihood.targets
    variances = np.zeros(columns.shape[1])
    variances[model.which] = model.variances
    for i in range(columns.shape[1]):
        for value in (0.0, *variances[i] * np.array([0.5, 0.9, 1.1, 2.0]), 0.01, 0.1, 1.0, 10.0):
            tried = variances.copy()
            tried[i] = value
            shape = np.eye(len(t)) + (columns * tried) @ columns.T
            noise = t @ np.linalg.solve(shape, t) / len(t)
            assert normal_density(t, columns, tried, noise) <= model.evidence + 1e-5


@pytest.mark.parametrize(("likelihood", "bias"), KINDS)
def test_reestimation_ends_at_a_maximum(likelihood, bias):
    """Equations (4) and (5) of the paper hold where it stops: a maximum, if noise is normal."""
    problem = small_problem(likelihood, bias)
    model, _ = reestimate(problem, 1e-8, ALL)
    moving, noise = ~problem.is_fixed(model.which), model.posterior.noise
    gamma = 1 - np.diagonal(model.posterior.covariance)
    expected = (model.weights**2 / gamma / noise)[moving]
    np.testing.assert_allclose(model.variances[moving], expected, rtol=1e-3)
    np.testing.assert_allclose(model.effective[moving], gamma[moving], atol=1e-10)
    if likelihood == "normal":
        assert np.abs(log_variance_gradient(problem, model)[moving]).max() < 1e-3
    assert polished(problem, model, 1e-8)[0].evidence >= model.evidence
    assert model.evidence > problem.empty_model().evidence + 3


@pytest.mark.parametrize("likelihood", ["normal", "logistic"])
def test_columns_that_help_only_together_are_found(likelihood):
    """A parabola by a wide kernel: no column alone helps, their second differences do."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    y = X[:, 1] ** 2 - 1 + 0.3 * random.normal(size=200)
    y = np.where(y > 0, 1.0, -1.0) if likelihood == "logistic" else y
    problem = problem_of(Gaussian(8.0)(X), y, likelihood)
    alone, _ = climbed(problem, problem.empty_model(), 1e-3, ALL)
    both, _ = ascend(problem, 1e-3, ALL)
    together, _ = reestimate(problem, 1e-3, ALL)
    assert alone.evidence < together.evidence - 20
    assert both.evidence > together.evidence - 3


def test_golden_steps():
    """Worked by hand: a profiled step (n = 50) and one with fixed noise."""
    normal = Normal(np.linspace(-1, 1, 50), np.ones(50), 0.0, free_bias=False)
    best, _ = normal.best(np.array([4.0]), np.ones(1), np.zeros(1), 10 / 50)
    assert best[0] == pytest.approx(49 * 4 / 6) and (best[0] - 1) / 4 == pytest.approx(
        7.916667, abs=1e-6
    )
    logistic = Logistic(np.ones(2), np.ones(2), 0.0, free_bias=False)
    best, gain = logistic.best(np.array([9 / 2]), np.ones(1), np.zeros(1), 1.0)
    assert (best[0] - 1) / 2 == 1.75 and gain[0] == pytest.approx(0.997961, abs=1e-6)


@pytest.mark.parametrize(("likelihood", "bias"), KINDS)
def test_weight_two_is_a_repeated_row(likelihood, bias):
    X, y = draw(30, seed=4, labels=likelihood == "logistic")
    twice = np.repeat(np.arange(30), 1 + (np.arange(30) % 3 == 0))
    weights = 1.0 + (np.arange(30) % 3 == 0)
    kernel, machine = (
        Gaussian(1.5),
        RelevanceVector(likelihood, bias, tolerance=1e-10, max_vectors=20),
    )
    merged = machine.solve([kernel(X)], Targets.plain(y, weights))
    repeated = machine.solve([kernel(X[twice])], Targets.plain(y[twice]))
    np.testing.assert_allclose(repeated.evidence, merged.evidence, atol=1e-6)
    one, other = merged.expansion, repeated.expansion
    expected = kernel(X) @ one.coef + one.intercept
    outputs = kernel(X, X[twice]) @ other.coef + other.intercept
    np.testing.assert_allclose(outputs, expected, rtol=1e-5, atol=1e-5)


def test_hidden_squares_are_noise():
    """Two rows merged into their mean, with the squares it hides, are the two rows."""
    X, y = draw(30)
    y_twice = np.column_stack([y - 0.4, y + 0.4]).ravel()
    kernel, machine = Gaussian(1.5), RelevanceVector("normal", tolerance=1e-10, max_vectors=20)
    merged = machine.solve(
        [kernel(X)], Targets(y[:, None], np.full(30, 2.0), np.array([60 * 0.16]))
    )
    repeated = machine.solve([kernel(np.repeat(X, 2, axis=0))], Targets.plain(y_twice))
    np.testing.assert_allclose(repeated.evidence, merged.evidence, atol=1e-6)
    assert merged.machines[0].noise == pytest.approx(repeated.machines[0].noise, rel=1e-5)


def test_mean_labels_are_both_labels():
    X, y = draw(30, labels=True)
    kernel, machine = Gaussian(1.5), RelevanceVector("logistic", tolerance=1e-10, max_vectors=20)
    mixed = y.copy()
    mixed[:5] = 0.0
    merged = machine.solve([kernel(X)], Targets.plain(mixed, np.full(30, 2.0)))
    labels = np.repeat(y, 2)
    labels[:10] = np.tile([-1.0, 1.0], 5)
    repeated = machine.solve([kernel(np.repeat(X, 2, axis=0))], Targets.plain(labels))
    np.testing.assert_allclose(repeated.evidence, merged.evidence, atol=1e-6)


def test_outputs_are_invariant_to_the_order_of_rows_and_the_sign_of_labels():
    X, y = draw(40, labels=True)
    kernel, machine = Gaussian(1.5), RelevanceVector("logistic", "penalized", tolerance=1e-8)
    order = np.random.default_rng(5).permutation(40)
    plain = machine.solve([kernel(X)], Targets.plain(y))
    for rows, sign in ((order, 1.0), (np.arange(40), -1.0)):
        other = machine.solve([kernel(X[rows])], Targets.plain(sign * y[rows]))
        np.testing.assert_allclose(other.evidence, plain.evidence, atol=1e-6)
        outputs = kernel(X, X[rows]) @ other.expansion.coef + other.expansion.intercept
        expected = kernel(X) @ plain.expansion.coef + plain.expansion.intercept
        np.testing.assert_allclose(sign * outputs, expected, atol=1e-4)


@pytest.mark.parametrize("likelihood", ["normal", "logistic"])
def test_predictive_variance(likelihood):
    """Against the dense posterior covariance of all columns in the model."""
    X, y = draw(40, labels=likelihood == "logistic")
    kernel = Gaussian(1.5)
    machine = RelevanceVector(likelihood, "penalized")
    vectors = machine.solve([kernel(X)], Targets.plain(y)).machines[0]
    rows = np.random.default_rng(9).normal(size=(7, 3))
    centered = kernel(rows, X[vectors.rows]) - kernel(X)[:, vectors.rows].mean(axis=0)
    inside = kernel(X)[:, vectors.rows] - kernel(X)[:, vectors.rows].mean(axis=0)
    noise = vectors.noise if likelihood == "normal" else 1.0
    outputs = inside @ vectors.weights + vectors.bias
    p = 1 / (1 + np.exp(-outputs))
    b = np.ones(40) / noise if likelihood == "normal" else p * (1 - p)
    has_bias = vectors.covariance[-1, -1] > 0
    inside = np.column_stack([inside, np.ones(40)]) if has_bias else inside
    new = np.column_stack([centered, np.ones(7)]) if has_bias else centered
    variances = vectors.variances
    if has_bias:
        precision = np.linalg.inv(vectors.covariance) - inside.T @ (b[:, None] * inside)
        bias_variance = 1 / np.diagonal(precision)[-1:]
        variances = np.append(variances, bias_variance)
    covariance = np.linalg.inv(inside.T @ (b[:, None] * inside) + np.diag(1 / variances))
    expected = np.einsum("ij,jk,ik->i", new, covariance, new)
    gram = kernel(rows, X[vectors.rows])
    np.testing.assert_allclose(vectors.output_variances(gram), expected, rtol=1e-6)


def test_held_out_rows_are_refitted_with_their_hidden_squares():
    """Merged rows, held out by fold, against the repeated rows they stand for."""
    X, y = draw(30, seed=3)
    kernel, machine = Gaussian(1.5), RelevanceVector("normal", tolerance=1e-10, max_vectors=20)
    twice = np.repeat(np.arange(30), 2)
    folds = [np.arange(0, 30, 3), np.arange(1, 30, 3), np.arange(2, 30, 3)]
    within = np.array([60 * 0.16])
    merged = Targets(y[:, None], np.full(30, 2.0), within)
    found = machine.held_out([kernel(X)], merged, folds).held_out[:, 0]
    y_twice = y[twice] + np.tile([-0.4, 0.4], 30)
    repeated = machine.held_out(
        [kernel(X[twice])],
        Targets.plain(y_twice),
        [np.flatnonzero(np.isin(twice, S)) for S in folds],
    ).held_out[:, 0]
    # The search for each ends within its tolerance, wherever rounding has led it.
    np.testing.assert_allclose(found, repeated.reshape(30, 2).mean(axis=1), atol=3e-5)


def test_held_out_log_odds_are_moderated():
    X, y = draw(30, labels=True)
    kernel, machine = Gaussian(1.5), RelevanceVector("logistic")
    S, T = np.arange(10), np.arange(10, 30)
    vectors = machine.solve([kernel(X[T])], Targets.plain(y[T])).machines[0]
    across = kernel(X[S], X[T][vectors.rows])
    outputs, variances = vectors.outputs(across), vectors.output_variances(across)
    expected = outputs / np.sqrt(1 + np.pi / 8 * variances)
    found = machine.held_out([kernel(X)], Targets.plain(y), [S, T]).held_out[S, 0]
    np.testing.assert_allclose(y[S] - found, expected, rtol=1e-9)
    assert np.abs(outputs - expected).max() > 0.1


def test_the_gram_matrix_is_only_read():
    X, y = draw(60, labels=True)
    gram = Gaussian(1.0)(X)
    before = gram.copy()
    gram.setflags(write=False)
    RelevanceVector("logistic").solve([gram], Targets.plain(y))
    np.testing.assert_array_equal(gram, before)


def test_laplace_is_not_believed_where_it_is_false():
    """Each minority row its own kernel: Laplace's evidence rises to -1.2 for variances of 1e5.

    The integral itself, by sampling from the prior, is -9.2 there, and -17.0 where the ascent ends.
    """
    y = np.repeat([1.0, -1.0], [11, 40])
    problem = problem_of(np.eye(51), y, "logistic")
    far = problem.model(np.append(np.arange(11), 51), np.append(np.full(11, 5.5e5), 100.0))
    solution = RelevanceVector("logistic").solve([np.eye(51)], Targets.plain(y))
    assert far.evidence > -2
    vectors = solution.machines[0]
    assert vectors.evidence < -17 and vectors.variances.max() < 100
    columns = dense_columns(problem)[:, np.append(vectors.rows, 51)]
    deviations = np.sqrt(np.append(vectors.variances, FREE_BIAS_VARIANCE))
    weights = np.random.default_rng(0).normal(size=(200_000, len(deviations))) * deviations
    likelihoods = np.exp(-np.logaddexp(0, -y * (weights @ columns.T)).sum(axis=1))
    assert vectors.evidence < np.log(likelihoods.mean()) < vectors.evidence + 4
