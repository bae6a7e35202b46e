"""Scenes: a table laid out as a case needs it, and the rows of a production or turn on it."""

from sim.games.west_story.judge import Judge
from sim.games.west_story.phases import refill
from sim.games.west_story.player_turn import PlayerTurn
from sim.games.west_story.production import follow_production
from sim.games.west_story.referee import Referee
from sim.games.west_story.rulebook import (
    Deal,
    Rules,
    Villain,
    cards_in_play,
    lay_out,
)

from .logs import COMPONENTS, RULINGS, Rows

BASE = ("workshop", "trappers_hut", "ranch", "hotel", "bank")


def rules_for(players=2, components=COMPONENTS, **rulings):
    return Rules.read(components, RULINGS | rulings, players)


def kind_of(rules, text):
    """Return the kind of `bank star wheel` or `mustang`."""
    slug, *symbols = text.split()
    due = {rules.symbols.index(symbol) for symbol in symbols}
    (found,) = [c.kind for c in rules.cards if c.slug == slug and c.symbols == due]
    return found


def plain_deal(rules, buildings=BASE):
    """Return a deal in which nothing is shuffled."""
    size = rules.components.certificates.per_stack
    return Deal(
        buildings=tuple(buildings),
        printed=tuple(range(rules.players)),
        certificates=tuple(
            tuple(range(size * stack, size * stack + size))
            for stack in range(rules.components.certificates.stacks)
        ),
        tokens=tuple(range(len(rules.places))),
        decks=tuple(tuple(deck.elements()) for deck in cards_in_play(rules, buildings)),
    )


class Scene(Rows):
    """A table to be changed before `produces` or `plays` judges the rows written so far.

    The herds are empty at first, so that two purchases can be skipped without a bonus.
    """

    def __init__(self, players=2, buildings=BASE, components=COMPONENTS, **rulings):
        super().__init__()
        self.rules = rules_for(players, components, **rulings)
        self.table = lay_out(self.rules, plain_deal(self.rules, buildings))
        refill(self.table)
        for player in self.table.players:
            player.cows = 0

    def kind(self, text):
        return kind_of(self.rules, text)

    def seat(self, seat, cards=(), marks=(), vp=0, **fields):
        """Change what a seat has; cards as (spot, text), later ones on top."""
        player = self.table.players[seat]
        player.vp, player.vp_by = vp, (vp, *player.vp_by[1:])
        player.at_lake = vp >= self.rules.components.pan.bonus_at
        player.marks = frozenset(marks)
        for spot, text in cards:
            stacks = list(player.stacks)
            stacks[spot] += (self.take(self.kind(text)),)
            player.stacks = tuple(stacks)
        for name, value in fields.items():
            setattr(player, name, value)
        return self

    def take(self, kind):
        """Take a card out of its deck, or out of the market, which is refilled."""
        table, deck = self.table, self.rules.cards[kind].deck
        cards = list(table.decks[deck])
        if kind not in cards:
            slot = table.market[deck].index(kind)
            self.put(deck, slot, cards.pop(0))
        else:
            cards.remove(kind)
        table.decks = (*table.decks[:deck], tuple(cards), *table.decks[deck + 1 :])
        return kind

    def put(self, deck, slot, kind):
        row = list(self.table.market[deck])
        row[slot] = kind
        market = self.table.market
        self.table.market = (*market[:deck], tuple(row), *market[deck + 1 :])

    def offer(self, deck, slot, text):
        """Put a card on a slot of the market; return its kind."""
        old, kind = self.table.market[deck][slot], self.take(self.kind(text))
        old = self.table.market[deck][slot]
        self.put(deck, slot, kind)
        decks = self.table.decks
        self.table.decks = (*decks[:deck], (*decks[deck], old), *decks[deck + 1 :])
        return kind

    def villain(self, place, token, face_up=True, coins=1, cows=0):
        """Put a token on a place, and the one that lay there on its old place."""
        villains = list(self.table.villains)
        tokens = [villain.token for villain in villains]
        if token in tokens:
            other = tokens.index(token)
            villains[other] = villains[other]._replace(token=villains[place].token)
        villains[place] = Villain(token, face_up, coins, cows)
        self.table.villains = tuple(villains)
        return self

    def discs(self, town, *owners):
        """Put discs on the first symbols of a town that are free."""
        symbols = list(self.table.discs[town])
        for owner in owners:
            symbols[symbols.index(None)] = owner
            self.table.players[owner].discs -= 1
        rows = list(self.table.discs)
        rows[town] = tuple(symbols)
        self.table.discs = tuple(rows)
        return self

    def judge(self):
        """Return a judge of the rows, with books that balance."""
        table = self.table
        holders = (*table.players, *table.villains)
        table.coins_out = table.pan + sum(holder.coins for holder in holders)
        table.cows_out = sum(holder.cows for holder in holders)
        judge = Judge(self.log(), self.rules)
        judge.table, judge.round, judge.place = table, 0, "round 1"
        judge.check()
        return judge

    def produces(self, yellow, green, seat=0):
        """Judge the rows as a seat's production; return the event."""
        judge = self.judge()
        self.table.dice = yellow, green
        return self.whole(judge, follow_production(judge, seat))

    def plays(self, seat=0, draws=False):
        """Judge the rows as a seat's turn, cards drawn left out unless said; return the event."""
        judge = self.judge()
        if not draws:
            judge.draws = lambda drawn: None
        return self.whole(judge, PlayerTurn(judge, seat).follow())

    def ends_round(self):
        """Judge the rows as a whole round, and as the end of the game if it ends with it."""
        referee = Referee(self.judge())
        if (reason := referee.play_round()) is not None:
            referee.game_over(reason)
        return self.whole(referee.judge, referee.events)

    def whole(self, judge, event):
        assert judge.reader.ahead() is None, judge.told(judge.reader.ahead())
        return event

    @property
    def players(self):
        return self.table.players


def deeds(event, kind):
    """Return the deeds of one kind."""
    return [deed for deed in event.deeds if isinstance(deed, kind)]
