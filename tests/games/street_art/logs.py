"""Event logs written by hand, act by act, and random games played on the rulebook's plain table."""

import random
import tomllib
from collections import Counter
from importlib import resources

import numpy as np

from sim.games.street_art import events
from sim.games.street_art.logbook import Codes, Ended, Scored
from sim.games.street_art.referee import replay
from sim.games.street_art.rulebook import (
    Rules,
    end_of_the_game,
    in_any_order,
    legal_actions,
    ranking,
    set_up,
    take_turn,
)

COMPONENTS = tomllib.loads(
    resources.files("sim.games.street_art").joinpath("components.toml").read_text("utf-8")
)
RULINGS = {
    "hearts": 36,
    "steal_shortfall": "none",
    "brass_band": "instead",
    "reshuffle": "all_piles",
    "game_end": "immediate",
    "turn_cap": 500,
}
KINDS = [*events.SPECIALS, *COMPONENTS["stars"]["cards"]]


def small_deck(hand_size, **copies):
    """Return components with only these cards and a smaller hand."""
    stars = {
        name: star | {"copies": copies.get(name, 0)}
        for name, star in COMPONENTS["stars"]["cards"].items()
    }
    specials = {name: copies.get(name, 0) for name in events.SPECIALS}
    return COMPONENTS | {
        "stars": COMPONENTS["stars"] | {"cards": stars},
        "specials": COMPONENTS["specials"] | {"copies": specials},
        "numbers": COMPONENTS["numbers"] | {"hand_size": hand_size},
    }


class Log:
    """A log by hand: the hands and the next draws as wished, then row after row, unchecked.

    Log(["rain"], ["juggler"]).turn(0).plays("rain").... ; wished hands are filled up with cards
    that nobody asked for. `turn(seat)` starts the next turn.
    """

    def __init__(self, *hands, draws=(), components=COMPONENTS, **rulings):
        self.components = components
        self.rulings = RULINGS | rulings
        self.players = len(hands)
        self.rows = []
        self.now, self.seat = -1, -1
        self._deal([list(hand) for hand in hands], list(draws))

    def _deal(self, hands, draws):
        rules = Rules.read(self.components, self.rulings)
        spare = Counter({card.name: card.copies for card in rules.cards.values()})
        spare.subtract(Counter([*draws, *(card for hand in hands for card in hand)]))
        assert min(spare.values()) >= 0, "more cards wished for than there are"
        rest = sorted(spare.elements(), key=lambda card: (card == "rain", card))
        for hand in hands:
            while len(hand) < rules.hand_size:
                hand.append(rest.pop(0))
        self.hands = hands
        dealt = [card for hand in hands for card in hand]
        self.pile = [*dealt, *draws, *rest][::-1]
        self.kinds = list(rules.cards)
        for position, card in enumerate(self.pile):
            self.row(events.ORDER, -1, position, self.kinds.index(card))
        for seat, hand in enumerate(hands):
            self.seat = seat
            self.draws(len(hand))

    def row(self, event, seat, a=-1, b=-1, c=-1):
        self.rows.append([event, self.now, seat, a, b, c])
        return self

    def turn(self, seat):
        self.now += 1
        self.seat = seat
        return self

    def plays(self, card, count=1, victim=-1):
        return self.row(events.PLAY, self.seat, self.kinds.index(card), count, victim)

    def takes(self, amount):
        return self.row(events.TAKE, self.seat, amount)

    def steals(self, amount, victim):
        return self.row(events.STEAL, self.seat, amount, victim)

    def returns(self, amount, seat):
        return self.row(events.RETURN, seat, amount)

    def collects(self, *cards, rain):
        """Put cards under the draw pile, bottom first."""
        for position, card in enumerate(cards):
            self.row(events.COLLECT, self.seat, position, self.kinds.index(card), int(rain))
        self.pile = [*cards, *self.pile]
        return self

    def draws(self, count=1):
        for _ in range(count):
            self.row(events.DRAW, self.seat, self.kinds.index(self.pile.pop()))
        return self

    def draws_card(self, card):
        """Draw a card wherever it lies."""
        return self.row(events.DRAW, self.seat, self.kinds.index(card))

    def passes(self):
        return self.row(events.PASS, self.seat)

    def ends(self, reason="middle_empty"):
        self.now += 1
        return self.row(events.END, -1, events.END_REASONS.index(reason))

    def scores(self, *hearts, ranks):
        for seat, (amount, rank) in enumerate(zip(hearts, ranks, strict=True)):
            self.row(events.SCORE, seat, amount, rank)
        return self

    def cut_off(self, *hearts):
        """End by a turn cap of as many turns as were played."""
        self.rulings["turn_cap"] = self.now + 1
        return self.ends("turn_cap").scores(*hearts, ranks=[0] * len(hearts))

    def replay(self):
        return replay(np.array(self.rows, np.int32), self.components, self.rulings, self.players)


class Cheats(dict):
    """Logs that must be stopped, by name: (how to build it, the message)."""

    def named(self, message):
        """Register the log that a function builds."""

        def register(build):
            self[build.__name__] = (build, message)
            return build

        return register


def random_log(players, seed, components=COMPONENTS, **rulings):
    """Play a game of random choices on the plain table; return its log and the final table."""
    luck = random.Random(seed)
    rules = Rules.read(components, RULINGS | rulings)
    codes, rows, orders = Codes(rules), [], []
    fair = in_any_order(luck)
    turn = -1

    def shuffle(cards, occasion):
        orders.append(fair(cards, occasion))
        return list(orders[-1])

    def witness(act):
        rows.extend(codes.rows(act, turn))

    table = set_up(rules, players, shuffle, witness)
    rows[:0] = codes.order_rows(orders[0])
    while (reason := end_of_the_game(table)) is None:
        turn = table.turn
        actions = legal_actions(table, table.seat)
        take_turn(table, luck.choice(actions) if actions else None)
    ranks = ranking(table) if reason == "middle_empty" else [0] * players
    rows += codes.rows(Ended(reason), table.turn)
    for seat, player in enumerate(table.players):
        rows += codes.rows(Scored(seat, player.hearts, ranks[seat]), table.turn)
    return np.array(rows, np.int32), table
