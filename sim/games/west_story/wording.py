"""How West Story's events are said: spots, cards, prices, gains, marks, turns.

Seats count from 0; spaces, stacks, rounds and turns from 1.
"""

from collections.abc import Iterable, Sequence

from sim.games.west_story.effects import Effect, show_effect
from sim.games.west_story.events import DECKS
from sim.games.west_story.logbook import (
    Bought,
    Bribed,
    Certified,
    Cleared,
    ComboCow,
    Deed,
    DicePassed,
    Executed,
    Fought,
    GameOver,
    Marked,
    Production,
    Reset,
    Result,
    Skipped,
    Traded,
    Turn,
    WildBonus,
    spot_name,
)
from sim.games.west_story.phases import certificate_cost
from sim.games.west_story.rulebook import (
    Flip,
    Gain,
    LakeCoin,
    Outcome,
    Paid,
    Player,
    Rules,
    Table,
    TokenPicked,
    Villain,
)

GOODS = {"hats": "hat", "coins": "coin", "cows": "cow"}
ROWS = ("top", "bottom")
BONUSES = {"hat_bonus": " for its hats", "herd_bonus": " for its herd", "pot": " from it"}


def several(things: Iterable[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    *most, end = things
    return f"{', '.join(most)} and {end}" if most else end


def counted(count: int, noun: str) -> str:
    """Return `1 coin`, `2 coins`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def capital(words: str) -> str:
    """Return words with a capital first letter, the rest as they are."""
    return words[:1].upper() + words[1:]


def goods(hats: int = 0, coins: int = 0, cows: int = 0) -> str:
    """Return `2 hats and 1 coin`, `nothing`."""
    amounts = zip(GOODS.values(), (hats, coins, cows), strict=True)
    return several([counted(amount, good) for good, amount in amounts if amount] or ["nothing"])


def cost_words(hats: int, coins: int) -> str:
    """Return `2 hats + 1 coin`, `free`."""
    return goods(hats, coins).replace(" and ", " + ").replace("nothing", "free")


def price(paid: Paid, hats: int, coins: int) -> str:
    """Return what is paid, and the cost if that is something else."""
    cost = "" if paid == (hats, coins, 0) else f" (cost {goods(hats, coins)})"
    return f"{goods(*paid)}{cost}"


def effect_words(effect: Effect) -> str:
    """Return `2 coins or 1 VP`."""
    return show_effect(effect).replace("vp", "VP") or "nothing"


def gain_words(gain: Gain) -> str:
    """Return `2 hats`, `1 coin for its herd`, `1 VP for 1 cow too many`."""
    what, amount = gain.what, gain.amount
    if gain.why.startswith("too_many_"):
        good = GOODS[gain.why.removeprefix("too_many_")]
        return f"{amount} VP for {counted(amount, good)} too many"
    abilities = {
        "vp": f"{amount} VP",
        "discount": f"a discount of {amount}",
        "fight": f"{amount} free in a fight",
        "free_trade": "a free trade",
    }
    return (abilities.get(what) or counted(amount, GOODS[what])) + BONUSES.get(gain.why, "")


def abilities_of(player: Player) -> list[str]:
    """Return the abilities that a player has for its turn."""
    told = [
        gain_words(Gain(what, amount, "effect"))
        for what, amount in (("discount", player.discount), ("fight", player.fight))
        if amount
    ]
    return told + ["a free trade"] * player.free_trade


def gains(outcome: Iterable[Outcome]) -> list[str]:
    """Return what a seat got, thing by thing."""
    return [gain_words(what) for what in outcome if isinstance(what, Gain)]


def got(outcome: Iterable[Outcome]) -> str:
    """Return what a seat got, `nothing` if it got nothing."""
    return several(gains(outcome) or ["nothing"])


def pot_words(villain: Villain) -> str:
    """Return what lies on a villain token: `2 coins and 1 cow lie on it`."""
    verb = "lies" if villain.coins + villain.cows == 1 else "lie"
    return f"{goods(0, villain.coins, villain.cows)} {verb} on it"


class Wording:
    """Says what happens in a game; `styles` names the style at each seat."""

    def __init__(self, rules: Rules, styles: Sequence[str]) -> None:
        self.rules = rules
        self.styles = tuple(styles)

    # Names

    def who(self, seat: int) -> str:
        """Return `seat 1 (greedy)`."""
        return f"seat {seat} ({self.styles[seat]})"

    def symbols(self, symbols: Iterable[int], between: str = " + ") -> str:
        """Return `star + wheel`, `wild` without any."""
        return between.join(self.rules.symbols[symbol] for symbol in sorted(symbols)) or "wild"

    def card(self, kind: int) -> str:
        """Return `Bank (star + wheel)`."""
        card = self.rules.cards[kind]
        return f"{card.title} ({self.symbols(card.symbols)})"

    def cards(self, kinds: Iterable[int]) -> str:
        """Return cards in a line."""
        return several(map(self.card, kinds))

    def certificate(self, certificate: int) -> str:
        """Return `star + wheel`."""
        return self.symbols(self.rules.pairs[certificate])

    def villain(self, token: int, place: int, verb: str = "") -> str:
        """Return `V3 in Abilene`, with a verb `V3 turns up in Abilene`."""
        villain = self.rules.tokens[token]
        title = villain.title if villain.catchable else "the uncatchable villain"
        return f"{title}{verb and f' {verb}'} in {self.rules.places[place].title}"

    def terms(self, token: int) -> str:
        """Return what a villain costs: `fight 2 hats and 1 coin for 3 VP, or pay 1`."""
        villain = self.rules.tokens[token]
        if not villain.catchable:
            return f"pay {villain.pay}"
        cost = goods(villain.hats, villain.coins)
        return f"fight {cost} for {villain.vp} VP, or pay {villain.pay}"

    # What follows from gains

    def happenings(self, outcome: Iterable[Outcome]) -> list[str]:
        """Return in sentences what else happened while a seat got something."""
        told = []
        for what in outcome:
            if isinstance(what, Flip):
                name = capital(self.villain(what.token, what.place, "turns up"))
                told.append(f"{name} ({self.terms(what.token)}).")
            elif isinstance(what, TokenPicked):
                told.append(f"It picks up a wild token at {what.at} VP.")
            elif isinstance(what, LakeCoin):
                told.append("It reaches the lake and takes a coin of the gold pan.")
        return told

    # Production

    def production(self, event: Production, before: Table) -> str:
        """Return what a seat marks and gets, in sentences."""
        dice = before.dice or (0, 0)
        yellow, green, *rest = event.deeds
        assert isinstance(yellow, Marked)
        assert isinstance(green, Marked)
        marks = several(
            self.marked(mark, die) for mark, die in zip((yellow, green), dice, strict=True)
        )
        told = [f"Seat {event.seat} marks {marks}"]
        executed: list[str] = []
        happened: list[str] = []
        for deed in rest:
            if isinstance(deed, Marked | ComboCow):
                told.append(self.third(deed, before, event.seat, yellow.spot, green.spot))
            elif isinstance(deed, Executed):
                executed.append(self.execution(deed))
            elif isinstance(deed, Cleared):
                happened.append(self.cleared(deed))
            if isinstance(deed, ComboCow | Executed):
                happened += self.happenings(deed.outcome)
        return " ".join([f"{''.join(told)}.", f"It gets {'; '.join(executed)}.", *happened])

    @staticmethod
    def marked(mark: Marked, die: int) -> str:
        """Return a spot that a die marks, and why it is not the die's own."""
        return f"{spot_name(mark.spot)}{f' ({die} is marked)' if mark.moved else ''}"

    def third(
        self, deed: Marked | ComboCow, table: Table, seat: int, yellow: int, green: int
    ) -> str:
        """Return what a combo or a wild token brings, as the end of a sentence."""
        by_token = deed.by_token if isinstance(deed, ComboCow) else deed.why == "token"
        why = "a wild token" if by_token else f"a {self.combo(table, seat, yellow, green)} combo"
        if isinstance(deed, Marked):
            return f", and by {why} {spot_name(deed.spot)}"
        return f"; {why} finds no spot and brings {got(deed.outcome)}"

    def combo(self, table: Table, seat: int, yellow: int, green: int) -> str:
        """Return the symbols in which two marked spots meet."""
        one, other = table.action(seat, yellow), table.action(seat, green)
        is_wild = one.wild or other.wild
        met = one.symbols | other.symbols if is_wild else one.symbols & other.symbols
        return self.symbols(met, " or ")

    def execution(self, deed: Executed) -> str:
        """Return what a spot brings: `2 coins (not 1 VP) from top 6`."""
        spot = spot_name(deed.spot)
        where = spot if deed.card is None else f"{self.rules.cards[deed.card].title} ({spot})"
        return f"{got(deed.outcome)}{self.not_chosen(deed)} from {where}"

    def not_chosen(self, deed: Executed) -> str:
        """Return the alternatives that were not chosen, in brackets."""
        action = self.rules.spaces[deed.spot] if deed.card is None else self.rules.cards[deed.card]
        others = [
            terms for number, terms in enumerate(action.alternatives) if number != deed.alternative
        ]
        return f" (not {effect_words(Effect(tuple(others)))})" if others else ""

    @staticmethod
    def cleared(deed: Cleared) -> str:
        """Return that a row is cleared."""
        return f"Its {ROWS[deed.row]} row is full: the markers come off."

    # A turn

    def turn_begins(self, turn: Turn, before: Table) -> str:
        """Return who plays, where, and with what."""
        player = before.players[turn.seat]
        held = [
            counted(player.coins, "coin"),
            counted(player.hats, "hat"),
            counted(player.cows, "cow"),
            *abilities_of(player),
        ]
        area = before.area(turn.seat).title
        return f"{self.who(turn.seat)}, at {player.vp} VP in {area}, with {several(held)}"

    def deeds(self, turn: Turn, before: Table, after: Table) -> list[str]:
        """Return what a seat does in its turn, a line for each deed."""
        told: list[str] = []
        for deed in turn.deeds:
            line = self.deed(deed, turn.seat, before, after)
            if isinstance(deed, Marked | Executed | Cleared | WildBonus):
                told[-1] += line
            else:
                told.append(line)
            if not isinstance(deed, Marked | Cleared | Traded | Certified | Reset):
                told[-1] = " ".join([told[-1], *self.happenings(deed.outcome)])
        return told

    def deed(self, deed: Deed, seat: int, before: Table, after: Table) -> str:
        """Return a deed in words; parts of a trade go on with its sentence."""
        match deed:
            case Fought():
                return self.fought(deed)
            case Bribed():
                return self.bribed(deed, after)
            case Traded():
                return self.traded(deed, seat, before)
            case Marked():
                return f": marks {spot_name(deed.spot)}"
            case Executed():
                return f" and gets {self.execution(deed)}."
            case Cleared():
                return f" {self.cleared(deed)}"
            case WildBonus():
                return f" The wild symbol brings {got(deed.outcome)}."
            case Certified():
                return self.certified(deed, before)
            case Reset():
                return self.reset(deed)
            case Bought():
                return self.bought(deed)
            case Skipped():
                result = gains(deed.outcome)
                return f"Skips a purchase{f': {several(result)}' if result else ', its herd full'}."
        raise TypeError(f"{type(deed).__name__} is no deed of a turn")

    def fought(self, deed: Fought) -> str:
        """Return a fight."""
        token = self.rules.tokens[deed.token]
        won = gains(deed.outcome)
        if self.rules.rulings.villain_vp == "end":
            won.insert(0, f"{token.vp} VP at the end")
        cost = price(deed.paid, token.hats, token.coins)
        name = self.villain(deed.token, deed.place)
        return f"Fights {name} for {cost}: {several(won or ['nothing'])}."

    def bribed(self, deed: Bribed, after: Table) -> str:
        """Return a payment to a villain."""
        token, name = self.rules.tokens[deed.token], self.villain(deed.token, deed.place)
        if not any(deed.paid):
            told = f"Has nothing to pay {name} with"
        elif sum(deed.paid) < token.pay:
            told = f"Pays {name} all it has, {goods(*deed.paid)} instead of {token.pay}"
        else:
            told = f"Pays {name} {goods(*deed.paid)}"
        if deed.leaves:
            return f"{told}. That villain has got enough and leaves."
        return f"{told}; {pot_words(after.villains[deed.place])}."

    def traded(self, deed: Traded, seat: int, before: Table) -> str:
        """Return a disc put in a town, without what is executed."""
        town = self.rules.towns[deed.town]
        number = before.discs_of(seat, deed.town) + 1
        cost = price(deed.paid, town.hats, town.coins)
        return (
            f"Trades with {town.title} at {town.spots[deed.symbol]} for {cost}, disc {number} "
            f"there ({town.disc_vp[number - 1]} VP)"
        )

    def certified(self, deed: Certified, before: Table) -> str:
        """Return a certificate bought."""
        cost = price(deed.paid, 0, certificate_cost(before, deed.stack, deed.end))
        pair, end = self.certificate(deed.certificate), ROWS[deed.end]
        return f"Buys the certificate {pair} from the {end} of stack {deed.stack + 1} for {cost}."

    def reset(self, deed: Reset) -> str:
        """Return a row of the market reset."""
        gone = self.cards(kind for _, kind in deed.cards)
        come = [kind for _, _, kind in deed.drawn]
        new = f", {self.cards(come)} {'comes' if len(come) == 1 else 'come'}" if come else ""
        verb = "goes" if len(deed.cards) == 1 else "go"
        deck = counted(len(deed.cards), f"{DECKS[deed.deck]} card")
        return f"Resets {deck} for {goods(*deed.paid)}: {gone} {verb} under the deck{new}."

    def bought(self, deed: Bought) -> str:
        """Return a card bought."""
        card = self.rules.cards[deed.card]
        cost = price(deed.paid, card.hats, card.coins)
        over = "" if deed.covers is None else f" over {self.rules.cards[deed.covers].title}"
        won = gains(deed.outcome)
        vp = f": {several(won)}" if won else ""
        return f"Buys {self.card(deed.card)} for {cost} onto {spot_name(deed.spot)}{over}{vp}."

    # Between rounds

    def dice_passed(self, event: DicePassed, before: Table, after: Table) -> str:
        """Return who is richest, where the coin of the gold pan goes, and who has the dice."""
        with_cows = self.rules.rulings.richest == "coins_and_cows"
        wealth = [player.coins + player.cows * with_cows for player in before.players]
        most = max(wealth)
        what = counted(most, "coin")
        if with_cows:
            what = "1 coin or cow" if most == 1 else f"{most} coins and cows"
        dice = "keeps the dice" if event.seat == before.first else "gets the dice"
        left = f"({after.pan} left)"
        if not event.tied:
            pan = f"takes a coin of the gold pan {left}"
            return f"Seat {event.seat} is richest with {what}, {pan} and {dice}."
        tied = several(str(seat) for seat, coins in enumerate(wealth) if coins == most)
        return (
            f"Seats {tied} are richest with {what} each: the coin of the gold pan is discarded "
            f"{left} and seat {event.seat}, next to the left, {dice}."
        )

    # The end

    @staticmethod
    def ranks(over: GameOver) -> dict[int, list[Result]]:
        """Return the results by rank, the best first."""
        ranks: dict[int, list[Result]] = {}
        for result in sorted(over.results, key=lambda result: (result.rank, result.seat)):
            ranks.setdefault(result.rank, []).append(result)
        return ranks

    def verdict(self, over: GameOver, table: Table) -> str:
        """Return in a sentence who won and by what, or that nobody did."""
        if over.truncated:
            return "The game is cut off by the round cap: nobody wins."
        best, *others = self.ranks(over).values()
        names = capital(several(self.who(result.seat) for result in best))
        if len(best) > 1:
            return f"{names} share the win."
        first, second = best[0], others[0][0]
        if first.score > second.score:
            return f"{names} wins by {first.score - second.score} VP."
        if first.villain_vp > second.villain_vp:
            more = f"more VP of villains ({first.villain_vp} to {second.villain_vp})"
        else:
            wealth = [player.coins + player.cows for player in table.players]
            more = f"more coins and cows ({wealth[first.seat]} to {wealth[second.seat]})"
        return f"{names} wins the tie with {more}."
