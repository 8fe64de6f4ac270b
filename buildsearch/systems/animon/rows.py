"""Chunks of builds as rows of numbers: what a stat line, a quality and improvements come to, added up."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from buildsearch.model.space import Chunk
from buildsearch.systems.animon.attacks import FORM
from buildsearch.systems.animon.builds.build import Build, Line, forms_of, signature_stages
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.rules.model import ELEMENTS, QUALITIES, STAGES, AnimonRules
from buildsearch.systems.animon.sheet import ANIMON, S_ELEMENTS, Ints, numbers_of, signature_row

_COLUMN = {name: i for i, name in enumerate(FORM)}


class BuildRows:
    """Sheets of the builds of a space; the same as `build_row` gives for each."""

    def __init__(self, rules: AnimonRules, space: AnimonSpace) -> None:
        self.rules = rules
        self.space = space
        settings = space.settings
        self._top = STAGES.index(settings.stage)
        self._stages = signature_stages(rules, settings.stage)
        self._own = space.axes[3 + len(self._stages) :]

    def rows(self, chunk: Chunk) -> Ints:
        """A row for each build."""
        columns = self.space.columns(chunk)
        quality, improvements = columns[1], columns[2 + len(self._stages)]
        found = np.zeros(len(chunk), ANIMON.sheet_type)
        found["level"], found["top"] = self.space.settings.bond_level, self._top
        found["innate"], found["attacks"] = self._innate[columns[0]], len(self._stages)
        more = self._qualities[quality] + self._improvements[improvements]
        lines = self._lines(chunk, columns[3 + len(self._stages) :])
        for stage in range(self._top + 1):
            found["form"][:, stage] = lines[stage] + more
        found["attack"][:, 0, S_ELEMENTS] = 1 + (found["innate"] << 4)
        for i in range(len(self._stages)):
            found["attack"][:, i + 1] = self._attacks[i][columns[2 + i]]
        return found.view(np.int64).reshape(len(chunk), -1)

    def _lines(self, chunk: Chunk, own: list[Ints]) -> list[Ints]:
        """By stage: the numbers of the stat lines alone, one row or one for each build."""
        line = self.space.line_named(chunk.group)
        if not own:
            return list(self._plain((line,))[:, None, :])
        lower = np.stack(own, axis=1)
        different, which = np.unique(lower, axis=0, return_inverse=True)
        choices = [axis.choices for axis in self._own]
        tables = np.stack(
            [
                self._plain((*(choices[i][int(number)] for i, number in enumerate(row)), line))
                for row in different
            ]
        )
        return [tables[np.ravel(which), stage] for stage in range(self._top + 1)]

    def _plain(self, lines: tuple[Line, ...]) -> Ints:
        """(stages, numbers) of a build without quality dice and improvements."""
        build = Build(self.space.settings.stage, "neutral", lines, "attack", (), (), 0)
        dice = self.rules.qualities["attack"].dice
        found = np.array([numbers_of(form) for form in forms_of(self.rules, build)], np.int64)
        found[:, _COLUMN["attack"]] -= dice
        return found

    @cached_property
    def _qualities(self) -> Ints:
        found = np.zeros((len(QUALITIES), len(FORM)), np.int64)
        for row, name in zip(found, QUALITIES, strict=True):
            row[_COLUMN[name]] = self.rules.qualities[name].dice
        return found

    @cached_property
    def _improvements(self) -> Ints:
        choices = self.space.axes[2 + len(self._stages)].choices
        found = np.zeros((len(choices), len(FORM)), np.int64)
        for row, counted in zip(found, choices, strict=True):
            for name, count in counted:
                for column in (name, "initiative") if name == "uses" else (name,):
                    row[_COLUMN[column]] += self.rules.improvements.kinds[name].amount * count
        return found

    @cached_property
    def _innate(self) -> Ints:
        return np.array([ELEMENTS.index(each) for each in self.space.axes[0].choices], np.int64)

    @cached_property
    def _attacks(self) -> list[Ints]:
        """By place what each signature attack is there; the choices of all places are the same."""
        rules = self.rules
        return [
            np.array(
                [signature_row(rules, STAGES.index(stage), each) for each in self.space.axes[2 + i].choices]
            )
            for i, stage in enumerate(self._stages)
        ]
