"""My Game's names: features, columns, rulings, titles; plain data that needs no compiler."""

from sim.games import data
from sim.games.game import Column, Feature, Ruling

FEATURES = (
    Feature("sure_steps", "steps that the action goes whatever the die says"),
    Feature("mean_steps", "steps that the action goes on average"),
    Feature("chance_to_end", "chance that the action reaches the end of the track, 0 to 1"),
)
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)

GAME_COLUMNS = (Column("falls", "Falls", "runs that rolled a 1", "u2"),)
SEAT_COLUMNS = (
    Column("walked", "Walked", "steps walked", "i4", score_part=True),
    Column("ran", "Ran", "steps run", "i4", score_part=True),
)

RULINGS = (
    Ruling(
        "game_end",
        ("immediate", "finish_round"),
        "immediate",
        "the game ends with the turn that reaches the end; or everyone gets as many turns",
        "assumed",
    ),
    Ruling(
        "turn_cap",
        ("1000", "any whole number from 1 to 60000"),
        "1000",
        "a game of so many turns is stopped, marked truncated, counted and never scored",
        "assumed",
    ),
)

TITLES = {"track_end": "End of the track", "turn_cap": "Turn cap reached"}
TITLES |= data.column_titles(GAME_COLUMNS, SEAT_COLUMNS)
