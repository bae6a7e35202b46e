"""The set-up of a game of West Story, read from the first rows of its log."""

from collections import Counter

from sim.games.reading import UNUSED
from sim.games.west_story import events
from sim.games.west_story.events import DECKS
from sim.games.west_story.judge import Judge
from sim.games.west_story.logbook import SetUp
from sim.games.west_story.phases import refill
from sim.games.west_story.rulebook import (
    BUILDING_TYPES,
    Deal,
    buildings_fault,
    cards_in_play,
    lay_out,
)

Faces = tuple[int, ...]


def set_up(judge: Judge) -> SetUp:
    """Read the deal and draw the first cards of the market."""
    rules = judge.rules
    buildings = _buildings(judge)
    deal = Deal(
        buildings=buildings,
        printed=_boards(judge),
        certificates=_certificates(judge),
        decks=_decks(judge, buildings),
        tokens=_tokens(judge),
    )
    judge.table = lay_out(rules, deal)
    judge.draws(refill(judge.table))
    judge.check()
    return SetUp(rules, rules.players, deal, judge.table.market)


def _buildings(judge: Judge) -> tuple[str, ...]:
    names = list(judge.rules.components.cards)
    types = []
    for place in range(BUILDING_TYPES):
        due = f"building type {place}"
        found = judge.read(events.SET, UNUSED, 2, due)
        if found[3] != place or not 0 <= found[4] < len(names):
            judge.back()
            judge.unexpected(due)
        types.append(names[found[4]])
    if wrong := buildings_fault(judge.rules, types):
        judge.breach(f"{', '.join(types)} are the building types, but {wrong}")
    return tuple(types)


def _boards(judge: Judge) -> Faces:
    printed: list[int] = []
    for seat in range(judge.rules.players):
        found = judge.read(events.BOARD, seat, 1, "a player board")
        if not 0 <= found[3] < len(judge.rules.symbols) or found[3] in printed:
            judge.refuse("every player takes another of the four boards", seat)
        printed.append(found[3])
    return tuple(printed)


def _certificates(judge: Judge) -> tuple[Faces, ...]:
    costs = judge.rules.components.certificates
    seen: list[int] = []
    for stack in range(costs.stacks):
        for place in range(costs.per_stack):
            due = f"the certificate at place {place} of stack {stack}"
            found = judge.read(events.CERTIFICATE_AT, UNUSED, 3, due)
            if found[3:5] != (stack, place):
                judge.back()
                judge.unexpected(due)
            if not 0 <= found[5] < len(judge.rules.pairs) or found[5] in seen:
                judge.refuse("every certificate is there once")
            seen.append(found[5])
    size = costs.per_stack
    return tuple(tuple(seen[at : at + size]) for at in range(0, len(seen), size))


def _decks(judge: Judge, buildings: tuple[str, ...]) -> tuple[Faces, ...]:
    decks = []
    for deck, due in enumerate(cards_in_play(judge.rules, buildings)):
        cards: list[int] = []
        while judge.reader.is_next(events.ORDER) and len(cards) < due.total():
            named = f"card {len(cards)} of the {DECKS[deck]} deck"
            found = judge.read(events.ORDER, UNUSED, 3, named)
            if found[3:5] != (deck, len(cards)):
                judge.back()
                judge.unexpected(named)
            cards.append(found[5])
        there = Counter(cards)
        for kind in sorted(due | there):
            if there[kind] != due[kind]:
                title = judge.teller.card(kind)
                judge.breach(f"{there[kind]} x {title} in the {DECKS[deck]} deck, not {due[kind]}")
        decks.append(tuple(cards))
    return tuple(decks)


def _tokens(judge: Judge) -> Faces:
    seen: list[int] = []
    for place, area in enumerate(judge.rules.places):
        due = f"the villain token of {area.title}"
        found = judge.read(events.TOKEN_AT, UNUSED, 3, due)
        if found[3:5] != (place, 0):
            judge.back()
            judge.unexpected(due)
        if not 0 <= found[5] < len(judge.rules.tokens) or found[5] in seen:
            judge.refuse("every villain token is there once")
        seen.append(found[5])
    return tuple(seen)
