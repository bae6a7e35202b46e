"""Line-ups: which styles sit at a table, seat by seat or rotated through every seat."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from sim.explain import show

ALL = "all"
"""Stands for every style that the study knows."""


@dataclass(frozen=True)
class LineUp:
    """Styles by place. With `rotate`, game g seats the style of place (p + g % n) % n at seat p."""

    label: str
    styles: tuple[str, ...]
    rotate: bool


class Lineups(BaseModel):
    """The line-ups of a study: by style names, or `["all"]` until the styles are known."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    mirror: list[str] = []
    fixed: list[list[str]] = []
    rotated: list[list[str]] = []
    round_robin: list[str] = []
    tournament: list[str] = []

    @field_validator("mirror", "round_robin", "tournament", mode="before")
    @classmethod
    def _all_or_list(cls, value: Any) -> Any:
        if value == ALL:
            return [ALL]
        if isinstance(value, str):
            raise ValueError(
                f'found {show(value)}; allowed: "{ALL}", or a list of styles: [{show(value)}].'
            )
        return value

    @field_validator("mirror", "fixed", "rotated", "round_robin", "tournament")
    @classmethod
    def _each_once(cls, value: list) -> list:
        for index, entry in enumerate(value):
            if entry in value[:index]:
                raise ValueError(f"found {show(entry)} twice; allowed: each line-up once.")
        return value


def line_ups(lineups: Lineups, players: int) -> Iterator[LineUp]:
    """Yield the line-ups for so many players, in the order of the keys of `Lineups`."""
    for style in lineups.mirror:
        yield LineUp(f"all {style}", (style,) * players, rotate=False)
    for styles in lineups.fixed:
        if len(styles) == players:
            yield LineUp(" | ".join(styles), tuple(styles), rotate=False)
    for styles in lineups.rotated:
        if len(styles) == players:
            yield LineUp(" + ".join(styles), tuple(styles), rotate=True)
    for group in _groups(lineups.round_robin, players):
        yield LineUp(" + ".join(group), group, rotate=True)
    for group in _every_group(lineups.tournament, players):
        yield LineUp(" + ".join(group), group, rotate=True)


def count(lineups: Lineups, players: int) -> int:
    """Return how many line-ups there are for so many players, without listing them."""
    listed = sum(len(styles) == players for styles in (*lineups.fixed, *lineups.rotated))
    groups = _count_groups(len(lineups.round_robin), players)
    return len(lineups.mirror) + listed + groups + _count_all(len(lineups.tournament), players)


def _groups(styles: list[str], players: int) -> Iterator[tuple[str, ...]]:
    """Yield groups of distinct styles; with too few styles, groups that use each at least once."""
    if len(styles) >= players:
        yield from combinations(styles, players)
    elif styles:
        spare = players - len(styles)
        for repeated in combinations_with_replacement(styles, spare):
            yield tuple(s for s in styles for _ in range(1 + repeated.count(s)))


def _count_groups(styles: int, players: int) -> int:
    if styles >= players:
        return math.comb(styles, players)
    return math.comb(players - 1, styles - 1) if styles else 0


def _every_group(styles: list[str], players: int) -> Iterator[tuple[str, ...]]:
    """Yield every group in which two styles or more meet, some of them more than once."""
    for group in combinations_with_replacement(styles, players):
        if len(set(group)) > 1:
            yield group


def _count_all(styles: int, players: int) -> int:
    return math.comb(styles + players - 1, players) - styles if styles else 0
