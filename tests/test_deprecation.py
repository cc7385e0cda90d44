"""Old names work on, say what to use instead, and are gone when they said."""

import ast
import inspect
import warnings
from pathlib import Path

import pytest

import kernelwise
from kernelwise import selections
from kernelwise.deprecation import Deprecation, deprecated, renamed

SOURCE = Path(kernelwise.__file__).parent
SOON = Deprecation("fit", since="0.2.0", removal="0.4.0")


def numbers(version):
    return tuple(map(int, version.split(".")))


def deprecations():
    """Every ``Deprecation(...)`` of the source, as (file, since, removal)."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Deprecation":
                given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords}
                yield path.name, given["since"], given["removal"]


class Learner:
    @deprecated(SOON)
    def learn(self, X, *, fast=False):
        """Learn."""
        return X, fast


def test_a_deprecated_method_works_and_names_the_line_that_calls_it():
    with pytest.warns(FutureWarning, match=r"^Learner\.learn is deprecated.*: use fit$") as caught:
        assert Learner().learn(1, fast=True) == (1, True)
    assert caught[0].filename == __file__
    assert Learner.learn.__doc__ == "Learn."
    assert list(inspect.signature(Learner.learn).parameters) == ["self", "X", "fast"]


@pytest.mark.parametrize(
    ("old", "new"), [("AtBoundWarning", "AtLimitWarning"), ("BoundByFolds", "CByFolds")]
)
def test_an_old_name_of_a_module_is_the_new_one(old, new):
    said = f"kernelwise.selections.{old} is deprecated since kernelwise 0.2.0 and goes in 0.4.0"
    with pytest.warns(FutureWarning, match=f"{said}: use {new}") as caught:
        assert getattr(selections, old) is getattr(selections, new)
    assert caught[0].filename == __file__
    assert old not in selections.__all__


def test_other_names_are_missing_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not hasattr(selections, "NoSuchName")
    with pytest.raises(AttributeError, match="module 'a' has no attribute 'b'"):
        renamed("a", {})("b")


def test_old_names_live_for_two_minor_versions_and_no_longer():
    now = numbers(kernelwise.__version__)
    found = list(deprecations())
    assert found
    for where, since, removal in found:
        first, last = numbers(since), numbers(removal)
        assert first <= now < last, f"{where}: since {since}, removal {removal}"
        assert last[:1] > first[:1] or last[1] - first[1] >= 2, f"{where}: {since} to {removal}"
