"""Sets by name: where they are found, their splits, and what is said when something is wrong."""

import importlib.util
import pickle
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from kernelwise.data import Catalogue
from kernelwise.data.catalogue import BUNDLED, _from_frame
from kernelwise.data.generators import GENERATORS, twonorm
from kernelwise.errors import ArgumentError


@pytest.fixture
def no_folder(monkeypatch):
    monkeypatch.delenv("KERNELWISE_DATA", raising=False)
    return Catalogue()


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


def small_arrays(rows=12, **changes):
    """The arrays of a small sound file, some of them changed; None leaves one out."""
    arrays = {
        "X": np.arange(2.0 * rows).reshape(rows, 2),
        "y": np.resize([-1, 1], rows),
        "feature_names": np.array(["length", "width"]),
    }
    return {key: array for key, array in (arrays | changes).items() if array is not None}


def write(folder, name="small", **arrays):
    np.savez(folder / f"{name}.npz", **small_arrays(**arrays))
    return Catalogue(folder)


def assert_same_split(split, other):
    for part, expected in zip(split, other, strict=True):
        np.testing.assert_array_equal(part, expected)


def test_a_file_of_the_folder_goes_before_the_generator_of_its_name(tmp_path, no_folder):
    catalogue = write(tmp_path, "twonorm")
    assert catalogue.load("twonorm").X.shape == (12, 2)
    assert "file" in catalogue.names()["twonorm"]
    assert no_folder.load("twonorm").X.shape == (5400, 20)
    assert "generator" in no_folder.names()["twonorm"]


def test_a_file_of_the_folder_goes_before_the_bundled_set_of_its_name(tmp_path, no_folder):
    assert write(tmp_path, "iris").load("iris").feature_names == ("length", "width")
    assert no_folder.load("iris").X.shape == (150, 4)


def test_the_folder_may_come_from_the_environment(tmp_path, monkeypatch):
    write(tmp_path)
    monkeypatch.setenv("KERNELWISE_DATA", str(tmp_path))
    assert Catalogue().load("small").y.tolist() == [-1, 1] * 6


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="elsewhere does not exist: correct") as refused:
        Catalogue(tmp_path / "elsewhere")
    assert refused.value.argument == "folder"


def test_names_lists_every_place_without_loading(tmp_path):
    (tmp_path / "broken.npz").write_bytes(b"nothing to load")
    names = Catalogue(tmp_path).names()
    assert set(names) == {"broken", *BUNDLED, *GENERATORS}


def test_a_name_never_leads_out_of_the_folder(tmp_path):
    write(tmp_path)
    (tmp_path / "inner").mkdir()
    with pytest.raises(ValueError, match=r"no set is called '\.\./small'"):
        Catalogue(tmp_path / "inner").load("../small")


def test_an_unknown_name_suggests_close_ones_and_the_folder(no_folder):
    with pytest.raises(ArgumentError, match=r"did you mean 'twonorm'.*KERNELWISE_DATA") as refused:
        no_folder.load("twonrm")
    assert refused.value.argument == "folder"
    with pytest.raises(ArgumentError, match="known ones begin with 'breast_cancer'"):
        no_folder.load("qqqqqq")


@pytest.mark.parametrize(("name", "task"), BUNDLED.items())
def test_bundled_sets_have_a_name_for_each_feature(no_folder, name, task):
    named = no_folder.load(name)
    assert named.task == task
    assert named.X.shape == (len(named.y), len(named.feature_names))
    of_classes = {"folds": 10, "thirds": 1000} if task == "classification" else {}
    assert named.splits == {"random": 1000} | of_classes


@pytest.mark.parametrize("name", ["ida_banana", "ida_heart", "ida_thyroid", "ida_image", "wdbc"])
def test_published_splits_are_those_of_the_reader(stored, reader, name):
    named = stored.load(name)
    for number in {0, named.splits["published"] - 1}:
        assert_same_split(named.split("published", number), reader.split(name, number))


@pytest.mark.parametrize("name", ["ida_diabetis", "ida_heart", "ida_splice", "crabs"])
def test_generated_splits_are_those_of_the_reader(stored, reader, name):
    named = stored.load(name)
    for number in {0, named.splits["generated"] - 1}:
        assert_same_split(named.split("generated", number), reader.split(name, number, "gen"))


@pytest.mark.parametrize(
    ("name", "splits"),
    [
        ("ida_banana", {"published": 5, "generated": 100}),
        ("ida_twonorm", {"published": 1, "generated": 100}),
        ("ida_splice", {"published": 1, "generated": 20}),
        ("ida_diabetis", {"generated": 100}),
        ("pima_ripley", {"published": 1, "random": 1000}),
        ("sonar", {"random": 1000}),
    ],
)
def test_a_stored_set_has_its_own_splits_and_random_ones_only_without_generated(
    stored, name, splits
):
    assert stored.load(name).splits == splits | {"folds": 10, "thirds": 1000}


def test_every_stored_set_loads(stored, reader):
    for name in reader.names():
        named = stored.load(name)
        assert np.isfinite(named.X).all()
        assert named.X.shape == (len(named.y), len(named.feature_names))
        assert (named.task, named.y.dtype) == ("classification", np.dtype(int))
        assert named.source.startswith(f"file {name}.npz")
        assert bool(named.views) == (name == "mkl_proteinfold") and named.matrices is None


def test_missing_values_come_from_the_imputed_copy(stored, reader):
    raw, named = reader.load("labor"), stored.load("labor")
    assert np.isnan(raw["X"]).any()
    np.testing.assert_array_equal(named.X, raw["X_imp"])


def test_missing_values_without_an_imputed_copy_stay_missing(tmp_path):
    X = small_arrays()["X"]
    X[3, 1] = np.nan
    assert np.isnan(write(tmp_path, X=X).load("small").X).sum() == 1


def test_notes_say_that_a_published_split_is_inferred(stored):
    assert "inferred: 1 of 100" in stored.load("ida_thyroid").notes


def test_a_generator_draws_fresh_rows_for_each_number(no_folder):
    named = no_folder.load("twonorm")
    X_train, y_train, X_test, y_test = named.split("random", 3)
    assert (X_train.shape, X_test.shape) == ((400, 20), (5000, 20))
    X, y = twonorm(5400, seed=3)
    np.testing.assert_array_equal(np.vstack([X_train, X_test]), X)
    np.testing.assert_array_equal(np.hstack([y_train, y_test]), y)
    assert not np.isin(X_train, named.split("random", 4)[0]).any()


@pytest.mark.parametrize(
    ("kind", "number", "message"),
    [
        ("official", 0, "no splits 'official'; it has published 0 to 1; random 0 to 999"),
        ("generated", 0, "no splits 'generated'; it has published 0 to 1; random 0 to 999"),
        ("published", 2, "no published split 2; it has published 0 to 1"),
        ("published", -1, "no published split -1"),
        ("random", 1000, "no random split 1000"),
        ("random", 0.5, r"no random split 0\.5"),
    ],
)
def test_a_split_that_is_not_there_is_refused(tmp_path, kind, number, message):
    splits = {"train_idx": [[0, 1, 2], [3, 4, 5]], "test_idx": [[6, 7], [8, 9]]}
    with pytest.raises(ValueError, match=message):
        write(tmp_path, **splits).load("small").split(kind, number)


def test_the_fingerprint_tells_rows_labels_and_splits_apart(tmp_path):
    arrays = small_arrays()
    splits = {"train_idx": [[0, 1, 2]], "test_idx": [[3, 4]]}
    variants = {
        "plain": {},
        "rows": {"X": arrays["X"] + 1e-12},
        "labels": {"y": -arrays["y"]},
        "published": splits,
        "others": splits | {"test_idx": [[3, 5]]},
        "generated": {"train_idx_gen": [[0, 1, 2]]},
    }
    prints = {
        name: write(tmp_path, name, **changes).load(name).fingerprint
        for name, changes in variants.items()
    }
    assert len(set(prints.values())) == len(variants)
    assert all(len(value) == 16 and int(value, 16) >= 0 for value in prints.values())
    assert write(tmp_path, "same").load("same").fingerprint == prints["plain"]


@pytest.mark.parametrize("name", ["banana", "iris"])
def test_pickles_of_the_catalogue_and_of_a_set_give_the_same_splits(no_folder, name):
    named = no_folder.load(name)
    again = pickle.loads(pickle.dumps(no_folder)).load(name)
    copied = pickle.loads(pickle.dumps(named))
    for other in (again, copied):
        assert other.fingerprint == named.fingerprint
        assert_same_split(other.split("random", 5), named.split("random", 5))
    assert len(pickle.dumps(no_folder)) < 1000


def test_a_loaded_set_is_kept_and_cannot_be_changed(no_folder):
    named = no_folder.load("wine")
    assert no_folder.load("wine") is named
    with pytest.raises(ValueError, match="read-only"):
        named.X[0, 0] = 0
    named.split("random", 0)[0][0, 0] = 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": None}, "it lacks 'X'"),
        ({"y": None}, "it lacks 'y'"),
        ({"X": np.zeros(12)}, "disagree about its shape"),
        ({"y": np.array([1, 2, 3])}, "disagree about its shape"),
        ({"y": np.ones((12, 2))}, "y is not one value for each row"),
        ({"y": np.array([np.nan, *range(11)])}, "y has missing or infinite values"),
        ({"feature_names": np.array(["length"])}, "disagree about its shape"),
        ({"X": np.full((12, 2), np.inf)}, "X holds infinite values"),
        ({"X_imp": np.zeros((12, 3))}, "differ in shape"),
        ({"train_idx": [[0, 1]]}, "it lacks 'test_idx'"),
        ({"train_idx": [[0, 1]], "test_idx": [[1, 2]]}, "published splits name rows twice"),
        ({"train_idx": [[0, 1]], "test_idx": [[2, 12]]}, "rows that do not exist"),
        ({"train_idx": [[0], [1]], "test_idx": [[2]]}, "differ in number of splits"),
        ({"train_idx_gen": [[0, 0], [1, 2]]}, "not a sound benchmark set"),
        ({"train_idx_gen": [[0, 12]]}, "not a sound benchmark set"),
        ({"X": np.array([["a", "b"]] * 12)}, "not a sound benchmark set"),
        ({"y": np.array([{}] * 12, dtype=object)}, "without pickles"),
    ],
)
def test_a_foreign_file_is_refused_by_its_name_alone(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message) as caught:
        write(tmp_path, **changes).load("small")
    assert str(caught.value).startswith("small.npz ")
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("damage", ["text", "empty", "one array", "cut", "foreign archive"])
def test_a_damaged_file_is_refused_by_its_name_alone(tmp_path, damage):
    catalogue, path = write(tmp_path), tmp_path / "small.npz"
    if damage == "one array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif damage == "foreign archive":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("letter.txt", "no numbers")
    else:
        left = {"text": b"length,width\n1,2\n", "empty": b"", "cut": path.read_bytes()[:-300]}
        path.write_bytes(left[damage])
    with pytest.raises(ValueError, match=r"^small\.npz ") as caught:
        catalogue.load("small")
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize(
    ("y", "task", "kind"),
    [
        (np.resize(["no", "yes"], 12), "classification", "U"),
        (np.resize([-1.0, 1.0], 12), "classification", "i"),
        (np.resize([True, False], 12), "classification", "i"),
        (np.arange(12.0), "regression", "f"),
        (np.resize([0.5, 1.0], 12), "regression", "f"),
    ],
)
def test_the_labels_of_a_file_tell_the_task(tmp_path, y, task, kind):
    named = write(tmp_path, y=y).load("small")
    assert (named.task, named.y.dtype.kind) == (task, kind)


def test_a_table_becomes_numbers_and_ranks_of_levels():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "color": pd.Categorical(["red", "blue", None, "red"]),
            "size": [1.5, np.nan, 2.0, 0.0],
            "kind": pd.Categorical(["b", "a", "a", "b"]),
        }
    )
    named = _from_frame("openml:1", frame, "kind", "OpenML")
    assert named.feature_names == ("size", "color")
    np.testing.assert_array_equal(named.X, [[1.5, 1], [np.nan, 0], [2, np.nan], [0, 1]])
    assert (named.y.tolist(), named.task) == (["b", "a", "a", "b"], "classification")
    assert named.y.dtype.kind == "U"
    assert named.splits == {"random": 1000, "thirds": 1000}


def test_openml_out_of_reach_is_said_clearly(tmp_path):
    pytest.importorskip("pandas")
    # Nothing listens on port 9: a network that is cut off. In a process of its own, because
    # Python asks for the proxy only once.
    cut_off = {"https_proxy": "http://127.0.0.1:9", "no_proxy": ""}
    code = "from kernelwise.data import Catalogue; Catalogue().load('openml:iris')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=cut_off | {"SCIKIT_LEARN_DATA": str(tmp_path)},
    )
    said = done.stderr.strip().splitlines()[-1]
    assert re.match("OSError: 'openml:iris' is not among .*asking OpenML .*failed: .*refused", said)


def test_openml_needs_a_name(no_folder):
    pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="write the name or number of the set after 'openml:'"):
        no_folder.load("openml:")


@pytest.mark.slow  # asks OpenML, unless it did so before
@pytest.mark.filterwarnings("ignore:A network error occurred")
def test_openml_gives_iris(no_folder):
    pytest.importorskip("pandas")
    try:
        named = no_folder.load("openml:61")
    except OSError as error:
        pytest.skip(f"OpenML is out of reach: {error}")
    assert named.X.shape == (150, 4)
    assert set(named.y) == {"Iris-setosa", "Iris-versicolor", "Iris-virginica"}
