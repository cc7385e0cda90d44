"""Which features moved the output of each row, and how far: knock-out effects row by row."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.classifier import largest_output
from kernelwise.estimators.relevance import typical_row, with_held
from kernelwise.tables.columns import UnseenLevelWarning
from kernelwise.tables.gaps import UnseenGapWarning

# The strongest pair is looked for among so many features, those with the largest effects.
PAIRED_FEATURES = 5


@dataclass(frozen=True)
class RowEffect:
    """What moved the output of one row; all fields are those of `RowEffects` at this row."""

    row: int
    output: float
    typical: float
    effects: np.ndarray
    interaction: float
    pair: tuple[int, int] | None
    pair_interaction: float
    prediction: Any = None
    probability: float | None = None
    sides: tuple[Any, Any] | None = None

    @property
    def difference(self) -> float:
        """How far the output is from that of the typical row."""
        return self.output - self.typical


@dataclass(frozen=True, eq=False)
class RowEffects:
    """What moved the outputs of some rows, away from the output of the typical row.

    ``output - typical = sum of effects + interaction``, for every row. The typical row has the mean
    of each numeric column of the fit (and of its gaps), and the most common level of each other.

    Attributes
    ----------
    outputs : (rows,), what is explained: a regressor's prediction, in units of y; of two classes
        the output toward the second; of more the output of one class, by default the predicted one
    typical : (rows,), the same output of the typical row
    effects : (rows, features), ``f(x) - f(x with this feature as in the typical row)``
    interactions : (rows,), what single features do not explain; 0 for a function that is a sum of
        functions of one feature each
    pairs : (rows, 2), two of the five features with the largest effects: those that act together
        most; -1 if there is only one feature
    pair_interactions : (rows,), ``f(x) - f(x without both) - the sum of their effects``: all of the
        interaction if no others act together
    predictions : (rows,), labels or quantities; None if not known
    probabilities : (rows,), that of the predicted label; None without classes
    sides : for each row what positive and negative outputs speak for: a label, or None for all
        other classes; None without classes
    """

    outputs: np.ndarray
    typical: np.ndarray
    effects: np.ndarray
    interactions: np.ndarray
    pairs: np.ndarray
    pair_interactions: np.ndarray
    predictions: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    sides: list[tuple[Any, Any]] | None = None

    def __len__(self) -> int:
        return len(self.outputs)

    def __getitem__(self, row: int) -> RowEffect:
        first, second = map(int, self.pairs[row])
        known = self.probabilities
        return RowEffect(
            row,
            float(self.outputs[row]),
            float(self.typical[row]),
            self.effects[row],
            float(self.interactions[row]),
            None if first < 0 else (first, second),
            float(self.pair_interactions[row]),
            None if self.predictions is None else self.predictions[row],
            None if known is None else float(known[row]),
            None if self.sides is None else self.sides[row],
        )


class Seen(NamedTuple):
    """A model as a function of rows as its kernel compares them.

    ``outputs`` gives (rows, outputs); ``column_of`` says of which feature each coordinate of a row
    is, and ``typical`` is the typical row.
    """

    outputs: Callable[[np.ndarray], np.ndarray]
    column_of: np.ndarray
    typical: np.ndarray


def row_effects(
    model: Any, X: Any, *, weights: ArrayLike | None = None, output: int | None = None
) -> RowEffects:
    """Which features moved the output of each row, and how far.

    A feature's effect on a row is what changes if it is held at what is typical of the rows of the
    fit, as in ``relevance_``. Cost: d + 15 evaluations of the model per row, for d features.

    Parameters
    ----------
    model : a fitted estimator of kernelwise with features, or a list of such estimators for one
        target, whose outputs are added with ``weights``
    X : array or data frame of shape (rows, columns), as for ``predict``
    weights : one per model of a list; None: equal weights of sum 1
    output : which column of the outputs is explained; None: the only one, or that of the predicted
        class. A regressor with several targets needs it.
    """
    models = list(model) if isinstance(model, (list, tuple)) else [model]
    _check(models)
    seen = stacked([_seen(one) for one in models], _shares(weights, len(models)))
    rows = np.hstack([one._rows_to_compare(X) for one in models])
    outputs = seen.outputs(rows)
    if not is_classifier(models[0]):
        found = row_effects_of(seen, rows, _chosen(outputs, output, None))
        return replace(found, predictions=found.outputs)
    classes, probabilities, codes = models[0].classes_, None, largest_output(outputs)
    if len(models) == 1:
        codes, probabilities = _predicted(models[0], X)
    chosen = _chosen(outputs, output, codes)
    two = len(classes) == 2
    return replace(
        row_effects_of(seen, rows, chosen),
        predictions=classes[codes],
        probabilities=probabilities,
        sides=[(classes[1], classes[0]) if two else (classes[c], None) for c in chosen],
    )


def row_effects_of(seen: Seen, rows: np.ndarray, chosen: np.ndarray) -> RowEffects:
    """Row effects of any function of rows, such as a sum of models (see `stacked`).

    Parameters
    ----------
    seen : the function, what feature each coordinate is of, and the typical row
    rows : (rows, coordinates)
    chosen : (rows,), the column of the outputs that is explained
    """
    every = np.arange(len(rows))
    outputs = seen.outputs(rows)[every, chosen]
    typical = seen.outputs(seen.typical[None, :])[0, chosen]
    n_features = int(seen.column_of.max()) + 1
    effects = np.zeros((len(rows), n_features))
    for r in range(n_features):
        held = with_held(rows, r, seen.typical, seen.column_of)
        moved = np.flatnonzero((held != rows).any(axis=1))  # all others have an effect of 0
        if len(moved):
            effects[moved, r] = (
                outputs[moved] - seen.outputs(held[moved])[np.arange(len(moved)), chosen[moved]]
            )
    interactions = outputs - typical - effects.sum(axis=1)
    pairs, strengths = _strongest_pairs(seen, rows, chosen, outputs, effects)
    return RowEffects(outputs, typical, effects, interactions, pairs, strengths)


def _strongest_pairs(
    seen: Seen, rows: np.ndarray, chosen: np.ndarray, outputs: np.ndarray, effects: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The two features of each row that act together most, and how much that is."""
    every = np.arange(len(rows))
    largest = np.argsort(-np.abs(effects), axis=1, kind="stable")[:, :PAIRED_FEATURES]
    pairs, strengths = np.full((len(rows), 2), -1), np.zeros(len(rows))
    for first, second in combinations(largest.T, 2):
        held = with_held(rows, first, seen.typical, seen.column_of)
        held = with_held(held, second, seen.typical, seen.column_of)
        both = outputs - seen.outputs(held)[every, chosen]
        strength = both - effects[every, first] - effects[every, second]
        stronger = (np.abs(strength) > np.abs(strengths)) | (pairs[:, 0] < 0)
        pairs[stronger] = np.column_stack([first, second])[stronger]
        strengths[stronger] = strength[stronger]
    return pairs, strengths


def stacked(parts: Sequence[Seen], weights: np.ndarray) -> Seen:
    """The weighted sum of several models as one function.

    Its rows are the rows of all models side by side, as each may scale columns in its own way.
    """
    ends = np.cumsum([len(part.typical) for part in parts])[:-1]

    def outputs(rows: np.ndarray) -> np.ndarray:
        own = zip(parts, weights, np.split(rows, ends, axis=1), strict=True)
        return np.sum([weight * part.outputs(some) for part, weight, some in own], axis=0)

    return Seen(
        outputs,
        np.concatenate([part.column_of for part in parts]),
        np.concatenate([part.typical for part in parts]),
    )


def _seen(model: Any) -> Seen:
    columns = model.columns_
    typical = getattr(model, "_typical_row", None)
    if typical is None:  # models of earlier versions, and those that were never asked for features
        typical = typical_row(model.X_fit_, np.ones(len(model.X_fit_)), columns)
    return Seen(model._outputs_of, columns.column_of, typical)


def _predicted(model: Any, X: Any) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row's label, and its probability."""
    with warnings.catch_warnings():
        # What is new in these rows was said when they were read.
        warnings.simplefilter("ignore", UnseenLevelWarning)
        warnings.simplefilter("ignore", UnseenGapWarning)
        codes = np.searchsorted(model.classes_, model.predict(X))
        return codes, model.predict_proba(X)[np.arange(len(codes)), codes]


def _check(models: Sequence[Any]) -> None:
    if not models:
        raise ValueError("row effects need at least one model, got an empty list")
    for model in models:
        if not hasattr(model, "_outputs_of"):
            raise ValueError(
                "row effects need a fitted classifier or regressor of kernelwise (of a pipeline, "
                f"its last step, and rows as that sees them), not a {type(model).__name__}"
            )
        check_is_fitted(model, "columns_")
        if not getattr(model, "_has_features", hasattr(model, "relevance_")):
            raise ValueError("row effects need features; this model was fitted to Gram matrices")


def _shares(weights: ArrayLike | None, n_models: int) -> np.ndarray:
    if weights is None:
        return np.full(n_models, 1 / n_models)
    found = np.asarray(weights, float)
    if found.shape != (n_models,) or not np.isfinite(found).all():
        raise ValueError(f"weights must be {n_models} finite numbers, one per model: {weights!r}")
    return found


def _chosen(outputs: np.ndarray, output: int | None, codes: np.ndarray | None) -> np.ndarray:
    """The column of the outputs that is explained, for each row."""
    n_rows, width = outputs.shape
    if output is not None:
        if not isinstance(output, int | np.integer) or not 0 <= output < width:
            raise ValueError(f"output must be a number from 0 to {width - 1}, got {output!r}")
        return np.full(n_rows, int(output))
    if width == 1:
        return np.zeros(n_rows, int)
    if codes is None:
        raise ValueError(f"the model has {width} targets: say which one, output=0 to {width - 1}")
    return codes
