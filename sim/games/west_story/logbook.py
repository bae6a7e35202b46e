"""What happened in a game of West Story, event by event, and what the rows of a log say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sim.games.reading import Row, row
from sim.games.west_story import events
from sim.games.west_story.events import (
    DECKS,
    END_REASONS,
    GAINS,
    MARKED_BY,
    PARTS,
    REASONS,
    ROUND_CAP,
    ROW_SPOTS,
    SLOTS,
    SPOTS,
)
from sim.games.west_story.rulebook import (
    Deal,
    Flip,
    Gain,
    LakeCoin,
    Outcome,
    Paid,
    Rules,
    TokenPicked,
)

# Deeds of a seat, in production or in its turn; `outcome` is what it got, in order


@dataclass(frozen=True, slots=True)
class Marked:
    """A spot is marked; `why` is one of `events.MARKED_BY`, `moved` if the die's own was taken."""

    spot: int
    why: str
    moved: bool = False


@dataclass(frozen=True, slots=True)
class ComboCow:
    """A combo, or a wild token spent, that finds nothing to mark."""

    by_token: bool
    outcome: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Executed:
    """A marked spot is executed by one of its alternatives; `card` is the kind that lies there."""

    spot: int
    alternative: int
    card: int | None
    outcome: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Cleared:
    """A full row loses its markers: 0 top, 1 bottom."""

    row: int


@dataclass(frozen=True, slots=True)
class Fought:
    """A villain token is removed; `pot` is the coins and cows that lay on it."""

    place: int
    token: int
    paid: Paid
    pot: tuple[int, int]
    outcome: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Bribed:
    """A villain is paid; `leaves` if it is the uncatchable one and has got enough."""

    place: int
    token: int
    paid: Paid
    leaves: bool
    outcome: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Traded:
    """A disc is put on a symbol of a town; the mark and the execution follow as deeds."""

    town: int
    symbol: int
    paid: Paid


@dataclass(frozen=True, slots=True)
class WildBonus:
    """The bonus at the wild symbol of a town."""

    town: int
    outcome: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Certified:
    """A certificate is bought, from the top (0) or the bottom (1) of a stack."""

    stack: int
    end: int
    certificate: int
    paid: Paid


@dataclass(frozen=True, slots=True)
class Reset:
    """Cards of a market row, as (slot, kind), go under their deck; `drawn` are new ones."""

    deck: int
    cards: tuple[tuple[int, int], ...]
    paid: Paid
    drawn: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Bought:
    """A card comes from the market onto a spot; `covers` is the card or None for a space."""

    deck: int
    slot: int
    card: int
    spot: int
    covers: int | None
    paid: Paid
    outcome: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A purchase is skipped."""

    outcome: tuple[Outcome, ...]


Deed = (
    Marked
    | ComboCow
    | Executed
    | Cleared
    | Fought
    | Bribed
    | Traded
    | WildBonus
    | Certified
    | Reset
    | Bought
    | Skipped
)


# Events of a replay; `round` counts from 0


@dataclass(frozen=True, slots=True)
class SetUp:
    """What luck gave, by these rules; `market` are the cards drawn, by deck and slot."""

    rules: Rules
    players: int
    deal: Deal
    market: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class RoundBegins:
    """The first player rolls."""

    round: int
    first: int
    yellow: int
    green: int


@dataclass(frozen=True, slots=True)
class Production:
    """A seat marks and executes."""

    round: int
    seat: int
    deeds: tuple[Deed, ...]


@dataclass(frozen=True, slots=True)
class AtTheLake:
    """Coins for those who reached the lake in this round's production, if there are any."""

    round: int
    coins: tuple[LakeCoin, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's turn: deeds, cards drawn after it as (deck, slot, kind), hats that ride away."""

    round: int
    seat: int
    deeds: tuple[Deed, ...]
    drawn: tuple[tuple[int, int, int], ...]
    hats_lost: int


@dataclass(frozen=True, slots=True)
class DicePassed:
    """The richest seat gets the dice, and the coin of the pan unless it was tied."""

    round: int
    seat: int
    tied: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A seat's score, rank (1 is best, 0 when cut off), villain VP, and parts added at the end."""

    seat: int
    score: int
    rank: int
    villain_vp: int
    parts: dict[str, int]


@dataclass(frozen=True, slots=True)
class GameOver:
    """Why the game ended after so many rounds, and the results by seat."""

    reason: str
    rounds: int
    results: tuple[Result, ...]

    @property
    def truncated(self) -> bool:
        """Tell whether the game was cut off by the round cap."""
        return self.reason == END_REASONS[ROUND_CAP]


Event = SetUp | RoundBegins | Production | AtTheLake | Turn | DicePassed | GameOver


# Rows


def outcome_row(outcome: Outcome, number: int, seat: int) -> Row:
    """Return the row that something gained leaves in the log of round `number`."""
    if isinstance(outcome, Gain):
        what, why = GAINS.index(outcome.what), REASONS.index(outcome.why)
        return row(events.GAIN, number, seat, what, outcome.amount, why)
    if isinstance(outcome, Flip):
        return row(events.FLIP, number, seat, outcome.place, outcome.token)
    if isinstance(outcome, TokenPicked):
        return row(events.WILD_TOKEN, number, seat, outcome.at)
    return row(events.PAN_COIN, number, outcome.seat, int(outcome.from_pan))


# Rows in words


class Teller:
    """Says what the rows of a log mean."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def tell(self, found: Row) -> str:
        """Return what a row says, as the rest of a sentence about its seat."""
        event, _, _, a, b, c = found
        tellers: dict[int, Callable[[], str]] = {
            events.SET: lambda: f"card {b} of the file is building type {a}",
            events.BOARD: lambda: f"takes the board with {self.symbol(a)}",
            events.CERTIFICATE_AT: lambda: f"{self.certificate(c)} lies at {_end(b)} of stack {a}",
            events.TOKEN_AT: lambda: f"{self.token(c)} lies on {self.place(a)}",
            events.ORDER: lambda: f"{self.card(c)} is card {b} of the {_deck(a)} deck",
            events.DRAW: lambda: f"{self.card(c)} comes to slot {b} of the {_deck(a)} row",
            events.ROLL: lambda: f"rolls yellow {a}, green {b}",
            events.MARK: lambda: f"marks {spot_name(a)} ({_named(MARKED_BY, b)}{_token(c)})",
            events.COMBO_COW: lambda: f"finds nothing to mark for a combo{_token(a)}",
            events.EXECUTE: lambda: f"executes {spot_name(a)}, alternative {b}",
            events.GAIN: lambda: f"gains {b} {_named(GAINS, a)} ({_named(REASONS, c)})",
            events.FLIP: lambda: f"turns up {self.token(b)} on {self.place(a)}",
            events.PAN_COIN: lambda: (
                f"gets a coin of the {'pan' if a == 1 else 'bank'} at the lake"
            ),
            events.WILD_TOKEN: lambda: f"picks up a wild token at {a} VP",
            events.CLEAR: lambda: f"clears the {_named(('top', 'bottom'), a)} row",
            events.TURN: lambda: "begins its turn",
            events.FIGHT: lambda: f"fights {self.token(b)} on {self.place(a)}",
            events.BRIBE: lambda: f"pays {self.token(b)} on {self.place(a)}",
            events.LEAVE: lambda: f"{self.token(b)} leaves {self.place(a)}",
            events.TRADE: lambda: f"trades with {self.town(a)} at symbol {b}",
            events.CERTIFICATE: lambda: f"buys {self.certificate(c)} at {_end(b)} of stack {a}",
            events.RESET: lambda: f"resets {b} cards of the {_deck(a)} row",
            events.RETURN: lambda: f"{self.card(c)} leaves slot {b} of the {_deck(a)} row",
            events.UNDER: lambda: f"{self.card(c)} goes under the {_deck(a)} deck as number {b}",
            events.BUY: lambda: (
                f"buys {self.card(c)} from slot {a % SLOTS} of the {_deck(a // SLOTS)} row "
                f"for {spot_name(b)}"
            ),
            events.SKIP: lambda: "skips a purchase",
            events.PAY: lambda: f"pays {a} hats, {b} coins, {c} cows",
            events.RICHEST: lambda: (
                f"gets the dice {'and a coin' if a == 1 else 'while the coin is discarded'}"
            ),
            events.END: lambda: f"the game is over ({_named(END_REASONS, a)})",
            events.FINAL: lambda: f"gets {b} VP for {_named(PARTS, a)}",
            events.SCORE: lambda: f"scores {a} with rank {b} and {c} villain VP",
        }
        return tellers[event]() if event in tellers else f"there is the unknown event code {event}"

    def card(self, kind: int) -> str:
        """Return `Bank (star + wheel)`."""
        if not 0 <= kind < len(self.rules.cards):
            return f"card kind {kind} (there is none)"
        card = self.rules.cards[kind]
        names = [self.rules.symbols[symbol] for symbol in sorted(card.symbols)]
        return f"{card.title} ({' + '.join(names) or 'wild'})"

    def symbol(self, code: int) -> str:
        """Return the name of a symbol."""
        return _named(self.rules.symbols, code)

    def certificate(self, code: int) -> str:
        """Return `the certificate star + wheel`."""
        if not 0 <= code < len(self.rules.pairs):
            return f"certificate {code} (there is none)"
        return f"the certificate {' + '.join(map(self.symbol, self.rules.pairs[code]))}"

    def token(self, code: int) -> str:
        """Return the title of a villain token."""
        return _named([token.title for token in self.rules.tokens], code)

    def place(self, code: int) -> str:
        """Return the title of the area of a villain place."""
        return _named([area.title for area in self.rules.places], code)

    def town(self, code: int) -> str:
        """Return the title of a town."""
        return _named([town.title for town in self.rules.towns], code)


def spot_name(spot: int) -> str:
    """Return `top 1` to `bottom 6`."""
    if not 0 <= spot < SPOTS:
        return f"spot {spot} (there is none)"
    return f"{'bottom' if spot >= ROW_SPOTS else 'top'} {spot % ROW_SPOTS + 1}"


def _named(names: Sequence[str], code: int) -> str:
    return names[code].replace("_", " ") if 0 <= code < len(names) else f"code {code} (unknown)"


def _deck(code: int) -> str:
    return _named(DECKS, code)


def _end(code: int) -> str:
    return _named(("the top", "the bottom"), code)


def _token(spent: int) -> str:
    return f", {spent} wild token" if spent else ""
