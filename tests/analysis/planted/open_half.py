"""The half of the planted suite that definitions may be tuned with."""

from __future__ import annotations

from tests.analysis.planted.plants import ARENA, DECK, DUNGEON, Plant

FAULTS = (
    Plant(
        ARENA,
        "conditions do not matter to damage",
        """
upgrades:
  piercing: {modifiers: {accuracy: null, condition: {flat: 3}}, mechanics: null}
""",
        kind="dead",
        subjects=("piercing",),
    ),
    Plant(
        ARENA,
        "no roll beats avoidance by so much",
        """
upgrades:
  precise: {mechanics: {overhit: {margin: 60}}}
""",
        kind="never fires",
        subjects=("precise",),
    ),
    Plant(
        ARENA,
        "Power does half of what Blessing does, for twice the cost",
        """
upgrades:
  power: {modifiers: {damage: {flat: 1}}}
""",
        kind="trap",
        subjects=("power",),
    ),
    Plant(
        ARENA,
        "twice the Aim for half the cost",
        """
upgrades:
  aim: {cost: 1, modifiers: {accuracy: {flat: 6}}}
""",
        kind="undercosted",
        subjects=("aim",),
    ),
    Plant(
        ARENA,
        "Finisher takes the whole budget",
        """
upgrades:
  finisher: {cost: 4}
""",
        kind="overcosted",
        subjects=("finisher",),
    ),
    Plant(
        ARENA,
        "frequent criticals that hurt",
        """
upgrades:
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 12}}}}
""",
        kind="pair",
        subjects=("wide_eye", "cruel_luck"),
    ),
    Plant(
        ARENA,
        "cruel criticals, all three of them on ranged attacks only",
        """
upgrades:
  cruel: {mechanics: {brutal: {threshold: 20, per: 1}}}
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 10}}}}
restrictions:
  - {section: Ordinary, types: [melee_ac], ban: [cruel]}
  - {section: Ordinary, types: [melee_dg], ban: [wide_eye]}
""",
        kind="triple on one type",
        subjects=("cruel", "wide_eye", "cruel_luck"),
        also=("ranged",),
    ),
    Plant(
        ARENA,
        "a pair that takes all points hides Blessing",
        """
upgrades:
  wide_eye: {cost: 3}
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 18}}}}
  blessing: {modifiers: {accuracy: {flat: 3}, damage: {flat: 4}}}
""",
        kind="hidden must-have",
        subjects=("blessing",),
        also=("wide_eye", "cruel_luck"),
    ),
    Plant(
        ARENA,
        "two blessings, one allowed",
        """
upgrades:
  keen: {modifiers: {accuracy: {flat: 4}, damage: {flat: 4}}, mechanics: null}
  blessing: {modifiers: {accuracy: {flat: 3}, damage: {flat: 5}}}
exclusions:
  - section: Ordinary
    group: [captain_bane, elite_bane, boss_bane]
  - section: Ordinary
    group: [rested, opening, gamble]
  - section: Ordinary
    group: [keen, blessing]
""",
        kind="two interchangeable options",
        subjects=("keen", "blessing"),
    ),
    Plant(
        ARENA,
        "a rat of one HP",
        fights="""
enemies:
  rat: {hp: 1, mobility: 0, endurance: 0}
scenarios:
  rat: {name: Rat, enemies: [rat]}
""",
        kind="trivial fight",
        subjects=("rat",),
    ),
    Plant(
        ARENA,
        "no boss anywhere",
        fights="""
scenarios:
  boss: null
  elites: {name: Elites, enemies: [elite, elite]}
""",
        kind="absent enemy",
        subjects=("boss_bane",),
    ),
    Plant(
        DUNGEON,
        "a helmet of paper",
        """
armour:
  light_helm: {av: 0, bane: 0}
""",
        kind="dead",
        subjects=("light_helm",),
    ),
    Plant(
        DUNGEON,
        "a javelin that does what fists do, for two points",
        """
weapons:
  javelin: {hit: d4, pierce: d4}
""",
        kind="trap",
        subjects=("javelin",),
    ),
    Plant(
        DUNGEON,
        "a rapier for one point",
        """
weapons:
  rapier: {cost: 1}
""",
        kind="undercosted",
        subjects=("rapier",),
    ),
    Plant(
        DUNGEON,
        "a hand axe for four points",
        """
weapons:
  hand_axe: {cost: 4}
""",
        kind="overcosted",
        subjects=("hand_axe",),
    ),
    Plant(
        DUNGEON,
        "two blades that always hit",
        """
weapons:
  battleaxe: {hit: d10}
  glaive: {hit: d10}
""",
        kind="two interchangeable options",
        subjects=("battleaxe", "glaive"),
    ),
    Plant(
        DUNGEON,
        "a beggar",
        fights="""
scenarios:
  beggar: {name: A beggar, foes: "foe"}
""",
        kind="trivial fight",
        subjects=("beggar",),
    ),
    Plant(
        DECK,
        "a plain attack for three AP",
        """
cards:
  heavy_attack: {ap: 3}
""",
        kind="overcosted card",
        subjects=("heavy_attack",),
    ),
    Plant(
        DECK,
        "a thrust for a third of its price",
        """
cards:
  thrust: {ap: 1}
""",
        kind="undercosted",
        subjects=("thrust",),
    ),
    Plant(
        DECK,
        "a jab that hardly hurts",
        """
cards:
  jab: {attack: {to_hit: -1, damage: -2}}
""",
        kind="trap",
        subjects=("jab",),
    ),
    Plant(
        DECK,
        "more AP than there are",
        """
cards:
  thrust: {ap: 5}
""",
        kind="never fires",
        subjects=("thrust",),
    ),
    Plant(
        DECK,
        "an opponent who falls over",
        fights="""
combatants:
  weakling: {hth: 1, tuf: 1, eva: 3, deck: sample}
scenarios:
  weakling: {name: Duel against a weakling, opponents: [weakling]}
""",
        kind="trivial fight",
        subjects=("weakling",),
        words=("--initial-fights", "256"),
    ),
)

HEALTHY = (
    Plant(ARENA, "a number moved by one step", "upgrades:\n  power: {modifiers: {damage: {flat: 3}}}\n"),
    Plant(ARENA, "another one moved back", "upgrades:\n  careful_aim: {modifiers: {accuracy: {flat: 2}}}\n"),
    Plant(
        ARENA,
        "an option renamed",
        """
upgrades:
  keen: null
  razor: {name: Razor, section: Ordinary, cost: 1, mechanics: {explode_on: 5}}
""",
    ),
    Plant(ARENA, "a scenario weighted differently", fights="scenarios:\n  boss: {weight: 3.0}\n"),
    Plant(
        ARENA,
        "an enemy with more HP",
        fights="enemies:\n  boss: {hp: 110}\n",
        rules="""
upgrades:
  boss_bane: {mechanics: {slayer: {max_hp: 110}}}
""",
    ),
    Plant(DUNGEON, "a number moved by one step", "spells:\n  venom: {pierce: d6}\n"),
    Plant(DUNGEON, "a scenario weighted differently", fights="scenarios:\n  scouts: {weight: 2.0}\n"),
    Plant(
        DUNGEON,
        "an option renamed",
        """
weapons:
  javelin: null
  dart: {name: Dart, rank: D, hands: 1, hit: d8, pierce: d4, wounds: 1, type: piercing, cost: 2}
""",
    ),
    Plant(DECK, "a number moved by one step", "cards:\n  smash: {attack: {damage: 6}}\n"),
    Plant(DECK, "other dice", words=("--seed", "7", "--initial-fights", "512")),
    Plant(
        DECK,
        "a tougher opponent",
        fights="combatants:\n  sample: {hth: 25}\n",
        words=("--initial-fights", "512"),
    ),
)
