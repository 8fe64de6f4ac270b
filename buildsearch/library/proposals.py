"""What balance found: proposals as a table, as a page, as a patch, as a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from buildsearch.analysis.thresholds import Thresholds, read_thresholds
from buildsearch.balancing.answers import BalanceResult, GameOutcome, Proposal
from buildsearch.balancing.edits import patch, read_edits
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.measure import Measure, describe
from buildsearch.balancing.search import Search
from buildsearch.balancing.what_if import what_if
from buildsearch.document.blocks import Document, Step
from buildsearch.files.atomic import check_writable, write_whole
from buildsearch.gate.config import GateConfig, read_config, with_preset
from buildsearch.library.arguments import checked, takes
from buildsearch.library.balance import Desk, check_edited, open_desk, texts
from buildsearch.library.balance_search import (
    JointDesk,
    check_joint,
    combinations_of,
    keep_first,
    open_balance,
    open_games,
)
from buildsearch.library.hold_outs import Checks, check_proposal, refuse_unknown
from buildsearch.library.run import Run
from buildsearch.library.runs import LoadedRun
from buildsearch.library.tables import Page, Table, table_of_rows
from buildsearch.library.watch import Scoring, scoring_for
from buildsearch.model.errors import UsageError, naming_arguments
from buildsearch.model.levers import Edit
from buildsearch.model.text import count
from buildsearch.options.balance import BalanceArguments, BalanceChecks, BalanceOptions
from buildsearch.options.fields import Texts, as_path, shared
from buildsearch.ruleset.extends import from_here
from buildsearch.views.balance import (
    BalanceAbout,
    balance_document,
    headline,
    joint_document,
    joint_headline,
    tried_document,
)

_COLUMNS = (
    "proposal", "edits", "text", "count", "change", "best", "benchmark", "ahead", "viable_options", "options",
    "legal_share", "rank_shift", "must_haves", "overpowered_builds", "instant_wins", "proof", "inconclusive",
    "moves_benchmark",
)  # fmt: skip
_JOINT_COLUMNS = (
    "proposal", "game", "edits", "text", "count", "change", "is_tightest", "best", "benchmark", "ahead",
    "viable_options", "options", "legal_share", "must_haves", "overpowered_builds", "instant_wins",
    "inconclusive",
)  # fmt: skip


class ProposalTable(Page, Table):
    """Proposals for the rules of a desk."""

    _command = "buildsearch balance"
    _say: Callable[[BalanceResult], str]
    _show: Callable[[BalanceResult, BalanceAbout], Document]

    def __init__(
        self,
        desk: Desk,
        answer: BalanceResult,
        checks: Checks | None,
        rows: list[dict[str, Any]],
        columns: Sequence[str],
    ) -> None:
        self._rules, self._found, self._checks = desk, answer, checks
        name = desk.setup.loaded.model.name
        super().__init__(
            table_of_rows(rows, list(columns)).to_arrow, title=f"Balance of {name}", index="proposal"
        )

    @property
    def is_met(self) -> bool:
        """Whether the goal is met already: then there is nothing to propose."""
        return self._found.is_kept_already

    @property
    def proof(self) -> str:
        """What is proved about the smallest proposal, or why there is none."""
        return self._found.proof

    @property
    def notes(self) -> tuple[str, ...]:
        """What was tried and left out."""
        return self._found.notes

    @property
    def conclusion(self) -> str:
        """What fixes the game, in a sentence."""
        return self._say(self._found)

    def _page(self, said: Callable[[str], str], *, verbose: bool = False) -> Document:
        """The page that `balance` prints; `said` gives sentences with arguments as the reader calls them."""
        answer = replace(self._found, notes=tuple(map(said, self.notes)))
        return self._show(answer, self._about(said, verbose=verbose))

    def document(self) -> Document:
        """The page that `balance` prints."""
        return self._page(lambda sentence: naming_arguments(sentence, "`{}`".format))

    @property
    def data(self) -> dict[str, Any]:
        """All of it as plain data, as `balance --json` prints it."""
        return dict(self.document().data)

    @property
    def checks(self) -> dict[str, Any] | None:
        """What became of the first proposal elsewhere, where that was asked with `also_check` or `stress`."""
        return None if self._checks is None else self._checks.data()

    @checked
    def patch(self, proposal: int = 1) -> str:
        """A proposal as a unified diff of the rules file, as `git apply` takes it."""
        return patch_of(self._rules, self._edits(proposal))

    @checked
    def apply(self, proposal: int, out: str | Path) -> Path:
        """Write the rules with a proposal made to a new file, or to their own: only those lines change."""
        path = Path(out)
        refuse_other_file(path, self._rules.run)
        check_writable(path)
        edits = self._edits(proposal)
        _, after = texts(self._rules, edits)
        self._check(edits, after, path)
        write_whole(path, after)
        return path

    def _about(self, said: Callable[[str], str], *, verbose: bool) -> BalanceAbout:
        desk, checks = self._rules, self._checks
        return BalanceAbout(
            command=self._command,
            rules=desk.setup.loaded.model.id,
            run=str(desk.run.folder),
            parameters=desk.setup.space.parameters,
            words=desk.words,
            details=tuple(map(said, self.notes)) if verbose else (),
            fights=[(label, each.scenarios) for label, each in checks.stressed] if checks else (),
            checks=[said(text) for text in [*checks.sentences(), checks.conclusion()]] if checks else (),
            is_incomplete=desk.run.record.incomplete,
            out=_free_name(Path("rules")),
            below_rules=desk.table.subject.below_rules,
        )

    @abstractmethod
    def _check(self, edits: tuple[Edit, ...], text: str, path: Path) -> None:
        """Raise where edited rules are not what was judged."""

    def _edits(self, proposal: int) -> tuple[Edit, ...]:
        if not 1 <= proposal <= len(self._found.proposals):
            many = (
                f"there {'is 1' if len(self._found.proposals) == 1 else f'are {len(self._found.proposals)}'}"
            )
            raise UsageError(f"there is no proposal {proposal}: {many}. {self.conclusion}")
        return self._found.proposals[proposal - 1].edits

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {count(len(self._found.proposals), 'proposal')}. {self.conclusion}>"


class Balance(ProposalTable):
    """What was found. As a table it has a row for each proposal, the smallest first."""

    _say = staticmethod(headline)
    _show = staticmethod(balance_document)

    def __init__(
        self, desk: Desk, search: Search, answer: BalanceResult, checks: Checks | None = None
    ) -> None:
        self._search = search
        rows = [_row(number, each) for number, each in enumerate(answer.outcomes, start=1)]
        super().__init__(desk, answer, checks, rows, _COLUMNS)

    @checked
    def try_edits(self, edits: Texts) -> Document:
        """What edits of your own do, such as `barrage.cost=3` or `ban barrage+charges_1`: the edited options
        first, then the game. `data` of the document has the numbers.

        Raises:
            InputError: for what is not an edit of these rules.

        """
        return tried_page(self._search, read_edits(edits, self._rules.levers))

    def _check(self, edits: tuple[Edit, ...], text: str, path: Path) -> None:
        check_edited(self._rules, self._search.game.explained_in(edits)[0].state(edits), text, path)


class JointBalance(ProposalTable):
    """What was found. As a table it has a row for each proposal in each game."""

    _say = staticmethod(joint_headline)
    _show = staticmethod(joint_document)

    def __init__(self, desk: JointDesk, answer: BalanceResult, command: str, checks: Checks | None) -> None:
        self._desk, self._command = desk, command
        rows = [row for number, each in enumerate(answer.proposals, start=1) for row in _rows(number, each)]
        # All games have the same rules, so any desk can say what they are.
        super().__init__(next(iter(desk.desks.values())), answer, checks, rows, _JOINT_COLUMNS)

    def _check(self, edits: tuple[Edit, ...], text: str, path: Path) -> None:
        check_joint(self._desk, edits, text, path)


@takes(BalanceArguments)
def balance(run: Run, given: BalanceArguments) -> Balance | JointBalance:
    """Propose the smallest change of prices and bans that is enough, and say what is proved.

    Args:
        run: what `optimize` or `open_run` gave.

    Returns:
        The proposals as a table, with the proof, a conclusion, and `patch` and `apply`.

    Raises:
        UsageError: for a run of loadouts or of some builds only.
        InputError: for goals, levers and options that there are not, all at once.

    """
    games = {name: [str(value) for value in values] for name, values in (given.parameters or {}).items()}
    return balance_run(
        run.opened,
        BalanceOptions(**shared(BalanceOptions, given)),
        read_thresholds(as_path(given.thresholds)),
        with_preset(read_config(as_path(given.config))[0]),
        given,
        games,
        scoring_for(given),
    )


def balance_run(
    run: LoadedRun,
    options: BalanceOptions,
    limits: Thresholds,
    config: GateConfig,
    checks: BalanceChecks,
    games: Mapping[str, Sequence[str]],
    how: Scoring,
    *,
    number: int = 1,
    ignore_checksums: bool = False,
) -> Balance | JointBalance:
    """One game, or several values of parameters together; proposal `number` is the one tried elsewhere."""
    checks = BalanceChecks(also_check=checks.also_check or config.balance.also_check, stress=checks.stress)

    def tried(desks: Mapping[str, tuple[Desk, BalancedGame]], found: BalanceResult) -> Checks | None:
        if checks.is_empty or number > len(found.proposals):
            return None
        return check_proposal(desks, found.proposals[number - 1].edits, number, checks, how)

    if several := combinations_of(games, config):
        joint = open_games(run, several, options, limits, config, how, ignore_checksums=ignore_checksums)
        found = joint.search.run()
        desks = {game.label: (joint.desks[game.label], game) for game in joint.search.games}
        given = dict.fromkeys(f"-p {name}={value}" for some in several for name, value in some.items())
        return JointBalance(joint, found, " ".join(["buildsearch balance", *given]), tried(desks, found))
    desk = open_desk(run)
    refuse_unknown(desk, checks)
    search = open_balance(desk, options, limits, config, how)
    answer = search.run()
    keep_first(desk, options, limits, config, answer)
    return Balance(desk, search, answer, tried({"": (desk, search.game)}, answer))


def refuse_other_file(out: Path, run: LoadedRun) -> None:
    """Raise where a file exists that is not the rules of the run."""
    rules = run.setup.loaded.path
    if out.exists() and out.resolve() != rules.resolve():
        raise UsageError(
            f"{out} exists already. Choose another name (the edited rules can only replace those of the run, "
            f"{from_here(str(rules))}), or remove it first."
        )


def _free_name(folder: Path) -> str:
    path, number = folder / "mine.yaml", 1
    while path.exists():
        number += 1
        path = folder / f"mine-{number}.yaml"
    return path.as_posix()


def page_of(found: ProposalTable, said: Callable[[str], str], *, verbose: bool) -> Document:
    """Its page for a reader who calls arguments otherwise than Python does."""
    return found._page(said, verbose=verbose)


def tried_page(search: Search, edits: Sequence[Edit]) -> Document:
    """What edits of one's own do; raises UsageError where that cannot be known without new fights."""
    if any(edit.changes_fights for edit in edits):
        raise UsageError(
            "such a value changes fights, so the scores of the run do not hold. `buildsearch diff RULES "
            "--set` shows what it does."
        )
    court, open_why = search.game.explained_in(edits)
    effect = what_if(court, edits, open_why=open_why)
    missed = [goal for goal in search.game.goals if not goal.look(court.state(edits)).is_kept]
    said = " ".join(f'"{", ".join(edit.text for edit in edits)}"'.split())
    step = (
        Step("buildsearch balance", "the smallest set of edits that is enough")
        if missed
        else Step(f"buildsearch balance --try {said} --patch", "the lines to change")
    )
    return tried_document(effect, edits, missed, step)


def patch_of(desk: Desk, edits: Sequence[Edit]) -> str:
    """Edits as a unified diff of the rules file, as it is called from here."""
    return patch(*texts(desk, edits), from_here(str(desk.setup.loaded.path)))


def _row(number: int, proposal: GameOutcome) -> dict[str, Any]:
    return {
        "proposal": number,
        **_edits_of(proposal),
        **_measures_of(proposal.after),
        "rank_shift": proposal.after.shift,
        "proof": proposal.proof,
        "moves_benchmark": bool(proposal.still_ahead),
        "inconclusive": proposal.open_why,
    }


def _rows(number: int, proposal: Proposal) -> list[dict[str, Any]]:
    return [
        {
            "proposal": number,
            "game": label,
            **_edits_of(proposal),
            "is_tightest": label in proposal.binds,
            **_measures_of(part.after),
            "inconclusive": part.open_why,
        }
        for label, part in proposal.by_game.items()
    ]


def _edits_of(proposal: GameOutcome | Proposal) -> dict[str, Any]:
    """What a proposal changes, as columns of a row."""
    return {
        "edits": ", ".join(edit.text for edit in proposal.edits),
        "text": describe(proposal.edits),
        "count": len(proposal.edits),
        "change": proposal.steps,
    }


def _measures_of(after: Measure) -> dict[str, Any]:
    """A game under a proposal, as columns of a row."""
    free = after.free(0.8)
    return {
        "best": after.best,
        "benchmark": after.reference,
        "ahead": after.ahead,
        "viable_options": free.options,
        "options": free.of,
        "legal_share": after.kept,
        "must_haves": len(after.must_haves),
        "overpowered_builds": after.overpowered,
        "instant_wins": after.decided,
    }
