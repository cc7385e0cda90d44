"""Evidence by sampled gradients: the check of propagation, the ascent, and null models."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from kernelwise import SVMClassifier
from kernelwise.criteria import PosteriorEvidence
from kernelwise.data import Catalogue
from kernelwise.machines import PosteriorSupportVector
from kernelwise.objective import Objective
from kernelwise.searchers import AdaptiveGradient, Evaluation
from kernelwise.selections import AtLimitWarning, NullModelWarning, SampledEvidence
from kernelwise.selections.sampled_gradients import SampledStep, SamplingWarning, warn_of_sampling
from kernelwise.solutions import Sampling, Targets

pytestmark = pytest.mark.filterwarnings("ignore::kernelwise.selections.AtLimitWarning")
FINE = Sampling(64, 60, 4, 0.8, 2000.0, 1.01, False, 400)


def fit(data, selection="evidence-hmc", n=40, **given):
    given = {"random_state": 0, "cv": 3, **given}
    return SVMClassifier("gaussian", selection, **given).fit(data.X[:n], data.y[:n])


@pytest.fixture(scope="module")
def noisy(draw_binary):
    """Classes that overlap, so that the evidence has a maximum inside its limits."""
    return draw_binary(0, noise=0.7)


# The check


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_a_sampled_gradient_checks_the_choice(noisy, loss):
    with warnings.catch_warnings():
        warnings.simplefilter("error", SamplingWarning)
        model = fit(noisy, loss=loss)
    plain = fit(noisy, "evidence-ep", loss=loss)
    assert model.criterion_ == plain.criterion_ and model.C_ == plain.C_
    for method in ("decision_function", "predict_proba"):
        one, other = (getattr(m, method)(noisy.X_test) for m in (model, plain))
        np.testing.assert_array_equal(one, other)
    (step,) = model.trace_.steps
    assert model.trace_.names[0] == "amplitude" and model.trace_.names[-1] == "C"
    assert step.point[-1] == pytest.approx(np.log(model.C_), abs=1e-12)
    shape = (len(model.trace_.names),)
    assert step.gradient.shape == step.standard_errors.shape == step.propagated.shape == shape
    assert (step.standard_errors > 0).any() and step.standard_errors.max() < 0.02
    apart = abs(step.gradient - step.propagated)
    assert (apart < np.maximum(5 * step.standard_errors, 0.01)).all()
    (report,) = step.reports
    assert (report.chains, report.trajectories) == (64, 60)
    assert report.acceptance > 0.4 and report.effective_sample > 100 and report.r_hat < 1.05
    assert np.isnan(step.validation_error) and not step.complaint


def test_the_propagated_gradient_is_that_of_the_criterion(noisy):
    """By differences of the criterion of expectation propagation, in each logarithm."""
    model = fit(noisy, SampledEvidence(limits={"amplitude": (0.5, 2.0)}))
    (step,) = model.trace_.steps
    rows, y = model.columns_.scaled(noisy.X[:40]), noisy.y[:40]
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    machine = PosteriorSupportVector(model.C_, "squared_hinge", 1e-10)
    objective = Objective(model.kernel_, machine, PosteriorEvidence(), rows, Targets.plain(signs))
    moves = 1e-4 * np.eye(len(step.point))
    expected = [
        (objective.value(step.point + move) - objective.value(step.point - move)) / 2e-4
        for move in moves
    ]
    np.testing.assert_allclose(step.propagated, expected, atol=1e-5)


def test_what_a_sample_is_blamed_for():
    step = SampledStep(
        point=np.zeros(2),
        gradient=np.array([0.1, 0.0]),
        standard_errors=np.array([0.001, 0.001]),
        propagated=np.array([0.1, 0.005]),
        reports=(FINE, FINE),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_sampling(step, ("amplitude", "C"))
    # Notable, and more than four errors: only then.
    apart = replace(step, gradient=np.array([0.1, 0.03]))
    assert apart.disagrees.tolist() == [False, True]
    with pytest.warns(SamplingWarning, match="differ by more than their errors in C"):
        warn_of_sampling(apart, ("amplitude", "C"))
    unsure = replace(apart, standard_errors=np.array([0.001, 0.01]))
    assert not unsure.disagrees.any()
    stuck = replace(apart, reports=(FINE, replace(FINE, acceptance=0.1)))
    with pytest.warns(SamplingWarning, match="10% of the trajectories"):
        warn_of_sampling(stuck, ("amplitude", "C"))


@pytest.mark.parametrize(
    ("given", "message"), [({"chains": 9}, "multiple of 8"), ({"trajectories": 1}, "trajectories")]
)
def test_bad_samples_are_refused_before_any_work(noisy, given, message):
    with pytest.raises(ValueError, match=message):
        fit(noisy, SampledEvidence(**given))


# The ascent


def ascended(data, seed=0, validation=False, y=None, **given):
    """An ascent with few samples, on explicit folds that do not depend on labels."""
    folds = StratifiedKFold(4).split(data.X[:40], data.y[:40])
    selection = SampledEvidence(chains=16, trajectories=30, validation=validation, **given)
    model = SVMClassifier(
        "gaussian", selection, searcher="ascent", cv=list(folds), random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamplingWarning)
        return model.fit(data.X[:40], data.y[:40] if y is None else y)


def test_an_ascent_ends_near_the_optimum_of_propagation(noisy):
    model, by_value = ascended(noisy), fit(noisy, "evidence-ep")
    assert model.criterion_ == pytest.approx(by_value.criterion_, abs=0.01)
    assert model.trace_.reason and len(model.trace_) <= 7 * 80
    assert np.isnan(model.trace_.values).all()
    assert len(model.trace_.steps) == len(model.trace_)
    points = [step.point for step in model.trace_.steps]
    np.testing.assert_array_equal(points, model.trace_.points)
    assert model.trace_.best_point[-1] == pytest.approx(np.log(model.C_), abs=1e-12)
    model.output_posterior(noisy.X_test)


def test_an_ascent_stays_within_limits(noisy):
    within = {"amplitude": (0.5, 2.0), "regularization": (0.2, 0.5)}
    model = ascended(noisy, limits=within)
    points = np.exp(model.trace_.points)
    names = model.trace_.names
    for name, (low, high) in zip(("amplitude", "C"), within.values(), strict=True):
        column = points[:, names.index(name)]
        assert column.min() >= low * (1 - 1e-12) and column.max() <= high * (1 + 1e-12)
    assert 0.2 * (1 - 1e-12) <= model.C_ <= 0.5 * (1 + 1e-12)


def test_the_same_seed_gives_the_same_bits(noisy):
    one, same, other = (ascended(noisy, seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.trace_.points, same.trace_.points)
    np.testing.assert_array_equal(
        one.decision_function(noisy.X_test), same.decision_function(noisy.X_test)
    )
    assert not np.array_equal(one.trace_.points[-1], other.trace_.points[-1])


def test_an_ascent_never_sees_its_validation_rows(noisy):
    """Other labels there change which point is kept, never those that are visited."""
    (_, held), *_ = StratifiedKFold(4).split(noisy.X[:40], noisy.y[:40])
    model = ascended(noisy, validation=True)
    corrupt = noisy.y[:40].copy()
    corrupt[held] = np.where(corrupt[held] == "yes", "no", "yes")
    other = ascended(noisy, validation=True, y=corrupt)
    np.testing.assert_array_equal(model.trace_.points, other.trace_.points)
    gradients = [[step.gradient for step in fit.trace_.steps] for fit in (model, other)]
    np.testing.assert_array_equal(*gradients)
    errors, mirrored = (
        np.array([step.validation_error for step in fit.trace_.steps]) for fit in (model, other)
    )
    np.testing.assert_allclose(errors + mirrored, 1, atol=1e-12)
    assert not np.array_equal(ascended(noisy).trace_.points[0], model.trace_.points[0])


def test_an_ascent_keeps_the_point_that_errs_least_on_its_validation_rows(noisy):
    model = ascended(noisy, validation=True)
    steps = model.trace_.steps
    best = min((step.validation_error, step.validation_loss) for step in steps)
    chosen = steps[[np.array_equal(s.point, model.trace_.best_point) for s in steps].index(True)]
    assert (chosen.validation_error, chosen.validation_loss) == best
    assert pytest.approx(np.exp(chosen.point[-1]), rel=1e-12) == model.C_
    assert all(0 <= step.validation_error <= 1 for step in steps)


def test_three_classes_are_validated_by_their_largest_output(three_classes):
    model = ascended(three_classes, validation=True)
    assert model.score(three_classes.X_test, three_classes.y_test) > 0.8
    assert min(step.validation_error for step in model.trace_.steps) < 0.4
    assert all(len(step.reports) == 3 for step in model.trace_.steps)


# The searcher


def quadratic(center, scales):
    return lambda x: Evaluation(gradient=scales * (x - center))


@pytest.mark.parametrize("scales", [(1.0, 1.0), (1.0, 0.05), (30.0, 1.0)])
def test_adaptive_rates_find_a_minimum_without_values(scales):
    center, scales = np.array([0.7, -1.2]), np.array(scales)
    limits = np.array([[-5.0, 5.0], [-5.0, 5.0]])
    searcher = AdaptiveGradient(max_iterations=300, share_of_peak=1e-3)
    trace = searcher(quadratic(center, scales), np.array([3.0, 3.0]), limits)
    assert trace.converged and "small share of its peak" in trace.reason
    left = abs(scales * (trace.best_point - center)).max()
    assert left <= 1e-3 * abs(scales * (np.array([3.0, 3.0]) - center)).max() * 1.001


def test_adaptive_rates_stop_at_limits_and_at_their_number():
    limits = np.array([[-1.0, 1.0], [-5.0, 5.0]])
    trace = AdaptiveGradient(share_of_peak=1e-3, max_iterations=300)(
        quadratic(np.array([3.0, 0.5]), np.ones(2)), np.zeros(2), limits
    )
    np.testing.assert_allclose(trace.best_point, [1.0, 0.5], atol=0.01)
    assert np.abs(np.array(trace.points)[:, 0]).max() <= 1.0
    few = AdaptiveGradient(max_iterations=2)(
        quadratic(np.array([3.0, 0.5]), np.ones(2)), np.full(2, -4.0), 5 * limits
    )
    assert not few.converged and "iteration limit" in few.reason


# Models that say nothing


def test_noise_is_named():
    """Labels that the columns say nothing of: the evidence of a null model, in words."""
    random = np.random.default_rng(6)
    X, y = random.normal(size=(60, 4)), random.permutation(np.repeat(["a", "b"], 30))
    for selection in ("evidence-ep", "evidence"):
        with pytest.warns(NullModelWarning, match="says no more than the shares of the classes"):
            model = SVMClassifier("gaussian", selection, random_state=0).fit(X, y)
        assert model.criterion_ > np.log(2) - 1e-3


def test_noise_about_a_rare_class_is_named():
    """The null model of unequal classes is that of their shares, far better than ln 2."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(100, 4)), np.arange(100) % 5 == 0
    with pytest.warns(NullModelWarning, match="says no more than the shares"):
        model = SVMClassifier("gaussian", "evidence-ep", random_state=0).fit(X, y)
    entropy = -0.2 * np.log(0.2) - 0.8 * np.log(0.8)
    assert entropy - 1e-3 < model.criterion_ < 0.6


@pytest.mark.parametrize("selection", ["evidence", "evidence-ep"])
def test_a_wide_gap_is_not_nothing(selection):
    """Least squares wants a kernel of a size that the limits of the amplitude do not allow."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    y = X[:, 0] > 0
    X[:, 0] += np.where(y, 2, -2)
    model = SVMClassifier("laplacian", selection, random_state=0).fit(X, y)
    assert model.score(X, y) == 1 and model.criterion_ < 0.4


def test_a_weak_model_is_searched_again():
    """The first search ends at 0.665, a little better than nothing; the second finds more."""
    random = np.random.default_rng(40)
    X = random.normal(size=(50, 3))
    y = X[:, 0] + 1.5 * random.normal(size=50) > 0
    model = SVMClassifier("laplacian", "evidence-ep", random_state=0).fit(X, y)
    assert model.criterion_ < 0.655


def test_an_ascent_that_ends_at_nothing_says_so(noisy):
    labels = np.random.default_rng(2).permutation(noisy.y[:40])
    with pytest.warns(NullModelWarning, match=r"C = \S+\)\. The columns"):
        model = ascended(noisy, y=labels)
    assert model.criterion_ > np.log(2) - 1e-3


def test_structure_is_not_called_nothing(noisy):
    with warnings.catch_warnings():
        warnings.simplefilter("error", NullModelWarning)
        model = fit(noisy, "evidence-ep", n=60)
    assert model.criterion_ < np.log(2) - 1e-3


def test_a_search_that_ends_at_nothing_starts_again(data_folder):
    """Sonar: from its first start the search ends at C = 0.01 and ln 2, with 43 % errors."""
    X, y = (getattr(Catalogue(data_folder).load("sonar"), name) for name in ("X", "y"))
    rows = np.random.default_rng(700).permutation(len(y))
    with warnings.catch_warnings():
        warnings.simplefilter("error", NullModelWarning)
        model = SVMClassifier("gaussian", "evidence", random_state=0).fit(
            X[rows[:120]], y[rows[:120]]
        )
    assert model.criterion_ < np.log(2) - 1e-3
    assert 1 - model.score(X[rows[120:]], y[rows[120:]]) < 0.25


def test_validation_is_of_an_ascent(noisy):
    with pytest.raises(ValueError, match="add searcher='ascent'"):
        fit(noisy, SampledEvidence(validation=True))


@pytest.mark.filterwarnings("default::kernelwise.selections.AtLimitWarning")
def test_an_ascent_that_ends_at_a_limit_says_so():
    """Separable classes: the evidence rises with the amplitude."""
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 2))
    y = X[:, 0] > 0
    X[:, 0] += np.where(y, 1, -1)
    selection = SampledEvidence(chains=16, trajectories=30, limits={"amplitude": (0.01, 0.5)})
    model = SVMClassifier("gaussian", selection, searcher="ascent", random_state=0)
    with pytest.warns(AtLimitWarning, match="amplitude: the evidence rises"):
        model.fit(X, y)
