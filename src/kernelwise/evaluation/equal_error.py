"""The equal error rate: where a threshold misses as many as it falsely accepts."""

import numpy as np


def equal_error_rate(positive: np.ndarray, scores: np.ndarray) -> float:
    """The share of errors of either kind at the threshold that makes both shares equal.

    Between two neighboring thresholds both shares are taken to change linearly, as along the ROC
    curve. Cost: O(n log n).

    Parameters
    ----------
    positive : whether each case is one to be found; there must be cases of both kinds
    scores : high for cases that look like it; equal scores are on the same side of any threshold
    """
    positive, scores = np.asarray(positive, dtype=bool), np.asarray(scores, dtype=float)
    if positive.all() or not positive.any():
        raise ValueError("an equal error rate needs cases to be found, and others")
    order = np.argsort(-scores, kind="stable")
    found, ranked = positive[order], scores[order]
    # Thresholds stand between different scores only.
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    accepted = np.append(0, np.cumsum(~found)[ends] / np.sum(~found))
    missed = 1 - np.append(0, np.cumsum(found)[ends] / np.sum(found))
    gap = accepted - missed  # rises from -1 to 1
    after = int(np.argmax(gap >= 0))
    share = gap[after - 1] / (gap[after - 1] - gap[after])
    return float(missed[after - 1] + share * (missed[after] - missed[after - 1]))
