"""The record of one game of West Story, and how components and rulings are packed into it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.errors import SimError
from sim.games import data, frame
from sim.games.west_story import components as parts
from sim.games.west_story import events, vocabulary
from sim.games.west_story.components import Components, Kind, Rulings

MAX_PLAYERS = 4
MAX_CARDS = 64
MAX_KINDS = 320
MAX_DECK = 192
MAX_ALTERNATIVES = 3
MAX_TERMS = 4
MAX_TOWNS = 8
MAX_AREAS = 24
MAX_PLACES = 12
MAX_TOKENS = 24
MAX_TRACK = 512
MAX_SETS = 4096
MAX_ROUNDS = 60
MAX_ACTIONS = 256
MAX_HERD = 12
MAX_DISCS = 8
CERTIFICATES = 6
FEATURES = len(vocabulary.FEATURES)
EFFECTS = events.SPOTS + MAX_CARDS + MAX_TOWNS
"""Effects by code: those of spaces by spot, of cards, of the towns' wild symbols."""
SYMBOLS = 4
WILD = 1 << SYMBOLS
"""Mask of a wild symbol; the four others are bits 0 to 3."""
NO_KIND = -1
FREE, NEUTRAL = -1, MAX_PLAYERS
"""On a town's symbol: no disc, or one of nobody (two players)."""
QUADRUPLE = WILD - 1
COUNTS = (
    "",
    "animal",
    "building",
    "production card",
    "scoring card",
    "card",
    "villain",
    "disc",
    "cow",
    "most frequent symbol",
    "licence symbol",
    "symbol set",
)
"""What an effect may count, by code; 0 is a flat amount."""
(
    FLAT,
    ANIMALS,
    BUILDINGS,
    PRODUCTION_CARDS,
    SCORING_CARDS,
    CARDS,
    VILLAINS,
    DISCS,
    COWS_OWNED,
    MOST_FREQUENT,
    LICENCE,
    SETS,
) = range(12)
UNLIMITED = 1 << 20

PER_ROUND = ("coins", "cows", "first", "spaces", "effects", "limits", "printed", "wild",
             "villains", "towns", "licence", "end")  # fmt: skip
PER_PURCHASE = ("kind", "spot", "covers", "coins", "hats", "cows")

STATE = np.dtype(
    [
        # rules
        ("players", "i8"),
        ("rotate", "i8"),
        ("last_taken", "i8"),
        ("each_execution", "i8"),
        ("count_cows", "i8"),
        ("licence_vp", "i8"),
        ("villains_at_once", "i8"),
        ("double_wild_cow", "i8"),
        ("wild_third", "i8"),
        ("no_overflow", "i8"),
        ("cows_become_coins", "i8"),
        ("wild_tokens", "i8"),
        ("random_set", "i8"),
        ("even_set", "i8"),
        ("round_cap", "i8"),
        ("most_rounds", "i8"),
        ("hat_limit", "i8"),
        ("cow_limit", "i8"),
        ("hat_bonus_at", "i8"),
        ("hat_bonus", "i8"),
        ("herd_bonus", "i8", MAX_HERD),
        ("pan_coins", "i8"),
        ("lake_at", "i8"),
        ("start_coins", "i8"),
        ("start_cows", "i8"),
        ("pair_vp", "i8"),
        ("cost_top", "i8"),
        ("cost_bottom", "i8"),
        ("stacks", "i8"),
        ("per_stack", "i8"),
        ("pair", "i8", (CERTIFICATES, 2)),
        ("token_at", "i8", 2),
        ("discs_each", "i8"),
        ("most_discs", "i8"),
        # cards; a kind is a card with its symbols
        ("cards", "i8"),
        ("kinds", "i8"),
        ("kind_card", "i8", MAX_KINDS),
        ("kind_symbols", "i8", MAX_KINDS),
        ("kind_copies", "i8", MAX_KINDS),
        ("card_deck", "i8", MAX_CARDS),
        ("card_coins", "i8", MAX_CARDS),
        ("card_hats", "i8", MAX_CARDS),
        ("card_vp", "i8", MAX_CARDS),
        ("card_animal", "i8", MAX_CARDS),
        ("end_amount", "i8", MAX_CARDS),
        ("end_count", "i8", MAX_CARDS),
        ("end_per", "i8", MAX_CARDS),
        ("end_most", "i8", MAX_CARDS),
        ("end_cards", "i8", MAX_CARDS),
        ("n_end_cards", "i8"),
        ("sets", "i8"),
        ("set_cards", "u1", (MAX_SETS, 5)),
        ("space_symbol", "i8", events.SPOTS),
        ("alternatives", "i8", EFFECTS),
        ("terms", "i8", (EFFECTS, MAX_ALTERNATIVES)),
        ("term_what", "i8", (EFFECTS, MAX_ALTERNATIVES, MAX_TERMS)),
        ("term_amount", "i8", (EFFECTS, MAX_ALTERNATIVES, MAX_TERMS)),
        ("term_count", "i8", (EFFECTS, MAX_ALTERNATIVES, MAX_TERMS)),
        ("term_per", "i8", (EFFECTS, MAX_ALTERNATIVES, MAX_TERMS)),
        ("term_most", "i8", (EFFECTS, MAX_ALTERNATIVES, MAX_TERMS)),
        ("flat_hats", "i8", EFFECTS),
        ("counts", "i8", EFFECTS),
        # the track
        ("areas", "i8"),
        ("area_at", "u1", MAX_TRACK),
        ("area_town", "i8", MAX_AREAS),
        ("area_desert", "i8", MAX_AREAS),
        ("area_place", "i8", MAX_AREAS),
        ("towns", "i8"),
        ("town_coins", "i8", MAX_TOWNS),
        ("town_hats", "i8", MAX_TOWNS),
        ("town_vp", "i8", (MAX_TOWNS, MAX_DISCS + 1)),
        ("town_discs", "i8", MAX_TOWNS),
        ("town_symbol", "i8", (MAX_TOWNS, 6)),
        ("places", "i8"),
        ("partner", "i8", MAX_PLACES),
        ("place_area", "i8", MAX_PLACES),
        ("tokens", "i8"),
        ("token_coins", "i8", MAX_TOKENS),
        ("token_hats", "i8", MAX_TOKENS),
        ("token_vp", "i8", MAX_TOKENS),
        ("token_pay", "i8", MAX_TOKENS),
        ("pot_at_start", "i8"),
        ("uncatchable", "i8"),
        ("leaves_at", "i8"),
        # the players
        ("weights", "f8", (MAX_PLAYERS, FEATURES)),
        ("temperature", "f8", MAX_PLAYERS),
        ("indifferent", "i8", MAX_PLAYERS),
        ("cows_first", "i8", MAX_PLAYERS),
        ("forbids_kind", "i8", (MAX_PLAYERS, len(events.ACTIONS))),
        ("forbids_card", "i8", (MAX_PLAYERS, MAX_CARDS)),
        ("forbids_town", "i8", (MAX_PLAYERS, MAX_TOWNS)),
        ("forbids_token", "i8", (MAX_PLAYERS, MAX_TOKENS)),
        # the table
        ("rng", "u8", (4, 4)),
        ("round", "i8"),
        ("first_player", "i8"),
        ("pan", "i8"),
        ("over", "i8"),
        ("producing", "i8"),
        ("die", "i8", 2),
        ("building_set", "i8", 5),
        ("in_play", "i8", MAX_CARDS),
        ("deck", "i8", (3, MAX_DECK)),
        ("deck_first", "i8", 3),
        ("deck_n", "i8", 3),
        ("market", "i8", (3, events.SLOTS)),
        ("stack", "i8", (2, 3)),
        ("stack_n", "i8", 2),
        ("disc", "i8", (MAX_TOWNS, 6)),
        ("token", "i8", MAX_PLACES),
        ("face_up", "i8", MAX_PLACES),
        ("pot_coins", "i8", MAX_PLACES),
        ("pot_cows", "i8", MAX_PLACES),
        ("pile", "i8", MAX_TOKENS),
        ("log_n", "i8"),
        # the seats
        ("coins", "i8", MAX_PLAYERS),
        ("hats", "i8", MAX_PLAYERS),
        ("cows", "i8", MAX_PLAYERS),
        ("vp", "i8", MAX_PLAYERS),
        ("symbol", "i8", SYMBOLS),
        ("certificate", "i8", MAX_PLAYERS),
        ("marks", "i8", MAX_PLAYERS),
        ("top", "i8", (MAX_PLAYERS, events.SPOTS)),
        ("symbols", "i8", (MAX_PLAYERS, events.SPOTS)),
        ("owned", "i8", (MAX_PLAYERS, MAX_CARDS)),
        ("by_count", "i8", (MAX_PLAYERS, len(COUNTS))),
        ("by_symbol", "i8", (MAX_PLAYERS, SYMBOLS)),
        ("discs", "i8", (MAX_PLAYERS, MAX_TOWNS)),
        ("villain_vp", "i8", MAX_PLAYERS),
        ("wild", "i8", MAX_PLAYERS),
        ("wild_ready", "i8", MAX_PLAYERS),
        ("passed", "i8", (MAX_PLAYERS, 2)),
        ("at_lake", "i8", MAX_PLAYERS),
        ("lake_now", "i8", MAX_PLAYERS),
        ("discount", "i8", MAX_PLAYERS),
        ("free_fight", "i8", MAX_PLAYERS),
        ("free_trade", "i8", MAX_PLAYERS),
        # the choice at hand
        ("n_actions", "i8"),
        ("value", "f8", MAX_ACTIONS),
        ("action", "i8", (MAX_ACTIONS, 3)),
        ("feature", "f8", FEATURES),
        ("pay_hats", "i8"),
        ("pay_coins", "i8"),
        ("pay_cows", "i8"),
        ("pay_free", "i8"),
        ("gain", "i8", len(events.GAINS)),
        ("marked", "i8", 3),
        ("marked_how", "i8", 3),
        ("n_marked", "i8"),
        ("worth_here", "f8", events.SPOTS),
        ("executions", "f8", events.SPOTS),
        ("matches", "i8", events.SPOTS),
        ("offer_worth", "f8", 3 * events.SLOTS),
        # what is counted
        ("decisions", "i8"),
        ("ties", "i8"),
        ("lake_coins", "i8"),
        ("bank_coins", "i8"),
        ("vp_spaces", "i8", MAX_PLAYERS),
        ("vp_effects", "i8", MAX_PLAYERS),
        ("vp_limits", "i8", MAX_PLAYERS),
        ("vp_printed", "i8", MAX_PLAYERS),
        ("vp_wild", "i8", MAX_PLAYERS),
        ("certificate_round", "i8", MAX_PLAYERS),
        ("certificate_paid", "i8", MAX_PLAYERS),
        ("covered", "i8", MAX_PLAYERS),
        ("skips", "i8", MAX_PLAYERS),
        ("resets", "i8", MAX_PLAYERS),
        ("bribes", "i8", MAX_PLAYERS),
        ("bribe_paid", "i8", MAX_PLAYERS),
        ("executed", "i8", MAX_PLAYERS),
        ("combos", "i8", MAX_PLAYERS),
        ("combo_cows", "i8", MAX_PLAYERS),
        ("clears", "i8", MAX_PLAYERS),
        ("tokens_used", "i8", MAX_PLAYERS),
        ("lake_round", "i8", MAX_PLAYERS),
        ("rounds_first", "i8", MAX_PLAYERS),
        ("richest_coins", "i8", MAX_PLAYERS),
        ("hats_lost", "i8", MAX_PLAYERS),
        ("score", "i8", MAX_PLAYERS),
        ("seen_of", "i8", MAX_CARDS),
        ("executed_of", "i8", MAX_CARDS),
        ("coins_of", "i8", MAX_CARDS),
        ("hats_of", "i8", MAX_CARDS),
        ("cows_of", "i8", MAX_CARDS),
        ("rounds_of", "i8", MAX_CARDS),
        ("turned_round", "i8", MAX_PLACES),
        ("place_bribes", "i8", MAX_PLACES),
        ("place_paid", "i8", MAX_PLACES),
        ("gone_round", "i8", MAX_PLACES),
        ("winner", "i8", MAX_PLACES),
        ("pot_won", "i8", MAX_PLACES),
        ("token_was", "i8", MAX_PLACES),
        ("spot_by", "i8", (events.SPOTS, 5)),
        ("spot_printed", "i8", events.SPOTS),
        ("spot_cards", "i8", events.SPOTS),
        ("round_log", "i8", (MAX_ROUNDS, MAX_PLAYERS, len(PER_ROUND))),
        ("purchase_log", "i8", (MAX_ROUNDS, MAX_PLAYERS, 2, len(PER_PURCHASE))),
        *data.flow_fields(MAX_PLAYERS, len(vocabulary.ACTS)),
        *data.script_fields(MAX_PLAYERS),
    ],
    align=True,
)
"""Rules, cards, track, players, table, seats, the choice at hand and counters of one game."""


@dataclass(frozen=True)
class Setup(frame.Setup):
    """A cell, ready to be played, and its names."""

    kinds: tuple[Kind, ...]


def spot_names() -> tuple[str, ...]:
    """Return the names of the spots by number."""
    return tuple(
        f"{row}_{space}" for row in ("top", "bottom") for space in range(1, events.ROW_SPOTS + 1)
    )


def forbidden(names: Sequence[str], components: Components) -> dict[str, list[bool]]:
    """Return what a style that forbids these names avoids, by field of the record."""
    return {
        "forbids_kind": [name in names for name in events.ACTIONS],
        "forbids_card": [name in names for name in components.cards],
        "forbids_town": [name in names for name in components.towns],
        "forbids_token": [name in names for name in components.villain_tokens.tokens],
    }


def actions_of(components: Components) -> tuple[str, ...]:
    """Return the names that a style may forbid."""
    return (
        *events.ACTIONS,
        *components.cards,
        *components.towns,
        *components.villain_tokens.tokens,
    )


def check(components: Mapping[str, Any], rulings: Mapping[str, Any], players: int) -> None:
    """Raise SimError when these components cannot be played by so many players."""
    parts.check(components, rulings, players)
    model, ruled = Components(**components), Rulings(**rulings)
    for deck in events.DECKS:
        most = max(deck_sizes(model, ruled, deck))
        if most > MAX_DECK:
            raise SimError(
                f"components.cards: found {most} cards in the {deck} deck; allowed: up to "
                f"{MAX_DECK}"
            )


def deck_sizes(components: Components, rulings: Rulings, deck: str) -> list[int]:
    """Return how many cards a deck has, for each set of building types in use."""
    copies: dict[str, int] = {}
    for kind in parts.card_kinds(components):
        if components.cards[kind.card].deck == deck:
            copies[kind.card] = copies.get(kind.card, 0) + kind.copies
    if deck != "building":
        return [sum(copies.values())]
    sets = parts.sets_in_play(components, rulings)
    return [sum(copies[name] for name in each) for each in sets]


def labels(setup: Setup) -> dict[str, tuple[str, ...]]:
    """Return the names behind each coded column, by code; styles are the caller's."""
    model = Components(**setup.components)
    symbols = tuple(model.symbols.names)
    pairs = tuple(" + ".join(pair) for pair in model.certificates.pairs)
    cards = tuple(model.cards)
    tokens = (*model.villain_tokens.tokens, "uncatchable")
    spots = (*spot_names(), vocabulary.NO_CARD)
    nothing = vocabulary.NO_CARD
    places = tuple(name for name, area in model.areas.items() if area.villain)
    return {
        "end_reason": events.END_REASONS,
        **{f"building_{place}": cards for place in range(5)},
        "symbol": symbols,
        "certificate": (*pairs, nothing),
        "card": (*cards, nothing, vocabulary.NOT_PLAYED),
        "covers": (*cards, nothing),
        "symbols": ("wild", *symbols, *pairs, "other", nothing),
        "spot": spots,
        "place": places,
        "token": tokens,
        "town": tuple(model.towns),
        "act": vocabulary.ACTS,
    }
