"""Files that anybody may have written: plain ones of the right size, encoding and depth, and no others."""

from __future__ import annotations

import os

import pytest

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.files.safe_reading import (
    RefusedError,
    parse_json,
    parse_toml,
    read_bytes,
    read_csv,
    read_text,
)
from buildsearch.gate.baseline import read_baseline
from buildsearch.gate.config import read_config
from buildsearch.library.fight_setup import builds_in_file
from buildsearch.library.input_files import load_rules
from buildsearch.model.errors import BuildsearchError

READERS = {
    "rules": lambda path: load_rules(str(path)),
    "config": read_config,
    "baseline": lambda path: read_baseline(path, "mine"),
    "thresholds": read_thresholds,
    "builds": builds_in_file,
}


def _pipe(path):
    os.mkfifo(path)


def _zeros(path):
    path.symlink_to("/dev/zero")


def _full(path):
    path.symlink_to("/dev/full")


def _folder(path):
    path.mkdir()


def _circle(path):
    path.symlink_to(path)


def _large(path):
    path.touch()
    os.truncate(path, 1 << 34)


def _binary(path):
    path.write_bytes(bytes(range(256)) * 100)


def _brackets(path):
    path.write_text("a = " + "[" * 100_000)


def _deep_json(path):
    path.write_text('{"a":' * 100_000)


def _deep_list(path):
    path.write_text("[" * 2_000 + "]" * 2_000)


def _dots(path):
    path.write_text(".".join("a" * 200_000) + " = 1")


def _digits(path):
    path.write_text("x = " + "9" * 10_000)


def _quotes(path):
    path.write_text("x = " + "'" * 100_001)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(_pipe, marks=pytest.mark.posix),
        pytest.param(_zeros, marks=pytest.mark.posix),
        pytest.param(_full, marks=pytest.mark.posix),
        pytest.param(_circle, marks=pytest.mark.posix),
        *(_folder, _large, _binary),
        *(_brackets, _deep_json, _deep_list, _dots, _digits, _quotes),
    ],
)
def test_what_is_no_such_file_is_told_at_once(tmp_path, reader, make):
    path = tmp_path / "file.yaml"
    make(path)
    with pytest.raises(BuildsearchError) as caught:
        READERS[reader](path)
    assert str(path) in str(caught.value)


SECRETS = (
    *(
        "root:$y$j9T$SECRET:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n",
        "root:x:0:0:SECRET:/root:/bin/bash\n",
        "API_TOKEN=SECRET\n",
    ),
    *(
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUSECRET\n",
        "password: SECRET\npassword: SECRET\n",
        "token: !vault SECRET\n",
        "card: 4111111111111111111111SECRET\nnumber: 41111111111111111111111\n",
        '{"token": "SECRET"}\n',
        '{"format": 1, "ruleset": "mine", "rules_hash": 3, "findings": "SECRET"}\n',
        '[aws]\nkey = "SECRET"\n',
        'SECRET = "x"\n[broken\n',
        "SECRETSECRETSECRET",
    ),
)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", SECRETS)
def test_a_file_of_another_kind_is_not_quoted(tmp_path, reader, text, run):
    """Whoever can name a file in a config must not learn from an error what it holds."""
    path = tmp_path / "file.yaml"
    path.write_text(text)
    said = ""
    try:
        READERS[reader](path)
    except BuildsearchError as error:
        problems = getattr(error, "problems", ())
        said = str(error) + "".join(f"{problem.value} {problem.hint}" for problem in problems)
    hidden = said.replace("`SECRET`", "")  # the name of a key that nobody knows is told
    assert "SECRET" not in hidden
    if reader == "rules":
        for command in (("validate", path), ("score", "melee_dg", "--rules", path)):
            assert "SECRET" not in run(*command).err


def test_a_line_that_looks_like_a_build_is_quoted(run, tmp_path):
    path = tmp_path / "builds.txt"
    path.write_text("melee_dg+bleed  # fine\nmelee_dg+bleeed\n")
    ended = run("score", "--builds", path)
    assert ended.code == 2
    assert "bleeed" in ended.err
    path.write_text("area[cone]:condition+x | ranged:damage\ntuf+4,initiative+2 / light_attack*4\nMelee_dg\n")
    assert len(builds_in_file(path)) == 3


def test_limits(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert read_text(path, 6) == "abc"
    with pytest.raises(RefusedError, match="it has 6 bytes, and 5 is the limit"):
        read_bytes(path, 5)
    path.write_bytes(b"a,b\n1,2,3\n")
    with pytest.raises(RefusedError, match="row 2"):
        read_csv(path, 100)
    assert parse_json("[" * 60 + "]" * 60)
    for depth in (70, 500, 100_000):
        with pytest.raises(RefusedError, match="nested deeper than 64"):
            parse_json("[" * depth + "]" * depth)
        with pytest.raises(RefusedError):
            parse_toml("a = " + "[" * depth + "]" * depth)
    assert parse_toml("x = [0.1, 0.2, 0.3" + ", 0.4" * 200 + "]")


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs files that say they are empty")  # noqa: PTH110
def test_a_file_that_says_it_is_empty_is_read_to_the_limit():
    from pathlib import Path

    with pytest.raises(RefusedError, match="more than 10 bytes"):
        read_bytes(Path("/proc/self/status"), 10)
