"""In a pipeline of scikit-learn
================================

Select features, learn, validate, and draw partial dependence (extra ``report``).
"""

from matplotlib.figure import Figure
from sklearn.datasets import load_diabetes
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import PartialDependenceDisplay
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVR

from kernelwise import LSSVMRegressor

X, y = load_diabetes(return_X_y=True, as_frame=True)
X, y = X[::3], y[::3]

# Features by relevance for a machine that cannot choose them. Only the relevances are wanted, so no
# copies need to judge the fit (honest=False).
select = SelectFromModel(LSSVMRegressor("ard-gaussian", honest=False), max_features=4)
pipeline = make_pipeline(select, SVR(C=100))
print(f"R2 of folds: {cross_val_score(pipeline, X, y, cv=3).mean():.2f}")

# %%
# Partial dependence takes estimators of kernelwise as they are.
model = LSSVMRegressor("gaussian", "loo").fit(X, y)
figure = Figure(figsize=(8, 3), layout="constrained")
axes = figure.subplots(1, 2)
PartialDependenceDisplay.from_estimator(model, X, ["bmi", "s5"], ax=list(axes))
figure.savefig("dependence.png")
