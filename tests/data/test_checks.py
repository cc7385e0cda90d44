"""Checks: every code has a severity, an entry in the documentation, and a test that provokes it."""

import pickle
import re
from pathlib import Path

import pytest

from kernelwise.data import Check, DataError
from kernelwise.data.checks import SEVERITIES, count, listed

ROOT = Path(__file__).parents[2]


def test_every_code_has_one_entry_with_its_severity():
    page = ROOT / "docs" / "checks" / "index.md"
    if not page.exists():
        pytest.skip("the documentation is not shipped")
    entries = re.findall(r"^### (KW\d+): .* \((\w+)\)$", page.read_text(), re.MULTILINE)
    assert entries == sorted(SEVERITIES.items())


def test_every_code_is_used_by_the_source():
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    for code in SEVERITIES:
        assert len(re.findall(rf'"{code}"', source)) >= 2, code


def test_a_check_and_an_error_say_what_to_do():
    assert str(Check("KW205", "seen", "do this")) == "seen: do this"
    assert Check("KW205", "seen").severity == "tip" and str(Check("KW205", "seen")) == "seen"
    error = pickle.loads(pickle.dumps(DataError("KW105", "two names", "rename one")))
    assert str(error) == "two names: rename one" and error.check.severity == "stop"


def test_every_error_is_a_stop():
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    raised = set(re.findall(r'DataError\(\s*"(KW\d+)"', source))
    assert raised == {code for code, severity in SEVERITIES.items() if severity == "stop"}


def test_words():
    assert count(1, "row") == "1 row" and count(2, "row") == "2 rows"
    assert listed("abc") == "'a', 'b', 'c'" and listed("abc", 2) == "'a', 'b' and 1 more"


def test_what_a_file_holds_is_shown_on_one_line_and_cut():
    error = DataError("KW214", f"no column 'two\nlines' or '{'a' * 500}{'b' * 500}'")
    assert str(error) == f"no column 'two\\nlines' or '{'a' * 60} ... {'b' * 20}'"
