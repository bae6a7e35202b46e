"""The study's table `[tune]`: which values may move, how far, and what they should be worth.

Light on purpose: reading a study loads nothing heavy. No other command looks at it, and it decides
nothing of what is played.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim.errors import listing, suggest
from sim.explain import Place, show, validate
from sim.files import read_toml
from sim.overrides import leaves

WORTH = Path(__file__).with_name("worth.toml")
WIN, POINTS = "win", "points"
TARGETS = (WIN, POINTS)
LEAST_CHANGE = 0.02
FROM, TO = "from", "to"
KEYS = ("values", "target", FROM, TO, "least_change", "together", "worth")
KINDS = ("components", "rulings")
MOST_NAMES = 12

Number = Annotated[float, Field(allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Worth(_Part):
    """What says how much the element is worth that some values belong to.

    `keys` are dotted, a * stands for any name; {1} is what the first * stands for. `win`, `points`
    and `per_point` are metrics whose row of `group` says it, given by the functions `rows`
    ("module:function", of a run; all metrics if there are none); `parts` are columns of `seats` in
    their place. Points grow with the values `proportional` (all of `keys` for parts).
    """

    keys: Annotated[list[str], Field(min_length=1)]
    element: Annotated[str, Field(min_length=1)]
    group: str = ""
    win: str = ""
    points: str = ""
    per_point: str = ""
    proportional: list[str] = []
    rows: list[str] = []
    rescored: str = ""
    parts: list[str] = []

    @model_validator(mode="after")
    def _says_something(self) -> "Worth":
        if bool(self.parts) == bool(self.win or self.points):
            raise ValueError("needed: parts (columns of seats), or win or points (metrics).")
        return self

    def names_in(self, key: str) -> tuple[str, ...] | None:
        """Return what each * stands for if the key is one of these; else None."""
        return next((found for k in self.keys if (found := stars(k, key)) is not None), None)

    def moves_points(self, key: str) -> bool:
        """Tell whether points grow with a value."""
        wanted = self.proportional or (self.keys if self.parts else [])
        return any(stars(pattern, key) is not None for pattern in wanted)


class Tune(_Part):
    """What may move and what is wanted; `lowest` and `highest` are limits by pattern, "*" for all.

    `target` is "win", "points", or mean points by element; `least_change` what it costs to double
    or halve every value, as a part of the spread that there was; `together` finds the same
    values for all variants.
    """

    values: list[str] = []
    target: str | dict[str, Number] = WIN
    lowest: dict[str, Number] = {}
    highest: dict[str, Number] = {}
    least_change: Annotated[float, Field(ge=0, allow_inf_nan=False)] = LEAST_CHANGE
    together: bool = False
    worth: list[Worth] = []

    @field_validator("target")
    @classmethod
    def _known(cls, target: Any) -> Any:
        if isinstance(target, str) and target not in TARGETS:
            raise ValueError(
                f'found {show(target)}; allowed: "win", "points", or a table of mean points by '
                f"element.{suggest(target, TARGETS)}"
            )
        if target == {}:
            raise ValueError("found an empty table; allowed: mean points by element.")
        return target

    def limits(self, key: str) -> tuple[float | None, float | None]:
        """Return the limits of a value; of several patterns the last counts."""
        found: list[float | None] = [None, None]
        for at, table in enumerate((self.lowest, self.highest)):
            for pattern, limit in table.items():
                if stars(pattern, key) is not None:
                    found[at] = limit
        return found[0], found[1]


def read(value: Any, place: Place, game: str, trees: Iterable[Mapping[str, Any]]) -> Tune | None:
    """Return the table `[tune]`; raise SimError at a mistake in it.

    `trees` are the variants' values, each {"components": ..., "rulings": ...}.
    """
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise place.error(f"found {show(value)}; allowed: a table.")
    place.check_keys(value, KEYS)
    data = {key: found for key, found in value.items() if key not in (FROM, TO)}
    for key, name in ((FROM, "lowest"), (TO, "highest")):
        if key in value:
            data[name] = _limits(value[key], place.at(key))
    if isinstance(data.get("target"), Mapping):
        data["target"] = _numbers(data["target"], place.at("target"))
    tune = validate(Tune, data, place)
    every = dict.fromkeys(key for tree in trees for key, _ in numbers_of(tree))
    for index, pattern in enumerate(tune.values):
        _check_values(pattern, every, [*tune.worth, *shipped(game)], place.at("values", index))
    for key, table in ((FROM, tune.lowest), (TO, tune.highest)):
        for pattern in table:
            if not any(stars(pattern, name) is not None for name in every):
                raise _unknown(pattern, every, place.at(key))
    return tune


def _limits(value: Any, place: Place) -> dict[str, float]:
    if isinstance(value, Mapping):
        return _numbers(value, place)
    return _numbers({"*": value}, place)


def _numbers(table: Mapping[str, Any], place: Place) -> dict[str, float]:
    found = {}
    for key, value in leaves(table):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise place.at(*key).error(f"found {show(value)}; allowed: a number.")
        found[".".join(key)] = float(value)
    return found


def _check_values(pattern: str, every: Iterable[str], worths: list[Worth], place: Place) -> None:
    matched = [key for key in every if stars(pattern, key) is not None]
    if not matched:
        raise _unknown(pattern, every, place)
    for key in matched:
        if not any(worth.names_in(key) is not None for worth in worths):
            raise place.error(
                f"nothing says what {key} is worth; write [[tune.worth]] with keys, element and "
                "parts (columns of seats) or metrics."
            )


def _unknown(pattern: str, every: Iterable[str], place: Place) -> Exception:
    """Return the error for a pattern that no value has, with the nearest one."""
    words = pattern.split(".")
    alike = dict.fromkeys(
        ".".join("*" if w == "*" else own for w, own in zip(words, key.split("."), strict=True))
        for key in every
        if len(key.split(".")) == len(words)
    )
    text = f"there is no number {show(pattern)} in this game;"
    near = suggest(pattern, alike or every)
    some = list(alike or every)
    more = "" if len(some) <= MOST_NAMES else f" and {len(some) - MOST_NAMES} more"
    return place.error(f"{text} allowed: {listing(some[:MOST_NAMES])}{more}.{near}")


def numbers_of(tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield dotted key and value of every number, and list of nothing else, in rules and parts."""
    for key, value in leaves({kind: tree[kind] for kind in KINDS}):
        if is_number(value) or (isinstance(value, list) and value and all(map(is_number, value))):
            yield ".".join(key), value


def is_number(value: Any) -> bool:
    """Tell whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def stars(pattern: str, key: str) -> tuple[str, ...] | None:
    """Return what each * of a pattern stands for in a key, None if the key is not of it.

    A * stands for one name; alone, or at the end, for any number of them.
    """
    found = _compiled(pattern).fullmatch(key)
    return found.groups() if found else None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = pattern.split(".")
    texts = [r"([^.]+)" if part == "*" else re.escape(part) for part in parts]
    if parts[-1] == "*":
        texts[-1] = r"(.+)"
    return re.compile(r"\.".join(texts))


@cache
def shipped(game: str) -> tuple[Worth, ...]:
    """Return what the toolkit knows of what a game's values are worth."""
    place = Place(str(WORTH), (game,))
    table = read_toml(WORTH).get(game, {})
    return tuple(validate(Worth, each, place.at("worth")) for each in table.get("worth", []))


@cache
def default_values(game: str) -> tuple[str, ...]:
    """Return the values of a game that move unless a study says otherwise."""
    return tuple(read_toml(WORTH).get(game, {}).get("values", []))
