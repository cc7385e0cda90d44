"""Equal rows: when they are one part, when several; nothing is lost or depends on their order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelwise import LSSVMClassifier
from kernelwise.tables.folds import dealt, given_folds
from kernelwise.tables.rows import Observations, effective_rows, merge_equal_rows


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 2)), min_size=1, max_size=30),
    st.integers(2, 7),
    st.integers(0, 5),
)
def test_copies_are_dealt_evenly(groups, n_folds, seed):
    copies, labels = np.array(groups).T
    table = dealt(copies, labels, n_folds, seed)
    assert (table.sum(axis=1) == copies).all()
    for chosen in (labels == labels, *(labels == label for label in np.unique(labels))):
        assert np.ptp(table[chosen].sum(axis=0)) <= 1
    assert (np.ptp(table, axis=1) <= 1).all()


def draw(seed, rows=60, agree=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(rows, 2)).astype(float)
    y = X[:, :1] - X[:, 1:] if agree else rng.integers(0, 2, size=(rows, 1)).astype(float)
    return X, y, rng.integers(1, 4, size=rows).astype(float)


def merged(X, y, counts, weights=None, cv=5):
    labels = y[:, 0].astype(int) - int(y.min())
    weights = counts if weights is None else weights
    return merge_equal_rows(Observations(X, y, counts, weights, labels), cv, 0)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.booleans(), st.booleans())
def test_sums_of_squares_are_exact(seed, agree, fractions):
    X, y, counts = draw(seed, agree=agree)
    counts = counts * 0.7 if fractions else counts
    parts = merged(X, y, counts)
    outputs = np.sin(parts.X @ [[1.0], [2.0]])
    squares = counts @ (y - np.sin(X @ [[1.0], [2.0]])) ** 2
    targets = parts.targets
    found = targets.weights @ (targets.values - outputs) ** 2 + targets.within
    assert found == pytest.approx(squares)
    assert targets.weights.sum() == pytest.approx(counts.sum())
    assert parts.share.sum() == pytest.approx(counts.sum())
    assert (parts.X[parts.part] == X[parts.source]).all()
    assert sorted(np.concatenate(parts.folds)) == list(range(len(parts.X)))


def test_equal_rows_that_agree_are_one_part_and_those_that_do_not_are_several():
    X, y, counts = draw(0, agree=True)
    distinct = np.unique(X, axis=0)
    np.testing.assert_array_equal(merged(X, y, counts).X, distinct)
    y[0] += 1
    parts = merged(X, y, counts)
    assert len(distinct) < len(parts.X) <= 5 * len(distinct)
    for fold in parts.folds:  # a fold holds a row once
        assert len(np.unique(parts.X[fold], axis=0)) == len(fold)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.booleans())
def test_the_order_of_rows_and_how_copies_are_written_do_not_matter(seed, agree):
    X, y, counts = draw(seed, agree=agree)
    expected = merged(X, y, counts)
    order = np.random.default_rng(seed).permutation(len(X))
    written = np.repeat(order, counts[order].astype(int))
    for rows, weights in ((order, counts[order]), (written, np.ones(len(written)))):
        found = merged(X[rows], y[rows], weights)
        np.testing.assert_array_equal(found.X, expected.X)
        np.testing.assert_allclose(found.targets.values, expected.targets.values, rtol=1e-12)
        np.testing.assert_allclose(found.targets.weights, expected.targets.weights, rtol=1e-12)
        for one, other in zip(found.folds, expected.folds, strict=True):
            np.testing.assert_array_equal(one, other)


def test_as_many_folds_as_rows_but_no_more():
    """A row of weight 2 is two rows; the default of 5 folds is for tables of any size."""
    X, counts = np.arange(8.0)[:, None], np.ones(8)
    assert len(merged(X, X % 2, counts, cv=8).folds) == 8
    with pytest.raises(ValueError, match=r"cv=9 is more folds than there are rows \(8\)"):
        merged(X, X % 2, counts, cv=9)
    assert len(merged(X, X % 2, 2 * counts, cv=9).folds) == 8
    assert len(merged(X[:3], X[:3] % 2, counts[:3]).folds) == 3


def test_given_splits_are_kept_where_equal_rows_disagree():
    X, y, counts = draw(1)
    fold = np.arange(len(X)) % 3
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
    parts = merged(X, y, counts, cv=splits)
    for k, held_out in enumerate(parts.folds):
        inside = np.isin(parts.part, held_out)
        assert (fold[parts.source[inside]] == k).all()


@pytest.mark.parametrize("held_out", [[[0, 1], [0, 2, 3]], [[0, 1], [2]], [[0, 1, 2, 3]]])
def test_splits_that_do_not_hold_out_every_row_once_are_refused(held_out):
    splits = [(np.setdiff1d(np.arange(4), rows), np.array(rows)) for rows in held_out]
    with pytest.raises(ValueError, match="hold out every row exactly once, in at least 2 folds"):
        given_folds(splits, np.zeros(4))


def test_a_discrete_table_is_learnt_as_well_as_if_its_rows_were_told_apart():
    """Twelve distinct rows of which each class has a share: leaving out all copies of a row asks
    for more than new rows will, and chose a kernel that knows nothing.
    """
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, 200), rng.integers(0, 2, 200), rng.integers(0, 2, 200)])
    chance = np.array([0.9, 0.2, 0.7])[X[:, 0]] * np.where(X[:, 1] == X[:, 2], 1.0, 0.3)
    y = rng.random(200) < chance
    best = np.where(chance > 0.5, 1 - chance, chance).mean()
    for kernel in ("gaussian", "ard", "ard-laplacian"):
        model = LSSVMClassifier(kernel, random_state=0).fit(X.astype(float), y)
        found = model.predict(X.astype(float))
        assert np.where(found, 1 - chance, chance).mean() < best + 0.01


@pytest.mark.parametrize(
    ("weights", "rows"),
    [
        ([1, 1, 1], 3),
        ([2, 3], 5),  # whole weights are repeated rows
        ([0.5, 0.5], 2),  # equal fractions say as much as equal rows
        ([1.5, 0.5], 4 / 2.5),  # Kish: the square of the sum over the sum of squares
        ([0.3, 0.1, 1e-9], 0.16 / 0.1),
    ],
)
def test_how_many_rows_weights_are_worth(weights, rows):
    weights = np.array(weights, float)
    assert effective_rows(weights) == pytest.approx(rows)
    X = np.arange(len(weights), dtype=float)[:, None]
    parts = merged(X, X % 2, weights, weights=7 * weights, cv=2)
    assert parts.n_observations == pytest.approx(rows), "class weights are no observations"
