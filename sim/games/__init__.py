"""The registry of games: everything registered in the entry-point group `sim.games`."""

from functools import cache
from importlib.metadata import entry_points

from sim.errors import SimError, listing, suggest
from sim.games.game import Game

GROUP = "sim.games"


@cache
def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


@cache
def get(name: str) -> Game:
    """Return a game by name; raise SimError with the nearest right name."""
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            game: Game = entry.load()
            return game
    raise SimError(f'there is no game "{name}".{suggest(name, names())} Games: {listing(names())}.')
