"""Which option of one file is which of the other, when ids differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.diffs.edits import NormalisedRules, inserted, rearrange
from buildsearch.model.rules_file import Pair

# Of all that two options say, this share must be the same for them to be one under two names.
LEAST_ALIKE = 0.75

Key = tuple[str, str]  # catalogue, id


def pair_options(first: NormalisedRules, second: NormalisedRules) -> dict[Key, Key]:
    """Options of the first file that the second one has under another id or in another catalogue."""
    gone = [key for key in _keys(first) if key not in set(_keys(second))]
    new = [key for key in _keys(second) if key not in set(_keys(first))]
    pairs: dict[Key, Key] = {}
    for old in gone:
        moved = next((key for key in new if key[1] == old[1] and key not in pairs.values()), None)
        if moved is not None:
            pairs[old] = moved
    alike = [
        (-_alikeness(first.sparse(*old), second.sparse(*other)), i, j)
        for i, old in enumerate(gone)
        for j, other in enumerate(new)
        # An id that stands in another catalogue too is no free name for this one.
        if old[0] == other[0] and old not in pairs and other not in pairs.values()
    ]
    for likeness, i, j in sorted(alike):
        if -likeness >= LEAST_ALIKE and gone[i] not in pairs and new[j] not in pairs.values():
            pairs[gone[i]] = new[j]
    return pairs


def _keys(rules: NormalisedRules) -> list[Key]:
    return [(field, option) for field in rules.catalogues for option in rules.data[field]]


def _alikeness(one: Any, other: Any) -> float:
    """The share of what either says that both say."""
    ones, others = _leaves(one), _leaves(other)
    both = sum(path in others and others[path] == value for path, value in ones.items())
    either = len(ones.keys() | others.keys())
    return both / either if either else 1.0


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Mapping[tuple[Any, ...], Any]:
    if isinstance(value, dict):
        return {at: leaf for key, below in value.items() for at, leaf in _leaves(below, (*path, key)).items()}
    return {path: value}


def renamed(first: NormalisedRules, target: dict[str, Any], pairs: Mapping[Key, Key]) -> dict[str, Any]:
    """The first file's data under the second one's names.

    Whatever refers to an option follows where the second file has its new name in the same place.
    """
    names = {old[1]: new[1] for old, new in pairs.items() if old[1] != new[1]}
    taken = {key: dict(value) if isinstance(value, dict) else value for key, value in first.data.items()}
    for (field, old), (other, new) in pairs.items():
        if field != other:
            taken[other][new] = taken[field].pop(old)
            rearrange(taken[other], inserted(list(taken[other])[:-1], new, tuple(target[other])))
    catalogues = {new[0] for new in pairs.values()}
    relations = {relation.field: relation for relation in first.system.relations}
    result: dict[str, Any] = {}
    for key, value in taken.items():
        if key in relations:
            result[key] = dict.fromkeys(
                sorted(_pair(pair, names, is_symmetric=relations[key].is_symmetric) for pair in value), True
            )
        elif key in catalogues:
            here = {old[1]: new[1] for old, new in pairs.items() if new[0] == key}
            result[key] = {here.get(option, option): below for option, below in value.items()}
        else:
            result[key] = _follow(value, target.get(key), names)
    return result


def _follow(value: Any, target: Any, names: Mapping[str, str]) -> Any:
    match value:
        case dict():
            around = target if isinstance(target, dict) else {}
            moved = {_key(key, around, names): below for key, below in value.items()}
            return {key: _follow(below, around.get(key), names) for key, below in moved.items()}
        case list() if isinstance(target, list):
            known = [names.get(each) if isinstance(each, str) else None for each in value]
            if any(new is not None for new in known):
                return [
                    new if new is not None and new in target else each
                    for new, each in zip(known, value, strict=True)
                ]
            if len(value) == len(target):
                return [_follow(each, other, names) for each, other in zip(value, target, strict=True)]
            return value
        case str() if value in names and names[value] == target:
            return target
        case _:
            return value


def _pair(pair: Pair, names: Mapping[str, str], *, is_symmetric: bool) -> Pair:
    first, second = (names.get(name, name) for name in pair)
    return (second, first) if is_symmetric and second < first else (first, second)


def _key(key: str, around: Mapping[Any, Any], names: Mapping[str, str]) -> str:
    new = names.get(key, key)
    return new if new in around and key not in around else key
