"""Methods on one table
=======================

Errors with intervals, every choice made again in each fold (extra ``report``).
"""

from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier
from kernelwise.evaluation import honest_error
from kernelwise.report import error_intervals

X, y = load_wine(return_X_y=True)
methods = {
    "kernel": LSSVMClassifier("gaussian", "loo", honest=False),  # judged here, not by copies
    "forest": RandomForestClassifier(100, random_state=0),
    "linear": make_pipeline(StandardScaler(), LogisticRegression()),
}
errors = {name: honest_error(method, X, y, folds=5) for name, method in methods.items()}
for name, error in errors.items():
    print(f"{name}: {error.value:.3f} ({error.lower:.3f} to {error.upper:.3f})")

# %%
# Intervals that overlap do not prove that methods are equal: they say that this table cannot tell.
# ``kernelwise compare`` does the same in the shell, for more methods, and answers in words.
error_intervals(errors, baseline=errors["kernel"].baseline).savefig("errors.png")
