"""Street Art's components and rulings: their schema, their grades, and the record they become."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sim.games import data, frame
from sim.games.street_art import events

MAX_PLAYERS = 6
MAX_KINDS = 16
MAX_DECK = 256
MAX_HAND = 10
MAX_ACTIONS = 64
"""At most 63: (10 - b + 4) (b + 1) + b with 5 victims and b = 7 of 10 cards Brass Bands."""
MAX_FEATURES = 12
NO_KIND = -1

Grade = Literal["rulebook", "published", "inferred", "assumed"]
Copies = Annotated[int, Field(ge=0, le=60, strict=True)]
Hearts = Annotated[int, Field(ge=0, le=1000, strict=True)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Star(_Table):
    """A Street Star: a title, how many copies, and the hearts it gives."""

    title: str
    copies: Copies
    hearts: Annotated[int, Field(ge=1, le=1000, strict=True)]


class Stars(_Table):
    """The Street Stars by name."""

    source: Grade
    note: str = ""
    cards: Annotated[dict[str, Star], Field(min_length=1, max_length=MAX_KINDS - 4)]


class SpecialCopies(_Table):
    """How many of each Special Card."""

    beatboxer: Copies
    fireworks: Copies
    brass_band: Copies
    rain: Copies


class Specials(_Table):
    """The Special Cards."""

    source: Grade
    note: str = ""
    copies: SpecialCopies


class Numbers(_Table):
    """The numbers in the rules' text."""

    source: Grade
    note: str = ""
    hand_size: Annotated[int, Field(ge=1, le=MAX_HAND, strict=True)]
    fireworks_hearts: Hearts
    brass_band_hearts: Hearts


class Seats(_Table):
    """How many can play."""

    source: Grade
    note: str = ""
    fewest: Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)]
    most: Annotated[int, Field(ge=2, le=MAX_PLAYERS, strict=True)]


class Components(_Table):
    """Everything in the component file."""

    stars: Stars
    specials: Specials
    numbers: Numbers
    seats: Seats


class Rulings(_Table):
    """What the rulebook leaves open."""

    hearts: Annotated[int, Field(ge=1, le=10_000, strict=True)] = 36
    steal_shortfall: Literal["none", "from_middle"] = "none"
    brass_band: Literal["instead", "in_addition"] = "instead"
    reshuffle: Literal["all_piles", "keep_tops"] = "all_piles"
    game_end: Literal["immediate", "finish_round"] = "immediate"
    turn_cap: Annotated[int, Field(ge=1, le=60_000, strict=True)] = 500


STATE = np.dtype(
    [
        # the rules in use
        ("players", "i8"),
        ("rotate", "i8"),
        ("kinds", "i8"),
        ("copies", "i8", MAX_KINDS),
        ("hearts_of", "i8", MAX_KINDS),
        ("is_star", "i8", MAX_KINDS),
        ("is_best_star", "i8", MAX_KINDS),
        ("hand_size", "i8"),
        ("hearts_at_start", "i8"),
        ("shortfall_from_middle", "i8"),
        ("brass_in_addition", "i8"),
        ("keep_tops", "i8"),
        ("finish_round", "i8"),
        ("turn_cap", "i8"),
        # the players
        ("weights", "f8", (MAX_PLAYERS, MAX_FEATURES)),
        ("temperature", "f8", MAX_PLAYERS),
        ("indifferent", "i8", MAX_PLAYERS),
        ("forbids", "i8", (MAX_PLAYERS, MAX_KINDS)),
        # the table
        ("rng", "u8", (4, 4)),
        ("middle", "i8"),
        ("box", "i8"),
        ("hearts", "i8", MAX_PLAYERS),
        ("top", "i8", MAX_PLAYERS),
        ("played_at", "i8", MAX_PLAYERS),
        ("hand", "i8", (MAX_PLAYERS, MAX_KINDS)),
        ("hand_n", "i8", MAX_PLAYERS),
        ("piles", "i8", MAX_KINDS),
        ("deck", "i8", MAX_DECK),
        ("deck_n", "i8"),
        ("turn", "i8"),
        ("seat", "i8"),
        ("over", "i8"),
        ("log_n", "i8"),
        # the choice at hand
        ("n_actions", "i8"),
        ("kind", "i8", MAX_ACTIONS),
        ("brass", "i8", MAX_ACTIONS),
        ("victim", "i8", MAX_ACTIONS),
        ("feature", "f8", MAX_FEATURES),
        ("value", "f8", MAX_ACTIONS),
        # what is counted
        ("decisions", "i8"),
        ("rains", "i8"),
        ("thefts", "i8"),
        ("reshuffles", "i8"),
        ("final_kind", "i8"),
        ("from_middle", "i8", MAX_PLAYERS),
        ("stolen", "i8", MAX_PLAYERS),
        ("lost_to_theft", "i8", MAX_PLAYERS),
        ("lost_to_rain", "i8", MAX_PLAYERS),
        ("held", "i8", (MAX_PLAYERS, MAX_KINDS)),
        ("played", "i8", (MAX_PLAYERS, MAX_KINDS)),
        ("gained", "i8", (MAX_PLAYERS, MAX_KINDS)),
        *data.flow_fields(MAX_PLAYERS, MAX_KINDS),
        *data.script_fields(MAX_PLAYERS),
    ],
    align=True,
)
"""The whole state of one game: rules, players, table and counters in one record."""


@dataclass(frozen=True)
class Setup(frame.Setup):
    """A cell, ready to be played, and its names."""

    kinds: tuple[str, ...]


def kind_names(components: Components) -> tuple[str, ...]:
    """Return the names of the kinds of card by code: the specials, then the stars."""
    return (*events.SPECIALS, *components.stars.cards)


def rules_record(components: Components, rulings: Rulings, players: int) -> np.ndarray:
    """Return a STATE array [1] with the rules filled in and the rest zero."""
    record = np.zeros(1, STATE)
    s = record[0]
    stars = list(components.stars.cards.values())
    specials = components.specials.copies
    counts = [getattr(specials, name) for name in events.SPECIALS]
    s["players"] = players
    s["act_kinds"] = len(counts) + len(stars)
    s["kinds"] = len(counts) + len(stars)
    s["copies"][: s["kinds"]] = counts + [star.copies for star in stars]
    s["hearts_of"][events.FIREWORKS] = components.numbers.fireworks_hearts
    s["hearts_of"][events.BRASS_BAND] = components.numbers.brass_band_hearts
    s["hearts_of"][events.FIRST_STAR : s["kinds"]] = [star.hearts for star in stars]
    s["is_star"][events.FIRST_STAR : s["kinds"]] = 1
    s["is_best_star"] = s["is_star"] * (s["hearts_of"] == max(star.hearts for star in stars))
    s["hand_size"] = components.numbers.hand_size
    s["hearts_at_start"] = rulings.hearts
    s["shortfall_from_middle"] = rulings.steal_shortfall == "from_middle"
    s["brass_in_addition"] = rulings.brass_band == "in_addition"
    s["keep_tops"] = rulings.reshuffle == "keep_tops"
    s["finish_round"] = rulings.game_end == "finish_round"
    s["turn_cap"] = rulings.turn_cap
    return record
