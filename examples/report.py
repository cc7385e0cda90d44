"""A report
===========

Everything that is known about a fit as one file, for a browser and for people (extra ``report``).
"""

from sklearn.datasets import load_wine

from kernelwise import AutoKernelClassifier

X, y = load_wine(return_X_y=True, as_frame=True)
model = AutoKernelClassifier(candidates=["gaussian", "laplacian", "linear"]).fit(X, y)
page = model.report("report.html")  # one file, which loads no other

# %%
# Its twin in Markdown is for an issue, a notebook, or whatever reads text.
text = model.report("report.md")
print(text[:600])
