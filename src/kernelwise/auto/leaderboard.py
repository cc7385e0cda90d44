"""The candidates side by side: what each is worth on rows that no choice has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernelwise.auto.candidates import STACK
from kernelwise.auto.stack import StackChoice
from kernelwise.evaluation import Unseen
from kernelwise.evaluation.row_intervals import (
    SHARED_TRAINING,
    clustering,
    root_difference,
    root_interval,
    share_difference,
    share_interval,
)

FIELDS = [
    ("candidate", "U40"),
    ("weight", float),
    ("error", float),
    ("low", float),
    ("high", float),
    ("seen", float),
    ("optimism", float),
    ("seconds", float),
    ("factorizations", int),
    ("verdict", "U40"),
]


def leaderboard(
    choice: StackChoice,
    combine: str,
    seen: Sequence[float],
    unseen: Unseen | None,
    predictions: Sequence[np.ndarray],
    groups: np.ndarray | None,
) -> np.ndarray:
    """What predicts, then each (other) candidate, the least error first.

    What predicts is the stack or, with ``combine="best"``, the chosen candidate. Its error is that
    of copies that made every choice again, the one among the candidates too.

    Parameters
    ----------
    choice, combine : what was chosen, and how
    seen : the held-out error of the stack and of each candidate that the choice saw
    unseen : rows that judge them; None: nothing is known but what the choice saw
    predictions : of these rows, by the stack and by each candidate
    groups : a number per row of the table; rows of a group count as fewer
    """
    fits = choice.fits
    seconds = [sum(fit.seconds for fit in fits), *(fit.seconds for fit in fits)]
    work = [choice.n_factorizations, *(fit.n_factorizations for fit in fits)]
    table = np.zeros(len(fits) + 1, FIELDS)
    names = [fit.name for fit in fits]
    table["candidate"] = [STACK, *names]
    table["weight"] = [1.0, *choice.weights]
    table["seen"], table["seconds"], table["factorizations"] = seen, seconds, work
    table["error"] = table["low"] = table["high"] = np.nan
    if unseen is not None:
        for row, own in zip(table, predictions, strict=True):
            ends = _interval(replace(unseen, predictions=own), groups)
            row["error"], row["low"], row["high"] = ends
    table["optimism"] = table["error"] - table["seen"]
    rank = table["seen"] if unseen is None else table["error"]
    # Equal ones as they were tried: seconds would differ from run to run.
    order = np.argsort(rank, kind="stable")
    table["verdict"] = _verdicts(choice, unseen, predictions, groups)
    # What predicts comes first, whatever else has come out ahead of it by chance.
    others = order[order > 0]
    if combine == "best":
        chosen = 1 + choice.best
        for name in ("candidate", "seconds", "factorizations", "verdict"):
            table[name][0] = table[name][chosen]
        others = others[others != chosen]
    return table[[0, *others]]


def _interval(unseen: Unseen, groups: np.ndarray | None) -> tuple[float, float, float]:
    losses, is_class = unseen.losses(unseen.predictions), unseen.classes is not None
    held = None if groups is None else groups[unseen.rows]
    factor = clustering(losses, held) * (SHARED_TRAINING if unseen.folds > 1 else 1.0)
    weights = None if unseen.counted is None else unseen.counted.weights
    mean = float(np.average(losses, weights=weights))
    ends = (share_interval if is_class else root_interval)(losses, factor, unseen.counted)
    return (mean if is_class else float(np.sqrt(mean))), ends.lower, ends.upper


def _verdicts(
    choice: StackChoice,
    unseen: Unseen | None,
    predictions: Sequence[np.ndarray],
    groups: np.ndarray | None,
) -> list[str]:
    """In words: how each candidate compares with what predicts on the same rows."""
    best = choice.best
    words = ["predicts"]
    for number in range(len(choice.fits)):
        said = "chosen" if choice.weights[number] == 1 else ""
        if unseen is not None and not said:
            said = _compared(unseen, predictions[0], predictions[number + 1], groups)
        alone = "least held-out squares" if number == best and choice.weights[number] < 1 else ""
        words.append(", ".join(word for word in (alone, said) if word))
    return words


def _compared(unseen: Unseen, stack: np.ndarray, own: np.ndarray, groups: np.ndarray | None) -> str:
    difference = share_difference if unseen.classes is not None else root_difference
    held = None if groups is None else groups[unseen.rows]
    ends = difference(unseen.losses(own), unseen.losses(stack), held, unseen.counted)
    return "worse" if ends.lower > 0 else "better" if ends.upper < 0 else "not told apart"


def cv_results(choice: StackChoice, parts: Any) -> dict[str, Any]:
    """scikit-learn's table of a search: minus the mean held-out squares of each candidate.

    These are what the choice saw: closed-form held-out outputs, their mean over all rows and over
    the rows of each fold. The targets are -1 and +1, or standardized.
    """
    weights = parts.targets.weights
    squares = np.stack([(fit.held_out**2).sum(axis=1) for fit in choice.fits])
    by_fold = np.stack(
        [-np.average(squares[:, S], axis=1, weights=weights[S]) for S in parts.folds]
    )
    mean = -np.average(squares, axis=1, weights=weights)
    ranks = np.empty(len(mean), int)
    ranks[np.argsort(-mean, kind="stable")] = np.arange(1, len(mean) + 1)
    names = [fit.name for fit in choice.fits]
    return {
        "candidate": np.array(names),
        "params": [{"candidate": name} for name in names],
        "mean_fit_time": np.array([fit.seconds for fit in choice.fits]),
        "mean_test_score": mean,
        "std_test_score": by_fold.std(axis=0),
        "rank_test_score": ranks,
        **{f"split{k}_test_score": scores for k, scores in enumerate(by_fold)},
    }
