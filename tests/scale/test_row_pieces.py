"""Rows in memory and in pieces of any size: the same blocks, and sums of the same bits."""

import weakref
from itertools import pairwise

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kernelwise.kernels import Gaussian
from kernelwise.scale import BlockSums, RowBlocks, RowPieces, row_blocks, tree_sum
from kernelwise.scale.row_blocks import in_threads
from kernelwise.solutions import RowStatistics, Targets

random = np.random.default_rng(0)
X = random.normal(size=(1000, 3))
TARGETS = Targets.plain(random.normal(size=(1000, 2)), random.uniform(0.5, 2.0, 1000))
KERNEL, Z = Gaussian(np.array([1.0, 1.5, 2.0])), X[::40]
CUTS = {
    "one": [1000],
    "odd": [1, 31, 32, 33, 0, 500, 403],
    "aligned": [64] * 15 + [40],
    "single rows": [1] * 100 + [900],
    "empty ends": [0, 999, 1, 0],
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(row_blocks, "ROWS_IN_BLOCK", 32)


def in_pieces(sizes, n_threads=1, rows=X):
    ends = np.cumsum(sizes)
    parts = [rows[end - size : end] for size, end in zip(sizes, ends, strict=True)]
    return RowPieces([lambda part=part: part for part in parts], sizes, TARGETS, n_threads)


def statistics(rows, targets):
    return RowStatistics.of(KERNEL(rows, Z), targets, np.full(len(Z), 0.3))


def assert_same_bits(one, other):
    for name in ("weight", "targets", "squares", "kernel", "products", "cross"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


class Written:
    """A sum that shows how it was put together."""

    def __init__(self, text):
        self.text = text

    def __add__(self, other):
        return Written(f"({self.text} {other.text})")


def test_the_tree_of_seven_blocks():
    assert tree_sum(Written(str(i)) for i in range(7)).text == "(((0 1) (2 3)) ((4 5) 6))"


@pytest.mark.parametrize("count", [1, 2, 7, 8, 21, 64])
def test_runs_of_blocks_join_to_the_one_tree(count):
    whole = tree_sum(Written(str(i)) for i in range(count)).text
    for seed in range(20):
        drawn = np.random.default_rng(seed)
        ends = np.unique(np.r_[0, drawn.integers(0, count + 1, 4), count])
        runs = [
            BlockSums.of((Written(str(i)) for i in range(first, end)), int(first))
            for first, end in pairwise(ends)
        ]
        while len(runs) > 1:  # neighbors join in any order
            at = int(drawn.integers(len(runs) - 1))
            runs[at : at + 2] = [runs[at] + runs[at + 1]]
        assert runs[0].total.text == whole


def test_runs_that_are_not_neighbors_do_not_join():
    with pytest.raises(ValueError, match="blocks 1 and 2 are not neighbors"):
        BlockSums.of([1.0]) + BlockSums.of([1.0], 2)
    with pytest.raises(ValueError, match="no rows"):
        _ = BlockSums().total


@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("sizes", CUTS.values(), ids=CUTS)
def test_no_cut_and_no_thread_changes_a_bit(sizes, n_threads):
    expected = RowBlocks(X, TARGETS).reduce(statistics)
    rows = in_pieces(sizes, n_threads)
    assert_same_bits(rows.reduce(statistics), expected)
    # The sums are those of all rows at once.
    np.testing.assert_allclose(expected.products, statistics(X, TARGETS).products, rtol=1e-12)
    np.testing.assert_array_equal(rows.collect(lambda X, targets: X), X)
    np.testing.assert_array_equal(
        rows.collect(lambda X, targets: targets.values), TARGETS.values, strict=True
    )


def test_the_order_of_numbers_in_memory_changes_no_bit():
    expected = RowBlocks(X, TARGETS).reduce(statistics)
    columns_first = RowBlocks(np.asfortranarray(X), TARGETS)
    for rows, targets in columns_first.blocks():
        assert rows.flags.c_contiguous and targets.values.flags.c_contiguous
    rows_first = Targets(
        np.ascontiguousarray(TARGETS.values), TARGETS.weights.copy(), TARGETS.within
    )
    assert_same_bits(columns_first.reduce(statistics), expected)
    assert_same_bits(RowBlocks(X, rows_first).reduce(statistics), expected)


@pytest.mark.parametrize("sizes", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("rows", [[0], [0, 1, 999], [31, 32, 64, 64, 500], list(range(1000)), []])
def test_rows_are_taken_by_number(sizes, rows):
    rows = np.array(rows, int)
    for engine in (RowBlocks(X, TARGETS), in_pieces(sizes), in_pieces(sizes, 2)):
        assert engine.n_rows == 1000
        np.testing.assert_array_equal(engine.take(rows), X[rows], strict=True)


@pytest.mark.parametrize("rows", [[-1], [1000], [5, 3]])
def test_rows_that_do_not_exist_are_refused(rows):
    for engine in (RowBlocks(X, TARGETS), in_pieces([1000])):
        with pytest.raises(ValueError, match="sorted and lie between 0 and 999"):
            engine.take(np.array(rows))


def test_a_table_that_changes_is_noticed():
    rows = RowPieces([lambda: X[:10], lambda: X[10:]], [11, 989], TARGETS)
    with pytest.raises(ValueError, match="piece 0 had 11 rows and has 10 now"):
        rows.reduce(statistics)
    with pytest.raises(ValueError, match="do not belong together"):
        RowPieces([lambda: X], [10], TARGETS)


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_only_some_pieces_are_in_memory(n_threads):
    """Every piece is made anew and watched: few may live at any time."""
    alive, most = 0, 0

    def gone():
        nonlocal alive
        alive -= 1

    def read(first):
        nonlocal alive, most
        part = X[first : first + 50].copy()
        alive, most = alive + 1, max(most, alive + 1)
        weakref.finalize(part, gone)
        return part

    pieces = [lambda first=first: read(first) for first in range(0, 1000, 50)]
    rows = RowPieces(pieces, [50] * 20, TARGETS, n_threads)
    rows.reduce(lambda X, targets: float(X.sum()))
    # Of blocks in flight, each may keep another piece.
    assert most <= (2 if n_threads == 1 else 3 + row_blocks.BLOCKS_PER_THREAD * n_threads)


@pytest.mark.parametrize("n_threads", [2, 3])
def test_few_blocks_are_taken_ahead(n_threads):
    taken, done, most = 0, 0, 0

    def blocks():
        nonlocal taken, most
        for i in range(50):
            taken += 1
            most = max(most, taken - done)
            yield (i,)

    results = []
    for result in in_threads(lambda i: i * i, blocks(), n_threads):
        done += 1
        results.append(result)
    assert results == [i * i for i in range(50)]
    assert n_threads < most <= 2 * n_threads + 1


def test_blas_has_one_thread_in_every_thread():
    def threads(rows, targets):
        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        return np.array([pool["num_threads"] for pool in pools])

    with threadpool_limits(2, user_api="blas"):
        for n_threads in (1, 2):
            assert set(RowBlocks(X, TARGETS, n_threads).collect(threads)) == {1}
        assert set(threads(X, TARGETS)) == {2}
