"""What Dungeoneers asks to be told. Nothing heavy is imported here: command lines read it for their help."""

from __future__ import annotations

from buildsearch.model.parameter import Parameter, ad_hoc_fight_option, play_option

_AS = "(default: as the rules say)"
TITLE = "Dungeoneers"
# A command that names one scores only builds that keep within all of them.
PARAMETERS = (
    Parameter("points", f"points of attributes, all spent {_AS}", is_number=True, limits_cost=True),
    Parameter("gear", f"points of gear {_AS}", is_number=True, limits_cost=True),
    Parameter("max_spells", f"spells at most {_AS}", is_number=True, limits_cost=True),
    Parameter("rank", f"the highest rank of weapon {_AS}", limits_cost=True),
    Parameter("max_rank", f"the highest attribute {_AS}", is_number=True, limits_cost=True),
)
FIGHT_OPTIONS = (play_option("hero"), ad_hoc_fight_option("enemies", "goblin*3|hexer@ambient=1"))
