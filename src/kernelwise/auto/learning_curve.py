"""Would more rows help? The chosen machines fitted to fewer rows, judged by rows kept from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.estimators.fold_fits import Copies, without
from kernelwise.insight.fit_record import CurvePoint
from kernelwise.selections import LandmarkChoice

SHARES = (0.25, 0.5, 0.75)
# Fewer parts than this say nothing.
FEWEST_PARTS = 60
# So many folds are averaged.
MOST_FOLDS = 5


def learning_curve(model: Any, reading: Any, copies: Copies) -> tuple[CurvePoint, ...]:
    """The error of the stack with its kernels as chosen, on a quarter, half, ... of the rows.

    Kernels and weights are those that the copy without a fold has chosen; only the machines are
    fitted again. None on landmarks, for few rows, and where no copy chose again. Cost: less than
    two factorizations of all rows for each candidate and fold.
    """
    judges = [fit for fit in copies.judges if fit.chose_again][:MOST_FOLDS]
    if not judges or len(reading.parts.X) < FEWEST_PARTS:
        return ()
    stack: Any = judges[0].choice
    if any(fit.choice is None or isinstance(fit.choice, LandmarkChoice) for fit in stack.fits):
        return ()  # fits of other estimators, and on landmarks, cost too much
    shares, folds = (*SHARES, 1.0), list(enumerate(judges))
    tried = [[_error(model, reading, judge, share, k) for k, judge in folds] for share in shares]
    errors = np.array([[error for error, _ in line] for line in tried])
    rows = [int(np.mean([count for _, count in line])) for line in tried]
    uncertain: list[float | None] = [None] * len(shares)
    if len(folds) > 1:
        spread = (errors - errors[-1]).std(axis=1, ddof=1)
        uncertain = (spread / np.sqrt(len(folds))).tolist()
    means = [model._mean_of_errors(line) for line in errors]
    return tuple(map(CurvePoint, rows, means, uncertain))


def _error(model: Any, reading: Any, judge: Any, share: float, seed: int) -> tuple[float, int]:
    """The error on the rows of a fold by machines that saw a share of the others, and how many."""
    count = len(judge.reading.parts.X)
    order = np.random.default_rng(seed).permutation(count)
    left_out = np.sort(order[round(share * count) :])
    rest = without(judge.reading, left_out) if len(left_out) else judge.reading
    outputs: Any = judge.choice.offsets
    for weight, fit in zip(judge.choice.weights, judge.choice.fits, strict=True):
        if weight > 0:
            member = fit.member
            if len(left_out):
                member = member.learn_again(rest, fit.choice, lambda: None)[0]
            outputs = outputs + weight * member.outputs_of(judge.rows)
    entries = np.flatnonzero(np.isin(reading.parts.part, judge.parts))
    place = np.searchsorted(judge.parts, reading.parts.part[entries])
    return model._error_of(reading, outputs[place], entries), count - len(left_out)
