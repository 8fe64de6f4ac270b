"""Fights of the reference, sampled, and the digest that their dice start from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from buildsearch.evaluate.randomness import SeededDice, content_digest
from buildsearch.evaluate.sampling import Tally, sample
from buildsearch.model.evaluation import Sampling
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.reference.battle import Battle, Choice
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT
from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules
from buildsearch.systems.vitality.rules.rulings import Rulings

Policy = Callable[[Battle], Choice]
# Words that came after the first scores: an entry that does not use one keeps its content, and so its dice.
_LATER = {"mechanics": ("chain", "leech", "vulnerable"), "conditions": ("hp_cost",)}
# Likewise rulings: one that says what was always done.
_LATER_RULINGS = ("limit_scope", "failed_activation", "barrage_triggers")


def play_out(
    rules: VitalityRules, build: Build, bout: Bout, policy: Policy | None, sampling: Sampling
) -> Tally:
    """As many fights as asked for; without a policy, greedy play."""
    content = reference_content(rules, build, bout)

    def block_of(block: int, fights: int) -> Tally:
        histogram = np.zeros(bout.encounter.max_turns + 1, np.int64)
        counts = np.zeros(COUNTS, np.int64)
        words = content_digest(str(sampling.seed).encode(), content, str(block).encode())
        dice = SeededDice(int.from_bytes(words, "little"))
        for _ in range(fights):
            result = fight(rules, build, bout.attacker, bout.encounter, dice, policy=policy)
            histogram[result.turns] += 1
            counts[SURVIVED] += result.survived
            counts[TIMED_OUT] += result.timeout
            counts[LOST] += not result.won and not result.timeout
        return Tally(histogram, counts)

    return sample(block_of, sampling)


def reference_content(rules: VitalityRules, build: Build, bout: Bout) -> bytes:
    """A digest of all that the reference reads; names, sections and costs are not among it."""
    known = rules.enhancements
    parts = [
        rules.character.model_dump_json(),
        rules.rolls.model_dump_json(),
        rules.critical.model_dump_json(),
        rules.rulings.model_dump_json(exclude=_unused_rulings(rules.rulings)),
        rules.attack_types[rules.retaliation.type].model_dump_json(exclude={"name", "section", "reach"}),
        repr(bout.attacker),
        repr((bout.encounter.max_turns, bout.encounter.cluster, bout.encounter.adjacent)),
        repr(sorted(bout.encounter.area_targets.items())),
        repr([[(foe.max_hp, foe.stats) for foe in wave] for wave in bout.encounter.waves]),
    ]
    for attack in build.attacks:
        attack_type = rules.attack_types[attack.type]
        parts.append(attack_type.model_dump_json(exclude={"name", "section", "reach", "cost_factor"}))
        parts.append(repr((attack.effect, attack.shape)))
        parts.extend(_content(known[name]) for name in attack.enhancements)
        parts.append("|")
    return content_digest(*(part.encode() for part in parts))


def _unused_rulings(rulings: Rulings) -> set[str]:
    fields = type(rulings).model_fields
    return {name for name in _LATER_RULINGS if getattr(rulings, name) == fields[name].default}


def _content(enhancement: Enhancement) -> str:
    unused = {
        part: {word for word in words if getattr(getattr(enhancement, part), word) is None}
        for part, words in _LATER.items()
    }
    include = {"modifiers", "mechanics", "conditions"}
    return enhancement.model_dump_json(include=include, exclude=unused)
