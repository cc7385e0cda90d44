"""Datasets: the forms of columns, tables to predict, samples, and the pipeline behind them."""

import numpy as np
import pandas as pd
import pytest

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.data import Column, DataError, Dataset, Wishes, match_columns, read
from kernelwise.data.pipeline import table_pipeline
from kernelwise.tables.columns import UnseenLevelWarning


@pytest.fixture
def frame():
    """Twelve rows with a number, a text and a boolean column, with gaps."""
    generator = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "size": [np.nan, *generator.normal(size=11)],
            "color": [None, *["red", "green", "blue"] * 3, "red", "green"],
            "sold": [True, False] * 6,
            "label": ["yes", "no"] * 6,
        }
    )


def test_bad_tables_say_why(frame):
    with pytest.raises(ValueError, match="no column 'labels': did you mean 'label'"):
        Dataset.from_frame(frame, "labels")
    with pytest.raises(ValueError, match="no column 'zzz': the table's columns begin with 'size'"):
        Dataset.from_frame(frame, "zzz")
    with pytest.raises(ValueError, match="only one row"):
        Dataset.from_frame(frame[:1], "label")
    with pytest.raises(ValueError, match="no column besides the target"):
        Dataset.from_frame(frame[["label"]], "label")


def test_the_pipeline_passes_the_columns_gaps_included(frame):
    dataset = Dataset.from_frame(frame, "label")
    columns = table_pipeline(dataset, LSSVMClassifier())[:-1].fit(dataset.features)
    assert dataset.features["size"].isna().any()
    pd.testing.assert_frame_equal(columns.transform(dataset.features), dataset.features)
    assert list(columns.get_feature_names_out()) == ["size", "color", "sold"]


def test_the_pipeline_leaves_the_estimator_alone_and_tells_it_the_categories(frame):
    estimator = LSSVMRegressor()
    pipeline = table_pipeline(Dataset.from_frame(frame, "label"), estimator)
    assert pipeline[-1].categorical_features == ["color", "sold"]
    assert estimator.categorical_features == "from_dtype"


@pytest.mark.parametrize(
    ("kind", "target", "method"),
    [(LSSVMClassifier, "label", "decision_function"), (LSSVMRegressor, "price", "predict")],
)
def test_the_pipeline_is_the_estimator_on_a_table_made_ready_by_hand(kind, target, method):
    """Units, the texts of the levels and a level not seen in training change no prediction."""
    generator = np.random.default_rng(0)
    known = pd.DataFrame(
        {"size": generator.normal(50, 9, 60), "color": ["red", "blue", "tan"] * 20}
    )
    known["price"] = known["size"] + 9 * (known["color"] == "red") + generator.normal(size=60)
    known["label"] = np.where(known["price"] > 53, "dear", "cheap")
    known.loc[::7, "size"], known.loc[::5, "color"] = np.nan, None
    dataset = Dataset.from_frame(known[["size", "color", target]], target)
    new = dataset.features[:3].assign(color=["red", np.nan, "pink"])
    pipeline = table_pipeline(dataset, kind("gaussian")).fit(dataset.features, dataset.target)
    with pytest.warns(UnseenLevelWarning, match="'color': 1 of 3 rows"):
        found = getattr(pipeline, method)(new)

    codes = {"red": 3, "tan": 5, "blue": 1, "pink": 9}

    def by_hand(table):
        scaled = (table["size"] - known["size"].mean()) / known["size"].std()
        return np.column_stack([scaled, table["color"].map(codes).fillna(7)])

    model = kind("gaussian", categorical_features=[1])
    model.fit(by_hand(dataset.features), dataset.target)
    with pytest.warns(UnseenLevelWarning):
        expected = getattr(model, method)(by_hand(new))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_missing_category_is_a_level_of_its_own():
    color = [None, "red", None, "blue"] * 6
    table = pd.DataFrame({"color": color, "label": [text or "none" for text in color]})
    dataset = Dataset.from_frame(table, "label")
    model = table_pipeline(dataset, LSSVMClassifier()).fit(dataset.features, dataset.target)
    assert list(model.predict(dataset.features)) == list(table["label"])


def test_kinds_of_columns(frame):
    table = Dataset.from_frame(frame.assign(count=np.arange(12) % 5))
    assert table.numeric_columns == ("size", "count")
    assert table.categorical_columns == ("color", "sold", "label")
    assert table.target is None and table.task is None


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([1, 2], dtype="category"),
        pd.Series([1.0, 2.0]),
        pd.Series(["1", " 2"]),
        pd.Series(["1.0", "2.0"]),
        pd.Series([1, 2], dtype="Int64"),
    ],
)
def test_one_category_has_one_text_in_every_dtype(series):
    features, _ = match_columns(pd.DataFrame({"x": series}), [Column("x", "category")])
    assert list(features["x"]) == ["1", "2"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, np.inf], "has inf in row 2"),
        ([-np.inf, 1.0], "has -inf in row 1"),
        (["1.5", "Infinity"], "has inf in row 2"),
        ([1.0, 1e300], r"has 1e\+300 in row 2"),
        ([1e-300, 2e-300], "rescale it to ordinary units"),
    ],
)
def test_numbers_that_cannot_be_standardized_are_refused(values, message):
    with pytest.raises(DataError, match=f"'x'.*{message}"):
        Dataset.from_frame(pd.DataFrame({"x": values, "y": ["a", "b"]}), "y")


def test_bad_tables_and_wishes_say_why(frame):
    for wishes, message in (
        ({"features": ("colors",)}, "no column 'colors': did you mean 'color'"),
        ({"drop": ("label",)}, "'label' is the target"),
        ({"groups": "patient"}, "no column 'patient'"),
        ({"categorical": ("size",), "numeric": ("size",)}, "both categorical and numeric"),
        ({"drop": ("size", "color", "sold")}, "no column is left"),
        ({"weights": "color"}, "must hold numbers"),
        ({"weights": "size"}, "a gap or a negative number in row 1"),
        ({"groups": "color"}, "group column 'color' is missing in 1 of 12 rows"),
    ):
        with pytest.raises(DataError, match=message):
            Dataset.from_frame(frame, "label", wishes=Wishes(**wishes))
    with pytest.raises(ValueError, match="decimal mark"):
        Wishes(decimal=";")


def test_names_that_are_numbers_or_repeated():
    frame = pd.DataFrame({0: [1.5, 2.5, 0.5], 1: list("aba")})
    assert list(Dataset.from_frame(frame, "1").features) == ["0"]
    with pytest.raises(DataError, match="two columns are named '0'"):
        Dataset.from_frame(frame.assign(**{"0": 1}), "1")


def test_wishes_choose_columns(frame):
    frame = frame.assign(weight=np.arange(12) + 1.0, patient=list("aabbccddeeff"))
    wishes = Wishes(groups="patient", weights="weight", categorical=("size",), drop=("sold",))
    table = Dataset.from_frame(frame, "label", wishes=wishes)
    assert list(table.features) == ["size", "color"] and table.numeric_columns == ()
    assert list(table.weights) == list(frame["weight"])
    assert list(table.groups) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    chosen = Dataset.from_frame(frame, "label", wishes=Wishes(features=("sold", "size")))
    assert list(chosen.features) == ["size", "sold"]


def test_columns_are_matched_by_name_and_read_as_before(frame):
    days = pd.date_range("2020-03-01", periods=12).strftime("%d.%m.%Y")
    table = Dataset.from_frame(frame.assign(day=days, price=["1,5", "2,75"] * 6), "label")
    new = pd.DataFrame({"day": ["07.03.2020", ""], "extra": 1, "price": ["3,5", "-"]})
    new = new.assign(sold=["True", True], color=["red", "pink"], size=["1e1", "big"])
    with pytest.raises(DataError, match="'size' must hold numbers, but row 1 has 'big'"):
        match_columns(new[:2].assign(size=["big", "big"]), table.columns)
    features, odd = match_columns(new, table.columns)
    assert list(features) == list(table.features)
    expected = {"size": [10, np.nan], "price": [3.5, np.nan], "day (days)": [6, np.nan]}
    for name, values in expected.items():
        np.testing.assert_array_equal(features[name], values)
    assert list(features["sold"]) == ["True", "True"]
    assert [check.code for check in odd] == ["KW201"] and "'big'" in odd[0].text
    lacking = "lacks 2 columns the model was fitted on: 'size', 'sold'"
    with pytest.raises(DataError, match=lacking):
        match_columns(new.drop(columns=["size", "sold"]), table.columns)


def test_a_new_table_may_be_written_in_another_way():
    days = pd.date_range("2020-03-01", periods=12).strftime("%m/%d/%Y")
    known = pd.DataFrame({"x": ["1,5", "2,25", "1,125"] * 4, "day": days, "label": list("aab") * 4})
    columns = Dataset.from_frame(known, "label").columns
    new = pd.DataFrame({"x": ["1.5", "2.25"], "day": ["2020-03-03", "2020-03-01"]})
    features, odd = match_columns(new, columns)
    assert list(features["x"]) == [1.5, 2.25] and list(features["day (days)"]) == [2, 0]
    assert [check.code for check in odd] == ["KW202"]
    thousands = match_columns(new.assign(x=["1.663", "5.446"]), columns)[0]
    assert list(thousands["x"]) == [1663, 5446]
    forced = match_columns(new.assign(x=["1.663", "5.446"]), columns, decimal=".")[0]
    assert list(forced["x"]) == [1.663, 5.446]
    gaps = match_columns(new.assign(x=["-1", "2"]), columns, missing=("-1",))[0]
    np.testing.assert_array_equal(gaps["x"], [np.nan, 2])
    with pytest.raises(DataError, match="is 'x' what it calls 'X'"):
        match_columns(new.rename(columns={"x": "X"}), columns)


def test_a_saved_column_reads_its_own_file_as_fit_did():
    """Thousands beside decimal points, units beside decimal commas: each column has its own."""
    many = [f"{n // 1000}.{n % 1000:03}" if n > 999 else str(n) for n in range(700, 9000, 173)]
    rows = len(many)
    known = pd.DataFrame(
        {
            "pop": many,
            "rate": [f"{i}.25" for i in range(rows)],
            "weight": [f"{i}.5 kg" for i in range(rows)],
            "length": [f"{i},75" for i in range(rows)],
            "label": (list("abbab") * rows)[:rows],
        }
    )
    table = Dataset.from_frame(known, "label", delimiter=";")
    assert list(table.features["pop"]) == list(range(700, 9000, 173))
    for part in (slice(None), slice(3), slice(9, 10)):
        features, _ = match_columns(known[part], table.columns)
        expected = table.features[part].reset_index(drop=True)
        pd.testing.assert_frame_equal(features.reset_index(drop=True), expected)


def test_typed_numbers_have_no_decimal_mark():
    mixed = pd.DataFrame({"x": [1.125, "?", 2.375] * 6, "z": ["1,5", "2,5", "0,5"] * 6})
    mixed = mixed.astype(object).assign(label=list("abbaba") * 3)
    table = Dataset.from_frame(mixed, "label", wishes=Wishes(decimal=","))
    np.testing.assert_array_equal(table.features["x"][:3], [1.125, np.nan, 2.375])
    np.testing.assert_array_equal(table.features["z"][:3], [1.5, 2.5, 0.5])


def test_weights_and_groups_are_read_like_other_columns():
    frame = pd.DataFrame({"x": ["0,5", "1,5", "2,5"] * 6, "w": ["1,250", "2", "1,125"] * 6})
    frame = frame.assign(who=["P1", "P1 ", "P2"] * 6, label=list("abbaba") * 3)
    wishes = Wishes(weights="w", groups="who")
    table = Dataset.from_frame(frame, "label", wishes=wishes, delimiter=";")
    assert list(table.weights[:3]) == [1.25, 2, 1.125]
    assert list(table.groups[:3]) == [0, 0, 1]
    gaps = frame.assign(who=["NA", "P1", "P2"] * 6)
    with pytest.raises(DataError, match="group column 'who' is missing in 6 of 18 rows"):
        Dataset.from_frame(gaps, "label", wishes=wishes, delimiter=";")


def test_a_model_of_typed_dates_reads_texts_in_one_order():
    days = pd.date_range("2024-04-01", periods=24)
    table = Dataset.from_frame(pd.DataFrame({"day": days, "label": list("abba") * 6}), "label")
    texts = pd.DataFrame({"day": [f"{day.day}.{day.month}.{day.year}" for day in days]})
    features, _ = match_columns(texts, table.columns)
    assert list(features["day (days)"]) == list(range(24))


def test_columns_that_do_not_say_follow_a_table_that_has_switched():
    known = pd.DataFrame({"x": ["1,5", "2,25", "0,5"] * 4, "z": ["1,125", "2,375", "7,250"] * 4})
    columns = Dataset.from_frame(known.assign(label=list("aab") * 4), "label").columns
    new = pd.DataFrame({"x": ["1.5", "2.25"], "z": ["1.125", "2.375"]})
    features, odd = match_columns(new, columns)
    assert list(features["z"]) == [1.125, 2.375]
    assert [check.code for check in odd] == ["KW202", "KW202"]


def test_a_sample_keeps_every_class_in_its_share():
    frame = pd.DataFrame({"x": np.arange(1000) % 97, "y": ["a"] * 900 + ["b"] * 98 + ["c"] * 2})
    table = Dataset.from_frame(frame, "y")
    sample = table.sample(200, seed=3)
    labels, counts = np.unique(sample.target, return_counts=True)
    assert list(labels) == ["a", "b", "c"] and list(counts) == [177, 21, 2]
    assert sample.checks[-1].code == "KW401" and len(sample.features) == 200
    again = table.sample(200, seed=3)
    np.testing.assert_array_equal(sample.features, again.features)
    assert not sample.features.equals(table.sample(200, seed=4).features)
    assert table.sample(2000, seed=3) is table
    assert sample.sampled == (200, 1000) and table.sampled is None
    many = ["big"] * 120 + [f"c{i % 20}" for i in range(180)]
    small = Dataset.from_frame(pd.DataFrame({"x": np.arange(300) % 97, "y": many}), "y")
    labels, counts = np.unique(small.sample(60, seed=0).target, return_counts=True)
    assert len(labels) == 21 and counts.sum() == 60 and counts.min() == 2
    assert len(small.sample(20, seed=0).target) == 42  # two of each class at least
    rows = {(x, y) for x, y in zip(frame["x"], frame["y"], strict=True)}
    assert rows.issuperset(zip(sample.features["x"], sample.target, strict=True))


def test_numbers_beyond_doubles_few_and_repeated_rows_are_said(tmp_path):
    path = tmp_path / "table.csv"
    rows = "".join(f"{2**53 + i % 3},{i % 7},{i % 2}\n" for i in range(45))
    path.write_text("big,x,y\n" + rows)
    codes = [check.code for check in read(path, "y").checks]
    assert codes == ["KW211", "KW402", "KW403"]
    assert read(path, "y", categorical=["big"]).features["big"].nunique() == 3


def test_a_column_named_like_a_part_of_dates_is_refused_not_overwritten(tmp_path):
    path = tmp_path / "table.csv"
    rows = "".join(f"2020-01-{1 + i},{i * i % 7},{i % 2}\n" for i in range(20))
    path.write_text("d,d (days),y\n" + rows)
    with pytest.raises(DataError, match=r"both named 'd \(days\)'") as refused:
        read(path, "y")
    assert refused.value.check.code == "KW105"


def test_rows_keep_their_numbers_in_the_table():
    """Rows without a target are left out, then some are drawn: each is still found in the table."""
    frame = pd.DataFrame({"x": np.arange(30.0) ** 2, "y": np.arange(30.0) / 3})
    frame.loc[[0, 4, 17], "y"] = np.nan
    found = Dataset.from_frame(frame, "y")
    assert list(found.rows) == [row for row in range(30) if row not in (0, 4, 17)]
    drawn = found.sample(12, seed=0)
    assert len(drawn.rows) == 12
    np.testing.assert_array_equal(drawn.features["x"], frame["x"].to_numpy()[drawn.rows])
