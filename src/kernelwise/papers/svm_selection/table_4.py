"""SVM model selection, Table 4: the lowest test error of all trials."""

from kernelwise.papers.published import printed_figures
from kernelwise.papers.quantities import LOWEST_ERROR
from kernelwise.papers.svm_selection import paper

COLUMNS = (*paper.CRITERIA, "EVID-GRAD", "EARLY-STOP")

_PRINTED = printed_figures(
    """
    Crabs     5.9  9.2 10.9  3.4  5.0  3.4
    Pima     27.8 28.4 20.2 19.0 19.3 18.4
    WDBC      1.9  3.4  4.1  1.9  1.5  1.2
    Ringnorm  2.1  2.2  1.9  2.0  2.5  2.5
    Twonorm   2.9  3.1  3.4  3.5  3.4  3.0
    """,
    COLUMNS,
    paper.TRIALS,
    spread=None,
)

TABLE = paper.table(
    name="svm-table-4",
    caption="Error of an SVM whose kernel a repeated search chose, in the best of the trials",
    columns=COLUMNS,
    oracles=(paper.ORACLE,),
    quantity=LOWEST_ERROR,
    datasets={name: paper.DATASETS[name] for name in _PRINTED},
    statistic="lowest",
    printed=_PRINTED,
    notes=(
        "The best trial by test error is an optimist's figure: only the test rows tell which trial "
        "it is. The more trials, the lower.",
        paper.OUR_SPLITS,
        paper.OUR_SEARCH,
        paper.OUR_ASCENT,
        "The paper's lowest errors on Crabs and Pima are shares of one test row fewer than its "
        "Table 2 has (7 / 119 is 5.9 %, 92 / 331 is 27.8 %).",
    ),
)
