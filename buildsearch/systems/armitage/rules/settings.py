"""The parameters of an Armitage space: whether status cards are in, and whether points may be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import only_known
from buildsearch.systems.armitage.parameters import PARAMETERS
from buildsearch.systems.armitage.rules.model import ArmitageRules


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters, checked."""

    status_cards: bool
    spend_all: bool

    @property
    def in_words(self) -> dict[str, int | str]:
        """As they are given on the command line."""
        return {
            "status_cards": "on" if self.status_cards else "off",
            "spend": "all" if self.spend_all else "any",
        }


def read_settings(rules: ArmitageRules, given: Mapping[str, str]) -> Settings:
    """Check the parameters; raises UsageError with a sentence that names the known words."""
    only_known(given, PARAMETERS)
    return Settings(
        status_cards=_either(given, "status_cards", ("off", "on"), rules.status_cards),
        spend_all=_either(given, "spend", ("any", "all"), rules.spend_all),
    )


def _either(given: Mapping[str, str], name: str, words: tuple[str, str], default: bool) -> bool:
    if name not in given:
        return default
    if given[name] not in words:
        raise UsageError(f"{name} must be {words[1]} or {words[0]}, not `{given[name]}`.")
    return given[name] == words[1]
