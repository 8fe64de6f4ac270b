"""Builds against each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from buildsearch.api.answers import Answer
from buildsearch.api.arguments import checked
from buildsearch.api.games import Game, Texts, as_texts
from buildsearch.api.runs import cache_folder
from buildsearch.library.fight_setup import check_jobs
from buildsearch.library.meta import play_meta
from buildsearch.library.watch import Cancellation, Progress, watch_by
from buildsearch.model.errors import UsageError
from buildsearch.model.request import MetaRequest
from buildsearch.views.meta import matchups as page_of

_LEAST, _MOST = 1e-4, 0.4


@checked()
def matchups(
    game: Game,
    *,
    out: str | Path,
    epsilon: float = 0.02,
    fights: int = 50_000_000,
    groups: Texts = (),
    with_features: Texts = (),
    without_features: Texts = (),
    seed: int = 0,
    jobs: int = -1,
    cache: bool | str | Path = True,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
) -> Answer:
    """Play builds against each other: those worth playing, their counters and cycles, as `meta` does.

    Args:
        game: what `load` gave; its builds must be able to meet.
        out: the folder to write the matchup table to.
        epsilon: stop when the best counter wins at most half and this.
        fights: fights at most.
        groups: only builds of these groups.
        with_features: only builds that have all of these.
        without_features: only builds that have none of these.
        seed: the same seed gives the same numbers.
        jobs: threads; -1 for every core.
        cache: whether scores are kept for later, or the folder to keep them in.
        progress: is told a `Progress` now and then.
        cancel: once it is set, what is known by then is put in order; `Cancelled` before the first match.

    Returns:
        The page of `buildsearch meta`; by name what meta.json has.

    Raises:
        UsageError: for a game in which builds fight foes.

    """
    check_jobs(jobs)
    if not _LEAST <= epsilon <= _MOST:
        raise UsageError(f"‹epsilon› must be from {_LEAST} to {_MOST}, not {epsilon}.")
    for name, number in (("fights", fights), ("seed", seed)):
        if number < 0:
            raise UsageError(f"‹{name}› must be 0 or more, not {number:,}.")
    request = MetaRequest(
        **dict(game.request)
        | {
            "epsilon": epsilon,
            "fights": fights,
            "groups": as_texts(groups),
            "with_features": as_texts(with_features),
            "without_features": as_texts(without_features),
            "seed": seed,
        }
    )
    watch = watch_by(progress, cancel)
    met = play_meta(game.setup, request, str(out), cache=cache_folder(cache), jobs=jobs, watch=watch)
    return Answer(page_of(met.meta, game.name, met.total, met.about, str(met.folder)))
