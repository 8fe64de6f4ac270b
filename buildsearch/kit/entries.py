"""The shape of a game's files: entries as the author declares them, and the models that follow."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, PrivateAttr, create_model, model_validator

from buildsearch.model.rules_file import (
    Frozen,
    Identifier,
    Natural,
    Positive,
    RulesEnvelope,
    ScenariosEnvelope,
    Text,
    Title,
    Weight,
)


class Entry(Frozen):
    """An option, or a foe. Fields that the author adds are the numbers of its rules.

    `fixed` names fields that say which builds are legal: `balance` leaves them as they are.
    """

    fixed: ClassVar[tuple[str, ...]] = ()

    name: Annotated[Text, Field(max_length=100, description="as people read it; by default, its id")] = ""
    summary: Text = ""
    cost: Annotated[Natural, Field(description="points")] = 0
    _id: str = PrivateAttr("")

    @property
    def id(self) -> str:
        """What builds call it."""
        return self._id

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Its own fields that the file states."""
        own = [name for name in type(self).model_fields if name not in Entry.model_fields]
        stated = [name for name in own if name in self.model_fields_set]
        return tuple((name.replace("_", " "), str(getattr(self, name))) for name in stated)


class ScoreTable(Frozen):
    """Scores that are bought: from `least` to `most`; `costs` is what each of these costs in all."""

    names: Annotated[dict[Identifier, Title], Field(min_length=1)]
    least: Natural = 0
    most: Natural
    costs: tuple[Natural, ...] = ()

    @model_validator(mode="after")
    def _has_a_cost_for_each_step(self) -> ScoreTable:
        if self.most < self.least:
            raise ValueError(f"`most` is {self.most}, below `least`, which is {self.least}")
        if self.costs and (
            len(self.costs) != self.most - self.least + 1 or list(self.costs) != sorted(self.costs)
        ):
            steps = self.most - self.least + 1
            raise ValueError(f"`costs` has {steps} numbers, one for each score, none below the one before")
        return self

    @property
    def steps(self) -> tuple[int, ...]:
        """What so many steps cost; a step is a point if the file says nothing."""
        return self.costs or tuple(range(self.most - self.least + 1))


def _nothing_or_half(value: float) -> float:
    if value not in (0, 0.5):
        raise ValueError("a draw is worth 0 or 0.5")
    return float(value)


class Rulings(Frozen):
    """Readings that a table might play differently; a game may add some."""

    draw_value: Annotated[float, AfterValidator(_nothing_or_half), Field(description="0 or 0.5")] = 0.0


class Ban(Frozen):
    """Two options that no build has together."""

    options: tuple[Identifier, Identifier]
    section: Text = ""


class Scenario(Frozen):
    """One fight against every foe of a list."""

    name: Title
    foes: Annotated[Text, Field(min_length=1, description="such as `goblin*3|knight`")]
    weight: Weight = 1.0


class KitRules(RulesEnvelope):
    """What every game of the kit has besides what it declares."""

    shelves: ClassVar[tuple[str, ...]] = ()

    rounds: Annotated[Positive, Field(le=1000, description="a fight that lasts longer is drawn")]
    bans: tuple[Ban, ...] = ()

    @model_validator(mode="after")
    def _names_its_entries(self) -> KitRules:
        for shelf in self.shelves:
            for name, entry in getattr(self, shelf).items():
                entry._id = name
                entry.__dict__["name"] = entry.name or name.replace("_", " ").capitalize()
        return self


def rules_model(system: str, shelves: tuple[str, ...], fields: dict[str, Any]) -> type[KitRules]:
    """The shape of its rules files; `shelves` are the fields that hold entries."""
    make: Any = create_model  # its types know no literal that is made here
    found: type[KitRules] = make(
        f"{system.title()}Rules", __base__=KitRules, system=(Literal[system], ...), **fields
    )
    found.shelves = shelves
    return found


def scenarios_model(system: str) -> type[ScenariosEnvelope]:
    """The shape of its scenario files."""
    make: Any = create_model
    found: type[ScenariosEnvelope] = make(
        f"{system.title()}Scenarios",
        __base__=ScenariosEnvelope,
        system=(Literal[system], ...),
        scenarios=(dict[Identifier, Scenario], Field(min_length=1)),
    )
    return found
