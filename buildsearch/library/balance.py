"""A run with everything that can be moved in its rules, and edited rules checked before they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from buildsearch.balancing.edit_table import EditTable, table_of
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.balancing.edits import differs_from, edited_data, edited_text, edits_between, read_edits
from buildsearch.library.analyze import subject_of
from buildsearch.library.fight_setup import FightSetup, set_up
from buildsearch.library.input_files import inspect, load_rules
from buildsearch.library.runs import LoadedRun
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import Edit, Lever, Movable
from buildsearch.model.space import Wanted
from buildsearch.ruleset.extends import FilesOnDisk
from buildsearch.ruleset.git import is_revision
from buildsearch.ruleset.locate import looks_like_path
from buildsearch.ruleset.yaml_reader import YamlDocument, decode_document


@dataclass(frozen=True, eq=False)
class Desk:
    """A run, its table, and what its game can move."""

    run: LoadedRun
    table: EditTable
    levers: tuple[Lever, ...]

    @property
    def setup(self) -> FightSetup:
        return self.run.setup

    @property
    def words(self) -> ScoreWords:
        """How its scores are said."""
        objective = self.table.subject.objective
        return ScoreWords(None if objective is None else objective.metric)

    @property
    def wanted(self) -> Wanted:
        """Which builds the run is about."""
        return self.run.record.request.wanted

    def edited(self, edits: Sequence[Edit]) -> FightSetup:
        """The same setup under edited rules."""
        loaded = self.setup.loaded
        model = loaded.system.rules_model.model_validate(edited_data(loaded.document.root.plain(), edits))
        return set_up(replace(loaded, model=model), self.run.record.request, self.setup.scenarios)


def open_desk(run: LoadedRun, *, some_builds: bool = False) -> Desk:
    """Ready to move; raises UsageError where nothing can be. `some_builds`: whoever asks says so."""
    setup = run.setup
    system, rules = setup.loaded.system, setup.loaded.model
    if not isinstance(system, Movable):
        raise UsageError(
            f"{system.title} declares no prices, bans or limits that could be moved. `buildsearch diff RULES "
            "--set NAME=VALUE` shows what a change of a number does."
        )
    if run.record.legal_builds is not None and not some_builds:
        raise UsageError(
            f"{run.folder} has only some builds of its space (a guided search, or ‹from_run›): what an edit "
            "leaves cannot be known. Run optimize with ‹search› exhaustive on a smaller space."
        )
    subject = subject_of(setup, run.scores, run.objective, triggers=False, beyond=run.beyond)
    table = table_of(subject, system.accounts(rules, setup.space))
    return Desk(run, table, system.levers(rules, setup.space))


def edits_from(desk: Desk, words: Sequence[str]) -> tuple[Edit, ...]:
    """Edits in words, or as one rules file that differs from that of the run by them alone."""
    if len(words) == 1 and looks_like_path(words[0]):
        before, after = desk.setup.loaded.document, load_rules(words[0]).document
        return edits_between(before.root.plain(), after.root.plain(), desk.levers)
    return read_edits(words, desk.levers)


def texts(desk: Desk, edits: Sequence[Edit]) -> tuple[str, str]:
    """The text of the rules file before and after; raises UsageError where a file is not what was judged."""
    request, loaded = desk.run.record.request, desk.setup.loaded
    if request.overrides or request.rulings:
        raise UsageError(
            "the run was made with ‹overrides› or ‹rulings›, so the rules file is not what was judged. Write "
            "these values into a file (`buildsearch init`), and run optimize on it."
        )
    if is_revision(request.rules):
        raise UsageError("the run was made with rules of a revision. Run optimize on a file to edit it.")
    document = loaded.document
    before = document.texts[document.source]
    return before, edited_text(before, edits, document)


class _Edited(FilesOnDisk):
    """The disk, but for one file that has another text."""

    def __init__(self, path: Path, text: str, source: str) -> None:
        self._path, self._text, self._source = path.resolve(), text, source

    def read(self, path: Path) -> YamlDocument:
        if path.resolve() == self._path:
            return decode_document(self._text.encode(), self._source)
        return super().read(path)


def check_text(desk: Desk, edits: Sequence[Edit], text: str, out: Path) -> FightSetup:
    """The text of edited rules is valid and says just what the edits say; gives the edited set-up."""
    loaded = desk.setup.loaded
    again, problems = inspect(loaded.path, kind="rules", library=_Edited(loaded.path, text, str(out)))
    if again is None:
        raise InputError(problems)
    setup = desk.edited(edits)
    if again.model != setup.loaded.model:
        raise UsageError(
            f"{loaded.path} is written in a way (an alias, perhaps) in which these lines cannot be edited "
            "alone. Nothing was written; ‹patch› shows them."
        )
    return setup


def check_edited(desk: Desk, state: EditedGame, text: str, out: Path) -> None:
    """The edited rules are valid, say just what was proposed, and have just the builds that were judged."""
    setup = check_text(desk, state.edits, text, out)
    why = differs_from(setup.space, desk.wanted, state)
    if why is not None and state.court.table.is_closed(state.edits):
        raise UsageError(f"{why}. Nothing was written; please report it.")
