"""Answers that are a page: shown in notebooks, read as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from buildsearch.document.blocks import Document


@dataclass(frozen=True, repr=False, eq=False)
class Answer(Mapping[str, Any]):
    """What a command says: its page, and by name what its JSON has."""

    _document: Document

    def document(self) -> Document:
        """The page of the command."""
        return self._document

    def __getitem__(self, name: str) -> Any:
        return self._document.data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._document.data)

    def __len__(self) -> int:
        return len(self._document.data)

    def __repr__(self) -> str:
        return f"<{self._document.title}: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return self._document._repr_html_()
