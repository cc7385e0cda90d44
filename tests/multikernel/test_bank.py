"""Recipes of kernels: what they make of a table's columns, and what they refuse."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian, OnColumns
from kernelwise.multikernel import KernelBank, KernelStack
from kernelwise.multikernel.bank import bank_members, check_bank

NONE = np.empty(0, int)


@pytest.mark.parametrize(("views", "expected"), [("both", 4), ("all", 1), ("each", 3)])
def test_views_by_name(views, expected):
    bank = KernelBank(widths=[1.0, 2.0], degrees=[2], views=views)
    members = bank.members(3)
    assert len(members) == 3 * expected
    assert len({member.name for member in members}) == len(members)


def test_one_column_is_not_looked_at_twice():
    assert len(KernelBank(widths=[1.0], degrees=[]).members(1)) == 1


def test_kernels_are_those_of_the_recipe():
    X = np.random.default_rng(0).normal(size=(10, 3))
    bank = KernelBank(widths=[0.5], degrees=[3], views={"two": [0, 2]})
    gaussian, polynomial = (member.kernel(X) for member in bank.members(3))
    seen = X[:, [0, 2]]
    squares = ((seen[:, None] - seen) ** 2).sum(axis=2)
    np.testing.assert_allclose(gaussian, np.exp(-squares / (2 * 0.5**2)), rtol=1e-12)
    powers = (seen @ seen.T + 1) ** 3
    roots = np.sqrt(np.diagonal(powers))
    np.testing.assert_allclose(polynomial, powers / np.outer(roots, roots), rtol=1e-12)


def test_views_by_column_name():
    bank = KernelBank(widths=[1.0], degrees=[], views={"size": ["b", "c"]})
    (member,) = bank.members(3, ["a", "b", "c"])
    assert member.view == "size" and list(member.kernel.columns) == [1, 2]


def test_a_column_given_twice_counts_twice():
    X = np.random.default_rng(1).normal(size=(6, 2))
    (member,) = KernelBank(widths=[1.0], degrees=[], views={"twice": [0, 0]}).members(2)
    np.testing.assert_allclose(member.kernel(X), Gaussian(1.0)(X[:, [0, 0]]))


def test_the_names_of_a_list_of_kernels():
    named = bank_members(["gaussian", "laplacian"], 3, NONE)
    assert [member.view for member in named] == ["all columns"] * 2
    (member,) = bank_members([OnColumns(Gaussian(1.0), [2])], 3, NONE, ["a", "b", "c"])
    assert member.view == "c"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (KernelBank(widths=[], degrees=[]), "at least one width or degree"),
        (KernelBank(widths=[0.0]), "widths must be positive numbers, got 0.0"),
        (KernelBank(widths=[np.inf]), "widths must be positive"),
        (KernelBank(degrees=[1.5]), "degrees must be 1, 2, 3"),
        (KernelBank(views="none"), "views must be 'each', 'all', 'both'"),
        (KernelBank(views={}), "views must be 'each', 'all', 'both'"),
        ([], "empty list"),
        (["gaussian", Gaussian(1.0)], "mixes names and kernel objects"),
        (["precomputed"], "use a KernelStack"),
        (["gausian"], "unknown kernel 'gausian'"),
        ("gaussian", "kernels must be 'widths-and-degrees', a KernelBank"),
        (None, "kernels must be"),
    ],
    ids=str,
)
def test_bad_recipes(spec, message):
    with pytest.raises(ValueError, match=message):
        check_bank(spec)


@pytest.mark.parametrize(
    ("views", "message"),
    [
        ({"a": []}, "the view 'a' has no columns"),
        ({"a": [3]}, "numbers from 0 to 2"),
        ({"a": [-1]}, "numbers from 0 to 2"),
        ({"a": [0.5]}, "numbers from 0 to 2"),
        ({"a": ["size"]}, r"names size, but its columns have no names"),
    ],
)
def test_views_that_the_table_does_not_have(views, message):
    with pytest.raises(ValueError, match=message):
        KernelBank(views=views).members(3)


def test_the_bank_of_widths_and_degrees_has_no_place_for_categories():
    with pytest.raises(ValueError, match=r"these columns are categorical: 1"):
        bank_members("widths-and-degrees", 3, np.array([1]))


def test_a_stack_is_its_kernels():
    members = bank_members(KernelStack([np.eye(3), 2 * np.eye(3)], names=["a", "b"]), 1, NONE)
    assert [member.name for member in members] == ["a", "b"]
    np.testing.assert_array_equal(members[1].kernel(np.array([[0.0], [2.0]])), 2 * np.eye(2))


def test_a_column_named_like_the_view_of_all_columns_keeps_its_kernels():
    members = KernelBank([1], []).members(2, ["all columns", "age"])
    assert [member.view for member in members] == ["all columns", "age", "column all columns"]
