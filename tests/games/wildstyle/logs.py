"""Event logs of Wildstyle made by the rulebook's plain table: by a script of words, or at random.

`Play` has a clock of its own, an ordered list of what comes next, so that the referee's instants
are checked against another way of keeping time.
"""

import random
import tomllib
from collections import Counter
from importlib import resources

import numpy as np

from sim.games.wildstyle import events
from sim.games.wildstyle.city import build_city, turned_face
from sim.games.wildstyle.events import ACTS, COLOURS, ICONS, NEVER, NO_HEX
from sim.games.wildstyle.referee import replay
from sim.games.wildstyle.rulebook import (
    Rules,
    do,
    empty_map,
    finish_seats,
    lay_out,
    legal_acts,
    obstacle,
    start_round,
    station_turns,
    trigger,
)
from sim.games.wildstyle.scoring_rules import (
    count_objective,
    ranking,
    solo_tags,
    tags_to_remove,
)

COMPONENTS = tomllib.loads(
    resources.files("sim.games.wildstyle").joinpath("components.toml").read_text("utf-8")
)
EXACT = COMPONENTS | {"clock": COMPONENTS["clock"] | {"sigma": 0.0}}
RULINGS = {
    "board_radius": 3,
    "deck": "d1",
    "station_snake": "each_cluster",
    "final_phase_rush": True,
    "tag_removal": "best",
    "family_mode": False,
    "round_cap_s": 1800,
    "tiles": "random",
}
COLOUR_NAMES = COMPONENTS["colours"]["names"]
SIDES = list(COMPONENTS["objectives"]["sides"])
TILES = ("tricorners", "border_wars", "urban_planner")


def card(name):
    """Return the code of `park red`."""
    icon, colour = name.split()
    return ICONS.index(icon) * COLOURS + COLOUR_NAMES.index(colour)


def variant(base=EXACT, **parts):
    """Return components with some numbers changed: variant(numbers={"rounds": 1})."""
    return base | {name: base[name] | changes for name, changes in parts.items()}


def words(table, seat, said):
    """Return the act that a player says: `draw 0`, `add park red 0` (set), `share park red 1`
    (pile), `take 1 0` (pile, set), `complete 0 17`, `rush 0 none`, `wait`, `stop`."""
    act, *rest = said.split()
    code = ACTS.index(act)
    if act in ("wait", "stop"):
        return code, -1
    if act == "draw":
        return code, int(rest[0])
    if act in ("add", "share"):
        return code, int(rest[2]) | card(" ".join(rest[:2])) << 8
    if act == "take":
        pile, space = map(int, rest)
        return code, pile | table.share_piles[pile][-1] << 8 | space << 16
    space, hex_ = rest
    return code, int(space) | (NO_HEX if hex_ == "none" else int(hex_)) << 8


def dealt(rules, hands=(), draws=(), luck=None):
    """Return (hands, draw piles, cards set aside) with these cards wished for by name.

    `draws` lists for each draw pile the cards that come first. The rest is shuffled by `luck`.
    """
    hands = [[card(name) for name in hand] for hand in hands]
    hands += [[] for _ in range(rules.players - len(hands))]
    firsts = [[card(name) for name in pile] for pile in draws]
    firsts += [[] for _ in range(rules.draw_piles - len(firsts))]
    spare = Counter(rules.deck)
    spare.subtract(card for cards in (*hands, *firsts) for card in cards)
    assert min(spare.values()) >= 0, "more cards wished for than there are"
    rest = sorted(spare.elements())
    (luck or random.Random(1)).shuffle(rest)
    for hand in hands:
        while len(hand) < rules.hand_size:
            hand.append(rest.pop())
    count = rules.draw_piles + rules.unused_piles
    small, larger = divmod(len(rest) + sum(map(len, firsts)), count)
    sizes = [small + (pile < larger) for pile in range(count)]
    piles = []
    for first, size in zip(firsts, sizes, strict=False):
        below = [rest.pop() for _ in range(size - len(first))]
        piles.append(tuple(below + first[::-1]))
    return tuple(map(tuple, hands)), tuple(piles), tuple(rest)


class Play:
    """A game on the plain table, with its log in `rows`."""

    def __init__(
        self,
        players=2,
        components=EXACT,
        tempos=None,
        tiles=TILES,
        faces=None,
        luck=None,
        tiles_ruling="random",
        **rulings,
    ):
        self.components = components
        self.rulings = RULINGS | {"tiles": tiles_ruling} | rulings
        self.players, self.tempos = players, tempos or [1.0] * players
        self.rules = Rules.read(components, self.rulings, players)
        self.luck = luck or random.Random(1)
        self.rows = []
        self._set_up(tiles, faces or range(0, 2 * players, 2))

    def row(self, event, seat, time, a=-1, b=-1, c=-1):
        self.rows.append([event, seat, time, a, b, c])

    def _set_up(self, tiles, faces):
        rules, names, icons = self.rules, list(self.rules.sides), []
        for position, name in enumerate(tiles):
            self.row(events.TILE, -1, 0, position, names.index(name))
        for position, face in enumerate(faces):
            turns = self.luck.choice(station_turns(rules, position, face))
            icons += turned_face(rules.faces[face], rules.radius, turns)
            self.row(events.DISTRICT, -1, 0, position, face, turns)
        self.city = build_city(empty_map(rules), icons, rules.icon_points)
        self.table = lay_out(rules, self.city, [rules.sides[name] for name in tiles])

    def hexes(self, icon, district=0):
        """Return the hexes of a district with an icon."""
        return [
            hex_
            for hex_ in self.city.hexes[ICONS.index(icon)]
            if self.city.ground.district[hex_] == district
        ]

    # Rounds

    def round(self, choose, hands=(), draws=()):
        """Play a round; `choose(seat, time)` returns the act of a seat. Return why it ended."""
        deal = dealt(self.rules, hands, draws, self.luck)
        self.row(events.ROUND, -1, 0, self.table.round + 1)
        for seat, cards in enumerate(deal[0]):
            for held in cards:
                self.row(events.DEAL, seat, 0, held)
        for pile, cards in [*enumerate(deal[1]), (events.SET_ASIDE, deal[2])]:
            for there in cards:
                self.row(events.PILE, -1, 0, pile, there)
        start_round(self.table, *deal)
        reason, time = self._clock(choose)
        self.row(events.ROUND_END, -1, time, reason)
        return events.END_REASONS[reason]

    def _clock(self, choose):
        """Take what comes first, over and over: (time, 1 for a look, decided, seat, act)."""
        table, last = self.table, 0
        coming = [(0, 1, 0, seat, None) for seat in range(self.players) if table.tags_left[seat]]
        waiting = set()
        while coming := [entry for entry in coming if not table.finished[entry[3]]]:
            coming.sort(key=lambda entry: entry[:4])
            time, looks, _, seat, act = coming.pop(0)
            if time > self.rules.round_cap:
                return events.TIME_CAP, self.rules.round_cap
            last = time
            if looks:
                act = choose(seat, time)
                lands = self._decide(seat, time, act)
                if lands is None:
                    waiting.add(seat)
                else:
                    coming.append((lands, 0, time, seat, act))
                continue
            coming.append((time, 1, 0, seat, None))
            if obstacle(table, seat, *act):
                self.row(events.FUMBLE, seat, time, *act)
                continue
            self._act(seat, time, act)
            for other in waiting:
                reaction = round(self.rules.clock.reaction * self.tempos[other] * 1e6)
                coming.append((time + reaction, 1, 0, other, None))
            waiting.clear()
        return (events.STALEMATE if table.final_phase is None else table.final_phase), last

    def _decide(self, seat, time, act):
        idle = ACTS[act[0]] in ("wait", "stop")
        lands = None if idle else self._lands(seat, time, act[0])
        never = lands is not None and lands > self.rules.round_cap
        self.row(events.DECIDE, seat, time, *act, -1 if idle else NEVER if never else lands)
        self.table.finished[seat] = ACTS[act[0]] == "stop"
        return lands

    def _lands(self, seat, time, act):
        clock = self.rules.clock
        noise = self.luck.lognormvariate(0, clock.sigma) if clock.sigma else 1.0
        took = (clock.thinking + clock.handling[act]) * self.tempos[seat] * noise
        return time + max(1, round(took * 1e6))

    def _act(self, seat, time, act):
        table = self.table
        drawn = do(table, seat, *act)
        self.row(events.ACT, seat, time, *act, drawn)
        finish_seats(table)
        if (reason := trigger(table)) is not None:
            self.row(events.TRIGGER, -1, time, reason)
            table.final_phase = reason
            finish_seats(table)

    # Ways to choose

    def script(self, *said):
        """Each seat says its acts one after another, and waits when it has no more to say."""
        left = [list(acts) for acts in said]
        left += [[] for _ in range(self.players - len(left))]
        return lambda seat, _: words(self.table, seat, left[seat].pop(0) if left[seat] else "wait")

    def at_random(self):
        """Any kind of act, then any act of the kind; waits only if it must."""

        def choose(seat, _):
            legal = legal_acts(self.table, seat)
            kinds = sorted({act for act, _ in legal} - {events.WAIT}) or [events.WAIT]
            kind = self.luck.choice(kinds)
            options = [act for act in legal if act[0] == kind]
            return self.luck.choice(options)

        return choose

    def eager(self, wait=0.0):
        """Completes, adds and takes what fits before it draws, shares or rushes; clusters tags."""
        near = self.city.ground.neighbours

        def worth(act, seat):
            kind, y = act[0], act[1] >> 8 & 255
            if kind in (events.COMPLETE, events.RUSH) and y != NO_HEX:
                touching = len(near[y] & set(self.table.tags[seat]))
                return (8 if kind == events.COMPLETE else 1) + 0.1 * touching
            order = {events.ADD: 6, events.TAKE: 5, events.DRAW: 3, events.SHARE: 2}
            return order.get(kind, 0) if kind not in (events.WAIT, events.STOP) else 0.5

        def choose(seat, _):
            legal = legal_acts(self.table, seat)
            if self.luck.random() < wait:
                return events.WAIT, -1
            return max(legal, key=lambda act: worth(act, seat) + 1.5 * self.luck.random())

        return choose

    # The end

    def ends(self):
        """Play the rounds that are left with nobody doing anything, and score."""
        while self.table.round < self.rules.rounds:
            self.round(self.script())
        return self.scored()

    def scored(self):
        """Write the end of the game."""
        table, time = self.table, self.rows[-1][2]
        sides, choice = table.sides, self.rules.tag_removal
        left = [frozenset(tags) for tags in table.tags]
        for event in (events.REMOVE, events.SOLO):
            for seat, tags in enumerate(left):
                gone = (
                    tags_to_remove(self.city, sides, tags, table.cars[seat], choice)
                    if event == events.REMOVE
                    else sorted(solo_tags(self.city, tags))
                )
                for hex_ in gone:
                    self.row(event, seat, time, hex_)
                left[seat] = tags.difference(gone)
        scores = [self.city.tag_points(tags) for tags in left]
        for seat, tags in enumerate(left):
            for position, side in enumerate(sides):
                counted = count_objective(self.city, side, tags)
                self.row(events.OBJECTIVE, seat, time, position, counted.points, len(counted.hexes))
                scores[seat] += counted.points
        ranks = ranking(scores, table.cars)
        for seat in range(self.players):
            self.row(events.SCORE, seat, time, scores[seat], ranks[seat], table.cars[seat])
        self.row(events.END, -1, time, 0)
        return self

    def cut_off(self):
        """End a game that ran into the cap on a round."""
        time = self.rows[-1][2]
        for seat in range(self.players):
            self.row(events.SCORE, seat, time, 0, 0, self.table.cars[seat])
        self.row(events.END, -1, time, 1)
        return self

    # Looking at the log and spoiling it

    def find(self, event, seat=None, nth=0):
        """Return where the nth row of an event (of a seat) is."""
        found = [
            place
            for place, row in enumerate(self.rows)
            if row[0] == event and seat in (None, row[1])
        ]
        return found[nth]

    def spoil(self, kind, seat=None, nth=0, /, **fields):
        """Change fields of a row: spoil(events.ACT, 0, a=3)."""
        row = self.rows[self.find(kind, seat, nth)]
        for name, value in fields.items():
            row[("event", "seat", "time", "a", "b", "c").index(name)] = value
        return self

    def drop(self, event, seat=None, nth=0):
        """Take a row out."""
        del self.rows[self.find(event, seat, nth)]
        return self

    def swap(self, one, other):
        """Exchange two rows by their places."""
        self.rows[one], self.rows[other] = self.rows[other], self.rows[one]
        return self

    def insert(self, place, *row):
        """Put a row in."""
        self.rows.insert(place, [*row, -1, -1, -1, -1, -1][:6])
        return self

    @property
    def log(self):
        return np.array(self.rows, np.int32)

    def replay(self):
        return replay(self.log, self.components, self.rulings, self.players, self.tempos)


def random_game(players, seed, way="eager", components=COMPONENTS, wait=0.05, **rulings):
    """Play a whole game of random tiles and boards."""
    luck = random.Random(seed)
    kept = {"luck": luck, "components": components, **rulings}
    tiles = components["objectives"]["tiles"]
    if rulings.get("family_mode"):
        dealt_tiles, shows = luck.sample(tiles[:5], 1), "A"
    else:
        dealt_tiles, shows = luck.sample(tiles, 3), components["objectives"]["show"]
    names = [tile["AB".index(side)] for tile, side in zip(dealt_tiles, shows, strict=True)]
    faces = [2 * board + luck.randrange(2) for board in luck.sample(range(5), players)]
    play = Play(players, tiles=names, faces=faces, **kept)
    for _ in range(play.rules.rounds):
        choose = play.eager(wait) if way == "eager" else play.at_random()
        if play.round(choose) == "time_cap":
            return play.cut_off()
    return play.scored()
