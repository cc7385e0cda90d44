"""What is said of the default kernel is what the committed errors say."""

import csv

import numpy as np
from quoted_figures import FIGURE, RESULTS, ROOT, section


def default_kernel():
    """Kernels on the same splits of the committed errors; what the default gains."""
    with (RESULTS / "default-kernel.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))

    def numbers(group, estimator, kernel, column="error"):
        """(sets, splits)"""
        kept = [
            line
            for line in lines
            if (line["group"], line["estimator"], line["kernel"]) == (group, estimator, kernel)
        ]
        sets = dict.fromkeys(line["set"] for line in kept)
        return np.array(
            [[float(line[column]) for line in kept if line["set"] == name] for name in sets]
        )

    def errors(group, estimator):
        kernels = ("mixed", "ard", "gaussian")
        found = [100 * numbers(group, estimator, kernel).mean() for kernel in kernels]
        return "{:.1f} %, {:.1f} % and {:.1f} %".format(*found)

    def gain(group, estimator):
        mixed, ard = (
            100 * numbers(group, estimator, name).mean(axis=1) for name in ("mixed", "ard")
        )
        difference = mixed - ard
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        return f"{difference.mean():+.1f} ± {error:.1f}"

    def slower(group, estimator):
        mixed, ard = (numbers(group, estimator, name, "seconds").sum() for name in ("mixed", "ard"))
        return f"{mixed / ard:.1f}"

    svm, ls, quantity = "SVMClassifier", "LSSVMClassifier", ("quantities", "LSSVMRegressor")
    sets, splits = numbers("run once", svm, "ard").shape
    return (
        f"On {sets} data sets that took no part in the choice ({splits} splits, at most 200 rows "
        f'for training) `{svm}` has {errors("run once", svm)} wrong with `"mixed"`, `"ard"` and '
        f'`"gaussian"`; the first less the second is {gain("run once", svm)} points (± standard '
        f"errors over data sets). On the {len(numbers('chosen on', svm, 'ard'))} on which it was "
        f"chosen, {errors('chosen on', svm)}, and {gain('chosen on', svm)}. `{ls}` has "
        f"{errors('run once', ls)}, {gain('run once', ls)}; on the others "
        f"{errors('chosen on', ls)}, {gain('chosen on', ls)}. Root mean squared errors of "
        f"`{quantity[1]}` on {len(numbers(*quantity, 'ard'))} tables, in percent of the standard "
        f"deviation, are {errors(*quantity)}, {gain(*quantity)}. The fits took "
        f"{slower('run once', svm)}, {slower('run once', ls)} and {slower(*quantity)} times as "
        "long as with one kind of difference."
    )


def test_the_page_on_selections_says_why_the_default_kernel_is_what_it_is():
    claim = default_kernel()
    text = section(ROOT / "docs" / "guide" / "kernels.md", "The default kernel")
    assert claim in text
    assert not FIGURE.findall(text.replace(claim, ""))
