"""A fit on a Dask cluster, started and ended by the command."""

import numpy as np
import pandas as pd
import pytest
from command_line import run

from kernelwise.cli.cluster import KEEP_MEMORY, client_of
from kernelwise.persistence import load_model
from kernelwise.selections import growing

FAST = ("--kernel", "gaussian", "--landmarks", 20, "--target", "y")


def test_a_local_cluster_gives_the_same_model(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "FIRST_ROWS", 200)
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(3200, 3)), columns=list("abc"))
    table["y"] = np.sin(2 * table["a"]) + table["b"] + 0.1 * random.normal(size=3200)
    path = tmp_path / "table.parquet"
    table.to_parquet(path, row_group_size=1200)
    found = []
    for more in (("--in-pieces",), ("--dask", "local", "--jobs", 2)):
        out = tmp_path / f"{len(more)}.skops"
        result = run("fit", path, *FAST, *more, "--out", out)
        assert result.exit_code == 0, result.output
        found.append(load_model(out))
    (here, about), (there, about_there) = found
    np.testing.assert_allclose(here.dual_coef_, there.dual_coef_, rtol=1e-6)
    assert about.highest == about_there.highest
    assert about.honest_error == pytest.approx(about_there.honest_error, rel=1e-6)


def test_a_cluster_ends_with_its_command():
    with client_of("local", 1) as client:
        assert client.submit(lambda: 2 + 3).result() == 5
        named = {name.rsplit(".", 1)[-1] for name in KEEP_MEMORY}
        assert all(client.submit(in_environment, name).result() for name in named)
    assert client.status == "closed"
    with client_of(None, 1) as nothing:
        assert nothing is None


def in_environment(name):
    import os

    return name in os.environ
