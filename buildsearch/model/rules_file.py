"""What every rules file consists of: the envelope, checked fields, options, relations, readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """A model that cannot change after it was checked and knows every one of its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


# Strict, so that `cost: "2"` or `cost: true` is a mistake and not a number.
Integer = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
Natural = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
Positive = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
Flag = Annotated[bool, Field(strict=True)]
Weight = Annotated[float, Field(strict=True, gt=0, le=1e6, allow_inf_nan=False)]

# Ids become parts of build names, of paths and of table cells: nothing in them may need quoting.
IDENTIFIER = r"^[a-z][a-z0-9_]*$"
FILE_ID = r"^[a-z0-9][a-z0-9._-]*$"
TEXT = r"^[^\x00-\x1f\x7f-\x9f]*$"
TITLE = r"^[^\x00-\x1f\x7f-\x9f]+$"
Identifier = Annotated[str, Field(pattern=IDENTIFIER, max_length=64)]
FileId = Annotated[str, Field(pattern=FILE_ID, max_length=64)]
# Display text is untrusted: no control characters that could drive a terminal.
Text = Annotated[str, Field(pattern=TEXT, max_length=500)]
Title = Annotated[str, Field(pattern=TITLE, max_length=100)]


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


@dataclass(frozen=True, slots=True)
class Option:
    """An entry of the rules in words and numbers; `facts` are (label, text) pairs."""

    id: str
    kind: str
    name: str
    summary: str
    cost: int | None = None
    facts: tuple[tuple[str, str], ...] = field(default=())


Pair = tuple[str, str]
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A key of the rules whose list says which pairs there are.

    `pairs` gives every pair of checked rules once, with the path where it is written; pairs without a
    direction are in alphabetical order. `entry` writes one pair as an entry of that list.
    """

    field: str
    label: str
    pairs: Callable[[Any], Mapping[Pair, KeyPath]]
    entry: Callable[[Pair], Mapping[str, Any]]
    is_symmetric: bool


RULING, STATS = "ruling", "stats"


@dataclass(frozen=True, slots=True)
class Variation:
    """One change, as a request would say it: texts of rulings, and fight options by name."""

    kind: str
    label: str
    rulings: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
