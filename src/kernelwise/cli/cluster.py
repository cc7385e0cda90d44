"""A Dask cluster for one command: processes of this machine, or one that is there already."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kernelwise.cli.running import option
from kernelwise.optional import import_optional
from kernelwise.runs import DaskExecutor

# Dask makes workers give memory back at once, only to ask for it again for the next block.
KEEP_MEMORY = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 25,
}


class ClusterForRows(DaskExecutor):
    """The clusters of `DaskExecutor`, for work on rows instead of cells."""

    @contextmanager
    def client(self) -> Iterator[Any]:
        """A client; a local cluster ends with the context."""
        dask = import_optional("dask", extra="distributed")
        distributed = import_optional("distributed", extra="distributed")
        connected = self._local_cluster if self.address == "local" else self._known_cluster
        with dask.config.set(KEEP_MEMORY), connected(distributed) as client:
            yield client


@contextmanager
def client_of(address: str | None, jobs: int) -> Iterator[Any]:
    """A client of ``--dask``, with as many local workers as jobs; None if it was not given."""
    if address is None:
        yield None
        return
    with option(f"--dask {address}"):
        cluster = ClusterForRows(address, jobs)
    with cluster.client() as client:
        yield client
