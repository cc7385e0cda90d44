"""The alignment over two widths against Gram matrices written out, and where its grid lies."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from kernelwise import KernelAligner
from kernelwise.insight.alignment_surface import alignment_surface


def standardized(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def centered(gram):
    H = np.eye(len(gram)) - 1 / len(gram)
    return H @ gram @ H


def cosine(gram, ideal):
    return (gram * ideal).sum() / np.linalg.norm(gram) / np.linalg.norm(ideal)


def gaussian(rows, widths):
    """The paper's kernel: one width per column, every difference written out."""
    scaled = (rows[:, None] - rows) / widths
    return np.exp(-(scaled**2).sum(axis=2) / 2)


def laplacian(rows, widths):
    return np.exp(-(np.abs(rows[:, None] - rows) / widths).sum(axis=2))


def ideal_of(y):
    """Class indicators, each class at unit weight; for quantities their products."""
    if y.dtype.kind == "f":
        return np.outer(y, y)
    indicators = (y[:, None] == np.unique(y)) / np.sqrt([(y == own).sum() for own in np.unique(y)])
    return indicators @ indicators.T


def check_values(surface, aligner, X, y, formula, columns):
    """Every value, at widths that replace two of the learned ones."""
    rows, ideal = standardized(X), centered(ideal_of(y))
    widths = np.array(aligner.kernel_.kernel.length_scale)
    for i, first in enumerate(surface.first):
        for j, second in enumerate(surface.second):
            widths[list(columns)] = 10.0**first, 10.0**second
            expected = cosine(centered(formula(rows, widths)), ideal)
            assert surface.values[i, j] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("kernel", "formula"), [("ard", gaussian), ("ard-laplacian", laplacian)], ids=["ard", "laplace"]
)
def test_two_classes_by_definition(binary, kernel, formula):
    aligner = KernelAligner(kernel).fit(binary.X, binary.y)
    surface = alignment_surface(aligner, binary.X, binary.y, points=5)
    check_values(surface, aligner, binary.X, binary.y, formula, (0, 1))
    assert surface.values.shape == (5, 5)


def test_several_classes_by_definition(three_classes):
    X, y = three_classes.X, three_classes.y
    aligner = KernelAligner().fit(X, y)
    surface = alignment_surface(aligner, X, y, features=(3, 1), points=4)
    check_values(surface, aligner, X, y, gaussian, (3, 1))
    assert surface.names == ("x3", "x1")


def test_quantities_by_definition(smooth):
    aligner = KernelAligner().fit(smooth.X, smooth.y)
    surface = alignment_surface(aligner, smooth.X, smooth.y, features=(1, 2), points=4)
    check_values(surface, aligner, smooth.X, smooth.y, gaussian, (1, 2))


def test_the_learnt_widths_are_in_the_middle_and_as_well_aligned_as_was_learnt(binary):
    aligner = KernelAligner().fit(binary.X, binary.y)
    surface = alignment_surface(aligner, binary.X, binary.y, decades=1.5, points=7)
    assert surface.learnt == pytest.approx(np.log10(aligner.kernel_.kernel.length_scale[:2]))
    for grid, learnt in zip((surface.first, surface.second), surface.learnt, strict=True):
        assert grid == pytest.approx(np.linspace(learnt - 1.5, learnt + 1.5, 7))
    assert surface.values[3, 3] == pytest.approx(aligner.alignment_, abs=1e-10)
    assert surface.values.max() == pytest.approx(surface.values[3, 3], abs=0.01)


def test_a_feature_that_was_filtered_out_has_a_grid_around_the_others(binary):
    aligner = KernelAligner(threshold=0.5).fit(binary.X, binary.y)
    left = aligner.selected_features_
    (out, *_) = np.setdiff1d(np.arange(4), left)
    surface = alignment_surface(aligner, binary.X, binary.y, (left[0], out), points=3)
    assert surface.learnt[1] == np.inf
    middle = np.median(np.log10(aligner.kernel_.kernel.length_scale[left]))
    assert surface.second == pytest.approx(middle + np.array([-2, 0, 2]))
    assert np.isfinite(surface.values).all()
    # Two decades wider than the others, the feature is as good as switched off.
    assert surface.values[1, 2] == pytest.approx(aligner.alignment_, abs=1e-3)


def test_features_by_name_of_a_frame(binary):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(binary.X, columns=["height", "weight", "age", "shoe"])
    aligner = KernelAligner().fit(frame, binary.y)
    by_name = alignment_surface(aligner, frame, binary.y, ("weight", "age"), points=3)
    by_number = alignment_surface(aligner, frame, binary.y, (1, 2), points=3)
    assert by_name.names == by_number.names == ("weight", "age")
    np.testing.assert_array_equal(by_name.values, by_number.values)
    with pytest.raises(ValueError, match=r"no feature 'size': .* \(height, weight, age, shoe\)"):
        alignment_surface(aligner, frame, binary.y, ("weight", "size"))


def test_categories_have_a_width_too(binary):
    pandas = pytest.importorskip("pandas")
    levels = np.where(binary.X[:, 0] > 0, "tall", "small")
    frame = pandas.DataFrame({"size": levels, "weight": binary.X[:, 1]})
    aligner = KernelAligner().fit(frame, binary.y)
    surface = alignment_surface(aligner, frame, binary.y, points=3)
    weight = standardized(binary.X[:, [1]])
    differ = levels[:, None] != levels
    for i, first in enumerate(surface.first):
        for j, second in enumerate(surface.second):
            gram = np.exp(-1.0 * differ / 10.0**first) * gaussian(weight, 10.0**second)
            expected = cosine(centered(gram), centered(ideal_of(binary.y)))
            assert surface.values[i, j] == pytest.approx(expected, abs=1e-10)


def test_the_order_of_features_swaps_the_axes_and_threads_change_nothing(binary):
    aligner = KernelAligner().fit(binary.X, binary.y)
    surface = alignment_surface(aligner, binary.X, binary.y, (0, 2), points=4)
    swapped = alignment_surface(aligner.set_params(n_jobs=2), binary.X, binary.y, (2, 0), points=4)
    assert (swapped.first == surface.second).all() and (swapped.second == surface.first).all()
    np.testing.assert_array_equal(swapped.values, surface.values.T)


def test_some_rows_give_a_quick_look(binary):
    aligner = KernelAligner().fit(binary.X, binary.y)
    whole = alignment_surface(aligner, binary.X, binary.y, points=3)
    some = alignment_surface(aligner, binary.X[::2], binary.y[::2], points=3)
    assert (some.first == whole.first).all()
    assert np.abs(some.values - whole.values).max() < 0.15


def test_few_rows_are_read_as_all_were_in_fit(three_classes):
    """Three numbers on eight rows would look like quantities; and the aligner is not changed."""
    X, codes = three_classes.X, np.unique(three_classes.y, return_inverse=True)[1]
    aligner = KernelAligner().fit(X, codes)
    surface = alignment_surface(aligner, X[:8], codes[:8], points=2)
    widths = np.array(aligner.kernel_.kernel.length_scale)
    widths[:2] = 10.0 ** surface.first[1], 10.0 ** surface.second[0]
    rows = (X[:8] - X.mean(axis=0)) / X.std(axis=0)
    expected = cosine(centered(gaussian(rows, widths)), centered(ideal_of(codes[:8])))
    assert surface.values[1, 0] == pytest.approx(expected, abs=1e-10)
    alignment_surface(aligner, X[codes > 0], codes[codes > 0], points=2)
    assert aligner.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": (0,)}, "features must be two column numbers or names"),
        ({"features": "01"}, "features must be two column numbers or names"),
        ({"features": (0, 4)}, "there is no feature 4: give two numbers from 0 to 3"),
        ({"features": (0, -1)}, "there is no feature -1"),
        ({"features": (0, "age")}, r"there is no feature 'age': .* \(x0, x1, x2, x3\)"),
        ({"features": (2, 2)}, "the two features must differ"),
        ({"decades": 0}, "decades must be a positive, finite number, got 0"),
        ({"decades": np.inf}, "decades must be a positive, finite number, got inf"),
        ({"points": 1}, "points must be a whole number of 2 or more, got 1"),
        ({"points": 2.5}, "points must be a whole number of 2 or more, got 2.5"),
    ],
)
def test_bad_settings_are_refused(binary, options, message):
    aligner = KernelAligner().fit(binary.X, binary.y)
    with pytest.raises(ValueError, match=message):
        alignment_surface(aligner, binary.X, binary.y, **options)


def test_rows_and_targets_must_fit_together(binary):
    aligner = KernelAligner().fit(binary.X, binary.y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        alignment_surface(aligner, binary.X, binary.y[:-1])
    with pytest.raises(ValueError, match="features"):
        alignment_surface(aligner, binary.X[:, :3], binary.y)


@pytest.mark.parametrize("kernel", ["gaussian", "linear", "ard-linear", ["ard", "gaussian"]])
def test_only_kernels_with_a_width_per_feature_have_a_surface(binary, kernel):
    aligner = KernelAligner(kernel).fit(binary.X, binary.y)
    with pytest.raises(ValueError, match="one width per feature"):
        alignment_surface(aligner, binary.X, binary.y)


def test_gram_matrices_have_no_widths(binary):
    grams = gaussian(binary.X, 1.0)[None]
    aligner = KernelAligner("precomputed").fit(grams, binary.y)
    with pytest.raises(ValueError, match="one width per feature"):
        alignment_surface(aligner, grams, binary.y)


def test_an_aligner_must_be_fitted_first(binary):
    with pytest.raises(NotFittedError):
        alignment_surface(KernelAligner(), binary.X, binary.y)
