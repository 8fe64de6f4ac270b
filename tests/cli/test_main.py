"""How every run ends: exit codes, sentences on stderr, and what is not imported on the way."""

from __future__ import annotations

import csv
import errno
import os
import re
import subprocess
import sys

import pytest

from buildsearch import __version__
from buildsearch.cli import failures, terminal
from buildsearch.cli.main import app, exit_code_of
from buildsearch.model.errors import Problem
from buildsearch.model.text import TRICKS, visible, without_tricks

COMMANDS = sorted(command.name for command in app.registered_commands)
HEAVY = ("numpy", "numba", "pandas", "pyarrow", "pydantic", "scipy", "ortools", "optuna")


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_every_help_has_an_example(command, run):
    ended = run(*([command] if command else []), "--help")
    assert (ended.code, ended.err) == (0, "")
    assert "Example" in ended.out
    assert "buildsearch" in ended.out.split("Example")[1]
    # It speaks of texts and numbers, not of types.
    assert not re.search(r"--\S+ <(?:str|int|float|path|list)", ended.out)
    assert "[[" not in ended.out


def test_the_version(run):
    assert run("--version").out == f"buildsearch {__version__}\n"


def test_without_arguments_it_says_what_it_is_and_how_to_begin(run, nothing_kept):
    ended = run()
    assert ended.code == 2
    assert ended.out.startswith("Finds the best, dominant and broken builds of a tabletop combat game,\n")
    assert "Start here, with Vitality v2 (531,438 builds):" in ended.out
    assert "--budget" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80
    first = re.findall(r"^  buildsearch (\w+)", ended.out, re.MULTILINE)
    assert first == ["optimize", "analyze", "report", "init"]
    assert "buildsearch --help" in ended.out


def asked_by_a_shell(what, *words):
    """What a shell is told, in a process of its own as shells do it."""
    environment = os.environ | {
        "_BUILDSEARCH_COMPLETE": what,
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    command = [sys.executable, "-m", "buildsearch"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return ended.stdout


def test_shells_complete_commands_and_options():
    assert asked_by_a_shell("complete_bash", "buildsearch", "op").split() == ["optimize"]
    assert asked_by_a_shell("complete_bash", "buildsearch", "optimize", "--bud").split() == ["--budget"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_for_a_shell_is_printed(shell):
    assert f"_BUILDSEARCH_COMPLETE=complete_{shell}" in asked_by_a_shell(f"source_{shell}")


def test_the_first_screen_tells_every_command_in_full(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    told = run("--help").out.partition("Commands:")[2].partition("Example")[0]
    assert len(told.split("\n\n")[0].strip().splitlines()) == len(app.registered_commands)
    assert "..." not in told


def test_help_imports_nothing_heavy():
    script = (
        "import sys; from buildsearch.cli.main import exit_code_of; code = exit_code_of(['--help']); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stderr == "[]\n"


@pytest.fixture
def breaking(monkeypatch):
    """Makes `list` fail in a certain way."""

    def break_with(failure):
        def broken(_shelf):
            raise failure

        monkeypatch.setattr("buildsearch.cli.list_things._files", broken)

    return break_with


def test_an_internal_error_ends_with_3(breaking, run, monkeypatch):
    monkeypatch.delenv("BUILDSEARCH_DEBUG", raising=False)
    breaking(ZeroDivisionError("one over nothing"))
    ended = run("list")
    assert (ended.code, ended.out) == (3, "")
    assert "internal error: ZeroDivisionError: one over nothing." in ended.err
    assert "BUILDSEARCH_DEBUG=1" in ended.err


def test_debugging_shows_where(breaking, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_DEBUG", "1")
    breaking(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        exit_code_of(["list"])


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), EOFError()])
def test_an_interrupt_ends_with_130(failure, breaking, run):
    breaking(failure)
    ended = run("list")
    assert ended.code == 130
    assert "interrupted." in ended.err


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (PermissionError(13, "Permission denied", "there.yaml"), "there.yaml: Permission denied."),
        (OSError("odd"), "the system: odd."),
    ],
)
def test_the_systems_refusals_end_with_2(failure, expected, breaking, run):
    breaking(failure)
    ended = run("list")
    assert (ended.code, ended.err) == (2, f"buildsearch: {expected}\n")


@pytest.mark.parametrize(
    "arguments", [["enumerate", "--budget", "4", "--out", "-"], ["list", "--json"], ["--help"]]
)
def test_a_reader_that_leaves_is_no_error(arguments, tmp_path):
    errors = tmp_path / "errors"
    with errors.open("wb") as sink:
        command = [sys.executable, "-c", "from buildsearch.cli.main import run; run()", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=sink)
        process.stdout.close()
        assert process.wait(timeout=120) == 0
    assert errors.read_text() == ""


@pytest.mark.posix
@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize(("word", "code"), [("list", 0), ("lost", 2)])
def test_closed_streams_change_no_exit_code(closed, word, code):
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "buildsearch", word]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert ("No such command" in ended.stderr) == (word == "lost" and "2>&-" not in closed)


def test_a_broken_pipe_while_flushing(monkeypatch, tmp_path):
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert failures.end(BrokenPipeError()) == 0


def test_a_broken_pipe_inside_a_command(breaking, monkeypatch, tmp_path):
    breaking(BrokenPipeError(errno.EPIPE, "Broken pipe"))
    with (tmp_path / "out").open("w") as out:
        for name in ("stdout", "stderr"):  # typer replaces both
            monkeypatch.setattr(sys, name, out)
        assert exit_code_of(["list"]) == 0


@pytest.mark.parametrize(("word", "code", "printed"), [("--version", 0, "buildsearch "), ("bogus", 2, "")])
def test_the_console_script_runs_its_arguments_and_ends_with_their_code(word, code, printed):
    command = [sys.executable, "-c", "from buildsearch.cli.main import run; run()", word]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert ended.returncode == code
    assert ended.stdout.startswith(printed)
    assert "Traceback" not in ended.stderr


def test_control_characters_of_a_file_do_not_reach_the_terminal(capsys):
    terminal.print_problems([Problem("bad \x1b[31mkey", "f\x07.yaml", 1, path="a.\x1b]0;x", hint="\u202e")])
    shown = capsys.readouterr().err
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert r"bad \x1b[31mkey" in shown
    assert r"\u202e" in shown


def test_no_file_of_a_command_is_long(repository):
    """It parses, calls and prints: what is longer does something that others need too."""
    sizes = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (repository / "buildsearch" / "cli").glob("*.py")
    }
    assert {name: size for name, size in sizes.items() if size > 200} == {}


NAME = "Bl\u202eeed\u2028now\u2066"
SHOWN = r"Bl\u202eeed\u2028now\u2066"


@pytest.fixture
def rules(rules_text, elsewhere):
    path = elsewhere / "mine.yaml"
    path.write_text(rules_text.replace("name: Bleed", f'name: "{NAME}"'), encoding="utf-8")
    return path


def test_terminals_see_escapes(run, rules):
    for command in (("show", rules, "bleed"), ("list", "options", "--rules", rules), ("validate", rules)):
        ended = run(*command)
        assert not set(TRICKS) & set(ended.out + ended.err), command
    assert SHOWN in run("show", rules, "bleed").out


def test_errors_see_escapes(run, elsewhere):
    for word in (f"a{NAME}", "a\x1b[2Jb"):
        ended = run("show", word, "bleed")
        assert ended.code == 2
        assert not set(TRICKS + "\x1b") & set(ended.err)


def test_tables_see_escapes(run, rules, elsewhere):
    from buildsearch.document.table_files import write_table

    write_table([{"name": [NAME, "=1", None], "n": [1, 2, 3]}], elsewhere / "a.csv")
    with (elsewhere / "a.csv").open(encoding="utf-8", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == [SHOWN, "'=1", ""]


def test_other_writing_stays():
    text = "naïve שלום 東京 \x1b[31mred\x1b[0m\n\ttab"
    assert without_tricks(text) == text
    assert visible("a\x1b\u202eb") == r"a\x1b\u202eb"
