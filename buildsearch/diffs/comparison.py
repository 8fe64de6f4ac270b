"""Two rulesets as data, compared path by path into single edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.diffs.edits import (
    ABSENT,
    HEAD,
    EditKind,
    NormalisedRules,
    Order,
    RuleEdit,
    Steps,
    ValueChange,
    inserted,
    position_of,
    rearrange,
)
from buildsearch.model.rules_file import Pair, Relation
from buildsearch.ruleset.node import format_path


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All edits from the first ruleset to the second.

    `base` is the first one's data with renames made; `names` says what the second one calls an option of the
    first where that is not the same.
    """

    first: NormalisedRules
    second: NormalisedRules
    base: dict[str, Any]
    names: Mapping[str, str]
    edits: tuple[RuleEdit, ...]


def compare(first: NormalisedRules, second: NormalisedRules) -> Comparison:
    """Every edit, in the order of the second file's keys; renames first."""
    pairs = pair_options(first, second)
    base = renamed(first, second.data, pairs)
    finder = _Finder(first, second, base, pairs)
    names = {old[1]: new[1] for old, new in pairs.items() if old[1] != new[1]}
    return Comparison(first, second, base, names, tuple(finder.edits()))


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    first: NormalisedRules
    second: NormalisedRules
    base: dict[str, Any]
    pairs: Mapping[Key, Key]

    def edits(self) -> Iterator[RuleEdit]:
        yield from self._renames()
        relations = {relation.field: relation for relation in self.first.system.relations}
        keys = [key for key in self.second.data if key not in HEAD]
        found = {
            key: list(_changes((key,), self.base[key], self.second.data[key], ()))
            for key in keys
            if key not in relations
        }
        whole = list(self._options([change for each in found.values() for change in each]))
        # What comes with a new option is part of its edit.
        included = {change.path for edit in whole for change in edit.changes}
        yield from whole
        for key in keys:
            before, after = self.base[key], self.second.data[key]
            if key in relations:
                yield from self._pairs(relations[key], before, after, included)
                continue
            yield from (self._changed(change) for change in found[key] if change.path not in included)
            if key in self.second.catalogues:
                yield from self._order(key, before, after)

    def _renames(self) -> Iterator[RuleEdit]:
        for old, new in self.pairs.items():
            label = f"{old[1]} is called {new[1]}" if old[1] != new[1] else f"{old[1]} moved to {new[0]}"
            at = (position_of(self.first, old), position_of(self.second, new))
            shown = (old[1], new[1]) if old[1] != new[1] else (format_path(old), format_path(new))
            yield RuleEdit(EditKind.RENAMED, new[1], label, *shown, (), *at)

    def _options(self, changes: Sequence[ValueChange]) -> Iterator[RuleEdit]:
        for field in dict.fromkeys((*self.first.catalogues, *self.second.catalogues)):
            before, after = self.base.get(field, {}), self.second.data.get(field, {})
            for option in before:
                if option not in after:
                    yield self._whole(EditKind.REMOVED, field, option, before[option], ABSENT, changes)
            for option in after:
                if option not in before:
                    yield self._whole(EditKind.ADDED, field, option, ABSENT, after[option], changes)

    def _whole(
        self, kind: EditKind, field: str, option: str, before: Any, after: Any, others: Sequence[ValueChange]
    ) -> RuleEdit:
        is_new = kind is EditKind.ADDED
        side = self.second if is_new else self.first
        siblings = tuple(self.second.data[field] if is_new else self.base[field])
        changes = [ValueChange((field, option), before, after, siblings)]
        # Entries elsewhere that bear its name come and go with it.
        changes += [
            change
            for change in others
            if change.path[-1] == option
            and change.path != (field, option)
            and (change.before if is_new else change.after) is ABSENT
        ]
        for relation in self.first.system.relations:
            pairs = (self.second.data if is_new else self.base)[relation.field]
            known = (self.base if is_new else self.second.data)[relation.field]
            values = (ABSENT, True) if is_new else (True, ABSENT)
            changes += [
                ValueChange((relation.field, pair), *values)
                for pair in pairs
                if option in pair and pair not in known
            ]
        shown = side.sparse(field, option)
        at = position_of(side, (field, option))
        return RuleEdit(
            kind,
            option,
            f"{option} {kind.value}",
            None if is_new else shown,
            shown if is_new else None,
            tuple(changes),
            None if is_new else at,
            at if is_new else None,
        )

    def _pairs(self, relation: Relation, before: Any, after: Any, included: set[Steps]) -> Iterator[RuleEdit]:
        for pair in sorted({*before, *after}):
            path = (relation.field, pair)
            if (pair in before) == (pair in after) or path in included:
                continue
            is_new = pair in after
            label = f"{relation.label} of {pair[0]} and {pair[1]}"
            change = ValueChange(path, *((ABSENT, True) if is_new else (True, ABSENT)))
            old = tuple(self._old_name(name) for name in pair)
            if relation.is_symmetric:
                old = tuple(sorted(old))
            yield RuleEdit(
                EditKind.ADDED if is_new else EditKind.REMOVED,
                None,
                label,
                None if is_new else list(pair),
                list(pair) if is_new else None,
                (change,),
                None if is_new else position_of(self.first, (relation.field, (old[0], old[1]))),
                position_of(self.second, path) if is_new else None,
            )

    def _changed(self, change: ValueChange) -> RuleEdit:
        path = change.path
        is_option = path[0] in self.second.catalogues and len(path) > 1
        subject = str(path[1]) if is_option else None
        words = [step for step in (path[1:] if is_option else path) if not isinstance(step, tuple)]
        label = f"{subject}: {format_path(words[1:])}" if is_option else format_path(words)
        if change.before is ABSENT or change.after is ABSENT:
            kind = EditKind.ADDED if change.before is ABSENT else EditKind.REMOVED
        else:
            kind = EditKind.CHANGED
        return RuleEdit(
            kind,
            subject,
            label,
            None if change.before is ABSENT else change.before,
            None if change.after is ABSENT else change.after,
            (change,),
            None if change.before is ABSENT else position_of(self.first, self._old_path(path)),
            None if change.after is ABSENT else position_of(self.second, path),
        )

    def _order(self, field: str, before: Any, after: Any) -> Iterator[RuleEdit]:
        """The order of options decides names of builds, and in some games what is played first."""
        old = [key for key in before if key in after]
        new = [key for key in after if key in before]
        if old != new:
            change = ValueChange((field,), Order(tuple(before)), Order(tuple(after)))
            at = (position_of(self.first, (field,)), position_of(self.second, (field,)))
            yield RuleEdit(EditKind.REORDERED, None, f"order of {field}", old, new, (change,), *at)

    def _old_name(self, name: str) -> str:
        return next((old[1] for old, new in self.pairs.items() if new[1] == name), name)

    def _old_path(self, path: Steps) -> Steps:
        """The path as the first file has it."""
        for old, new in self.pairs.items():
            if path[:2] == new:
                return (*old, *path[2:])
        return (path[0], *(self._old_name(step) if isinstance(step, str) else step for step in path[1:]))


def _changes(path: Steps, before: Any, after: Any, siblings: tuple[Any, ...]) -> Iterator[ValueChange]:
    """The smallest values that differ: mappings key by key, equally long lists of mappings by place."""
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in (*after, *(key for key in before if key not in after)):
            below = (before.get(key, ABSENT), after.get(key, ABSENT))
            yield from _changes((*path, key), *below, tuple(after if key in after else before))
        return
    if isinstance(before, list) and isinstance(after, list) and _place_by_place(before, after):
        for i, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changes((*path, i), one, other, ())
        return
    yield ValueChange(path, before, after, siblings)


def _place_by_place(before: list[Any], after: list[Any]) -> bool:
    return len(before) == len(after) and all(isinstance(each, dict) for each in (*before, *after))


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
