"""A search for balance from a request: goals and levers read together, in one game or in several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.answers import BalanceEffort, BalanceResult
from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.edits import read_edits
from buildsearch.balancing.first_proposal import StoredProposal, stored
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import read_goals
from buildsearch.balancing.levers import MAX_CHANGE, LeverRequest, choose, split
from buildsearch.balancing.search import Search
from buildsearch.gate.config import GateConfig
from buildsearch.library.balance import Desk, check_edited, open_desk
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.rescoring import RunScorer, open_pool
from buildsearch.library.runs import LoadedRun
from buildsearch.library.stored_runs import kept_run, made_run
from buildsearch.library.watch import Scoring
from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.model.evaluation import Scale
from buildsearch.model.levers import Edit, Lever, Put
from buildsearch.options.balance import BalanceOptions
from buildsearch.options.search import SearchOptions
from buildsearch.report.kept_answers import proposal_key, read_proposal, write_proposal

MAX_PROPOSALS = 3


def open_balance(
    desk: Desk,
    request: BalanceOptions,
    limits: Thresholds,
    config: GateConfig,
    how: Scoring,
) -> Search:
    """Ready to run; raises InputError with what is wrong with goals and levers together."""
    said = config.balance
    levers = LeverRequest(
        kinds=split(request.levers or said.levers),
        lock=split((*said.lock, *request.lock)),
        only=split(request.only_options or said.only),
        max_change=request.max_change or said.max_change or MAX_CHANGE,
        ranges=said.ranges,
    )
    population, subject = desk.table.population, desk.table.subject
    problems: list[Problem] = []
    with _collecting(problems):
        goals = read_goals(
            request.goals or said.goals,
            config.assertions,
            limits,
            [*population.names],
            population.scores.fights,
            counts_steps=subject.least is not None,
            scale=Scale.POSITIVE if subject.objective is None else subject.objective.scale,
        )
    with _collecting(problems):
        chosen = choose(desk.levers, desk.table, levers, desk.setup.loaded.system.title)
    if problems:
        raise InputError(problems)
    effort = BalanceEffort(
        request.max_proposals or said.max_proposals or MAX_PROPOSALS,
        request.seconds or said.seconds or math.inf,
    )
    lab = RunScorer(desk, how)
    game = BalancedGame(lab.remembering(desk.table), limits, goals, chosen, lab)
    watch = how.watch
    return Search((game,), chosen, effort, watch.say, watch.on_interrupt, watch.on_first)


def keep_first(
    desk: Desk, request: BalanceOptions, limits: Thresholds, config: GateConfig, answer: BalanceResult
) -> None:
    """Keep the first proposal of a search with the default goal and levers in the folder of its run, where
    `analyze`, `check` and the report find it. A folder that cannot be written stays as it is."""
    is_default = replace(request, max_proposals=None) == BalanceOptions()
    said = config.balance
    is_default &= not (said.goals or said.levers or said.lock or said.only or said.ranges)
    is_default &= said.max_change is None and said.seconds is None and request.max_proposals != 1
    found = stored(answer) if is_default else None
    if found is None:
        return
    with suppress(OSError):
        write_proposal(desk.run.folder, proposal_key(desk.run.record.checksum, limits), found)


def stored_edits(desk: Desk, limits: Thresholds) -> tuple[StoredProposal, tuple[Edit, ...]] | None:
    """The fix that a search kept for this run, and its edits; None where there is none."""
    found = read_proposal(desk.run.folder, proposal_key(desk.run.record.checksum, limits))
    if found is None or not found.edits:
        return None
    return found, read_edits(found.edits, desk.levers)


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        problems += error.problems


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
    how: Scoring,
    *,
    ignore_checksums: bool = False,
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
        how.watch.say(f"{label}: {sizes[label]:,} builds")
        kept = kept_run(setup, run, ignore_checksums=ignore_checksums, watch=how.watch)
        if kept is None and sizes[label] <= MOST_WHOLE:
            # Kept beside the others. Its ranks are of no interest, so it is not the latest.
            kept = made_run(setup, asked_of, how)
        pool = None
        if kept is not None:
            desk = open_desk(kept)
        else:
            desk, pool = open_pool(asked_of, setup, run, list(desks.values()), how)
        desks[label] = desk
        search = open_balance(desk, request, limits, config, how)
        game, effort = search.game, search.effort
        game.label, game.builds, game.pool = label, sizes[label], pool
        if pool is not None:
            pool.take(game.court.table)
            game.notes.append(_said_of(pool, sizes[label], asked_of))
        games.append(game)
    games.sort(key=lambda game: list(opened).index(game.label))
    levers = replace(games[0].levers, free=_shared(games, desks))
    joint = Search(games, levers, effort, how.watch.say, how.watch.on_interrupt, how.watch.on_first)
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
