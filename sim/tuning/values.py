"""The values that a tuner moves: which elements they belong to, their limits, how far they went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

import numpy as np

from sim.audit.changes import Base
from sim.errors import SimError, listing, suggest
from sim.tuning.table import (
    Tune,
    Worth,
    default_values,
    numbers_of,
    shipped,
    stars,
)

Numbers = Any
"""A number, or a list of them that moves as one."""
SMALLEST = 1
"""Whole numbers do not fall to 0 unless a study says so."""
BESIDE = 1.12
WIDEST = 4.0
"""A value becomes at most so many times as large, or as small, unless a study says so."""


@dataclass(frozen=True)
class Value:
    """A number of the game, or a list that moves as one, and how far it may go."""

    key: str
    element: str
    now: Numbers
    lowest: float
    highest: float
    moves_points: bool

    @property
    def is_whole(self) -> bool:
        """Whether it stays a whole number."""
        return all(isinstance(number, int) for number in _listed(self.now))

    def times(self, factor: float) -> Numbers:
        """Return the value so many times as large, within its limits, whole if it is."""
        found = [self._moved(number, factor) for number in _listed(self.now)]
        return found if isinstance(self.now, list) else found[0]

    def _moved(self, number: float, factor: float) -> float:
        if number == 0 or factor == 1:
            return number
        found = min(max(number * factor, self.lowest), self.highest)
        return round(found) if isinstance(number, int) else found

    def factor(self, value: Numbers) -> float:
        """Return how many times as large a value is."""
        before, after = sum(_listed(self.now)), sum(_listed(value))
        return after / before if before else 1.0

    def distance(self, value: Numbers) -> float:
        """Return how far a value lies from what it was: 1 if it doubled, or halved."""
        pairs = list(zip(_listed(value), _listed(self.now), strict=True))
        return sum(map(_doublings, pairs)) / len(pairs)

    @cached_property
    def choices(self) -> list[Numbers]:
        """All it can be: whole numbers within its limits, or forty steps for others."""
        if self.is_whole and not isinstance(self.now, list):
            return list(range(int(np.ceil(self.lowest)), int(self.highest) + 1))
        size = max(abs(number) for number in _listed(self.now)) or 1.0
        ends = max(self.lowest / size, 1e-3), self.highest / size
        found = [self.times(float(factor)) for factor in np.geomspace(*ends, 40)]
        return list({str(value): value for value in [*found, self.now]}.values())

    def beside(self, value: Numbers) -> list[Numbers]:
        """Return the values next to one, below and above: by 1, or a part of a list's size."""
        if self.is_whole and not isinstance(value, list):
            near = [value - 1, value + 1]
            return [each for each in near if self.lowest <= each <= self.highest]
        factor = self.factor(value)
        return [self.times(factor * step) for step in (1 / BESIDE, BESIDE)]


def _doublings(pair: tuple[float, float]) -> float:
    after, before = pair
    if after == before:
        return 0.0
    if after > 0 and before > 0:
        return abs(log2(after / before))
    return abs(after - before) / max(abs(after), abs(before))


def _listed(value: Numbers) -> list[float]:
    return value if isinstance(value, list) else [value]


@dataclass(frozen=True)
class Element:
    """What values belong to: a tile, a layer; `worth` says how much it is worth."""

    name: str
    group: str
    worth: Worth


@dataclass(frozen=True)
class Setting:
    """The values that may move and all elements that they are to be worth the same as."""

    tune: Tune
    values: tuple[Value, ...]
    elements: tuple[Element, ...]

    @property
    def now(self) -> dict[str, Numbers]:
        """The values as they are."""
        return {value.key: value.now for value in self.values}

    def of(self, element: str) -> list[Value]:
        """Return the values of an element."""
        return [value for value in self.values if value.element == element]

    def distance(self, values: Mapping[str, Numbers]) -> float:
        """Return the mean distance of values from what they were: 1 if all doubled, or halved."""
        return float(np.mean([each.distance(values[each.key]) for each in self.values]))

    def factors(self, values: Mapping[str, Numbers]) -> dict[str, float]:
        """Return by what the points of elements are multiplied, as far as they grow with values."""
        found = {}
        for element in self.elements:
            own = [value for value in self.of(element.name) if value.moves_points]
            before = sum(sum(_listed(value.now)) for value in own)
            after = sum(sum(_listed(values[value.key])) for value in own)
            if own and before:
                found[element.name] = after / before
        return found

    def rescores(self, values: Mapping[str, Numbers]) -> bool:
        """Tell whether games can be scored again with these values: only points have moved."""
        return all(v.moves_points or values[v.key] == v.now for v in self.values)


def setting(base: Base, said: str) -> Setting:
    """Return what a study may move; raise SimError that says what to write where it is silent.

    Elements are those of the values that move, and others that the same rows are about.
    """
    study = base.study
    tune = study.tune or Tune()
    patterns = tune.values or list(default_values(study.game))
    worths = [*tune.worth, *shipped(study.game)]
    if not patterns:
        keys = [key for worth in worths for key in worth.keys]
        example = listing(f'"{key}"' for key in keys) or '"components.tiles.*.points"'
        raise SimError(
            f"{said}: tune.values: missing; needed: which values may move, under [tune]: "
            f"values = [{example}]"
            + ("" if keys else ", and [[tune.worth]] that says what they are worth")
        )
    known = [
        (key, now, worth, names)
        for key, now in numbers_of(dict(base.variant))
        for worth, names in [_worth_of(key, worths)]
        if worth is not None
    ]
    found: dict[str, Value] = {}
    moved: list[Worth] = []
    for key, now, worth, names in known:
        if any(stars(pattern, key) is not None for pattern in patterns):
            limits = _limits(key, now, tune, said)
            element = _filled(worth.element, names)
            found[key] = Value(key, element, now, *limits, worth.moves_points(key))
            moved.append(worth)
    elements: dict[str, Element] = {}
    for _, _, worth, names in known:
        if worth in moved or (worth.parts and any(each.parts for each in moved)):
            name = _filled(worth.element, names)
            elements[name] = Element(name, _filled(worth.group, names) or name, worth)
    if not found:
        raise SimError(f"{said}: tune.values: none of them is in the variant {base.name}")
    if isinstance(tune.target, dict):
        _check_given(tune.target, elements, said)
        elements = {name: elements[name] for name in elements if name in tune.target}
    elif len(elements) < 2:
        raise SimError(
            f"{said}: tune.values: they all belong to {next(iter(elements))}, and there is nothing "
            "that it could be worth as much as; add values of others, or give a target"
        )
    return Setting(tune, tuple(found.values()), tuple(elements.values()))


def _worth_of(key: str, worths: Sequence[Worth]) -> tuple[Worth | None, tuple[str, ...]]:
    for worth in worths:
        names = worth.names_in(key)
        if names is not None:
            return worth, names
    return None, ()


def _filled(text: str, names: Sequence[str]) -> str:
    for number, name in enumerate(names, 1):
        text = text.replace(f"{{{number}}}", name)
    return text


def _limits(key: str, now: Numbers, tune: Tune, said: str) -> tuple[float, float]:
    """Return the least and the most that a value may become; what it is now lies between."""
    numbers = [abs(number) for number in _listed(now)]
    whole = all(isinstance(number, int) for number in _listed(now))
    low, high = tune.limits(key)
    moving = [number for number in _listed(now) if number] or [0]
    for name, limit, beyond in (
        ("from", low, low is not None and min(moving) < low),
        ("to", high, high is not None and max(moving) > high),
    ):
        if beyond:
            raise SimError(
                f"{said}: tune.{name}: found {limit:g} for {key}, which is {now}; allowed: limits "
                "that hold what a value is now"
            )
    if low is None:
        low = min(SMALLEST, *numbers) if whole else min(numbers) / WIDEST
    if high is None:
        high = max(max(numbers) * WIDEST, SMALLEST)
    return float(low), float(high)


def _check_given(target: Mapping[str, float], elements: Mapping[str, Element], said: str) -> None:
    for name in target:
        if name not in elements:
            raise SimError(
                f"{said}: tune.target: there is no element {name}; allowed: "
                f"{listing(elements)}.{suggest(name, elements)}"
            )
