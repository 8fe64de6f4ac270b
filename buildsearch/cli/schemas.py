"""The JSON Schema of every kind of file of every system."""

from __future__ import annotations

from buildsearch.ruleset.schema import extendable, json_schema, render
from buildsearch.systems.registry import SYSTEMS


def all_schemas() -> dict[tuple[str, str], str]:
    """The text of each schema by (shelf, system)."""
    return {
        (shelf, system.id): render(extendable(json_schema(model, title=f"{system.title} {shelf}")))
        for system in SYSTEMS
        for shelf, model in (("rules", system.rules_model), ("scenarios", system.scenarios_model))
    }
