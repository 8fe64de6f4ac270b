"""A game in one file: choices, requirements, sheets and a fight are declared, all else follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, cast

from pydantic import create_model

from buildsearch.engines.games import StatedSystem
from buildsearch.engines.wins import win_metrics
from buildsearch.kit.choices import ONE, SCORES, SOME, Choice
from buildsearch.kit.entries import Entry, KitRules, Rulings, rules_model, scenarios_model
from buildsearch.kit.fight import Fight
from buildsearch.model.errors import ProblemSink, UsageError
from buildsearch.model.evaluation import Metric, Scale
from buildsearch.model.levers import (
    SECTION,
    Account,
    Add,
    Lever,
    budget_lever,
    pair_lever,
    price_lever,
)
from buildsearch.model.number_levers import entry_levers
from buildsearch.model.parameter import Parameter
from buildsearch.model.rules_file import (
    IDENTIFIER,
    RULING,
    Frozen,
    Identifier,
    Option,
    Pair,
    Relation,
    Variation,
)
from buildsearch.ruleset.messages import only_known, suggest, whole_number

_DICE = ("1d4", "1d6", "1d8", "1d10", "1d12", "2d6", "2d8", "2d10")
_FOE = re.compile(r"\s*([a-z][a-z0-9_]*)\s*(?:\*\s*([1-9][0-9]?))?\s*", re.ASCII)
_MOST_FOES = 12
_PLAYS = ("greedy", "optimal")
_FAR = 2


class Game(StatedSystem):
    """A game. `game.sheet`, `game.foe`, `game.requires` and `game.tables` mark its functions.

    `numbers` and `rulings` are models of what the rules file has under these names; `hero` is what a story
    calls the build.
    """

    leaderboard_columns: tuple[str, ...]

    def __init__(
        self,
        name: str,
        title: str,
        choices: list[Choice],
        *,
        foe: type[Entry],
        numbers: type[Frozen] | None = None,
        rulings: type[Rulings] = Rulings,
        hero: str = "hero",
    ) -> None:
        if not re.fullmatch(IDENTIFIER, name):
            raise UsageError(f"Game({name!r}): a name has lower-case letters, digits and _, such as my_game.")
        self.id, self.title, self.hero = name, title, hero
        self.choices = tuple(choices)
        self.requirements: list[Callable[..., str | None]] = []
        self.sheet_function: Callable[..., Any] | None = None
        self.foe_function: Callable[..., Any] | None = None
        self.tables_function: Callable[..., Any] | None = None
        self.fight: Fight | None = None
        self.leaderboard_columns = tuple(choice.name for choice in choices)
        limits = {limit: field for choice in choices for limit, field in choice.limits.items()}
        make: Any = create_model
        fields: dict[str, Any] = {"limits": (make("Limits", __base__=Frozen, **limits), ...)}
        if numbers is not None:
            fields["numbers"] = (numbers, ...)
        fields |= {choice.name: choice.field for choice in choices}
        fields |= {"foes": (dict[Identifier, foe], ...), "rulings": (rulings, rulings())}  # type: ignore[valid-type]
        shelves = (*(choice.name for choice in choices if choice.entry is not None), "foes")
        self.rules_model = rules_model(name, shelves, fields)
        self.scenarios_model = scenarios_model(name)
        pools = {choice.pool for choice in choices if choice.pool}
        self.parameters = tuple(
            Parameter(
                limit, f"{field[0].__metadata__[1].description or limit} (default: as the rules say)",
                is_number=True, is_budget=pools == {limit},
            )
            for limit, field in limits.items()
        )  # fmt: skip
        self.fight_options = (
            Parameter("play", f"greedy or optimal: how the {hero} decides; foes are greedy"),
            Parameter("enemies", "an ad hoc fight, such as `goblin*3|knight`", makes_fight=True),
        )

    # What the author marks ----------------------------------------------------------------------

    def sheet(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`sheet(build, rules)`: all numbers of a build that a fight asks for, as a dict."""
        self.sheet_function = function
        return function

    def foe(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`foe(entry, rules)`: the same of a foe; without it, the numbers and dice of its entry."""
        self.foe_function = function
        return function

    def tables(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`tables(rules)`: what all builds share besides the `numbers` of the rules, as a dict."""
        self.tables_function = function
        return function

    def requires(self, function: Callable[..., str | None]) -> Callable[..., str | None]:
        """A function of some choices that gives a sentence where they do not go together."""
        from buildsearch.kit.space import requirement_reads

        requirement_reads(function, {choice.name: choice for choice in self.choices})
        self.requirements.append(function)
        return function

    def check_complete(self) -> None:
        """Raises UsageError where something that every game has is missing."""
        missing = {
            "@game.sheet": self.sheet_function, "game.fight = Fight(...)": self.fight
        }  # fmt: skip
        for what, given in missing.items():
            if given is None:
                raise UsageError(f"{self.title} has no `{what}`. Add it to the file of the game.")

    @property
    def stated_fight(self) -> Fight:
        """The fight, once it is there."""
        self.check_complete()
        return cast(Fight, self.fight)

    @property
    def file(self) -> str:
        """The file of the game."""
        return str(Path(self.stated_fight.act.__code__.co_filename)) if self.sheet_function else self.id

    # What the core asks -------------------------------------------------------------------------

    @property
    def metrics(self) -> tuple[Metric, ...]:  # type: ignore[override]
        """Win rate and rounds, what the game measures, draws and losses."""
        win, rounds, _, draw = win_metrics("win", ("", ""), "draw")
        own = (
            Metric(
                each.name, each.label, each.higher_is_better, 0, each.span,
                scale=Scale.OTHER, span=float(each.span), unit=each.unit,
            )
            for each in self.stated_fight.metrics
        )  # fmt: skip
        loss = Metric("loss", "losses", higher_is_better=False, low=0, high=1, scale=Scale.PROBABILITY)
        return (win, rounds, *own, draw, loss)

    @property
    def relations(self) -> tuple[Relation, ...]:  # type: ignore[override]
        """Bans are pairs."""
        return (Relation("bans", "ban", _ban_pairs, lambda pair: {"options": list(pair)}, is_symmetric=True),)

    def check_rules(self, rules: KitRules, problems: ProblemSink) -> None:
        """Ids that stand for two things, and bans of what is not there."""
        taken: dict[str, str] = {}
        for choice in self.choices:
            given = getattr(rules, choice.name)
            for name in given.names if choice.kind == SCORES else given:
                if name in taken or name == "none":
                    place = (
                        f"it is under {taken[name]} too"
                        if name in taken
                        else "it means that nothing is chosen"
                    )
                    path = [choice.name, "names", name] if choice.kind == SCORES else [choice.name, name]
                    problems.error(path, f"the id `{name}` is taken: {place}", key=True)
                taken[name] = choice.name
        for i, ban in enumerate(rules.bans):
            for name in ban.options:
                if name not in taken:
                    problems.error(
                        ["bans", i, "options"], f"unknown option `{name}`", hint=suggest(name, taken)
                    )

    def check_scenarios(self, scenarios: Any, problems: ProblemSink) -> None:
        """Foes are looked up in a fight; here only how they are written."""
        for name, scenario in scenarios.scenarios.items():
            if not all(_FOE.fullmatch(entry) for entry in scenario.foes.split("|")):
                message = f"`{scenario.foes}` is not a list of foes"
                hint = "Write names with | between them and counts: `goblin*2|knight`."
                problems.error(["scenarios", name, "foes"], message, value=scenario.foes, hint=hint)

    def options(self, rules: Any) -> tuple[Option, ...]:
        """Everything that builds choose among."""
        limits = self._limits(rules, {})
        found = []
        for shelf in (choice.of(rules, limits) for choice in self.choices):
            for name in shelf.names:
                title, summary, cost, facts = shelf.describe(name)
                found.append(Option(name, shelf.name, title, summary, cost, facts))
        return tuple(found)

    def _limits(self, rules: Any, given: Mapping[str, str]) -> dict[str, int]:
        only_known(given, self.parameters)
        return {
            name: whole_number(given, name, getattr(rules.limits, name), 0, 10_000)
            for name in type(rules.limits).model_fields
        }

    def space(self, rules: Any, parameters: Mapping[str, str]) -> Any:
        """All legal builds."""
        from buildsearch.kit.space import KitSpace

        return KitSpace(self.choices, self.requirements, rules, self._limits(rules, parameters))

    def bouts(self, rules: Any, scenarios: Any, options: Mapping[str, str]) -> Mapping[str, Any]:
        """The fights of a scenario set, or the one that `enemies` names."""
        from buildsearch.kit.stated import Bout

        play = options.get("play", "greedy")
        if play not in _PLAYS:
            raise UsageError(f"‹play› {play}: there is no such way to play. {suggest(play, _PLAYS)}")
        written = {name: (each.foes, each.weight) for name, each in scenarios.scenarios.items()}
        if "enemies" in options:
            written = {"enemies": (options["enemies"], 1.0)}
        return {
            name: Bout(name, weight, _foes(text, rules), rules.rounds, rules.rulings, play)
            for name, (text, weight) in written.items()
        }

    def game(self, rules: Any) -> Any:
        """The statement, and what is said of it."""
        from buildsearch.kit.stated import KitGame

        return KitGame(self, rules)

    def variations(self, rules: Any) -> tuple[Variation, ...]:
        """Every other ruling."""
        draws = "draw_value=0.5" if rules.rulings.draw_value == 0 else "draw_value=0"
        return (*super().variations(rules), Variation(RULING, draws, (draws,)))

    def accounts(self, rules: Any, space: Any) -> tuple[Account, ...]:
        """Pools of points, and limits of how many; scores whose steps differ in cost are in none."""
        found = []
        for pool in dict.fromkeys(shelf.choice.pool for shelf in space.shelves if shelf.choice.pool):
            payers = [shelf for shelf in space.shelves if shelf.choice.pool == pool]
            if all(shelf.is_linear for shelf in payers):
                prices = {name: shelf.price(name) or 0 for shelf in payers for name in shelf.names}
                is_spent = any(shelf.choice.spend_all for shelf in payers)
                found.append(Account(pool, space.parameters[pool], prices, is_spent=is_spent))
        for shelf in space.shelves:
            if shelf.limit is not None and shelf.choice.limit not in {each.name for each in found}:
                prices = dict.fromkeys(shelf.names, 1)
                found.append(Account(shelf.choice.limit, shelf.limit, prices, is_spent=shelf.kind != SOME))
        return tuple(found)

    def levers(self, rules: Any, space: Any) -> tuple[Lever, ...]:
        """Costs, limits, bans of pairs, and the numbers of options."""
        accounts = {account.name: account for account in self.accounts(rules, space)}
        titles = {option.id: option.name for option in self.options(rules)}
        entries = [
            (shelf, name, entry)
            for shelf in space.shelves
            for name, entry in shelf.entries.items()
        ]  # fmt: skip
        found = [
            price_lever(accounts[shelf.choice.pool], name, (shelf.name, name, "cost"), title=titles[name])
            for shelf, name, entry in entries
            if shelf.choice.pool in accounts and "cost" in entry.model_fields_set
        ]
        found += [
            budget_lever(account, ("limits", name), name=name)
            for name, account in accounts.items()
            if space.parameters[name] == getattr(rules.limits, name)
        ]
        found += _pair_levers(space, rules, titles)
        for shelf, name, entry in entries:
            left_out = {*Entry.model_fields, "copies", *entry.fixed}
            parts = [field for field in type(entry).model_fields if field not in left_out]
            where = (shelf.name, name)
            found += entry_levers(name, entry, where, title=entry.name, parts=parts, far=_FAR, scale=_DICE)
        return tuple(found)


class DuelGame(Game):
    """A game whose builds can fight one another: `meta` works. Its fight must treat both sides alike."""

    def match(self, rules: Any, build: Any, parameters: Mapping[str, str], options: Mapping[str, str]) -> Any:
        """One against one; a draw is half a win for each."""
        from buildsearch.kit.stated import Bout

        rulings = rules.rulings.model_copy(update={"draw_value": 0.5})
        play = options.get("play", "greedy")
        return Bout("duel", 1.0, (("rival", build),), rules.rounds, rulings, play)


def _pair_levers(space: Any, rules: Any, titles: Mapping[str, str]) -> list[Lever]:
    """Any two options that a build may have together."""
    names = [(shelf, name) for shelf in space.shelves for name in shelf.entries]
    banned = {frozenset(ban.options) for ban in rules.bans}
    return [
        pair_lever(a, b, Add(("bans",), {"options": [a, b], "section": SECTION}), titles)
        for (first, a), (second, b) in combinations(names, 2)
        if not (first is second and first.kind == ONE) and frozenset((a, b)) not in banned
    ]


def _ban_pairs(rules: Any) -> Mapping[Pair, tuple[str | int, ...]]:
    found: dict[Pair, tuple[str | int, ...]] = {}
    for i, ban in enumerate(rules.bans):
        low, high = sorted(ban.options)
        found.setdefault((low, high), ("bans", i, "options"))
    return found


def _foes(text: str, rules: Any) -> tuple[tuple[str, Any], ...]:
    found: list[tuple[str, Any]] = []
    for entry in text.split("|"):
        match = _FOE.fullmatch(entry)
        if match is None:
            raise UsageError(
                f"`{text}`: `{entry.strip()}` is not a foe. Write a name and a count: `goblin*3`."
            )
        name, number = match[1], int(match[2] or 1)
        if name not in rules.foes:
            raise UsageError(f"`{text}`: unknown foe `{name}`. {suggest(name, rules.foes)}")
        found += [(name, rules.foes[name])] * number
    if len(found) > _MOST_FOES:
        raise UsageError(f"`{text}`: {len(found)} foes, and {_MOST_FOES} is the most.")
    return tuple(found)
