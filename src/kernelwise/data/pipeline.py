"""From the columns of a table to a fitted estimator, in one pipeline."""

from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def table_pipeline(dataset, estimator: BaseEstimator) -> Pipeline:
    """An unfitted pipeline from ``dataset.features`` to predictions.

    The columns pass as they are. A copy of ``estimator`` comes last and is told which of them are
    categorical: it standardizes and codes them and fills their gaps itself, a missing category
    being a level of its own.

    Parameters
    ----------
    dataset : anything with ``numeric_columns`` and ``categorical_columns``, names of columns
    estimator : a classifier or regressor with a parameter ``categorical_features``
    """
    numeric, categorical = list(dataset.numeric_columns), list(dataset.categorical_columns)
    columns = ColumnTransformer(
        [("numbers", "passthrough", numeric), ("categories", "passthrough", categorical)],
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")  # text stays text, and columns keep their names
    final = clone(estimator).set_params(categorical_features=categorical)
    return Pipeline([("columns", columns), ("estimator", final)])


def final_step(model: BaseEstimator) -> BaseEstimator:
    """What learns: the last step of a pipeline, or an estimator itself."""
    return model.steps[-1][1] if isinstance(model, Pipeline) else model


def one_hot_pipeline(dataset, estimator: BaseEstimator) -> Pipeline:
    """As ``table_pipeline``, for an estimator that takes numbers only.

    The steps of an ``estimator`` that is itself a pipeline are appended one by one, so that the
    last step of the result is what learns.
    """
    final = clone(estimator)
    steps = final.steps if isinstance(final, Pipeline) else [("estimator", final)]
    return Pipeline([("columns", one_hot_columns(dataset)), *steps])


def one_hot_columns(dataset) -> ColumnTransformer:
    """Numeric columns imputed and standardized, then a column of 0 and 1 for each level.

    A missing value is a level of its own; a level that was not seen in training is 0 throughout.
    """
    # Empty columns stay, so that the names a model was fitted on all have a place.
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    numbers = Pipeline([("impute", imputer), ("standardize", StandardScaler())])
    levels = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return ColumnTransformer(
        [
            ("numbers", numbers, list(dataset.numeric_columns)),
            ("levels", levels, list(dataset.categorical_columns)),
        ]
    )
