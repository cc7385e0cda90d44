"""Kernels as phrases for people."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF

from kernelwise import kernels
from kernelwise.kernels import (
    Constant,
    FromSklearn,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Normalized,
    OnColumns,
    Polynomial,
    Precomputed,
    RationalQuadratic,
)
from kernelwise.parameters import Parameter


class Made(Kernel):
    """A user's kernel without words of its own."""

    parameters = (Parameter("width", 0.25, (0.1, 9.0)), Parameter("height", 1234.5, (0.1, 9999.0)))


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (Gaussian(2.5), "Gaussian with length scale 2.5"),
        (Laplacian([4.0]), "Laplacian with length scale 4"),
        (Gaussian(1e7), "Gaussian with length scale 1e+07"),
        (
            Laplacian([4, np.inf, 0.5]),
            "Laplacian with a length scale per feature, from 0.5 to 4; 1 of 3 is not used",
        ),
        (Gaussian([np.inf, 2e6]), "Gaussian with a length scale per feature; 2 of 2 are not used"),
        (
            1.3712 * (Gaussian([11.31, 321.4]) + Constant(0.14142)),
            "Gaussian with a length scale per feature, from 11.3 to 321, offset 0.141, "
            "amplitude 1.37",
        ),
        (RationalQuadratic(2, shape=1.5), "RationalQuadratic with length scale 2, shape 1.5"),
        (Linear(3), "Linear with length scale 3"),
        (Polynomial(2, 0.5, 3), "Polynomial of degree 2 with length scale 3, offset 0.5"),
        (
            Gaussian(2) * Linear(),
            "Product of Gaussian with length scale 2 and Linear with length scale 1",
        ),
        (Normalized(Linear()), "Normalized of Linear with length scale 1"),
        (OnColumns(Gaussian(2), [0, 3]), "Gaussian with length scale 2 on columns 0, 3"),
        (FromSklearn(2.0 * RBF(3.0)), "1.41**2 * RBF(length_scale=3)"),
        (Precomputed(), "Precomputed"),
        (Made(), "Made with width 0.25, height 1.23e+03"),
    ],
)
def test_a_kernel_in_words(kernel, words):
    assert kernel.words() == words


@pytest.mark.parametrize("columns", [1, 2000])
def test_words_are_one_short_line_however_many_columns(columns):
    made = [
        kind(length_scale=np.linspace(1, 9, columns))
        for kind in map(kernels.__dict__.get, kernels.__all__)
        if isinstance(kind, type) and issubclass(kind, (kernels.Radial, Polynomial))
        if kind is not kernels.Radial
    ]
    assert len(made) >= 7
    for kernel in made:
        words = (2 * (kernel + Constant())).words()
        assert type(kernel).__name__ in words
        assert "\n" not in words and len(words) < 150
