"""What references tell about a fight: one frozen record for each thing that happened."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; each game has its own kinds."""

    @property
    def name(self) -> str:
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    def to_dict(self) -> dict[str, Any]:
        """Its fields and its kind, ready for JSON."""
        return {"event": self.name, **asdict(self)}
