"""A table for people on who can no longer win and yet decides between the others."""

import pandas as pd
import polars as pl

from sim.games.kingmaking import HOPELESS, SWING
from sim.tables import points, share, wide
from sim.words import Words

READING = (
    "At some decisions of some games it was tried what else could have been done, each action in "
    "many games that went on from there. A player can no longer win whose chance is at most "
    f"{100 * HOPELESS:.0f} % whatever they do; they decide between the others if two of their "
    f"actions differ by {100 * SWING:.0f} points or more in somebody else's, beyond luck. All go "
    "on by their styles: better players might still win, or see what they give away. Which action "
    "is best for who decides is picked by playouts, too; a wrong pick makes their chance look a "
    "little smaller than it is. With two "
    "players there is nobody to decide between."
)


def decisions(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how many decisions are made by who cannot win, and how many decide: who and when."""
    columns = [
        ("kingmaking.hopeless", "Made by who cannot win", share),
        ("kingmaking.share", "Kingmaking", share),
        ("kingmaking.swing", "Moves another's chance by, points", points),
    ]
    return wide(head, words, columns, "Who and when")
