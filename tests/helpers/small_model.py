"""A model that loads in milliseconds, for tests of its file."""

import numpy as np
import pytest

from kernelwise import LSSVMClassifier
from kernelwise.persistence import save_model


@pytest.fixture(scope="session")
def small_model(tmp_path_factory):
    """A fitted classifier, rows to predict, and the bytes of its file."""
    generator = np.random.default_rng(2)
    X = generator.normal(size=(20, 2))
    model = LSSVMClassifier("gaussian", "loo", honest=False).fit(X, np.where(X[:, 0] > 0, "a", "b"))
    path = tmp_path_factory.mktemp("small") / "model.skops"
    save_model(model, path)
    return model, X, path.read_bytes()
