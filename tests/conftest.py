"""Shared by all tests: where the benchmark sets are, and splits of them."""

import os
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data_folder():
    """The folder of benchmark sets; without it, tests on real data are skipped."""
    folder = Path(os.environ.get("KERNELWISE_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the benchmark sets are not at {folder}; set KERNELWISE_DATA to their folder")
    return folder


@pytest.fixture(scope="session")
def generated_split(data_folder):
    """``generated_split(name, number) -> X_train, y_train, X_test, y_test``, seeded splits."""

    def split(name, number=0):
        with np.load(data_folder / f"{name}.npz") as stored:
            X, y = stored["X"], stored["y"].astype(int)
            train = np.atleast_2d(stored["train_idx_gen"])[number].astype(int)
        test = np.setdiff1d(np.arange(len(y)), train)
        return X[train], y[train], X[test], y[test]

    return split
