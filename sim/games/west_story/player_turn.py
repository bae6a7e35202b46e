"""A player's turn in West Story as the referee follows it: villain, trade, purchases."""

from collections import Counter

from sim.games.reading import UNUSED, row
from sim.games.west_story import events, phases
from sim.games.west_story.events import SLOTS
from sim.games.west_story.judge import Judge
from sim.games.west_story.logbook import (
    Bought,
    Bribed,
    Certified,
    Deed,
    Fought,
    Marked,
    Reset,
    Skipped,
    Traded,
    Turn,
    WildBonus,
)
from sim.games.west_story.production import all_cleared, clear_rows, execute, mark
from sim.games.west_story.rulebook import WILD


class PlayerTurn:
    """Follows one turn; remembers what may be done once only."""

    def __init__(self, judge: Judge, seat: int) -> None:
        self.judge, self.seat = judge, seat
        self.table, self.player = judge.table, judge.table.players[seat]
        self.deeds: list[Deed] = []
        self.drawn: tuple[tuple[int, int, int], ...] = ()
        self.purchases = 0
        self.is_traded = self.is_reset = False

    def follow(self) -> Turn:
        """Follow the turn to its end."""
        judge, seat = self.judge, self.seat
        judge.expect(row(events.TURN, judge.round, seat), "turns go clockwise")
        self.table.turn = seat
        self.face_villain()
        acts = {
            events.CERTIFICATE: self.certificate,
            events.TRADE: self.trade,
            events.RESET: self.reset,
            events.BUY: self.buy,
            events.SKIP: self.skip,
        }
        while (found := judge.reader.ahead()) is not None and found[0] in acts:
            acts[found[0]]()
            judge.check(seat)
        if self.purchases < phases.PURCHASES:
            judge.unexpected(f"purchase {self.purchases + 1} of the turn", seat)
        hats = self.player.hats
        phases.end_turn(self.table, seat)
        return Turn(judge.round, seat, tuple(self.deeds), self.drawn, hats)

    # Villains

    def face_villain(self) -> None:
        """Face the villain of the area, if there is one; a certificate may be bought before."""
        judge, seat = self.judge, self.seat
        place = phases.villain_faced(self.table, seat)
        if place is None:
            return
        while judge.reader.is_next(events.CERTIFICATE):
            self.certificate()
        token = self.table.token_code(place)
        if judge.reader.is_next(events.FIGHT):
            self.fight(place, token)
        else:
            self.bribe(place, token)
        judge.check(seat)

    def villain_row(self, event: int, place: int, token: int) -> None:
        """Read whom the seat faces."""
        judge = self.judge
        due = f"faces {judge.teller.token(token)} on {judge.teller.place(place)}: fights or pays"
        found = judge.read(event, self.seat, 2, due)
        if found[3:5] != (place, token):
            judge.back()
            judge.unexpected(due, self.seat)

    def fight(self, place: int, token: int) -> None:
        """Follow a fight."""
        judge, table, seat = self.judge, self.table, self.seat
        self.villain_row(events.FIGHT, place, token)
        paid = judge.payment(seat, lambda paid: phases.fight_fault(table, seat, place, paid))
        pot = table.villains[place].coins, table.villains[place].cows
        phases.pay(table, seat, paid)
        outcome = judge.settle(seat, phases.fight(table, seat, place))
        self.deeds.append(Fought(place, token, paid, pot, outcome))

    def bribe(self, place: int, token: int) -> None:
        """Follow a payment to a villain."""
        judge, table, seat = self.judge, self.table, self.seat
        self.villain_row(events.BRIBE, place, token)
        paid = judge.payment(seat, lambda paid: phases.bribe_fault(table, seat, place, paid))
        phases.bribe(table, seat, place, paid)
        leaves = phases.has_enough(table, place)
        outcome: tuple = ()
        if leaves:
            leave = row(events.LEAVE, judge.round, UNUSED, place, token)
            judge.expect(leave, "it has got all that it takes")
            outcome = judge.settle(seat, phases.discard_villain(table, place))
        self.deeds.append(Bribed(place, token, paid, leaves, outcome))

    # Town Trades

    def trade(self) -> None:
        """Follow a trade: disc, payment, mark, execution, bonus at a wild symbol."""
        judge, table, seat = self.judge, self.table, self.seat
        found = judge.read(events.TRADE, seat, 2, "a trade")
        town, symbol = found[3:5]
        if wrong := self.no_trade(town, symbol):
            judge.refuse(wrong, seat)
        self.is_traded = True
        cost = phases.trade_cost(table, seat, town)
        paid = judge.payment(
            seat, lambda paid: phases.payment_fault(self.player, *cost, free=0, paid=paid)
        )
        spots = phases.trade_spots(table, seat, town, symbol)
        phases.pay(table, seat, paid)
        phases.put_disc(table, seat, town, symbol)
        spot = mark(judge, seat, spots, events.TRADED)
        self.deeds += [Traded(town, symbol, paid), Marked(spot, "trade")]
        self.deeds.append(execute(judge, seat, [spot]))
        self.deeds += clear_rows(judge, seat)
        if table.rules.towns[town].spots[symbol] == WILD:
            (bonus,) = table.rules.towns[town].wild_bonus.alternatives
            outcome = judge.settle(seat, bonus, why="wild_bonus")
            self.deeds.append(WildBonus(town, outcome))
            self.deeds += clear_rows(judge, seat)
        all_cleared(judge, seat)

    def no_trade(self, town: int, symbol: int) -> str | None:
        """Tell why the seat may not trade now."""
        towns = self.table.rules.towns
        if self.is_traded:
            return "it has traded in this turn"
        if self.purchases or self.is_reset:
            return "trades come before purchases"
        if not (0 <= town < len(towns) and 0 <= symbol < len(towns[town].spots)):
            return "there is no such town or symbol"
        if wrong := phases.trade_fault(self.table, self.seat, town, symbol):
            return wrong
        spots = phases.trade_spots(self.table, self.seat, town, symbol)
        return None if spots else "it has no unmarked spot to execute there"

    # Railroad Certificates

    def certificate(self) -> None:
        """Follow the purchase of a certificate, at any moment of the turn."""
        judge, table, seat = self.judge, self.table, self.seat
        stack, end, certificate = judge.read(events.CERTIFICATE, seat, 3, "a certificate")[3:]
        if wrong := phases.certificate_fault(table, seat):
            judge.refuse(wrong, seat)
        if phases.certificate_at(table, stack, end) != certificate:
            judge.refuse(f"the stacks are {table.certificates}, top first", seat)
        cost = phases.certificate_cost(table, stack, end)
        paid = judge.payment(seat, lambda paid: phases.payment_fault(self.player, 0, cost, 0, paid))
        phases.pay(table, seat, paid)
        phases.take_certificate(table, seat, stack, end)
        self.deeds.append(Certified(stack, end, certificate, paid))
        judge.check(seat)

    # Purchase cards

    def before_purchase(self) -> None:
        """See that the turn has another purchase."""
        if self.purchases == phases.PURCHASES:
            self.judge.refuse(f"a turn has {phases.PURCHASES} purchases", self.seat)

    def after_purchase(self) -> None:
        """Refill the card market when the seat is done purchasing."""
        self.purchases += 1
        if self.purchases == phases.PURCHASES:
            self.drawn = tuple(phases.refill(self.table))
            self.judge.draws(self.drawn)

    def buy(self) -> None:
        """Follow the purchase of a card."""
        judge, table, seat, player = self.judge, self.table, self.seat, self.player
        at, spot, kind = judge.read(events.BUY, seat, 3, "a purchase")[3:]
        self.before_purchase()
        deck, slot = divmod(at, SLOTS)
        if not 0 <= deck < len(table.market) or table.market[deck][slot] != kind or kind < 0:
            judge.refuse("that card does not lie there", seat)
        if wrong := phases.unmarked_fault(table, seat, spot):
            judge.refuse(wrong, seat)
        card = table.rules.cards[kind]
        paid = judge.payment(
            seat,
            lambda paid: phases.payment_fault(player, card.hats, card.coins, player.discount, paid),
        )
        stack = player.stacks[spot]
        covers = stack[-1] if stack else None
        outcome = judge.settle(seat, phases.buy(table, seat, deck, slot, spot, paid))
        self.deeds.append(Bought(deck, slot, kind, spot, covers, paid, outcome))
        self.after_purchase()

    def skip(self) -> None:
        """Follow a purchase that is skipped."""
        judge, seat = self.judge, self.seat
        judge.read(events.SKIP, seat, 0, "a purchase")
        self.before_purchase()
        self.deeds.append(Skipped(judge.settle(seat, phases.skip(self.table, seat))))
        self.after_purchase()

    def reset(self) -> None:
        """Follow the reset of a row of the market: 1 to 4 cards for a hat."""
        judge, table, seat = self.judge, self.table, self.seat
        deck, count = judge.read(events.RESET, seat, 2, "a reset")[3:5]
        self.before_purchase()
        if self.is_reset:
            judge.refuse("it has reset a row in this turn", seat)
        if not (0 <= deck < len(table.market) and 1 <= count <= SLOTS):
            judge.refuse(f"1 to {SLOTS} cards of one row are replaced", seat)
        self.is_reset = True
        paid = judge.payment(seat, lambda paid: phases.payment_fault(self.player, 1, 0, 0, paid))
        phases.pay(table, seat, paid)
        cards = self.returned(deck, count)
        self.put_under(deck, [kind for _, kind in cards])
        drawn = tuple(phases.refill(table, [deck]))
        judge.draws(drawn)
        self.deeds.append(Reset(deck, tuple(cards), paid, drawn))

    def returned(self, deck: int, count: int) -> list[tuple[int, int]]:
        """Read the cards that leave the market, in the order of slots."""
        judge, table = self.judge, self.table
        cards: list[tuple[int, int]] = []
        for number in range(count):
            due = f"card {number + 1} of {count} leaves the market"
            _, slot, kind = judge.read(events.RETURN, UNUSED, 3, due)[3:]
            found = judge.reader.all[judge.reader.at - 1]
            there = found[3] == deck and 0 <= slot < SLOTS and table.market[deck][slot] == kind
            if not there or (cards and slot <= cards[-1][0]):
                judge.refuse("these are the cards of that row, slot by slot, each once")
            phases.put_in_market(table, deck, slot, None)
            cards.append((slot, kind))
        return cards

    def put_under(self, deck: int, cards: list[int]) -> None:
        """Read the order in which cards go under their deck."""
        judge, table = self.judge, self.table
        left = Counter(cards)
        for number in range(len(cards)):
            due = f"card {number} goes under the deck"
            found = judge.read(events.UNDER, UNUSED, 3, due)
            kind = found[5]
            if found[3:5] != (deck, number) or not left[kind]:
                judge.back()
                judge.unexpected(due)
            left[kind] -= 1
            phases.change_deck(table, deck, (*table.decks[deck], kind))
