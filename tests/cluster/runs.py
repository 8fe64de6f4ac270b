"""A small search whose builds are partly solved and partly sampled, as a run of files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from buildsearch.library.fight_setup import setup_of
from buildsearch.library.optimize import finish, open_search
from buildsearch.library.watch import Scoring, on_cluster
from buildsearch.options.search import SearchOptions

REQUEST = SearchOptions(
    rules="vitality-v2",
    parameters={"budget": "1"},
    groups=("ranged", "area"),
    without_features=("ricochet",),
    top=5,
    initial_fights=32,
    ranking_fights=20_000,
)


def run(folder: Path, address: str | None = None, *, cache: Path | None = None, warn=lambda _said: None):
    with on_cluster(address, warn=warn) as jobs:
        return finish(
            open_search(setup_of(REQUEST), REQUEST, Scoring(cache, jobs)), str(folder), remember=False
        )


def files(folder: Path) -> dict[str, object]:
    """All that is to be the same: bytes, and what run.json says but for times and what was kept before."""
    record = json.loads((folder / "run.json").read_text())
    for name in ("seconds", "cache"):
        record.pop(name)
    record["request"].pop("out", None)
    whole = {name: (folder / name).read_bytes() for name in ("leaderboard.csv", "scores.parquet")}
    return whole | {"run.json": record}


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], cache=Path(sys.argv[3]))
