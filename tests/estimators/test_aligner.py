"""KernelAligner: the kernel it learns, the columns it gives, and what plugs into it."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from kernelwise import KernelAligner
from kernelwise.kernels import Gaussian, Kernel, Linear
from kernelwise.parameters import Parameter
from kernelwise.selections import NoAlignmentWarning


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def fitted(wine):
    return KernelAligner().fit(*wine)


def centered_alignment(gram, y):
    """By definition, for labels: each class at unit weight."""
    H = np.eye(len(y)) - 1 / len(y)
    codes = np.unique(y, return_inverse=True)[1]
    ideal = (codes[:, None] == codes) / np.bincount(codes)[codes]
    K, Y = H @ gram @ H, H @ ideal @ H
    return (K * Y).sum() / np.linalg.norm(K) / np.linalg.norm(Y)


class TestLearning:
    def test_the_alignment_is_that_of_the_kernel_on_the_given_rows(self, fitted, wine):
        X, y = wine
        expected = centered_alignment(fitted.kernel_(X), y)
        assert fitted.alignment_ == pytest.approx(expected, abs=1e-9)

    def test_more_widths_align_better_than_one(self, fitted, wine):
        assert fitted.alignment_ > KernelAligner("gaussian").fit(*wine).alignment_ + 0.05

    def test_relevances_are_shares_and_filtered_features_have_none(self, fitted):
        assert fitted.relevance_.sum() == pytest.approx(1)
        assert (fitted.relevance_ >= 0).all()
        off = np.setdiff1d(np.arange(13), fitted.selected_features_)
        assert len(off) and (fitted.relevance_[off] == 0).all()
        assert (fitted.kernel_.kernel.values[off] == 0).all()

    def test_regression(self):
        X, y = load_diabetes(return_X_y=True, as_frame=True)
        aligner = KernelAligner().fit(X, y)
        assert not hasattr(aligner, "classes_")
        assert "bmi" in X.columns[np.argsort(aligner.relevance_)[-2:]]
        H = np.eye(len(y)) - 1 / len(y)
        K, Y = H @ aligner.kernel_(X) @ H, H @ np.outer(y, y) @ H
        expected = (K * Y).sum() / np.linalg.norm(K) / np.linalg.norm(Y)
        assert aligner.alignment_ == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize(
        "form",
        [
            lambda y: pd.DataFrame({"y": y}),
            lambda y: y.astype(object),
            lambda y: (y == 1).astype(object),
            lambda y: np.array(["no", "yes", "perhaps"])[y],
            lambda y: y.astype(float),
        ],
    )
    def test_classes_in_every_form(self, form):
        random = np.random.default_rng(0)
        X = random.normal(size=(60, 2))
        y = np.digitize(X[:, 0], [-0.5, 0.5])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, of a column
            aligner = KernelAligner().fit(X, form(y))
        assert len(aligner.classes_) == len(np.unique(form(y)))

    def test_folds_of_one_table_agree_on_the_task(self):
        """Ten classes of five rows each, or of four."""
        random = np.random.default_rng(0)
        y = np.arange(50) % 10
        X = y[:, None] + 0.1 * random.normal(size=(50, 2))
        for rows in (slice(None), slice(40)):
            assert len(KernelAligner().fit(X[rows], y[rows]).classes_) == 10

    @pytest.mark.parametrize("unit", [1 / 160, 0.01, 99.5])
    def test_the_unit_of_weights_does_not_matter(self, unit):
        """Unless they are whole: then a row of weight 100 is a hundred rows."""
        random = np.random.default_rng(2)
        X = random.normal(size=(160, 3))
        y = X[:, 0] + 0.4 * random.normal(size=160) > 0
        noise = random.integers(2, size=160)
        weights = np.full(160, unit)
        with warnings.catch_warnings():
            warnings.simplefilter("error", NoAlignmentWarning)
            weighted = KernelAligner().fit(X, y, sample_weight=weights)
        assert weighted.alignment_ == pytest.approx(KernelAligner().fit(X, y).alignment_, rel=1e-9)
        for kernel in ("ard", "linear", ["gaussian", "linear"]):
            with pytest.warns(NoAlignmentWarning, match="160 rows"):
                KernelAligner(kernel).fit(X, noise, sample_weight=weights)

    def test_a_search_that_finds_only_chance_tries_again(self):
        """From widths of 1 the search ends in noise; the first column is plainly related."""
        random = np.random.default_rng(22)
        X = random.normal(size=(60, 5))
        y = X[:, 0] + random.normal(size=60) > 0
        aligner = KernelAligner().fit(X, y)
        assert aligner.alignment_ > 0.25 and aligner.relevance_.argmax() == 0

    def test_many_rare_classes(self):
        random = np.random.default_rng(0)
        X = random.normal(size=(160, 3))
        y = np.array(["low", "mid", "high"])[np.digitize(X[:, 0], [-0.5, 0.5])].astype(object)
        y[:14] = [f"rare{i}" for i in range(14)]
        assert KernelAligner().fit(X, y).relevance_[0] > 0.9

    def test_what_y_is_can_be_said(self):
        """Twenty different whole numbers look like a quantity; they may be classes."""
        random = np.random.default_rng(0)
        X = random.normal(size=(100, 2))
        y = np.floor(4 * (X[:, 0] - X[:, 0].min())).astype(int)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoAlignmentWarning)
            assert not hasattr(KernelAligner().fit(X, y), "classes_")
            told = KernelAligner(task="classification").fit(X, y)
        np.testing.assert_array_equal(told.classes_, np.unique(y))

    def test_several_quantities(self):
        X, y = load_diabetes(return_X_y=True)
        both = np.column_stack([y, 1000 * X[:, 2] + y])
        assert KernelAligner().fit(X, both).relevance_.argmax() == 2

    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("kernel", ["ard", ["gaussian", "linear"]], ids=["one", "several"])
    def test_equal_rows_that_disagree_count_as_they_are(self, n_classes, kernel):
        random = np.random.default_rng(0)
        X = random.integers(3, size=(150, 2)).astype(float)
        y = np.minimum(X[:, 0] + random.integers(2, size=150), n_classes - 1)
        aligner = KernelAligner(kernel).fit(X, y)
        expected = centered_alignment(aligner.kernel_(X), y)
        assert aligner.alignment_ == pytest.approx(expected, abs=1e-9)

    def test_categorical_columns_are_compared_by_equality(self):
        random = np.random.default_rng(0)
        color = random.choice(["red", "green", "blue"], size=120)
        X = pd.DataFrame({"noise": random.normal(size=120), "color": color})
        aligner = KernelAligner().fit(X, color == "green")
        assert aligner.relevance_.argmax() == 1
        gram = aligner.transform(X)
        np.testing.assert_allclose(gram, aligner.kernel_(X), atol=1e-15)
        machine = SVC(kernel="precomputed").fit(gram, color == "green")
        assert machine.score(gram, color == "green") == 1.0


class TestTransform:
    @pytest.mark.parametrize(
        ("kernel", "unit"),
        [
            ("ard", lambda A: rbf_kernel(A, gamma=0.5)),
            ("gaussian", lambda A: rbf_kernel(A, gamma=0.5)),
            ("ard-laplacian", lambda A: laplacian_kernel(A, gamma=1.0)),
            ("ard-linear", lambda A: A @ A.T),
        ],
    )
    def test_the_unit_kernel_of_its_columns_is_the_learnt_one(self, wine, kernel, unit):
        X, y = wine
        aligner = KernelAligner(kernel).fit(X, y)
        np.testing.assert_allclose(unit(aligner.transform(X)), aligner.kernel_(X), atol=1e-12)

    def test_polynomials_keep_their_offset(self, wine):
        X, y = wine
        aligner = KernelAligner("ard-polynomial").fit(X, y)
        offset = aligner.kernel_.kernel.offset
        found = polynomial_kernel(aligner.transform(X), degree=3, gamma=1.0, coef0=offset)
        np.testing.assert_allclose(found, aligner.kernel_(X), rtol=1e-10)

    def test_only_selected_columns_with_their_names(self, fitted, wine):
        X, _ = wine
        names = list(X.columns[fitted.selected_features_])
        assert fitted.get_feature_names_out().tolist() == names
        assert fitted.transform(X).shape == (178, len(names))
        frame = clone(fitted).set_output(transform="pandas").fit(*wine).transform(X)
        assert isinstance(frame, pd.DataFrame) and list(frame.columns) == names
        np.testing.assert_array_equal(frame.index, X.index)

    def test_a_filtered_column_does_not_matter(self, fitted, wine):
        X, _ = wine
        off = X.columns[np.setdiff1d(np.arange(13), fitted.selected_features_)]
        changed = X.assign(**dict.fromkeys(off, 1e9))
        np.testing.assert_array_equal(fitted.kernel_(changed), fitted.kernel_(X))
        np.testing.assert_array_equal(fitted.transform(changed), fitted.transform(X))

    def test_in_a_pipeline_it_is_the_machine_with_the_kernel(self, wine):
        X, y = wine
        piped = make_pipeline(KernelAligner(), SVC(gamma=0.5)).fit(X[::2], y[::2])
        plugged = SVC(kernel=KernelAligner().fit(X[::2], y[::2]).kernel_).fit(X[::2], y[::2])
        rest = X[1::2]
        np.testing.assert_allclose(
            piped.decision_function(rest), plugged.decision_function(rest), atol=1e-6
        )
        assert piped.score(rest, y[1::2]) > 0.95


class OwnKernel(Kernel):
    """What a user writes: ``exp(-rate |x_0 - z_0|)`` with its way back."""

    def __init__(self, rate=0.5):
        self.rate = rate

    parameters = property(lambda self: [Parameter("rate", self.rate, (1e-6, 1e6))])

    def with_values(self, values):
        return OwnKernel(float(values[0])).in_coordinates(self.coordinates)

    def evaluate(self, A, B=None, up_to_constant=False):
        distance = np.abs(A[:, [0]] - (A if B is None else B)[:, 0])
        gram = np.exp(-self.rate * distance)
        return gram, lambda M: -(M * gram * distance).sum(axis=1, keepdims=True)


class TestOtherKernels:
    def test_own_kernel_with_a_way_back(self):
        random = np.random.default_rng(0)
        X = random.uniform(-3, 3, size=(150, 2))
        y = np.sin(4 * X[:, 0]) > 0
        aligner = KernelAligner(OwnKernel(), searcher=None).fit(X, y)
        start = centered_alignment(OwnKernel()(X), y)
        assert aligner.alignment_ > start + 0.05
        assert aligner.relevance_.tolist() == [1.0, 0.0]
        gram = aligner.transform(X)
        np.testing.assert_array_equal(gram, aligner.kernel_(X, X))
        assert aligner.get_feature_names_out()[:2].tolist() == ["row0", "row1"]

    def test_rows_must_have_the_columns_of_fit(self, wine):
        X, y = wine
        kernel = KernelAligner().fit(X, y).kernel_
        with pytest.raises(ValueError, match="the same columns in the same order"):
            kernel(X[X.columns[::-1]])
        with pytest.raises(ValueError, match="learned on 13 columns"):
            kernel(X.to_numpy()[:, :4])

    def test_machines_that_ask_pair_by_pair(self):
        X, y = load_diabetes(return_X_y=True)
        kernel = KernelAligner().fit(X, y).kernel_
        assert kernel(X[0], X[1]) == pytest.approx(kernel(X)[0, 1], abs=1e-15)
        ridge = KernelRidge(kernel=kernel, alpha=0.1).fit(X[:40], y[:40])
        expected = np.linalg.solve(kernel(X[:40]) + 0.1 * np.eye(40), y[:40])
        np.testing.assert_allclose(ridge.dual_coef_, expected, rtol=1e-8)

    def test_weight_2_is_a_repeated_row_for_several_kernels(self, wine):
        X, y = wine[0].to_numpy()[:60], wine[1].to_numpy()[:60] % 2
        y[::3] = 1 - y[::3]
        weights = np.resize([0.0, 1.0, 2.0], 60)
        twice = np.repeat(np.arange(60), weights.astype(int))
        kernel = ["gaussian", "linear"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoAlignmentWarning)
            weighted = KernelAligner(kernel).fit(X, y, sample_weight=weights).transform(X)
            repeated = KernelAligner(kernel).fit(X[twice], y[twice]).transform(X)
        first = np.unique(twice, return_index=True)[1]
        np.testing.assert_allclose(weighted[:, weights > 0], repeated[:, first], atol=1e-10)

    def test_a_list_is_combined_and_better_than_each(self, wine):
        X, y = wine
        aligner = KernelAligner(["gaussian", "linear", "laplacian"]).fit(X, y)
        assert aligner.weights_.sum() == pytest.approx(1) and (aligner.weights_ >= 0).all()
        assert aligner.alignment_ >= aligner.alignments_.max()
        found = centered_alignment(aligner.kernel_(X), y)
        assert aligner.alignment_ == pytest.approx(found, abs=1e-9)

    def test_a_combination_is_centred_and_of_unit_size(self, wine):
        """Even if a kernel a thousand standard deviations wide, nearly constant, dominates."""
        X, y = StandardScaler().fit_transform(wine[0]), wine[1]
        aligner = KernelAligner([Gaussian(1e3), Gaussian(1.0)]).fit(X, y)
        gram = aligner.transform(X)
        assert aligner.weights_[0] > 0.99
        np.testing.assert_allclose(gram.mean(axis=0), 0, atol=1e-8)
        assert np.diagonal(gram).mean() == pytest.approx(1)
        H = np.eye(178) - 1 / 178
        centered = H @ aligner.kernel_(X) @ H
        np.testing.assert_allclose(gram, centered / np.diagonal(centered).mean(), atol=1e-7)
        machine = SVC(kernel="precomputed").fit(gram, y)
        assert machine.score(gram, y) > 0.97

    def test_a_list_in_a_pipeline_with_a_search_for_C(self, wine):
        """AMKL of the paper: the Gram matrix, then C by 5-fold."""
        kernels = [Gaussian(10.0**k) for k in range(-3, 4)]
        search = GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 1.0, 10.0]})
        pipeline = make_pipeline(StandardScaler(), KernelAligner(kernels), search)
        assert cross_val_score(pipeline, *wine).mean() > 0.95

    def test_another_fit_leaves_nothing_of_the_first(self, wine):
        X, y = wine
        aligner = KernelAligner(["gaussian", "linear"]).fit(X, y)
        aligner.set_params(kernel="gaussian").fit(X, X["proline"])
        assert not any(hasattr(aligner, name) for name in ("weights_", "alignments_", "classes_"))
        aligner.set_params(kernel="precomputed").fit([np.eye(178)], y)
        assert not any(hasattr(aligner, name) for name in ("kernel_", "trace_", "relevance_"))

    def test_stacked_gram_matrices(self, wine):
        X, y = wine
        Z = StandardScaler().fit_transform(X)
        kernels = [Gaussian(1.0), Gaussian(3.0), Linear()]
        train, test = Z[::2], Z[1::2]
        aligner = KernelAligner("precomputed").fit([k(train) for k in kernels], y[::2])
        by_kernels = KernelAligner(kernels).fit(train, y[::2])
        np.testing.assert_allclose(aligner.weights_, by_kernels.weights_, atol=1e-10)
        gram = aligner.transform([k(test, train) for k in kernels])
        np.testing.assert_allclose(gram, by_kernels.transform(test), rtol=1e-8)
        machine = SVC(kernel="precomputed", C=10)
        machine.fit(aligner.transform([k(train) for k in kernels]), y[::2])
        assert machine.score(gram, y[1::2]) > 0.95

    def test_other_machines_take_the_kernel(self):
        X, y = load_diabetes(return_X_y=True)
        kernel = KernelAligner().fit(X, y).kernel_
        assert SVR(kernel=kernel, C=1000).fit(X, y).score(X, y) > 0.4
        ridge = KernelRidge(kernel="precomputed", alpha=0.1).fit(kernel(X), y - y.mean())
        assert ridge.score(kernel(X), y - y.mean()) > 0.4


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_what_must_not_matter(seed):
    """Row order, label names, units and shifts of columns, a repeated row against weight 2."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(50, 3))
    y = np.where(X[:, 0] + 0.5 * random.normal(size=50) > 0, "a", "b")
    order = random.permutation(50)
    units, shifts = 10.0 ** random.uniform(-3, 3, 3), random.normal(size=3)
    again = np.append(np.arange(50), [3, 7])
    weights = np.ones(50)
    weights[[3, 7]] = 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoAlignmentWarning)
        one = KernelAligner().fit(X, y)
        alike = [
            KernelAligner().fit(X[order], y[order]),
            KernelAligner().fit(X, np.where(y == "a", "z", "c")),
            KernelAligner().fit(units * X + shifts, y),
        ]
        repeated = KernelAligner().fit(X[again], y[again])
        weighted = KernelAligner().fit(X, y, sample_weight=weights)
    for other in alike:
        assert other.alignment_ == pytest.approx(one.alignment_, rel=1e-6)
        np.testing.assert_allclose(other.relevance_, one.relevance_, atol=1e-5)
    assert repeated.alignment_ == pytest.approx(weighted.alignment_, rel=1e-10)
    np.testing.assert_allclose(repeated.relevance_, weighted.relevance_, atol=1e-10)
