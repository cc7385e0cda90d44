"""A table read, fitted and predicted; and whether what came of it may come of it."""

from pathlib import Path
from typing import Any

import numpy as np

from fuzz.commands import check_commands
from fuzz.manners import Unmannerly, refused_or
from fuzz.table_truth import check_features, check_target
from fuzz.tables import TableCase, table_case
from kernelwise import LSSVMClassifier, LSSVMRegressor, data
from kernelwise.data.pipeline import table_pipeline

# So many tables go to the command line as well.
COMMANDS_EVERY = 20


def check_table(seed: int, folder: Path) -> str:
    """What came of a seed, "read" or "refused"; an Unmannerly error if it may not."""
    case = table_case(seed)
    path = folder / case.name
    path.write_bytes(case.content)
    dataset = refused_or(lambda: data.read(path, target=case.target), (ValueError,))
    if seed % COMMANDS_EVERY == 0:
        check_commands(path, case.target, folder)
    if isinstance(dataset, Exception):
        if case.must_read:
            raise Unmannerly(f"an ordinary table is refused: {dataset}")
        return "refused"
    if case.must_refuse:
        raise Unmannerly(f"a table is read that has {case.must_refuse}")
    return _check_read(case, dataset, path)


def _check_read(case: TableCase, dataset: Any, path: Path) -> str:
    raw = data.read_table(path)
    every_row = len(raw.frame) == len(dataset.target)
    known = check_target(case, dataset) if case.claims else None

    def matched():
        return data.match_columns(raw.frame, dataset.columns)[0]

    features = refused_or(matched, (ValueError,))
    if isinstance(features, Exception):
        if every_row:
            raise Unmannerly(f"the rows that were read cannot be predicted: {features}")
        # A row without a target may hold what the others do not.
        features = dataset.features
    elif known is not None:
        check_features(case, features, dataset, known)
        _check_equal(features[known], dataset.features)
    model = _model(dataset)
    fitted = refused_or(lambda: model.fit(dataset.features, dataset.target), (ValueError,))
    if isinstance(fitted, Exception):
        if case.must_read:
            raise Unmannerly(f"an ordinary table cannot be learned: {fitted}")
        return "refused"
    _check_predictions(model, features, dataset)
    return "read"


def _check_equal(matched: Any, features: Any) -> None:
    if not matched.reset_index(drop=True).equals(features):
        raise Unmannerly("the rows to predict are not read as those of the fit were")


def _model(dataset: Any) -> Any:
    maker = LSSVMClassifier if dataset.task == "classification" else LSSVMRegressor
    return table_pipeline(dataset, maker("gaussian", "loo", honest=False))


def _check_predictions(model: Any, features: Any, dataset: Any) -> None:
    def predicted():
        predictions = model.predict(features)
        if dataset.task == "regression":
            return bool(np.isfinite(predictions).all())
        probabilities = model.predict_proba(features)
        return bool(np.isfinite(probabilities).all() and np.isin(predictions, dataset.target).all())

    if refused_or(predicted, ()) is not True:
        raise Unmannerly("predictions are not finite")
