"""How to write a build: `super fire 5-4-3-2 / attack / heavy_strike@fire / multi_element@fire+water / hp`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from buildsearch.builds.notation import BETWEEN, BuildReader, times
from buildsearch.systems.animon.builds.build import (
    Build,
    Counted,
    Line,
    Signature,
    least_bond_level,
    signature_stages,
)
from buildsearch.systems.animon.rules.model import (
    EFFECTS,
    ELEMENTS,
    IMPROVEMENTS,
    QUALITIES,
    STAGES,
    AnimonRules,
    Effect,
    Element,
)
from buildsearch.systems.animon.rules.settings import Settings

NONE = "none"
_LINE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{1,2})-([0-9]{1,2})", re.ASCII)
_TIMES = re.compile(r"([a-z_]+)\s*(?:\*\s*([0-9]{1,2}))?", re.ASCII)
_EXAMPLE = "super fire 5-4-3-2 / attack / heavy_strike@fire / multi_element@fire+water / hp"
_T = TypeVar("_T", bound=str)


class _Reader(BuildReader):
    """With what only these builds are made of."""

    def line(self, text: str) -> Line:
        match = _LINE.fullmatch(text)
        if match is None:
            hint = "Write power-agility-brains-heart, such as `5-4-3-2`."
            self.complain(f"`{text}` is not a line of four stats", hint)
            return 0, 0, 0, 0
        power, agility, brains, heart = (int(each) for each in match.groups())
        return power, agility, brains, heart

    def counts(self, text: str, what: str, known: tuple[_T, ...], between: str) -> dict[_T, int]:
        found: dict[_T, int] = {}
        for part in text.split(between):
            match = _TIMES.fullmatch(part.strip())
            name = match[1] if match else part.strip()
            if name not in known:
                self.one_of(name, what, known)
                continue
            number = int(match[2]) if match and match[2] else 1
            if number < 1:
                self.complain(f"`{part.strip()}` is none at all", "Leave it out.")
            for each in known:
                if each == name:
                    found[each] = found.get(each, 0) + number
        return found


def parse_build(text: str, rules: AnimonRules, settings: Settings | None = None) -> Build:
    """Read a build; raises InputError with every problem of the text."""
    reader = _Reader(text)
    head, *parts = (part.strip() for part in text.split("/"))
    words = head.split()
    stage = reader.one_of(words[0] if words else "", "stage", STAGES)
    wanted = len(signature_stages(rules, stage))
    if len(words) != 3:
        reader.complain("a build begins with stage, element and stats", f"Such as `{_EXAMPLE}`.")
        reader.finish()
    if len(parts) != wanted + 2:
        need = f"{wanted} signature attack{'' if wanted == 1 else 's'}" if wanted else "no signature attack"
        message = f"a {stage} build has a quality, {need} and improvements, with / between them"
        reader.complain(message, f"Such as `{_EXAMPLE}`; write `none` if there are no improvements.")
        reader.finish()
    lines = tuple(reader.line(each) for each in words[2].split(">"))
    if len(lines) > STAGES.index(stage) + 1:
        reader.complain(f"{len(lines)} lines of stats for {STAGES.index(stage) + 1} stages")
    build = Build(
        stage=stage,
        element=reader.one_of(words[1], "element", ELEMENTS),
        lines=lines,
        quality=reader.one_of(parts[0], "quality", QUALITIES),
        signatures=tuple(_signature(reader, each) for each in parts[1:-1]),
        improvements=_improvements(reader, parts[-1]),
        bond_level=0,
    )
    reader.finish()
    return with_bond_level(build, rules, settings)


def with_bond_level(build: Build, rules: AnimonRules, settings: Settings | None) -> Build:
    """The bond level of the space where the build fits it, else the least that the build needs."""
    number = sum(count for _, count in build.improvements)
    level = least_bond_level(rules, build.stage, build.improvements)
    if settings is not None and settings.stage == build.stage:
        fits = settings.bond_level // rules.improvements.levels == number
        level = settings.bond_level if fits else level
    return Build(
        build.stage,
        build.element,
        build.lines,
        build.quality,
        build.signatures,
        build.improvements,
        level,
    )


def parse_signature(text: str) -> Signature:
    """Read a signature attack; raises InputError."""
    reader = _Reader(text)
    found = _signature(reader, text)
    reader.finish()
    return found


def _signature(reader: _Reader, text: str) -> Signature:
    effects, at, elements = text.partition("@")
    counts = reader.counts(effects, "effect", EFFECTS, "+")
    found: list[Element] = []
    for word in elements.split("+") if at else ():
        element = reader.one_of(word.strip(), "element", ELEMENTS)
        if element in found:
            reader.complain(f"`{element}` is given twice in `{text}`", "Write it once.")
        found.append(element)
    return make_signature([each for each, count in counts.items() for _ in range(count)], found)


def make_signature(effects: Sequence[Effect], elements: Iterable[Element]) -> Signature:
    """In canonical order."""
    return Signature(tuple(sorted(effects, key=EFFECTS.index)), tuple(sorted(elements, key=ELEMENTS.index)))


def _improvements(reader: _Reader, text: str) -> Counted:
    if text == NONE:
        return ()
    counts = reader.counts(text, "improvement", IMPROVEMENTS, ",")
    return tuple((name, counts[name]) for name in IMPROVEMENTS if name in counts)


def name_build(build: Build) -> str:
    """The canonical text."""
    signatures = [name_signature(each) for each in build.signatures]
    parts = [name_line(build), build.quality, *signatures, name_improvements(build.improvements)]
    return BETWEEN.join(parts)


def name_line(build: Build) -> str:
    """`super fire 5-4-3-2`."""
    return f"{build.stage} {build.element} {name_stats(build.lines)}"


def name_stats(lines: Iterable[Line]) -> str:
    """`4-4-2-2>5-4-3-2`."""
    return ">".join("-".join(map(str, line)) for line in lines)


def name_signature(signature: Signature) -> str:
    """`heavy_strike@fire`."""
    effects = "+".join(
        times(name, signature.effects.count(name)) for name in dict.fromkeys(signature.effects)
    )
    return f"{effects}@{'+'.join(signature.elements)}" if signature.elements else effects


def name_improvements(improvements: Counted) -> str:
    """`hp,damage*2`, or `none`."""
    return ",".join(times(name, count) for name, count in improvements) or NONE
