"""Which words of a game the campaign's cases exercise, and how often.

    .venv/bin/python -m tests.digest.vocabulary --game vitality-v2 --cases 4000 --seed 1

Options, the words of their entries, rulings as shipped and otherwise, ways to play, parameters, keys of
fights, and numbers of the rules: each with the number of cases. Cases are drawn and not scored. A zero is a
word that nothing tests, or one with a reason in `UNDRAWN`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.digest.cases import Case
from tests.digest.drawing import FIXED, draw, moves
from tests.digest.engines import GAMES, setting_of
from tests.digest.spaces import _plain, alternatives, numbers, options_of

# What no case has, and why that is right.
UNDRAWN = {
    FIXED: "which builds are legal, names and sources: no fight reads it",
    re.compile(r"expectations\."): "what the text states, compared when rules are read",
}


def words_of(case: Case) -> set[str]:
    """Everything that a case exercises."""
    found = {f"play {case.play}"}
    options = options_of(case)
    found |= {f"option {name}" for name in options}
    found |= {f"word {word}" for name in options for word in _entries(case.game).get(name, ())}
    found |= {f"parameter {name}" for name in (*case.parameters, *case.fight)}
    found |= {
        f"fight {key}" for key in _keys(case.scenarios or {}) if key not in ("name", "kind", "id", "system")
    }
    changed = {text.split("=")[0]: text for text in case.rulings}
    found |= {f"ruling {text}" for text in changed.values()}
    shipped = {text.split("=")[0] for text in alternatives(case.game)} - set(changed)
    found |= {f"ruling {name} as shipped" for name in shipped}
    return found | {f"number {text.split('=')[0]}" for text in case.overrides}


def vocabulary(game: str) -> set[str]:
    """Every word there is, but for keys of fights: those are what is drawn."""
    setting = setting_of(_plain(game))
    options = set(setting.space.feature_names)
    found = {f"option {name}" for name in options}
    found |= {f"word {word}" for name in options for word in _entries(game).get(name, ())}
    found |= {f"parameter {each.name}" for each in setting.system.parameters}
    found |= {f"ruling {text}" for text in alternatives(game)}
    found |= {f"ruling {text.split('=')[0]} as shipped" for text in alternatives(game)}
    return found | {f"number {path}" for path, value in numbers(game).items() if moves(value)}


def _entries(game: str) -> dict[str, set[str]]:
    """By option the words of its entry in the rules."""
    found: dict[str, set[str]] = {}
    for path in numbers(game):
        parts = path.split(".")
        for place, part in enumerate(parts[:-1]):
            found.setdefault(part, set()).update(each for each in parts[place + 1 :] if not each.isdigit())
    return found


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def reason_of(word: str) -> str:
    """Why no case has a word; empty where there is no reason."""
    path = word.removeprefix("number ")
    return next((reason for pattern, reason in UNDRAWN.items() if pattern.search(path)), "")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=GAMES)
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bare = 0
    for game in given.game or GAMES:
        counted: Counter[str] = Counter()
        for number in range(given.cases):
            counted.update(words_of(draw(game, given.seed, number)))
        everything = sorted(vocabulary(game) | set(counted))
        zeros = [word for word in everything if not counted[word]]
        print(f"{game}: {given.cases:,} cases, {len(everything)} words, {len(zeros)} without a case")
        for kind in dict.fromkeys(word.partition(" ")[0] for word in everything):
            mine = [counted[word] for word in everything if word.startswith(f"{kind} ")]
            print(f"  {kind:10} {len(mine):5} words, {min(mine):,} to {max(mine):,} cases each")
        for word in zeros:
            bare += not reason_of(word)
            print(f"  0  {word}: {reason_of(word) or 'NO CASE'}")
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
