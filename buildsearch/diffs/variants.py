"""Edited data as rules again: checked like a file."""

from __future__ import annotations

from typing import Any

from buildsearch.diffs.normal import as_file
from buildsearch.model.errors import InputError, Severity
from buildsearch.model.system import System
from buildsearch.ruleset.checking import Finder, check
from buildsearch.ruleset.node import Node
from buildsearch.ruleset.yaml_reader import Document

_SOURCE = "edited rules"


def checked(system: System, data: dict[str, Any]) -> Any:
    """The model of edited data; raises InputError with everything that is wrong about it."""
    document = Document(_SOURCE, _node(as_file(system, data)), {})
    model, problems = check(document, system.rules_model)
    if model is not None:
        finder = Finder(document)
        system.check_rules(model, finder)
        problems = [problem for problem in finder.problems if problem.severity is Severity.ERROR]
    if model is None or problems:
        raise InputError(problems)
    return model


def _node(value: Any) -> Node:
    """Plain data as a document's nodes, without positions."""
    match value:
        case dict():
            return Node({str(key): _node(below) for key, below in value.items()}, None, None, _SOURCE)
        case list():
            return Node([_node(below) for below in value], None, None, _SOURCE)
        case _:
            return Node(value, None, None, _SOURCE)
