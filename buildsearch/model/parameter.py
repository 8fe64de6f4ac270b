"""What a system must be told before it can say which builds are legal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named setting, given as `-p name=value`; `shorthand` offers `--name value` as well."""

    name: str
    help: str
    is_number: bool = False
    shorthand: bool = False
