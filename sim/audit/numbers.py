"""Numbers that are no more than assumed, moved down and up by a part of their size."""

from collections.abc import Iterator, Sequence
from typing import Any

from sim.audit.changes import DOWN, NUMBER, UP, Base, Change, Untried, same
from sim.games.game import GRADES

NO_NUMBER = "not a number"
NEARER = (1.0, 0.5, 0.25, 0.125)
"""Parts of a step that are tried in turn where the whole is refused."""
FURTHER = 4
"""How many units beyond the step are tried at least."""
SIGNS = {DOWN: -1, UP: 1}


def moved(base: Base, grade: str, by: float) -> tuple[list[Change], list[Untried]]:
    """Return every number of a grade, or one less well supported, moved down and up.

    Numbers in a list move as one. What the schema or the game refuses is tried nearer, then a
    little further off. Returned with it are sides that cannot be played, and facts that are no
    numbers.
    """
    grades = GRADES[GRADES.index(grade) :]
    found: list[Change] = []
    untried: list[Untried] = []
    for fact in base.game.facts(base.variant.components, base.variant.rulings):
        if fact.grade not in grades:
            continue
        try:
            now = base.value_of(fact.key)
        except KeyError:
            untried.append(Untried(NUMBER, fact.key, fact.value, NO_NUMBER))
            continue
        if not is_number(now):
            untried.append(Untried(NUMBER, fact.key, fact.value, NO_NUMBER))
            continue
        for side in SIGNS:
            change = _moved(base, fact.key, fact.grade, now, side, by)
            if isinstance(change, Change):
                found.append(change)
            else:
                untried.append(change)
    return found, untried


def _moved(base: Base, key: str, grade: str, now: Any, side: str, by: float) -> Change | Untried:
    first = ""
    for value in steps(now, side, by):
        why = base.refusal(key, value)
        if not why:
            return Change(NUMBER, key, grade, now, value, side)
        first = first or why
    return Untried(NUMBER, key, side, first)


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, or a list of nothing else."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return bool(value) and all(map(is_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool)


def steps(now: Any, side: str, by: float) -> Iterator[Any]:
    """Yield values to one side: the one asked for, nearer ones, then whole numbers further off.

    The last are for numbers that have to be multiples of something.
    """
    sign = SIGNS[side]
    seen: list[Any] = []
    for value in (step(now, sign, by * part) for part in NEARER):
        if not any(same(value, other) for other in seen):
            seen.append(value)
            yield value
    if isinstance(now, int):
        size = abs(seen[0] - now)
        yield from (now + sign * (size + more) for more in range(1, max(size, FURTHER) + 1))


def step(now: Any, sign: int, by: float) -> Any:
    """Return a number moved by a part of its size; of a list all, zeros only if all are zero."""
    if isinstance(now, Sequence):
        empty = not any(map(_is_something, now))
        return [step(each, sign, by) if empty or _is_something(each) else each for each in now]
    if isinstance(now, int):
        return now + sign * max(1, round(abs(now) * by))
    return now + sign * (abs(now) or 1.0) * by


def _is_something(value: Any) -> bool:
    return any(map(_is_something, value)) if isinstance(value, Sequence) else value != 0


def between(least: Any, most: Any, part: float) -> Any:
    """Return the value at a part of the way; whole numbers stay whole."""
    if isinstance(least, Sequence):
        return [between(a, b, part) for a, b in zip(least, most, strict=True)]
    value = least + (most - least) * part
    return round(value) if isinstance(least, int) and isinstance(most, int) else value
