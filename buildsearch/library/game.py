"""A game: rules, parameters and fights, with the builds that are legal there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import pyarrow as pa

from buildsearch.library.arguments import checked, takes
from buildsearch.library.fight_setup import FightSetup, set_up
from buildsearch.library.input_files import load_rules
from buildsearch.library.tables import Table, table_of_rows
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Metric
from buildsearch.model.space import Wanted
from buildsearch.options.fields import Texts
from buildsearch.options.game import Filters, GameOptions
from buildsearch.ruleset.messages import did_you_mean

_ROWS = 1 << 16
_KEYWORDS = ("rules", "overrides", "rulings", "scenarios", "only")
Changes = Mapping[str, object] | Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """Rules under parameters, and the fights that builds are scored in. `load` makes one."""

    request: GameOptions
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

    @checked
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
        return pa.RecordBatchReader.from_batches(first.schema, chain([first], batches))

    def _batches(self) -> Iterator[pa.RecordBatch]:
        space = self._game.setup.space
        for chunk in space.chunks(self._wanted, _ROWS):
            yield from pa.table(dict(space.table(chunk))).to_batches()


@checked
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
    request = GameOptions(
        rules=rules, overrides=_texts(overrides), rulings=_texts(rulings), scenarios=scenarios, only=only
    )
    return _opened(request, parameters)


@takes(Filters)
def enumerate_builds(game: Game, filters: Filters) -> Builds:
    """Every legal build of a game, or those that fit the filters.

    Args:
        game: what `load` gave.

    Returns:
        A table that is read as a stream; `counts` says how many there are in each group.

    """
    return Builds(game, filters.wanted)


def directions(metrics: Sequence[Metric], fights: Mapping[str, object]) -> dict[str, bool]:
    """Which way is better, for the columns of metrics."""
    by_fight = {f"{fight}_{each.name}": each.higher_is_better for fight in fights for each in metrics}
    return {"score": metrics[0].higher_is_better} | by_fight


def _texts(changes: Changes) -> tuple[str, ...]:
    if isinstance(changes, Mapping):
        return tuple(f"{path}={_value(value)}" for path, value in changes.items())
    return (changes,) if isinstance(changes, str) else tuple(changes)


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _opened(request: GameOptions, given: Mapping[str, object]) -> Game:
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
