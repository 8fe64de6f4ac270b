"""A declared game as the engines ask for it: fights, sheets, the story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.engines.plain import plain
from buildsearch.engines.stated import Counted, Played, StatedFight, TooLargeError
from buildsearch.engines.stated_game import StatedGame, Story, explained
from buildsearch.engines.statement import Terms, records
from buildsearch.engines.told import play_plainly
from buildsearch.kit.chances import Chances, dice, is_dice, table_of
from buildsearch.kit.entries import Entry
from buildsearch.kit.fight import Layout, statement_of, tables_of
from buildsearch.kit.trouble import authored, compiled
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Chunk, Wanted
from buildsearch.model.text import count

if TYPE_CHECKING:
    from buildsearch.kit.game import Game

Ints = NDArray[np.int64]
# So many fights are fought in plain Python before a fight is compiled: mistakes have a line there.
_TRIED = 3
# A fight with more outcomes of its actions is solved for a build alone, and sampled for a whole space.
_IN_BULK = 40_000


@dataclass(frozen=True)
class Bout:
    """The build against foes: entries of the rules, or another build."""

    name: str
    weight: float
    foes: tuple[tuple[str, Any], ...]
    rounds: int
    rulings: Any
    play: str


@dataclass(frozen=True)
class _Named:
    """A build by its name, which takes as long to write as a sheet."""

    space: Any
    build: bytes

    def __str__(self) -> str:
        return str(self.space.name(self.build))


class KitGame(StatedGame):
    """A game under one set of rules."""

    def __init__(self, game: Game, rules: Any) -> None:
        super().__init__(rules)
        self.game = game
        self.space = game.space(rules, {})
        self.stated = game.stated_fight
        sample = self._sample()
        foes = [self._foe(entry, name) for name, entry in rules.foes.items()]
        self.sample = sample
        self.layout = Layout.of([self._sheet(sample), *foes], self.stated.largest_roll + 1)
        self.statement = statement_of(game.id, self.stated, self.layout)
        # Scores of other rules of the fight are never found again.
        self.version = self.statement.digest  # type: ignore[assignment]
        self.columns = len(self.layout)
        self._rows = LruCache[bytes, Ints](8)
        self._in_bulk = LruCache[str, bool](64)

    def _sample(self) -> bytes:
        """Some legal build."""
        for chunk in self.space.chunks(Wanted(), 1):
            return bytes(next(self.space.builds(chunk)))
        raise UsageError(f"{self.rules.id}: no build is legal. Loosen its limits, bans or requirements.")

    def _sheet(self, build: bytes) -> Mapping[str, Any]:
        function: Any = self.game.sheet_function
        with authored(function, _Named(self.space, build)):
            return self._checked(function(self.space.view(build), self.rules), "sheet")

    def _foe(self, entry: Any, name: str) -> Mapping[str, Any]:
        if self.game.foe_function is None:
            return numbers_of(entry)
        with authored(self.game.foe_function, name):
            return self._checked(self.game.foe_function(entry, self.rules), "foe")

    def _checked(self, sheet: Any, what: str) -> Mapping[str, Any]:
        if isinstance(sheet, Mapping):
            return sheet
        raise UsageError(f"`{what}` gives {type(sheet).__name__}, and a sheet is a dict: {{'hp': 12, ...}}.")

    def terms(self, bout: Bout) -> Terms:
        """A fight without its build."""
        layout, names = self.layout, [name for name, _ in bout.foes]
        sheets = [
            self._sheet(foe) if isinstance(foe, bytes) else self._foe(foe, name) for name, foe in bout.foes
        ]
        rows = [layout.row(sheet, name) for sheet, name in zip(sheets, names, strict=True)]
        rows = [np.zeros(self.columns, np.int64), *rows]
        numbers = [tuple(row[: len(layout.numbers)].tolist()) for row in rows]
        tables: dict[str, Any] = {"who": records(numbers, layout.numbers)}
        at = len(layout.numbers)
        for name, size in layout.lists:
            tables[name] = np.array([row[at : at + size] for row in rows])
            at += size
        for name in layout.rolls:
            tables[name] = np.array([row[at : at + layout.width] for row in rows]).view(np.float64)
            at += layout.width
        sizes = dict(layout.lists)
        kinds = {name: sizes[deck] for name, deck in self.stated.counts.items()}
        tables |= {name: np.zeros((len(rows), kinds[name]), np.int64) for name in kinds}
        tables |= self._shared(tables)
        return Terms(
            self.statement,
            tables_of(tuple(tables))(**tables),
            len(rows),
            bout.rounds,
            most=(1, 1, 1, *(each.span for each in self.stated.metrics)),
            kinds=kinds,
            triggers=len(self.stated.triggers),
        )

    def _shared(self, taken: Mapping[str, Any]) -> dict[str, Any]:
        """Tables of the game that no build changes."""
        function = self.game.tables_function
        given = numbers_of(getattr(self.rules, "numbers", None))
        if function is not None:
            with authored(function):
                given |= function(self.rules)
        for name in given:
            if name in taken:
                raise UsageError(f"`tables` has `{name}`, and so have sheets. Give it another name.")
        return {name: _as_table(name, value) for name, value in given.items()}

    def fight(self, bout: Bout) -> StatedFight:
        """Tried in plain Python before it is compiled."""

        def made() -> StatedFight:
            fight = _KitFight(self.terms(bout), most_nodes=self.most_nodes)
            fight.file = self.game.file
            with authored(self.game.stated_fight.act, bout.name):
                _try_plainly(fight, self.row(self.sample))
            return fight

        return self._fights.get(repr(bout), made)

    def row(self, build: bytes) -> Ints:
        """Its sheet."""
        return self.layout.row(self._sheet(build), _Named(self.space, build))

    def rows(self, space: Any, chunk: Chunk) -> Ints:
        """The sheets of a chunk."""
        levels = space.levels(chunk)
        return self._rows.get(
            levels.tobytes(), lambda: np.stack([self.row(build) for build in space.builds(chunk)])
        )

    def story(self, build: bytes, bout: Bout) -> KitStory:
        """By the texts of the game."""
        return KitStory(self, bout)

    def triggers(self, build: bytes) -> Mapping[str, int]:
        """Options that it has."""
        has = {feature.name for feature in self.space.features(build)}
        return {name: i for i, name in enumerate(self.stated.triggers) if name in has}

    def explain(self, build: bytes, bout: Bout, fight: StatedFight, played: Played) -> tuple[str, ...]:
        """Fields that are not 0, and what is done there."""
        names = KitStory(self, bout).names

        def state(t: Any, c: Any) -> str:
            said = [f"{name} {value}" for name in self.stated.table if (value := getattr(t, name))]
            for actor, body in zip(names, c, strict=True):
                its = [f"{name} {value}" for name in self.stated.actor if (value := getattr(body, name))]
                said += [f"{actor} {' '.join(its)}"] if its else []
            return ", ".join(said)

        def deed(action: int) -> tuple[str, Mapping[str, float]]:
            name = self.stated.actions.get(action, f"action {action}")
            return name, {name: 1}

        return tuple(explained(fight, played, state, deed))

    def is_solved_in_bulk(self, bout: Bout) -> bool:
        """Judged by one build, always the same."""

        def judged() -> bool:
            try:
                explored = self.fight(bout).explored(self.row(self.sample))
            except TooLargeError:
                return False
            return len(explored.graph.chance) <= _IN_BULK

        return self._in_bulk.get(repr(bout), judged)

    def why_not_best(self, bout: Bout) -> str | None:
        """Only where there is something to choose."""
        return None if self.stated.options else "this game has no choices in a fight"


class _KitFight(StatedFight):
    """Errors of compiling have the line of the game's file."""

    file = ""

    def _work(self, *arguments: Any, **named: Any) -> int:
        with compiled(self.file):
            return super()._work(*arguments, **named)

    def sample(self, *arguments: Any, **named: Any) -> Counted:
        """As it is, in plain words."""
        with compiled(self.file):
            return super().sample(*arguments, **named)


def _try_plainly(fight: StatedFight, row: Ints) -> None:
    """A few fights in plain Python; a mistake there raises what Python says of it, with its line."""
    desk, write = fight.desk, plain(fight.kernels._write_build)
    write(desk.g, (), desk.words.own, desk.words.blank, fight.terms.statement.sheets(row[None])[0])
    for number in range(_TRIED):
        play_plainly(fight, row, 0, number, content=b"tried", is_written=True)


def numbers_of(entry: Any) -> dict[str, Any]:
    """What an entry has that a fight can read: numbers, lists of them, chances of dice."""
    found: dict[str, Any] = {}
    for name in type(entry).model_fields if entry is not None else ():
        value = getattr(entry, name)
        if isinstance(value, str) and is_dice(value):
            found[name] = dice(value)
        elif isinstance(value, int | float | tuple) and name not in Entry.model_fields:
            found[name] = value
    return found


def _as_table(name: str, value: Any) -> Any:
    if isinstance(value, Chances):
        return table_of([value])
    if isinstance(value, list) and value and isinstance(value[0], Chances):
        return table_of(value)
    if isinstance(value, list | tuple):
        return np.array(value)
    if isinstance(value, int | float | np.ndarray):
        return value
    raise UsageError(f"`tables` has `{name}` = {value!r}. Write numbers, lists of them, or chances.")


class _Teller:
    """An actor in the texts of a story: its name, and its fields."""

    def __init__(self, name: str, fields: Any, numbers: Any) -> None:
        self._name, self._fields, self._numbers = name, fields, numbers

    def __format__(self, _spec: str) -> str:
        return self._name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._fields if hasattr(self._fields, name) else self._numbers, name)


class KitStory(Story):
    """`{me}` and `{it}` are the actors that `tell` names first and second; `{a}`, `{b}`, `{c}` numbers."""

    def __init__(self, game: KitGame, bout: Bout) -> None:
        super().__init__()
        self.game = game
        foes = [f"{name} #{i}" if len(bout.foes) > 1 else name for i, (name, _) in enumerate(bout.foes, 1)]
        self.names = [game.game.hero, *foes]

    def hears(self, kind: int, a: int, b: int, c: int) -> None:
        """A line of the story."""
        me, it = (
            _Teller(self.names[i], self.c[i], self.g.who[i]) if 0 <= i < len(self.names) else ""
            for i in (a, b)
        )
        text = self.game.stated.story.get(kind, "")
        line = text.format(me=me, it=it, a=a, b=b, c=c, t=self.t)
        self.tell("told", *([line] if line else []), kind=kind, a=a, b=b, c=c)

    def ends(self, outcome: str, rounds: int, left: int) -> None:
        """The last line."""
        metrics = self.game.stated.metrics
        rest = f" — {left} {metrics[0].label}" if metrics else ""
        self.tell(
            "fight_ended",
            f"Fight {outcome} after {count(rounds, 'round')}{rest}",
            result={"outcome": outcome, "rounds": rounds},
        )
