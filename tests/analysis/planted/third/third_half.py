"""The third part of the planted suite: another game, written after the definitions were last changed.

It was written without a look at what `analyze` says about any of it; of the game itself only that it has
nothing worse than a note. It is looked at once.
"""

from __future__ import annotations

from tests.analysis.planted.plants import PIT, Plant

FAULTS = (
    Plant(
        PIT,
        "a strike that ignores an endurance that nobody has",
        """
upgrades:
  precise: {mechanics: {overhit: null, ignore_endurance: true}}
""",
        kind="dead",
        subjects=("precise",),
    ),
    Plant(
        PIT,
        "no strike does so much damage",
        """
upgrades:
  cruel: {mechanics: {brutal: {threshold: 250, per: 4}}}
""",
        kind="never fires",
        subjects=("cruel",),
    ),
    Plant(
        PIT,
        "Steady gives one accuracy, for three points",
        """
upgrades:
  steady: {cost: 3, modifiers: {accuracy: {flat: 1}}}
""",
        kind="trap",
        subjects=("steady",),
    ),
    Plant(
        PIT,
        "Heavy hits like two upgrades",
        """
upgrades:
  heavy: {modifiers: {damage: {flat: 7}}}
""",
        kind="undercosted",
        subjects=("heavy",),
    ),
    Plant(
        PIT,
        "Keen takes the whole budget",
        """
upgrades:
  keen: {cost: 4}
""",
        kind="overcosted",
        subjects=("keen",),
    ),
    Plant(
        PIT,
        "frequent criticals that hurt",
        """
upgrades:
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 20}}}}
""",
        kind="pair",
        subjects=("wide_eye", "cruel_luck"),
    ),
    Plant(
        PIT,
        "two heavy hands, one allowed",
        """
upgrades:
  heavy: {modifiers: {accuracy: {flat: 4}, damage: {flat: 7}}}
  steady: {modifiers: {accuracy: {flat: 5}, damage: {flat: 6}}}
exclusions:
  - section: Ordinary
    group: [elite_bane, boss_bane]
  - section: Ordinary
    group: [rested, opening, gamble]
  - section: Ordinary
    group: [heavy, steady]
""",
        kind="two interchangeable options",
        subjects=("heavy", "steady"),
    ),
    Plant(
        PIT,
        "a pair that takes all points hides Heavy",
        """
upgrades:
  wide_eye: {cost: 3}
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 26}}}}
  heavy: {modifiers: {accuracy: {flat: 3}, damage: {flat: 6}}}
""",
        kind="hidden must-have",
        subjects=("heavy",),
        also=("wide_eye", "cruel_luck"),
    ),
    Plant(
        PIT,
        "a puppet of straw",
        fights="""
enemies:
  puppet: {hp: 1, mobility: 0, endurance: 0}
scenarios:
  puppet: {name: Puppet, enemies: [puppet]}
""",
        kind="trivial fight",
        subjects=("puppet",),
    ),
    Plant(
        PIT,
        "no boss anywhere",
        fights="""
scenarios:
  boss: {name: Two elites, enemies: [elite, elite]}
""",
        kind="absent enemy",
        subjects=("boss_bane",),
    ),
)

HEALTHY = (
    Plant(PIT, "a number moved by one step", "upgrades:\n  heavy: {modifiers: {damage: {flat: 3}}}\n"),
    Plant(PIT, "a cost moved by one step", "upgrades:\n  finisher: {cost: 1}\n"),
    Plant(PIT, "a scenario weighted differently", fights="scenarios:\n  gang: {weight: 2.0}\n"),
    Plant(PIT, "a tougher boss", fights="enemies:\n  boss: {hp: 140}\n"),
)
