"""Numbers to trust
===================

Errors, probabilities, sets, intervals and features beside a prediction.
"""

from sklearn.datasets import load_breast_cancer, load_diabetes

from kernelwise import LSSVMClassifier, LSSVMRegressor

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = LSSVMClassifier("gaussian", "loo").fit(X[:150], y[:150])
print(model.held_out_error_)  # what the selection saw: optimistic
print(model.honest_error_)  # by copies that have not seen the rows
print(model.predict_proba(X[150:]))  # trusted as far as the copies were right
print(model.predict_set(X[150:], level=0.9))  # the classes that a row may belong to

X, y = load_diabetes(return_X_y=True, as_frame=True)
model = LSSVMRegressor("gaussian", "loo").fit(X[:150], y[:150])
outputs, std = model.predict(X[150:], return_std=True)  # deviations that fit the copies' errors
print(model.predict_interval(X[150:], level=0.9))  # hold nine in ten new observations
print(model.relevance_interval_)  # how sure each relevance is
print(X.columns[model.selected_features_])  # the features that are told apart from noise
