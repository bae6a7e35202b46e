"""A game's log played on plain sets: every row must be what the rulebook makes of the rows before.

told = replay(setup, log)
told.decisions      # the choices, each with the table as it stood
told.position       # the table at the end
"""

from collections import Counter
from dataclasses import dataclass, field

from sim.games.tag_city import events
from tests.games.tag_city.plain import LAYERS, Action, Position, Rules, forms

NAMES = {
    getattr(events, name): name
    for name in (
        "RING", "LEADER", "ROLL", "PLACE", "TAKE", "LAST", "PAINT", "DRONE", "CHECK", "SQUARE",
        "CIRCLE", "MET", "END", "SCORE",
    )
}  # fmt: skip


@dataclass
class Decision:
    """A choice: of a side by the leader, in the draft, or of what to do with the last die."""

    what: str
    seat: int
    position: Position
    action: Action | None = None
    value: int = 0
    space: int = 0


@dataclass
class Circled:
    """An element completed by a seat."""

    round: int
    seat: int
    element: int
    large: bool
    points: int
    last: bool
    shape: str


@dataclass
class Told:
    """A game as its log tells it."""

    rules: Rules
    position: Position
    decisions: list[Decision] = field(default_factory=list)
    circled: list[Circled] = field(default_factory=list)
    drawings: list[tuple[int, int, str, frozenset]] = field(default_factory=list)
    """(round, seat, shape, squares) in order"""
    leaders: list[int] = field(default_factory=list)
    checks: Counter = field(default_factory=Counter)
    leads: list[int] = field(default_factory=list)
    reason: str = ""
    scores: list[tuple[int, int, int]] = field(default_factory=list)


class Rows:
    """The rows of a log, taken one after the other."""

    def __init__(self, log) -> None:
        self.rows = [(NAMES[row[0]], *row[1:]) for row in log.tolist()]
        self.at = 0

    def next(self, name: str, round_: int | None = None) -> tuple[int, int, int, int]:
        """Return seat, a, b, c of the next row, which must be of this event and round."""
        event, turn, *rest = self.rows[self.at]
        assert event == name, f"row {self.at} is {self.rows[self.at]}, not {name}"
        assert round_ is None or turn == round_, f"row {self.at}: round {turn}"
        self.at += 1
        return tuple(rest)

    def peek(self) -> str:
        return self.rows[self.at][0] if self.at < len(self.rows) else "nothing"


def replay(setup, log) -> Told:
    """Play a log; AssertionError at the first row that is not as it should be."""
    rules = Rules(setup.components, setup.rulings, setup.players)
    rows = Rows(log)
    ring = []
    for space in range(6):
        seat, a, b, c = rows.next("RING", -1)
        assert (seat, a, c) == (-1, space, -1)
        ring.append(rules.shapes[b])
    check_ring(rules, ring)
    told = Told(rules, Position.start(rules, ring))
    number = 0
    while not told.position.met and number < rules.rulings["round_cap"]:
        play_round(told, rows, number)
        number += 1
    met = told.position.met
    told.reason = met[0] if met else "round_cap"
    last = number - 1
    assert rows.next("END", last)[:2] == (-1, events.END_REASONS.index(told.reason))
    for seat in range(rules.players):
        found, score, rank, bubbles = rows.next("SCORE", last)
        assert found == seat
        assert score == told.position.scores[seat]
        assert bubbles == told.position.circled[seat]
        assert rank == (rank_of(told.position, seat) if met else 0)
        told.scores.append((score, rank, bubbles))
    assert rows.peek() == "nothing"
    return told


def check_ring(rules: Rules, ring: list[str]) -> None:
    hq = rules.rulings["hq"]
    stock = set(rules.components["ring_shapes"]["tokens"])
    assert len(set(ring)) == 6
    assert set(ring) <= stock
    if hq != "B":
        assert ring == (rules.components["hq"]["side_a"] if hq == "A" else hq)


def rank_of(position: Position, seat: int) -> int:
    standing = list(zip(position.scores, position.circled, strict=True))
    return 1 + sum(other > standing[seat] for other in standing)


def play_round(told: Told, rows: Rows, number: int) -> None:
    rules, position = told.rules, told.position
    n = rules.players
    leader = rows.next("LEADER", number)[0]
    if told.leaders:
        assert leader == (told.leaders[-1] + 1) % n
    elif rules.rulings["first_leader"] == "seat0":
        assert leader == 0
    told.leaders.append(leader)
    position.leader = leader
    rolled = []
    for i in range(n + 1):
        seat, a, value, c = rows.next("ROLL", number)
        assert (seat, a, c) == (leader, i, -1)
        assert 1 <= value <= 6
        rolled.append(value)
    assert not +position.dice
    for value in sorted(rolled):
        seat, a, space, c = rows.next("PLACE", number)
        assert (seat, a, c) == (leader, value, -1)
        assert space in (value - 1, value % 6)
        told.decisions.append(Decision("side", leader, position.copy(), value=value, space=space))
        position.dice[value, space] += 1
    for seat in position.order():
        before = position.copy()
        taker, value, space, c = rows.next("TAKE", number)
        assert (taker, c) == (seat, -1)
        assert position.dice[value, space] > 0
        action = read_deed(told, rows, number, seat, value, space, before)
        told.decisions.append(Decision("draft", seat, before, action))
        position.dice[value, space] -= 1
        apply(told, number, seat, action)
        circle(told, rows, number, {seat: action}, [seat], last=False)
        meet(told, rows, number)
    _, value, space, _ = rows.next("LAST", number)
    assert list((+position.dice).elements()) == [(value, space)]
    before = position.copy()
    actions = {}
    for seat in position.order():
        actions[seat] = read_deed(told, rows, number, seat, value, space, before)
        told.decisions.append(Decision("last", seat, before, actions[seat]))
    for seat in position.order():
        apply(told, number, seat, actions[seat])
    order = position.order()
    if rules.rulings["last_die_tie"] == "leader_first":
        order = [order[-1], *order[:-1]]
    circle(told, rows, number, actions, order, last=True)
    position.dice.clear()
    meet(told, rows, number)


def read_deed(told, rows, number, seat, value, space, before) -> Action:
    """Read what a seat does with a die; it must be legal."""
    rules = told.rules
    kind = rows.peek()
    who, a, b, c = rows.next(kind, number)
    assert who == seat
    if kind == "CHECK":
        values = rules.rulings["bubble_values"]
        assert (a in before.bubbles_free) if before.bubbles_free else a == -1
        assert b == (values[a] if a >= 0 else 0)
        return Action(value, space, "check", bubble=a)
    shape = rules.shapes[a]
    if kind == "PAINT":
        assert shape == before.ring[space]
    else:
        assert kind == "DRONE"
        assert shape in (*rules.small, *before.ring)
        assert b == before.slots_used[seat] < len(rules.rulings["drone_values"])
        assert c == rules.rulings["drone_values"][b]
    squares = []
    while rows.peek() == "SQUARE":
        who, square, _, _ = rows.next("SQUARE", number)
        assert who == seat
        squares.append(square)
    assert squares == sorted(set(squares))
    check_drawing(rules, shape, squares)
    assert not set(squares) & before.painted[seat]
    return Action(value, space, kind.lower(), shape, frozenset(squares))


def check_drawing(rules: Rules, shape: str, squares: list[int]) -> None:
    """The squares lie in the city and have the form of the shape."""
    lines, width = rules.size
    assert 0 <= squares[0] <= squares[-1] < lines * width
    cells = [divmod(square, width) for square in squares]
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    assert frozenset((r - top, c - left) for r, c in cells) in forms(rules.figure(shape))


def apply(told: Told, number: int, seat: int, action: Action) -> None:
    """Do a deed but for what it completes."""
    position, rulings = told.position, told.rules.rulings
    if action.kind == "check":
        told.checks[seat] += 1
        if action.bubble >= 0:
            if action.bubble in position.bubbles_free:
                position.bubbles_free.remove(action.bubble)
            position.circled[seat] += 1
            position.scores[seat] += rulings["bubble_values"][action.bubble]
        return
    if action.kind == "drone":
        position.scores[seat] += rulings["drone_values"][position.slots_used[seat]]
        position.slots_used[seat] += 1
    position.painted[seat] |= action.squares
    told.drawings.append((number, seat, action.shape, action.squares))


def circle(told: Told, rows: Rows, number: int, actions, order, last: bool) -> None:
    """Read what is circled: every element that became complete, at its due value."""
    position, rules = told.position, told.rules
    free = set(position.large_free)
    share = rules.rulings["last_die_tie"] == "share_large"
    for seat in order:
        before = position.painted[seat] - actions[seat].squares
        for number_, element in enumerate(rules.elements):
            if element.squares <= position.painted[seat] and not element.squares <= before:
                large = number_ in (free if last and share else position.large_free)
                points = element.large if large else element.small
                found = rows.next("CIRCLE", number)
                assert found == (seat, number_, int(large), points)
                position.large_free.discard(number_)
                position.scores[seat] += points
                shape = actions[seat].shape
                told.circled.append(Circled(number, seat, number_, large, points, last, shape))


def meet(told: Told, rows: Rows, number: int) -> None:
    """Read which end conditions are met, and note who leads."""
    position, rulings = told.position, told.rules.rulings
    slots = len(rulings["drone_values"])
    now = {
        "large_values": not position.large_free,
        "bubbles": bool(rulings["bubble_values"]) and not position.bubbles_free,
        "drones": slots > 0 and slots in position.slots_used,
    }
    for reason in events.END_REASONS[:3]:
        if now[reason] and reason not in position.met:
            code = events.END_REASONS.index(reason)
            assert rows.next("MET", number) == (-1, code, -1, -1)
            position.met.append(reason)
    best = [s for s, score in enumerate(position.scores) if score == max(position.scores)]
    if len(best) == 1:
        told.leads.append(best[0])


def layer_points(told: Told, seat: int) -> dict[str, int]:
    """Return a seat's points by layer and size, by column."""
    found = Counter({f"{layer}_{size}": 0 for layer in LAYERS for size in ("large", "small")})
    for row in told.circled:
        if row.seat == seat:
            layer = told.rules.elements[row.element].layer
            found[f"{layer}_{'large' if row.large else 'small'}"] += row.points
    return dict(found)
