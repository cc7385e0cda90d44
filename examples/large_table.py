"""A table that is never in memory
==================================

From a Parquet file to a model and its predictions.
"""

from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pandas as pd

from kernelwise import LSSVMRegressor
from kernelwise.data import open_rows

random = np.random.default_rng(0)
table = pd.DataFrame(random.normal(size=(8_000, 4)), columns=list("abcd"))
table["y"] = np.sin(2 * table["a"]) + table["b"] + 0.1 * random.normal(size=len(table))
path = Path(mkdtemp()) / "large.parquet"
table.to_parquet(path, row_group_size=2_000)  # a row group is a piece

rows = open_rows(path, target="y")
model = LSSVMRegressor("ard-gaussian", landmarks=200).fit(rows)
print(f"honest error {model.honest_error_:.3f}, relevances {model.relevance_.round(3)}")
print(f"{model.effective_parameters_:.0f} effective parameters, {model.n_passes_} passes")

new = open_rows(path, like=rows)  # read as the table of the fit was
outputs = model.predict(new)
print(f"root mean squared error {np.sqrt(np.mean((outputs - table['y']) ** 2)):.3f}")
