"""My Game's components and rulings: their schema, and the record that they become."""

from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from my_game import events, vocabulary
from sim.games import data

MAX_PLAYERS = 4
MAX_ACTIONS = len(events.ACTS)

Grade = Literal["rulebook", "published", "inferred", "assumed"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Track(_Table):
    """The way to go."""

    source: Grade
    note: str = ""
    length: Annotated[int, Field(ge=1, le=1000, strict=True)]


class Moves(_Table):
    """How far an act goes."""

    source: Grade
    note: str = ""
    walk: Annotated[int, Field(ge=1, le=100, strict=True)]
    sides: Annotated[int, Field(ge=2, le=100, strict=True)]


class Components(_Table):
    """Everything in the component file."""

    track: Track
    moves: Moves


class Rulings(_Table):
    """What the rules leave open."""

    game_end: Literal["immediate", "finish_round"] = "immediate"
    turn_cap: Annotated[int, Field(ge=1, le=60_000, strict=True)] = 1000


STATE = np.dtype(
    [
        # the rules in use
        ("players", "i8"),
        ("rotate", "i8"),
        ("length", "i8"),
        ("walk", "i8"),
        ("sides", "i8"),
        ("finish_round", "i8"),
        ("turn_cap", "i8"),
        # the players
        ("weights", "f8", (MAX_PLAYERS, len(vocabulary.FEATURES))),
        ("temperature", "f8", MAX_PLAYERS),
        ("indifferent", "i8", MAX_PLAYERS),
        ("forbids", "i8", (MAX_PLAYERS, len(events.ACTS))),
        # the table
        ("rng", "u8", (4, 4)),
        ("steps", "i8", MAX_PLAYERS),
        ("turn", "i8"),
        ("seat", "i8"),
        ("over", "i8"),
        ("log_n", "i8"),
        # the choice at hand
        ("n_actions", "i8"),
        ("act", "i8", MAX_ACTIONS),
        ("feature", "f8", len(vocabulary.FEATURES)),
        ("value", "f8", MAX_ACTIONS),
        # what is counted
        ("decisions", "i8"),
        ("falls", "i8"),
        ("walked", "i8", MAX_PLAYERS),
        ("ran", "i8", MAX_PLAYERS),
        *data.flow_fields(MAX_PLAYERS, len(events.ACTS)),
        *data.script_fields(MAX_PLAYERS),
    ],
    align=True,
)
"""The whole state of one game: rules, players, table and counters in one record."""


def rules_record(components: Components, rulings: Rulings, players: int) -> np.ndarray:
    """Return a STATE array [1] with the rules filled in and the rest zero."""
    record = np.zeros(1, STATE)
    s = record[0]
    s["players"] = players
    s["act_kinds"] = len(events.ACTS)
    s["length"] = components.track.length
    s["walk"] = components.moves.walk
    s["sides"] = components.moves.sides
    s["finish_round"] = rulings.game_end == "finish_round"
    s["turn_cap"] = rulings.turn_cap
    return record
