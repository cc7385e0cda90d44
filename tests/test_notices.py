"""Warnings name the line of the user's program."""

import warnings

import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from kernelwise import LSSVMClassifier
from kernelwise.estimators.trivial import NoBetterThanTrivialWarning
from kernelwise.notices import warn_user

NOISE = [[0.1], [0.7], [0.3], [0.9], [0.2], [0.6], [0.4], [0.8]] * 3, [0, 1, 1, 0, 1, 0, 0, 1] * 3


def test_a_warning_from_here_names_this_file():
    with pytest.warns(UserWarning, match="^so$") as caught:
        warn_user("so", UserWarning)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("deep", [False, True])
def test_a_fit_is_named_however_deep_it_lies(deep):
    model = LSSVMClassifier("gaussian", "loo")
    model = make_pipeline(FunctionTransformer(), model) if deep else model
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(*NOISE)
    named = [w.filename for w in caught if w.category is NoBetterThanTrivialWarning]
    assert named == [__file__]
