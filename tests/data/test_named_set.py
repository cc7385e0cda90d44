"""Splits of a set: random ones and folds, disjoint, covering, stratified, always the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelwise.data import Catalogue, NamedSet


@pytest.fixture
def no_folder(monkeypatch):
    monkeypatch.delenv("KERNELWISE_DATA", raising=False)
    return Catalogue()


def assert_same_split(split, other):
    for part, expected in zip(split, other, strict=True):
        np.testing.assert_array_equal(part, expected)


def numbered_set(labels, task="classification"):
    """Row i holds the number i, so that the rows of a split can be identified."""
    y = np.array(labels)
    return NamedSet("numbered", np.arange(len(y), dtype=float)[:, None], y, ("row",), task, "here")


@pytest.mark.parametrize("kind", ["random", "thirds"])
@given(counts=st.lists(st.integers(6, 30), min_size=2, max_size=4), number=st.integers(0, 999))
def test_random_splits_are_disjoint_covering_and_stratified(kind, counts, number):
    named = numbered_set(np.repeat(np.arange(len(counts)), counts))
    X_train, y_train, X_test, y_test = named.split(kind, number)
    rows = sum(counts)
    assert sorted([*X_train[:, 0], *X_test[:, 0]]) == list(range(rows))
    assert len(y_test) == (np.ceil(0.3 * rows) if kind == "random" else rows - (33 * rows // 100))
    np.testing.assert_array_equal(named.y[X_train[:, 0].astype(int)], y_train)
    for label, count in enumerate(counts):
        assert abs((y_test == label).sum() - len(y_test) * count / sum(counts)) < 1
    assert_same_split(named.split(kind, number), (X_train, y_train, X_test, y_test))


@given(counts=st.lists(st.integers(10, 40), min_size=2, max_size=4), data=st.data())
def test_folds_test_every_row_once_and_are_stratified(counts, data):
    labels = data.draw(st.permutations(np.repeat(np.arange(len(counts)), counts).tolist()))
    named = numbered_set(labels)
    assert named.splits["folds"] == 10
    tested = []
    for number in range(10):
        X_train, y_train, X_test, y_test = named.split("folds", number)
        assert sorted([*X_train[:, 0], *X_test[:, 0]]) == list(range(sum(counts)))
        np.testing.assert_array_equal(named.y[X_test[:, 0].astype(int)], y_test)
        np.testing.assert_array_equal(named.y[X_train[:, 0].astype(int)], y_train)
        for label, count in enumerate(counts):
            assert count // 10 <= (y_test == label).sum() <= -(-count // 10)
        tested += X_test[:, 0].tolist()
    assert sorted(tested) == list(range(sum(counts)))
    again = numbered_set(labels)
    assert_same_split(named.split("folds", 3), again.split("folds", 3))


def test_folds_are_shuffled():
    named = numbered_set(np.repeat([0, 1], 50))
    rows = named.split("folds", 0)[2][:, 0]
    assert np.diff(rows[rows < 50]).max() > 1


def test_there_are_no_folds_of_quantities_of_small_classes_or_of_a_generator(no_folder):
    for named in (
        numbered_set(np.linspace(0, 1, 41), "regression"),
        numbered_set(np.repeat([0, 1], [9, 50])),
        no_folder.load("twonorm"),
    ):
        assert "folds" not in named.splits
        with pytest.raises(ValueError, match="has no splits 'folds'; it has random 0 to 999"):
            named.split("folds", 0)
    with pytest.raises(ValueError, match="has no folds split 10; it has"):
        no_folder.load("wine").split("folds", 10)


def test_there_are_no_thirds_of_quantities_or_of_a_generator(no_folder):
    for named in (numbered_set(np.linspace(0, 1, 41), "regression"), no_folder.load("twonorm")):
        assert "thirds" not in named.splits


def test_random_splits_of_quantities_are_disjoint_and_covering():
    named = numbered_set(np.linspace(0, 1, 41), "regression")
    X_train, _, X_test, _ = named.split("random", 7)
    assert sorted([*X_train[:, 0], *X_test[:, 0]]) == list(range(41))
    assert len(X_test) == 13


def test_different_numbers_give_different_random_splits(no_folder):
    wine = no_folder.load("wine")
    assert not np.array_equal(wine.split("random", 0)[1], wine.split("random", 1)[1])


def test_a_class_of_one_row_cannot_be_split():
    with pytest.raises(ValueError, match=r"'numbered' has no random splits: .* only 1 member"):
        numbered_set([0] * 9 + [1]).split("random", 0)
