"""iRprop+ takes a step back if, and only if, it has passed a minimum and made things worse."""

import numpy as np

from kernelwise.searchers import Evaluation, Rprop

WIDE = np.array([[-9.0, 9.0]])


def valley(point):
    return Evaluation(float(np.abs(point[0])), np.sign(point))


def points(start):
    rprop = Rprop(max_iterations=3, first_step=0.3, gradient_tolerance=0.0)
    return np.ravel(rprop(valley, np.array([start]), WIDE).points)


def test_a_worse_point_beyond_the_minimum_is_left_for_the_one_before():
    np.testing.assert_allclose(points(0.1), [0.1, -0.2, 0.1, -0.05])


def test_a_better_one_is_kept():
    np.testing.assert_allclose(points(0.2), [0.2, -0.1, -0.1, 0.05])


def test_steps_grow_on_a_slope():
    rprop = Rprop(max_iterations=3, first_step=0.3)
    found = rprop(lambda point: Evaluation(float(point[0]), np.ones(1)), np.zeros(1), WIDE)
    np.testing.assert_allclose(np.ravel(found.points), [0.0, -0.3, -0.66, -1.092])
