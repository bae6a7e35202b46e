"""What a tuning or a look at restricted play is asked for: a style, a field, weights, by name."""

import re
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Any

from sim import games
from sim.errors import SimError, listing, suggest
from sim.explain import BARE_KEY
from sim.games.game import Game
from sim.players import Style, check_names
from sim.study import Study, Variant


def variant_of(study: Study, name: str | None) -> tuple[str, Variant]:
    """Return the variant of a name, or the first; SimError if there is none of that name."""
    chosen = next(iter(study.variants)) if name is None else name
    check_names([chosen], list(study.variants), "variant", "variant")
    return chosen, study.variants[chosen]


def style_of(study: Study, variant: Variant, name: str) -> Style:
    """Return a style of the study's line-ups or of the game; SimError if there is none."""
    known = {**games.get(study.game).styles(), **variant.styles}
    if name not in known:
        raise SimError(
            f'style: there is no style "{name}" in the line-ups of {study.source} or in '
            f"{games.get(study.game).title}.{suggest(name, known)} Allowed: {listing(known)}."
        )
    return known[name]


def players_of(study: Study, wanted: Sequence[int] | None) -> tuple[int, ...]:
    """Return the study's player counts, or some of them."""
    for count in wanted or ():
        if count not in study.players:
            raise SimError(
                f"players: found {count}; allowed: {listing(study.players)}, as in {study.source}"
            )
    return tuple(sorted(set(wanted))) if wanted else tuple(study.players)


def free_of(game: Game, style: Style, names: Sequence[str], every: bool) -> tuple[str, ...]:
    """Return the weights that may move, in the game's order.

    `names` may hold several in one, with commas between them. Without names those that the style
    has, and all that the game knows with `every`.
    """
    known = [feature.name for feature in game.features]
    wanted = [name for text in names for name in re.split(r"[,\s]+", text) if name]
    if wanted and every:
        raise SimError("free: found names and --all; allowed: one of the two")
    check_names(wanted, known, "free", "feature")
    chosen = known if every else wanted or list(style.weights)
    if not chosen:
        raise SimError(
            f"free: {style.name} weighs nothing; name what may move (--free a,b) or take --all. "
            f"Allowed: {listing(known)}."
        )
    return tuple(name for name in known if name in chosen)


def scales_of(style: Style, others: Sequence[Style], free: Sequence[str]) -> tuple[float, ...]:
    """Return what a step of one is for each weight.

    The size of the style's own weight, else the largest that another style gives it, else the
    median of the style's weights.
    """
    sizes = [abs(weight) for weight in style.weights.values() if weight]
    usual = median(sizes) if sizes else 1.0
    found = []
    for name in free:
        known = [abs(other.weights.get(name, 0.0)) for other in others]
        found.append(abs(style.weights.get(name, 0.0)) or max(known, default=0.0) or usual)
    return tuple(found)


def name_of(wanted: str | None, style: Style, taken: Sequence[str]) -> str:
    """Return the name of the tuned style."""
    name = f"{style.name}_tuned" if wanted is None else wanted
    if not BARE_KEY.fullmatch(name) or name in taken:
        raise SimError(
            f'name: found "{name}"; allowed: letters, digits, _ and -, and none of the styles '
            f"it plays against ({listing(taken)})"
        )
    return name


def at_least(key: str, value: Any, least: float) -> None:
    """Raise SimError if a number is too small, or none that a search can do with."""
    if value is not None and not (value >= least and isfinite(value)):
        raise SimError(f"{key}: found {value}; allowed: a number from {least:g}")


def locked(folder: Path) -> Any:
    """Hold a folder for one process at a time."""
    from filelock import FileLock, Timeout

    for place in (folder, folder.parent):
        if place.exists() and not place.is_dir():
            raise SimError(f"{place}: this is a file; a tuning needs a folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        return FileLock(folder.with_name(f"{folder.name}.lock")).acquire(timeout=0)
    except Timeout:
        raise SimError(f"{folder}: another sim is at work here; wait for it to end") from None


def set_aside(folder: Path, kept: str, say: Any) -> None:
    """Rename a folder that holds a file of this name, so that nothing computed is lost."""
    if not (folder / kept).exists():
        return
    number = 1
    while (aside := folder.with_name(f"{folder.name}.old{number}")).exists():
        number += 1
    folder.rename(aside)
    say(f"The earlier one is kept in {aside}.")
