"""Gram matrices of a user's own: checked, shared, and split like any table."""

import copy

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score

from kernelwise import MKLClassifier
from kernelwise.kernels import Gaussian, OnColumns
from kernelwise.multikernel import KernelStack


def draw(n=60, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    return X, np.where(X[:, 0] + 0.5 * X[:, 1] > 0, "yes", "no")


def stack_of(X):
    return KernelStack([rbf_kernel(X[:, :2]), rbf_kernel(X[:, 2:])], names=["told", "noise"])


def test_a_kernel_between_case_numbers():
    X, _ = draw()
    stack, rows, others = stack_of(X), np.array([[3.0], [9.0]]), np.array([[1.0], [3.0], [0.0]])
    kernel = stack.kernels[0]
    expected = rbf_kernel(X[[3, 9], :2], X[[1, 3, 0], :2])
    np.testing.assert_allclose(kernel(rows, others), expected)
    np.testing.assert_allclose(kernel.diagonal(rows)[0], 1)
    assert len(stack) == 2 and stack.cases.shape == (60, 1)


def test_a_stack_cannot_change_and_is_never_copied():
    given = np.eye(4)
    stack = KernelStack([given])
    given[0, 0] = 7.0
    assert stack[0][0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        stack[0][0, 0] = 2.0
    assert copy.deepcopy(stack) is stack
    model = MKLClassifier(stack)
    assert clone(model).kernels is stack


def test_cross_validation_and_grid_search_split_the_cases():
    X, y = draw()
    stack = stack_of(X)
    scores = cross_val_score(MKLClassifier(stack), stack.cases, y, cv=3)
    assert scores.mean() > 0.8
    search = GridSearchCV(MKLClassifier(stack), {"price": [0.01, 1.0]}, cv=2).fit(stack.cases, y)
    assert search.best_estimator_.kernels is stack


def test_a_stack_and_kernels_of_the_columns_are_the_same():
    X, y = draw()
    stack = stack_of(X)
    of_cases = MKLClassifier(stack, price=0.1).fit(stack.cases[:40], y[:40])
    width = 1.0  # rbf_kernel: gamma = 1 / columns = 1 / (2 width^2)
    kernels = [OnColumns(Gaussian(width), [0, 1]), OnColumns(Gaussian(width), [2, 3])]
    of_rows = MKLClassifier(kernels, price=0.1).fit(X[:40], y[:40])
    np.testing.assert_allclose(of_cases.weights_, of_rows.weights_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        of_cases.decision_function(stack.cases[40:]), of_rows.decision_function(X[40:]), atol=1e-6
    )
    assert not hasattr(of_cases, "relevance_") and hasattr(of_rows, "relevance_")


def test_from_distances():
    X, _ = draw(n=12)
    distances = np.abs(X[:, None, 0] - X[:, 0])
    stack = KernelStack.from_distances([distances], training=np.arange(8))
    among = distances[:8, :8]
    mean = among[~np.eye(8, dtype=bool)].mean()
    np.testing.assert_allclose(stack[0], np.exp(-distances / mean))
    masked = KernelStack.from_distances([distances], training=np.arange(12) < 8)
    np.testing.assert_array_equal(masked[0], stack[0])
    with pytest.raises(ValueError, match="from 0 to 11"):
        KernelStack.from_distances([distances], training=[3, 12])
    with pytest.raises(ValueError, match="case numbers, or True and False"):
        KernelStack.from_distances([distances], training=[0.5, 1.0])


def test_a_dict_names_the_kernels():
    gram = np.eye(3)
    assert KernelStack({"shape": gram, "color": gram}).names == ["shape", "color"]
    distances = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    assert KernelStack.from_distances({"age": distances}).names == ["age"]
    with pytest.raises(ValueError, match="put a single one in a list"):
        KernelStack(gram)
    with pytest.raises(ValueError, match="real numbers"):
        KernelStack([gram * 1j])


def test_gram_matrices_may_lie_in_a_file(tmp_path):
    X, y = draw()
    stored = np.memmap(tmp_path / "grams", dtype=np.float64, mode="w+", shape=(2, 60, 60))
    stored[0], stored[1] = rbf_kernel(X[:, :2]), rbf_kernel(X[:, 2:])
    found = MKLClassifier(KernelStack(stored), price=0.1).fit(np.arange(60)[:, None], y)
    expected = MKLClassifier(stack_of(X), price=0.1).fit(np.arange(60)[:, None], y)
    np.testing.assert_array_equal(found.weights_, expected.weights_)


INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])  # eigenvalues 3 and -1


def test_clipping_removes_negative_eigenvalues():
    clipped = KernelStack([INDEFINITE], clip=True)[0]
    np.testing.assert_allclose(clipped, np.full((2, 2), 1.5))


@pytest.mark.parametrize(
    ("grams", "message"),
    [
        ([], "at least one matrix, got none"),
        ([np.eye(3), np.eye(4)], r"kernel 1 must be square with one row per case: .*\(4, 4\)"),
        ([np.ones((3, 2))], r"kernel 0 must be square .*\(3, 2\)"),
        ([np.eye(3), np.zeros((3, 3))], "kernel 1 is 0 for every case"),
        ([np.array([[1.0, 0.5], [0.0, 1.0]])], "kernel 0 is not symmetric"),
        ([np.array([[1.0, np.nan], [np.nan, 1.0]])], "missing or infinite"),
        ([INDEFINITE], "most negative eigenvalue is -1, its largest 3"),
    ],
)
def test_bad_gram_matrices(grams, message):
    with pytest.raises(ValueError, match=message):
        KernelStack(grams)


def test_other_bad_input():
    with pytest.raises(ValueError, match="1 Gram matrices, but 2 names"):
        KernelStack([np.eye(3)], names=["a", "b"])
    with pytest.raises(ValueError, match="negative somewhere"):
        KernelStack.from_distances([-np.eye(3)])
    with pytest.raises(ValueError, match="0 between all training cases"):
        KernelStack.from_distances([np.zeros((3, 3))])


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ([[0.0], [1.5]], "1.5 is no case of the stack"),
        ([[0.0], [60.0]], "60 is no case of the stack: they are numbered 0 to 59"),
        ([[0.0], [-1.0]], "-1 is no case"),
        (np.zeros((2, 3)), "X is a column of case numbers"),
    ],
)
def test_what_is_no_case(cases, message):
    X, y = draw()
    model = MKLClassifier(stack_of(X), price=1.0)
    with pytest.raises(ValueError, match=message):
        model.fit(cases, ["yes", "no"])
    model.fit(stack_of(X).cases, y)
    with pytest.raises(ValueError, match=r"is no case|column of case|features"):
        model.predict(cases)
