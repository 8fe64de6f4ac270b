"""A game: rules, parameters and fights, with the builds that are legal there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from buildsearch.api.answers import Answer
from buildsearch.api.arguments import checked
from buildsearch.api.tables import Table, table_of_rows
from buildsearch.document.blocks import Document
from buildsearch.library.boards import scoring_of
from buildsearch.library.fight_setup import Effort, FightSetup, make_sampling, set_up
from buildsearch.library.fights import picked_seed
from buildsearch.library.input_files import load_rules
from buildsearch.library.watch import Cancellation, watch_by
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Metric
from buildsearch.model.request import Request
from buildsearch.model.space import Wanted
from buildsearch.ruleset.messages import did_you_mean, suggest
from buildsearch.views.scores import ScoredBuild, combined, compare_document, score_document
from buildsearch.views.trace import trace_document

_ROWS = 1 << 16
_KEYWORDS = ("rules", "overrides", "rulings", "scenarios", "only")
Texts = str | Sequence[str]
Changes = Mapping[str, object] | Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """Rules under parameters, and the fights that builds are scored in. `load` makes one."""

    request: Request
    setup: FightSetup

    @property
    def name(self) -> str:
        """The name of the rules, as their file has it."""
        return str(self.setup.loaded.model.name)

    @property
    def parameters(self) -> dict[str, int | str]:
        """The parameters in force, defaults filled in."""
        return dict(self.setup.space.parameters)

    @property
    def scenarios(self) -> dict[str, float]:
        """The fights by name, and how much each weighs in a score."""
        return {name: fight.weight for name, fight in self.setup.fights.items()}

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What fights measure, the primary metric first, each with its direction."""
        return self.setup.loaded.system.metrics

    @property
    def options(self) -> Table:
        """Everything that the rules offer: kind, price and what it does."""
        found = self.setup.loaded.system.options(self.setup.loaded.model)
        rows = [
            {"option": each.id, "name": each.name, "kind": each.kind, "cost": each.cost, "does": each.summary}
            for each in found
        ]
        return table_of_rows(
            rows, ["option", "name", "kind", "cost", "does"], title=f"Options of {self.name}"
        )

    @checked()
    def changed(self, *, overrides: Changes = (), rulings: Changes = (), **parameters: object) -> Game:
        """The same game with other prices, readings or parameters: what if?

        Args:
            overrides: values of the rules on top of those that are changed already, e.g. `{"bleed.cost": 2}`.
            rulings: other readings, e.g. `{"retaliation_cap": 3}`.
            parameters: parameters of the game and options of its fights, e.g. `tier=4`, `play="optimal"`.

        """
        request = self.request.changed(
            overrides=(*self.request.overrides, *_texts(overrides)),
            rulings=(*self.request.rulings, *_texts(rulings)),
        )
        return _opened(request, parameters)

    def __repr__(self) -> str:
        under = ", ".join(f"{name} {value}" for name, value in self.parameters.items())
        return f"<Game {self.name!r} under {under or 'its rules'}; {', '.join(self.scenarios)}>"


class Builds(Table):
    """Every legal build, read as a stream: there may be millions."""

    def __init__(self, game: Game, wanted: Wanted) -> None:
        self.counts = game.setup.space.count(wanted)
        self._game = game
        self._wanted = wanted
        super().__init__(lambda: self._reader().read_all(), title=f"Builds of {game.name}")

    def __len__(self) -> int:
        return sum(self.counts.values())

    def __iter__(self) -> Iterator[str]:
        """The names of the builds."""
        space = self._game.setup.space
        for chunk in space.chunks(self._wanted, _ROWS):
            yield from map(space.name, space.builds(chunk))

    def __repr__(self) -> str:
        return f"<Builds of {self._game.name}: {len(self):,}>"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._reader().__arrow_c_stream__(requested_schema)

    def _reader(self) -> pa.RecordBatchReader:
        batches = self._batches()
        first = next(batches, None)
        if first is None:
            return pa.RecordBatchReader.from_batches(pa.schema([("build", pa.string())]), [])
        return pa.RecordBatchReader.from_batches(first.schema, _with_first(first, batches))

    def _batches(self) -> Iterator[pa.RecordBatch]:
        space = self._game.setup.space
        for chunk in space.chunks(self._wanted, _ROWS):
            yield from pa.table(dict(space.table(chunk))).to_batches()


class ScoredBuilds(Table):
    """Some builds with their scores: a table, and the page of `buildsearch score`."""

    def __init__(self, table: Table, page: Document) -> None:
        self._page = page
        super().__init__(table.to_arrow, higher_is_better=table.higher_is_better)

    def document(self) -> Document:
        """The page of `buildsearch score`."""
        return self._page

    def _repr_html_(self) -> str:
        return self._page._repr_html_()


def _with_first(first: pa.RecordBatch, rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest


@checked()
def load(
    rules: str,
    *,
    overrides: Changes = (),
    rulings: Changes = (),
    scenarios: str | None = None,
    only: Texts = (),
    **parameters: object,
) -> Game:
    """Rules by name, by path or as `git:REV:path`, under parameters, with the fights to score in.

    Args:
        rules: a name such as `"vitality-v2"`, or the path of a rules file.
        overrides: values of the rules that are changed, e.g. `{"power_attack.cost": 2}`.
        rulings: readings that are changed, e.g. `{"retaliation_cap": 3}`.
        scenarios: the name or path of a scenario set; the one that the rules name if left out.
        only: one or some scenarios of the set; all of them if left out.
        parameters: parameters of the game and options of its fights, e.g. `tier=4`, `enemies="50,25"`.

    Returns:
        The game, checked.

    Raises:
        InputError: with every problem of a file at once.
        UsageError: for an unknown name or a value that cannot be.

    """
    request = Request(
        rules=rules,
        overrides=_texts(overrides),
        rulings=_texts(rulings),
        scenarios=scenarios,
        only=as_texts(only),
    )
    return _opened(request, parameters)


@checked()
def enumerate_builds(
    game: Game, *, groups: Texts = (), with_features: Texts = (), without_features: Texts = ()
) -> Builds:
    """Every legal build of a game, or those that fit the filters.

    Args:
        game: what `load` gave.
        groups: only builds of these groups (types of attack, say).
        with_features: only builds that have all of these.
        without_features: only builds that have none of these.

    Returns:
        A table that is read as a stream; `counts` says how many there are in each group.

    """
    return Builds(game, Wanted(as_texts(groups), as_texts(with_features), as_texts(without_features)))


@checked()
def score(
    game: Game,
    builds: Texts,
    *,
    engine: str = "auto",
    fights: int | None = None,
    target_error: str | None = None,
    seed: int = 0,
    jobs: int = -1,
    cancel: Cancellation | None = None,
) -> ScoredBuilds:
    """Some builds in every fight of a game.

    Args:
        game: what `load` gave.
        builds: a build or several, e.g. `"melee_dg+bleed"`.
        engine: `"auto"`, or one by name, such as `"exact"` or `"reference"`.
        fights: how many to sample where a fight cannot be solved.
        target_error: sample until the 95 % interval is this narrow, e.g. `"0.5%"`, instead.
        seed: the same seed gives the same numbers.
        jobs: threads; -1 for every core.
        cancel: once it is set, `Cancelled` is raised at the next step.

    Returns:
        A row for each build: its score over all fights with a 95 % interval, and by fight every metric with
        its interval and how it was found.

    """
    scored = _scored(game, builds, engine, make_sampling(fights, target_error, seed, jobs), cancel)
    rows: list[dict[str, Any]] = []
    for found in scored:
        evaluations = found.evaluations
        whole = combined(evaluations, game.scenarios)
        row: dict[str, Any] = {"build": found.name, "cost": found.cost}
        row |= {"score": whole.value, "score_low": whole.low, "score_high": whole.high}
        for name, each in evaluations.items():
            for metric, estimate in each.estimates.items():
                row[f"{name}_{metric}"] = estimate.value
                ends = name if metric == each.primary else f"{name}_{metric}"
                row[f"{ends}_low"], row[f"{ends}_high"] = estimate.low, estimate.high
            row[f"{name}_method"], row[f"{name}_fights"] = each.method, each.fights
        rows.append(row)
    table = table_of_rows(rows, list(rows[0]), higher_is_better=directions(game.metrics, game.scenarios))
    return ScoredBuilds(table, score_document(scored, scoring_of(game.setup, seed)))


@checked()
def compare(
    game: Game,
    first: str,
    second: str,
    *,
    engine: str = "auto",
    fights: int | None = None,
    target_error: str | None = None,
    seed: int = 0,
    jobs: int = -1,
    cancel: Cancellation | None = None,
) -> Answer:
    """Which of two builds is better, by how much and where.

    Args:
        game: what `load` gave.
        first: a build, A on the page.
        second: another build, B on the page.
        engine: `"auto"`, or one by name, such as `"exact"` or `"reference"`.
        fights: how many to sample where a fight cannot be solved.
        target_error: sample until the 95% interval is this narrow, e.g. `"0.5%"`, instead.
        seed: the same seed gives the same numbers.
        jobs: threads; -1 for every core.
        cancel: once it is set, `Cancelled` is raised at the next step.

    Returns:
        The page of `buildsearch compare`; by name what its JSON has.

    """
    scored = _scored(game, [first, second], engine, make_sampling(fights, target_error, seed, jobs), cancel)
    return Answer(compare_document(scored, scoring_of(game.setup, seed)))


@checked()
def trace(
    game: Game,
    build: str,
    *,
    scenario: str | None = None,
    pick: str | None = None,
    of: int = 1_000,
    seed: int = 0,
    cancel: Cancellation | None = None,
) -> Answer:
    """One fight turn by turn, from the readable reference.

    Args:
        game: what `load` gave.
        build: the build that fights.
        scenario: which of the game's scenarios; its first if left out.
        pick: `"worst"`, `"median"` or `"best"` of several fights, from this seed on.
        of: how many fights to pick from.
        seed: the seed of the fight.
        cancel: once it is set, `Cancelled` is raised at the next fight.

    Returns:
        The fight as a page; `["events"]` has it for programs.

    """
    setup = game.setup
    (chosen,) = setup.read_builds([build])
    name = next(iter(setup.fights)) if scenario is None else scenario
    if name not in setup.fights:
        raise UsageError(f"unknown scenario `{name}`. {suggest(name, list(setup.fights))}")
    fight = setup.fights[name]
    if pick is not None:
        seed = picked_seed(setup, chosen, fight, pick, seed, of, watch_by(None, cancel))
    replay = setup.loaded.system.replayer(setup.loaded.model).replay(chosen, fight, seed)
    return Answer(trace_document(setup.space.name(chosen), name, replay))


def _scored(
    game: Game, builds: Texts, engine: str, sampling: Effort, cancel: Cancellation | None
) -> list[ScoredBuild]:
    setup = game.setup
    chosen = setup.read_builds(as_texts(builds))
    results = setup.evaluate(chosen, engine, sampling, watch_by(None, cancel))
    return [
        ScoredBuild(setup.space.name(build), setup.space.cost(build), found, {}, {})
        for build, found in zip(chosen, results, strict=True)
    ]


def directions(metrics: Sequence[Metric], fights: Mapping[str, object]) -> dict[str, bool]:
    """Which way is better, for the columns of metrics."""
    by_fight = {f"{fight}_{each.name}": each.higher_is_better for fight in fights for each in metrics}
    return {"score": metrics[0].higher_is_better} | by_fight


def as_texts(given: Texts) -> tuple[str, ...]:
    """One text or several."""
    return (given,) if isinstance(given, str) else tuple(given)


def _texts(changes: Changes) -> tuple[str, ...]:
    if isinstance(changes, Mapping):
        return tuple(f"{path}={_value(value)}" for path, value in changes.items())
    return as_texts(changes)


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _opened(request: Request, given: Mapping[str, object]) -> Game:
    """With what was given as parameters: some of it may be options of fights."""
    loaded = load_rules(request.rules, request.overrides, request.rulings)
    of_fights = {option.name for option in loaded.system.fight_options}
    parameters, options = dict(request.parameters), dict(request.fight_options)
    known = {*of_fights, *(each.name for each in loaded.system.parameters)}
    for name, value in given.items():
        near = None if name in known else did_you_mean(name, _KEYWORDS)
        if near is not None:
            raise UsageError(f"there is no argument `{name}`. {near}")
        (options if name in of_fights else parameters)[name] = str(value)
    request = request.changed(parameters=parameters, fight_options=options)
    return Game(request, set_up(loaded, request))
