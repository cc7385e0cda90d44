"""scikit-learn's own checks of two estimators: ``python scikit_learn_checks.py [gaussian]``."""

import sys
import warnings

from sklearn.utils.estimator_checks import check_estimator

from kernelwise import LSSVMClassifier, LSSVMRegressor

warnings.simplefilter("ignore")
fast = LSSVMClassifier("gaussian", "loo")
for estimator in (
    fast if "gaussian" in sys.argv else LSSVMClassifier(),
    LSSVMRegressor("gaussian", "loo"),
):
    check_estimator(estimator)
    print(estimator)
