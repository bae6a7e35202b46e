"""West Story in plain Python, for the tests: what a seat may do, and what each feature of it is.

An action is done on a picture of the referee's table, and its features are read off before and
after. Written from the features' descriptions; shares no code with the compiled game.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from sim.games.west_story import endgame, gains, phases
from sim.games.west_story.effects import Term
from sim.games.west_story.events import ROW_SPOTS, SLOTS, SPOTS
from sim.games.west_story.rulebook import WILD, Action, Card, Gain, Paid, Player, Table
from sim.games.west_story.vocabulary import FEATURE_NAMES
from sim.players import Style

MARKERS_A_ROUND = 1.3
NEAR_LAKE = 12
FREE_TRADE = 2
NOTHING = Paid(0, 0, 0)


class Act(NamedTuple):
    """Something that a seat may do; what `a` and `b` are hangs on the kind."""

    kind: str
    a: int = -1
    b: int = -1


PASS, SKIP, COW = Act("pass"), Act("skip"), Act("cow")


# Paying


def payment(player: Player, hats: int, coins: int, free: int, cows_first: bool) -> Paid | None:
    """Return how a player pays by its rule, None if it cannot."""
    for _ in range(free):
        if hats > player.hats:
            hats -= 1
        elif coins:
            coins -= 1
        elif hats:
            hats -= 1
    own_hats = min(hats, player.hats)
    left = player.cows - (hats - own_hats)
    for_coins = min(coins, max(left, 0)) if cows_first else max(coins - player.coins, 0)
    if left < for_coins or coins - for_coins > player.coins:
        return None
    return Paid(own_hats, coins - for_coins, hats - own_hats + for_coins)


def bribe(player: Player, asked: int, cows_first: bool) -> Paid:
    """Return what a villain gets of what it asks for."""
    asked = min(asked, player.coins + player.cows)
    first = min(asked, player.cows if cows_first else player.coins)
    return Paid(0, asked - first, first) if cows_first else Paid(0, first, asked - first)


# What is legal


def third(table: Table, seat: int, top: int, bottom: int) -> list[Act]:
    """Return what may be done after the dice have marked two spots, nothing if no choice is due."""
    spots, acts = phases.combo_spots(table, seat, top, bottom), []
    if spots is None:
        if not table.players[seat].wild_tokens:
            return []
        spots, acts = phases.token_spots(table, seat, top, bottom), [PASS]
    return acts + ([Act("spot", spot) for spot in spots] or [COW])


def alternatives(action: Action) -> list[Act]:
    """Return the ways to execute a spot."""
    return [Act("alternative", number) for number in range(len(action.alternatives))]


def certificates(table: Table, seat: int) -> list[Act]:
    """Return the certificates that a seat may buy and can pay."""
    if phases.certificate_fault(table, seat):
        return []
    player = table.players[seat]
    return [
        Act("certificate", stack, end)
        for stack, pile in enumerate(table.certificates)
        for end in range(min(len(pile), 2))
        if phases.certificate_cost(table, stack, end) <= player.coins + player.cows
    ]


def facing(table: Table, seat: int, place: int) -> list[Act]:
    """Return what may be done before a villain."""
    player, token = table.players[seat], table.rules.tokens[table.villains[place].token]
    fights = phases.can_fight(table, seat, place)
    pays = player.coins + player.cows >= token.pay or not fights
    acts = [Act("fight", place)] * fights + [Act("bribe", place)] * pays
    return acts + certificates(table, seat)


def trades(table: Table, seat: int) -> list[Act]:
    """Return what may be done about a trade."""
    acts, town = [PASS], table.area(seat).town
    if town is not None and can_pay(table, seat, *phases.trade_cost(table, seat, town)):
        acts += [
            Act("trade", symbol, spot)
            for symbol in range(len(table.rules.towns[town].spots))
            if phases.trade_fault(table, seat, town, symbol) is None
            for spot in phases.trade_spots(table, seat, town, symbol)
        ]
    return acts + certificates(table, seat)


def can_pay(table: Table, seat: int, hats: int, coins: int, free: int = 0) -> bool:
    return payment(table.players[seat], hats, coins, free, False) is not None


def resets(table: Table, seat: int) -> list[Act]:
    """Return the rows and slots, as a mask, that may be replaced; nothing if it cannot be paid."""
    if not can_pay(table, seat, 1, 0):
        return []
    acts = [PASS]
    for deck, row in enumerate(table.market):
        there = {slot for slot in range(SLOTS) if row[slot] is not None}
        masks = range(1, 1 << SLOTS)
        acts += [Act("reset", deck, mask) for mask in masks if set(slots_of(mask)) <= there]
    return acts


def slots_of(mask: int) -> list[int]:
    return [slot for slot in range(SLOTS) if mask >> slot & 1]


def purchases(table: Table, seat: int) -> list[Act]:
    """Return what may be done about a purchase."""
    player = table.players[seat]
    acts = [
        Act("buy", SLOTS * deck + slot, spot)
        for deck, row in enumerate(table.market)
        for slot, kind in enumerate(row)
        if kind is not None and affordable(table, seat, kind)
        for spot in range(SPOTS)
        if spot not in player.marks
    ]
    return [*acts, SKIP, *certificates(table, seat)]


def affordable(table: Table, seat: int, kind: int) -> bool:
    card = table.rules.cards[kind]
    return can_pay(table, seat, card.hats, card.coins, table.players[seat].discount)


# Doing


@dataclass
class Done:
    """An action done on a picture of the table: what it gained, what it paid."""

    before: Table
    table: Table
    seat: int
    worths: dict[str, int]
    paid: Paid = NOTHING
    gained: list[Gain] = field(default_factory=list)

    @property
    def player(self) -> Player:
        return self.table.players[self.seat]

    @property
    def was(self) -> Player:
        return self.before.players[self.seat]

    def total(self, what: str, *without: str) -> int:
        return sum(g.amount for g in self.gained if g.what == what and g.why not in without)

    def gain(self, due: Iterable[Term | Gain], why: str = "effect") -> None:
        """Gain what is due, in its order, and all that follows; counts are those before."""
        bonus = False
        for one in due:
            waiting: list = [one]
            while waiting:
                what = waiting.pop(0)
                if isinstance(what, Term):
                    what = Gain(what.what, gains.amount_of(self.before, self.seat, what), why)
                if isinstance(what, Gain) and not (bonus and what.why == "hat_bonus"):
                    shown = gains.what_is_shown(self.table, self.seat, what)
                    bonus |= what.why == "hat_bonus"
                    self.gained += [shown] if shown else []
                    waiting += gains.receive(self.table, self.seat, what)


def picture(table: Table, seat: int) -> Table:
    """Return a picture of the table on which one seat alone may change."""
    players = list(table.players)
    players[seat] = replace(players[seat])
    return replace(table, players=tuple(players))


# What features say


def worth_of_symbols(table: Table, seat: int) -> int:
    """What the certificate of a seat, or else its licence, is worth."""
    if table.players[seat].certificate is None:
        return endgame.licence_vp(table, seat)
    return endgame.certificate_vp(table, seat)


def worth_of_ends(table: Table, seat: int) -> int:
    return sum(endgame.card_vp(table, seat))


def with_card(table: Table, seat: int, card: Card) -> Table:
    """Return a picture of the table on which a seat owns one more card."""
    after = picture(table, seat)
    first, *others = after.players[seat].stacks
    after.players[seat].stacks = ((*first, card.kind), *others)
    return after


def worth_to(table: Table, seat: int, card: Card) -> int:
    """VP of a card to a seat, now and at the end."""
    after = with_card(table, seat, card)
    growth = worth_of_symbols(after, seat) - worth_of_symbols(table, seat)
    return card.vp + growth + worth_of_ends(after, seat) - worth_of_ends(table, seat)


def counting(table: Table, seat: int) -> set[int]:
    """Symbols that the licence or certificate of a seat counts."""
    player = table.players[seat]
    if player.certificate is None:
        return {player.printed}
    return set(table.rules.pairs[player.certificate])


def rounds_left(table: Table) -> int:
    """Rounds after this one: a coin of the pan each, less those that are taken at the lake."""
    lake = table.rules.components.pan.bonus_at
    near = sum(not p.at_lake and p.vp >= lake - NEAR_LAKE for p in table.players)
    last_taken = table.rules.rulings.end_test == "last_taken"
    return max(table.pan - near - last_taken, 0)


def executions(marks: frozenset[int], spot: int, markers: float) -> float:
    """Executions of an unmarked spot to be expected of so many markers to come in its row."""
    row = spot // ROW_SPOTS * ROW_SPOTS
    marked = [row + space in marks for space in range(ROW_SPOTS)]
    run = 0
    while marked[(spot - row - 1 - run) % ROW_SPOTS]:
        run += 1
    chance = (1 + run) / ROW_SPOTS
    if markers < 1:
        return chance * markers
    free = ROW_SPOTS - sum(marked)
    others = min(1.0, (markers - 1) / (free - 1)) if free > 1 else min(1.0, markers - 1)
    return chance + (1 - chance) * others + max(0.0, markers - free) / ROW_SPOTS


def matches(table: Table, seat: int, spot: int, action: Action) -> int:
    """Spots of the other row that an action on a spot would make a combo with."""
    other = ROW_SPOTS if spot < ROW_SPOTS else 0
    row = (table.action(seat, other + space) for space in range(ROW_SPOTS))
    return sum(action.matches(one) for one in row)


def yields(table: Table, seat: int, action: Action) -> list[dict[str, float]]:
    """What an execution gives, for each alternative, as `engine_...` features."""
    found = []
    for terms in action.alternatives:
        by_name = dict.fromkeys(("coins", "hats", "cows", "vp", "ability"), 0)
        for term in terms:
            name = term.what if term.what in by_name else "ability"
            amount = gains.amount_of(table, seat, term)
            by_name[name] += FREE_TRADE if term.what == "free_trade" and amount else amount
        found.append({f"engine_{name}": amount for name, amount in by_name.items()})
    return found


def worths(table: Table, seat: int) -> dict[str, int]:
    """What is worth something to a seat at the end beside its marker."""
    return {
        "licence_vp": worth_of_symbols(table, seat),
        "card_vp": worth_of_ends(table, seat),
        "town_vp": sum(endgame.town_vp(table, seat, town) for town in range(len(table.discs))),
        "villain_vp": endgame.villain_vp(table, seat),
    }


def outcome(done: Done) -> dict[str, float]:
    """What is gained and paid, and how things then stand."""
    table, player, was, seat = done.table, done.player, done.was, done.seat
    lake = table.rules.components.pan.bonus_at
    coins = done.total("coins") - done.paid.coins
    rivals = (rival.coins for rival in table.players if rival is not player)
    after, before = worths(table, seat), done.worths
    return {
        "vp": done.total("vp", "villain"),
        "coins": coins,
        "hats": done.total("hats") - done.paid.hats,
        "cows": done.total("cows") - done.paid.cows,
        "ability": done.total("discount")
        + done.total("fight")
        + FREE_TRADE * (done.total("free_trade") > 0),
        "to_lake": min(player.vp, lake) - min(was.vp, lake),
        "reaches_lake": player.vp >= lake and not was.at_lake and done.before.pan > 0,
        "in_town": can_put_disc(table, seat),
        "in_desert": table.area(seat).desert and player.certificate is None,
        "meets_villain": phases.villain_faced(table, seat) is not None,
        "richest": was.coins + coins > max(rivals),
        **{name: vp - before[name] for name, vp in after.items()},
    }


def can_put_disc(table: Table, seat: int) -> bool:
    """Tell whether a marker lies where its seat can put another disc, once it can pay."""
    town = table.area(seat).town
    symbols = range(len(table.rules.towns[town].spots)) if town is not None else ()
    return any(phases.trade_fault(table, seat, town, symbol) is None for symbol in symbols)


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
