"""A table that is never in memory: landmarks, sums over its pieces, outputs for all rows."""

from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pandas as pd

from kernelwise.data import open_rows
from kernelwise.kernels import Gaussian
from kernelwise.machines import Nystrom
from kernelwise.scale import Engine, drawn_rows
from kernelwise.scale.blocked_objective import blocked_evaluation
from kernelwise.solutions import Targets
from kernelwise.tables.stream_columns import scan_stream, stream_outputs

random = np.random.default_rng(0)
table = pd.DataFrame(random.normal(size=(20_000, 4)), columns=list("abcd"))
table["y"] = np.sin(2 * table["a"]) + table["b"] + 0.1 * random.normal(size=len(table))
path = Path(mkdtemp()) / "large.parquet"
table.to_parquet(path, row_group_size=4_000)  # a row group is a piece

rows = open_rows(path, target="y")
scan = scan_stream(rows, engine=Engine(n_threads=2))  # or Engine(client=distributed.Client(...))
columns = scan.learn_columns()
blocks = scan.blocks(columns, Targets.plain(scan.summary.y))

landmarks = blocks.take(drawn_rows(blocks.n_rows, 200, seed=0))
found = blocked_evaluation(Gaussian(np.full(4, 2.0)), Nystrom(landmarks, 0.01), blocks)

new = open_rows(path, like=rows)  # read as the table of the fit was
outputs = stream_outputs(new, columns, found.outputs, n_outputs=1)
print(f"root mean squared error {np.sqrt(np.mean((outputs[:, 0] - table['y']) ** 2)):.3f}")
