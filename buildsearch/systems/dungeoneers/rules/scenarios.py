"""The shape of a Dungeoneers scenario file: foes in the compact form."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from buildsearch.model.rules_file import Frozen, Identifier, ScenariosEnvelope, Text, Title, Weight


class Scenario(Frozen):
    """One fight: the hero against every foe of the list."""

    name: Title
    foes: Annotated[Text, Field(min_length=1, description="such as `goblin*3|hexer@ambient=1`")]
    weight: Weight = 1.0


class DungeoneersScenarios(ScenariosEnvelope):
    """A set of fights."""

    system: Literal["dungeoneers"]
    scenarios: dict[Identifier, Scenario] = Field(min_length=1)
