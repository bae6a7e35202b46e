"""How components and rulings of West Story are packed into the record of a game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.games.west_story import components as parts
from sim.games.west_story import events
from sim.games.west_story.components import Components, Rulings
from sim.games.west_story.effects import Effect, Term, parse_effect, parse_end
from sim.games.west_story.state import (
    COUNTS,
    MAX_CARDS,
    QUADRUPLE,
    STATE,
    UNLIMITED,
    WILD,
    spot_names,
)


def rules_record(components: Components, rulings: Rulings, players: int) -> np.ndarray:
    """Return a STATE array [1] with the rules filled in and the rest zero."""
    record = np.zeros(1, STATE)
    s = record[0]
    s["players"] = players
    _fill_rulings(s, components, rulings)
    _fill_numbers(s, components)
    _fill_cards(s, components)
    _fill_sets(s, components, rulings)
    _fill_track(s, components, rulings)
    return record


def most_rounds(components: Components, rulings: Rulings) -> int:
    """Return how many rounds a game can have: each takes a coin of the gold pan, or the last."""
    coins = components.pan.coins
    by_pan = max(coins, 1) if rulings.end_test == "last_taken" else coins + 1
    return min(by_pan, rulings.round_cap)


def _fill_rulings(s: Any, components: Components, rulings: Rulings) -> None:
    s["last_taken"] = rulings.end_test == "last_taken"
    s["each_execution"] = rulings.hat_bonus == "each_execution"
    s["count_cows"] = rulings.richest == "coins_and_cows"
    s["licence_vp"] = rulings.licence_vp
    s["villains_at_once"] = rulings.villain_vp == "at_once"
    s["double_wild_cow"] = rulings.double_wild == "cow"
    s["wild_third"] = rulings.wild_third
    s["no_overflow"] = rulings.skip_cow_overflow == "nothing"
    s["cows_become_coins"] = rulings.paid_cows == "become_coins"
    s["wild_tokens"] = rulings.wild_tokens
    s["random_set"] = rulings.buildings == "random"
    s["even_set"] = rulings.buildings == "even"
    s["round_cap"] = rulings.round_cap
    s["most_rounds"] = most_rounds(components, rulings)


def _fill_numbers(s: Any, components: Components) -> None:
    s["hat_limit"], s["cow_limit"] = components.limits.hats, components.limits.cows
    s["hat_bonus_at"], s["hat_bonus"] = components.hat_bonus.at, components.hat_bonus.coins
    s["herd_bonus"][: components.limits.cows] = components.herd_bonus.first
    s["pan_coins"], s["lake_at"] = components.pan.coins, components.pan.bonus_at
    s["start_coins"], s["start_cows"] = components.start.coins, components.start.cows
    certificates = components.certificates
    s["pair_vp"] = certificates.vp_per_pair
    s["cost_top"], s["cost_bottom"] = certificates.cost_top, certificates.cost_bottom
    s["stacks"], s["per_stack"] = certificates.stacks, certificates.per_stack
    s["pair"] = [
        [components.symbols.names.index(name) for name in pair] for pair in certificates.pairs
    ]
    s["token_at"] = components.wild_tokens.at
    s["discs_each"] = components.start.discs


def _fill_cards(s: Any, components: Components) -> None:
    kinds = parts.card_kinds(components)
    names = list(components.cards)
    s["cards"], s["kinds"] = len(names), len(kinds)
    for index, kind in enumerate(kinds):
        s["kind_card"][index] = names.index(kind.card)
        s["kind_symbols"][index] = WILD if kind.wild else kind.symbols
        s["kind_copies"][index] = kind.copies
    ends = 0
    for index, card in enumerate(components.cards.values()):
        s["card_deck"][index] = events.DECKS.index(card.deck)
        s["card_coins"][index], s["card_hats"][index] = card.coins, card.hats
        s["card_vp"][index] = card.vp
        s["card_animal"][index] = card.symbols == "wild"
        _fill_effect(s, events.SPOTS + index, parse_effect(card.effect))
        end = parse_end(card.end)
        if end is not None:
            s["end_amount"][index], s["end_count"][index] = end.amount, count_code(end)
            s["end_per"][index], s["end_most"][index] = end.per, most_of(end)
            s["end_cards"][ends] = index
            ends += 1
    s["n_end_cards"] = ends
    spaces = (getattr(components.board, name) for name in spot_names())
    for spot, space in enumerate(spaces):
        s["space_symbol"][spot] = 1 << components.symbols.names.index(space.symbol)
        _fill_effect(s, spot, parse_effect(space.effect))
    for town, table in enumerate(components.towns.values()):
        _fill_effect(s, events.SPOTS + MAX_CARDS + town, parse_effect(table.wild_bonus))


def _fill_effect(s: Any, code: int, effect: Effect) -> None:
    s["alternatives"][code] = len(effect.alternatives)
    s["counts"][code] = any(term.count for terms in effect.alternatives for term in terms)
    for index, terms in enumerate(effect.alternatives):
        s["terms"][code, index] = len(terms)
        for place, term in enumerate(in_order(terms)):
            s["term_what"][code, index, place] = events.GAINS.index(term.what)
            s["term_amount"][code, index, place] = term.amount
            s["term_count"][code, index, place] = count_code(term)
            s["term_per"][code, index, place] = term.per
            s["term_most"][code, index, place] = most_of(term)
    if len(effect.alternatives) == 1:
        flat = [term.amount for term in effect.alternatives[0] if term.what == "hats"]
        s["flat_hats"][code] = sum(flat)


def in_order(terms: Sequence[Term]) -> list[Term]:
    """Return terms as they are executed: coins, hats, cows, VP, abilities."""
    return sorted(terms, key=lambda term: events.GAINS.index(term.what))


def count_code(term: Term) -> int:
    """Return the code of what a term counts."""
    return COUNTS.index(term.count)


def most_of(term: Term) -> int:
    """Return the most that a term can give."""
    return UNLIMITED if term.most is None else term.most


def _fill_sets(s: Any, components: Components, rulings: Rulings) -> None:
    names = list(components.cards)
    sets = parts.sets_in_play(components, rulings)
    s["sets"] = len(sets)
    for index, each in enumerate(sets):
        s["set_cards"][index] = [names.index(name) for name in each]


def _fill_track(s: Any, components: Components, rulings: Rulings) -> None:
    towns = list(components.towns)
    _fill_towns(s, components)
    areas = list(components.areas.values())
    s["areas"] = len(areas)
    s["area_place"] = -1
    s["partner"] = -1
    places: list[int] = []
    for index, area in enumerate(areas):
        s["area_at"][area.first :] = index
        s["area_town"][index] = towns.index(area.town) if area.town else -1
        s["area_desert"][index] = area.desert
        if area.villain:
            s["area_place"][index] = len(places)
            s["place_area"][len(places)] = index
            places.append(index)
    s["places"] = len(places)
    if rulings.dodge_city == "together":
        _join_places(s, [areas[index].town for index in places])
    _fill_tokens(s, components, rulings)


def _join_places(s: Any, towns: Sequence[str]) -> None:
    """Let the villain places of one town share their tokens."""
    for place, town in enumerate(towns):
        for other in range(place):
            if town and towns[other] == town and s["partner"][other] < 0:
                s["partner"][place], s["partner"][other] = other, place


def _fill_towns(s: Any, components: Components) -> None:
    symbols = {name: 1 << code for code, name in enumerate(components.symbols.names)}
    symbols |= {"quadruple": QUADRUPLE, "wild": WILD}
    s["towns"] = len(components.towns)
    for index, town in enumerate(components.towns.values()):
        s["town_coins"][index], s["town_hats"][index] = town.coins, town.hats
        s["town_vp"][index, 1 : len(town.disc_vp) + 1] = town.disc_vp
        s["town_discs"][index] = len(town.disc_vp)
        s["town_symbol"][index] = [symbols[spot] for spot in town.spots]


def _fill_tokens(s: Any, components: Components, rulings: Rulings) -> None:
    tokens = list(components.villain_tokens.tokens.values())
    for index, token in enumerate(tokens):
        s["token_coins"][index], s["token_hats"][index] = token.coins, token.hats
        s["token_vp"][index], s["token_pay"][index] = token.vp, token.pay
    s["pot_at_start"] = components.villain_tokens.coins
    s["uncatchable"] = -1
    s["leaves_at"] = components.uncatchable.leaves_at
    s["tokens"] = len(tokens)
    if rulings.uncatchable_villain:
        s["uncatchable"] = len(tokens)
        s["token_pay"][len(tokens)] = components.uncatchable.pay
        s["tokens"] = len(tokens) + 1
