"""Checked field types that every rules and scenario model is made of."""

from __future__ import annotations

from typing import Annotated

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
