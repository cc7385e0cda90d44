"""Which features matter
========================

Relevances with intervals, and which of them are told apart from noise (extra ``report``).

Of ten features only the first five have a part in the target; the fifth has half the slope of the
fourth.
"""

from sklearn.datasets import make_friedman1

from kernelwise import LSSVMRegressor
from kernelwise.report import RelevanceDisplay

X, y = make_friedman1(200, n_features=10, noise=1.0, random_state=0)
model = LSSVMRegressor().fit(X, y)  # one length scale per feature
RelevanceDisplay.from_estimator(model).as_figure().savefig("relevance.png")

# %%
# A relevance is a share of what moves the outputs. The order of features within overlapping
# intervals means nothing.
for feature, (share, (low, high)) in enumerate(
    zip(model.relevance_, model.relevance_interval_, strict=True)
):
    told_apart = "told apart from noise" if feature in model.selected_features_ else ""
    print(f"x{feature}: {share:.3f} ({low:.3f} to {high:.3f}) {told_apart}")
