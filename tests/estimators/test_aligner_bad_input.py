"""KernelAligner refuses bad input early, in a sentence."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from kernelwise import KernelAligner
from kernelwise.kernels import Gaussian, Linear


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kernel": []}, "empty list"),
        ({"kernel": ["gaussian", "precomputed"]}, "cannot be in a list"),
        ({"kernel": ["gaussian", Linear()]}, "give only one kind"),
        ({"kernel": Gaussian([1.0, 1.0])}, "the kernel has 2 length scales, but X has 13"),
        ({"threshold": "a"}, "threshold must be"),
        ({"spread": None}, "spread must be"),
        ({"kernel": "gausian"}, "unknown kernel"),
        ({"kernel": ["gaussian", "gausian"]}, "unknown kernel"),
        ({"task": "classify"}, "task must be one of"),
        ({"start": "near"}, "start must be one of"),
        ({"threshold": 2.0}, "threshold must be"),
        ({"searcher": "rprop"}, "searcher must be None, one of"),
        ({"n_restarts": -1}, "n_restarts must be"),
    ],
)
def test_settings(settings, message, wine):
    with pytest.raises(ValueError, match=message):
        KernelAligner(**settings).fit(*wine)


def test_targets(wine):
    X, _ = wine
    with pytest.raises(ValueError, match="one class only"):
        KernelAligner().fit(X, np.repeat("a", 178))
    with pytest.raises(ValueError, match="the same in every row"):
        KernelAligner(task="regression").fit(X, np.ones(178))
    with pytest.raises(ValueError, match="y is None"):
        KernelAligner().fit(X, None)


def test_weights_that_leave_one_class(wine):
    X, y = wine
    with pytest.raises(ValueError, match="all rows of positive weight"):
        KernelAligner().fit(X, y, sample_weight=(y == 1).astype(float))


@pytest.mark.parametrize(
    ("grams", "message"),
    [
        (np.ones((2, 3, 4)), "square|shape"),
        (np.ones(4), r"\(kernels, rows, rows\)"),
        (np.arange(18.0).reshape(2, 3, 3), "symmetric"),
        (np.full((1, 3, 3), np.nan), "missing|finite|NaN"),
    ],
)
def test_gram_matrices(grams, message):
    with pytest.raises(ValueError, match=message):
        KernelAligner("precomputed").fit(grams, ["a", "b", "a"])


def test_gram_matrices_of_new_rows():
    grams = np.stack([np.eye(3), np.ones((3, 3))])
    aligner = KernelAligner("precomputed").fit(grams, ["a", "b", "a"])
    with pytest.raises(ValueError, match="fit had 2 kernels and 3 rows"):
        aligner.transform(np.ones((2, 5, 4)))
