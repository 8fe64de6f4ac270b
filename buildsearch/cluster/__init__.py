"""Pieces worked off by a Dask cluster; docs/cluster.md. Nothing but this folder imports Dask."""
