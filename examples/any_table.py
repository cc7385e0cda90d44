"""Any table, as people have it
===============================

Read a file, see what was seen in it, and fit.
"""

from pathlib import Path
from tempfile import mkdtemp

from kernelwise import LSSVMClassifier
from kernelwise.data import read

path = Path(mkdtemp()) / "clinic.csv"
lines = ["patient_id;seen;dose;age;outcome"]
for i in range(120):
    age, outcome = "?" if i % 9 == 0 else 20 + 7 * i % 60, "ill" if i % 17 > 8 else "well"
    lines.append(f"{100 + 3 * i};{1 + i % 28}.3.2024;{i % 17},5;{age};{outcome}")
path.write_text("\n".join(lines))

table = read(path, target="outcome")
for check in table.checks:
    print(check.code, check.severity, check)  # what was seen, and what to do if that is wrong
model = LSSVMClassifier("gaussian", "loo").fit(table.features, table.target)
print(dict(zip(table.features, model.relevance_.round(2), strict=True)))
