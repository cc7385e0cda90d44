"""Speed and memory, as ratios against the LAPACK floor and against peers, measured in one run.

``python -m benchmarks`` from the root of the repository runs all; see ``--help``.
"""

import os

# One BLAS thread: set before numpy is imported, which reads these once.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
