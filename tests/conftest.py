"""Shared by all tests: where the benchmark sets are, and splits of them."""

import os
from pathlib import Path

import pytest

from kernelwise.data import Catalogue

pytest_plugins = ["small_tables"]
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

    catalogue = Catalogue(data_folder)

    def split(name, number=0):
        return catalogue.load(name).split("generated", number)

    return split
