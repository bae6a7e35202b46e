"""What happened in a game of Wildstyle, event by event, and what the rows of a log say."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sim.games.reading import UNUSED, Row
from sim.games.wildstyle import events
from sim.games.wildstyle.city import City
from sim.games.wildstyle.events import ACTS, END_REASONS, NO_HEX
from sim.games.wildstyle.rulebook import MICROSECONDS, Cards, Rules
from sim.games.wildstyle.scoring_rules import Group, Side


@dataclass(frozen=True, slots=True)
class Deed:
    """What a seat decides: an act by name and what it is aimed at, None where nothing is.

    `pile` is a draw or share pile, `space` a set of its mat, `card` the card played or taken,
    `hex` where a tag goes (None also for a set cleared without a tag).
    """

    act: str
    pile: int | None = None
    space: int | None = None
    card: int | None = None
    hex: int | None = None


@cache
def deed(act: int, target: int) -> Deed:
    """Return an act as the log codes it in words."""
    name = ACTS[act]
    x, y, z = target & 255, target >> 8 & 255, target >> 16
    if name == "draw":
        return Deed(name, pile=x)
    if name == "add":
        return Deed(name, space=x, card=y)
    if name == "share":
        return Deed(name, pile=x, card=y)
    if name == "take":
        return Deed(name, pile=x, card=y, space=z)
    if name in ("complete", "rush"):
        return Deed(name, space=x, hex=None if y == NO_HEX else y)
    return Deed(name)


@dataclass(frozen=True, slots=True)
class SetUp:
    """The map and the tiles; `districts` lists (face, turns of 60 degrees) by position."""

    rules: Rules
    city: City
    sides: tuple[Side, ...]
    districts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RoundBegins:
    """Hands by seat, draw piles bottom first, and the cards that are set aside."""

    round: int
    hands: tuple[Cards, ...]
    draw_piles: tuple[Cards, ...]
    set_aside: Cards


@dataclass(frozen=True, slots=True)
class Decided:
    """A seat looks and decides; `lands` is None for waiting and stopping.

    Times are microseconds since the round began. `options` counts its legal acts, waiting not
    included.
    """

    round: int
    time: int
    seat: int
    deed: Deed
    lands: int | None
    options: int


@dataclass(frozen=True, slots=True)
class Acted:
    """What a seat decided happens; `drawn` is the card that a draw gave."""

    round: int
    time: int
    seat: int
    deed: Deed
    drawn: int | None


@dataclass(frozen=True, slots=True)
class Fumbled:
    """What a seat decided cannot be done any more, and why."""

    round: int
    time: int
    seat: int
    deed: Deed
    why: str


@dataclass(frozen=True, slots=True)
class FinalPhase:
    """The end of the round is triggered by the act of a seat."""

    round: int
    time: int
    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class RoundOver:
    """The round ends."""

    round: int
    time: int
    reason: str


@dataclass(frozen=True, slots=True)
class Removed:
    """Tags that a seat takes off for its cop cars."""

    seat: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solo:
    """Tags of a seat that come off since they touch no other of its tags."""

    seat: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """What a seat scores with a tile; `groups` are the figures, paths or clusters that count."""

    seat: int
    position: int
    side: Side
    points: int
    groups: tuple[Group, ...]

    @property
    def tags(self) -> int:
        """How many tags count."""
        return sum(map(len, self.groups))


@dataclass(frozen=True, slots=True)
class Result:
    """A seat's final score (0 when the game was cut off, as the rank), and cop cars taken."""

    seat: int
    score: int
    rank: int
    cars: int
    objective_points: int
    tag_points: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The results by seat; `reason` is how the last round ended."""

    reason: str
    truncated: bool
    results: tuple[Result, ...]


Event = (
    SetUp
    | RoundBegins
    | Decided
    | Acted
    | Fumbled
    | FinalPhase
    | RoundOver
    | Removed
    | Solo
    | Scored
    | GameOver
)


class TableState(NamedTuple):
    """The table after an event; hands, mats, tags... by seat, the top of a pile last.

    `tags` are hexes in the order of placing, `draw_piles` counts cards, `final_phase` is the
    reason once the end of the round is triggered.
    """

    round: int
    time: int
    final_phase: str | None
    draw_piles: tuple[int, ...]
    share_piles: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    mats: tuple[tuple[Cards, ...], ...]
    tags_left: tuple[int, ...]
    supply: tuple[int, ...]
    tags: tuple[tuple[int, ...], ...]
    cars: tuple[int, ...]
    cars_left: int
    finished: tuple[bool, ...]


# Rows in words


def seconds(time: int) -> str:
    """Return `12.345678 s`."""
    return f"{time / MICROSECONDS:.6f} s"


def tell(rules: Rules, row: Row) -> str:
    """Return what a row says, as the rest of a sentence about its seat."""
    event, _, time, a, b, c = row
    if event in (events.DECIDE, events.ACT, events.FUMBLE):
        what = tell_deed(rules, a, b)
        if event == events.DECIDE:
            lands = "" if c == UNUSED else f", landing at {seconds(c)}"
            return f"decides at {seconds(time)} to {what}{lands}"
        drawn = "" if c == UNUSED else f" and draws {rules.card_title(c)}"
        verb = "succeeds" if event == events.ACT else "fails"
        return f"{verb} at {seconds(time)} to {what}{drawn}"
    reason = END_REASONS[a].replace("_", " ") if 0 <= a < len(END_REASONS) else f"reason {a}"
    told = {
        events.TILE: f"tile {a} shows the side with code {b}",
        events.DISTRICT: f"district {a} is face {b} with {c} turns",
        events.ROUND: f"round {a} begins",
        events.DEAL: f"is dealt {rules.card_title(a)}",
        events.PILE: f"{rules.card_title(b)} goes on pile {a}",
        events.TRIGGER: f"the final phase begins at {seconds(time)} ({reason})",
        events.ROUND_END: f"the round ends at {seconds(time)} ({reason})",
        events.REMOVE: f"takes the tag on hex {a} off for a cop car",
        events.SOLO: f"takes the solo tag on hex {a} off",
        events.OBJECTIVE: f"scores {b} points with tile {a} for {c} tags",
        events.SCORE: f"scores {a} points with rank {b} and {c} cop cars",
        events.END: f"the game is over{' (cut off)' if a == 1 else ''}",
    }
    return told.get(event, f"there is the unknown event code {event}")


def tell_deed(rules: Rules, act: int, target: int) -> str:
    """Return `add Park (Red) to set 0`."""
    if not 0 <= act < len(ACTS):
        return f"do act {act} (there is none)"
    if target < 0:
        return ACTS[act] if ACTS[act] in ("wait", "stop") else f"{ACTS[act]} at target {target}"
    found = deed(act, target)
    card = "" if found.card is None else rules.card_title(found.card)
    hex_ = "no hex" if found.hex is None else f"hex {found.hex}"
    return {
        "draw": f"draw from pile {found.pile}",
        "add": f"add {card} to set {found.space}",
        "share": f"share {card} on pile {found.pile}",
        "take": f"take {card} from share pile {found.pile} onto set {found.space}",
        "complete": f"complete set {found.space} on {hex_}",
        "rush": f"rush set {found.space} on {hex_}",
    }.get(found.act, f"{found.act} at target {target}")
