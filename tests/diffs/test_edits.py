"""Edits between rulesets: found as what they mean, placed, and made again as data."""

from __future__ import annotations

import pytest

from buildsearch.diffs.comparison import compare
from buildsearch.diffs.edits import HEAD, EditKind, checked, read_rules, with_edits, without_edits
from buildsearch.library.input_files import load_rules
from buildsearch.model.errors import InputError

NEW_LIMIT = """  sudden:
    name: Sudden
    section: ours
    cost: 3
    conditions: {turn: {from: 2}}
  finale:
"""


def rules_of(word):
    loaded = load_rules(str(word))
    return read_rules(loaded.system, loaded.model, loaded.document)


@pytest.fixture
def edited(tmp_path, repository):
    """Writes shipped rules with pieces of text replaced, and compares them with the originals."""

    def edited_(*replacements, name="vitality-v2"):
        text = (repository / "rules" / f"{name}.yaml").read_text(encoding="utf-8")
        for old, new in replacements:
            assert old in text, old
            text = text.replace(old, new, 1)
        path = tmp_path / "edited.yaml"
        path.write_text(text, encoding="utf-8")
        return compare(rules_of(repository / "rules" / f"{name}.yaml"), rules_of(path))

    return edited_


def lines(edit):
    return tuple(at and at.line for at in (edit.at_first, edit.at_second))


def meaning(data):
    return {key: value for key, value in data.items() if key not in HEAD}


def orders(data):
    return {key: list(value) for key, value in data.items() if isinstance(value, dict)}


def assert_edits_lead_there_and_back(comparison):
    system, second = comparison.first.system, comparison.second
    there = checked(system, with_edits(comparison.base, comparison.edits))
    made = read_rules(system, there, second.document).data
    assert meaning(made) == meaning(second.data)
    assert orders(made) == orders(second.data)
    back = checked(system, without_edits(second.data, comparison.edits))
    assert meaning(read_rules(system, back, second.document).data) == meaning(comparison.base)


@pytest.mark.parametrize("name", ["vitality-v2", "armitage", "armitage-text"])
def test_a_ruleset_has_no_edits_from_itself(name):
    assert compare(rules_of(name), rules_of(name)).edits == ()


def test_numbers_words_and_conditions_with_their_lines(edited, repository):
    found = edited(
        ("retaliation_cap: 2", "retaliation_cap: 1"),
        ("{3: 6, 4: 8, 5: 10}", "{3: 6, 4: 8, 5: 9}"),
        ("name: Finale", "name: Grand Finale"),
        ("conditions: {turn: {from: 4}}", "conditions: {turn: {from: 4, to: 9}}"),
        ("hp: 100", "hp: 90"),
        ("mechanics: {overhit: {margin: 15, per: 2}}", "mechanics: {overhit: {margin: 15, per: 3}}"),
    )
    text = (repository / "rules" / "vitality-v2.yaml").read_text(encoding="utf-8").splitlines()
    by_label = {edit.label: edit for edit in found.edits}
    assert {label: (edit.before, edit.after) for label, edit in by_label.items()} == {
        "character.hp": (100, 90),
        "rulings.retaliation_cap": (2, 1),
        "archetypes.focused.budgets.5": (10, 9),
        "overhit: mechanics.overhit.per": (2, 3),
        "patient: conditions.turn.to": (None, 9),
        "finale: name": ("Finale", "Grand Finale"),
    }
    assert by_label["finale: name"].subject == "finale"
    assert by_label["character.hp"].subject is None
    for edit in found.edits:
        first, second = lines(edit)
        assert first == second
    assert "name: Finale" in text[lines(by_label["finale: name"])[0] - 1]
    assert "{turn: {from: 4}}" in text[lines(by_label["patient: conditions.turn.to"])[0] - 1]
    assert_edits_lead_there_and_back(found)


def test_exclusions_are_pairs_not_spellings(edited):
    respelt = edited(
        (
            "group: [ricochet, double_tap, explosive_critical]",
            "one: explosive_critical\n    others: [double_tap, ricochet]\n"
            "  - {section: other words, group: [double_tap, ricochet]}",
        )
    )
    assert respelt.edits == ()
    found = edited(
        ("group: [ricochet, double_tap, explosive_critical]", "group: [explosive_critical, double_tap]"),
        ("group: [charge_up, charge_up_2]", "group: [charge_up, charge_up_2, cooldown]"),
        (
            "ban: [double_tap, explosive_critical, ricochet, splinter]",
            "ban: [double_tap, ricochet, splinter]",
        ),
    )
    assert [(edit.kind, edit.label, edit.at_first is None) for edit in found.edits] == [
        (EditKind.ADDED, "exclusion of charge_up and cooldown", True),
        (EditKind.ADDED, "exclusion of charge_up_2 and cooldown", True),
        (EditKind.REMOVED, "exclusion of double_tap and ricochet", False),
        (EditKind.REMOVED, "exclusion of explosive_critical and ricochet", False),
        (EditKind.REMOVED, "ban of area and explosive_critical", False),
    ]
    assert_edits_lead_there_and_back(found)


def test_a_new_option_brings_its_exclusions_and_its_place(edited):
    found = edited(
        ("  finale:\n", NEW_LIMIT), ("[quickdraw, patient, finale", "[quickdraw, sudden, patient, finale")
    )
    (edit,) = found.edits
    assert (edit.kind, edit.subject, edit.before) == (EditKind.ADDED, "sudden", None)
    assert edit.after["cost"] == 3
    assert len(edit.changes) == 1 + 4
    assert edit.at_first is None
    assert_edits_lead_there_and_back(found)


def test_an_option_under_another_name_is_the_same_option(edited):
    found = edited(
        ("  ricochet:\n", "  bouncer:\n"),
        ("[ricochet, double_tap", "[bouncer, double_tap"),
        ("      - ricochet\n", "      - bouncer\n"),
        ("explosive_critical, ricochet, splinter]", "explosive_critical, bouncer, splinter]"),
        ("ricochet: {targets: 2}", "ricochet: {targets: 3}"),
    )
    assert [(edit.kind, edit.label, edit.before, edit.after) for edit in found.edits] == [
        (EditKind.RENAMED, "ricochet is called bouncer", "ricochet", "bouncer"),
        (EditKind.CHANGED, "bouncer: mechanics.ricochet.targets", 2, 3),
    ]
    assert lines(found.edits[1])[0] == lines(found.edits[1])[1]
    assert found.names == {"ricochet": "bouncer"}
    assert_edits_lead_there_and_back(found)


def test_a_type_that_others_refer_to_is_renamed_with_its_references(edited):
    found = edited(("  ranged:\n", "  thrown:\n"), ("type: ranged", "type: thrown"))
    assert [edit.kind for edit in found.edits] == [EditKind.RENAMED]
    assert_edits_lead_there_and_back(found)


def test_different_options_are_not_paired_up(edited):
    found = edited(
        (
            "  bleed:\n    name: Bleed\n    section: Damage Over Time Upgrades\n    cost: 3",
            "  venom:\n    name: V\n    section: W\n    cost: 1",
        )
    )
    assert [edit.kind for edit in found.edits] == [EditKind.REMOVED, EditKind.ADDED]
    assert_edits_lead_there_and_back(found)


def test_an_option_may_move_to_another_catalogue(edited):
    channeled = "  channeled:\n    name: Channeled\n    section: Sustained Attack Upgrades\n    cost: 1\n"
    rest = (
        "    modifiers: {accuracy: {tier: -2}, damage: {tier: -2}, condition: {tier: -2}}\n"
        "    mechanics: {channel: {step: 1, cap: 5}}\n"
    )
    found = edited((channeled + rest, ""), ("limits:\n", "limits:\n" + channeled + rest))
    assert [(edit.kind, edit.label) for edit in found.edits] == [
        (EditKind.RENAMED, "channeled moved to limits")
    ]
    assert_edits_lead_there_and_back(found)


def test_the_order_of_options_is_an_edit_of_its_own(edited):
    heal = "  heal: {name: Heal, section: Utility Resolution, ap: 1, heal: 1}\n"
    found = edited((heal, ""), ("cards:\n", "cards:\n" + heal), name="armitage")
    assert [(edit.kind, edit.label) for edit in found.edits] == [(EditKind.REORDERED, "order of cards")]
    assert_edits_lead_there_and_back(found)


def test_decks_follow_their_cards(repository):
    found = compare(rules_of("armitage"), rules_of("armitage-text"))
    removed = [edit for edit in found.edits if edit.kind is EditKind.REMOVED]
    assert {edit.subject for edit in removed} == {
        "heavy_attack",
        "protected",
        "strong",
        "quick",
        "decisive",
        "vulnerable",
        "weak",
        "slow",
        "confused",
    }
    # The card, and its place in the preset deck.
    assert {len(edit.changes) for edit in removed} == {2}
    assert {edit.label for edit in found.edits if edit.kind is EditKind.CHANGED} == {
        "light_attack: name",
        "deck.copies",
    }
    (copies,) = (edit for edit in found.edits if edit.label == "deck.copies")
    assert copies.at_first.source.endswith("armitage.yaml")
    assert copies.at_second.source.endswith("armitage-text.yaml")
    assert_edits_lead_there_and_back(found)


def test_edits_that_make_no_rules_alone_are_refused(edited):
    found = edited(
        ("tiers: [3, 4, 5]", "tiers: [3, 4, 5, 6]"),
        ("{3: 6, 4: 8, 5: 10}", "{3: 6, 4: 8, 5: 10, 6: 12}"),
        ("{3: 4, 4: 6, 5: 8}", "{3: 4, 4: 6, 5: 8, 6: 10}"),
        ("{3: 2, 4: 4, 5: 6}", "{3: 2, 4: 4, 5: 6, 6: 8}"),
    )
    (tiers,) = (edit for edit in found.edits if edit.label == "tiers")
    with pytest.raises(InputError, match="6"):
        checked(found.first.system, with_edits(found.base, [tiers]))
    assert_edits_lead_there_and_back(found)
