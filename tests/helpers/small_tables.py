"""Small synthetic tables whose structure is known."""

from dataclasses import dataclass

import numpy as np
import pytest


@dataclass
class Split:
    """Rows to learn from and rows to judge by, from one distribution."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def split(X, y, n_train):
    return Split(X[:n_train], y[:n_train], X[n_train:], y[n_train:])


def binary_table(seed, n_train=60, n_test=300, noise=0.3):
    """Strings "no"/"yes": the sign of x0 + x1 / 2, blurred; x2 and x3 say nothing."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_train + n_test, 4))
    score = X[:, 0] + 0.5 * X[:, 1] + noise * random.normal(size=len(X))
    return split(X, np.where(score > 0, "yes", "no"), n_train)


@pytest.fixture(scope="session")
def binary():
    return binary_table(seed=0)


@pytest.fixture(scope="session")
def three_classes():
    """Three blobs in two of the four columns, labels out of alphabetical order."""
    random = np.random.default_rng(1)
    codes = random.integers(3, size=375)
    centers = np.array([[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7]])
    X = random.normal(size=(375, 4))
    X[:, :2] = centers[codes] + 0.8 * X[:, :2]
    return split(X, np.array(["red", "blue", "green"])[codes], 75)


def smooth_table(seed, n_train=60, n_test=300):
    """sin(2 x0) + x1 / 2 with noise of standard deviation 0.1; x2 says nothing."""
    random = np.random.default_rng(seed)
    X = random.uniform(-2, 2, size=(n_train + n_test, 3))
    y = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * random.normal(size=len(X))
    return split(X, y, n_train)


@pytest.fixture(scope="session")
def smooth():
    return smooth_table(seed=4)


@pytest.fixture(scope="session")
def draw_binary():
    """``draw_binary(seed, noise=...)``: more tables like ``binary``."""
    return binary_table


@pytest.fixture(scope="session")
def draw_smooth():
    """``draw_smooth(seed)``: more tables like ``smooth``."""
    return smooth_table
