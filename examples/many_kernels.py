"""Many kernels, weighed
========================

Weights, most of them 0, or with credible intervals; three pictures (extra ``report``).
"""

from sklearn.datasets import load_breast_cancer

from kernelwise import BEMKLClassifier, MKLClassifier
from kernelwise.multikernel import KernelBank
from kernelwise.report import bounds_plot, kernel_weights_plot, view_weights_plot

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, y = X[::3], y[::3]

# Three groups of columns, and four kernels on each.
groups = {word: [name for name in X.columns if word in name] for word in ("mean", "error", "worst")}
bank = KernelBank(widths=[1, 4, 16], degrees=[1], views=groups)

quick = MKLClassifier(bank).fit(X, y)  # weights of 0 or more, most of them 0
print([quick.kernel_names_[m] for m in quick.selected_kernels_])

model = BEMKLClassifier(bank, sparsity="sparse").fit(X, y)  # weights with credible intervals
kernel_weights_plot(
    model.kernel_names_, model.kernel_weights_, model.kernel_weight_intervals_
).savefig("weights.png")
view_weights_plot(model.kernel_views_, model.kernel_shares_).savefig("views.png")

plain = BEMKLClassifier(bank, "sparse", momentum=False, max_sweeps=200, tolerance=0).fit(X, y)
bounds_plot({"plain": plain.lower_bound_, "with momentum": model.lower_bound_}).savefig(
    "bounds.png"
)
