"""Tables with named and typed columns: pandas and polars in, one relevance per column out."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.tables.columns import UnseenLevelWarning

KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame}
COLORS = np.array(["red", "green", "blue"])
FAST = {"kernel": "mixed", "selection": "loo"}


def draw(n, seed):
    """The class depends on size, color and flag; ``idle`` and ``town`` say nothing."""
    random = np.random.default_rng(seed)
    size, idle = random.normal(size=(2, n))
    color, town = COLORS[random.integers(3, size=n)], random.integers(4, size=n)
    flag = random.random(n) < 0.5
    score = 1.5 * size + 2.0 * (color == "red") - 2.0 * (color == "blue") + 1.5 * flag - 0.75
    columns = {
        "size": size,
        "color": color,
        "idle": idle,
        "flag": flag,
        "town": np.array(["Bonn", "Graz", "Nice", "York"])[town],
    }
    return columns, np.where(score > 0, "big", "small"), score


def table(kind, n=80, seed=0, names=("size", "color", "idle", "flag", "town")):
    columns, labels, score = draw(n, seed)
    return KINDS[kind]({name: columns[name] for name in names}), labels, score


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def fitted():
    """One fitted classifier per kind of frame; not to be changed."""
    models = {}
    for kind in KINDS:
        X, labels, _ = table(kind)
        models[kind] = LSSVMClassifier(**FAST).fit(X, labels)
    return models


def test_mixed_columns_are_learnt_with_one_relevance_each(fitted, kind):
    model = fitted[kind]
    assert model.feature_names_in_.tolist() == ["size", "color", "idle", "flag", "town"]
    assert model.relevance_.shape == (5,)
    assert model.relevance_.sum() == pytest.approx(1)
    assert set(np.argsort(model.relevance_)[-3:]) == {0, 1, 3}
    X, labels, _ = table(kind, n=300, seed=1)
    assert model.score(X, labels) > 0.85
    np.testing.assert_array_equal(
        model.classes_[model.predict_proba(X).argmax(axis=1)], model.predict(X)
    )


def test_pandas_and_polars_give_the_same_model(fitted):
    pandas, polars = (
        fitted[kind].decision_function(table(kind, n=50, seed=2)[0]) for kind in KINDS
    )
    np.testing.assert_array_equal(pandas, polars)


def test_regressor_takes_frames(kind):
    X, _, score = table(kind)
    X_test, _, score_test = table(kind, n=200, seed=1)
    model = LSSVMRegressor(**FAST).fit(X, score)
    assert model.score(X_test, score_test) > 0.8
    mean, std = model.predict(X_test, return_std=True)
    assert mean.shape == std.shape == (200,)
    assert std.min() > 0


def test_numeric_frame_equals_the_array(kind, binary):
    frame = KINDS[kind](dict(zip("abcd", binary.X.T, strict=True)))
    frame_test = KINDS[kind](dict(zip("abcd", binary.X_test.T, strict=True)))
    model = LSSVMClassifier("gaussian", "loo")
    from_array = clone(model).fit(binary.X, binary.y).decision_function(binary.X_test)
    from_frame = clone(model).fit(frame, binary.y).decision_function(frame_test)
    np.testing.assert_array_equal(from_frame, from_array)


COLOUR_DTYPES = {
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas str": lambda v: pd.Series(v, dtype="str"),
    "pandas string": lambda v: pd.Series(v, dtype="string"),
    "polars string": lambda v: pl.Series(v),
    "polars categorical": lambda v: pl.Series(v, dtype=pl.Categorical),
    "polars enum": lambda v: pl.Series(v, dtype=pl.Enum(COLORS.tolist())),
    "polars object": lambda v: pl.Series(v, dtype=pl.Object),
}


@pytest.mark.parametrize("dtype", COLOUR_DTYPES)
def test_text_of_every_type_is_compared_by_equality(dtype):
    columns, labels, _ = draw(80, 0)
    frame = KINDS[dtype.split()[0]]
    X = frame({"size": columns["size"], "color": COLOUR_DTYPES[dtype](columns["color"].tolist())})
    model = LSSVMClassifier("ard", None).fit(X, labels)
    codes = np.column_stack([columns["size"], np.searchsorted(np.sort(COLORS), columns["color"])])
    same = LSSVMClassifier("ard", None, categorical_features=[1]).fit(codes, labels)
    np.testing.assert_allclose(
        model.decision_function(X), same.decision_function(codes), atol=1e-10
    )


BOOLEAN_DTYPES = {
    "pandas bool": lambda v: pd.Series(v, dtype=bool),
    "pandas boolean": lambda v: pd.Series(v, dtype="boolean"),
    "polars boolean": lambda v: pl.Series(v, dtype=pl.Boolean),
}


@pytest.mark.parametrize("dtype", BOOLEAN_DTYPES)
def test_booleans_are_categories(dtype):
    columns, labels, _ = draw(80, 0)
    frame = KINDS[dtype.split()[0]]
    X = frame({"size": columns["size"], "flag": BOOLEAN_DTYPES[dtype](columns["flag"])})
    model = LSSVMClassifier("mixed", None).fit(X, labels)
    assert np.atleast_1d(model.kernel_.dissimilarity)[1] == "overlap"


def test_level_not_seen_in_fit_differs_from_all_others(fitted, kind):
    """Equally far from every level: the kernel cannot distinguish two unknown levels."""
    X, _, _ = table(kind, n=6, seed=3)
    columns = {name: np.array(X[name]) for name in X.columns}
    outputs = []
    for color in ("violet", "brown"):
        unknown = KINDS[kind]({**columns, "color": np.full(6, color)})
        outputs.append(fitted[kind].decision_function(unknown))
    np.testing.assert_array_equal(outputs[0], outputs[1])
    for color in COLORS:
        known = KINDS[kind]({**columns, "color": np.full(6, color)})
        assert not np.allclose(fitted[kind].decision_function(known), outputs[0], atol=1e-3)


@pytest.mark.parametrize("dtype", [None, "category", "string", "str", object])
def test_missing_category_is_a_level_of_its_own(dtype):
    """None among the categories gives the same as the word "missing" in its place."""
    columns, labels, _ = draw(80, 0)
    color = columns["color"].astype(object)
    labels[color == "green"] = "small"
    gaps, words = color.copy(), color.copy()
    gaps[color == "green"], words[color == "green"] = None, "missing"
    if dtype is None:
        frames = [pl.DataFrame({"s": columns["size"], "c": c.tolist()}) for c in (gaps, words)]
    else:
        frames = [
            pd.DataFrame({"s": columns["size"], "c": pd.Series(c, dtype=dtype)})
            for c in (gaps, words)
        ]
    with_gaps, with_words = (LSSVMClassifier("ard", None).fit(X, labels) for X in frames)
    np.testing.assert_allclose(
        with_gaps.decision_function(frames[0]), with_words.decision_function(frames[1]), atol=1e-10
    )


def test_category_missing_only_at_predict_is_like_an_unknown_level(fitted, kind):
    X, _, _ = table(kind, n=6, seed=3)
    columns = {name: np.array(X[name]) for name in X.columns}
    missing = KINDS[kind]({**columns, "color": np.full(6, None)})
    if kind == "polars":
        missing = missing.with_columns(pl.col("color").cast(pl.String))
    unknown = KINDS[kind]({**columns, "color": np.full(6, "violet")})
    np.testing.assert_array_equal(
        fitted[kind].decision_function(missing), fitted[kind].decision_function(unknown)
    )


def test_columns_in_another_order_or_of_another_name_are_refused(fitted, kind):
    X, _, _ = table(kind, names=("color", "size", "idle", "flag", "town"))
    with pytest.raises(ValueError, match=r"(?s)feature names.*same order"):
        fitted[kind].predict(X)
    renamed = KINDS[kind]({name.replace("size", "SIZE"): np.array(X[name]) for name in X.columns})
    with pytest.raises(ValueError, match=r"(?s)feature names.*SIZE"):
        fitted[kind].predict(renamed)


def test_frame_with_a_missing_or_additional_column_is_refused(fitted, kind):
    fewer, _, _ = table(kind, names=("size", "color", "idle", "flag"))
    with pytest.raises(ValueError, match=r"(?s)feature names.*town"):
        fitted[kind].predict(fewer)


@pytest.mark.parametrize("wanted", [[1], ["color"], [False, True], np.array([1])], ids=str)
def test_categorical_features_by_index_name_and_mask(wanted, kind):
    """Numbers that are names: color 0, 1, 2 is compared by equality, not by difference."""
    columns, labels, _ = draw(80, 0)
    codes = np.searchsorted(np.sort(COLORS), columns["color"])
    numeric = KINDS[kind]({"size": columns["size"], "color": codes})
    text = KINDS[kind]({"size": columns["size"], "color": columns["color"]})
    by_code = LSSVMClassifier("ard", None, categorical_features=wanted).fit(numeric, labels)
    by_text = LSSVMClassifier("ard", None).fit(text, labels)
    np.testing.assert_allclose(
        by_code.decision_function(numeric), by_text.decision_function(text), atol=1e-10
    )
    as_numbers = LSSVMClassifier("ard", None).fit(numeric, labels)
    assert not np.allclose(
        as_numbers.decision_function(numeric), by_code.decision_function(numeric), atol=1e-3
    )


@pytest.mark.parametrize(
    "wanted, message",
    [
        ("all", r"'from_dtype', None, or a list"),
        (["height"], r"height"),
        ([True], r"1 booleans for 2 columns"),
        ([2], r"between 0 and 1"),
        ([-1], r"between 0 and 1"),
        ([0.5], r"indices, names or booleans"),
    ],
)
def test_bad_categorical_features_are_explained(wanted, message):
    X, labels, _ = table("pandas", names=("size", "idle"))
    with pytest.raises(ValueError, match=message):
        LSSVMClassifier(categorical_features=wanted).fit(X, labels)


def test_text_declared_not_categorical_is_refused_with_advice(kind):
    X, labels, _ = table(kind)
    with pytest.raises(ValueError, match=r"(?s)color.*categorical_features"):
        LSSVMClassifier(categorical_features=None).fit(X, labels)


@pytest.mark.parametrize("kernel", ["linear", "polynomial"])
def test_inner_product_kernels_see_an_indicator_of_each_level(kernel, kind):
    X, labels, _ = table(kind)
    model = LSSVMClassifier(kernel, "loo").fit(X, labels)
    categorical = model.columns_.categorical
    rows = model.columns_.scaled(model.columns_.numbers(X, model))
    one_hot = [
        rows[:, [r]] if r not in categorical else np.eye(int(rows[:, r].max()) + 1)[codes]
        for r, codes in enumerate(rows.T.astype(int))
    ]
    inner = model.kernel_.weights[0] * np.hstack(one_hot) @ np.hstack(one_hot).T
    gram = inner if kernel == "linear" else (inner + model.kernel_.offset) ** 3
    n = len(gram)
    bordered = np.ones((n + 1, n + 1))
    bordered[:n, :n], bordered[n, n] = gram + model.regularization_ * np.eye(n), 0
    y = np.where(np.asarray(labels) == model.classes_[1], 1.0, -1.0)
    solved = np.linalg.solve(bordered, np.append(y, 0))
    np.testing.assert_allclose(model.decision_function(X), gram @ solved[:n] + solved[n], atol=1e-8)
    assert model.relevance_.shape == (X.shape[1],)


@pytest.mark.parametrize("kernel", ["ard-linear", "ard-polynomial"])
def test_a_categorical_column_has_one_relevance_among_inner_products(kernel, kind):
    X, labels, _ = table(kind)
    model = LSSVMClassifier(kernel).fit(X, labels)
    assert len(model.kernel_.weights) == len(model.relevance_) == X.shape[1]


@pytest.mark.parametrize("kernel", ["gaussian", "ard-matern32", "mixed", "laplacian"])
def test_all_columns_categorical(kernel, kind):
    X, labels, _ = table(kind, names=("color", "flag", "town"))
    model = LSSVMClassifier(kernel, "loo").fit(X, labels)
    assert model.score(X, labels) > 0.65
    assert model.relevance_.shape == (3,)


def test_labels_may_come_as_a_series_of_any_kind(kind):
    X, labels, _ = table(kind)
    series = {"pandas": pd.Series, "polars": pl.Series}[kind](labels)
    model = LSSVMClassifier("gaussian", None)
    np.testing.assert_array_equal(
        clone(model).fit(X, series).predict(X), clone(model).fit(X, labels).predict(X)
    )


def test_level_not_seen_in_fit_is_said():
    X = pd.DataFrame({"size": np.arange(20.0), "color": ["red", "blue"] * 10})
    model = LSSVMClassifier("mixed", "loo").fit(X, X["color"])
    new = X.assign(color=["red"] * 15 + ["pink"] * 5)
    with pytest.warns(UnseenLevelWarning, match="column 'color': 5 of 20 rows"):
        model.predict(new)


@pytest.mark.parametrize("gap_in_fit", [False, True])
def test_a_gap_is_new_where_fit_saw_none(gap_in_fit):
    X = pd.DataFrame({"size": np.arange(20.0), "color": ["red", "blue"] * 10})
    new = X.assign(color=["red"] * 17 + [None] * 3)
    model = LSSVMClassifier("mixed", "loo").fit(new if gap_in_fit else X, [0, 1] * 10)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnseenLevelWarning)
        model.predict(new)
    messages = [str(warning.message) for warning in caught]
    assert not messages if gap_in_fit else "column 'color': 3 of 20 rows" in messages[0]


@pytest.mark.parametrize("column", ["datetime64[ns]", "timedelta64[ns]"])
def test_dates_are_refused_with_advice(column):
    X = pd.DataFrame({"x": np.arange(20.0), "when": np.arange(20).astype(column)})
    with pytest.raises(
        ValueError, match="'when' of X holds dates or times; turn them into numbers"
    ):
        LSSVMClassifier("gaussian", "loo").fit(X, [0, 1] * 10)


def test_text_in_an_object_array_is_a_category_where_the_index_says_so():
    X = np.empty((20, 2), object)
    X[:, 0], X[:, 1] = np.arange(20.0), ["red", "blue"] * 10
    model = LSSVMClassifier("mixed", "loo", categorical_features=[1]).fit(X, X[:, 1].astype(str))
    assert model.relevance_[1] > 0.9
    np.testing.assert_array_equal(model.predict(X[:2]), ["red", "blue"])
