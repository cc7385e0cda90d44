"""First-level paper, Table 3: a length scale per feature, three ways to choose them."""

from kernelwise.methods import COMPETITORS
from kernelwise.papers.first_level import paper
from kernelwise.papers.published import printed_figures

COLUMNS = ("ARD-LOO", "ARD-XVAL", "ARD-FLKL")

TABLE = paper.table(
    name="first-level-table-3",
    caption="LS-SVM with a length scale per feature: leave-one-out, 5-fold and first level",
    columns=COLUMNS,
    companions=("AUTO", "ARD-BR", "LAPLACIAN", "MIXED", *COMPETITORS),
    cpu_minutes=4.0,
    printed=printed_figures(
        """
        banana        10.670 0.058  10.656 0.059  10.600 0.054
        breast_cancer 29.208 0.479  28.377 0.421  26.584 0.454
        diabetis      23.933 0.202  24.277 0.199  23.560 0.170
        flare_solar   33.953 0.188  34.237 0.181  34.160 0.160
        german        24.787 0.244  24.777 0.246  24.523 0.234
        heart         20.540 0.443  20.230 0.425  17.650 0.338
        image          2.129 0.145   2.158 0.129   2.198 0.096
        ringnorm       2.062 0.038   2.056 0.027   1.942 0.021
        splice         4.887 0.105   4.621 0.108   4.306 0.094
        synthetic      9.743 0.065   9.741 0.063   9.685 0.060
        thyroid        4.907 0.203   4.760 0.213   4.640 0.209
        titanic       22.574 0.115  22.551 0.104  22.452 0.089
        twonorm        4.477 0.062   4.353 0.061   3.027 0.024
        waveform      12.674 0.120  12.569 0.109  10.516 0.052
        """,
        COLUMNS,
        paper.REPLICATES,
    ),
)
