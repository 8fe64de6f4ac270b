from __future__ import annotations

import pytest

from buildsearch.model.errors import BuildsearchError, InputError, Problem, Severity, UsageError


@pytest.mark.parametrize(
    ("problem", "where"),
    [
        (Problem("x"), "input"),
        (Problem("x", "file.yaml"), "file.yaml"),
        (Problem("x", "file.yaml", 3), "file.yaml:3"),
        (Problem("x", "file.yaml", 3, 7), "file.yaml:3:7"),
        (Problem("x", "file.yaml", None, 7), "file.yaml"),
    ],
)
def test_where_is_what_editors_can_follow(problem, where):
    assert problem.where == where


def test_a_problem_reads_as_a_sentence():
    problem = Problem("unknown id `x`", "f.yaml", 1, 2, "a.b", "x", "Did you mean `y`?")
    assert str(problem) == "f.yaml:1:2: unknown id `x` (at a.b) Did you mean `y`?"
    assert str(Problem("bare")) == "input: bare"
    assert problem.severity is Severity.ERROR


def test_an_input_error_carries_every_problem():
    error = InputError(Problem(text) for text in ("one", "two"))
    assert [problem.message for problem in error.problems] == ["one", "two"]
    assert str(error) == "input: one\ninput: two"


def test_there_is_one_base_for_what_users_can_mend():
    assert issubclass(InputError, BuildsearchError)
    assert issubclass(UsageError, BuildsearchError)
