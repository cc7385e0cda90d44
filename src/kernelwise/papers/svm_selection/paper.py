"""What the tables on SVM model selection share: data sets, methods and protocol."""

from functools import partial

from kernelwise.papers.protocol import Protocol
from kernelwise.papers.published import PublishedTable

PAPER = "Gold & Sollich, Model selection for support vector machine classification"

# A greedy random walk for each criterion, as in the paper: the Laplace evidence of linear (LE1) and
# quadratic slacks (LE2), GACV and the span estimate.
CRITERIA = ("LE1", "LE2", "GACV", "SPAN")
# The same criteria by their gradients, from random starts; and what SVMClassifier does, which
# starts from a scan.
SEARCHED = ("LE1-LBFGS", "LE2-LBFGS", "GACV-LBFGS", "SPAN-LBFGS", "ARD-SPAN", "ARD-EVID")
# The exact evidence by other ways: stopped early by a validation split, and propagated.
EXACT = ("EVID-VALID", "EVID-EP", "EVID-EP-MEAN", "ARD-EP")
COMPANIONS = (*SEARCHED, *EXACT)
# What nobody can choose without the test rows.
ORACLE = "EARLY-STOP"

# By the paper's names; training and test sizes are those of its Table 2.
DATASETS = {
    "Crabs": "crabs",
    "Pima": "pima_ripley",
    "WDBC": "wdbc",
    "Twonorm": "delve_twonorm",
    "Ringnorm": "delve_ringnorm",
}
# The paper's split of the crabs is not published; ours has its sizes.
PROTOCOL = Protocol("published", other_kinds={"Crabs": "generated"}, trials=True)
TRIALS = dict.fromkeys(DATASETS, 25)

OUR_SPLITS = (
    "The paper has one split per data set. That of Crabs is not published: ours is a generated one "
    "of the same sizes, with 20 rows of each color and sex. The first rows of Twonorm and Ringnorm "
    "are the paper's training rows if our files keep the order of the DELVE archive, which is not "
    "verified."
)
OUR_SEARCH = (
    "Columns are standardized by the training rows (the paper: by all). The random walk starts "
    "like the paper's, at C = 1, length scales and amplitude 1 and offset 0.1; L-BFGS within a "
    "factor e of that, seeded by the trial. The paper limits its parameters without saying where: "
    "here no length scale falls below 1, and for evidence the amplitude stays below 100. Without "
    "the first limit, span on Crabs ends in a narrow kernel with 11.7 % wrong. ARD-SPAN and "
    "ARD-EVID are what SVMClassifier does: they start from a scan, and all trials are the same."
)
OUR_ASCENT = (
    "EVID-GRAD ascends the evidence of the hinge by gradients from 64 chains of 40 trajectories, "
    "sampled around the normal of expectation propagation, from the paper's random starts; the "
    "SVM at the end predicts. EARLY-STOP is the lowest test error of its steps, as in the paper: "
    "nobody can choose that step. EVID-VALID chooses one by a fifth of the training rows, held out "
    "of the ascent. EVID-EP maximizes the same evidence by expectation propagation and L-BFGS from "
    "the same starts, EVID-EP-MEAN predicts there by the posterior mean; ARD-EP is "
    "SVMClassifier(selection='evidence-ep'), which starts from a scan, with the squared hinge."
)

table = partial(
    PublishedTable,
    paper=PAPER,
    companions=COMPANIONS,
    datasets=DATASETS,
    protocol=PROTOCOL,
    cpu_minutes=2.3,
)
