"""A style at a choice of West Story, in plain Python for the tests: weights . features of acts."""

from dataclasses import dataclass
from functools import cached_property

from sim.games.west_story import gains, phases
from sim.games.west_story.events import ROW_SPOTS, SLOTS, SPOTS
from sim.games.west_story.rulebook import WILD, Card, Gain, Paid, Player, Table
from sim.games.west_story.vocabulary import FEATURE_NAMES
from sim.players import Style

from .legal import Act, affordable, bribe, payment, slots_of
from .plain import (
    MARKERS_A_ROUND,
    NOTHING,
    Done,
    counting,
    executions,
    matches,
    outcome,
    picture,
    rounds_left,
    with_card,
    worth_of_symbols,
    worth_to,
    worths,
    yields,
)


@dataclass
class Mind:
    """A style at a seat, and what it makes of a table at a choice.

    `spot` is the marked spot whose alternatives are weighed, `tokens` the wild tokens that a third
    spot costs, `last` whether the purchase is the turn's last.
    """

    style: Style
    table: Table
    seat: int
    spot: int = -1
    tokens: int = 0
    last: bool = False

    @cached_property
    def weights(self) -> dict[str, float]:
        assert set(self.style.weights) <= set(FEATURE_NAMES)
        return {name: weight for name, weight in self.style.weights.items() if weight}

    @property
    def player(self) -> Player:
        return self.table.players[self.seat]

    def sum(self, features: dict[str, float]) -> float:
        weights = self.weights
        return sum(weights[name] * value for name, value in features.items() if name in weights)

    def avoids(self, act: Act) -> bool:
        """Tell whether the style forbids an act."""
        names = {act.kind}
        if act.kind == "fight":
            names.add(self.token_names[self.table.villains[act.a].token])
        if act.kind == "trade":
            names.add(self.table.rules.towns[self.town].slug)
        if act.kind == "buy":
            names.add(self.card(act.a).slug)
        if self.tokens and act.kind in ("spot", "cow"):
            names.add("token")
        return not names.isdisjoint(self.style.forbid)

    @property
    def token_names(self) -> list[str]:
        return [*self.table.rules.components.villain_tokens.tokens, "uncatchable"]

    @property
    def town(self) -> int:
        town = self.table.area(self.seat).town
        assert town is not None
        return town

    def card(self, offer: int) -> Card:
        kind = self.table.market[offer // SLOTS][offer % SLOTS]
        assert kind is not None
        return self.table.rules.cards[kind]

    # What acts cost

    def paid(self, act: Act) -> Paid:
        """Return what an act costs a seat of this style."""
        player, table = self.player, self.table
        if act.kind in ("fight", "bribe"):
            token = table.rules.tokens[table.villains[act.a].token]
            if act.kind == "bribe":
                return bribe(player, token.pay, self.cows_first)
            return self.price(token.hats, token.coins, player.fight)
        if act.kind == "trade":
            return self.price(*phases.trade_cost(table, self.seat, self.town))
        if act.kind == "certificate":
            return self.price(0, phases.certificate_cost(table, act.a, act.b))
        if act.kind == "reset":
            return self.price(1, 0)
        if act.kind == "buy":
            card = self.card(act.a)
            return self.price(card.hats, card.coins, player.discount)
        return NOTHING

    def price(self, hats: int, coins: int, free: int = 0) -> Paid:
        paid = payment(self.player, hats, coins, free, self.cows_first)
        assert paid is not None
        return paid

    @property
    def cows_first(self) -> bool:
        weights = self.style.weights
        return weights.get("coins", 0.0) > weights.get("cows", 0.0)

    # What acts are worth

    def value(self, act: Act) -> float:
        """Return weights . features of an act; of several ways to do it, of the best."""
        if not self.weights:
            return 0.0
        if act.kind == "buy":
            return self.of_card[act.a] + self.on_spot(act.a, act.b)
        if act.kind == "reset":
            return self.of_reset + self.sum({"reset_gain": self.reset_gain(act)})
        return max(self.sum(features) for features in self.ways(act))

    def ways(self, act: Act) -> list[dict[str, float]]:
        """Return the features of each way to do an act that is no purchase of a card."""
        if act.kind in ("spot", "alternative", "trade"):
            spot = {"spot": act.a, "trade": act.b}.get(act.kind, self.spot)
            numbers = range(len(self.table.action(self.seat, spot).alternatives))
            only = [act.a] if act.kind == "alternative" else numbers
            return [self.executed(act, spot, number) for number in only]
        done = self.begin(act)
        more = getattr(self, f"do_{act.kind}")(done, act)
        return [outcome(done) | more]

    @cached_property
    def worths(self) -> dict[str, int]:
        return worths(self.table, self.seat)

    def picture(self) -> Done:
        return Done(self.table, picture(self.table, self.seat), self.seat, self.worths)

    def begin(self, act: Act) -> Done:
        """Return a picture of the table on which an act is paid."""
        done = self.picture()
        done.paid = self.paid(act)
        phases.pay(done.table, self.seat, done.paid)
        return done

    def executed(self, act: Act, spot: int, number: int) -> dict[str, float]:
        """Return the features of marking and executing a spot, or of executing a marked one."""
        done, rules = self.begin(act), self.table.rules
        more: dict[str, float] = {"token": self.tokens, "trade": act.kind == "trade"}
        if act.kind == "trade":
            phases.put_disc(done.table, self.seat, self.town, act.a)
        if act.kind != "alternative":
            done.player.marks |= {spot}
            more["clears_row"] = spot // ROW_SPOTS in phases.full_rows(done.player)
        done.gain(self.table.action(self.seat, spot).alternatives[number])
        if act.kind == "trade" and rules.towns[self.town].spots[act.a] == WILD:
            done.gain(rules.towns[self.town].wild_bonus.alternatives[0], "wild_bonus")
        return outcome(done) | more

    def do_pass(self, done: Done, act: Act) -> dict[str, float]:
        return {}

    def do_cow(self, done: Done, act: Act) -> dict[str, float]:
        done.gain([Gain("cows", 1, "combo")])
        return {"token": self.tokens}

    def do_fight(self, done: Done, act: Act) -> dict[str, float]:
        done.gain([g for g in phases.fight(done.table, self.seat, act.a) if isinstance(g, Gain)])
        return {"fight": 1}

    def do_bribe(self, done: Done, act: Act) -> dict[str, float]:
        villain = done.table.villains[act.a]
        paid = villain._replace(coins=villain.coins + done.paid.coins + done.paid.cows)
        gains.put_villain(done.table, act.a, paid)
        if phases.has_enough(done.table, act.a):
            phases.discard_villain(done.table, act.a)
        return {}

    def do_certificate(self, done: Done, act: Act) -> dict[str, float]:
        phases.take_certificate(done.table, self.seat, act.a, act.b)
        growth = worth_of_symbols(done.table, self.seat) - worth_of_symbols(self.table, self.seat)
        played = self.table.round + 1
        whole = played + rounds_left(self.table)
        return {"certificate": 1, "certificate_vp": growth * whole / played}

    def do_skip(self, done: Done, act: Act) -> dict[str, float]:
        done.gain(phases.skip(done.table, self.seat))
        return {"skip": 1, "hats_lost": done.player.hats * self.last}

    @cached_property
    def of_reset(self) -> float:
        """What a reset is worth, whatever is replaced."""
        return self.sum(outcome(self.begin(Act("reset"))) | {"reset": 1})

    def reset_gain(self, act: Act) -> float:
        mean = sum(self.offers.values()) / len(self.offers)
        return sum(mean - self.offers[SLOTS * act.a + slot] for slot in slots_of(act.b))

    # Cards

    @cached_property
    def affordable(self) -> list[int]:
        """Cards on offer that can be paid."""
        market = [kind for row in self.table.market for kind in row]
        return [
            offer
            for offer, kind in enumerate(market)
            if kind is not None and affordable(self.table, self.seat, kind)
        ]

    @cached_property
    def of_card(self) -> dict[int, float]:
        """What each card is worth wherever it is put."""
        return {offer: self.sum(self.bought(offer)) for offer in self.affordable}

    def bought(self, offer: int) -> dict[str, float]:
        """Return the features of buying a card, wherever it is put."""
        seat, card, act = self.seat, self.card(offer), Act("buy", offer, 0)
        done = self.picture()
        done.paid = self.paid(act)
        done.gain(phases.buy(done.table, seat, *divmod(offer, SLOTS), 0, done.paid))
        rivals = (other for other in range(len(self.table.players)) if other != seat)
        denied = "denied" in self.weights
        return outcome(done) | {
            "card": 1,
            "production_card": card.deck == 0,
            "animal": card.wild,
            "building": card.deck == 2,
            "symbol_card": bool(card.symbols & counting(self.table, seat)),
            "denied": max(worth_to(self.table, rival, card) for rival in rivals) if denied else 0,
            "hats_lost": done.player.hats * self.last,
        }

    def on_spot(self, offer: int, spot: int) -> float:
        """Return the value of what a card changes on a spot: the engine and its combos."""
        times = executions(self.player.marks, spot, MARKERS_A_ROUND * self.left)
        card = self.card(offer)
        more = matches(self.table, self.seat, spot, card) - self.combos_here[spot]
        combos = {"combos": self.left * more / ROW_SPOTS**2}
        return times * (self.of_yield[offer] - self.here[spot]) + self.sum(combos)

    @cached_property
    def left(self) -> int:
        return rounds_left(self.table)

    @cached_property
    def of_yield(self) -> dict[int, float]:
        """What an execution of each card is worth once it is bought."""
        found = {}
        for offer in self.affordable:
            card = self.card(offer)
            after = with_card(self.table, self.seat, card)
            found[offer] = max(map(self.sum, yields(after, self.seat, card)))
        return found

    @cached_property
    def here(self) -> list[float]:
        """What an execution of each spot is worth."""
        actions = (self.table.action(self.seat, spot) for spot in range(SPOTS))
        return [max(map(self.sum, yields(self.table, self.seat, one))) for one in actions]

    @cached_property
    def combos_here(self) -> list[int]:
        table, seat = self.table, self.seat
        return [matches(table, seat, spot, table.action(seat, spot)) for spot in range(SPOTS)]

    @cached_property
    def offers(self) -> dict[int, float]:
        """What each card on offer is worth on its best spot, 0 if it is not to be had."""
        unmarked = [spot for spot in range(SPOTS) if spot not in self.player.marks]
        found = {}
        for offer, kind in enumerate(kind for row in self.table.market for kind in row):
            if kind is not None:
                found[offer] = 0.0
                if offer in self.affordable and not self.avoids(Act("buy", offer)):
                    found[offer] = max(self.value(Act("buy", offer, spot)) for spot in unmarked)
        return found
