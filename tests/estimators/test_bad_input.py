"""Bad input is refused before any work, in words that say what to do; odd input still fits."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import ShuffleSplit

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.lssvm import SELECTIONS
from kernelwise.kernels import Gaussian, Kernel
from kernelwise.kernels.names import KERNEL_NAMES
from kernelwise.parameters import Parameter
from kernelwise.searchers import QuasiNewton
from kernelwise.selections import Selection

BOTH = [LSSVMClassifier, LSSVMRegressor]


class Untouched(Selection):
    """A selection that must not be reached: bad input is to be refused before any work."""

    def __call__(self, problem):
        raise AssertionError("the search began although the input is bad")


@pytest.fixture(params=BOTH, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


def rows(n=12, d=3):
    X = np.random.default_rng(0).normal(size=(n, d))
    return X, (X[:, 0] > np.median(X[:, 0])).astype(float)


def refuse(model, X, y, message, **fit):
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(X, y, **fit)
    assert not hasattr(model, "dual_coef_")


def broken(value):
    X, _ = rows()
    X[4, 1] = value
    return X


BAD_X = {
    "infinity": (broken(np.inf), r"X contains infinity"),
    "minus infinity": (broken(-np.inf), r"X contains infinity"),
    "text in an array": (
        np.array([["a", 1.0, 2.0]] * 12, dtype=object),
        r"(?s)text.*data frame.*encode them as numbers",
    ),
    "array of strings": (
        np.array([["a", "b", "c"]] * 12),
        r"(?s)text.*data frame.*encode them as numbers",
    ),
    "one dimension": (np.arange(12.0), r"(?s)Expected 2D array.*reshape"),
    "three dimensions": (np.zeros((12, 2, 2)), r"dim 3"),
    "sparse": (csr_matrix(rows()[0]), r"(?i)(?s)sparse.*dense"),
    "no rows": (np.empty((0, 3)), r"0 sample\(s\)"),
    "no columns": (np.empty((12, 0)), r"0 feature\(s\)"),
    "empty frame": (pd.DataFrame(), r"(0 sample|0 feature)"),
    "frame without columns": (pd.DataFrame(index=range(12)), r"0 feature\(s\)"),
    "complex": (rows()[0] + 1j, r"Complex data"),
    "all columns constant": (np.full((12, 3), 0.1), r"equal.*Add a column that varies"),
    "a frame with infinity": (pd.DataFrame(broken(np.inf)), r"X contains infinity"),
}


@pytest.mark.parametrize("X, message", BAD_X.values(), ids=BAD_X)
def test_bad_columns_are_refused(kind, X, message):
    refuse(kind(selection=Untouched()), X, rows()[1][: X.shape[0]], message)


def test_one_row_is_refused(kind):
    for X in (np.ones((1, 3)), pd.DataFrame(np.ones((1, 3)))):
        refuse(kind(selection=Untouched()), X, [1.0], r"1 sample\(s\).* (2|2 are needed)")


@pytest.mark.parametrize("label", [0, "only", True])
def test_one_class_is_refused(label):
    X, _ = rows()
    refuse(LSSVMClassifier(selection=Untouched()), X, [label] * 12, r"one class only.*at least 2")


@pytest.mark.parametrize("weighted", [{"class_weight": {0.0: 0.0}}, {}])
def test_one_class_of_positive_weight_is_refused(weighted):
    X, y = rows()
    fit = {} if weighted else {"sample_weight": y}
    message = r"positive weight.*one class only.*at least 2"
    refuse(LSSVMClassifier(selection=Untouched(), **weighted), X, y, message, **fit)


BAD_Y = {
    "None": (None, r"requires y to be passed.*None"),
    "too short": (rows()[1][:-1], r"inconsistent numbers of samples: \[12, 11\]"),
    "NaN": (np.where(np.arange(12) == 3, np.nan, rows()[1]), r"y contains NaN; drop those rows"),
    "infinity": (np.where(np.arange(12) == 3, np.inf, rows()[1]), r"y contains infinity"),
    "empty": (np.empty(0), r"0 sample|inconsistent numbers of samples"),
}


@pytest.mark.parametrize("y, message", BAD_Y.values(), ids=BAD_Y)
def test_bad_targets_are_refused(kind, y, message):
    refuse(kind(selection=Untouched()), rows()[0], y, message)


def test_targets_of_the_other_task_are_refused_with_a_hint():
    X, _ = rows()
    message = r"Unknown label type: continuous.*regression"
    refuse(LSSVMClassifier(selection=Untouched()), X, X[:, 0], r"(?s)" + message)
    refuse(LSSVMRegressor(selection=Untouched()), X, ["a", "b"] * 6, r"could not convert string")
    refuse(LSSVMClassifier(selection=Untouched()), X, X[:, :2] > 0, r"1d array|shape \(12, 2\)")


def test_labels_with_a_gap_are_refused():
    X, _ = rows()
    labels = np.array(["a", "b"] * 6, dtype=object)
    labels[3] = None
    refuse(LSSVMClassifier(selection=Untouched()), X, labels, r"y contains missing labels; drop")


BAD_WEIGHTS = {
    "negative": (np.where(np.arange(12) == 3, -1.0, 1.0), r"(?i)negative values.*sample_weight"),
    "NaN": (np.where(np.arange(12) == 3, np.nan, 1.0), r"sample_weight contains NaN"),
    "infinity": (np.where(np.arange(12) == 3, np.inf, 1.0), r"sample_weight contains infinity"),
    "all zero": (np.zeros(12), r"(?i)sample.weight.*zero"),
    "too few": (np.ones(11), r"sample_weight.shape == \(11,\), expected \(12,\)"),
    "two columns": (np.ones((12, 2)), r"(?i)sample.weight.*1D"),
    "text": (["heavy"] * 12, r"could not convert string"),
}


@pytest.mark.parametrize("weights, message", BAD_WEIGHTS.values(), ids=BAD_WEIGHTS)
def test_bad_weights_are_refused(kind, weights, message):
    X, y = rows()
    refuse(kind(selection=Untouched()), X, y, message, sample_weight=weights)


BAD_PARAMETERS = {
    "zero regularization": ({"regularization": 0}, r"regularization.*positive.*got 0"),
    "negative regularization": ({"regularization": -1.0}, r"regularization.*positive.*-1"),
    "NaN regularization": ({"regularization": np.nan}, r"regularization.*positive.*nan"),
    "infinite regularization": ({"regularization": np.inf}, r"regularization.*finite.*inf"),
    "text regularization": ({"regularization": "small"}, r"regularization.*positive.*small"),
    "no regularization": ({"regularization": None}, r"regularization.*positive.*None"),
    "negative n_restarts": ({"n_restarts": -1}, r"n_restarts.*0, 1, 2.*-1"),
    "broken n_restarts": ({"n_restarts": 1.5}, r"n_restarts.*0, 1, 2.*1.5"),
    "text n_restarts": ({"n_restarts": "3"}, r"n_restarts.*0, 1, 2.*'3'"),
    "searcher by name": ({"searcher": "lbfgs"}, r"searcher.*QuasiNewton\(\).*lbfgs"),
    "searcher class": ({"searcher": QuasiNewton}, r"searcher.*object"),
    "one fold": ({"cv": 1}, r"cv must be at least 2 folds, got 1"),
    "no fold": ({"cv": 0}, r"cv must be at least 2 folds, got 0"),
    "more folds than rows": ({"cv": 100}, r"cv=100 is more folds than there are rows \(\d+\)"),
    "folds by name": ({"cv": "five"}, r"(?i)cv.*five"),
    "broken folds": ({"cv": 2.5}, r"(?i)cv.*2.5"),
    "folds that leave rows out": (
        {"cv": ShuffleSplit(3, random_state=0)},
        r"cv must hold out every row exactly once",
    ),
    "folds of other rows": ({"cv": [([0, 1], [2, 3])]}, r"cv must hold out every row"),
    "unknown random_state": ({"random_state": "seed"}, r"seed"),
    "kernel class": ({"kernel": Gaussian}, r"unknown kernel.*object, not a class"),
    "scikit-learn kernel class": ({"kernel": RBF}, r"unknown kernel.*object, not a class"),
    "kernel function": ({"kernel": np.dot}, r"unknown kernel.*a kernelwise kernel"),
    "kernel number": ({"kernel": 3}, r"unknown kernel 3"),
    "no kernel": ({"kernel": None}, r"unknown kernel None"),
    "array as kernel": ({"kernel": np.eye(12)}, r"unknown kernel"),
    "list of kernels": ({"kernel": ["ard"]}, r"unknown kernel"),
}


@pytest.mark.parametrize("wrong, message", BAD_PARAMETERS.values(), ids=BAD_PARAMETERS)
def test_bad_parameters_are_refused(kind, wrong, message):
    X, y = rows()
    refuse(kind(**{"selection": Untouched(), **wrong}), X, y, message)


@pytest.mark.parametrize("name", ["rbf", "", "ARD", "ard-", "precomputed "])
def test_unknown_kernel_name_lists_all_names(kind, name):
    model = kind(kernel=name, selection=Untouched())
    with pytest.raises(ValueError, match=f"unknown kernel '{name}'") as error:
        model.fit(*rows())
    assert all(repr(known) in str(error.value) for known in KERNEL_NAMES)


@pytest.mark.parametrize("name", ["LOO", "", "grid", 3, ["loo"], {"loo"}, Untouched], ids=str)
def test_unknown_selection_lists_all_names(kind, name):
    with pytest.raises(ValueError, match="unknown selection") as error:
        kind(selection=name).fit(*rows())
    assert all(repr(known) in str(error.value) for known in SELECTIONS if known)
    assert "None" in str(error.value)


@pytest.mark.parametrize(
    "wrong, message",
    [
        ("heavy", r"dict, 'balanced' or None.*heavy"),
        ({0.0: -1.0, 1.0: 1.0}, r"class_weight.*0 or more"),
        ({0.0: np.nan, 1.0: 1.0}, r"class_weight.*0 or more"),
        ({0.0: 1.0, 7.0: 1.0}, r"not in class_weight"),
        ([1.0, 2.0], r"dict, 'balanced' or None"),
        ({0.0: "heavy"}, r"class_weight.*0 or more"),
    ],
    ids=str,
)
def test_bad_class_weight_is_refused(wrong, message):
    X, y = rows()
    refuse(LSSVMClassifier(selection=Untouched(), class_weight=wrong), X, y, message)


def test_gram_matrix_that_is_not_square_is_refused(kind):
    X, y = rows()
    message = r"square Gram matrix, got shape \(12, 3\)"
    refuse(kind("precomputed", selection=Untouched()), X, y, message)


def test_kernel_for_other_columns_is_refused(kind):
    X, y = rows()
    message = r"kernel has 2 length scales, but X has 3 columns"
    refuse(kind(Gaussian([1.0, 2.0]), selection="loo"), X, y, message)


@pytest.mark.parametrize("n_columns", [2, 4])
def test_other_number_of_columns_at_predict_is_refused(kind, n_columns):
    X, y = rows()
    model = kind("gaussian", None).fit(X, y)
    with pytest.raises(ValueError, match=rf"X has {n_columns} features.*expecting 3 features"):
        model.predict(np.zeros((5, n_columns)))


def test_infinity_at_predict_is_refused(kind):
    X, y = rows()
    model = kind("gaussian", None).fit(X, y)
    with pytest.raises(ValueError, match="X contains infinity"):
        model.predict(broken(np.inf))


def test_parameters_are_judged_before_columns(kind):
    refuse(clone(kind(kernel="rbf")), broken(np.inf), rows()[1], "unknown kernel")


class Wave(Kernel):
    """A user's kernel, ``cos(rate (x - z))``, with one mistake at a time."""

    def __init__(self, rate=1.0, role="scale", limits=(0.1, 10.0), columns=1):
        self.rate, self.role, self.within, self.columns = rate, role, limits, columns

    @property
    def parameters(self):
        return [Parameter("rate", self.rate, self.within, self.role)]

    def with_values(self, values):
        return Wave(float(values[0]), self.role, self.within, self.columns)

    def evaluate(self, A, B=None, up_to_constant=False):
        away = A[:, :1] - (A if B is None else B)[:, 0]
        slopes = -away * np.sin(self.rate * away)
        return np.cos(self.rate * away), lambda M: np.repeat(
            (M * slopes).sum(axis=1, keepdims=True), self.columns, axis=1
        )


class Stiff(Wave):
    """It has parameters, and no way to change them."""

    with_values = Kernel.with_values


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (Wave(role="speed"), "rate has the role 'speed'; choose one of .*'scale'"),
        (Wave(rate=-1.0), "rate must be a finite number of 0 or more, got -1"),
        (Wave(rate=np.nan), "rate must be a finite number"),
        (Wave(limits=(0.0, 1.0)), "limits of rate must be positive and rise"),
        (Stiff(), "Stiff has parameters: it needs a method with_values"),
        (Wave(columns=2), r"row_gradients of Wave must have a column for each of its 1 param"),
    ],
    ids=["role", "negative", "nan", "limits", "no-with-values", "columns"],
)
def test_mistakes_in_a_kernel_of_ones_own_are_explained(binary, kernel, words):
    with pytest.raises(ValueError, match=words):
        LSSVMClassifier(kernel, "loo").fit(binary.X, binary.y)


def test_a_kernel_of_ones_own_shows_its_parameters():
    assert repr(Wave(2.5)) == "Wave(rate=2.5)"


def test_text_as_a_quantity_asks_for_a_classifier(binary):
    with pytest.raises(ValueError, match=r"y holds text, not quantities .*: use a classifier"):
        LSSVMRegressor().fit(binary.X, binary.y)


def test_one_class_is_named_plainly(binary):
    with pytest.raises(ValueError, match=r"one class only \('yes'\)"):
        LSSVMClassifier().fit(binary.X, np.full(len(binary.X), "yes"))
