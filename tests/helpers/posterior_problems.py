"""Posteriors of support vector machines by brute force, for the tests of those that are quicker."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from kernelwise.kernels import Gaussian
from kernelwise.solutions import Targets

LOSSES = ("hinge", "squared_hinge")
every_loss = pytest.mark.parametrize("loss", LOSSES)


def loss_of(z, loss):
    """The loss of a margin, as it is defined."""
    missing = np.maximum(1 - z, 0.0)
    return missing if loss == "hinge" else 0.5 * missing**2


@dataclass(frozen=True)
class Tilted:
    """``Normal(z; m, v) exp(-C loss(z))``: the log of its integral, and its moments."""

    log_z: float
    mean_offset: float
    variance: float
    mean_loss: float


def tilted(m, v, C, loss):
    """By adaptive quadrature on either side of the margin, in panels that widen from its peak."""
    square = loss == "squared_hinge"
    curvature = 1 / v + C * square
    below = min(m + C * (1 - m if square else 1) / curvature, 1.0)
    above = max(m, 1.0)
    push = C * (1 - below if square else 1) - (below - m) / v
    pull = (above - m) / v
    sides = [  # where the peak is, where it ends, and how fast the exponent falls
        (below, -np.inf, max(abs(push), curvature**0.5)),
        (below, 1.0, max(abs(push), curvature**0.5)),
        (above, 1.0, max(pull, v**-0.5)),
        (above, np.inf, max(pull, v**-0.5)),
    ]

    def exponent(z):
        return -C * loss_of(z, loss) - 0.5 * (z - m) ** 2 / v

    top = max(exponent(below), exponent(above))

    def integral(function):
        total = 0.0
        for peak, end, steep in sides:
            direction = np.sign(end - peak)
            edges = np.append(0.0, 2.0 ** np.arange(-2, 8)) / steep
            edges = np.unique(np.minimum(edges, abs(end - peak)))

            def inside(t, peak=peak, direction=direction):
                z = peak + direction * t
                return function(z) * np.exp(exponent(z) - top)

            for low, high in pairwise(edges):
                if exponent(peak + direction * low) > top - 60:
                    total += quad(inside, low, high, epsabs=1e-300, epsrel=1e-13)[0]
        return total

    z0 = integral(lambda z: 1.0)
    mean = integral(lambda z: z - m) / z0
    variance = integral(lambda z: (z - m - mean) ** 2) / z0
    mean_loss = integral(lambda z: loss_of(z, loss)) / z0
    log_z = np.log(z0) + top - 0.5 * np.log(2 * np.pi * v)
    return Tilted(log_z, mean, variance, mean_loss)


@dataclass(frozen=True)
class Exact:
    """One output's posterior at two or three rows, by a sum over a fine grid.

    ``gram_gradient`` is ``(E[a a'] - K^-1) / 2`` with ``a = K^-1 f``, that of the prior's density.
    """

    evidence: float
    means: np.ndarray
    variances: np.ndarray
    gram_gradient: np.ndarray
    C_gradient: float


def exact(gram, y, C, loss, weights=None):
    """The exact posterior of outputs with prior ``Normal(0, gram)``."""
    n = len(y)
    weights = np.ones(n) if weights is None else weights
    axis = np.linspace(-8, 8, {1: 20001, 2: 1201, 3: 161}[n])
    grids = np.meshgrid(*[axis] * n, indexing="ij")
    whitened = np.stack([grid.ravel() for grid in grids])
    outputs = np.linalg.cholesky(gram) @ whitened
    losses = weights @ loss_of(y[:, None] * outputs, loss)
    prior = np.exp(-0.5 * (whitened**2).sum(axis=0))
    shares = prior * np.exp(-C * losses)
    z = shares.sum()
    shares /= z
    means, inverse = outputs @ shares, np.linalg.inv(gram)
    squares = (outputs * shares) @ outputs.T
    return Exact(
        evidence=float(np.log(z / prior.sum())),
        means=means,
        variances=np.diagonal(squares) - means**2,
        gram_gradient=0.5 * (inverse @ squares @ inverse - inverse),
        C_gradient=-float(losses @ shares),
    )


def few_rows(n):
    """A Gram matrix of correlated rows, and labels of both classes."""
    gram = np.array([[1.5, 0.9, -0.4], [0.9, 2.0, 0.3], [-0.4, 0.3, 1.0]])[:n, :n]
    return gram, np.array([1.0, -1.0, -1.0])[:n]


def rows(n, seed=0, n_outputs=1, weighted=False, amplitude=1.0):
    """A Gram matrix of a Gaussian kernel on noisy rows, and their targets."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    score = X @ random.normal(size=(3, n_outputs)) + 0.5 * random.normal(size=(n, n_outputs))
    weights = random.uniform(0.3, 3, n) if weighted else None
    gram = amplitude * Gaussian(1.5)(X) + 0.3
    return gram, Targets.plain(np.where(score > 0, 1.0, -1.0), weights)
