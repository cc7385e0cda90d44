"""The mutants can be made: the list does not rot as the source changes."""

from pathlib import Path

import pytest
from all_mutants import MUTANTS

TESTS = Path(__file__).resolve().parent.parent
SOURCE = TESTS.parent / "src" / "kernelwise"


def test_names_are_different():
    assert len({(mutant.file, mutant.name) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.file}: {mutant.name}")
def test_a_mutant_changes_one_place_and_has_tests(mutant):
    assert (SOURCE / mutant.file).read_text().count(mutant.old) == 1
    assert mutant.new != mutant.old
    for test in mutant.tests:
        path, _, name = test.partition("::")
        assert (TESTS / path).exists()
        assert not name or f"def {name}(" in (TESTS / path).read_text()
