"""First-level paper, Table 2: one Gaussian kernel, three ways to choose its width."""

from kernelwise.methods import COMPETITORS
from kernelwise.papers.first_level import paper
from kernelwise.papers.published import printed_figures

COLUMNS = ("RBF-LOO", "RBF-XVAL", "RBF-FLKL")

TABLE = paper.table(
    name="first-level-table-2",
    caption="LS-SVM with one Gaussian width: leave-one-out, 5-fold and first level",
    columns=COLUMNS,
    companions=("AUTO", *COMPETITORS),
    cpu_minutes=2.0,
    printed=printed_figures(
        """
        banana        10.605 0.052  10.587 0.051  10.614 0.053
        breast_cancer 27.000 0.476  26.753 0.470  26.610 0.506
        diabetis      23.320 0.166  23.390 0.170  23.933 0.189
        flare_solar   34.230 0.168  34.325 0.176  34.295 0.182
        german        23.543 0.217  23.620 0.240  24.987 0.253
        heart         16.550 0.354  16.590 0.366  17.140 0.337
        image          2.995 0.159   2.861 0.172   2.960 0.166
        ringnorm       1.610 0.015   1.650 0.015   1.608 0.011
        splice        10.828 0.138  10.811 0.148  10.926 0.150
        synthetic      9.642 0.059   9.657 0.060   9.658 0.057
        thyroid        4.707 0.229   4.627 0.233   4.720 0.235
        titanic       22.581 0.102  22.568 0.095  22.531 0.089
        twonorm        2.845 0.021   2.802 0.019   2.578 0.015
        waveform       9.786 0.045   9.805 0.044   9.970 0.044
        """,
        COLUMNS,
        paper.REPLICATES,
    ),
)
