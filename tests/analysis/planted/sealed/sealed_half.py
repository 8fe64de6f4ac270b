"""The half of the planted suite that no definition was tuned with: the same kinds of faults in other places.

It was written without a look at what `analyze` says about any of it: the rules were validated and the builds
scored, no more. It is looked at once, when the definitions are settled.
"""

from __future__ import annotations

from tests.analysis.planted.plants import ARENA, DECK, DUNGEON, Plant

FAULTS = (
    Plant(
        ARENA,
        "health that no fight asks for",
        """
upgrades:
  blessing: {modifiers: null, mechanics: {leech: {per: 3}}}
""",
        kind="dead",
        subjects=("blessing",),
    ),
    Plant(
        ARENA,
        "no strike does so much damage",
        """
upgrades:
  cruel: {mechanics: {brutal: {threshold: 300}}}
""",
        kind="never fires",
        subjects=("cruel",),
    ),
    Plant(
        ARENA,
        "two dice that miss more than one",
        """
upgrades:
  second_chance: {modifiers: {accuracy: {flat: -7}}}
""",
        kind="trap",
        subjects=("second_chance",),
    ),
    Plant(
        ARENA,
        "twice the Power for half the cost",
        """
upgrades:
  power: {cost: 1, modifiers: {damage: {flat: 4}}}
""",
        kind="undercosted",
        subjects=("power",),
    ),
    Plant(
        ARENA,
        "Aim takes the whole budget",
        """
upgrades:
  aim: {cost: 4}
""",
        kind="overcosted",
        subjects=("aim",),
    ),
    Plant(
        ARENA,
        "what Trade loses Careful Aim gives back, and the other way round",
        """
upgrades:
  trade: {modifiers: {damage: {flat: 12}, accuracy: {flat: -6}}}
  careful_aim: {modifiers: {damage: {flat: -5}, accuracy: {flat: 9}}}
""",
        kind="pair",
        subjects=("trade", "careful_aim"),
    ),
    Plant(
        ARENA,
        "cruel criticals, all three of them with one melee attack only",
        """
upgrades:
  cruel: {mechanics: {brutal: {threshold: 21, per: 1}}}
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 10}}}}
restrictions:
  - {section: Ordinary, types: [melee_ac], ban: [cruel_luck]}
  - {section: Ordinary, types: [ranged], ban: [wide_eye]}
""",
        kind="triple on one type",
        subjects=("cruel", "wide_eye", "cruel_luck"),
        also=("melee_dg",),
    ),
    Plant(
        ARENA,
        "a pair that takes all points hides Power",
        """
upgrades:
  wide_eye: {cost: 3}
  cruel_luck: {mechanics: {critical_bonus: {damage: {flat: 18}}}}
  power: {cost: 1, modifiers: {accuracy: {flat: 2}, damage: {flat: 5}}}
""",
        kind="hidden must-have",
        subjects=("power",),
        also=("wide_eye", "cruel_luck"),
    ),
    Plant(
        ARENA,
        "two masteries, one allowed",
        """
upgrades:
  precise: {modifiers: {accuracy: {flat: 3}, damage: {flat: 5}}, mechanics: null}
  piercing: {modifiers: {accuracy: {flat: 4}, damage: {flat: 4}}, mechanics: null}
exclusions:
  - section: Ordinary
    group: [captain_bane, elite_bane, boss_bane]
  - section: Ordinary
    group: [rested, opening, gamble]
  - section: Ordinary
    group: [precise, piercing]
""",
        kind="two interchangeable options",
        subjects=("precise", "piercing"),
    ),
    Plant(
        ARENA,
        "a sleeper, twice as important as the others",
        fights="""
enemies:
  sleeper: {hp: 1, mobility: 0, endurance: 0}
scenarios:
  sleeper: {name: Sleeper, enemies: [sleeper], weight: 2.0}
""",
        kind="trivial fight",
        subjects=("sleeper",),
    ),
    Plant(
        ARENA,
        "no elite anywhere",
        fights="""
scenarios:
  mixed: {enemies: [captain, captain, captain]}
""",
        kind="absent enemy",
        subjects=("elite_bane",),
    ),
    Plant(
        DUNGEON,
        "gloves of air",
        """
armour:
  gloves: {av: 0, sr: 0, bane: 0}
""",
        kind="dead",
        subjects=("gloves",),
    ),
    Plant(
        DUNGEON,
        "a glaive that does what fists do, with both hands and for two points",
        """
weapons:
  glaive: {hit: d4, pierce: d4, wounds: 1}
""",
        kind="trap",
        subjects=("glaive",),
    ),
    Plant(
        DUNGEON,
        "a glaive that hits more often",
        """
weapons:
  glaive: {hit: d8}
""",
        kind="undercosted",
        subjects=("glaive",),
    ),
    Plant(
        DUNGEON,
        "a shortsword for four points",
        """
weapons:
  shortsword: {cost: 4}
""",
        kind="overcosted",
        subjects=("shortsword",),
    ),
    Plant(
        DUNGEON,
        "two blades as good as a battleaxe, for half its cost",
        """
weapons:
  shortsword: {wounds: 2}
  hand_axe: {hit: d6}
""",
        kind="two interchangeable options",
        subjects=("shortsword", "hand_axe"),
    ),
    Plant(
        DUNGEON,
        "a drunk",
        fights="""
scenarios:
  drunk: {name: A drunk, foes: "foe", weight: 2.0}
""",
        kind="trivial fight",
        subjects=("drunk",),
    ),
    Plant(
        DECK,
        "a light attack for three AP",
        """
cards:
  probe: {ap: 3}
""",
        kind="overcosted card",
        subjects=("probe",),
    ),
    Plant(
        DECK,
        "a smash for half of its price",
        """
cards:
  smash: {ap: 1}
""",
        kind="undercosted",
        subjects=("smash",),
    ),
    Plant(
        DECK,
        "a lunge that misses, for two AP",
        """
cards:
  lunge: {attack: {to_hit: -3, damage: 0}}
""",
        kind="trap",
        subjects=("lunge",),
    ),
    Plant(
        DECK,
        "one AP more than there are",
        """
cards:
  smash: {ap: 4}
""",
        kind="never fires",
        subjects=("smash",),
    ),
    Plant(
        DECK,
        "an opponent who is nearly dead",
        fights="""
combatants:
  dying: {hth: 1, tuf: 1, eva: 3, initiative: -5, deck: sample}
scenarios:
  dying: {name: Duel against a dying one, opponents: [dying], weight: 2.0}
""",
        kind="trivial fight",
        subjects=("dying",),
        words=("--initial-fights", "256"),
    ),
)

HEALTHY = (
    Plant(
        ARENA,
        "a number moved by one step",
        "upgrades:\n  finisher: {mechanics: {finishing_blow: {hp_at_most: 9}}}\n",
    ),
    Plant(ARENA, "a condition moved by one step", "limits:\n  gamble: {conditions: {activation_roll: 6}}\n"),
    Plant(ARENA, "a cost moved by one step", "upgrades:\n  finisher: {cost: 3}\n"),
    Plant(
        ARENA,
        "an option renamed",
        """
upgrades:
  aim: null
  scope: {name: Scope, section: Ordinary, cost: 2, modifiers: {accuracy: {flat: 3}}}
""",
    ),
    Plant(ARENA, "a scenario weighted differently", fights="scenarios:\n  swarm: {weight: 0.5}\n"),
    Plant(
        ARENA,
        "one scenario more",
        fights="scenarios:\n  guard: {name: Guard, enemies: [elite, minion, minion]}\n",
    ),
    Plant(DUNGEON, "a number moved by one step", "armour:\n  robes: {sr: 3}\n"),
    Plant(DUNGEON, "a scenario weighted differently", fights="scenarios:\n  patrol: {weight: 2.0}\n"),
    Plant(
        DUNGEON,
        "an option renamed",
        """
armour:
  boots: null
  sandals: {name: Sandals, slot: feet, av: 1, cost: 1}
""",
    ),
    Plant(DECK, "a number moved by one step", "cards:\n  thrust: {attack: {damage: 5}}\n"),
    Plant(DECK, "other dice", words=("--seed", "3", "--initial-fights", "512")),
    Plant(
        DECK,
        "a weaker opponent",
        fights="combatants:\n  sample: {hth: 23}\n",
        words=("--initial-fights", "512"),
    ),
)
