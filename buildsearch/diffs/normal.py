"""Rules as data in which equal meaning is equal data: defaults filled in, relations as pairs."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from buildsearch.model.rules_file import KeyPath, Pair, RulesEnvelope
from buildsearch.model.system import System
from buildsearch.ruleset.yaml_reader import Document

# What says which file this is, not what the rules are. Default scenarios are only a default.
HEAD = tuple(name for name in RulesEnvelope.model_fields if name != "default_scenarios")

# A step of a path; a pair stands for an entry of a relation.
Step = str | int | Pair
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """One side: checked rules with the document that they came from.

    In `data` a relation is a mapping from pairs to True. `catalogues` are the keys that hold options.
    """

    system: System
    model: Any
    document: Document
    data: dict[str, Any]
    key_paths: dict[tuple[str, Pair], KeyPath]
    catalogues: tuple[str, ...]

    def sparse(self, field: str, option: str) -> Any:
        """An option as short as it can be written: without what is a default."""
        below = getattr(self.model, field)[option]
        return below.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def read_rules(system: System, model: Any, document: Document) -> Rules:
    """Checked rules in normal form."""
    data = model.model_dump(mode="json", by_alias=True)
    key_paths: dict[tuple[str, Pair], KeyPath] = {}
    for relation in system.relations:
        pairs = relation.pairs(model)
        data[relation.field] = dict.fromkeys(sorted(pairs), True)
        key_paths |= {(relation.field, pair): path for pair, path in pairs.items()}
    options = {option.id for option in system.options(model)}
    fields = [relation.field for relation in system.relations]
    catalogues = tuple(
        key
        for key, value in data.items()
        if key not in fields and isinstance(value, dict) and value and options.issuperset(value)
    )
    return Rules(system, model, document, data, key_paths, catalogues)


def as_file(system: System, data: dict[str, Any]) -> dict[str, Any]:
    """Data in normal form as a rules file has it."""
    plain = copy.deepcopy(data)
    for relation in system.relations:
        plain[relation.field] = [dict(relation.entry(pair)) for pair in plain[relation.field]]
    return plain
