"""Readings that a table might play differently; each is a named value of the rules file."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from buildsearch.model.rules_file import Flag, Frozen, Natural, Positive


class Rulings(Frozen):
    """Every question that the rule text leaves to the table, with the answer taken."""

    target: Literal["first", "lowest_hp", "highest_hp"] = Field(
        description="which living enemy a single-target attack goes at (ties: the first)"
    )
    retaliation_cap: Natural = Field(description="how many living enemies attack back each turn")
    attacker_defeat: Literal["ignore", "loss"] = Field(
        description="ignore: the fight goes on below 0 HP; loss: it ends and counts as max_turns"
    )
    unmet_limit: Literal["basic", "wait", "archetype"] = Field(
        description="what greedy play does on a turn on which the attack cannot be used; "
        "archetype: with one attack it waits, with several it makes a basic attack"
    )
    limit_scope: Literal["action", "strike"] = Field(
        default="action",
        description="action: limits are asked, a use is spent and an activation rolled once for all strikes; "
        "strike: for each strike again, and one that fails is lost",
    )
    failed_activation: Literal["none", "attack"] = Field(
        default="none",
        description="none: a failed activation roll makes no attack; attack: it counts as an attack made",
    )
    channel_cap: Literal["net", "bonus"] = Field(
        description="net: the cap binds bonus and penalty together; bonus: the bonus alone"
    )
    natural_max_hits: Flag = Field(description="the highest natural accuracy roll hits by itself")
    natural_min_misses: Flag = Field(description="a natural 1 misses by itself")
    flat_damage: Literal["dice", "roll"] = Field(
        description="dice: a flat number replaces the dice only; roll: it replaces dice and all bonuses"
    )
    brutal: Literal["margin", "excess"] = Field(
        description="margin: part of all that exceeds durability; excess: of what exceeds the threshold"
    )
    bleed_tick: Literal["end", "start"] = Field(description="ticks fall at the end or start of a turn")
    bleed_overlap: Literal["ignore", "replace"] = Field(
        description="what a new bleed does while one is pending"
    )
    bleed_ticks: Positive = Field(le=20, description="how many times the damage is dealt again")
    area_strikes: Literal["repeat", "once", "single"] = Field(
        description="repeat: each strike is an area attack of its own; once: one area attack; "
        "single: all but the first go at one enemy"
    )
    barrage_triggers: Literal["every", "first"] = Field(
        default="every",
        description="which of an attack's base strikes can trigger others: every one, or only the first",
    )
    area_extra_attack: Literal["area", "single"] = Field(
        description="area: the whole area again; single: one strike on the first damaged enemy"
    )
    triggered_defeats: Literal["splinter", "none"] = Field(
        description="splinter: defeats by triggered strikes feed Splinter too; none: base strikes' only"
    )

    def waits(self, attacks: int) -> bool:
        """Whether somebody with so many attacks waits where none of them can be used (unmet_limit)."""
        return self.unmet_limit == "wait" or (self.unmet_limit == "archetype" and attacks == 1)
