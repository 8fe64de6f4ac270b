"""A cluster hired for a block of work; docs/cluster.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from buildsearch.cluster.addresses import read_address
from buildsearch.model.errors import UsageError


def _nobody(_sentence: str) -> None:
    """Nobody listens."""


@contextmanager
def on_cluster(
    address: str | None,
    *,
    jobs: int = -1,
    tell: Callable[[str], None] = _nobody,
    warn: Callable[[str], None] = _nobody,
) -> Iterator[None]:
    """Everything that is scored in this block is scored there; None: here, as ever. Raises UsageError."""
    if address is None:
        yield
        return
    where = read_address(address)
    try:
        from buildsearch.cluster.dask_executor import cluster_hands
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "buildsearch":
            raise
        raise UsageError(
            f"‹cluster› needs {error.name}, which is not installed. Install the extra: "
            "`pip install 'buildsearch[cluster]'`."
        ) from error
    with cluster_hands(where, jobs=jobs, tell=tell, warn=warn):
        yield
