"""The rulebook of Tag City in plain Python objects, in its order and its terms.

The referee judges games with it and worked examples are played on it. It shares no code with the
compiled rules: it is a second reading of the same text, made to be read rather than to be fast.

    rules = Rules.read(components, rulings)
    table = set_up(rules, players=2, ring=rules.side_a, leader=0)
    begin_round(table, [Die(5, 4), Die(1, 0), Die(1, 1)])
    take(table, Die(1, 1))
    do(table, Paint(1, table.ring[1], squares))
    score_draft(table, 1)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sim.games.tag_city.boards import Element, Rules, Square, Squares, at_corner, name_of
from sim.games.tag_city.events import BUBBLES, DRONES, END_REASONS, LARGE_VALUES, ROUND_CAP, SPACES

# What a tagger does


class Die(NamedTuple):
    """A die on the HQ: its value 1 to 6 and its space 0 to 5."""

    value: int
    space: int


@dataclass(frozen=True, slots=True)
class Paint:
    """A seat draws the shape of its die."""

    seat: int
    shape: str
    squares: Squares


@dataclass(frozen=True, slots=True)
class Drone:
    """A seat draws any shape of the HQ and circles slot number `slot` of its remote."""

    seat: int
    shape: str
    squares: Squares
    slot: int
    value: int


@dataclass(frozen=True, slots=True)
class Check:
    """A seat checks its networks and circles a bubble, None when none is left."""

    seat: int
    bubble: int | None
    value: int


Use = Paint | Drone | Check


@dataclass(frozen=True, slots=True)
class Circled:
    """A seat completes an element and circles its large or small value."""

    seat: int
    element: Element
    is_large: bool
    points: int


# The table


@dataclass(frozen=True, slots=True)
class Drawing:
    """A shape on a city board, drawn in round `round` (from 0)."""

    shape: str
    squares: Squares
    round: int
    by_drone: bool


@dataclass
class Player:
    """A tagger's board: drawings and circled values in their order, slots used, bubbles."""

    drawings: tuple[Drawing, ...] = ()
    circled: tuple[Circled, ...] = ()
    slots: int = 0
    bubbles: tuple[int, ...] = ()
    painted: set[Square] = field(default_factory=set)
    completed: set[int] = field(default_factory=set)


@dataclass
class Table:
    """Everything on the table; `round` counts the rounds completed, `ring` lists spaces 0 to 5.

    `checked_off` are elements whose large value somebody circled, `bubbles` those circled, `met`
    the end conditions met in their order.
    """

    rules: Rules
    players: list[Player]
    ring: tuple[str, ...]
    leader: int
    round: int = 0
    dice: list[Die] = field(default_factory=list)
    checked_off: set[int] = field(default_factory=set)
    bubbles: set[int] = field(default_factory=set)
    met: list[str] = field(default_factory=list)


# Setup


def ring_fault(rules: Rules, ring: Sequence[str]) -> str | None:
    """Tell why these shapes may not lie on spaces 0 to 5 of the HQ, None when they may."""
    if rules.hq == "B":
        if set(ring) <= set(rules.stock) and len(set(ring)) == SPACES:
            return None
        return "side B takes six different shapes of the ring stock"
    due = rules.side_a if rules.hq == "A" else tuple(rules.hq)
    if tuple(ring) == due:
        return None
    return f"spaces 0 to 5 are for {', '.join(map(rules.title, due))}"


def leader_fault(rules: Rules, players: int, leader: int) -> str | None:
    """Tell why a seat may not lead the first round, None when it may."""
    if rules.first_leader == "random":
        return None if 0 <= leader < players else f"there are seats 0 to {players - 1}"
    return None if leader == 0 else "seat 0 leads the first round"


def set_up(rules: Rules, players: int, ring: Sequence[str], leader: int) -> Table:
    """Put the shapes on the HQ and give everyone an empty city board."""
    return Table(rules, [Player() for _ in range(players)], tuple(ring), leader)


# Turn Sequence


def spaces_of(value: int) -> tuple[int, int]:
    """Return the two adjacent spaces between which a value lies."""
    return value - 1, value % SPACES


def begin_round(table: Table, dice: Sequence[Die]) -> None:
    """Put the dice on the HQ."""
    table.dice = sorted(dice)


def draft_order(players: int, leader: int) -> list[int]:
    """Return the seats clockwise from the leader's left; the leader is the last."""
    return [(leader + 1 + place) % players for place in range(players)]


def take(table: Table, die: Die) -> None:
    """Take a die from the HQ."""
    table.dice.remove(die)


def end_round(table: Table) -> None:
    """Pass the leader token on clockwise."""
    table.dice = []
    table.round += 1
    table.leader = (table.leader + 1) % len(table.players)


def fault(table: Table, die: Die, use: Use, last_die: bool = False) -> str | None:
    """Tell why a seat may not use a die like this, None when it may."""
    if isinstance(use, Check):
        return check_fault(table, use, last_die)
    if isinstance(use, Drone):
        return drone_fault(table, use) or drawing_fault(table, use)
    due = table.ring[die.space]
    if use.shape != due:
        return f"{table.rules.title(due)} lies on space {die.space}, where the die is from"
    return drawing_fault(table, use)


def do(table: Table, use: Use) -> None:
    """Do what a seat chose for its die: a drawing, a drawing by drone, or a check."""
    player = table.players[use.seat]
    if isinstance(use, Check):
        if use.bubble is not None:
            player.bubbles += (use.bubble,)
            table.bubbles.add(use.bubble)
        return
    by_drone = isinstance(use, Drone)
    player.drawings += (Drawing(use.shape, use.squares, table.round, by_drone),)
    player.painted |= use.squares
    player.slots += by_drone


# Painting the City


def drawing_fault(table: Table, use: Paint | Drone) -> str | None:
    """Tell why a shape may not be drawn on these squares, None when it may."""
    rules, squares = table.rules, use.squares
    shape = rules.shapes[use.shape]
    if len(squares) != shape.size:
        return f"{shape.title} is drawn completely: {shape.size} squares, not {len(squares)}"
    outside = [s for s in squares if not (0 <= s[0] < rules.rows and 0 <= s[1] < rules.columns)]
    if outside:
        return f"{name_of(min(outside))} is outside the city"
    if painted := squares & table.players[use.seat].painted:
        return f"{name_of(min(painted))} is already painted"
    if at_corner(squares) not in shape.copies:
        return f"these squares are no {shape.title}, rotated or flipped"
    return None


# Scoring Points


def elements_completed(table: Table, seat: int) -> list[Element]:
    """Return the elements that a seat has painted whole and not yet circled."""
    player = table.players[seat]
    return [
        element
        for element in table.rules.elements
        if element.number not in player.completed and element.squares <= player.painted
    ]


def score_draft(table: Table, seat: int) -> list[Circled]:
    """Circle what a seat has completed in its turn: the large value if it is the first."""
    circled = [
        _prize(seat, element, element.number not in table.checked_off)
        for element in elements_completed(table, seat)
    ]
    _write(table, circled)
    return circled


def score_last_die(table: Table) -> list[Circled]:
    """Circle what the seats have completed with the last die, all at once.

    `last_die_tie = share_large`: all get a large value that was free before; `leader_first`: only
    the first of them from the leader clockwise does.
    """
    players = len(table.players)
    order = draft_order(players, table.leader)
    by_order = table.rules.last_die_tie == "leader_first"
    if by_order:
        order = [order[-1], *order[:-1]]
    gone = set(table.checked_off)
    circled = []
    for seat in order:
        for element in elements_completed(table, seat):
            circled.append(_prize(seat, element, element.number not in gone))
            if by_order:
                gone.add(element.number)
    _write(table, circled)
    return circled


def _prize(seat: int, element: Element, is_large: bool) -> Circled:
    return Circled(seat, element, is_large, element.large if is_large else element.small)


def _write(table: Table, circled: Sequence[Circled]) -> None:
    """Write circled values on the boards."""
    for prize in circled:
        player = table.players[prize.seat]
        player.circled += (prize,)
        player.completed.add(prize.element.number)
        if prize.is_large:
            table.checked_off.add(prize.element.number)


# Using a Drone


def drone_fault(table: Table, use: Drone) -> str | None:
    """Tell why a seat may not use its drone like this, apart from where it draws."""
    rules, used = table.rules, table.players[use.seat].slots
    if used == len(rules.drone_values):
        return f"all {used} slots of its remote are circled"
    if use.shape not in (*rules.small, *table.ring):
        return f"{rules.title(use.shape)} is not on the HQ"
    if (use.slot, use.value) != (used, rules.drone_values[used]):
        return f"slot {used} of its remote, worth {rules.drone_values[used]}, is next"
    return None


# Checking Social Networks


def bubbles_left(table: Table) -> list[int]:
    """Return the bubbles that nobody has circled."""
    return [b for b in range(len(table.rules.bubble_values)) if b not in table.bubbles]


def best_bubble(table: Table) -> int | None:
    """Return the bubble that all who check with the last die circle, None when none is left."""
    values = table.rules.bubble_values
    return max(bubbles_left(table), key=lambda bubble: values[bubble], default=None)


def check_fault(table: Table, use: Check, last_die: bool) -> str | None:
    """Tell why a seat may not circle this bubble, None when it may."""
    left, values = bubbles_left(table), table.rules.bubble_values
    if last_die and left:
        left = [bubble for bubble in left if bubble == best_bubble(table)]
    if not left:
        return None if use == Check(use.seat, None, 0) else "no bubble is left: a check is free"
    if use.bubble in left and use.value == values[use.bubble]:
        return None
    offered = " or ".join(f"{bubble} (worth {values[bubble]})" for bubble in left)
    why = ", which all who check with the last die circle" if last_die else ""
    return f"it must circle bubble {offered}{why}"


# End of the Competition


def newly_met(table: Table) -> list[str]:
    """Return the end conditions that are met now and were not before."""
    new = [reason for reason in conditions(table) if reason not in table.met]
    table.met += new
    return new


def conditions(table: Table) -> list[str]:
    """Return the end conditions that are met; without bubbles or slots there is nothing to fill."""
    rules = table.rules
    slots, bubbles = len(rules.drone_values), len(rules.bubble_values)
    holds = {
        LARGE_VALUES: len(table.checked_off) == len(rules.elements),
        BUBBLES: bubbles > 0 and len(table.bubbles) == bubbles,
        DRONES: slots > 0 and any(player.slots == slots for player in table.players),
    }
    return [END_REASONS[reason] for reason, is_met in holds.items() if is_met]


def end_of_the_game(table: Table) -> str | None:
    """Return why the game is over between two rounds, None when it goes on."""
    if table.met:
        return table.met[0]
    return END_REASONS[ROUND_CAP] if table.round >= table.rules.round_cap else None


def score_of(rules: Rules, circled: Sequence[Circled], slots: int, bubbles: Sequence[int]) -> int:
    """Add up what is circled on a board, positive and negative."""
    prestige = sum(prize.points for prize in circled)
    drones = sum(rules.drone_values[:slots])
    return prestige + drones + sum(rules.bubble_values[bubble] for bubble in bubbles)


def scores(table: Table) -> list[int]:
    """Return each seat's points."""
    return [score_of(table.rules, p.circled, p.slots, p.bubbles) for p in table.players]


def ranking(table: Table) -> list[int]:
    """Return each seat's rank by points, then by bubbles circled; ties share the better rank."""
    marks = [
        (points, len(player.bubbles))
        for points, player in zip(scores(table), table.players, strict=True)
    ]
    return [1 + sum(other > own for other in marks) for own in marks]


# What never changes


def inconsistency(table: Table) -> str | None:
    """Tell what on the boards cannot come from drawings alone, None when all is in order."""
    for seat, player in enumerate(table.players):
        covered = Counter(square for drawing in player.drawings for square in drawing.squares)
        if covered.keys() != player.painted or any(count > 1 for count in covered.values()):
            return f"the drawings of seat {seat} overlap or differ from its painted squares"
        whole = {e.number for e in table.rules.elements if e.squares <= covered.keys()}
        if sorted(prize.element.number for prize in player.circled) != sorted(whole):
            return f"what seat {seat} circled is not what its drawings complete"
    return None
