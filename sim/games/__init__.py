"""The registry of games: everything registered in the entry-point group `sim.games`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from traceback import extract_tb

from sim.errors import SimError, listing, suggest
from sim.games.game import Game

GROUP = "sim.games"


@cache
def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


@cache
def get(name: str) -> Game:
    """Return a game by name; raise SimError with the nearest right name, or if it is broken."""
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _loaded(entry)
    raise SimError(f'there is no game "{name}".{suggest(name, names())} Games: {listing(names())}.')


def _loaded(entry: EntryPoint) -> Game:
    try:
        game: Game = entry.load()
    except (Exception, SystemExit) as error:  # somebody is writing it
        last = extract_tb(error.__traceback__)[-1]
        where = f"{last.filename}, line {last.lineno}"
        raise SimError(
            f"{entry.name}: this game cannot be loaded: {type(error).__name__}: {error} ({where})."
        ) from error
    return game
