"""Someone who only hears a game of West Story told, and keeps the books from the words alone."""

import re
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from typing import NamedTuple

SPOT = r"(?:top|bottom) \d"
GAINS = {"coin": "coins", "hat": "hats", "cow": "cows"}


def unwrapped(lines):
    """Return the lines as they were before they were broken."""
    whole = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if whole and line and indent >= len(whole[-1]) - len(whole[-1].lstrip()) + 4:
            whole[-1] += f" {line.lstrip()}"
        else:
            whole.append(line)
    return whole


def plain(text):
    """Return a text without what stands in brackets."""
    return re.sub(r" \([^()]*\)", "", text)


def spot(text):
    row, place = text.split()
    return 6 * (row == "bottom") + int(place) - 1


def amounts(text):
    """Return what a text counts up: coins, hats, cows, VP."""
    text = re.sub(r"for \d+ \w+ too many|\d+ VP at the end|at \d+ VP", "", plain(text))
    found = Counter()
    for number, good in re.findall(r"(\d+) (coin|hat|cow|VP)s?\b", text):
        found[GAINS.get(good, "vp")] += int(number)
    return found


@dataclass
class Seat:
    """What a seat has."""

    coins: int
    cows: int
    hats: int = 0
    vp: int = 0
    wild_tokens: int = 0
    marks: set = field(default_factory=set)
    stacks: dict = field(default_factory=dict)
    discs: Counter = field(default_factory=Counter)
    symbols: list = field(default_factory=list)
    villains: list = field(default_factory=list)
    certificate: str = ""


class Heard(NamedTuple):
    """The table after a turn; `pot` is what lies on the villain that was paid in it."""

    seats: list
    market: list
    pan: int
    pot: Counter | None


class Listener:
    """Follows the lines; `after_turns` has a `Heard` for every turn."""

    def __init__(self, lines, components):
        self.decks = {card["title"]: card["deck"] for card in components["cards"].values()}
        self.after_turns, self.rolls, self.turns, self.moved = [], [], [], 0
        self.scores, self.by_source, self.ranks, self.lake_coins = [], [], {}, []
        self.actor, self.first, self.market = 0, 0, {}
        for line in unwrapped(lines):
            self.line = line
            for pattern, hear in PATTERNS.items():
                if found := re.fullmatch(pattern, line):
                    hear(self, *found.groups())
                    break

    @property
    def me(self):
        return self.seats[self.actor]

    def happen(self, text):
        """Note gains, and all else that a seat meets with."""
        for what, amount in amounts(text).items():
            setattr(self.me, what, getattr(self.me, what) + amount)
        self.me.wild_tokens += text.count("picks up a wild token")
        lake = text.count("reaches the lake")
        self.me.coins += lake
        self.pan -= lake
        for row in re.findall(r"Its (top|bottom) row is full", text):
            self.me.marks -= set(range(6) if row == "top" else range(6, 12))

    def pay(self, text):
        for what, amount in amounts(text).items():
            setattr(self.me, what, getattr(self.me, what) - amount)

    def come(self, text, sign=1):
        """Put cards into the market or take them out."""
        for card in re.findall(r"[A-Z][\w ]* \([a-z +]*\)", text):
            self.market.setdefault(self.decks[plain(card)], Counter())[card] += sign

    # Lines

    def start(self, players, coins, cows, pan):
        self.seats = [Seat(int(coins), int(cows)) for _ in range(int(players))]
        self.pan = int(pan)

    def roll(self, number, first, yellow, green, pan):
        assert (int(pan), int(first)) == (self.pan, self.first)
        self.rolls.append((int(number), int(first), int(yellow), int(green)))

    def production(self, seat, marks, gains):
        self.actor = int(seat)
        self.moved += marks.count("is marked")
        marks, _, brought = marks.partition(" finds no spot and brings ")
        self.me.wild_tokens -= "a wild token" in marks
        self.me.marks |= set(map(spot, re.findall(SPOT, marks)))
        self.happen(f"{brought}; {gains}")

    def lake(self, who, left):
        for seat, source in re.findall(r"seat (\d) takes a coin of the (gold pan|bank)", who):
            self.lake_coins.append((int(seat), source))
            self.seats[int(seat)].coins += 1
            self.pan -= source == "gold pan"
        assert self.pan == int(left)

    def turn(self, number, seat, vp, area, held):
        self.actor, self.pot = int(seat), None
        has, me = amounts(held), self.me
        assert (me.vp, me.coins, me.hats) == (int(vp), has["coins"], has["hats"])
        assert me.cows == has["cows"]
        self.turns.append((int(number), self.actor, area))

    def fight(self, villain, paid, won):
        self.pay(paid)
        self.me.villains.append(villain.split(" in ")[0])
        self.happen(won)

    def bribe(self, told, rest):
        self.pay(told)
        self.pot = amounts(rest) if "on it" in rest else None

    def trade(self, town, symbol, paid, number, marked, rest):
        self.pay(paid)
        self.me.discs[town] += 1
        assert self.me.discs[town] == int(number)
        self.me.symbols.append((town, symbol))
        self.me.marks.add(spot(marked))
        self.happen(rest)

    def certificate(self, pair, paid):
        self.pay(paid)
        self.me.certificate = pair

    def buy(self, card, paid, onto, rest):
        self.pay(paid)
        stack = self.me.stacks.setdefault(spot(onto), [])
        over = re.match(r" over ([^:.]*)", rest)
        assert (over and over[1]) == (plain(stack[-1]) if stack else None)
        stack.append(card)
        self.come(card, -1)
        self.happen(rest)

    def reset(self, number, deck, paid, gone, come):
        self.pay(paid)
        before = self.market[deck].total()
        self.come(gone, -1)
        assert self.market[deck].total() == before - int(number)
        self.come(come)

    def ends(self, coins, cows, vp, rest):
        me = self.me
        assert (me.coins, me.cows, me.vp) == (int(coins), int(cows), int(vp))
        lost = re.fullmatch(r"; (\d+) hats? rides? away", rest)
        assert me.hats == (int(lost[1]) if lost else 0)
        me.hats = 0
        market = [+self.market[deck] for deck in ("production", "scoring", "building")]
        self.after_turns.append(Heard(deepcopy(self.seats), market, self.pan, self.pot))

    def richest(self, seats, left):
        tied = re.search(r"seat (\d), next to the left", self.line)
        self.first = int(tied[1] if tied else seats)
        self.pan -= 1
        assert self.pan == int(left)
        if not tied:
            self.seats[self.first].coins += 1

    def source(self, points):
        self.by_source.append([int(number) for number in points.split()])

    def total(self, points):
        self.scores = [int(number) for number in points.split()]

    def rank(self, rank, who):
        for seat in re.findall(r"seat (\d)", who):
            self.ranks[int(seat)] = int(rank)


PATTERNS = {
    r"West Story with (\d) players: (\d+) coins?, (\d+) cows? .*, (\d+) coins? .*": Listener.start,
    r"  (?:production|scoring|building): (.*)": Listener.come,
    r"Round (\d+)\. Seat (\d) \(.*\) rolls yellow (\d), green (\d)\. (\d+) .*": Listener.roll,
    r"  Seat (\d) marks (.*?)\. It gets (.*)": Listener.production,
    r"  At the lake (.*); (\d+) left in the pan\.": Listener.lake,
    r"  Turn (\d+): seat (\d) \(.*?\), at (\d+) VP in (.*), with (.*)\.": Listener.turn,
    r"    Fights (.*?) for (.*?): (.*)": Listener.fight,
    r"    Pays (.*?)(?:;|\. That villain)(.*)": Listener.bribe,
    rf"    Trades with (.*) at (\w+) for (.*), disc (\d) .*: marks ({SPOT}) (.*)": Listener.trade,
    r"    Buys the certificate (.*) from the .* for (.*)\.": Listener.certificate,
    rf"    Buys (.*?) for (.*?) onto ({SPOT})(.*)": Listener.buy,
    r"    Skips a purchase(.*)": Listener.happen,
    r"    Resets (\d) (\w+) cards? for (.*?): (.*?) go(?:es)? under the deck(.*)": Listener.reset,
    r"    New in the market: (.*)": Listener.come,
    r"    Ends with (\d+) coins?, (\d+) cows?, (\d+) VP(.*)\.": Listener.ends,
    r"  Seats? (.*) (?:is|are) richest .*\((\d+) left\).*": Listener.richest,
    r"  total  ((?: +\d+)+)": Listener.total,
    r"  [a-z ]+  ((?: +\d+)+)": Listener.source,
    r"  (\d)\. (seat.*): .*": Listener.rank,
}
"""What lines say, and how they are noted."""
