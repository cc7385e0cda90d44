"""Files of sets: views side by side, other codings, and matrices between cases."""

import importlib.util

import numpy as np
import pytest

from kernelwise.data import Catalogue


@pytest.fixture(scope="module")
def stored(data_folder):
    return Catalogue(data_folder)


@pytest.fixture(scope="module")
def reader(data_folder):
    """The reader that comes with the benchmark sets."""
    spec = importlib.util.spec_from_file_location("benchmark_sets", data_folder / "load.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(folder, name="small", **arrays):
    """A sound file of twelve rows but for ``arrays``; those that are None are left out."""
    plain = {
        "X": np.arange(24.0).reshape(12, 2),
        "y": np.resize([-1, 1], 12),
        "feature_names": np.array(["length", "width"]),
    }
    kept = {key: array for key, array in (plain | arrays).items() if array is not None}
    np.savez(folder / f"{name}.npz", **kept)
    return Catalogue(folder)


def test_views_are_side_by_side_in_the_order_of_their_numbers(stored, reader, tmp_path):
    raw, named = reader.load("mkl_proteinfold"), stored.load("mkl_proteinfold")
    assert list(named.views) == [f"X_{number:02d}" for number in range(1, 13)]
    assert sorted(np.concatenate(list(named.views.values()))) == list(range(12 * 27))
    for view, columns in named.views.items():
        np.testing.assert_array_equal(named.X[:, columns], raw[view])
        assert [named.feature_names[column] for column in columns[:2]] == [f"{view}.1", f"{view}.2"]
    assert (named.splits["published"], len(named.split("published", 0)[0])) == (1, 311)
    views = {f"X_{number}": np.full((12, number), float(number)) for number in (10, 2, 1)}
    named = write(tmp_path, X=None, feature_names=None, **views).load("small")
    assert {view: len(columns) for view, columns in named.views.items()} == {
        "X_1": 1,
        "X_2": 2,
        "X_10": 10,
    }
    np.testing.assert_array_equal(named.X[0], [1, 2, 2, *[10] * 10])


def test_views_are_not_read_where_there_is_a_table(tmp_path):
    named = write(tmp_path, X_198=np.zeros((198, 3))).load("small")
    assert named.X.shape == (12, 2) and named.views == {}


def test_another_coding_of_the_same_rows_has_its_own_name(stored, reader, tmp_path):
    raw, named = reader.load("heart_statlog"), stored.load("heart_statlog_onehot28")
    np.testing.assert_array_equal(named.X, raw["X_onehot28"])
    assert named.feature_names == tuple(raw["names28"]) and named.X.shape == (270, 28)
    assert named.name == "heart_statlog_onehot28" and "heart_statlog.npz" in named.source
    assert stored.load("heart_statlog").X.shape == (270, 13)
    plain = write(tmp_path, "heart_statlog")
    assert "heart_statlog_onehot28" in plain.names()
    with pytest.raises(ValueError, match=r"heart_statlog\.npz .*it lacks 'X_onehot28'"):
        plain.load("heart_statlog_onehot28")


MATRICES = {"X": None, "feature_names": None}
CIRCLE = np.abs(np.subtract.outer(np.arange(12.0), np.arange(12.0)))


@pytest.mark.parametrize("kind", ["D", "K"])
def test_matrices_between_cases_become_kernels_of_case_numbers(tmp_path, kind):
    given = {f"{kind}_{number}": CIRCLE**number for number in (10, 2)}
    if kind == "K":
        given = {name: np.exp(-matrix / 7) for name, matrix in given.items()}
    splits = {"train_idx": [[4, 2, 0]], "test_idx": [[1, 3]]}
    named = write(tmp_path, **MATRICES, **given, **splits).load("small")
    np.testing.assert_array_equal(named.X, np.arange(12.0)[:, None])
    assert named.feature_names == ("case",) and named.matrices.are_distances == (kind == "D")
    X_train, _, X_test, _ = named.split("published", 0)
    assert (X_train[:, 0].tolist(), X_test[:, 0].tolist()) == ([4, 2, 0], [1, 3])
    stack = named.matrices.stack(X_train[:, 0].astype(int))
    assert stack.names == [f"{kind}_2", f"{kind}_10"]
    # Distances among the cases 4, 2 and 0, squared: 4, 4 and 16, on average 8.
    expected = np.exp(-(CIRCLE**2) / 8) if kind == "D" else given["K_2"]
    np.testing.assert_allclose(stack[0], expected, atol=1e-9)


def test_the_fingerprint_tells_matrices_and_views_apart(tmp_path):
    views = {"X_1": np.zeros((12, 1)), "X_2": np.ones((12, 2))}
    other = {"X_1": np.array([[0.0, 1.0]] * 12), "X_2": np.ones((12, 1))}
    changed = CIRCLE + 1e-9
    variants = [{"D_1": CIRCLE}, {"D_1": changed}, {"D_1": CIRCLE, "D_2": CIRCLE}]
    variants += [{"K_1": CIRCLE}, views, other]
    prints = [
        write(tmp_path, f"set{n}", **MATRICES, **changes).load(f"set{n}").fingerprint
        for n, changes in enumerate(variants)
    ]
    assert len(set(prints)) == len(variants)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X_1": np.zeros((12, 2)), "X_2": np.zeros((11, 2))}, r"the view X_2 .*\(11, 2\)"),
        ({"X_1": np.zeros(12)}, "the view X_1 has the shape"),
        ({"X_1": np.full((12, 1), np.inf)}, "X holds infinite values"),
        ({"D_1": CIRCLE, "K_1": CIRCLE}, "both distances .* and kernels"),
        ({"D_1": CIRCLE[:5]}, r"D_1 has the shape \(5, 12\), but y has 12 cases"),
    ],
)
def test_unsound_views_and_matrices_are_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=f"small.npz is not a sound benchmark set: .*{message}"):
        write(tmp_path, **MATRICES, **changes).load("small")
