"""The shape of an Animon Story scenario file: foes and allies in the compact form, the rest as fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from buildsearch.model.rules_file import (
    Flag,
    Frozen,
    Identifier,
    Natural,
    Positive,
    ScenariosEnvelope,
    Title,
    Weight,
)
from buildsearch.systems.animon.rules.model import (
    MOST_BOND,
    MOST_ROUNDS,
    Between,
    Stage,
    Surprised,
    ZeroHp,
)

Units = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]+$", max_length=4000)]


class Scenario(Frozen):
    """One fight; what is not said is as in a fair duel."""

    name: Title
    foes: Units = Field(description="such as `L6:super:fire!sap@water/hp30,L2:basic:nature*3>L5:ultra:dark`")
    allies: Annotated[Units | None, Field(description="`build`, whole builds in braces, animon by level")] = (
        None
    )
    bond_points: Literal["on"] | Annotated[Natural, Field(le=MOST_BOND)] = 0
    start: Stage | None = Field(default=None, description="the stage that the build starts in")
    first_evolution: Flag = False
    zero_hp: ZeroHp | None = Field(default=None, description="as the ruling says unless given")
    between: Between = "extended"
    surprised: Surprised = "nobody"
    max_rounds: Annotated[Positive | None, Field(le=MOST_ROUNDS)] = None
    weight: Weight = 1.0


class AnimonScenarios(ScenariosEnvelope):
    """A set of fights."""

    system: Literal["animon"]
    scenarios: dict[Identifier, Scenario] = Field(min_length=1)
