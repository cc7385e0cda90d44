"""Checks of the rows of a table, and of how many there are of each class."""

import numpy as np

from kernelwise.data.checks import Check

# Fewer rows leave every estimate of an error wide.
FEW_ROWS = 50
# From this share of repeated rows on, they are worth a note.
REPEATED = 0.05
# Classes with fewer rows can hardly be learned, let alone judged.
FEW_OF_A_CLASS = 5
# A class with a smaller share than this is easily ignored.
RARE = 0.1


def repeated_rows(repeated: int, rows: int) -> list[Check]:
    if repeated < REPEATED * rows:
        return []
    said = f"{repeated} of {rows} rows repeat another row in every column"
    return [Check("KW402", said, "equal rows count as one case where errors are judged")]


def few_rows(rows: int) -> list[Check]:
    if rows >= FEW_ROWS:
        return []
    return [Check("KW403", f"the table has only {rows} rows with a target: expect wide intervals")]


def rare_classes(classes: np.ndarray, counts: np.ndarray, balanced: bool = False) -> list[Check]:
    """Classes of very few rows, or of a small share.

    Parameters
    ----------
    classes, counts : the labels, and the rows of each
    balanced : whether rows of rare classes weigh more already
    """
    rows = counts.sum()
    pairs = zip(classes, counts, strict=True)
    few = [f"'{label}' ({number:g})" for label, number in pairs if number < FEW_OF_A_CLASS]
    if few and rows >= 2 * FEW_OF_A_CLASS:
        more = f" and {len(few) - 8} more" if len(few) > 8 else ""
        said = f"classes with very few rows: {', '.join(few[:8])}{more}"
        return [Check("KW302", said, "they can hardly be learned or judged")]
    if counts.min() < RARE * rows:
        rarest = classes[counts.argmin()]
        said = f"class '{rarest}' has only {100 * counts.min() / rows:.1f} % of the rows"
        advice = "look at its recall and at the balanced error"
        return [Check("KW306", said, advice if balanced else f"{advice}, or balance the classes")]
    return []
