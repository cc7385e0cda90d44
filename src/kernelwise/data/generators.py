"""Synthetic two-class sets of any size, with a known Bayes error.

Each ``maker(rows, seed)`` draws rows of both classes with probability 1/2 each (waveform: 1/3
and 2/3) and returns ``X`` and ``y`` in {-1, +1}; equal seeds give equal rows. The cost is
``rows`` times the number of features.

References
----------
L. Breiman, Bias, variance, and arcing classifiers, Technical Report 460, Statistics Department,
University of California, Berkeley, 1996 (twonorm, ringnorm).
L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, Wadsworth,
1984 (waveform).
"""

from collections.abc import Callable

import numpy as np

Rows = tuple[np.ndarray, np.ndarray]
Maker = Callable[[int, int], Rows]

BANANA_NOISE = 0.33
RING_RADIUS = 4.0
RING_FEATURES = 10


def twonorm(rows: int, seed: int) -> Rows:
    """Two normal clouds in 20 dimensions, means (a, ..., a) and (-a, ..., -a), a = 2 / sqrt(20).

    Bayes error Phi(-2) = 2.28 %, by the sign of the sum of the features.
    """
    random = _generator(rows, seed)
    y = random.choice([-1, 1], rows)
    return random.standard_normal((rows, 20)) + y[:, None] * 2 / np.sqrt(20), y


def ringnorm(rows: int, seed: int) -> Rows:
    """A wide normal cloud of variance 4 about 0 (+1), and a unit one about (a, ..., a) (-1),
    a = 2 / sqrt(20), as in the stored sets of this name.

    Bayes error 1.24 %: +1 where ``||x - 4/3 (a, ..., a)||^2 > (160 log 2 + 16/3) / 3``.
    """
    random = _generator(rows, seed)
    y = random.choice([-1, 1], rows)
    noise = random.standard_normal((rows, 20))
    return np.where(y[:, None] > 0, 2 * noise, noise + 2 / np.sqrt(20)), y


def waveform(rows: int, seed: int) -> Rows:
    """Mixtures of two of three triangular waves at 21 points, plus noise; one class against two."""
    random = _generator(rows, seed)
    at = np.arange(1, 22)
    waves = np.array([np.maximum(6 - np.abs(at - center), 0) for center in (11, 7, 15)])
    first, second = np.array([[0, 0, 1], [1, 2, 2]])[:, (kind := random.integers(3, size=rows))]
    share = random.random((rows, 1))
    X = share * waves[first] + (1 - share) * waves[second] + random.standard_normal((rows, 21))
    return X, np.where(kind == 0, -1, 1)


def banana(rows: int, seed: int) -> Rows:
    """Two crescents in 2 features, each with one end in the bend of the other.

    With an angle t uniform on [0, pi], +1 lies at (cos t, sin t) and -1, the same arch turned
    upside down, at (1 - cos t, 1/2 - sin t); both features get normal noise of deviation 0.33,
    so that the crescents overlap. Bayes error 10.2 % (integrated numerically).
    """
    random = _generator(rows, seed)
    y = random.choice([-1, 1], rows)
    angle = np.pi * random.random(rows)
    arch = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(y[:, None] > 0, arch, [1, 0.5] - arch)
    return X + BANANA_NOISE * random.standard_normal((rows, 2)), y


def ring(rows: int, seed: int) -> Rows:
    """A normal cloud (+1) inside a noisy ring (-1) in 2 of 10 features; the other 8 are noise.

    Every feature has unit normal noise. To the first two, -1 adds (R cos t, R sin t), with t
    uniform on [0, 2 pi] and R = 4. The likelihood ratio of -1 to +1 at distance r from the
    center is exp(-R^2 / 2) I_0(r R), I_0 the modified Bessel function: it rises with r, so that
    the best rule is a circle, of radius 2.52. Bayes error 4.62 %.
    """
    random = _generator(rows, seed)
    y = random.choice([-1, 1], rows)
    angle = 2 * np.pi * random.random(rows)
    X = random.standard_normal((rows, RING_FEATURES))
    circle = RING_RADIUS * np.column_stack([np.cos(angle), np.sin(angle)])
    X[:, :2] += np.where(y[:, None] < 0, circle, 0)
    return X, y


GENERATORS: dict[str, Maker] = {
    "twonorm": twonorm,
    "ringnorm": ringnorm,
    "waveform": waveform,
    "banana": banana,
    "ring": ring,
}


def _generator(rows: int, seed: int) -> np.random.Generator:
    if rows < 2:
        raise ValueError(f"a set of {rows} rows was asked for: two classes need 2 rows or more")
    return np.random.default_rng(seed)
