"""What a system must be told before it can say which builds are legal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named setting, given as `-p name=value`; `shorthand` offers `--name value` as well.

    One that `limits_cost` asks, when given, that builds to be scored keep within their points. `is_budget` is
    the one that says how many points there are. An option of fights that `makes_fight`
    takes the place of a scenario set.
    """

    name: str
    help: str
    is_number: bool = False
    shorthand: bool = False
    limits_cost: bool = False
    is_budget: bool = False
    makes_fight: bool = False


def play_option(who: str) -> Parameter:
    """How somebody decides, in games whose foes are greedy."""
    return Parameter("play", f"greedy or optimal: how the {who} decides; foes are greedy", shorthand=True)


def ad_hoc_fight_option(name: str, example: str) -> Parameter:
    """A fight in one line instead of a scenario set."""
    words = f"an ad hoc fight in the compact form: `{example}`"
    return Parameter(name, words, shorthand=True, makes_fight=True)
