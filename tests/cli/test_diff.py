"""`buildsearch diff` as a user meets it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numba
import pytest

from buildsearch.report.run_files import board_rows

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
# Four builds, all exact: cheap even without compiled code.
LEFT_OUT = (
    *("accurate_attack", "critical_effect", "barrage", "explosive_critical", "unreliable_1", "unreliable_2"),
    *("unreliable_3", "quickdraw", "finale", "charge_up", "cooldown", "timid", "bloodied", "charges_1"),
    *("charges_2", "unbreakable", "passive", "slaughter"),
)
TWENTY = ("--type", "melee_ac", "--budget", "3", "--with", "reliable_accuracy", "--scenario", "boss")
FEW = (*TWENTY, *(word for name in LEFT_OUT for word in ("--without", name)))
# Some hundred, many of them sampled; without a race, so that `optimize` gives the same fights.
# Without Ricochet, which alone takes longer to solve than all the others.
SOME = (
    *("--type", "melee_dg", "--budget", "2", "--without", "ricochet"),
    *("--initial-fights", "32", "--ranking-fights", "0"),
)
DICE = ("accuracy_dice: 2", "accuracy_dice: 3")
CHEAPER = ("cost: 2\n    modifiers: {accuracy: {flat: -3}}", "cost: 1\n    modifiers: {accuracy: {flat: -3}}")
MILDER = ("cost: 2\n    modifiers: {accuracy: {flat: -3}}", "cost: 2\n    modifiers: {accuracy: {flat: -1}}")


@pytest.fixture
def changed(elsewhere, repository):
    """Writes the shipped rules with pieces of text replaced."""

    def changed_(*replacements, rules="vitality-v2", name="changed"):
        text = (repository / "rules" / f"{rules}.yaml").read_text(encoding="utf-8")
        for old, new in replacements:
            assert old in text, old
            text = text.replace(old, new, 1)
        path = elsewhere / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return changed_


def diffed(run, *words):
    ended = run("diff", *words, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_a_ruleset_does_not_differ_from_itself(run, elsewhere):
    found = diffed(run, "vitality-v2", "vitality-v2", "--fail-on", "stronger")
    assert found["empty"] is True
    assert found["worse"] is False
    assert (found["edits"], found["moves"], found["lift"], found["edit_effects"]) == ([], [], [], None)
    assert found["effect"] is None
    assert found["builds"]["became_legal"]["total"] == found["builds"]["became_illegal"]["total"] == 0
    assert "say the same" in run("diff", "vitality-v2", "vitality-v2").out
    assert "say the same" in run("diff", "armitage", "armitage", "--markdown").out
    # The same changes on both sides are no difference either.
    assert diffed(run, "vitality-v2", "vitality-v2", "--set", "bleed.cost=2")["empty"] is True


def test_a_page_needs_a_place(run, elsewhere):
    ended = run("diff", "vitality-v2", "vitality-v2", "--html", str(elsewhere))
    assert ended.code == 2
    assert "is a folder" in ended.err
    ended = run("diff", "vitality-v2", "vitality-v2", "--html", "same.html")
    assert ended.code == 0
    assert "The two rulesets say the same" in Path("same.html").read_text(encoding="utf-8")


def test_one_number(run, changed):
    found = diffed(run, "vitality-v2", changed(DICE), *FEW)
    (edit,) = found["edits"]
    assert (edit["label"], edit["before"], edit["after"]) == (
        "reliable_accuracy: mechanics.accuracy_dice",
        2,
        3,
    )
    assert edit["a"].endswith("vitality-v2.yaml:120")
    assert edit["b"].endswith("changed.yaml:120")
    assert found["builds"]["a"] == found["builds"]["b"] == len(found["moves"]) == 4
    assert all(move["after"]["score"] < move["before"]["score"] for move in found["moves"])
    assert found["worse"] is True
    (blamed,) = found["edit_effects"]["edits"]
    assert blamed["alone"] == blamed["left_out"] == found["edit_effects"]["total"]
    gain = min(move["after"]["score"] for move in found["moves"]) - min(
        move["before"]["score"] for move in found["moves"]
    )
    assert blamed["alone"]["best"] == pytest.approx(gain)


@needs_jit
def test_a_gate(run, changed):
    better, worse = (
        changed(DICE, name="better"),
        changed((" {flat: -3}}\n    mechanics: {acc", " {flat: -4}}\n    mechanics: {acc"), name="worse"),
    )
    assert run("diff", "vitality-v2", better, *FEW, "--fail-on", "stronger", "-q").code == 1
    assert run("diff", "vitality-v2", better, *FEW, "-q").code == 0
    assert run("diff", "vitality-v2", worse, *FEW, "--fail-on", "stronger", "-q").code == 0


def test_blame_parts_two_edits_and_says_what_they_do_together(run, changed):
    both = diffed(run, "vitality-v2", changed(DICE, MILDER), *FEW, "--html", "change.html")
    page = Path("change.html").read_text(encoding="utf-8")
    assert "2 edits: the best build goes from" in page
    assert "Effect of each edit on the best build" in page
    for text in (
        "Reliable Accuracy mechanics.accuracy_dice 2 → 3",
        "Reliable Accuracy modifiers.accuracy.flat -3 → -1",
    ):
        assert text in page
    dice = diffed(run, "vitality-v2", changed(DICE), *FEW)["edit_effects"]["total"]
    milder = diffed(run, "vitality-v2", changed(MILDER), *FEW)["edit_effects"]["total"]
    alone = {each["label"]: each["alone"] for each in both["edit_effects"]["edits"]}
    rest = {each["label"]: each["left_out"] for each in both["edit_effects"]["edits"]}
    total, together = both["edit_effects"]["total"], both["edit_effects"]["together"]
    assert both["edit_effects"]["builds"] > 0
    for key in ("best", "mean_of_top"):
        first = alone["reliable_accuracy: mechanics.accuracy_dice"][key]
        second = alone["reliable_accuracy: modifiers.accuracy.flat"][key]
        # Each edit alone is the diff to a file with that edit only.
        assert first == pytest.approx(dice[key], abs=1e-12)
        assert second == pytest.approx(milder[key], abs=1e-12)
        assert rest["reliable_accuracy: mechanics.accuracy_dice"][key] == pytest.approx(total[key] - second)
        assert together[key] == pytest.approx(total[key] - first - second)
        assert abs(together[key]) > 1e-6


@needs_jit
def test_edits_that_are_no_rules_alone_say_so(run, changed):
    tiers = [("tiers: [3, 4, 5]", "tiers: [3, 4, 5, 6]")]
    budgets = [("5: 10}", "5: 10, 6: 12}"), ("5: 8}", "5: 8, 6: 10}"), ("5: 6}", "5: 6, 6: 8}")]
    path = changed(*tiers, *budgets)
    found = diffed(run, "vitality-v2", path, *FEW)
    blamed = {each["label"]: each for each in found["edit_effects"]["edits"]}
    assert blamed["tiers"]["alone"] is None
    assert "6" in blamed["tiers"]["why_not_alone"]
    assert found["edit_effects"]["together"] is None
    assert found["edit_effects"]["total"] == {"best": 0, "mean_of_top": 0}
    assert "invalid: " in run("diff", "vitality-v2", path, *FEW, "--markdown").out


@needs_jit
def test_renamed_options_leave_builds_where_they_are(run, changed):
    words = [("  overhit:\n", "  surplus:\n"), ("      - overhit\n", "      - surplus\n")]
    found = diffed(run, "vitality-v2", changed(*words), *FEW, "--without", "overhit")
    assert [edit["kind"] for edit in found["edits"]] == ["renamed"]
    assert found["edit_effects"] is None
    with_it = ("--type", "melee_ac", "--budget", "4", "--with", "reliable_accuracy", "--with", "surplus")
    found = diffed(run, "vitality-v2", changed(*words), *with_it, "--scenario", "boss")
    assert found["builds"]["became_legal"]["total"] == found["builds"]["became_illegal"]["total"] == 0
    assert all(move["before"] == move["after"] for move in found["moves"])
    assert all("surplus" in move["build"] for move in found["moves"])
    assert found["front"]["new"] == found["front"]["lost"] == found["lift"] == []


@needs_jit
def test_builds_become_legal_and_illegal(run, changed):
    found = diffed(run, "vitality-v2", changed(CHEAPER), *TWENTY)
    legal, illegal = found["builds"]["became_legal"], found["builds"]["became_illegal"]
    assert illegal["total"] == 0
    assert legal["total"] == legal["by_group"]["melee_ac"] == found["builds"]["b"] - found["builds"]["a"] > 0
    assert all("reliable_accuracy" in name for name in legal["best"])
    back = diffed(run, changed(CHEAPER), "vitality-v2", *TWENTY)
    assert back["builds"]["became_illegal"] == legal
    new = [move["build"] for move in found["moves"] if move["before"] is None]
    gone = [move["build"] for move in back["moves"] if move["after"] is None]
    assert new
    assert gone
    words = ("--markdown", "--full", "--no-edit-effects")
    page = run("diff", changed(CHEAPER), "vitality-v2", *TWENTY, *words).out
    assert "## Pareto front" in page
    assert "## Lift" in page
    assert f"{legal['total']} builds are gone" in page


def test_one_side_may_have_no_builds_but_not_both(run, changed):
    words = ("--type", "melee_ac", "--with", "reliable_accuracy", "--scenario", "boss", "--budget")
    found = diffed(run, "vitality-v2", changed(CHEAPER), *words, "1")
    assert (found["builds"]["a"], found["builds"]["b"]) == (0, 1)
    assert found["edit_effects"]["total"] == {"best": None, "mean_of_top": None}
    assert found["worse"] is False
    shown = run("diff", changed(CHEAPER), "vitality-v2", *words, "1").out
    assert "One side has no legal build, so nothing is compared." in shown
    ended = run("diff", "vitality-v2", changed(CHEAPER), *words, "0")
    assert ended.code == 2
    assert "no legal build" in ended.err


def test_terminal_and_markdown_show_names_as_text(run, changed):
    evil = 'name: "[red]@all | `x` <b>"'
    path = changed(("name: Reliable Accuracy", evil), DICE, MILDER)
    shown = run("diff", "vitality-v2", path, *FEW)
    assert shown.code == 0
    assert "[red]@all | `x` <b>" in shown.out
    page = run("diff", "vitality-v2", path, *FEW, "--markdown").out
    (line,) = (line for line in page.splitlines() if "called" in line)
    assert "`[red]@all`" in line
    assert "<b>" not in line.replace("`<b>`", "")
    for part in ("2 edits: ", "## Effect of each edit", "only together"):
        assert part in page


def test_the_old_file_may_be_a_revision(run, changed, elsewhere):
    path = changed()
    for words in (
        ("init", "-q"),
        ("add", "changed.yaml"),
        ("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *words], check=True)
    changed(CHEAPER)
    found = diffed(run, "git:HEAD:changed.yaml", path, *FEW)
    assert [edit["label"] for edit in found["edits"]] == ["reliable_accuracy: cost"]
    assert found["edits"][0]["a"] == "git:HEAD:changed.yaml:118"


def ranked(run, rules, folder):
    ended = run("optimize", "--rules", rules, *SOME, "--top", "10", "--out", folder, "-q")
    assert ended.code == 0, ended.err
    return {row["build"]: row["score"] for row in board_rows(Path(folder))}


@needs_jit
def test_both_columns_are_what_optimize_says(run, changed, elsewhere):
    path = changed(
        ("mechanics: {strikes: 3}", "mechanics: {strikes: 4}"),
        ("group: [charge_up, charge_up_2]", "group: [charge_up, charge_up_2, patient]"),
    )
    before, after = (
        ranked(run, rules, elsewhere / folder) for rules, folder in (("vitality-v2", "a"), (path, "b"))
    )
    found = diffed(run, "vitality-v2", path, *SOME, "--top", "10")
    old = {move["build"]: move["before"] for move in found["moves"] if move["before"]}
    new = {move["build"]: move["after"] for move in found["moves"] if move["after"]}
    assert {name for name, each in old.items() if each["rank"] <= 10} >= set(before)
    for scores, standings in ((before, old), (after, new)):
        for name, score in scores.items():
            assert standings[name]["score"] == pytest.approx(score, abs=1e-12)
    counts = [
        json.loads(run("enumerate", "--rules", rules, *SOME[:6], "--count", "--json").out)["total"]
        for rules in ("vitality-v2", path)
    ]
    assert [found["builds"]["a"], found["builds"]["b"]] == counts


@needs_jit
def test_only_what_an_edit_touches_is_computed(run, changed, nothing_kept):
    def computed(rules):
        folder = f"run of {len(list(nothing_kept.iterdir()))}"
        ended = run("optimize", "--rules", rules, *SOME, "--out", folder, "-q")
        assert ended.code == 0, ended.err
        return json.loads((Path(folder) / "run.json").read_text("utf-8"))["cache"]["misses"]

    computed(changed(("strikes: 3", "strikes: 2")))
    dearer = changed(
        ("cost: 1\n    modifiers: {accuracy: {tier: -2}", "cost: 2\n    modifiers: {accuracy: {tier: -2}")
    )
    diffed(run, "vitality-v2", dearer, *SOME)
    assert computed(dearer) == 0
    touched = json.loads(run("enumerate", *SOME[:6], "--with", "unreliable_3", "--count", "--json").out)[
        "total"
    ]
    # Each of them is looked for among the exact scores of four scenarios, and sampled where it has none.
    assert 4 * touched <= computed(changed(("{activation_roll: 15}", "{activation_roll: 14}"))) <= 8 * touched


@needs_jit
def test_a_race_moves_nobody_whom_no_edit_touches(run, changed):
    number = changed(("{activation_roll: 15}", "{activation_roll: 2}"))
    # Whoever aims elsewhere than at the first is sampled against several.
    sampled = ("--ruling", "target=lowest_hp")
    found = diffed(
        run, "vitality-v2", number, *SOME[:-1], "300000", "--top", "50", "--no-edit-effects", *sampled
    )
    still = [move for move in found["moves"] if "unreliable_3" not in move["build"]]
    assert any(move["before"]["error"] > 0 for move in still)
    assert all(move["before"]["score"] == move["after"]["score"] for move in still)


@needs_jit
def test_decks(run, changed):
    path = changed(("attack: {to_hit: -2, damage: 2}", "attack: {to_hit: 0, damage: 2}"), rules="armitage")
    small = (
        *("--set", "deck.size=3", "--set", "points=2", "--initial-fights", "16"),
        *("--ranking-fights", "0", "--top", "5"),
    )
    found = diffed(run, "armitage", path, *small)
    assert [edit["label"] for edit in found["edits"]] == ["heavy_attack: attack.to_hit"]
    assert found["higher_is_better"] is True
    assert found["builds"]["a"] == found["builds"]["b"] > 50
    assert found["edit_effects"]["total"]["mean_of_top"] > 0
    lift = {each["feature"]: each for each in found["lift"]}
    stats, cards = (
        ("hth", "eva", "res", "tuf", "initiative"),
        ("light_attack", "heavy_attack", "heal", "resolve"),
    )
    assert set(lift) <= {*stats, *cards}


@needs_jit
def test_findings_of_check_come_and_go(run, changed, elsewhere):
    (elsewhere / "buildsearch.toml").write_text(
        '[assertions.ceiling]\nkind = "build-beats-limit"\nscenario = ["boss"]\nlimit = 8.6\n',
        encoding="utf-8",
    )
    path = changed(DICE)
    words = (
        *TWENTY[2:4],
        *("--type", "melee_ac", "--with", "reliable_accuracy", "--with", "channeled", "--check"),
        *("--no-edit-effects",),
    )
    found = diffed(run, "vitality-v2", path, *words, "--initial-fights", "8", "--ranking-fights", "0")
    assert len(found["check"]["new"]) == 1
    assert found["check"]["fixed"] == []
    back = diffed(run, path, "vitality-v2", *words, "--initial-fights", "8", "--ranking-fights", "0")
    assert back["check"]["new"] == []
    assert len(back["check"]["fixed"]) == 1


@needs_jit
def test_the_page_begins_with_the_edited_option(run, elsewhere):
    """What a designer asks about is the option that was edited: its best build, rank and viability."""
    words = (
        *("vitality-v2", "--set", "bleed.cost=2", "--type", "melee_dg", "--budget", "3"),
        *("--scenario", "boss"),
    )
    lines = run("diff", *words).out.splitlines()
    assert re.fullmatch(r"Bleed at 2: its best build goes from \S+ to \S+ turns; .*\.", lines[0])
    assert re.fullmatch(r"Bleed +now +after", lines[2])
    heads = ("cost", "its best build, turns", "rank of that build", "viability", "in the best 100")
    assert [next(i for i, line in enumerate(lines) if line.startswith(head)) for head in heads]
    game = next(i for i, line in enumerate(lines) if line.startswith("The game: "))
    assert game > 3
    assert max(map(len, lines)) <= 80
    found = diffed(run, *words)
    (option,) = found["effect"]["options"]
    assert option["after"]["score"] < option["now"]["score"]
    assert option["after"]["builds"] > option["now"]["builds"]


@needs_jit
def test_the_best_build_of_an_edited_option_is_known_well(run, elsewhere):
    """By the 32 fights of a run it could be anything from 4 to 78 turns."""
    words = [word for name in ("bleed", "explosive_critical", "charges_2") for word in ("--with", name)]
    some = ("--type", "melee_dg", "--budget", "5", "--initial-fights", "32", "--ranking-fights", "0")
    found = diffed(run, "vitality-v2", "--set", "bleed.cost=2", *some, *words, "--no-edit-effects")
    after = found["effect"]["options"][0]["after"]
    assert after["builds"] > 1
    assert 0 < after["score_high"] - after["score_low"] < 0.5
