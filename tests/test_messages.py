"""Messages of the library name arguments, never flags: only the command line has flags."""

from __future__ import annotations

import ast
import re

from buildsearch.model.errors import UsageError, naming_arguments

FLAG = re.compile(r"(?<![\w-])--[a-z]{2}")
# A whole command in backticks is there to be typed, and so is what these make: ours, and git's own.
COMMAND = re.compile(r"`[^`]*`")
TYPED = {"report/command_lines.py", "ruleset/git.py", "library/proposals.py"}


def strings_of(path):
    """Every text of a file that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            described |= {id(part) for part in node.values}
            yield "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            yield node.value


def test_no_file_of_the_library_names_a_flag(repository):
    home = repository / "buildsearch"
    named = {
        f"{path.relative_to(home).as_posix()}: {text}"
        for path in home.rglob("*.py")
        if not path.is_relative_to(home / "cli")
        # Views are the pages of commands, and their next steps are typed.
        and not path.is_relative_to(home / "views")
        # Options are declared once, with their flags.
        and not path.is_relative_to(home / "options")
        and path.relative_to(home).as_posix() not in TYPED
        for text in strings_of(path)
        if FLAG.search(COMMAND.sub("", text))
    }
    assert named == set()


def test_arguments_are_called_as_each_surface_calls_them():
    error = UsageError("‹ranking_fights› must be at least 0, not -1.")
    assert str(error) == "`ranking_fights` must be at least 0, not -1."
    assert (
        error.naming(lambda name: "--" + name.replace("_", "-"))
        == "--ranking-fights must be at least 0, not -1."
    )
    assert naming_arguments("nothing to name ‹›", str.upper) == "nothing to name ‹›"
