"""Rows of event logs written by hand, and the names that they go by."""

import numpy as np

from sim.games.west_story import events
from sim.games.west_story.components import Rulings
from sim.games.west_story.events import GAINS, PARTS, REASONS
from sim.games.west_story.sheets import shipped_components

COMPONENTS = shipped_components()
RULINGS = Rulings().model_dump()

T1, T2, T3, T4, T5, T6, B1, B2, B3, B4, B5, B6 = range(12)
"""Spots: top and bottom row, spaces 1 to 6."""
REVOLVER, HORSESHOE, STAR, WHEEL = range(4)
FORT_WORTH, ABILENE, DODGE_CITY, SANTA_FE = range(4)
"""Towns."""
AT_ABILENE, NEAR_DODGE, AT_DESERT, AT_SANTA_FE, FAR_DODGE, FAR_FORT_WORTH = range(6)
"""Places for villain tokens."""
V1, V2, V3, V4, V5, V6, V7, V8, UNCATCHABLE = range(9)
PRODUCTION, SCORING, BUILDING = range(3)
QUADRUPLE_SPOT, WILD_SPOT = 4, 5
"""Symbols of a town after the four regular ones."""


class Rows:
    """Rows of a log, unchecked; most belong to the seat named last by `by`."""

    def __init__(self, now=0):
        self.rows = []
        self.now, self.actor = now, 0

    def log(self):
        return np.array(self.rows, np.int32).reshape(-1, 6)

    def row(self, event, seat, a=-1, b=-1, c=-1):
        self.rows.append([event, self.now, seat, a, b, c])
        return self

    def own(self, event, a=-1, b=-1, c=-1):
        return self.row(event, self.actor, a, b, c)

    def by(self, seat):
        self.actor = seat
        return self

    # Production

    def rolls(self, yellow, green):
        return self.own(events.ROLL, yellow, green)

    def marks(self, yellow, green, combo=None, token=None):
        self.own(events.MARK, yellow, events.YELLOW, 0).own(events.MARK, green, events.GREEN, 0)
        if combo is not None:
            self.own(events.MARK, combo, events.COMBO, 0)
        if token is not None:
            self.own(events.MARK, token, events.TOKEN, 1)
        return self

    def combo_cow(self, token=0):
        return self.own(events.COMBO_COW, token)

    def executes(self, spot, alternative=0):
        return self.own(events.EXECUTE, spot, alternative)

    def gains(self, *goods, why="effect"):
        """Add gains of one reason: `("coins", 2), ("hats", 1)`."""
        for what, amount in goods:
            self.own(events.GAIN, GAINS.index(what), amount, REASONS.index(why))
        return self

    def flips(self, place, token):
        return self.own(events.FLIP, place, token)

    def lake(self, from_pan=1):
        return self.own(events.PAN_COIN, from_pan)

    def picks_token(self, at):
        return self.own(events.WILD_TOKEN, at)

    def clears(self, row):
        return self.own(events.CLEAR, row)

    # A turn

    def turn(self, seat):
        return self.by(seat).own(events.TURN)

    def pays(self, hats=0, coins=0, cows=0):
        return self.own(events.PAY, hats, coins, cows)

    def fights(self, place, token, **paid):
        return self.own(events.FIGHT, place, token).pays(**paid)

    def bribes(self, place, token, **paid):
        return self.own(events.BRIBE, place, token).pays(**paid)

    def leaves(self, place, token):
        return self.row(events.LEAVE, -1, place, token)

    def trades(self, town, symbol, spot, **paid):
        self.own(events.TRADE, town, symbol).pays(**paid)
        return self.own(events.MARK, spot, events.TRADED, 0)

    def certifies(self, stack, end, certificate, **paid):
        return self.own(events.CERTIFICATE, stack, end, certificate).pays(**paid)

    def resets(self, deck, cards, **paid):
        """Reset a row: cards as (slot, kind), put under the deck in this order."""
        self.own(events.RESET, deck, len(cards)).pays(**paid)
        for slot, kind in sorted(cards):
            self.row(events.RETURN, -1, deck, slot, kind)
        for order, (_, kind) in enumerate(cards):
            self.row(events.UNDER, -1, deck, order, kind)
        return self

    def draws(self, deck, slot, kind):
        return self.row(events.DRAW, -1, deck, slot, kind)

    def buys(self, deck, slot, kind, spot, **paid):
        return self.own(events.BUY, 4 * deck + slot, spot, kind).pays(**paid)

    def skips(self, cows=1):
        self.own(events.SKIP)
        return self.gains(("cows", 1), why="skip") if cows else self

    # The end

    def richest(self, seat, coin=1):
        return self.row(events.RICHEST, seat, coin)

    def ends(self, reason="gold_pan"):
        return self.row(events.END, -1, events.END_REASONS.index(reason))

    def finals(self, seat, **parts):
        for part, vp in parts.items():
            self.row(events.FINAL, seat, PARTS.index(part), vp)
        return self

    def scores(self, *results):
        """Add (score, rank, villain VP) for each seat."""
        for seat, result in enumerate(results):
            self.row(events.SCORE, seat, *result)
        return self
