"""What Animon Story asks to be told. Nothing heavy is imported here: command lines read it for their help."""

from __future__ import annotations

from buildsearch.model.parameter import Parameter, ad_hoc_fight_option, play_option

_AS = "(default: as the rules say)"
TITLE = "Animon Story"
# Whoever names one asks that builds to be scored keep within all of them.
PARAMETERS = (
    Parameter("stage", f"the highest stage of the build {_AS}", limits_cost=True, shorthand=True),
    Parameter(
        "bond_level",
        "the bond level (default: what the stage needs)",
        is_number=True,
        limits_cost=True,
    ),
    Parameter("effects", f"effects of each signature attack {_AS}", is_number=True, limits_cost=True),
    Parameter("elements", f"elements to choose from, with + between them, or all {_AS}", limits_cost=True),
    Parameter("lower_forms", f"derived or own: the stats of lower stages {_AS}", limits_cost=True),
)
FIGHT_OPTIONS = (
    play_option("build"),
    ad_hoc_fight_option("enemies", "foes=L6:super:fire!sap*2; bp=4; start=basic"),
)
