"""How tables, figures and sentences name things and round numbers for people."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.games.data import titles_in
from sim.metrics.tidy import POOLED, TOGETHER

ORDINALS = ("1st", "2nd", "3rd")
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Words:
    """Names of a study's things, as a report prints them."""

    game: Any
    variants: tuple[str, ...]
    lineups: tuple[str, ...]
    """The line-ups that a report leads with."""
    styles: tuple[str, ...]
    titles: dict[str, str] = field(default_factory=dict)
    """Of components, as the study has them: a star that it adds, a card that it renames."""

    def title(self, code: str) -> str:
        """Return the title of a card, column or end reason."""
        return self.titles.get(code) or str(self.game.title_of(code))

    @property
    def turns(self) -> str:
        """What the game's turns are called."""
        return f"{self.game.turn_name}s"

    def style(self, name: str) -> str:
        """Return a style's name as a title; as it is written if another's title reads alike."""
        title = _title(name)
        alike = sum(_title(other) == title for other in self.styles)
        return title if alike < 2 else name

    def variant(self, name: str) -> str:
        """Return a variant's name, in the designer's own words."""
        return name.replace("_", " ")

    def lineup(self, label: str) -> str:
        """Return a line-up: who sits at the table."""
        if label == POOLED:
            return "round robin"
        if label == TOGETHER:
            return "all other tables" if POOLED in self.lineups else "all tables"
        if self.is_of_equals(label):
            return f"all {self.style(label[4:])}"
        for between in (" | ", " + "):
            names = label.split(between)
            if len(names) > 1 and set(names) <= set(self.styles):
                return between.join(self.style(name) for name in names)
        return label

    def is_of_equals(self, label: str) -> bool:
        """Tell whether all at the table of a line-up play in one style."""
        return label.startswith("all ") and label[4:] in self.styles

    def group(self, group: str) -> str:
        """Return the name of a tidy row's group."""
        kind, _, name = group.partition(" ")
        if kind == "seat":
            return f"{ordinal(int(name) + 1)} seat"
        if kind == "style":
            return self.style(name)
        if kind in ("card", "act"):
            return self.title(name)
        if kind == "rank":
            rank, _, when = name.partition(" ")
            return f"{ordinal(int(rank))} {when}"
        if kind == "at":
            return group.capitalize()
        if name.startswith("without ") and kind in self.styles:
            return f"{self.style(kind)} without {self.without(group)}"
        names = group.split(" over ")
        if len(names) > 1 and set(names) <= set(self.styles):
            return " over ".join(self.style(name) for name in names)
        return "All" if group == "all" else self.title(group)

    def without(self, group: str) -> str:
        """Return what the style of a group "greedy without ranch" does without."""
        _, _, names = group.partition(" without ")
        # a kind of action may share its name with a column, so no title of the game's
        return listed(self.titles.get(name) or _title(name) for name in names.split("+"))

    def series(self, variant: str, lineup: str) -> str:
        """Return what tells a variant and line-up from the others of the study; "" if alone."""
        parts = []
        if len(self.variants) > 1:
            parts.append(self.variant(variant))
        if len(self.lineups) > 1:
            parts.append(self.lineup(lineup))
        return ", ".join(parts)


def _title(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).capitalize()


def without_names(rows: Iterable[Mapping[Any, Any]], words: Words) -> dict[tuple[str, str], str]:
    """Return what rows of restricted play do without, by group and variant.

    With the style where several styles do without something, with the variant where several
    variants have the same.
    """
    known = dict.fromkeys((row["group"], row["variant"]) for row in rows)
    styles = {group.partition(" without ")[0] for group, _ in known}
    groups = [group for group, _ in known]
    found = {}
    for group, variant in known:
        name = words.group(group) if len(styles) > 1 else words.without(group)
        several = groups.count(group) > 1
        found[group, variant] = f"{name}, {words.variant(variant)}" if several else name
    return found


NameOf = Callable[[str, Words], str]
"""How a row's group is called."""


def of_words(group: str, words: Words) -> str:
    """Return the name of a group that every game knows."""
    return words.group(group)


def words_of(run: Any) -> Words:
    """Return the names of a run's things."""
    from sim.metrics.tidy import units

    heads = [unit for unit in units(run) if unit.head]
    return Words(
        game=run.game,
        variants=tuple(dict.fromkeys(unit.variant for unit in heads)),
        lineups=tuple(dict.fromkeys(unit.lineup for unit in heads)),
        styles=tuple(run.study.styles),
        titles={
            code: title
            for variant in run.study.variants.values()
            for code, title in titles_in(variant.components).items()
        },
    )


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th ..."""
    if 10 < number % 100 < 14 or not 1 <= number % 10 <= 3:
        return f"{number}th"
    return f"{number}{ORDINALS[number % 10 - 1][1:]}"


def listed(parts: Iterable[object]) -> str:
    """Return "2, 3 and 4"."""
    words = [str(part) for part in parts]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def players(counts: int | Sequence[int]) -> str:
    """Return "2 players" or "2, 3 and 4 players"."""
    numbers = [counts] if isinstance(counts, int) else list(counts)
    return f"{listed(numbers)} player{'' if numbers == [1] else 's'}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "1 game" or "1,200 games"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    """Return an estimated share as a percentage: 54.1 %, 0.03 %, 100 %."""
    value = 100 * share
    if value in (0, 100):
        return f"{value:.0f} %"
    if value < 0.05:
        return f"{value:.2f} %" if value >= 0.005 else "less than 0.01 %"
    return f"{value:.1f} %" if value < 99.95 else "more than 99.9 %"


def whole_or_tenths(value: float) -> str:
    """Return a percentage's number as `percent` writes it: 0 and 100 are exact."""
    return f"{value:.0f}" if value in (0, 100) else f"{value:.1f}"


def exactly(share: float) -> str:
    """Return a share that is known, such as a fair one: 50 %, 33.3 %."""
    return f"{_short(100 * share)} %"


def points(difference: float) -> str:
    """Return a difference of shares in percentage points: 4.1 points."""
    text = _short(abs(100 * difference))
    return f"{text} point{'' if text == '1' else 's'}"


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, a true minus for negatives."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def number(value: float, digits: int = 1) -> str:
    """Return a number without digits that say nothing: 22, 3.3, 1,200."""
    if abs(value) >= 100:
        digits = 0
    return minus(f"{value:,.{digits}f}".removesuffix(".0" if digits == 1 else "."))


def minus(text: str) -> str:
    """Return a formatted number with a true minus, and without one before nothing but zeros."""
    if text.startswith("-"):
        return text[1:] if float(text.replace(",", "")) == 0 else f"{MINUS}{text[1:]}"
    return text


def about(count: float) -> str:
    """Return a large count as a person estimates it, in one figure: 40,000."""
    size = 10 ** (len(str(int(count))) - 1)
    return f"{int(-(-count // size)) * size:,}"


def roughly(value: float) -> str:
    """Return a number as a person would say it: a whole one, a half below 3."""
    text = f"{round(2 * value) / 2:.1f}" if abs(value) < 3 else f"{value:,.0f}"
    return minus(text.removesuffix(".0"))


def amount(text: str, unit: str) -> str:
    """Return a number's text with its unit, which is a plural: 1 heart, 1 to 4 hearts."""
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}"


def _short(value: float) -> str:
    """Return a number with one decimal, or none if that is 0."""
    return f"{value:.1f}".removesuffix(".0")


def plain(code: str) -> str:
    """Return a code's words: game_end is "game end"."""
    return code.replace("_", " ")
