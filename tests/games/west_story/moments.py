"""The choices of a game of West Story, read off its log with the table as it stood at each.

Choices that leave no row (no trade, no reset, no certificate, no wild token) are found by what
comes instead. The players of the compiled game choose in this order: in production the third spot
and alternatives; in a turn the villain, the trade, before each purchase a reset and then the
purchase, and last a certificate, which may also be chosen at each of these but the reset.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sim.games.reading import Reader, Row
from sim.games.west_story import events, phases, referee
from sim.games.west_story.judge import Judge
from sim.games.west_story.rulebook import Paid, Rules, Table
from sim.players import Style

from . import legal
from .cells import log_of
from .legal import PASS, Act
from .mind import Mind

CLOSE = 1e-9
BY_DIE = (events.YELLOW, events.GREEN)
ACTS = (
    events.ROLL, events.MARK, events.COMBO_COW, events.EXECUTE, events.TURN, events.FIGHT,
    events.BRIBE, events.TRADE, events.CERTIFICATE, events.RESET, events.BUY, events.SKIP,
    events.RICHEST, events.END,
)  # fmt: skip


class _Watching(Reader):
    """Keeps a picture of the table as it stands before each row."""

    judge: Judge

    def __init__(self, log: Any) -> None:
        super().__init__(log)
        self.seen: dict[int, Table] = {}

    def look(self) -> None:
        """Keep the table if this row is seen for the first time: before it has any effect."""
        is_act = self.at < len(self.all) and self.all[self.at][0] in ACTS
        if is_act and self.at not in self.seen:
            self.seen[self.at] = self.judge.table.snapshot()

    def ahead(self) -> Row | None:
        self.look()
        return super().ahead()

    def is_next(self, *kinds: int) -> bool:
        self.look()
        return super().is_next(*kinds)


def watched(cell, log: np.ndarray) -> dict[int, Table]:
    """Replay a log; return the table before each row that is an act of somebody."""
    judge = Judge(log, Rules.read(cell.components, cell.rulings, cell.players))
    judge.reader = reader = _Watching(log)
    reader.judge = judge
    referee.Referee(judge).follow()
    return reader.seen


@dataclass
class Moment:
    """A choice: who makes it, what may be done, what was done and what was paid for it."""

    stage: str
    mind: Mind
    acts: list[Act]
    taken: Act
    paid: Paid | None = None

    @cached_property
    def values(self) -> dict[Act, float]:
        """Weights . features of each act, -inf for those that the style avoids."""
        return {
            act: -np.inf if self.mind.avoids(act) else self.mind.value(act) for act in self.acts
        }

    @cached_property
    def chances(self) -> dict[Act, float]:
        """The chance of each act."""
        return chances(self.values, self.mind.style.temperature)


def chances(values: dict[Act, float], temperature: float) -> dict[Act, float]:
    """Return the chance of each act: evenly among the best, or by softmax."""
    worths = np.array(list(values.values()))
    best = worths.max()
    if best == -np.inf:
        found = np.ones(len(worths))
    elif temperature:
        found = np.exp((worths - best) / temperature)
    else:
        scale = max(1.0, *np.abs(worths[np.isfinite(worths)]))
        found = (worths >= best - CLOSE * scale).astype(float)
    return dict(zip(values, (found / found.sum()).tolist(), strict=True))


@dataclass
class Window(Moment):
    """What comes first of a trade and a certificate, where both may be chosen, or none of them.

    A certificate may have been chosen in place of a trade, or of the purchase after no trade and
    no reset: the log is the same. `resets` and `purchases` are the choices at the same table.
    """

    resets: Moment | None = None
    purchases: Moment | None = None

    @cached_property
    def chances(self) -> dict[Act, float]:
        found = chances(self.values, self.mind.style.temperature)
        go_on = found[PASS] * (self.resets.chances[PASS] if self.resets.acts else 1.0)
        for act in self.acts:
            if act.kind == "certificate":
                later = go_on * self.purchases.chances[act]
                found[act] += later
                found[PASS] -= later
        return found


class _Walk:
    """Reads the choices of one game off its log."""

    def __init__(self, cell, log: np.ndarray, styles: Sequence[Style]) -> None:
        self.rows: list[Row] = [tuple(row) for row in log.tolist()]
        self.tables = watched(cell, log)
        self.styles = styles
        self.at = 0
        self.seat = 0

    @property
    def row(self) -> Row:
        return self.rows[self.at]

    @property
    def table(self) -> Table:
        return self.tables[self.at]

    def mind(self, **known: Any) -> Mind:
        return Mind(self.styles[self.seat], self.table, self.seat, **known)

    def go_on(self) -> None:
        """Go to the next row that is an act, or that comes after the seat's last one."""
        self.at += 1
        while self.row[0] not in ACTS:
            self.at += 1

    def moment(self, stage: str, acts: list[Act], taken: Act, **known: Any) -> Moment:
        paid = None
        if self.rows[self.at + 1][0] == events.PAY and taken != PASS:
            paid = Paid(*self.rows[self.at + 1][3:])
        return Moment(stage, self.mind(**known), acts, taken, paid)

    def all(self) -> Iterator[Moment]:
        """Yield every choice in order."""
        while self.row[0] != events.ROLL:
            self.at += 1
        while self.row[0] != events.END:
            event, self.seat = self.row[0], self.row[2]
            if event == events.MARK:
                yield from self.production()
            elif event == events.TURN:
                yield from self.turn()
            else:
                self.go_on()

    def production(self) -> Iterator[Moment]:
        top, bottom = (row[3] for row in self.rows[self.at : self.at + 2])
        self.at += 2
        if acts := legal.third(self.table, self.seat, top, bottom):
            event, spot = self.row[0], self.row[3]
            taken = {events.MARK: Act("spot", spot), events.COMBO_COW: legal.COW}.get(event, PASS)
            tokens = int(PASS in acts)
            yield self.moment("token" if tokens else "combo", acts, taken, tokens=tokens)
            if taken != PASS:
                self.go_on()
        while self.row[0] == events.EXECUTE:
            yield from self.execution()

    def execution(self) -> Iterator[Moment]:
        spot, number = self.row[3:5]
        acts = legal.alternatives(self.table.action(self.seat, spot))
        if len(acts) > 1:
            yield self.moment("alternative", acts, Act("alternative", number), spot=spot)
        self.go_on()

    # A turn

    def certificate(self) -> Act | None:
        """Return the certificate that is bought now."""
        return Act("certificate", *self.row[3:5]) if self.row[0] == events.CERTIFICATE else None

    def turn(self) -> Iterator[Moment]:
        self.at += 1
        yield from self.villain()
        is_window = yield from self.trade()
        is_reset = False
        for number in range(phases.PURCHASES):
            last = number == phases.PURCHASES - 1
            first_look = is_window and number == 0
            if not is_reset and (moment := self.reset(last)) is not None:
                if not first_look:
                    yield moment
                if is_reset := moment.taken != PASS:
                    self.go_on()
            yield from self.purchase(last, without=first_look and not is_reset)
        yield from self.last_certificate()

    def villain(self) -> Iterator[Moment]:
        place = phases.villain_faced(self.table, self.seat)
        names = {events.FIGHT: "fight", events.BRIBE: "bribe"}
        while place is not None:
            acts = legal.facing(self.table, self.seat, place)
            taken = self.certificate() or Act(names[self.row[0]], self.row[3])
            yield self.moment("villain", acts, taken)
            self.go_on()
            place = place if taken.kind == "certificate" else None

    def trade(self) -> Generator[Moment, None, bool]:
        """Read the trade, or that there is none.

        Return whether the next purchase may already have been thought of: see `Window`.
        """
        acts = legal.trades(self.table, self.seat)
        taken = self.certificate() or PASS
        if self.row[0] == events.TRADE:
            taken = Act("trade", self.row[4], self.rows[self.at + 2][3])
        read = self.moment("trade", acts, taken)
        if is_window := any(act.kind == "certificate" for act in acts):
            options = legal.resets(self.table, self.seat), legal.purchases(self.table, self.seat)
            later = [Moment("", self.mind(), some, PASS) for some in options]
            read = Window("window", read.mind, acts, taken, read.paid, *later)
        yield read
        if taken.kind == "certificate":
            self.go_on()
        if self.row[0] != events.TRADE:
            return is_window
        self.go_on()
        self.go_on()
        yield from self.execution()
        return False

    def reset(self, last: bool) -> Moment | None:
        acts = legal.resets(self.table, self.seat)
        if not acts:
            return None
        taken = PASS
        if self.row[0] == events.RESET:
            deck, count = self.row[3:5]
            slots = [row[4] for row in self.rows[self.at + 2 : self.at + 2 + count]]
            taken = Act("reset", deck, sum(1 << slot for slot in slots))
        return self.moment("reset", acts, taken, last=last)

    def purchase(self, last: bool, without: bool) -> Iterator[Moment]:
        """Read a purchase; `without` certificates where it is known that none is bought."""
        taken = None
        while taken is None or taken.kind == "certificate":
            acts = legal.purchases(self.table, self.seat)
            acts = [act for act in acts if act.kind != "certificate" or not without]
            taken = self.certificate()
            if taken is None:
                taken = Act("buy", *self.row[3:5]) if self.row[0] == events.BUY else legal.SKIP
            yield self.moment("purchase", acts, taken, last=last)
            self.go_on()

    def last_certificate(self) -> Iterator[Moment]:
        acts = [PASS, *legal.certificates(self.table, self.seat)]
        taken = self.certificate() or PASS
        if len(acts) > 1:
            yield self.moment("last", acts, taken)
        if taken != PASS:
            self.go_on()


def moments(cell, styles: Sequence[Style], game: int, seed: int = 1) -> list[Moment]:
    """Return the choices of a game; a style for each place of the line-up."""
    shift = game % cell.players if cell.record[0]["rotate"] else 0
    seated = [*styles[shift:], *styles[:shift]]
    return list(_Walk(cell, log_of(cell, game, seed), seated).all())
