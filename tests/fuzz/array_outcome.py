"""Arrays fitted and predicted; and whether what came of it may come of it."""

from pathlib import Path
from typing import Any

import numpy as np

from fuzz.arrays import ArrayCase, array_case
from fuzz.manners import Unmannerly, refused_or


def check_arrays(seed: int, folder: Path) -> str:
    """What came of a seed, "fitted" or "refused"; an Unmannerly error if it may not."""
    case = array_case(seed)
    name = type(case.estimator).__name__
    try:
        fitted = refused_or(lambda: _fit(case), (ValueError, TypeError))
        if isinstance(fitted, Exception):
            if case.must_fit:
                raise Unmannerly(f"ordinary arrays are refused: {fitted}")
            return "refused"
        if said := refused_or(lambda: _wrong_predictions(case), ()):
            raise Unmannerly(str(said))
    except Unmannerly as error:
        raise Unmannerly(f"{name}: {error}") from error
    return "fitted"


def _fit(case: ArrayCase) -> Any:
    options = {} if case.sample_weight is None else {"sample_weight": case.sample_weight}
    return case.estimator.fit(case.X, case.y, **options)


def _wrong_predictions(case: ArrayCase) -> str:
    """What is wrong with the predictions of the rows of the fit; empty if nothing is."""
    model = case.estimator
    if hasattr(model, "transform"):
        return "" if np.isfinite(model.transform(case.X)).all() else "columns are not finite"
    predictions = model.predict(case.X)
    if hasattr(model, "predict_proba"):
        probabilities = model.predict_proba(case.X)
        if not np.isfinite(probabilities).all():
            return "probabilities are not finite"
        if not np.allclose(probabilities.sum(axis=1), 1) or (probabilities < 0).any():
            return "probabilities do not add up to 1"
        return "" if np.isin(predictions, model.classes_).all() else "a label that is none"
    if not np.isfinite(predictions).all():
        return f"predictions are not finite: {predictions[:3]}"
    if hasattr(model, "amplitude_"):
        deviations = model.predict(case.X, return_std=True)[1]
        return "" if np.isfinite(deviations).all() else "deviations are not finite"
    return ""
