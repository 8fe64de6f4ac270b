"""The option of commands that may score on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Score on a Dask cluster: tcp://HOST:8786 (or tls://), or local:4 for four processes here. "
        "Needs the extra `cluster`.",
    ),
]


@contextmanager
def on_cluster(address: str | None, *, jobs: int, quiet: bool) -> Iterator[None]:
    """Score there as long as the block lasts, and say where one can look."""
    from buildsearch.cli.problems import warn
    from buildsearch.library.cluster import on_cluster as hire

    def tell(sentence: str) -> None:
        if not quiet:
            typer.echo(sentence, err=True)

    with hire(address, jobs=jobs, tell=tell, warn=warn):
        yield


def refuse_cluster(address: str | None, what: str) -> None:
    """Raises UsageError where a cluster is named for something that is done here."""
    from buildsearch.model.errors import UsageError

    if address is not None:
        raise UsageError(f"{what} on this machine alone. Leave --cluster out.")
