"""SVM model selection, Table 3: test errors of repeated searches, mean and standard deviation."""

from kernelwise.papers.published import printed_figures
from kernelwise.papers.quantities import LOWEST_ERROR
from kernelwise.papers.svm_selection import paper

GRADIENTS = ("EVID-GRAD", "EARLY-STOP")

_SEARCHED = printed_figures(
    """
    Crabs    10.7  2.1  10.5 1.3  13.0 1.8   6.0 1.8
    Pima     30.3  2.0  33.5 2.2  23.2 2.7  21.0 1.1
    WDBC      5.8  2.5   5.8 3.6   9.6 2.8   7.8 4.2
    Twonorm  13.5 12.6  12.6 5.0   5.2 1.9   4.6 0.9
    Ringnorm  4.7  1.6   2.5 5.3   3.3 1.3   3.5 1.3
    """,
    paper.CRITERIA,
    paper.TRIALS,
    spread="deviation",
)
_ASCENDED = printed_figures(
    """
    Crabs     9.2 1.5   5.5 1.3
    Pima     20.8 1.5  19.7 1.5
    WDBC      4.0 1.2   2.4 1.0
    Twonorm   4.0 0.2   3.7 0.4
    Ringnorm  3.2 0.6   3.2 0.6
    """,
    GRADIENTS,
    dict.fromkeys(paper.DATASETS, 10) | {"Crabs": 25},
    spread="deviation",
)

TABLE = paper.table(
    name="svm-table-3",
    caption="Error of an SVM whose kernel a repeated search chose, over the trials",
    columns=(*paper.CRITERIA, *GRADIENTS),
    oracles=(paper.ORACLE,),
    quantity=LOWEST_ERROR,
    printed={name: _SEARCHED[name] | _ASCENDED[name] for name in paper.DATASETS},
    notes=(
        paper.OUR_SPLITS,
        paper.OUR_SEARCH,
        paper.OUR_ASCENT,
        "GACV on Crabs ends at length scales of 1 (19 % wrong); without that limit it has 16 %.",
        "LE1 on Pima and WDBC ends at the largest amplitude in every trial: the false supremum of "
        "the evidence, as a warning says. LE2 from random starts can end there too, and then "
        "puts all rows into one class (Twonorm, Ringnorm).",
        "LE2 on Ringnorm: with a mean of 2.5 and none of 25 trials below the 2.2 of Table 4, the "
        "deviation is 2 at most, not 5.3: one of these figures is misprinted.",
    ),
)
