"""The columns of a game's tables as a replay gives them, found by the names that games give.

A game may have a module `recount` beside its own. Its function `game_columns(replay)` returns the
row of `games`, `seat_columns(replay)` the rows of `seats`, `element_columns(replay)` those of a
table `elements`, and so on, as dicts by column that may leave columns out. A value with `within`
or a bare bound (`About`, `AtLeast` of Wildstyle) is compared as such. `MORE` adds what the module
of a shipped game holds against its rows in another way.
"""

import importlib
import importlib.util
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sim.games.game import Game, Replay

Rows = list[Mapping[str, Any]]


def _tile_set(replay: Replay) -> Mapping[str, Any]:
    return {"tile_set": "+".join(side.name for side in replay.events[0].sides)}


MORE = {("sim.games.wildstyle.recount", "games"): _tile_set}
"""More columns of a table with one row for each game."""


def tables_of(game: Game, names: Iterable[str]) -> dict[str, Callable[[Replay], Rows]]:
    """Return a function for each of the tables that the game can count again."""
    module = _module(game)
    found = {}
    for name in names:
        single = "game" if name == "games" else name.removesuffix("s")
        count = getattr(module, f"{single}_columns", None)
        if callable(count):
            found[name] = _rows_by(count, MORE.get((module.__name__, name)))
    return found


def _module(game: Game) -> Any:
    """Return the module `recount` of the game, or of one that it inherits from."""
    for kind in type(game).__mro__:
        home = kind.__module__
        package = home if _is_package(home) else home.rpartition(".")[0]
        if package and _spec(f"{package}.recount"):
            return importlib.import_module(f"{package}.recount")
    return None


def _is_package(name: str) -> bool:
    spec = _spec(name)
    return spec is not None and spec.submodule_search_locations is not None


def _spec(name: str) -> Any:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):  # of a script, or below a lone file
        return None


def _rows_by(
    count: Callable[[Replay], Any], more: Callable[[Replay], Mapping[str, Any]] | None
) -> Callable[[Replay], Rows]:
    def rows(replay: Replay) -> Rows:
        found = count(replay)
        if isinstance(found, Mapping):
            return [{**found, **(more(replay) if more else {})}]
        return list(found)

    return rows


def agree(found: Any, due: Any) -> bool:
    """Tell whether a table's value is what a replay gives, or as near as the table writes it."""
    found = None if isinstance(found, float) and math.isnan(found) else found
    value = getattr(due, "value", due)
    if found is None or value is None:
        return found is value
    if hasattr(due, "within"):
        return bool(abs(found - value) < due.within)
    if hasattr(due, "value"):
        return bool(found >= value)
    if isinstance(found, float) and isinstance(due, float | int):
        return math.isclose(found, due, rel_tol=1e-6)
    return bool(found == due)


def told(due: Any) -> Any:
    """Return what a replay gives as a plain value or text."""
    if hasattr(due, "within"):
        return f"about {due.value:g}"
    return f"at least {due.value}" if hasattr(due, "value") else due
