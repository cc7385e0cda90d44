"""From the columns of a table to a fitted estimator, in one pipeline."""

from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

# Codes of an OrdinalEncoder count from 0, so these two are levels of their own.
UNKNOWN_LEVEL, MISSING_LEVEL = -1, -2


def table_pipeline(dataset, estimator: BaseEstimator) -> Pipeline:
    """An unfitted pipeline from ``dataset.features`` to predictions.

    Numeric columns have their gaps filled with the median and are standardized. Categorical
    columns become codes: a missing value is a level of its own, and a level that was not seen
    in training differs from all that were. A copy of ``estimator`` comes last and is told which
    of its inputs are codes.

    Parameters
    ----------
    dataset : anything with ``numeric_columns`` and ``categorical_columns``, names of columns
    estimator : a classifier or regressor with a parameter ``categorical_features``
    """
    numeric, categorical = list(dataset.numeric_columns), list(dataset.categorical_columns)
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value",
        unknown_value=UNKNOWN_LEVEL,
        encoded_missing_value=MISSING_LEVEL,
    )
    columns = ColumnTransformer(
        [("numbers", _numbers(), numeric), ("codes", codes, categorical)],
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")  # the estimator's messages then name the columns
    code_positions = list(range(len(numeric), len(numeric) + len(categorical)))
    final = clone(estimator).set_params(categorical_features=code_positions)
    return Pipeline([("columns", columns), ("estimator", final)])


def one_hot_pipeline(dataset, estimator: BaseEstimator) -> Pipeline:
    """As ``table_pipeline``, for an estimator that takes numbers only.

    The steps of an ``estimator`` that is itself a pipeline follow, so that the last step of the
    result is what learns.
    """
    final = clone(estimator)
    steps = final.steps if isinstance(final, Pipeline) else [("estimator", final)]
    return Pipeline([("columns", one_hot_columns(dataset)), *steps])


def one_hot_columns(dataset) -> ColumnTransformer:
    """Numeric columns as in ``table_pipeline``, then a column of 0 and 1 for each level.

    A missing value is a level of its own; a level that was not seen in training is 0 throughout.
    """
    levels = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return ColumnTransformer(
        [
            ("numbers", _numbers(), list(dataset.numeric_columns)),
            ("levels", levels, list(dataset.categorical_columns)),
        ]
    )


def _numbers() -> Pipeline:
    return Pipeline(
        [
            # Empty columns stay, so that positions do not move.
            ("impute", SimpleImputer(strategy="median", keep_empty_features=True)),
            ("standardize", StandardScaler()),
        ]
    )
