"""What every rules file and every scenario file says of itself, whatever the game."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from buildsearch.model.fields import FileId, Frozen, Identifier, Text, Title

Parent = Annotated[Text | None, Field(description="the file, by name or path, that this one changes")]


class RulesEnvelope(Frozen):
    """The head of a rules file; a system's own model adds the rest."""

    extends: Parent = None
    kind: Literal["rules"]
    system: Identifier
    id: FileId
    name: Title
    source: Text = ""
    default_scenarios: FileId


class ScenariosEnvelope(Frozen):
    """The head of a scenario file; a system's own model adds the rest."""

    extends: Parent = None
    kind: Literal["scenarios"]
    system: Identifier
    id: FileId
    name: Title
