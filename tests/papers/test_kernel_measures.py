"""Numbers about a fitted support vector classifier: against their formulas, and untimed."""

import time

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernelwise import BEMKLClassifier, KernelAligner, MKLClassifier, RVMClassifier, SVMClassifier
from kernelwise.evaluation import measure_fold
from kernelwise.kernels import Gaussian
from kernelwise.papers.kernel_measures import kernel_measures


@pytest.fixture(scope="module")
def rows():
    """Four columns: the first decides, the last is constant."""
    rng = np.random.default_rng(0)
    X = np.hstack([10 * rng.normal(size=(60, 3)), np.ones((60, 1))])
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, "sick", "healthy")
    return X[:45], y[:45], X[45:], y[45:]


def centred_alignment(gram, y):
    """By centering matrices, as the paper writes it."""
    signs = np.where(y == "sick", 1.0, -1.0)
    centring = np.eye(len(y)) - 1 / len(y)
    gram, ideal = (centring @ matrix @ centring for matrix in (gram, np.outer(signs, signs)))
    return np.sum(gram * ideal) / np.linalg.norm(gram) / np.linalg.norm(ideal)


class Chosen(TransformerMixin, BaseEstimator):
    """Keeps two columns, halves them, and knows the kernel of what it was given."""

    def fit(self, X, y=None):
        self.selected_features_ = np.array([0, 2])
        self.kernel_ = lambda A: rbf_kernel(self.transform(A), gamma=0.5)
        return self

    def transform(self, X):
        return X[:, [0, 2]] / 2


def test_a_grid_searched_svm(rows):
    X, y, X_test, y_test = rows
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SVC()), {"svc__gamma": [0.1, 0.7], "svc__C": [1, 10]}
    ).fit(X, y)
    found = kernel_measures(search, *rows)
    scaler, machine = search.best_estimator_
    for name, part, labels in (("training", X, y), ("test", X_test, y_test)):
        gram = rbf_kernel(scaler.transform(part), gamma=search.best_params_["svc__gamma"])
        assert found[f"{name}_alignment"] == pytest.approx(centred_alignment(gram, labels))
    assert found["support_vectors"] == machine.n_support_.sum()
    assert found["features"] == 100


def test_a_learnt_kernel_in_front_of_a_search(rows):
    X, y, X_test, y_test = rows
    search = GridSearchCV(SVC(gamma=0.5), {"C": [0.1, 1, 10]})
    model = make_pipeline(StandardScaler(), Chosen(), search).fit(X, y)
    found = kernel_measures(model, *rows)
    scaler = StandardScaler().fit(X)
    for name, part, labels in (("training", X, y), ("test", X_test, y_test)):
        gram = rbf_kernel(scaler.transform(part)[:, [0, 2]] / 2, gamma=0.5)
        assert found[f"{name}_alignment"] == pytest.approx(centred_alignment(gram, labels))
    assert found["support_vectors"] == len(
        search.fit(model[:-1].transform(X), y).best_estimator_.support_
    )
    assert found["features"] == pytest.approx(200 / 3), "of the three columns that vary"


@pytest.mark.parametrize("kernel", ["gaussian", "ard", [Gaussian(0.3), Gaussian(3.0)]])
def test_an_aligned_kernel_has_the_alignment_it_was_chosen_by(rows, kernel):
    machine = SVC(gamma=0.5) if isinstance(kernel, str) else SVC(kernel="precomputed")
    aligner = KernelAligner(kernel, task="classification")
    model = make_pipeline(StandardScaler(), aligner, GridSearchCV(machine, {"C": [1, 10]}))
    found = kernel_measures(model.fit(*rows[:2]), *rows)
    assert found["training_alignment"] == pytest.approx(aligner.alignment_, rel=1e-9)
    assert 0 < found["test_alignment"] < 1
    assert found["features"] == pytest.approx(100 * len({*aligner.selected_features_} - {3}) / 3)


def test_a_machine_that_chose_its_own_kernel(rows):
    """A named kernel acts on standardized columns, a kernel object on columns as they are."""
    X, y, X_test, y_test = rows
    for machine, scale in (
        (SVMClassifier("gaussian"), StandardScaler().fit(X).transform),
        (SVMClassifier(Gaussian(10.0), None), lambda part: part),
    ):
        found = kernel_measures(machine.fit(X, y), *rows)
        for name, part, labels in (("training", X, y), ("test", X_test, y_test)):
            gram = machine.kernel_(scale(part))
            assert found[f"{name}_alignment"] == pytest.approx(centred_alignment(gram, labels))
        assert found["support_vectors"] == len(machine.support_)
        assert found["features"] == 100


def test_relevance_vectors_are_counted_once(rows):
    """Repeated rows are one vector."""
    X, y, X_test, y_test = rows
    twice, labels = np.vstack([X, X]), np.concatenate([y, y])
    machine = RVMClassifier(Gaussian(10.0), None).fit(twice, labels)
    found = kernel_measures(machine, twice, labels, X_test, y_test)
    assert found["support_vectors"] == machine.n_relevance_vectors_ < len(machine.support_)


def test_a_vote_has_the_lowest_error_of_its_voters(rows):
    X, y, X_test, y_test = rows
    voters = [(f"{gamma:g}", SVC(gamma=gamma)) for gamma in (1e-6, 0.1, 100.0)]
    model = make_pipeline(StandardScaler(), VotingClassifier(voters)).fit(X, y)
    errors = [
        np.mean(make_pipeline(StandardScaler(), voter).fit(X, y).predict(X_test) != y_test)
        for _, voter in voters
    ]
    assert kernel_measures(model, *rows) == {"lowest_error": min(errors)}
    assert min(errors) < max(errors)


def test_what_cannot_be_said_is_left_out(rows):
    X, y, X_test, y_test = rows
    assert kernel_measures(LogisticRegression().fit(X, y), *rows) == {}
    three = np.resize(["a", "b", "c"], len(y))
    assert kernel_measures(SVC(gamma=1.0).fit(X, three), X, three, X_test, y_test) == {}
    given = SVC(kernel="precomputed").fit(X @ X.T, y)
    assert set(kernel_measures(given, X @ X.T, y, X_test @ X.T, y_test)) == {
        "support_vectors",
        "features",
    }
    scaled = SVC().fit(X, y)  # gamma="scale"
    assert set(kernel_measures(scaled, *rows)) == {"support_vectors", "features"}


def test_a_fold_keeps_them_and_does_not_count_their_time(rows, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time, "thread_time", lambda: now[0])

    def slow(*arguments):
        now[0] += 1000
        return kernel_measures(*arguments)

    plain = measure_fold(SVC(gamma=0.1), *rows)
    record = measure_fold(SVC(gamma=0.1), *rows, slow)
    assert plain.learnt.measures == {}
    assert record.learnt.measures == kernel_measures(SVC(gamma=0.1).fit(*rows[:2]), *rows)
    assert record.wall_seconds == record.cpu_seconds == 0


@pytest.mark.parametrize(
    "machine", [BEMKLClassifier(sparsity="sparse", max_sweeps=50, tolerance=0), MKLClassifier()]
)
def test_a_machine_on_many_kernels_says_how_many_it_uses(rows, machine):
    record = measure_fold(machine, *rows, kernel_measures)
    assert record.learnt.measures == {"selected_kernels": len(machine.selected_kernels_)}
    assert 0 < len(machine.selected_kernels_) < len(machine.kernels_)
    assert list(record.learnt.values) == [], "hundreds of them are not kept"
