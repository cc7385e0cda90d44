"""Bayesian efficient MKL, Table 1: accuracy, kernels and seconds, sparse and not, on eight sets.

The paper prints three quantities in one table; here each has its own, made from the same cells.
"""

from functools import partial

from kernelwise.papers.bemkl import paper
from kernelwise.papers.protocol import Protocol
from kernelwise.papers.published import Printed, printed_figures
from kernelwise.papers.quantities import ACCURACY, SECONDS, SELECTED_KERNELS

COLUMNS = ("BEMKL-SPARSE", "BEMKL-DENSE")
WEIGHERS = ("BEMKL-SPARSE-CONV", "BEMKL-DENSE-CONV", "MKL-LS", "MKL-ALIGNED", "MKL-UNIFORM")
# One Gaussian kernel, to tell what many kernels are worth.
ONE_KERNEL = "RBF-LOO"

COLUMNS_IN_WORDS = (
    "BEMKL-SPARSE and BEMKL-DENSE are the paper's sparse and non-sparse scenarios, with its 200 "
    "sweeps. These do not always converge: BEMKL-SPARSE-CONV and BEMKL-DENSE-CONV go on until the "
    "bound rises by less than a millionth."
)
LOST = "The paper's non-sparse figures of wdbc are lost in the text that was transcribed."
OUR_PROTOCOL = (
    "70 % training rows, as in the paper, drawn by class; its own splits are not published. Sonar "
    "has 145 training rows (the paper prints 144). Heart has a column for each value of its "
    "nominal columns, which gives the printed number of kernels."
)

table = partial(
    paper.table, columns=COLUMNS, datasets=paper.DATASETS, protocol=Protocol("random"), means=True
)


def _printed(both: str, wdbc: str) -> dict[str, dict[str, Printed]]:
    """Means and standard deviations of both columns, and of wdbc of the first alone."""
    replicates = dict.fromkeys(paper.DATASETS, paper.REPLICATES)
    found = printed_figures(both, COLUMNS, replicates, spread="deviation")
    found |= printed_figures(f"wdbc {wdbc}", COLUMNS[:1], replicates, spread="deviation")
    return {name: found[name] for name in paper.DATASETS}


ACCURACIES = table(
    name="bemkl-table-1",
    caption="Accuracy of Bayesian efficient multiple kernel learning, sparse and not",
    companions=(*WEIGHERS, ONE_KERNEL),
    quantity=ACCURACY,
    cpu_minutes=5.0,
    printed=_printed(
        """
        breast     96.80 1.02  96.98 0.86
        bupaliver  68.41 4.28  70.72 3.83
        heart      80.80 4.01  81.36 4.70
        ionosphere 92.03 1.72  92.03 1.77
        pima       75.02 2.28  74.96 2.08
        sonar      76.88 3.95  82.81 4.12
        wpbc       75.25 1.01  73.64 2.66
        """,
        wdbc="95.70 2.32",
    ),
    notes=(COLUMNS_IN_WORDS, OUR_PROTOCOL, paper.DEVIATIONS, LOST),
)
KERNELS = table(
    name="bemkl-table-1-kernels",
    caption="Kernels that Bayesian efficient multiple kernel learning selects, sparse and not",
    companions=WEIGHERS,
    quantity=SELECTED_KERNELS,
    cpu_minutes=5.0,
    printed=_printed(
        """
        breast     34.35 2.46   98.95 1.32
        bupaliver  18.40 2.62   70.70 1.13
        heart      41.85 4.26  181.40 8.93
        ionosphere 41.90 4.42  219.05 7.77
        pima       23.20 2.02   79.55 2.93
        sonar      15.30 3.40  372.80 7.78
        wpbc       28.25 2.75  220.10 9.83
        """,
        wdbc="35.65 2.28",
    ),
    notes=(
        "The paper does not say which kernels count as selected. Here they are those with at least "
        "0.0001 of the variance of the outputs; for methods other than BEMKL, those with a weight "
        "above 0.",
        COLUMNS_IN_WORDS,
        OUR_PROTOCOL,
        paper.DEVIATIONS,
        LOST,
    ),
)
TIMES = table(
    name="bemkl-table-1-seconds",
    caption="Seconds to fit Bayesian efficient multiple kernel learning, sparse and not",
    companions=(*WEIGHERS, ONE_KERNEL),
    quantity=SECONDS,
    cpu_minutes=5.0,
    printed=_printed(
        """
        breast     18.86 0.24  18.84 0.43
        bupaliver   3.83 0.03   3.81 0.04
        heart      13.69 0.08  13.58 0.09
        ionosphere 22.72 0.05  22.76 0.12
        pima       21.15 0.23  20.94 0.22
        sonar      51.34 0.19  51.51 0.10
        wpbc       12.72 0.11  12.67 0.23
        """,
        wdbc="41.31 0.21",
    ),
    notes=(
        "The paper's seconds are from its own hardware and code, without the time to compute the "
        "kernels, which ours include.",
        COLUMNS_IN_WORDS,
        OUR_PROTOCOL,
        paper.DEVIATIONS,
        LOST,
    ),
)
TABLES = (ACCURACIES, KERNELS, TIMES)
