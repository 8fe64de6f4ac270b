"""Which rules, builds and fights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from buildsearch.options.fields import FightFlag, Flag, Hiding, ParameterFlag, Texts

if TYPE_CHECKING:
    from buildsearch.model.rules_file import Variation
    from buildsearch.model.space import Wanted

DEFAULT_RULES = "vitality-v2"
Rules = Annotated[str, Flag("Name of a ruleset, or the path of a rules file.", "--rules", "-r")]
Overrides = Annotated[Texts, Flag("Override a value of the rules, e.g. power_attack.cost=2.", "--set")]
Rulings = Annotated[Texts, Flag("Take another reading, e.g. retaliation_cap=3.", "--ruling")]
Parameters = Annotated[
    dict[str, str], ParameterFlag("A parameter of the game, e.g. tier=4.", "--parameter", "-p")
]
ParameterValues = Annotated[
    Mapping[str, Texts], ParameterFlag("A parameter of the game, e.g. tier=4.", "--parameter", "-p")
]
Scenarios = Annotated[str | None, Flag("Name or file of a scenario set. Default: the ruleset's.")]


@dataclass(frozen=True, kw_only=True)
class _Rules:
    rules: Rules = DEFAULT_RULES
    overrides: Overrides = ()
    rulings: Rulings = ()
    parameters: Parameters = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which builds."""

    groups: Annotated[Texts, Flag("Only builds of this type: what `enumerate --count` lists.", "--type")] = ()
    with_features: Annotated[Texts, Flag("Only builds that have this.", "--with")] = ()
    without_features: Annotated[Texts, Flag("Only builds that lack this.", "--without")] = ()

    @property
    def wanted(self) -> Wanted:
        """The filters as a space reads them."""
        from buildsearch.model.space import Wanted

        return Wanted(tuple(self.groups), tuple(self.with_features), tuple(self.without_features))


@dataclass(frozen=True, kw_only=True)
class _Fights:
    scenarios: Scenarios = None
    only: Annotated[Texts, Flag("Only this scenario of the set.", "--scenario")] = ()
    fight_options: Annotated[dict[str, str], FightFlag("")] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class GameOptions(_Fights, Filters, _Rules):
    """Rules, builds and fights by name. Nothing is checked against the rules yet."""

    # How pydantic reads it back from run.json.
    __pydantic_config__: ClassVar = {"extra": "forbid", "strict": True, "allow_inf_nan": False}

    def changed(self, **changes: Any) -> Self:
        """The same with other values."""
        return replace(self, **changes)

    def with_parameter(self, name: str, value: object) -> Self:
        """The same under another value of one parameter."""
        return self.changed(parameters={**self.parameters, name: str(value)})

    def under(self, change: Variation) -> Self:
        """The same under another reading, or with other stats."""
        options = dict(self.fight_options)
        for name, text in change.options.items():
            options[name] = f"{options[name]},{text}" if options.get(name) else text
        return self.changed(rulings=(*self.rulings, *change.rulings), fight_options=options)


NO_FILTERS = Hiding(*Filters.__dataclass_fields__)
NO_FIGHTS = Hiding(*_Fights.__dataclass_fields__)
