"""`buildsearch validate`: every problem of files and builds at once."""

from __future__ import annotations

import json
import re

import pytest

KEYS = {"message", "source", "line", "column", "path", "value", "hint", "severity"}


@pytest.fixture
def written(tmp_path, rules_text):
    """Writes a copy of the shipped rules with replacements; gives its path."""

    def write(*replacements, name="mine.yaml"):
        text = rules_text.replace("\nid: vitality-v2\n", f"\nid: {name.removesuffix('.yaml')}\n", 1)
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_everything_that_is_shipped_is_fine(run, elsewhere):
    ended = run("validate")
    assert ended.code == 0
    # Warned of is only what a text itself has wrong.
    assert all("[expectations[" in line for line in ended.err.splitlines())
    assert ended.out.count(": valid") == len(ended.out.splitlines()) >= 4


def test_names_and_paths(run, written):
    ended = run("validate", "vitality-v2", "long-day", written())
    assert ended.code == 0
    assert len(ended.out.splitlines()) == 3


def test_a_name_on_both_shelves_means_both_files(run, elsewhere, rules_text):
    for shelf in ("rules", "scenarios"):
        (elsewhere / shelf).mkdir()
        (elsewhere / shelf / "twice.yaml").write_text(rules_text, encoding="utf-8")
    assert len(run("validate", "twice").out.splitlines()) == 2


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("cost: 1\n", "cost: -1\n", ["`cost` must be at least 0, not -1", "upgrades.accurate_attack.cost"]),
        ("[ricochet, double_tap,", "[ricochet, doubel_tap,", ["Did you mean `double_tap`?", "doubel_tap"]),
        ("kind: rules", "kind: rulez", ["Write `kind: rules`"]),
        ("system: vitality", "system: vitalty", ["Did you mean `vitality`?"]),
        ("name: Bleed", 'name: "\\e[31mBleed"', ["`name` must be one line without control characters"]),
        ("target: first", "target: frist", ["Did you mean `first`?"]),
        ("kind: rules", "kind: [rules", ["this is not YAML", "an open bracket or quote"]),
    ],
)
def test_bad_files(old, new, expected, run, written):
    path = written((old, new))
    for command, code in ((("validate", path), 1), (("enumerate", "--rules", path, "--count"), 2)):
        ended = run(*command)
        assert ended.code == code
        assert f"{path}:" in ended.err
        assert ended.err.split(f"{path}:")[1].split(":")[0].isdigit()  # the line
        for words in expected:
            assert words in ended.err


BOMB = "\n".join(["a0: &a0 [x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30))])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (BOMB.encode(), "once its aliases are expanded"),
        (b"#" * 50_000_000, "the file is too large"),
        (b"kind: rules\nname: \xff\xfe", "the file is not UTF-8: byte 0xff at offset"),
        (b"\x00\x01\x02", "is not allowed in YAML"),
        (b"", "there is nothing in it"),
        (b"just text", "a rules or scenario file is a mapping"),
        (b"[1, 2]", "a rules or scenario file is a mapping"),
        (b"kind: {a: b}\nsystem: [1]", "Write `kind: rules`"),
        (b"[" * 10_000, "nested deeper"),
    ],
    ids=["bomb", "50-MB", "latin", "binary", "empty", "text", "list", "odd-head", "deep"],
)
def test_files_that_are_no_rules(content, expected, run, tmp_path):
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    ended = run("validate", path)
    assert ended.code == 1
    assert str(path) in ended.err
    assert expected in ended.err
    assert run("enumerate", "--rules", path, "--count").code == 2


def test_problems_of_shape_and_meaning_at_once(run, written):
    path = written(
        ("cost: 1\n", "cost: -1\n"),
        ("{bleed: true}", "{bleeed: true}"),
        ("[ricochet, double_tap,", "[ricochet, doubel_tap,"),
        ("{3: 6, 4: 8, 5: 10}", "{3: 6}"),
    )
    ended = run("validate", path, "--json")
    answer = json.loads(ended.out)
    assert (ended.code, answer["ok"]) == (1, False)
    (checked,) = answer["checked"]
    assert set(checked) == {"what", "ok", "problems", "says"}
    assert all(set(problem) == KEYS for problem in checked["problems"])
    paths = {problem["path"] for problem in checked["problems"] if problem["severity"] == "error"}
    assert paths == {
        "upgrades.accurate_attack.cost",
        "upgrades.bleed.mechanics.bleeed",
        "exclusions[0].group[1]",
        "archetypes.focused.budgets",
    }
    assert all(problem["line"] for problem in checked["problems"])


def test_warnings_alone_end_with_0(run, written):
    path = written(("cost: 3\n", "cost: 99\n"))
    ended = run("validate", path)
    assert ended.code == 0
    assert "warning" in ended.err
    assert ": valid, 1 warning" in ended.out
    assert run("enumerate", "--rules", path, "--budget", 2, "--count").code == 0


def test_markup_in_names_is_printed_as_it_stands(run, written):
    path = written(("name: Bleed", 'name: "[red]Bleed[/red]"'), ("name: Vitality v2", 'name: "[bold]V"'))
    assert "[red]Bleed[/red]" in run("show", path, "bleed").out
    bad = written(("retaliation_cap: 2", 'retaliation_cap: "[red]2"'))
    assert "[red]2" in run("validate", bad).err


def test_escapes_in_keys_do_not_reach_the_terminal(run, written):
    path = written(("  bleed:\n", '  "\\e[31mbleed":\n'))
    ended = run("validate", path)
    assert ended.code == 1
    assert "\x1b" not in ended.err + ended.out


def test_overrides_are_checked_like_the_file(run, elsewhere):
    assert run("validate", "--set", "power_attack.cost=2", "--ruling", "retaliation_cap=3").code == 0
    ended = run("validate", "--set", "power_attack.cost=-2", "--ruling", "retaliation_cap=lots")
    assert ended.code == 1
    assert "--set power_attack.cost=-2" in ended.err
    assert "--ruling retaliation_cap=lots" in ended.err
    assert ended.out.count("\n") == 1


def test_an_id_unlike_the_files_name_is_remarked_upon(run, written):
    ended = run("validate", written(("\nid: mine\n", "\nid: yours\n")))
    assert ended.code == 0
    assert "the file is called mine.yaml: commands find it as `mine`, results say `yours`" in ended.err


def test_only_the_named_ruleset_is_checked(run, written):
    path = written()
    assert run("validate", "--rules", path).out == f"{path}: valid\n"


def test_a_legal_build(run, elsewhere):
    words = ["--build", "melee_dg+brutal", "--rules", "vitality-v2", "--tier", 3, "--archetype", "focused"]
    ended = run("validate", *words)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("melee_dg+brutal: legal under tier 3, archetype focused, budget 6")
    assert "costs 2" in ended.out


def test_an_illegal_build_with_every_reason(run, elsewhere):
    ended = run("validate", "--build", "area+double_tap+ricochet+bleed", "--json", "--budget", 2)
    answer = json.loads(ended.out)
    assert (ended.code, answer["ok"]) == (1, False)
    messages = [problem["message"] for problem in answer["checked"][0]["problems"]]
    assert messages == [
        "ricochet does not go on area",
        "double_tap does not go on area",
        "ricochet does not go with double_tap",
        "costs 16, and the budget is 2",
    ]


def test_several_builds_and_a_file(run, written):
    path = written()
    ended = run(
        "validate", path, "-b", "ranged", "-b", "rangd+\x1b", "-b", "ranged | ranged", "-r", path, "--tier", 3
    )
    assert ended.code == 1
    assert ended.out.splitlines()[0] == f"{path}: valid"
    assert len(ended.out.splitlines()) == 4
    assert "2 attacks, and the archetype has 1" in ended.err
    assert "Did you mean `ranged`?" in ended.err
    assert "\x1b" not in ended.err + ended.out


def test_a_build_under_overrides(run, elsewhere):
    words = ["validate", "--build", "ranged+bleed", "--budget", 2]
    assert run(*words).code == 1
    assert run(*words, "--set", "bleed.cost=2").code == 0


EDITION = """\
extends: vitality-v2
kind: rules
id: edition
name: Edition
upgrades:
  twin_strike: {section: House, name: Twin strike, cost: 2, mechanics: {strikes: 2}}
"""
ONE_BAN = "exclusions:\n  - {section: House, group: [twin_strike, barrage]}\n"
TWICE_STRIKING = "melee_dg+double_tap+ricochet"  # an exclusion of the parent bans it


@pytest.fixture
def edition(tmp_path):
    def write(text=""):
        path = tmp_path / "edition.yaml"
        path.write_text(EDITION + text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("command", [("validate",), ("enumerate", "--budget", 1, "--count", "--rules")])
def test_every_command_warns_of_bans_that_a_list_replaces(run, edition, command):
    ended = run(*command, edition(ONE_BAN))
    assert ended.code == 0
    assert ended.err.count("warning") == 1
    assert "edition.yaml:8:3" in ended.err
    assert "12 entries are lost" in ended.err
    assert "`exclusions+:`" in ended.err


def test_the_lines_that_the_error_shows_keep_the_parents_bans(run, edition):
    refused = run("validate", edition())
    assert refused.code == 1
    (key, entry) = re.search(r"Under `(.+?)` write `(.+?)`\.", refused.err).groups()
    path = edition(f"{key}\n  {entry}\n")
    ended = run("validate", path)
    assert (ended.code, ended.err) == (0, "")
    assert "illegal" in run("validate", "--rules", path, "--budget", 6, "--build", TWICE_STRIKING).out
