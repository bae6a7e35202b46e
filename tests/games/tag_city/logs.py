"""Event logs written by hand, row by row, and random games played on the rulebook's plain table."""

import copy
import random
import tomllib
from importlib import resources

import numpy as np

from sim.games.reading import row
from sim.games.tag_city import events
from sim.games.tag_city.boards import Rules, drawings_left
from sim.games.tag_city.events import END_REASONS, ROUND_CAP, SPACES
from sim.games.tag_city.logbook import Codes, Result
from sim.games.tag_city.referee import replay
from sim.games.tag_city.rulebook import (
    Check,
    Die,
    Drone,
    Paint,
    begin_round,
    best_bubble,
    bubbles_left,
    do,
    draft_order,
    end_of_the_game,
    end_round,
    newly_met,
    ranking,
    score_draft,
    score_last_die,
    scores,
    set_up,
    spaces_of,
    take,
)

COMPONENTS = tomllib.loads(
    resources.files("sim.games.tag_city").joinpath("components.toml").read_text("utf-8")
)
RULINGS = {
    "hq": "A",
    "city": "A",
    "bubble_values": [-1] * 5,
    "drone_values": [-1, -2, -3, -4, -5],
    "last_die_tie": "share_large",
    "first_leader": "seat0",
    "round_cap": 60,
}
O4, I4, L4, S4, T4, P5 = range(6)
"""The spaces of side A by their shapes."""


def with_city(drawing, **values):
    """Return components with a city "C"; values are (large, small) for each layer."""
    components = copy.deepcopy(COMPONENTS)
    components["cities"]["C"] = {"title": "C", "connected": False, "drawing": drawing}
    worth = {"rows": (6, 3), "columns": (4, 2), "neighborhoods": (10, 5)} | values
    components["values"]["C"] = {
        layer: {"large": large, "small": small} for layer, (large, small) in worth.items()
    }
    return components


SMALL = with_city("AABB\nAABB")
"""Elements: rows 0 and 1, columns 2 to 5, neighborhoods 6 (A) and 7 (B)."""


def at(text):
    """Return squares from `1:1-4 2:3`: row 1, columns 1 to 4, and row 2, column 3."""
    squares = set()
    for part in text.split():
        line, _, columns = part.partition(":")
        first, _, last = columns.partition("-")
        squares |= {
            (int(line) - 1, column - 1) for column in range(int(first), int(last or first) + 1)
        }
    return frozenset(squares)


class Log:
    """A log by hand, row after row, unchecked; `by` or `takes` say whose rows follow.

    Log(2).round(0, (1, O4), (3, L4), (6, O4)).takes(1, 1, O4).paints("o4", "1:1-2 2:1-2")...
    """

    def __init__(self, players=2, ring=None, components=COMPONENTS, **rulings):
        self.components = components
        self.rulings = RULINGS | rulings
        self.players = players
        self.rules = Rules.read(self.components, self.rulings)
        self.names = list(self.rules.shapes)
        self.rows = []
        self.now, self.seat, self.leader = -1, -1, -1
        for space, shape in enumerate(ring or self.rules.side_a):
            self.row(events.RING, -1, space, self.names.index(shape))

    def row(self, event, seat, a=-1, b=-1, c=-1):
        self.rows.append([event, self.now, seat, a, b, c])
        return self

    def round(self, leader, *dice, roll=None):
        """Begin a round: dice as (value, space), placed by ascending value."""
        self.now += 1
        self.seat = self.leader = leader
        self.row(events.LEADER, leader)
        for position, value in enumerate(roll or [value for value, _ in dice]):
            self.row(events.ROLL, leader, position, value)
        for value, space in sorted(dice):
            self.row(events.PLACE, leader, value, space)
        return self

    def by(self, seat):
        self.seat = seat
        return self

    def takes(self, seat, value, space):
        return self.by(seat).row(events.TAKE, seat, value, space)

    def last(self, value, space):
        return self.row(events.LAST, -1, value, space)

    def paints(self, shape, squares):
        return self.row(events.PAINT, self.seat, self.names.index(shape)).covers(squares)

    def drones(self, shape, squares, slot, value):
        self.row(events.DRONE, self.seat, self.names.index(shape), slot, value)
        return self.covers(squares)

    def covers(self, squares):
        """Add the squares of a drawing: text for `at`, or their numbers in any order."""
        if isinstance(squares, str):
            squares = sorted(row * self.rules.columns + column for row, column in at(squares))
        for square in squares:
            self.row(events.SQUARE, self.seat, square)
        return self

    def checks(self, bubble=-1, value=0):
        return self.row(events.CHECK, self.seat, bubble, value)

    def circles(self, element, points, large=True):
        return self.row(events.CIRCLE, self.seat, element, int(large), points)

    def met(self, reason):
        return self.row(events.MET, -1, END_REASONS.index(reason))

    def passed_round(self, bubbles=None):
        """Add a round in which all check: each circles the next bubble, or none is left."""
        leader = (self.leader + 1) % self.players if self.now >= 0 else 0
        self.round(leader, *[(1, O4)] * (self.players + 1))
        left = iter(bubbles or [])
        for seat in draft_order(self.players, leader):
            bubble = next(left, -1)
            self.takes(seat, 1, O4).checks(bubble, self.worth(bubble))
        bubble = next(left, -1)
        self.last(1, O4)
        for seat in draft_order(self.players, leader):
            self.by(seat).checks(bubble, self.worth(bubble))
        return self

    def worth(self, bubble):
        return 0 if bubble < 0 else self.rulings["bubble_values"][bubble]

    def ends(self, reason):
        return self.row(events.END, -1, END_REASONS.index(reason))

    def scores(self, *results):
        """Add (score, rank, bubbles) for each seat."""
        for seat, result in enumerate(results):
            self.row(events.SCORE, seat, *result)
        return self

    def cut_off(self, *results):
        """End by a cap of as many rounds as were played; results are (score, bubbles)."""
        self.rulings["round_cap"] = self.now + 1
        return self.ends("round_cap").scores(*((score, 0, bubbles) for score, bubbles in results))

    def log(self):
        return np.array(self.rows, np.int32).reshape(-1, 6)

    def replay(self):
        return replay(self.log(), self.components, self.rulings, self.players)


class Cheats(dict):
    """Logs that must be stopped, by name: (how to build it, the message)."""

    def named(self, message):
        """Register the log that a function builds."""

        def register(build):
            assert build.__name__ not in self
            self[build.__name__] = (build, message)
            return build

        return register


BOTH = "1:1-2 2:1-2", "1:3-4 2:3-4"
"""The left and the right half of the small city."""


def duel_in_draft(**rulings):
    """Two seats paint one half of the small city each with their die of the draft."""
    left, right = BOTH
    log = Log(2, components=SMALL, city="C", **rulings)
    log.round(0, (6, O4), (1, O4), (3, L4), roll=[3, 6, 1])
    log.takes(1, 1, O4).paints("o4", left).circles(2, 4).circles(3, 4).circles(6, 10)
    log.takes(0, 6, O4).paints("o4", right).circles(4, 4).circles(5, 4).circles(7, 10)
    return log.last(3, L4)


def duel_drones(**rulings):
    """With the last die both fly O4 to their other half, which ends both rows at once."""
    left, right = BOTH
    log = duel_in_draft(**rulings)
    return log.by(1).drones("o4", right, 0, -1).by(0).drones("o4", left, 0, -1)


def duel():
    """Both get the large values of the rows that they complete together, and share the win."""
    log = duel_drones()
    log.by(1).circles(0, 6).circles(1, 6)
    log.circles(4, 2, large=False).circles(5, 2, large=False).circles(7, 5, large=False)
    log.by(0).circles(0, 6).circles(1, 6)
    log.circles(2, 2, large=False).circles(3, 2, large=False).circles(6, 5, large=False)
    return log.met("large_values").ends("large_values").scores((38, 1, 0), (38, 1, 0))


def duel_by_order():
    """The same where the leader comes first: it gets the large values of the rows alone."""
    log = duel_drones(last_die_tie="leader_first")
    log.by(0).circles(0, 6).circles(1, 6)
    log.circles(2, 2, large=False).circles(3, 2, large=False).circles(6, 5, large=False)
    log.by(1).circles(0, 3, large=False).circles(1, 3, large=False)
    log.circles(4, 2, large=False).circles(5, 2, large=False).circles(7, 5, large=False)
    return log.met("large_values").ends("large_values").scores((38, 1, 0), (32, 2, 0))


def bubbles_gone():
    """Three seats check until no bubble is left: the first in the draft of both rounds is ahead."""
    log = Log(3, bubble_values=[0, -1, -1, -2, -3])
    log.passed_round([0, 1, 4, 2])  # seats 1, 2, 0; all circle 2, the first of the best left
    log.round(1, *[(1, O4)] * 4)
    log.takes(2, 1, O4).paints("o4", "1:1-2 2:1-2")
    log.takes(0, 1, O4).checks(3, -2).met("bubbles")
    log.takes(1, 1, O4).checks()
    log.last(1, O4).by(2).checks().by(0).checks().by(1).checks()
    return log.ends("bubbles").scores((-6, 3, 3), (-1, 1, 2), (-2, 2, 2))


def random_log(players, seed, components=COMPONENTS, **rulings):
    """Play a game of random choices on the plain table; return its log and the final table."""
    return _RandomGame(players, seed, components, RULINGS | rulings).play()


class _RandomGame:
    def __init__(self, players, seed, components, rulings):
        self.luck = random.Random(seed)
        self.rules = Rules.read(components, rulings)
        self.codes = Codes(self.rules)
        self.rows = []
        rules = self.rules
        ring = rules.side_a if rules.hq == "A" else rules.hq
        if rules.hq == "B":
            ring = self.luck.sample(rules.stock, SPACES)
        leader = self.luck.randrange(players) if rules.first_leader == "random" else 0
        self.table = set_up(rules, players, ring, leader)
        for space, shape in enumerate(ring):
            self.rows.append(row(events.RING, -1, -1, space, self.codes.code(shape)))

    def play(self):
        table = self.table
        while (reason := end_of_the_game(table)) is None:
            self.round()
        number = table.round - 1
        self.rows.append(self.codes.reason_row(events.END, reason, number))
        cut_off = reason == END_REASONS[ROUND_CAP]
        ranks = [0] * len(table.players) if cut_off else ranking(table)
        for seat, (points, rank) in enumerate(zip(scores(table), ranks, strict=True)):
            result = Result(seat, points, rank, len(table.players[seat].bubbles))
            self.rows.append(self.codes.result_row(result, number))
        return np.array(self.rows, np.int32), table

    def round(self):
        table, luck, number, leader = self.table, self.luck, self.table.round, self.table.leader
        roll = [luck.randint(1, 6) for _ in range(len(table.players) + 1)]
        self.rows.append(row(events.LEADER, number, leader))
        self.rows += [row(events.ROLL, number, leader, *rolled) for rolled in enumerate(roll)]
        dice = sorted(Die(value, luck.choice(spaces_of(value))) for value in roll)
        self.rows += [row(events.PLACE, number, leader, *die) for die in dice]
        begin_round(table, dice)
        order = draft_order(len(table.players), leader)
        for seat in order:
            die = luck.choice(table.dice)
            take(table, die)
            self.rows.append(row(events.TAKE, number, seat, *die))
            use = self.choose(seat, die, bubbles_left(table))
            self.rows += self.codes.use_rows(use, number)
            do(table, use)
            self.follow(score_draft(table, seat))
        (die,) = table.dice
        self.rows.append(row(events.LAST, number, -1, *die))
        best = best_bubble(table)
        uses = [self.choose(seat, die, [] if best is None else [best]) for seat in order]
        for use in uses:
            self.rows += self.codes.use_rows(use, number)
            do(table, use)
        self.follow(score_last_die(table))
        end_round(table)

    def choose(self, seat, die, bubbles):
        """Paint when it is possible, more often than not."""
        table, luck, rules = self.table, self.luck, self.rules
        player, shape = table.players[seat], table.ring[die.space]
        kind = luck.choices(["paint", "drone", "check"], [8, 1, 1])[0]
        if kind == "drone" and player.slots < len(rules.drone_values):
            shape = luck.choice([*rules.small, *table.ring])
            if drawings := list(drawings_left(rules, shape, player.painted)):
                value = rules.drone_values[player.slots]
                return Drone(seat, shape, luck.choice(drawings), player.slots, value)
        if kind == "paint" and (drawings := list(drawings_left(rules, shape, player.painted))):
            return Paint(seat, shape, luck.choice(drawings))
        bubble = luck.choice(bubbles) if bubbles else None
        return Check(seat, bubble, 0 if bubble is None else rules.bubble_values[bubble])

    def follow(self, circled):
        number = self.table.round
        self.rows += [self.codes.circle_row(prize, number) for prize in circled]
        met = newly_met(self.table)
        self.rows += [self.codes.reason_row(events.MET, reason, number) for reason in met]
