"""The same rules under several parameters, opened for one search for balance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.search import Search
from buildsearch.gate.config import GateConfig
from buildsearch.library.balance import Desk, check_edited, open_desk
from buildsearch.library.balance_search import open_balance
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.optimize import finish, open_search
from buildsearch.library.rescoring import open_pool
from buildsearch.library.runs import LoadedRun, load_run
from buildsearch.library.stored_runs import kept_run
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import Cancelled, InputError, Problem, UsageError
from buildsearch.model.levers import Edit, Lever, Put
from buildsearch.options.balance import BalanceOptions
from buildsearch.options.search import SearchOptions
from buildsearch.search.executor import Jobs

# Up to so many builds are all scored on the way; more are taken from a run that is kept, or looked for.
MOST_WHOLE = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class JointDesk:
    """A search over several games, and their desks by label; the first is that of the run."""

    search: Search
    desks: dict[str, Desk]


def combinations_of(values: Mapping[str, Sequence[str]], config: GateConfig) -> list[dict[str, str]]:
    """Every combination of values of parameters; those that are given go before the config's."""
    configured = {name: list(map(str, given)) for name, given in config.balance.parameters.items()}
    free = configured | {name: list(dict.fromkeys(given)) for name, given in values.items()}
    return [dict(zip(free, chosen, strict=True)) for chosen in product(*free.values())] if free else []


def open_games(
    run: LoadedRun,
    parameters: Sequence[Mapping[str, str]],
    request: BalanceOptions,
    limits: Thresholds,
    config: GateConfig,
    *,
    cache: Path | None,
    jobs: Jobs,
    ignore_checksums: bool = False,
    watch: Watch = SILENT,
    say: Callable[[str], None] = lambda _text: None,
    on_interrupt: Callable[[], None] = lambda: None,
    on_first: Callable[[str], None] = lambda _text: None,
) -> JointDesk:
    """Ready to run; raises what `open_balance` raises, and UsageError for parameters that cannot be."""
    opened = _requests(run, parameters)
    desks: dict[str, Desk] = {}
    games: list[BalancedGame] = []
    # Small ones first: a large one begins with what was found in them.
    wanted = run.record.request.wanted
    sizes = {label: sum(setup.space.count(wanted).values()) for label, (_, setup) in opened.items()}
    for label in sorted(opened, key=lambda each: sizes[each]):
        asked_of, setup = opened[label]
        if sizes[label] == 0:
            raise UsageError(f"{label} has no build. Leave it out.")
        say(f"{label}: {sizes[label]:,} builds")
        kept = kept_run(setup, run, ignore_checksums=ignore_checksums, watch=watch)
        if kept is None and sizes[label] <= MOST_WHOLE:
            kept = _made_run(asked_of, setup, cache, jobs, watch)
        pool = None
        if kept is not None:
            desk = open_desk(kept)
        else:
            desk, pool = open_pool(
                asked_of, setup, run, list(desks.values()), cache=cache, jobs=jobs, watch=watch, say=say
            )
        desks[label] = desk
        search = open_balance(desk, request, limits, config, cache=cache, jobs=jobs, watch=watch, say=say)
        game, effort = search.game, search.effort
        game.label, game.builds, game.pool = label, sizes[label], pool
        if pool is not None:
            pool.take(game.court.table)
            game.notes.append(_said_of(pool, sizes[label], asked_of))
        games.append(game)
    games.sort(key=lambda game: list(opened).index(game.label))
    levers = replace(games[0].levers, free=_shared(games, desks))
    joint = Search(games, levers, effort, say, on_interrupt, on_first)
    return JointDesk(joint, {game.label: desks[game.label] for game in games})


def check_joint(desk: JointDesk, edits: Sequence[Edit], text: str, out: Path) -> None:
    """The edited rules are valid, and have in every game that was scored as a whole the builds judged."""
    for game in desk.search.games:
        if game.pool is None:
            check_edited(desk.desks[game.label], game.court.state(edits), text, out)


def _said_of(pool: Pool, builds: int, request: SearchOptions) -> str:
    given = " ".join(f"-p {name}={value}" for name, value in request.parameters.items())
    return (
        f"{len(pool):,} of {builds:,} builds were scored: those that matter, as far as one change after "
        f"another finds them. `buildsearch optimize --rules {request.rules} {given}` scores all of them, and "
        "balance then takes its scores."
    )


def _requests(
    run: LoadedRun, parameters: Sequence[Mapping[str, str]]
) -> dict[str, tuple[SearchOptions, FightSetup]]:
    """By what tells them apart; raises InputError with what is wrong with all of them."""
    found: dict[str, tuple[SearchOptions, FightSetup]] = {}
    problems: list[Problem] = []
    for chosen in parameters:
        # A budget on the command line of the run is one of its own parameters.
        given = {**run.record.request.parameters, **chosen}
        request = run.record.request.changed(
            parameters=given, search="exhaustive", ranking_fights=0, over_budget=0
        )
        try:
            setup = setup_of(request)
        except InputError as error:
            problems += error.problems
            continue
        label = ", ".join(
            f"{name} {setup.space.parameters.get(name, value)}" for name, value in chosen.items()
        )
        found[label] = (request, setup)
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    return found


def _made_run(
    request: SearchOptions, setup: FightSetup, cache: Path | None, jobs: Jobs, watch: Watch
) -> LoadedRun:
    """Score every build of these parameters, and keep the run beside the others. Nobody asks for ranks."""
    search = open_search(setup, request, jobs=jobs, cache=cache, watch=watch)
    finished = finish(search, remember=False)
    if finished.answer.is_partial:
        raise Cancelled("interrupted.")
    return load_run(str(finished.folder), watch=watch)


def _shared(games: Sequence[BalancedGame], desks: Mapping[str, Desk]) -> tuple[Lever, ...]:
    """Levers that some game may move, with the edits that the rules of every game have."""
    known = [{lever.name: lever for lever in desks[game.label].levers} for game in games]
    found: dict[str, Lever] = {}
    for game in games:
        for lever in game.levers.free:
            edits = [edit for edit in lever.edits if all(_has(levers, edit) for levers in known)]
            known_edits = {edit.text: edit for edit in found[lever.name].edits} if lever.name in found else {}
            merged = known_edits | {edit.text: edit for edit in edits if edit.text not in known_edits}
            if merged:
                found[lever.name] = replace(lever, edits=tuple(merged.values()))
    return tuple(found.values())


def _has(levers: Mapping[str, Lever], edit: Edit) -> bool:
    """Whether rules can be edited so: as their levers go by themselves, or to a value that a range gives."""
    lever = levers.get(edit.lever)
    if lever is None:
        return False
    if any(each.text == edit.text for each in lever.edits):
        return True
    (write,) = edit.writes
    return lever.to is not None and isinstance(write, Put) and lever.to(write.value) is not None
