"""Derivatives by differences of fourth order, central or (at a limit) forward."""

import numpy as np

CENTRAL = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
FORWARD = {0: -25 / 12, 1: 4.0, 2: -3.0, 3: 4 / 3, 4: -1 / 4}


def derivatives(function, point, step=2e-3):
    """``d function / d point``, the point's axis last; relative steps, forward if it is 0."""
    point = np.asarray(point, float)
    columns = []
    for i, coordinate in enumerate(point):
        stencil = FORWARD if coordinate == 0 else CENTRAL
        size = step * (abs(coordinate) if 0 < abs(coordinate) < 1 else 1)
        moves = size * np.eye(len(point))[i]
        total = sum(c * np.asarray(function(point + k * moves)) for k, c in stencil.items())
        columns.append(total / size)
    return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(function(point)), 0))


def assert_derivatives(given, function, point, rtol=1e-7, step=2e-3):
    """``given`` agrees with the differences, relative to the largest derivative."""
    expected = derivatives(function, point, step)
    assert given.shape == expected.shape
    scale = np.abs(expected).max(initial=1e-3)
    np.testing.assert_allclose(given, expected, rtol=rtol, atol=rtol * scale)
