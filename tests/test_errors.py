"""Errors about arguments."""

import pickle

from kernelwise.errors import ArgumentError


def test_an_argument_error_is_a_value_error_that_survives_another_process():
    error = pickle.loads(pickle.dumps(ArgumentError("too many", argument="folds")))
    assert isinstance(error, ValueError)
    assert (str(error), error.argument) == ("too many", "folds")
