"""Rules of a parent are never lost silently, and the advice of our own errors loses none."""

from __future__ import annotations

import re

import pytest

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
