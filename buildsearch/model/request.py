"""What is asked for, typed: made from a command line or a call, kept in run.json, read back from there."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from buildsearch.model.rules_file import Variation
from buildsearch.model.space import Wanted


class Request(BaseModel):
    """Rules, builds and fights by name. Nothing is checked against the rules yet."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    rules: str
    overrides: tuple[str, ...] = ()  # values of the rules, such as `power_attack.cost=2`
    rulings: tuple[str, ...] = ()  # other readings, such as `retaliation_cap=3`
    parameters: dict[str, str] = Field(default_factory=dict)
    groups: tuple[str, ...] = ()
    with_features: tuple[str, ...] = ()
    without_features: tuple[str, ...] = ()
    scenarios: str | None = None  # a set; None: the one that the rules name
    only: tuple[str, ...] = ()  # of its scenarios; none: all of them
    fight_options: dict[str, str] = Field(default_factory=dict)  # those that the system declares

    @property
    def wanted(self) -> Wanted:
        """The filters of builds."""
        return Wanted(self.groups, self.with_features, self.without_features)

    def changed(self, **changes: Any) -> Self:
        """The same with other values, checked like the first ones."""
        return type(self).model_validate({**dict(self), **changes})

    def with_parameter(self, name: str, value: object) -> Self:
        """The same under another value of one parameter."""
        return self.changed(parameters={**self.parameters, name: str(value)})

    def under(self, change: Variation) -> Self:
        """The same under another reading, or with other stats."""
        options = dict(self.fight_options)
        for name, text in change.options.items():
            options[name] = f"{options[name]},{text}" if options.get(name) else text
        return self.changed(rulings=(*self.rulings, *change.rulings), fight_options=options)


class MetaRequest(Request):
    """Who beats whom: from which builds on, how sure, how long."""

    epsilon: float = 0.02  # nobody is to win more than half and this
    fights: int = 50_000_000  # at most
    start: int = 8  # builds of the leaderboard to start from
    from_run: str | None = None  # or the best of that run
    pool: int = 100  # builds in the matrix at most
    trials: int | None = None  # of builds too many to try every one: so many against each mixture
    alpha: float = 0.05
    seed: int = 0


class SearchRequest(Request):
    """A search besides: what is ranked by what, and how long. Limits are checked where they are used."""

    complete: str | None = None  # only completions of this partial build
    from_run: str | None = None  # only the best builds of that run
    candidates: int | None = None  # of a run, or of loadouts: how many; None: as many as usual
    starts: int = 6  # loadouts: best responses from so many starts
    distinct: int = 0  # loadouts that differ in at least so many options
    objectives: tuple[str, ...] = ()
    top: int = 100
    initial_fights: int = 256
    ranking_fights: int = 50_000_000
    alpha: float = 0.05
    seed: int = 0
    search: str = "auto"
    sampler: str | None = None
    trials: int | None = None
    stop_after: float | None = None
    storage: str | None = None
    over_budget: int = 0
