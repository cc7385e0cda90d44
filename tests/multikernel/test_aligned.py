"""Aligned kernels against n x n matrices and exhaustive search, and what must not change them."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelwise.criteria import Alignment
from kernelwise.kernels import Constant, Gaussian, Kernel, Laplacian, Linear, Polynomial
from kernelwise.machines import NoMachine
from kernelwise.multikernel import aligned, aligned_gram_weights, aligned_weights
from kernelwise.multikernel.aligned import nearest_nonnegative
from kernelwise.solutions import Targets

KERNELS = (Gaussian(0.7), Gaussian(2.5), Laplacian(3.0), Linear(), Polynomial(2))
PAPER_WIDTHS = [Gaussian(width) for width in 10.0 ** np.arange(-3, 4)]


def draw(seed, n=40, d=3):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    labels = np.sign(X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * random.normal(size=n))
    return X, labels


def centering(weights):
    return np.eye(len(weights)) - weights / weights.sum()


def cosines_by_definition(grams, y, weights, centered=True):
    """Norms, cosines between Gram matrices and with the ideal one, every matrix written out."""
    H = centering(weights) if centered else np.eye(len(weights))
    W = np.outer(weights, weights)
    matrices = [H @ gram @ H.T for gram in [*grams, y @ y.T]]
    products = np.array([[(W * A * B).sum() for B in matrices] for A in matrices])
    norms = np.sqrt(np.diagonal(products))
    cosines = products / np.outer(norms, norms)
    return norms[:-1], cosines[:-1, :-1], cosines[:-1, -1]


def best_direction(M, a):
    """The best of the unconstrained optima over all subsets that need no negative weight."""
    best, largest = None, -np.inf
    for size in range(1, len(a) + 1):
        for chosen in combinations(range(len(a)), size):
            v = np.zeros(len(a))
            v[list(chosen)] = np.linalg.solve(M[np.ix_(chosen, chosen)], a[list(chosen)])
            if (v >= 0).all() and v.any() and v @ a / np.sqrt(v @ M @ v) > largest:
                best, largest = v, v @ a / np.sqrt(v @ M @ v)
    return best, largest


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_by_definition_and_exhaustive_search(seed, n_targets, centered):
    X, labels = draw(seed)
    random = np.random.default_rng(seed)
    y = np.column_stack([labels, *random.normal(size=(n_targets - 1, len(X)))])
    weights = random.uniform(0.5, 3, len(X))
    found = aligned_weights(KERNELS, X, Targets.plain(y, weights), centered)
    norms, M, a = cosines_by_definition([k(X) for k in KERNELS], y, weights, centered)
    direction, alignment = best_direction(M, a)
    mix = direction / norms
    np.testing.assert_allclose(found.alignments, a, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.weights, mix / mix.sum(), rtol=0, atol=1e-12)
    assert found.alignment == pytest.approx(alignment, abs=1e-12)


@pytest.mark.parametrize("kernels", [KERNELS, PAPER_WIDTHS], ids=["mixed", "widths"])
def test_the_combination_is_what_the_criterion_says_and_at_least_as_good(kernels):
    X, y = draw(5)
    targets = Targets.plain(y)
    found = aligned_weights(kernels, X, targets)
    gram = sum(w * kernel(X) for w, kernel in zip(found.weights, kernels, strict=True))
    value, _ = Alignment()(NoMachine().solve([gram], targets))
    assert found.alignment == pytest.approx(-value, abs=1e-9)
    assert found.alignment >= found.alignments.max() - 1e-12
    assert (found.weights >= 0).all() and found.weights.sum() == pytest.approx(1, abs=1e-12)


def test_many_almost_equal_kernels_still_satisfy_the_conditions_of_an_optimum():
    """100 widths: most products between them are 1 up to rounding."""
    X, y = draw(6, n=60)
    kernels = [Gaussian(width) for width in np.geomspace(0.1, 1e4, 100)]
    found = aligned_weights(kernels, X, Targets.plain(y))
    grams = [kernel.evaluate(X, X, up_to_constant=True)[0] for kernel in kernels]
    norms, M, a = cosines_by_definition(grams, y[:, None], np.ones(60))
    v = found.weights * norms
    v *= (v @ a) / (v @ M @ v)
    slope = M @ v - a
    assert slope.min() > -1e-12 and abs(slope[v > 0]).max() < 1e-12


def test_equal_kernels_share_what_one_of_them_would_get():
    X, y = draw(7)
    targets = Targets.plain(y)
    once = aligned_weights(KERNELS[:3], X, targets)
    twice = aligned_weights([*KERNELS[:3], *KERNELS[:3]], X, targets)
    np.testing.assert_allclose(twice.weights[:3] + twice.weights[3:], once.weights, atol=1e-9)
    assert twice.alignment == pytest.approx(once.alignment, abs=1e-12)


def uneven(y, seed=0):
    """Targets with weights that leave rounding when a mean is taken from a constant."""
    return Targets.plain(y, np.random.default_rng(seed).uniform(0.5, 3, len(y)))


@pytest.mark.parametrize("constant", [0.1, 0.3, np.pi])
def test_a_constant_kernel_gets_no_weight(constant):
    X, y = draw(8, n=41)
    targets = uneven(y)
    alone = aligned_weights(KERNELS, X, targets)
    with_constant = aligned_gram_weights(
        [np.full((41, 41), constant), *(kernel(X) for kernel in KERNELS)], targets
    )
    assert with_constant.weights[0] == with_constant.alignments[0] == 0
    np.testing.assert_allclose(with_constant.weights[1:], alone.weights, rtol=0, atol=1e-12)
    assert aligned_weights([Constant(constant), *KERNELS], X, targets).weights[0] == 0
    # As it is, a constant kernel is one like others.
    assert aligned_weights([Constant(constant)], X, targets, centered=False).weights[0] == 1


@pytest.mark.parametrize("constant", [0.1, 0.3, np.pi])
def test_where_nothing_points_anywhere_all_weights_are_equal(constant):
    X, y = draw(9, n=41)
    constant_targets = aligned_weights(KERNELS, X, uneven(np.full(41, constant)))
    constant_kernels = aligned_gram_weights(np.full((5, 41, 41), constant), uneven(y))
    for found in (constant_targets, constant_kernels):
        assert found.weights == pytest.approx(np.full(5, 0.2))
        assert found.alignment == 0 and not found.alignments.any()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(1e-3, 1e3))
def test_order_labels_constants_and_units(seed, unit):
    X, y = draw(seed)
    targets = Targets.plain(y)
    grams = np.array([kernel(X) for kernel in KERNELS])
    expected = aligned_gram_weights(grams, targets)
    order = np.random.default_rng(seed).permutation(len(X))
    shuffled = aligned_weights(KERNELS, X[order], Targets.plain(y[order]))
    swapped = aligned_gram_weights(grams, Targets.plain(-unit * y))
    moved = aligned_gram_weights(grams + unit, targets)
    backwards = aligned_gram_weights(grams[::-1], targets)
    for found in (shuffled, swapped, moved):
        np.testing.assert_allclose(found.weights, expected.weights, rtol=0, atol=1e-9)
        assert found.alignment == pytest.approx(expected.alignment, abs=1e-12)
    np.testing.assert_allclose(backwards.weights[::-1], expected.weights, rtol=0, atol=1e-9)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1e-3, 1e3]), st.integers(0, 4))
def test_a_kernel_in_other_units_has_its_weight_in_other_units(seed, unit, which):
    X, y = draw(seed)
    targets = Targets.plain(y)
    expected = aligned_weights(KERNELS, X, targets)
    units = np.ones(len(KERNELS))
    units[which] = unit
    scaled = [unit * kernel for unit, kernel in zip(units, KERNELS, strict=True)]
    found = aligned_weights(scaled, X, targets)
    mix = expected.weights / units
    np.testing.assert_allclose(found.weights, mix / mix.sum(), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.alignments, expected.alignments, rtol=0, atol=1e-12)
    assert found.alignment == pytest.approx(expected.alignment, abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_weight_two_is_a_repeated_row(seed, centered):
    X, y = draw(seed, n=20)
    weights = np.random.default_rng(seed).integers(1, 4, size=len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    repeated = aligned_weights(KERNELS, X[rows], Targets.plain(y[rows]), centered)
    weighted = aligned_weights(KERNELS, X, Targets.plain(y, weights), centered)
    np.testing.assert_allclose(weighted.weights, repeated.weights, rtol=0, atol=1e-9)
    assert weighted.alignment == pytest.approx(repeated.alignment, abs=1e-12)


def alignment_in_long_double(gram, y):
    """The alignment of a Gram matrix up to a constant, in the digits of ``numpy.longdouble``."""
    y = y.astype(np.longdouble) - y.mean(dtype=np.longdouble)
    means = gram.mean(axis=0)
    centered = gram - means - means[:, None] + means.mean()
    return float((y @ centered @ y) / (np.sqrt((centered**2).sum()) * (y @ y)))


@pytest.mark.parametrize("offset", [0.0, 50.0])
@pytest.mark.parametrize("height", [7, 40])
def test_almost_constant_kernels_keep_their_digits(monkeypatch, height, offset):
    """Width 1e3 to 1e7: the Gram matrix is 1 - 1e-6 to 1 - 1e-14, the angle that of the linear."""
    monkeypatch.setattr(aligned, "STACK_ELEMENTS", 1)
    monkeypatch.setattr(aligned, "FEWEST_ROWS", height)
    X, y = draw(10)
    X = X + offset
    widths = [1e3, 1e5, 1e7]
    found = aligned_weights([Gaussian(width) for width in widths], X, Targets.plain(y))
    long = X.astype(np.longdouble)
    squares = ((long[:, None] - long) ** 2).sum(axis=2)
    expected = [alignment_in_long_double(np.expm1(-squares / 2 / w**2), y) for w in widths]
    np.testing.assert_allclose(found.alignments, expected, rtol=1e-8)
    linear = aligned_weights([Linear()], X - offset, Targets.plain(y))
    assert found.alignment == pytest.approx(linear.alignment, rel=1e-5)


@pytest.mark.parametrize("height", [7, 40])
def test_an_almost_constant_gram_matrix_loses_no_more_digits_than_it_has(monkeypatch, height):
    monkeypatch.setattr(aligned, "STACK_ELEMENTS", 1)
    monkeypatch.setattr(aligned, "FEWEST_ROWS", height)
    X, y = draw(11)
    gram = Gaussian(1e3)(X)
    found = aligned_gram_weights([gram], Targets.plain(y))
    expected = alignment_in_long_double(gram.astype(np.longdouble), y)
    assert found.alignment == pytest.approx(expected, rel=1e-9)


def test_columns_far_from_zero_keep_their_digits(monkeypatch):
    """``x'z`` is 1e8 and what the rows tell about each other is 1: eight digits are left."""
    monkeypatch.setattr(aligned, "STACK_ELEMENTS", 1)
    X, y = draw(3, n=300)
    X = X + 1e4
    found = aligned_weights([Linear()], X, Targets.plain(y))
    long = X.astype(np.longdouble)
    assert found.alignment == pytest.approx(alignment_in_long_double(long @ long.T, y), rel=1e-9)


@pytest.mark.parametrize("centered", [True, False])
def test_blocks_of_rows_add_up(monkeypatch, centered):
    X, y = draw(12)
    X[:10] *= 5  # the first rows are unlike the others
    targets = Targets.plain(y, np.linspace(0.5, 2, 40))
    whole = aligned_weights(KERNELS, X, targets, centered)
    monkeypatch.setattr(aligned, "STACK_ELEMENTS", 1)
    for height in (1, 7, 39):
        monkeypatch.setattr(aligned, "FEWEST_ROWS", height)
        found = aligned_weights(KERNELS, X, targets, centered)
        np.testing.assert_allclose(found.weights, whole.weights, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.alignments, whole.alignments, rtol=0, atol=1e-12)


def test_gram_matrices_may_lie_in_a_file(tmp_path):
    X, y = draw(13)
    shape = (len(KERNELS), len(X), len(X))
    stored = np.memmap(tmp_path / "grams", dtype=np.float64, mode="w+", shape=shape)
    for k, kernel in enumerate(KERNELS):
        stored[k] = kernel(X)
    expected = aligned_weights(KERNELS, X, Targets.plain(y))
    for grams in (stored, list(stored)):
        found = aligned_gram_weights(grams, Targets.plain(y))
        np.testing.assert_allclose(found.weights, expected.weights, rtol=0, atol=1e-12)


class CountedRows(Kernel):
    """A linear kernel that counts the rows it was asked for."""

    def __init__(self):
        self.rows = 0

    def evaluate(self, A, B=None, up_to_constant=False):
        self.rows += len(A)
        return A @ B.T, lambda M: np.empty((len(A), 0))


def test_memory_holds_no_pile_of_gram_matrices_and_each_is_computed_once(monkeypatch):
    monkeypatch.setattr(aligned, "STACK_ELEMENTS", 2**17)
    X, y = draw(14, n=300)
    gram = 8 * len(X) ** 2
    kernels = [Gaussian(width) for width in np.geomspace(0.5, 50, 19)] + [CountedRows()]
    tracemalloc.start()
    aligned_weights(kernels, X, Targets.plain(y))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert kernels[-1].rows == len(X)
    assert peak < 8 * 2**17 + 2 * gram < len(kernels) * gram / 5


def test_a_singular_quadratic_program():
    """Two equal columns and one that is their opposite: only the direction is determined."""
    half = np.array([[1.0, 1.0, -1.0], [0.5, 0.5, -0.5]])
    target = np.array([2.0, 1.0])
    found = nearest_nonnegative(half.T @ half, half.T @ target)
    assert (found >= 0).all()
    np.testing.assert_allclose(half @ found, target, atol=1e-12)


def with_entry(value, i=2, j=3):
    gram = np.eye(40)
    gram[i, j] = value
    return gram


@pytest.mark.parametrize(
    ("grams", "message"),
    [
        ([], "at least one Gram matrix, got none"),
        (np.empty((0, 40, 40)), "at least one Gram matrix, got none"),
        ([np.eye(40), np.eye(39)], r"Gram matrix 1 must be square .* shape is \(39, 39\)"),
        (np.eye(40), r"Gram matrix 0 must be square with one row per target: .* \(40,\)"),
        ([np.eye(40), with_entry(0.1)], "Gram matrix 1 is not symmetric"),
        ([with_entry(np.nan)], "Gram matrix 0: some entries are missing or infinite"),
        ([with_entry(np.inf, 3, 3)], "Gram matrix 0: some entries are missing or infinite"),
    ],
)
def test_bad_gram_matrices(grams, message):
    with pytest.raises(ValueError, match=message):
        aligned_gram_weights(grams, Targets.plain(np.arange(40.0)))


@pytest.mark.parametrize(
    ("kernels", "X", "message"),
    [
        ([], np.zeros((40, 2)), "at least one kernelwise kernel"),
        (["gaussian"], np.zeros((40, 2)), "kernelwise kernel, got .'gaussian'."),
        (KERNELS, np.zeros((39, 2)), r"its shape is \(39, 2\), there are 40 targets"),
        (KERNELS, np.zeros(40), "X must be a table"),
        (KERNELS, np.full((40, 2), np.nan), "X has missing or infinite values"),
        ([Gaussian([1.0] * 3)], np.zeros((40, 2)), "3 length scales, but X has 2 columns"),
    ],
)
def test_bad_kernels_and_rows(kernels, X, message):
    with pytest.raises(ValueError, match=message):
        aligned_weights(kernels, X, Targets.plain(np.arange(40.0)))


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_a_kernel_that_overflows_is_named():
    X, y = draw(15)
    with pytest.raises(ValueError, match="kernel 1 has values on these rows that are not finite"):
        aligned_weights([Gaussian(1.0), Polynomial(3)], 1e150 * X, Targets.plain(y))
