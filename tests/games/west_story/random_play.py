"""Whole games of random choices played on the plain table, with payments and orders at random."""

import random
from itertools import product

from sim.games.west_story import endgame, events, gains, phases
from sim.games.west_story.effects import Term
from sim.games.west_story.events import DECKS, PARTS
from sim.games.west_story.logbook import outcome_row
from sim.games.west_story.rulebook import WILD, Deal, Gain, Paid, cards_in_play, lay_out

from .logs import COMPONENTS, Rows
from .table import BASE, rules_for


class RandomGame(Rows):
    """A game from set-up to score; `play` returns its log."""

    def __init__(self, players, seed, components=COMPONENTS, in_play=BASE, **rulings):
        super().__init__(now=-1)
        self.luck = random.Random(seed)
        self.rules = rules_for(players, components, **rulings)
        self.in_play = in_play

    def play(self):
        self.set_up()
        by_pan = False
        while endgame.reason_of_end(self.table, by_pan) is None:
            by_pan = self.round()
        self.finish(endgame.reason_of_end(self.table, by_pan))
        return self.log()

    def shuffled(self, things):
        things = list(things)
        self.luck.shuffle(things)
        return things

    def chance(self, percent):
        return self.luck.randrange(100) < percent

    # Set-up

    def set_up(self):
        rules, parts = self.rules, self.rules.components
        each = parts.certificates.per_stack
        lying = self.shuffled(range(len(rules.pairs)))[: parts.certificates.stacks * each]
        stacks = tuple(tuple(lying[at : at + each]) for at in range(0, len(lying), each))
        decks = [self.shuffled(d.elements()) for d in cards_in_play(rules, self.in_play)]
        deal = Deal(
            buildings=tuple(self.in_play),
            printed=tuple(self.shuffled(range(4))[: rules.players]),
            certificates=stacks,
            tokens=tuple(self.shuffled(range(len(rules.tokens)))[: len(rules.places)]),
            decks=tuple(map(tuple, decks)),
        )
        for place, name in enumerate(deal.buildings):
            self.row(events.SET, -1, place, list(parts.cards).index(name))
        for seat, symbol in enumerate(deal.printed):
            self.row(events.BOARD, seat, symbol)
        for stack, pile in enumerate(stacks):
            for place, certificate in enumerate(pile):
                self.row(events.CERTIFICATE_AT, -1, stack, place, certificate)
        for deck, cards in enumerate(deal.decks):
            for position, kind in enumerate(cards):
                self.row(events.ORDER, -1, deck, position, kind)
        for place, token in enumerate(deal.tokens):
            self.row(events.TOKEN_AT, -1, place, 0, token)
        self.table = lay_out(rules, deal)
        self.refill()

    def refill(self, *decks):
        for drawn in phases.refill(self.table, decks or range(len(DECKS))):
            self.draws(*drawn)

    # A round

    def round(self):
        table = self.table
        self.now = table.round
        table.dice = self.luck.randint(1, 6), self.luck.randint(1, 6)
        self.by(table.first).rolls(*table.dice)
        order = table.order()
        for seat in order:
            self.by(seat).production()
        for coin in gains.at_the_lake(table):
            self.by(coin.seat).lake(int(coin.from_pan))
        for seat in order:
            self.by(seat).player_turn()
        by_pan = endgame.is_over_before_dice(table)
        table.round += 1
        if not by_pan:
            seat, tied = phases.pass_the_dice(table)
            self.richest(seat, int(not tied))
            by_pan = endgame.is_over_after_dice(table)
        return by_pan

    @property
    def player(self):
        return self.table.players[self.actor]

    def give(self, dues, source="", why="effect"):
        """Write gains, and what follows from them: terms of one good in order, else in any."""
        dues, had_bonus = list(dues), False
        while dues:
            due = self.luck.choice(dues)
            if isinstance(due, Term):
                due = next(d for d in dues if isinstance(d, Term) and d.what == due.what)
            dues.remove(due)
            if isinstance(due, Term):
                due = Gain(due.what, gains.amount_of(self.table, self.actor, due), why)
            if not isinstance(due, Gain):
                self.rows.append(outcome_row(due, self.now, self.actor))
            elif (shown := gains.what_is_shown(self.table, self.actor, due)) is not None:
                self.rows.append(outcome_row(shown, self.now, self.actor))
                following = gains.receive(self.table, self.actor, due, source)
                is_bonus = [isinstance(f, Gain) and f.why == "hat_bonus" for f in following]
                pairs = zip(following, is_bonus, strict=True)
                dues += [one for one, bonus in pairs if not (bonus and had_bonus)]
                had_bonus = had_bonus or any(is_bonus)

    def mark(self, spot, why, token=0):
        self.own(events.MARK, spot, why, token)
        self.player.marks |= {spot}

    def execute(self, spot):
        action = self.table.action(self.actor, spot)
        chosen = self.luck.randrange(len(action.alternatives))
        self.executes(spot, chosen)
        source = "effects" if self.player.stacks[spot] else "spaces"
        self.give(action.alternatives[chosen], source)

    def clear(self):
        for row in self.shuffled(phases.full_rows(self.player)):
            self.clears(row)
            phases.clear_row(self.player, row)

    def production(self):
        table, seat = self.table, self.actor
        spots = []
        for line, die in enumerate(table.dice):
            spots.append(phases.spot_for_die(self.player, line, die))
            self.mark(spots[-1], (events.YELLOW, events.GREEN)[line])
        third = phases.combo_spots(table, seat, *spots)
        by_token = third is None and self.player.wild_tokens > 0 and self.chance(60)
        if by_token:
            self.player.wild_tokens -= 1
            third = phases.token_spots(table, seat, *spots)
        if third:
            spots.append(self.luck.choice(third))
            self.mark(spots[-1], events.TOKEN if by_token else events.COMBO, int(by_token))
        elif third is not None:
            self.combo_cow(int(by_token)).give([Gain("cows", 1, "combo")])
        for spot in self.shuffled(spots):
            self.execute(spot)
        self.clear()

    # A turn

    def player_turn(self):
        self.table.turn = self.actor
        self.turn(self.actor)
        self.maybe_certificate()
        place = phases.villain_faced(self.table, self.actor)
        if place is not None:
            self.face(place)
        self.maybe_certificate()
        if self.chance(70):
            self.maybe_trade()
        may_reset = True
        for _ in range(phases.PURCHASES):
            self.maybe_certificate()
            if may_reset and self.chance(20):
                may_reset = not self.maybe_reset()
            self.purchase()
        self.refill()
        self.maybe_certificate()
        phases.end_turn(self.table, self.actor)

    def payments(self, hats, coins, fault):
        """Return all ways to pay up to so many hats and coins that the rules allow."""
        player = self.player
        ways = product(
            range(min(hats, player.hats) + 1),
            range(min(coins, player.coins) + 1),
            range(min(hats + coins, player.cows) + 1),
        )
        return [paid for way in ways if fault(paid := Paid(*way)) is None]

    def costs(self, hats, coins, free=0):
        player = self.player
        return self.payments(
            hats, coins, lambda paid: phases.payment_fault(player, hats, coins, free, paid)
        )

    def face(self, place):
        table, seat = self.table, self.actor
        villain, token = table.token(place), table.token_code(place)
        fights = self.payments(
            villain.hats, villain.coins, lambda paid: phases.fight_fault(table, seat, place, paid)
        )
        bribes = self.payments(
            0, villain.pay, lambda paid: phases.bribe_fault(table, seat, place, paid)
        )
        if fights and (not bribes or self.chance(60)):
            paid = self.luck.choice(fights)
            self.fights(place, token, **paid._asdict())
            phases.pay(table, seat, paid)
            self.give(phases.fight(table, seat, place))
            return
        paid = self.luck.choice(bribes)
        self.bribes(place, token, **paid._asdict())
        phases.bribe(table, seat, place, paid)
        if phases.has_enough(table, place):
            self.leaves(place, token).give(phases.discard_villain(table, place))

    def maybe_certificate(self):
        table, seat = self.table, self.actor
        stacks = [stack for stack, pile in enumerate(table.certificates) if pile]
        if phases.certificate_fault(table, seat) or not stacks or self.chance(60):
            return
        stack, end = self.luck.choice(stacks), self.luck.randrange(2)
        if ways := self.costs(0, phases.certificate_cost(table, stack, end)):
            paid = self.luck.choice(ways)
            certificate = phases.certificate_at(table, stack, end)
            self.certifies(stack, end, certificate, **paid._asdict())
            phases.pay(table, seat, paid)
            phases.take_certificate(table, seat, stack, end)

    def maybe_trade(self):
        table, seat = self.table, self.actor
        town = table.area(seat).town
        symbols = [
            symbol
            for symbol in range(6)
            if town is not None
            and phases.trade_fault(table, seat, town, symbol) is None
            and phases.trade_spots(table, seat, town, symbol)
        ]
        ways = self.costs(*phases.trade_cost(table, seat, town)) if symbols else []
        if not ways:
            return
        symbol, paid = self.luck.choice(symbols), self.luck.choice(ways)
        spot = self.luck.choice(phases.trade_spots(table, seat, town, symbol))
        self.trades(town, symbol, spot, **paid._asdict())
        phases.pay(table, seat, paid)
        phases.put_disc(table, seat, town, symbol)
        self.player.marks |= {spot}
        self.execute(spot)
        if is_early := self.chance(50):
            self.clear()
        if self.rules.towns[town].spots[symbol] == WILD:
            self.give(self.rules.towns[town].wild_bonus.alternatives[0], why="wild_bonus")
        if not is_early:
            self.clear()

    def maybe_reset(self):
        table = self.table
        deck = self.luck.randrange(len(DECKS))
        cards = [(slot, kind) for slot, kind in enumerate(table.market[deck]) if kind is not None]
        ways = self.costs(1, 0)
        if not ways or not cards:
            return False
        cards, paid = self.shuffled(cards)[: self.luck.randint(1, 4)], self.luck.choice(ways)
        self.resets(deck, cards, **paid._asdict())
        phases.pay(table, self.actor, paid)
        for slot, _ in cards:
            phases.put_in_market(table, deck, slot, None)
        phases.change_deck(table, deck, (*table.decks[deck], *(kind for _, kind in cards)))
        self.refill(deck)
        return True

    def purchase(self):
        offers = []
        for deck, row in enumerate(self.table.market):
            for slot, kind in enumerate(row):
                if kind is not None:
                    card = self.rules.cards[kind]
                    ways = self.costs(card.hats, card.coins, self.player.discount)
                    offers += [(deck, slot, kind, self.luck.choice(ways))] if ways else []
        free = [spot for spot in range(12) if spot not in self.player.marks]
        if not offers or self.chance(20):
            self.own(events.SKIP).give(phases.skip(self.table, self.actor))
            return
        deck, slot, kind, paid = self.luck.choice(offers)
        spot = self.luck.choice(free)
        self.buys(deck, slot, kind, spot, **paid._asdict())
        self.give(phases.buy(self.table, self.actor, deck, slot, spot, paid))

    # The end

    def finish(self, reason):
        table, seats = self.table, range(len(self.table.players))
        self.ends(reason)
        for seat in seats:
            parts = endgame.final_parts(table, seat)
            self.finals(seat, **{part: parts[part] for part in PARTS if parts[part]})
        ranks = [0 for _ in seats] if reason == "round_cap" else endgame.ranking(table)
        scores = [endgame.score_of(table, seat) for seat in seats]
        villains = [endgame.villain_vp(table, seat) for seat in seats]
        self.scores(*zip(scores, ranks, villains, strict=True))
