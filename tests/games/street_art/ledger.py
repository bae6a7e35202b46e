"""A ledger of cards and hearts: follows a log row by row and asks only where each of them is."""

from collections import Counter

import numpy as np

from sim.games.street_art import events
from sim.games.street_art.components import Setup


class Ledger:
    """Where every card and heart of a game is."""

    def __init__(self, setup: Setup) -> None:
        s = setup.record[0]
        self.keeps_tops = bool(s["keep_tops"])
        self.copies = Counter(dict(enumerate(s["copies"][: s["kinds"]].tolist())))
        self.total = int(s["hearts_at_start"])
        self.players = int(s["players"])
        self.deck: list[int] = []
        self.hands = [Counter() for _ in range(self.players)]
        self.piles: list[list[int]] = [[] for _ in range(self.players)]
        self.hearts = [0] * self.players
        self.middle, self.box = self.total, 0

    def follow(self, log: np.ndarray) -> None:
        """Follow a whole log; raise AssertionError where a card or heart gets lost or is made."""
        rows = log.tolist()
        at = 0
        while at < len(rows):
            event = rows[at][0]
            block = at + 1
            while event in (events.ORDER, events.COLLECT) and rows[block][0] == event:
                block += 1
            self._step(event, rows[at:block])
            self._check()
            at = block
        assert [row[3] for row in rows if row[0] == events.SCORE] == self.hearts

    def _check(self) -> None:
        held = [self.middle, self.box, *self.hearts]
        assert min(held) >= 0
        assert sum(held) == self.total
        cards = Counter(self.deck)
        for hand, pile in zip(self.hands, self.piles, strict=True):
            assert min(hand.values(), default=0) >= 0
            cards.update(hand)
            cards.update(pile)
        assert +cards == +self.copies

    def _step(self, event: int, rows: list[list[int]]) -> None:
        _, _, seat, a, b, _ = rows[0]
        if event == events.ORDER:
            assert [row[3] for row in rows] == [*range(len(rows))]
            self.deck = [row[4] for row in rows]
        elif event == events.DRAW:
            assert self.deck.pop() == a
            self.hands[seat][a] += 1
        elif event == events.PLAY:
            self.hands[seat][a] -= b
            self.piles[seat] += [a] * b
        elif event == events.TAKE:
            self.middle -= a
            self.hearts[seat] += a
        elif event == events.STEAL:
            self.hearts[b] -= a
            self.hearts[seat] += a
        elif event == events.RETURN:
            self.hearts[seat] -= a
            self.box += a
        elif event == events.COLLECT:
            self._collect(rows)

    def _collect(self, rows: list[list[int]]) -> None:
        by_rain = rows[0][5] == 1
        assert by_rain or not self.deck
        assert [row[3] for row in rows] == [*range(len(rows))]
        stays = 1 if self.keeps_tops and not by_rain else 0
        self.piles = [pile[len(pile) - stays :] if pile else [] for pile in self.piles]
        self.deck = [row[4] for row in rows] + self.deck
