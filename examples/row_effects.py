"""Why this row?
================

Which features moved the output of a row, and how far.
"""

from sklearn.datasets import load_breast_cancer

from kernelwise import LSSVMClassifier
from kernelwise.insight import describe, row_effects

data = load_breast_cancer(as_frame=True)
X, y = data.data[::3], data.target_names[data.target][::3]
model = LSSVMClassifier().fit(X[10:], y[10:])

found = row_effects(model, X[:10])  # ten rows that the model has not seen
for row in (1, 7):
    print(describe(found[row], X.columns, X.iloc[row]), end="\n\n")

strongest = abs(found.effects).argmax(axis=1)  # (rows, features): the numbers behind the words
print("moved most, row by row:", list(X.columns[strongest]))
