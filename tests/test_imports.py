"""What an import costs: which modules it brings along. Times are in ``benchmarks startup``."""

import subprocess
import sys

import pytest

LOADED = "import sys; {}; print(*sys.modules)"
# What the statement needs in any case, without a package of ours.
SCIKIT_LEARN = "import sklearn.svm, sklearn.linear_model, sklearn.model_selection, scipy.optimize"
PUBLIC = ("AutoKernelClassifier", "AutoKernelRegressor", "KernelAligner", "LSSVMClassifier")


def packages(statement):
    """The top-level packages, but those of Python, that are loaded after a statement."""
    command = [sys.executable, "-c", LOADED.format(statement)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    named = {name.partition(".")[0] for name in done.stdout.split()}
    return {name for name in named - set(sys.stdlib_module_names) if not name.startswith("_")}


@pytest.fixture(scope="module")
def along_with_scikit_learn():
    return packages(SCIKIT_LEARN)


def test_the_package_itself_loads_nothing():
    """Not even numpy: estimators are loaded when they are named."""
    assert packages("import kernelwise, kernelwise.__main__") - packages("pass") == {"kernelwise"}


@pytest.mark.parametrize(
    "statement",
    [
        f"from kernelwise import {', '.join(PUBLIC)}",
        "import kernelwise.data, kernelwise.evaluation, kernelwise.persistence",
        "import kernelwise.report",
    ],
)
def test_no_import_brings_more_packages_than_scikit_learn(statement, along_with_scikit_learn):
    """Not matplotlib, numba or dask; pandas and rich only where scikit-learn itself loads them."""
    assert packages(statement) - along_with_scikit_learn == {"kernelwise"}
