"""Chunks of builds as rows of numbers: what a stat line, a quality and improvements come to, added up."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from buildsearch.model.space import Chunk
from buildsearch.systems.animon.bouts.bout import Bout
from buildsearch.systems.animon.builds.build import Build, Line, Signature, forms_of, signature_stages
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.layout import Ints
from buildsearch.systems.animon.mechanics.rows import choices_of, effect_bits, numbers_of, packed
from buildsearch.systems.animon.mechanics.template import Alike
from buildsearch.systems.animon.rules.model import ELEMENTS, QUALITIES, STAGES, AnimonRules


class BuildRows:
    """Rows of the builds of a space; the same as `row_of` gives for each."""

    def __init__(self, rules: AnimonRules, space: AnimonSpace) -> None:
        self.rules = rules
        self.space = space
        settings = space.settings
        self._top = STAGES.index(settings.stage)
        self._stages = signature_stages(rules, settings.stage)
        self._own = space.axes[3 + len(self._stages) :]

    def rows(self, chunk: Chunk) -> Ints:
        """A row for each build, whatever it fights: elements as they are, no bond points."""
        columns = self.space.columns(chunk)
        quality, improvements = columns[1], columns[2 + len(self._stages)]
        found = np.zeros((len(chunk), at.ROW), np.int64)
        more = self._qualities[quality] + self._improvements[improvements]
        lines = self._lines(chunk, columns[3 + len(self._stages) :])
        for stage in range(self._top + 1):
            found[:, stage * at.FORM_WIDTH : (stage + 1) * at.FORM_WIDTH] = lines[stage] + more
        found[:, at.R_INNATE] = self._innate[columns[0]]
        found[:, at.R_LEVEL] = self.space.settings.bond_level
        found[:, at.R_TOP] = self._top
        found[:, at.R_ATTACKS] = len(self._stages)
        for i, stage_name in enumerate(self._stages):
            first_column = at.R_FIRST + i * at.R_WIDTH
            found[:, first_column + at.R_EFFECTS] = self._effects[columns[2 + i]]
            found[:, first_column + at.R_RANK] = self.rules.stages[stage_name].rank
            found[:, first_column + at.R_STAGE] = STAGES.index(stage_name)
            found[:, first_column + at.R_ELEMENTS] = self._elements[columns[2 + i]]
        return found

    def rows_in(self, chunk: Chunk, bout: Bout, alike: Alike) -> Ints:
        """The same as a fight sees them: the first stage, bond points, elements by what they do."""
        found, columns = self.rows(chunk), self.space.columns(chunk)
        found[:, at.R_INNATE] = alike.innate[found[:, at.R_INNATE]]
        found[:, at.R_START] = self._top if bout.start is None else min(self._top, STAGES.index(bout.start))
        level = self.space.settings.bond_level
        points = self.rules.bond.base + level if bout.bond_points is None else bout.bond_points
        found[:, at.R_BOND] = points
        reduced = np.array([alike.elements(choices) for choices in self._choices], np.int64)
        none = alike.elements([])
        for i in range((at.ROW - at.R_FIRST) // at.R_WIDTH):
            column = reduced[columns[2 + i]] if i < len(self._stages) else none
            found[:, at.R_FIRST + i * at.R_WIDTH + at.R_ELEMENTS] = column
        return found

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
        found[:, at.F_ATTACK] -= dice
        return found

    @cached_property
    def _qualities(self) -> Ints:
        found = np.zeros((len(QUALITIES), at.FORM_WIDTH), np.int64)
        places = {"attack": at.F_ATTACK, "dodge": at.F_DODGE, "initiative": at.F_INITIATIVE}
        for row, name in zip(found, QUALITIES, strict=True):
            row[places[name]] = self.rules.qualities[name].dice
        return found

    @cached_property
    def _improvements(self) -> Ints:
        places = {
            "hp": (at.F_HP,),
            "damage": (at.F_DAMAGE,),
            "dodge": (at.F_DODGE,),
            "uses": (at.F_USES, at.F_INITIATIVE),
        }
        choices = self.space.axes[2 + len(self._stages)].choices
        found = np.zeros((len(choices), at.FORM_WIDTH), np.int64)
        for row, counted in zip(found, choices, strict=True):
            for name, count in counted:
                for place in places[name]:
                    row[place] += self.rules.improvements.kinds[name].amount * count
        return found

    @cached_property
    def _innate(self) -> Ints:
        return np.array([ELEMENTS.index(each) for each in self.space.axes[0].choices], np.int64)

    @cached_property
    def _signatures(self) -> tuple[Signature, ...]:
        return self.space.axes[2].choices if self._stages else ()

    @cached_property
    def _choices(self) -> list[list[int]]:
        return [choices_of(self.rules, each.effects, each.elements) for each in self._signatures]

    @cached_property
    def _effects(self) -> Ints:
        return np.array([effect_bits(each.effects) for each in self._signatures], np.int64)

    @cached_property
    def _elements(self) -> Ints:
        return np.array([packed(each) for each in self._choices], np.int64)
