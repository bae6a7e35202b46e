"""Tells a refereed game of West Story in words, round by round, as a person at the table would.

Seats count from 0; spaces, stacks, rounds and turns from 1, turns over all seats.
"""

import textwrap
from collections.abc import Iterator, Sequence

from sim.games.game import Replay
from sim.games.west_story.effects import show_end
from sim.games.west_story.endgame import card_vp, certificate_pairs, town_vp
from sim.games.west_story.events import DECKS, ROW_SPOTS
from sim.games.west_story.gains import counted as count_of
from sim.games.west_story.logbook import (
    AtTheLake,
    DicePassed,
    Event,
    GameOver,
    Production,
    Result,
    RoundBegins,
    SetUp,
    Turn,
)
from sim.games.west_story.rulebook import NEUTRAL, WILD, Area, Card, Table, Town
from sim.games.west_story.wording import (
    Wording,
    capital,
    cost_words,
    counted,
    effect_words,
    several,
)

WIDTH = 96
MARKER_PARTS = {
    "spaces": "board spaces executed",
    "effects": "cards executed",
    "limits": "hats and cows too many",
    "printed": "printed on cards",
    "wild": "wild symbols of towns",
}
"""VP of the score track by source."""
END_PARTS = {
    "towns": "town discs",
    "licence": "printed symbol",
    "certificate": "certificate",
    "cards": "end rules of cards",
}


def narrate(replay: Replay, style_names: Sequence[str]) -> Iterator[str]:
    """Yield a game line by line; `style_names` names the style at each seat."""
    yield from _Teller(replay, style_names).tell()


def tell_turn(replay: Replay, at: int, style_names: Sequence[str]) -> list[str]:
    """Return what a seat did in the turn that is event `at`, deed by deed."""
    words = Wording(replay.events[0].rules, style_names)
    return words.deeds(replay.events[at], replay.states[at - 1], replay.states[at])


def sources(table: Table, parts: dict[str, int], seat: int) -> dict[str, int]:
    """Return a seat's VP by source in words; `parts` are those added at the end."""
    by = table.players[seat].vp_sources
    told = {text: by[name] for name, text in MARKER_PARTS.items()}
    told["villains"] = by["villains"] + parts["villains"]
    return told | {text: parts[name] for name, text in END_PARTS.items()}


class _Teller:
    """Follows the events and counts the turns."""

    def __init__(self, replay: Replay, style_names: Sequence[str]) -> None:
        self.replay = replay
        self.rules = replay.events[0].rules
        self.say = Wording(self.rules, style_names)
        self.seats = range(self.rules.players)
        self.turns = 0

    def tell(self) -> Iterator[str]:
        """Tell the whole game."""
        states = self.replay.states
        befores = [states[0], *states]
        for event, before, after in zip(self.replay.events, befores, states, strict=False):
            for line in self.event(event, before, after):
                indent = " " * (len(line) - len(line.lstrip()) + 4)
                yield from textwrap.wrap(line, WIDTH, subsequent_indent=indent) or [""]

    def event(self, event: Event, before: Table, after: Table) -> Iterator[str]:
        """Tell an event in lines of any length."""
        match event:
            case SetUp():
                yield from self.set_up(event, after)
            case RoundBegins():
                yield from self.round_begins(event, after)
            case Production():
                yield f"  {self.say.production(event, before)}"
            case AtTheLake():
                yield self.at_the_lake(event, after)
            case Turn():
                yield from self.turn(event, before, after)
            case DicePassed():
                yield f"  {self.say.dice_passed(event, before, after)}"
            case GameOver():
                yield from self.end(event, after)

    # Set-up

    def set_up(self, start: SetUp, table: Table) -> Iterator[str]:
        """Tell what lies on the table and what the cards do."""
        parts = self.rules.components
        each = [
            counted(parts.start.coins, "coin"),
            counted(parts.start.cows, "cow"),
            counted(parts.start.discs, "town disc"),
        ]
        yield (
            f"West Story with {self.rules.players} players: {several(each)} each, "
            f"{counted(table.pan, 'coin')} in the gold pan."
        )
        yield self.rulings()
        for seat in self.seats:
            symbol = self.rules.symbols[start.deal.printed[seat]]
            yield f"Seat {seat} plays {self.say.styles[seat]}; printed symbol {symbol}."
        yield from self.boards()
        yield f"Score track: {'; '.join(map(self.area, self.rules.areas))}."
        yield f"  {' '.join(self.on_the_track())}"
        covered = " (covered ones in brackets)" if self.rules.players == 2 else ""
        yield f"Towns: cost of a trade, VP by number of discs, symbols{covered}"
        for number, town in enumerate(self.rules.towns):
            yield f"  {self.town(town, table.discs[number])}"
        yield from self.certificates(table)
        yield from self.cards(start)
        yield "Market"
        for deck, row in enumerate(start.market):
            there = [kind for kind in row if kind is not None]
            yield f"  {DECKS[deck]}: {self.say.cards(there)}"

    def on_the_track(self) -> Iterator[str]:
        parts, rulings = self.rules.components, self.rules.rulings
        yield f"Villains lie face down, {counted(parts.villain_tokens.coins, 'coin')} on each."
        if rulings.uncatchable_villain:
            leaves = parts.uncatchable.leaves_at
            yield f"The uncatchable one, if it is there, leaves with {leaves} on it."
        yield f"The lake begins at {parts.pan.bonus_at} VP."
        if rulings.wild_tokens:
            yield f"Wild tokens lie at {several(map(str, parts.wild_tokens.at))} VP."

    def rulings(self) -> str:
        told = []
        for name, value in self.rules.rulings.model_dump().items():
            text = " + ".join(value) if isinstance(value, list) else str(value)
            told.append(f"{name} {text.lower() if isinstance(value, bool) else text}")
        return f"Rulings: {', '.join(told)}."

    def boards(self) -> Iterator[str]:
        yield "Spaces of the player boards: yellow die for the top row, green die for the bottom"
        spaces = [
            f"{self.say.symbols(space.symbols)}: {effect_words(space.effect)}"
            for space in self.rules.spaces
        ]
        wide = max(map(len, spaces[:ROW_SPOTS])) + 4
        for space in range(ROW_SPOTS):
            top, bottom = spaces[space], spaces[space + ROW_SPOTS]
            yield f"  {space + 1}  {top:{wide}}{bottom}"

    @staticmethod
    def area(area: Area) -> str:
        """Return `Desert from 21 (villain, certificates)`."""
        there = ["villain"] * (area.place is not None) + ["certificates"] * area.desert
        notes = f" ({', '.join(there)})" if there else ""
        return f"{area.title} from {area.first}{notes}"

    @staticmethod
    def town(town: Town, discs: Sequence[int | None]) -> str:
        """Return the terms of a town in a line."""
        bonus = f" + {effect_words(town.wild_bonus)}" if town.wild_bonus.alternatives[0] else ""
        symbols = []
        for name, owner in zip(town.spots, discs, strict=True):
            told = f"{name}{bonus if name == WILD else ''}"
            symbols.append(f"({told})" if owner == NEUTRAL else told)
        vp = "/".join(map(str, town.disc_vp))
        cost = cost_words(town.hats, town.coins)
        return f"{town.title}: {cost}; {vp} VP; {', '.join(symbols)}"

    def certificates(self, table: Table) -> Iterator[str]:
        costs = self.rules.components.certificates
        yield (
            f"Certificates: {costs.vp_per_pair} VP a pair; {counted(costs.cost_top, 'coin')} from "
            f"the top, {costs.cost_bottom} from the bottom"
        )
        for number, stack in enumerate(table.certificates, start=1):
            yield f"  stack {number}: {' on '.join(map(self.say.certificate, stack))}"

    def cards(self, start: SetUp) -> Iterator[str]:
        """Return what the cards in play cost and do, in columns."""
        there = [
            card
            for card in {card.slug: card for card in self.rules.cards}.values()
            if DECKS[card.deck] != "building" or card.slug in start.deal.buildings
        ]
        rows = [("Cards in play", "cost", "VP", "executed, at the end"), *map(_cells, there)]
        wide = [max(len(row[column]) for row in rows) for column in range(3)]
        for number, row in enumerate(rows):
            texts = (f"{text:{width}}" for text, width in zip(row, [*wide, 0], strict=True))
            line = f"{'  ' if number else ''}{'  '.join(texts)}".rstrip()
            yield from textwrap.wrap(line, WIDTH, subsequent_indent=" " * (sum(wide) + 8))

    # Rounds

    def round_begins(self, event: RoundBegins, table: Table) -> Iterator[str]:
        yield ""
        yield (
            f"Round {event.round + 1}. {capital(self.say.who(event.first))} rolls yellow "
            f"{event.yellow}, green {event.green}. {counted(table.pan, 'coin')} in the gold pan."
        )

    def at_the_lake(self, event: AtTheLake, table: Table) -> str:
        told = several(
            f"seat {coin.seat} takes a coin of the {'gold pan' if coin.from_pan else 'bank'}"
            for coin in event.coins
        )
        return f"  At the lake {told}; {table.pan} left in the pan."

    def turn(self, turn: Turn, before: Table, after: Table) -> Iterator[str]:
        self.turns += 1
        yield f"  Turn {self.turns}: {self.say.turn_begins(turn, before)}."
        for line in self.say.deeds(turn, before, after):
            yield f"    {line}"
        if turn.drawn:
            yield f"    New in the market: {self.say.cards(kind for *_, kind in turn.drawn)}."
        player = after.players[turn.seat]
        left = f"{counted(player.coins, 'coin')}, {counted(player.cows, 'cow')}, {player.vp} VP"
        verb = "rides" if turn.hats_lost == 1 else "ride"
        lost = f"; {counted(turn.hats_lost, 'hat')} {verb} away" if turn.hats_lost else ""
        yield f"    Ends with {left}{lost}."

    # Game End

    def end(self, over: GameOver, table: Table) -> Iterator[str]:
        """Tell why the game ended, the score by source, and who won."""
        yield ""
        length = counted(over.rounds, "round")
        if over.truncated:
            yield f"The round cap ends the game after {length}."
        else:
            yield f"The gold pan is empty: the game is over after {length}."
        yield from self.points(over, table)
        for seat in self.seats:
            yield f"  {self.holdings(seat, table)}"
        if not over.truncated:
            for rank, results in self.say.ranks(over).items():
                names = several(self.say.who(result.seat) for result in results)
                yield f"  {rank}. {names}: {self.ranked(results, over, table)}"
        yield self.say.verdict(over, table)

    @staticmethod
    def ranked(results: Sequence[Result], over: GameOver, table: Table) -> str:
        """Return the score of a rank, with what breaks a tie if others have it too."""
        score, villains = results[0].score, results[0].villain_vp
        told = f"{score} VP{' each' if len(results) > 1 else ''}"
        if sum(result.score == score for result in over.results) == 1:
            return told
        player = table.players[results[0].seat]
        return f"{told}, {villains} VP of villains, {player.coins + player.cows} coins and cows"

    def points(self, over: GameOver, table: Table) -> Iterator[str]:
        """Return the VP of all seats by source, in columns."""
        yield f"  {'VP by source':24}{''.join(f'  seat {seat}' for seat in self.seats)}"
        by_seat = [sources(table, result.parts, result.seat) for result in over.results]
        for text in by_seat[0]:
            if any(by[text] for by in by_seat):
                yield f"  {text:24}{''.join(f'{by[text]:8}' for by in by_seat)}"
        yield f"  {'total':24}{''.join(f'{result.score:8}' for result in over.results)}"

    def holdings(self, seat: int, table: Table) -> str:
        """Return what a seat is left with and what scores at the end."""
        player, rules = table.players[seat], self.rules
        told = [f"{counted(player.coins, 'coin')} and {counted(player.cows, 'cow')}"]
        if player.villains:
            won = (f"{rules.tokens[t].title} ({rules.tokens[t].vp} VP)" for t in player.villains)
            told.append(f"villains {', '.join(won)}")
        towns = (
            f"{town.title} {table.discs_of(seat, number)} ({town_vp(table, seat, number)} VP)"
            for number, town in enumerate(rules.towns)
            if table.discs_of(seat, number)
        )
        told.append(f"discs {', '.join(towns) or 'none'}")
        told.append(f"{counted(len(player.cards), 'card')}, {self.licence(seat, table)}")
        ended = [rules.cards[kind] for kind in player.cards if rules.cards[kind].end is not None]
        if ended:
            worth = zip(ended, card_vp(table, seat), strict=True)
            told.append(f"end rules {', '.join(f'{card.title} ({vp} VP)' for card, vp in worth)}")
        return f"Seat {seat}: {'; '.join(told)}."

    def licence(self, seat: int, table: Table) -> str:
        """Return what counts for a seat's certificate, or else for its printed symbol."""
        player, rules = table.players[seat], self.rules
        if player.certificate is not None:
            pairs = counted(certificate_pairs(table, seat), "pair")
            return f"{pairs} of {self.say.certificate(player.certificate)}"
        return f"{count_of(table, seat, 'licence symbol')} with {rules.symbols[player.printed]}"


def _cells(card: Card) -> tuple[str, str, str, str]:
    cost = cost_words(card.hats, card.coins)
    end = f"; end: {show_end(card.end).replace('vp', 'VP')}" if card.end else ""
    return card.title, cost, str(card.vp), effect_words(card.effect) + end
