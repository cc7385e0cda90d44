"""Sums of each fold over several blocks: those of the fold's rows at once."""

import numpy as np

from kernelwise.kernels import Gaussian
from kernelwise.machines import Nystrom
from kernelwise.scale import RowBlocks
from kernelwise.scale.entries import Entries
from kernelwise.scale.folds import FoldedTargets, FoldSums, hashed_folds
from kernelwise.scale.row_blocks import ROWS_IN_BLOCK
from kernelwise.solutions import RowStatistics, Targets

random = np.random.default_rng(0)
X = random.normal(size=(2 * ROWS_IN_BLOCK + 100, 2))
PLAIN = Targets.plain(random.normal(size=(len(X), 2)), random.uniform(0.5, 2.0, len(X)))
TARGETS = FoldedTargets.of(PLAIN, hashed_folds(len(X), 3, seed=1))
KERNEL, MACHINE = Gaussian(1.0), Nystrom(X[:8], 1.0)
NAMES = ("weight", "targets", "squares", "kernel", "cross")


def test_each_fold_has_the_sums_of_its_rows():
    own = KERNEL(MACHINE.landmarks)
    reference, entries = MACHINE.reference(own), Entries(KERNEL, MACHINE.landmarks)
    found = RowBlocks(X, TARGETS).reduce(
        lambda rows, targets: FoldSums.of(entries, rows, targets, reference)
    )
    assert sorted(found.parts) == [0, 1, 2]
    for number, part in found.parts.items():
        rows = TARGETS.fold == number
        expected = RowStatistics.of(KERNEL(X[rows], X[:8]), PLAIN.take(rows), reference)
        for name in NAMES:
            np.testing.assert_allclose(getattr(part, name), getattr(expected, name), rtol=1e-9)
        np.testing.assert_allclose(
            np.tril(part.products), np.tril(expected.products), rtol=1e-9, atol=1e-9
        )
    total = found.total(np.array([5.0, 7.0]))
    assert total.weight == np.float64(sum(part.weight for part in found.parts.values()))
    whole = RowStatistics.of(KERNEL(X, X[:8]), PLAIN, reference)
    np.testing.assert_allclose(total.squares, whole.squares + np.array([5.0, 7.0]), rtol=1e-9)


def test_folds_are_dealt_by_the_row_number_alone():
    dealt = hashed_folds(10_000, 5, seed=3)
    np.testing.assert_array_equal(dealt[:100], hashed_folds(100, 5, seed=3))
    counts = np.bincount(dealt)
    assert len(counts) == 5 and counts.min() > 1850
    assert (dealt != hashed_folds(10_000, 5, seed=4)).mean() > 0.7
