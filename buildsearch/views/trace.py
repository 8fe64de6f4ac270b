"""`trace` as a page: one fight, turn by turn."""

from __future__ import annotations

from buildsearch.document.blocks import Code, Document, Text, Tone
from buildsearch.model.evaluation import Replay


def trace_document(build: str, scenario: str, replay: Replay) -> Document:
    """The lines of a fight; `data` has its events."""
    head = f"{build} against {scenario}, seed {replay.seed}"
    data = {
        "build": build,
        "scenario": scenario,
        "seed": replay.seed,
        "value": replay.value,
        "events": replay.events,
    }
    return Document("Fight", (Text(head, Tone.STRONG), Code("\n".join(replay.lines))), data)
