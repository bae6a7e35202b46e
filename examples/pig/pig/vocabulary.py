"""Pig's names: features, columns, rulings, titles; plain data that needs no compiler."""

from sim.games import data
from sim.games.game import Column, Feature, Ruling

END_RACE = 29
"""So close to the goal `keep_pace` rolls for it: at 71 of 100 (Neller and Presser 2010)."""

FEATURES = (
    Feature("roll", "1 for rolling on"),
    Feature("turn_total", "for holding: the points of the turn, which are then safe"),
    Feature("reaches_goal", "for holding: 1 if it reaches the goal"),
    Feature("behind", "for rolling on: how many points the best of the others is ahead"),
    Feature("end_race", f"for rolling on: 1 if anybody is within {END_RACE} points of the goal"),
    Feature(
        "optimal",
        "1 for what optimal play of two would do, against the best of the others",
    ),
)
FEATURE_NAMES = tuple(feature.name for feature in FEATURES)

GAME_COLUMNS = (Column("busts", "Busts", "turns that ended with a 1", "u2"),)
SEAT_COLUMNS = (
    Column("own_turns", "Own turns", "turns that the seat had", "u2"),
    Column("rolls", "Rolls", "times that it rolled the die", "u4"),
    Column("own_busts", "Own busts", "its turns that ended with a 1", "u2"),
)

RULINGS = (
    Ruling(
        "game_end",
        ("immediate", "finish_round"),
        "immediate",
        "who holds with enough points wins at once; or everyone gets as many turns, and most win",
        "published",
    ),
    Ruling(
        "turn_cap",
        ("1000", "any whole number from 1 to 60000"),
        "1000",
        "a game of so many turns is stopped, marked truncated, counted and never scored",
        "assumed",
    ),
)

TITLES = {"goal_reached": "Goal reached", "turn_cap": "Turn cap reached"}
TITLES |= data.column_titles(GAME_COLUMNS, SEAT_COLUMNS)
