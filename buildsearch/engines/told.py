"""One fight in plain Python, from the source and the stream of the compiled ones, with a listener."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import Sampler, make_sampler, tell
from buildsearch.engines.plain import plain
from buildsearch.engines.stated import Counted, StatedFight, empty_counts, stream_of


class Listener(Protocol):
    """Hears of a fight. It may look at the records, which are those that the rules work on."""

    def opens(self, t: Any, c: Any, g: Any) -> None:
        """The fight is about to begin."""

    def hears(self, kind: int, a: int, b: int, c: int) -> None:
        """What a rule tells."""


class Teller(Sampler):
    """The dice of a plain fight; chances of a game's own may have a way that says more to the listener."""

    listener: Listener | None = None


@tell.by(Teller)
def _(dice: Teller, kind: int, a: int, b: int, c: int) -> None:
    if dice.listener is not None:
        dice.listener.hears(kind, int(a), int(b), int(c))  # plain rules may have numpy's numbers


def play_plainly(
    fight: StatedFight,
    row: NDArray[np.int64],
    seed: int,
    number: int,
    listener: Listener | None = None,
    content: bytes | None = None,
    *,
    is_written: bool = False,
) -> Counted:
    """The fight of this number; the same as `StatedFight.sample` gives for it. `is_written`: the build is in
    the tables already."""
    terms, desk = fight.terms, fight.desk
    content = fight.content(row) if content is None else content
    if not is_written:
        fight.write(row)
    statement = terms.statement
    t = SimpleNamespace(**dict.fromkeys(statement.table, 0))
    c = [SimpleNamespace(**dict.fromkeys(statement.actor, 0)) for _ in range(terms.actors)]
    changed = {name: np.zeros_like(table) for name, table in desk.state.counts.items()}
    g = _with_objects(desk.g)._replace(**changed)
    dice = Teller(*make_sampler(terms.triggers))
    dice.listener = listener
    if listener is not None:
        listener.opens(t, c, g)
    counted = empty_counts(terms, dice)
    words = desk.words._replace(flat=np.zeros(0, np.int64), t=[t], c=c)
    with np.errstate(over="ignore"):  # streams wrap around on purpose
        done = plain(fight.kernels.sample)(
            g, words, dice, stream_of(content, seed), (number, number + 1), terms.limit,
            counted.counts, counted.rounds, counted.gains,
        )  # fmt: skip
    if not done:
        raise fight.error()
    return counted


def _with_objects(tables: Any) -> Any:
    """Tables with plain objects for records: a record of numpy takes ten times as long to read."""
    records = {
        name: [SimpleNamespace(**dict(zip(table.dtype.names, row, strict=True))) for row in table.tolist()]
        for name, table in tables._asdict().items()
        if isinstance(table, np.ndarray) and table.dtype.names
    }
    return tables._replace(**records)
