"""What only shows with many rows: guesses from a part of them, faces narrowed, blocks in parts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_vector_problems import draw, violation

from kernelwise.criteria.span import spans
from kernelwise.kernels import Gaussian, Linear
from kernelwise.linalg import add_block
from kernelwise.machines import SupportVector
from kernelwise.machines.support_vector.dual_problem import DualProblem
from kernelwise.machines.support_vector.faces import FaceWithout
from kernelwise.machines.support_vector.squared_hinge import MAX_STEPS, likely_support, newton
from kernelwise.solutions import Targets

both = pytest.mark.parametrize("bias", [False, True])


@given(st.integers(1, 700), st.integers(0, 700), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_blocks_are_added_as_by_indices(n, m, seed):
    random = np.random.default_rng(seed)
    matrix, rows = random.normal(size=(n, n)), np.sort(random.permutation(n)[:m])
    block = random.normal(size=(len(rows), len(rows)))
    expected = matrix.copy()
    expected[np.ix_(rows, rows)] += block
    add_block(matrix, block, rows)
    np.testing.assert_array_equal(matrix, expected)


def dual_problem(n, C, bias, weighted=True, seed=0):
    X, targets = draw(n, seed, weighted=weighted)
    weights = targets.weights
    gram = Gaussian(1.5)(X)
    return DualProblem(
        gram, targets.values[:, 0], np.full(n, np.inf), 1 / (C * weights), weights, bias
    )


@both
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_a_guess_from_a_part_of_the_rows_spares_work_only(C, bias):
    problem = dual_problem(400, C, bias)
    every = np.ones(400, bool)
    plain, ended = newton(problem, every, MAX_STEPS)
    assert ended
    guess = likely_support(problem)
    assert (guess != plain.free).sum() < max(0.5 * (every != plain.free).sum(), 20)
    guessed, ended = newton(problem, guess, MAX_STEPS)
    assert ended
    np.testing.assert_array_equal(guessed.free, plain.free)
    scale = np.abs(plain.coef).max()
    np.testing.assert_allclose(guessed.coef, plain.coef, rtol=0, atol=1e-11 * scale)


@both
def test_labels_that_alternate_or_hardly_occur(bias):
    """Every third row of each class, so no part of the rows lacks a class that they have."""
    X = np.random.default_rng(0).normal(size=(200, 3))
    for y in (np.where(np.arange(200) % 3, 1.0, -1.0), np.where(np.arange(200) == 7, 1.0, -1.0)):
        machine = SupportVector(10.0, "squared_hinge", bias)
        assert violation(machine.solve([Gaussian(1.5)(X)], Targets.plain(y))) < 1e-10


@both
def test_a_face_without_some_rows(bias):
    """Solves like the face of the remaining rows, both ways; and again with more removed."""
    random = np.random.default_rng(0)
    problem = dual_problem(60, 10.0, bias)
    whole = problem.face(np.arange(60))
    first = np.isin(np.arange(60), [3, 17, 59])
    second = np.isin(np.arange(57), [0, 30])
    narrow = FaceWithout(whole, first)
    for found, rows in [
        (narrow, np.flatnonzero(~first)),
        (FaceWithout(narrow, second), np.flatnonzero(~first)[~second]),
    ]:
        expected, right = problem.face(rows), random.normal(size=len(rows))
        for way in ("solve", "adjoint"):
            coef, other = getattr(found, way)(right, 0.7)
            expected_coef, expected_other = getattr(expected, way)(right, 0.7)
            np.testing.assert_allclose(coef, expected_coef, rtol=1e-10, atol=1e-12)
            assert other == pytest.approx(expected_other, rel=1e-10, abs=1e-12)


@both
def test_spans_of_rows_that_depend_on_each_other(bias):
    """As many free rows as features, and copies: all other rows are combinations of them."""
    random = np.random.default_rng(1)
    X = random.normal(size=(40, 4))
    X[20:] = np.round(X[20:])
    y = np.sign(X @ random.normal(size=(4, 2)) + 0.8 * random.normal(size=(40, 2)))
    gram = Linear(1.0)(X) + 0.5
    solution = SupportVector(100.0, bias=bias).solve([gram], Targets.plain(y))
    for output in range(2):
        found = spans(solution, output)
        free, hard = (a[found.rows, output] for a in (solution.marginal, solution.hard))
        inside = np.column_stack([X, np.ones(40)])[found.rows]
        if np.linalg.matrix_rank(inside[free]) < 5:
            continue
        np.testing.assert_allclose(found.squares[hard], 0, atol=1e-5)
        assert (found.squares > -1e-5).all()
        return
    pytest.fail("no output has enough free rows to combine all others")
