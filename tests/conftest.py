"""Shared by all tests: where the benchmark sets are, splits of them, and Hypothesis' profile."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from kernelwise.data import Catalogue

pytest_plugins = ["small_model", "small_tables"]
REPOSITORY = Path(__file__).resolve().parent.parent

# A busy machine is no failure: nothing in a property may depend on the clock.
settings.register_profile("kernelwise", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kernelwise")


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
