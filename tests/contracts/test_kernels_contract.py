"""What holds for every kernel in ``kernelwise.kernels.__all__``."""

import tracemalloc

import numpy as np
import pytest
from contract_cases import KERNEL_IDS, KERNELS, OwnKernel, kernel_case
from finite_differences import assert_derivatives

from kernelwise import kernels
from kernelwise.kernels.base import rows_of_columns
from kernelwise.parameters import ROLES

every_kernel = pytest.mark.parametrize(("name", "variant"), KERNEL_IDS)
every_coordinate = pytest.mark.parametrize("coordinates", ["log", "natural"])
MANY_ROWS = 600  # several cache-sized blocks and several tiles


def random_symmetric(n, seed=3):
    matrix = np.random.default_rng(seed).normal(size=(n, n))
    return matrix + matrix.T


def test_complete():
    assert set(KERNELS) == set(kernels.__all__)


@every_kernel
def test_the_case_is_of_its_kind(name, variant):
    assert isinstance(kernel_case(name, variant).kernel, getattr(kernels, name))


@every_kernel
@every_coordinate
def test_pullback(name, variant, coordinates):
    case = kernel_case(name, variant)
    kernel, weights = case.kernel.in_coordinates(coordinates), random_symmetric(len(case.rows))
    gradient = kernel.gram_and_pullback(case.rows)[1](weights)
    assert_derivatives(
        gradient, lambda theta: (weights * kernel.with_theta(theta)(case.rows)).sum(), kernel.theta
    )


@every_kernel
@every_coordinate
def test_pullback_of_a_rectangle(name, variant, coordinates):
    case = kernel_case(name, variant)
    kernel = case.kernel.in_coordinates(coordinates)
    gram, pullback = kernel.gram_and_pullback(case.left, case.rows)
    weights = np.random.default_rng(4).normal(size=gram.shape)

    def value(theta):
        return (weights * kernel.with_theta(theta)(case.left, case.rows)).sum()

    assert_derivatives(pullback(weights), value, kernel.theta)


@every_kernel
@every_coordinate
def test_output_tangents(name, variant, coordinates):
    case = kernel_case(name, variant)
    kernel, coef = case.kernel.in_coordinates(coordinates), np.linspace(-1, 2, len(case.rows))
    both = np.column_stack([coef, np.cos(3 * coef)])
    assert_derivatives(
        kernel.output_tangents(case.left, case.rows, both),
        lambda theta: kernel.with_theta(theta)(case.left, case.rows) @ both,
        kernel.theta,
    )


@every_kernel
@pytest.mark.parametrize("n_outputs", [1, 5])
def test_all_outputs_have_the_tangents_of_each(name, variant, n_outputs):
    """Over several blocks and tiles; one by one, `QuickRows.of_columns` is not asked."""
    case = kernel_case(name, variant, n=MANY_ROWS)
    gram, row_gradients = case.kernel.evaluate(case.rows)
    coef = np.random.default_rng(8).normal(size=(MANY_ROWS, n_outputs))
    found = rows_of_columns(row_gradients, coef, MANY_ROWS)
    expected = [row_gradients(np.broadcast_to(own, gram.shape)) for own in coef.T]
    size = max(np.abs(own).max(initial=0) for own in expected)
    np.testing.assert_allclose(found, np.stack(expected, axis=1), rtol=0, atol=1e-11 * size)


@every_kernel
def test_diagonal(name, variant):
    case = kernel_case(name, variant)
    values, slopes = case.kernel.diagonal(case.rows)
    np.testing.assert_allclose(values, np.diagonal(case.kernel(case.rows)), rtol=1e-12)
    assert_derivatives(
        slopes,
        lambda values: np.diagonal(case.kernel.with_values(values)(case.rows)),
        case.kernel.values,
    )


@every_kernel
def test_blocks_agree(name, variant):
    """The symmetric Gram matrix, rectangles of it, and their ways back, over several blocks."""
    case = kernel_case(name, variant, n=MANY_ROWS)
    weights = random_symmetric(MANY_ROWS)
    gram, pullback = case.kernel.gram_and_pullback(case.rows)
    np.testing.assert_allclose(gram, gram.T, rtol=0, atol=1e-14 * gram.max())
    full, full_pullback = case.kernel.gram_and_pullback(case.rows, case.rows)
    np.testing.assert_allclose(full, gram, rtol=0, atol=1e-12 * gram.max())
    np.testing.assert_allclose(case.kernel(case.left, case.rows), full[: case.n_left], atol=1e-12)
    expected = full_pullback(weights)
    np.testing.assert_allclose(
        pullback(weights), expected, atol=1e-9 * abs(expected).max(initial=1)
    )


@every_kernel
def test_positive_semi_definite(name, variant):
    case = kernel_case(name, variant, n=60)
    eigenvalues = np.linalg.eigvalsh(case.kernel(case.rows))
    assert eigenvalues[0] > -1e-12 * eigenvalues[-1]


@every_kernel
def test_values_names_and_bounds(name, variant):
    kernel = kernel_case(name, variant).kernel
    p = len(kernel.values)
    names = [parameter.name for parameter in kernel.parameters]
    assert len(set(names)) == len(names) == p and set(kernel.roles) <= set(ROLES)
    assert [parameter.value for parameter in kernel.parameters] == list(kernel.values)
    assert kernel.value_limits.shape == kernel.limits.shape == (p, 2)
    low, high = kernel.value_limits.T
    assert (low > 0).all() and (low < high).all()
    assert ((low <= kernel.values) & (kernel.values <= high)).all()
    natural = kernel.in_coordinates("natural").limits
    np.testing.assert_array_equal(
        natural[:, 0], np.where([q.can_vanish for q in kernel.parameters], 0.0, low)
    )


@every_kernel
@every_coordinate
def test_round_trip(name, variant, coordinates):
    case = kernel_case(name, variant)
    kernel, before = case.kernel.in_coordinates(coordinates), case.kernel.values.copy()
    moved = kernel.with_theta(kernel.with_values(1.5 * before).in_coordinates(coordinates).theta)
    np.testing.assert_allclose(moved.values, 1.5 * before, rtol=1e-14)
    assert moved.coordinates == coordinates
    back = moved.with_theta(kernel.theta)
    np.testing.assert_allclose(back.values, before, rtol=1e-14)
    np.testing.assert_allclose(back(case.rows), kernel(case.rows), rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(kernel.values, before)


@pytest.mark.parametrize("coordinates", ["log", "natural"])
def test_coordinates_are_the_base_class_business(coordinates):
    """A user's ``with_values`` builds a new kernel and knows nothing of coordinates."""

    class Forgetful(OwnKernel):
        def with_values(self, values):
            return Forgetful(float(values[0]))

    kernel = Forgetful(0.7).in_coordinates(coordinates)
    moved = kernel.with_theta(kernel.theta)
    assert moved.coordinates == coordinates
    np.testing.assert_allclose(moved.theta, kernel.theta)


@pytest.mark.parametrize("extra", [-1, 1])
def test_a_wrong_number_of_parameters_is_refused(extra):
    accepting = []
    for which in KERNEL_IDS:
        kernel = kernel_case(*which).kernel
        size = len(kernel.values) + extra
        if size >= 0 and accepts(kernel, np.zeros(size)):
            accepting.append("-".join(which))
    assert not accepting


def accepts(kernel, theta):
    try:
        kernel.with_theta(theta)
    except ValueError:
        return False
    return True


@every_kernel
@pytest.mark.parametrize("size", [1.0, 1e-6])
def test_up_to_constant_is_up_to_one_constant(name, variant, size):
    case = kernel_case(name, variant)
    kernel = case.kernel.with_values(size * case.kernel.values)
    gram, pullback = kernel.gram_and_pullback(case.rows)
    shifted, shifted_pullback = kernel.gram_and_pullback(case.rows, up_to_constant=True)
    assert np.ptp(shifted - gram) < 1e-13 * max(1.0, abs(gram).max())
    centered = random_symmetric(len(gram))
    centered -= centered.mean(axis=0)
    centered -= centered.mean(axis=1, keepdims=True)
    expected = pullback(centered)
    tolerance = 1e-10 * abs(expected).max(initial=1)
    np.testing.assert_allclose(shifted_pullback(centered), expected, atol=tolerance)


@every_kernel
def test_memory_is_a_few_gram_matrices(name, variant):
    """At d = 100 an n x n x d array would be 100 Gram matrices; kernels of kernels hold several."""
    # scikit-learn's kernels are slow at a scale per feature, and 40 matrices are too many as well.
    case = kernel_case(name, variant, n=MANY_ROWS, d=40 if name == "FromSklearn" else 100)
    weights = random_symmetric(MANY_ROWS)
    tracemalloc.start()
    try:
        _, pullback = case.kernel.gram_and_pullback(case.rows)
        pullback(weights)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    made_of_kernels = hasattr(case.kernel, "children") or name == "FromSklearn"
    assert peak / weights.nbytes < (10 if made_of_kernels else 6)


@every_kernel
def test_gradient_where_a_value_vanishes(name, variant):
    """Natural coordinates reach zero, and the derivative there is the one-sided one."""
    case = kernel_case(name, variant)
    weights = random_symmetric(len(case.rows))
    for which in np.flatnonzero([q.can_vanish for q in case.kernel.parameters]):
        values = case.kernel.values.copy()
        values[which] = 0.0
        kernel = case.kernel.with_values(values).in_coordinates("natural")
        gradient = kernel.gram_and_pullback(case.rows)[1](weights)

        def value(theta, kernel=kernel):
            return (weights * kernel.with_theta(theta)(case.rows)).sum()

        # A Matern kernel is not smooth there, so the step is small and the differences rough.
        assert_derivatives(gradient, value, kernel.theta, rtol=3e-3, step=1e-8)
