"""How every failure ends: a sentence on stderr, and an exit code. The README lists the codes."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from typer.exceptions import TyperException

from buildsearch.cli.bind import flag
from buildsearch.model.errors import BuildsearchError, Cancelled, InputError, RulesWarning, sentence_of
from buildsearch.model.renamed import new_name
from buildsearch.model.text import visible

FINE = 0
FINDINGS = 1
BAD_INPUT = 2
INTERNAL = 3
INCONCLUSIVE = 4
INTERRUPTED = 130


def end(error: Exception) -> int:
    """What an expected failure prints, and its exit code."""
    match error:
        case InputError():
            from buildsearch.cli.terminal import print_problems

            print_problems(error.problems)
            return BAD_INPUT
        case BrokenPipeError():
            return reader_left()
        case OSError():
            return fail(sentence_of(error), BAD_INPUT)
        case TyperException():
            context = getattr(error, "ctx", None)
            where = f" Try `{context.command_path} --help`." if context is not None else ""
            return fail(_in_plain_words(error) + where, BAD_INPUT)
        case typer.Abort():
            return fail("interrupted.", INTERRUPTED)
        case Cancelled():
            return fail(error.naming(flag), INTERRUPTED)
        case BuildsearchError():
            return fail(error.naming(flag), BAD_INPUT)
        case _:
            return fail(str(error), BAD_INPUT)


def _in_plain_words(error: TyperException) -> str:
    """What typer says; where pydantic refused a value, in the words that files get."""
    sentence = error.format_message()
    unknown = str(getattr(error, "option_name", ""))
    if (new := new_name(unknown.strip("-").replace("-", "_"))) is not None:
        return f"{unknown} is called {flag(new)} now."
    named = re.match(r"Invalid value for '(.+?)': ", sentence)
    errors = getattr(error.__cause__, "errors", None)
    if named and errors is not None:
        from buildsearch.ruleset.messages import message_of

        first, name = errors()[0], named.group(1)
        said = message_of(first, name)
        sentence = said if said.startswith(name) else f"{name}: {said}"
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def reader_left() -> int:
    """The reader of a pipe went away (`| head`): not an error, but Python would complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE


@contextmanager
def warnings_of_rules() -> Iterator[None]:
    """Warnings about rules files go to stderr as sentences, each of them once."""
    shown: set[str] = set()
    with warnings.catch_warnings():
        show_others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: object) -> None:
            if not issubclass(category, RulesWarning):
                show_others(message, category, *place)  # type: ignore[arg-type]
            elif str(message) not in shown:
                shown.add(str(message))
                typer.echo(visible(f"buildsearch: warning: {message}"), err=True)

        warnings.simplefilter("always", RulesWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def fail(sentence: str, code: int) -> int:
    """Print a sentence; gives the code."""
    # Sentences quote what they are about: control characters in it are not to drive a terminal.
    lines = [visible(line) for line in sentence.split("\n")]
    typer.echo("\n".join(["buildsearch: " + lines[0], *lines[1:]]), err=True)
    return code
