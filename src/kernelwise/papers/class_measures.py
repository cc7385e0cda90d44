"""Numbers about how a fitted classifier of several classes ranks the test rows."""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics import roc_auc_score

from kernelwise.evaluation import equal_error_rate


def class_measures(fitted: BaseEstimator, X_test, y_test) -> dict[str, float]:
    """Means over the classes of ``auc`` and ``equal_error_rate``, each class against the rest.

    A class that no test row has is left out. Estimators of two classes, and those without outputs
    per class, have no such measures.

    Parameters
    ----------
    fitted : the estimator
    X_test, y_test : rows it was not fitted to, with their classes
    """
    if len(getattr(fitted, "classes_", ())) < 3 or not hasattr(fitted, "decision_function"):
        return {}
    outputs = fitted.decision_function(X_test)
    if outputs.shape != (len(y_test), len(fitted.classes_)):  # one against one, in an SVC
        return {}
    members = np.asarray(y_test)[:, None] == fitted.classes_
    pairs = [
        (is_member, scores)
        for is_member, scores in zip(members.T, outputs.T, strict=True)
        if is_member.any() and not is_member.all()
    ]
    if not pairs:
        return {}
    return {
        "auc": float(np.mean([roc_auc_score(*pair) for pair in pairs])),
        "equal_error_rate": float(np.mean([equal_error_rate(*pair) for pair in pairs])),
    }
