"""The folds, the cells and the fits of one table."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from kernelwise.compare.comparison import compare_methods
from kernelwise.compare.trial import TableTrial, feasible_folds, fingerprint
from kernelwise.data import Dataset
from kernelwise.evaluation import nested_cross_validation
from kernelwise.methods import METHODS
from kernelwise.runs import CellResult, Store, StoreError

LINEAR, RBF, AUTO = METHODS["LINEAR"], METHODS["RBF-LOO"], METHODS["AUTO"]


def flowers(rows=60):
    """A table with gaps, categories, and a level that only one row has."""
    generator = np.random.default_rng(3)
    width = generator.normal(size=rows)
    color = generator.choice(["red", "blue"], rows).astype(object)
    kind = np.where(width + (color == "red") > 0.4, "tall", "small")
    color[4], color[9] = "green", np.nan
    width[7] = np.nan
    return pd.DataFrame({"width": width, "color": color, "kind": kind})


def iris():
    bunch = load_iris(as_frame=True)
    return Dataset.from_frame(bunch.data.assign(kind=bunch.target_names[bunch.target]), "kind")


def diabetes(rows=120):
    return Dataset.from_frame(load_diabetes(as_frame=True).frame[:rows], "target")


@pytest.mark.parametrize(
    ("table", "method"), [(iris, LINEAR), (diabetes, LINEAR), (iris, RBF), (diabetes, AUTO)]
)
def test_a_trial_is_repeated_nested_cross_validation(table, method):
    dataset = table()
    trial = TableTrial.of(dataset, "t.csv", folds=3, repeats=2, seed=5)
    records = [trial(cell) for cell in trial.cells([method])]
    estimator = trial.estimator(method, dataset.features, seed=5)
    nested = nested_cross_validation(
        estimator, dataset.features, dataset.target, folds=3, repeats=2, random_state=5
    )
    assert [r.error for r in records] == [r.error for r in nested.records]
    assert [r.predictions_hash for r in records] == [r.predictions_hash for r in nested.records]
    results = [
        CellResult.done(cell, record, "{}")
        for cell, record in zip(trial.cells([method]), records, strict=True)
    ]
    (summary,) = compare_methods(results, dataset.task).compared
    scale = 100 if dataset.task == "classification" else 1
    assert summary.error.value == pytest.approx(scale * nested.error)
    assert summary.error.upper == pytest.approx(scale * nested.interval.upper)
    if nested.inner_error is not None:
        assert summary.inner_error == pytest.approx(scale * nested.inner_error)
        assert summary.optimism.value == pytest.approx(scale * nested.optimism.value)


def test_every_row_is_tested_once_in_each_repeat_and_groups_stay_together():
    dataset = Dataset.from_frame(flowers(), "kind")
    groups = np.arange(60) // 3
    trial = TableTrial.of(dataset, "t.csv", folds=4, repeats=3, groups=groups)
    assert trial.fold_of.shape == (3, 60)
    for fold_of in trial.fold_of:
        assert set(fold_of) == {0, 1, 2, 3}
        assert (fold_of.reshape(20, 3) == fold_of[::3, None]).all()
    assert not (trial.fold_of[0] == trial.fold_of[1]).all()


def test_fewer_repeats_are_the_first_of_many():
    dataset = iris()
    few, many = (TableTrial.of(dataset, "t.csv", repeats=repeats) for repeats in (1, 3))
    assert (few.fold_of == many.fold_of[:1]).all()
    assert set(few.cells([LINEAR])) < set(many.cells([LINEAR]))
    other = TableTrial.of(dataset, "t.csv", repeats=1, seed=1)
    assert not (few.fold_of == other.fold_of).all()


def test_the_fingerprint_sees_content_order_target_and_groups():
    table = flowers()
    groups = np.arange(len(table)) // 2
    changed = table.copy()
    changed.loc[3, "width"] += 1e-12
    said_nan = table.copy()
    said_nan.loc[9, "color"] = "missing"
    known = [
        fingerprint(Dataset.from_frame(table, "kind")),
        fingerprint(Dataset.from_frame(table[::-1], "kind")),
        fingerprint(Dataset.from_frame(changed, "kind")),
        fingerprint(Dataset.from_frame(said_nan, "kind")),
        fingerprint(Dataset.from_frame(table, "kind"), groups),
        fingerprint(Dataset.from_frame(table, "kind"), groups[::-1].copy()),
        fingerprint(Dataset.from_frame(table[:-1], "kind")),
        fingerprint(Dataset.from_frame(table.rename(columns={"width": "w"}), "kind")),
    ]
    assert len(set(known)) == len(known)
    assert known[0] == fingerprint(Dataset.from_frame(table.copy(), "kind"))


def test_one_column_per_level_with_missing_and_unseen_levels():
    dataset = Dataset.from_frame(flowers(), "kind")
    train = dataset.features.drop(index=[4, 9])  # neither green nor missing
    trial = TableTrial.of(dataset, "t.csv")
    columns = trial.estimator(LINEAR, dataset.features, 0)[0].fit(dataset.features)
    assert list(columns.get_feature_names_out()) == [
        "numbers__width",
        *("levels__color_blue", "levels__color_green", "levels__color_red", "levels__color_nan"),
    ]
    levels = trial.estimator(LINEAR, train, 0)[0].fit(train).transform(dataset.features)[:, 1:]
    assert levels[[4, 9]].tolist() == [[0, 0], [0, 0]]
    assert (levels.sum(axis=1) == 1).sum() == 58
    median = dataset.features["width"][:30].median()
    fitted = trial.estimator(LINEAR, train, 0)[0].fit(dataset.features[:30])
    assert fitted.named_transformers_["numbers"][0].statistics_ == [median]


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_every_method_learns_from_categories_with_gaps(method):
    """In the fold whose test rows alone have green, a level that training has not seen.

    Boosting has leaves of at least 20 rows: with fewer than 40 to train on it learns nothing.
    """
    rows = 84 if method.name in ("BOOSTING", "LIGHTGBM") else 60
    dataset = Dataset.from_frame(flowers(rows), "kind")
    trial = TableTrial.of(dataset, "t.csv", folds=2, repeats=1)
    cell = trial.cells([method])[trial.fold_of[0, 4]]
    record = trial(cell)
    assert record.error < 0.35 < record.baseline
    again = pickle.loads(pickle.dumps(trial))(cell)
    assert again.predictions_hash == record.predictions_hash


def test_what_learns_is_the_last_step():
    trial = TableTrial.of(diabetes(), "t.csv", folds=2, repeats=1)
    record = trial(trial.cells([LINEAR])[0])
    assert record.inner_error == pytest.approx(record.error, rel=0.3)  # RidgeCV's own estimate


def test_a_store_refuses_another_table_of_the_same_name(tmp_path):
    trial = TableTrial.of(iris(), "t.csv")
    with Store(tmp_path / "s.sqlite") as store:
        trial.define(store, [LINEAR])
        trial.define(store, [LINEAR, RBF])
        with pytest.raises(StoreError, match="another data set"):
            replace(trial, fingerprint="other").define(store, [LINEAR])


def test_a_store_knows_fits_that_did_not_see_gaps(tmp_path):
    """Earlier versions filled gaps before the fit; their results are those of another method."""
    X = pd.DataFrame({"a": [1.0, np.nan, 3.0, 4.0] * 3, "y": ["n", "y"] * 6})
    defined = {}
    for name, table in (("gaps", X), ("none", X.fillna(0))):
        with Store(tmp_path / f"{name}.sqlite") as store, pytest.MonkeyPatch.context() as patch:
            patch.setattr(Store, "define", lambda _, *about: defined.update({about[1]: about[2]}))
            TableTrial.of(Dataset.from_frame(table, "y"), name, folds=2).define(
                store, [LINEAR, RBF]
            )
    ends = {key[:14]: text.partition(" with ")[2] for key, text in defined.items() if " on " in key}
    assert ends == {
        "LINEAR on gaps": "one column per level",
        "LINEAR on none": "one column per level",
        "RBF-LOO on gap": "categories and gaps",
        "RBF-LOO on non": "categories",
    }


@pytest.mark.parametrize(
    ("target", "task", "groups", "possible"),
    [
        ("aaaaabbbb", "classification", None, 4),
        ("aaaaabbbbb", "classification", None, 5),
        ("aaaabbbb", "classification", [0, 0, 1, 1, 0, 1, 2, 2], 2),
        ([1.5, 2, 3, 4, 5.5], "regression", [0, 1, 2, 2, 2], 3),
        ([1.5, 2, 3], "regression", None, 3),
    ],
)
def test_the_folds_that_there_can_be(target, task, groups, possible):
    frame = pd.DataFrame({"x": range(len(target)), "y": list(target)})
    dataset = Dataset.from_frame(frame, "y", task)
    groups = None if groups is None else np.array(groups)
    assert feasible_folds(dataset, 5, groups) == possible
    trial = TableTrial.of(dataset, "t", folds=possible, repeats=1, groups=groups)
    assert len(trial.cells([LINEAR])) == possible


def test_impossible_folds_are_explained():
    dataset = Dataset.from_frame(pd.DataFrame({"x": range(6), "y": list("aaaaab")}), "y")
    with pytest.raises(ValueError, match="class 'b' of target 'y' has only 1 row: a class needs"):
        feasible_folds(dataset, 5)
    with pytest.raises(ValueError, match="only 2 groups"):
        feasible_folds(diabetes(10), 5, np.arange(10) % 2)
