"""Alignment paper, Table 2: accuracies of support vector machines whose kernels are chosen by
cross-validation, alignment and other criteria.
"""

from kernelwise.papers.alignment import paper
from kernelwise.papers.quantities import ACCURACY

TABLE = paper.table(
    name="alignment-table-2",
    caption="Accuracy of an SVM with its kernel by 5-fold, by alignment, and by other criteria",
    columns=paper.METHODS,
    companions=("ARD-ALIGN", "ARD-FLKL"),
    printed=paper.ACCURACIES,
    quantity=ACCURACY,
    cpu_minutes=9.0,
    notes=(
        paper.LEFT_OUT,
        paper.OTHER_DATA,
        paper.OTHER_MACHINE,
        paper.OTHER_SEARCH,
        "Where the paper's SSV, EVID, MSEVID, RMB and MSRMB share one figure (labor 64.67, sonar "
        "55.17, credit-g 70.10 and others), it is the share of the larger class: those searches "
        "stayed on the plateau where all rows look different. Ours leave it.",
        "MSCKTA on krvskp: the optimum of the alignment switches off features that decide few "
        "positions. On the first fold an alignment of 0.385 gives 94.7 %, but 0.380, after 16 of "
        "40 steps, gives 98.8 %: stopping the search early classifies better.",
        "MSCKTA on credit-g: at no point of the search are more than 74.3 % right (six folds, C "
        "from 0.1 to 100), and squared slacks give the same; why the paper has 77.7 is unknown.",
        "CKTA on labor: the paper's 64.67 % is the share of the larger class, from a search that "
        "stayed on its plateau; ours leaves it. The same may hold for housevotes.",
        "On glassG2 and labor (163 and 57 rows) the standard error of a mean over ten folds is 3 "
        "to 4 points, on breast (AMKL) 1.2; sonar has 52 more rows than the paper's. monk2 follows "
        "the rule of MONK-3, despite its name.",
        "The paper's row for listeria contradicts its own Table 3 (means and ranks); it is not in "
        "the means above.",
    ),
)
