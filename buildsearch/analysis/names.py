"""Names that people read, for parts and choices of a build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from buildsearch.analysis.verdict.choices import Choice


@dataclass(frozen=True, slots=True)
class Naming:
    """`names` are those of the rules by part, `titles` what people call them."""

    names: Sequence[str]
    titles: Mapping[str, str]

    def part(self, part: int) -> str:
        """A part by its title."""
        return self.titles.get(self.names[part], self.names[part])

    def parts(self, parts: Sequence[int]) -> str:
        """Several, as one would list them."""
        return listed([self.part(part) for part in parts])

    def choice(self, choice: Choice) -> str:
        """A choice: an option, or at least so many of a card."""
        title = self.part(choice.part.feature)
        least = choice.part.at_least
        return title if least == 1 else f"{least} or more {title}"

    def together(self, choices: Sequence[Choice]) -> str:
        """Choices that stand together in a build, with the group that they stand in."""
        chosen = [self.choice(choice) for choice in choices if choice.part.is_chosen]
        groups = [self.choice(choice) for choice in choices if not choice.part.is_chosen]
        said = " + ".join(chosen)
        return f"{said} on {' and '.join(groups)}" if chosen and groups else said or " and ".join(groups)


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
