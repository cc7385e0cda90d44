"""Probabilities, and how sure they are
=======================================

The posterior of a support vector machine, and a check of it by sampling.
"""

from sklearn.datasets import load_breast_cancer

from kernelwise import SVMClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
columns = ["mean radius", "mean texture", "mean smoothness"]
train, new = X.loc[::3, columns], X.loc[1::3, columns]

model = SVMClassifier("gaussian", selection="evidence-ep").fit(train, y[::3])
probabilities, deviations = model.predict_proba(new, return_std=True)
means, spreads = model.output_posterior(new)  # the outputs, before they become probabilities
print(
    f"least sure: {probabilities[deviations[:, 1].argmax(), 1]:.2f} ± {deviations[:, 1].max():.2f}"
)

checked = SVMClassifier("gaussian", selection="evidence-hmc", random_state=0).fit(train, y[::3])
step = checked.trace_.steps[-1]  # the gradient of minus the log evidence per row, where EP ended
for name, sampled, error, propagated in zip(
    checked.trace_.names, step.gradient, step.standard_errors, step.propagated, strict=True
):
    print(f"{name}: {propagated:+.4f}, sampled {sampled:+.4f} ± {error:.4f}")
