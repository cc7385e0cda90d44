"""Sums of absolute differences: compiled, by scipy and numpy, and by codes, against loops."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kernelwise.kernels import Laplacian, absolute_sums
from kernelwise.kernels.absolute_sums import COMPILED_FROM, CompiledSums, NumpySums
from kernelwise.kernels.thermometer import MOST_LEVELS, ThermometerCodes

compiled = pytest.importorskip("kernelwise.kernels.compiled", reason="numba is not installed")

TYPES = {np.float64: 1e-13, np.float32: 2e-6}


def tables(columns, dtype=float, levels=None, rows=(37, 300)):
    random = np.random.default_rng(columns)
    if levels is None:
        return [random.normal(size=(n, columns)).astype(dtype) for n in rows]
    return [random.integers(levels, size=(n, columns)).astype(dtype) ** 2 / 7 for n in rows]


def brute_distances(a, b, weights):
    gram = np.zeros((len(a), len(b)))
    for i, j in itertools.product(range(len(a)), range(len(b))):
        for r, weight in enumerate(weights):
            gram[i, j] += weight * abs(float(a[i, r]) - float(b[j, r]))
    return gram


def brute_scatter(a, b, M):
    return np.stack([(M * np.abs(a[:, None, r] - b[:, r])).sum(1) for r in range(a.shape[1])], 1)


def both_ways(a, b, weights):
    return {"compiled": CompiledSums(compiled, a, b, weights), "numpy": NumpySums(a, b, weights)}


@pytest.mark.parametrize("way", ["compiled", "numpy"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("levels", [None, 5])
@pytest.mark.parametrize("columns", [1, 4, 7])
def test_like_loops(way, dtype, levels, columns):
    a, b = tables(columns, dtype, levels)
    weights = np.linspace(0.3, 1.7, columns).astype(dtype)
    M = np.random.default_rng(5).normal(size=(len(a), len(b))).astype(dtype)
    sums = both_ways(a, b, weights)[way]
    rows, stop = slice(3, 20), 271
    found = sums.distances(rows, stop)
    assert found.dtype == dtype
    wide, other = a[rows].astype(float), b[:stop].astype(float)
    expected = brute_distances(wide, other, weights.astype(float))
    np.testing.assert_allclose(found, expected, rtol=0, atol=TYPES[dtype])
    scatter = sums.row_scatter(rows, stop, M[rows, :stop])
    part = M[rows, :stop].astype(float)
    assert scatter.dtype == float
    error = np.abs(scatter - brute_scatter(wide, other, part))
    assert (error <= TYPES[dtype] * brute_scatter(wide, other, np.abs(part))).all()


@pytest.mark.parametrize("way", ["compiled", "numpy"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("levels", [None, 5])
@pytest.mark.parametrize(("columns", "outputs"), [(3, 1), (5, 7)])
def test_several_outputs_like_each_alone(way, dtype, levels, columns, outputs):
    a, b = tables(columns, dtype, levels)
    random = np.random.default_rng(6)
    M, coef = random.normal(size=(17, len(b))), random.normal(size=(len(b), outputs))
    sums = both_ways(a, b, np.ones(columns, dtype))[way]
    found = sums.scatter_of(slice(3, 20), M.astype(dtype), coef.astype(dtype))
    assert found.dtype == float
    for t in range(outputs):
        expected = brute_scatter(a[3:20].astype(float), b.astype(float), M * coef[:, t])
        np.testing.assert_allclose(found[:, t], expected, rtol=0, atol=300 * TYPES[dtype])


@pytest.mark.parametrize("columns", [1, 5, 20])
def test_forward_all_ways_have_the_bits_of_scipy(columns):
    a, b = tables(columns)
    weights = np.random.default_rng(1).uniform(size=columns)
    expected = cdist(a * weights, b * weights, "cityblock")
    for sums in both_ways(a, b, weights).values():
        np.testing.assert_array_equal(sums.distances(slice(0, 37), 300), expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_a_row_has_the_same_bits_in_every_block_of_rows(dtype):
    a, b = tables(6, dtype)
    M = np.random.default_rng(5).normal(size=(37, 300)).astype(dtype)
    sums = CompiledSums(compiled, a, b, np.full(6, 0.7, dtype))
    whole = sums.distances(slice(0, 37), 300)
    scatter = sums.row_scatter(slice(0, 37), 300, M)
    for rows in (slice(0, 1), slice(5, 22), slice(36, 37)):
        np.testing.assert_array_equal(sums.distances(rows, 300), whole[rows])
        np.testing.assert_array_equal(sums.row_scatter(rows, 300, M[rows]), scatter[rows])


@pytest.mark.parametrize("way", ["compiled", "numpy"])
@pytest.mark.parametrize("levels", [None, 3])
def test_what_is_not_a_number_stays_so(way, levels):
    a, b = tables(3, levels=levels)
    a[2, 1], a[3, 0] = np.nan, np.inf
    sums = both_ways(a, b, np.ones(3))[way]
    found = sums.distances(slice(0, 4), 300)
    assert np.isfinite(found[:2]).all() and np.isnan(found[2]).all() and np.isinf(found[3]).all()
    scatter = sums.row_scatter(slice(0, 3), 300, np.ones((3, 300)))
    np.testing.assert_array_equal(np.argwhere(np.isnan(scatter)), [[2, 1]])


def test_levels_of_both_tables_and_a_column_that_never_varies():
    a = np.array([[1.0, 5, 0.5], [-2, 5, 0.25], [7, 5, 0.75]])
    b = np.array([[3.0, 5, 0.1], [0, 5, 0.9]])
    codes = ThermometerCodes(a, b)
    np.testing.assert_array_equal(codes.columns, [0, 1, 2])
    M = np.array([[1.0, -2], [0.5, 3], [-1, 4]])
    found = codes.row_scatter(slice(0, 3), 2, M)
    np.testing.assert_allclose(found, brute_scatter(a, b, M), rtol=1e-14)
    assert not found[:, 1].any()


def test_columns_of_many_levels_have_no_codes():
    many = np.linspace(0, 1, MOST_LEVELS + 1)
    few = np.repeat([0.0, 1.0], [len(many) - 1, 1])
    b = np.column_stack([many, few, np.roll(few, 3)])
    np.testing.assert_array_equal(ThermometerCodes(b, b).columns, [1, 2])
    np.testing.assert_array_equal(ThermometerCodes(b, b).others, [0])
    a = np.column_stack([few, many, few])  # its levels count too
    np.testing.assert_array_equal(ThermometerCodes(a, b).columns, [2])


def test_the_shape_alone_decides(monkeypatch):
    weights = np.ones(4)
    small, large = np.zeros((100, 4)), np.zeros((COMPILED_FROM // 400, 4))
    for _ in range(2):
        assert isinstance(absolute_sums.absolute_sums(small, large[1:], weights), NumpySums)
        assert isinstance(absolute_sums.absolute_sums(small, small, weights), NumpySums)
        assert isinstance(absolute_sums.absolute_sums(large, small, weights), NumpySums)
        wide = np.zeros((COMPILED_FROM // 400 + 1, 4))
        assert isinstance(absolute_sums.absolute_sums(wide, small, weights), CompiledSums)
    monkeypatch.setattr(absolute_sums, "compiled_loops", lambda: None)
    assert isinstance(absolute_sums.absolute_sums(wide, small, weights), NumpySums)


def test_a_kernel_with_and_without_numba(monkeypatch):
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=(420, 5)), random.integers(3, size=(420, 3))])
    kernel = Laplacian(np.linspace(3, 12, 8))
    half = random.normal(size=(420, 3))
    M = half @ half.T
    grams, gradients = [], []
    for loops in (absolute_sums.compiled_loops(), None):
        monkeypatch.setattr(absolute_sums, "compiled_loops", lambda loops=loops: loops)
        gram, pullback = kernel.gram_and_pullback(X)
        grams.append(gram)
        gradients.append(pullback(M))
    np.testing.assert_array_equal(*grams)
    np.testing.assert_allclose(*gradients, rtol=1e-11)


PROGRAM = """
import sys
{before}
import numpy as np
from kernelwise.kernels import Laplacian
X = np.random.default_rng(0).normal(size=({rows}, 8))
gram, pullback = Laplacian(np.full(8, 9.0)).gram_and_pullback(X)
print("numba" in sys.modules, gram.sum(), *pullback(gram))
"""


def run(before, rows, **environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before, rows=rows)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(filter(None, sys.path)), **environment},
    )
    assert done.returncode == 0, done.stderr
    loaded, *numbers = done.stdout.split()
    return loaded, np.array(numbers, float)


def test_only_a_large_table_loads_numba():
    assert run("", 360)[0] == "False"
    loaded, numbers = run("", 370)
    assert loaded == "True"
    missing, same = run("sys.modules['numba'] = None", 370)
    told, slow = run("", 370, NUMBA_DISABLE_JIT="1")
    assert (missing, told) == ("True", "True")  # the name is there, numba is not
    np.testing.assert_allclose(same, numbers, rtol=1e-12)
    np.testing.assert_array_equal(slow, same)


NOWHERE = """
from numba.core import caching
for locator in caching.CacheImpl._locator_classes:
    locator.from_function = classmethod(lambda cls, function, path: None)
"""
FULL_DISK = """
from numba.core import caching
def fail(self, *arguments):
    raise OSError(28, "No space left on device")
caching.IndexDataCacheFile.save = fail
"""


@pytest.mark.parametrize("trouble", [NOWHERE, FULL_DISK], ids=["no folder", "full disk"])
def test_compiled_loops_that_cannot_be_kept(trouble, tmp_path):
    expected = run("sys.modules['numba'] = None", 370)[1]
    found = run(trouble, 370, NUMBA_CACHE_DIR=str(tmp_path))[1]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert not np.array_equal(found, expected)  # compiled all the same
    assert not list(tmp_path.rglob("*.nbc"))
