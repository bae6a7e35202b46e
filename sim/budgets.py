"""What a designer accepts: the study's table `[budgets]`, and which rows of a run it is about.

Light on purpose: reading a study loads nothing heavy.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim.errors import listing, suggest
from sim.explain import Place, dotted, show, validate
from sim.lineups import LineUp, Lineups, line_ups

if TYPE_CHECKING:
    import polars as pl

FAIR = ("seat_share", "style_share")
"""Metrics with a fair value, 1 / players, that `within` is about."""
SHARES = (
    *("tie_rate", "completion_rate", "end_reason", "margin.within", "lead.wins", "lead.last"),
    *("runaway", "comeback", "uncertainty", "uncertainty.mean", "drama", "dead_time", "hopeless"),
    *("kingmaking.hopeless", "kingmaking.swing", "choice.free", "ladder.step"),
    *("card.win_held", "card.win_played", "card.played_by_winners"),
)
"""Metrics between 0 and 1, beside those whose name ends in "share" but for a game's columns."""
NEEDED = {
    "kingmaking.": "a study has it with the key kingmaking = { sample = 0.01 }, from 3 players on",
    "style_share": "it needs two styles that meet in [lineups]",
    "ladder.": "it needs a round_robin in [lineups]",
}
"""What a study without metrics that begin so lacks."""
OF_SHARES = "Wilson"
"""In the method of an interval that only shares have, whatever a game calls its metrics."""
SPREAD = "spread."
"""Before a metric's name: its largest minus its smallest estimate over the groups."""
POOL = "all"
"""The line-up of the pool of all round-robin cells (`sim.metrics.POOLED`)."""
TOGETHER = "together"
"""The line-up of all cells outside round robins (`sim.metrics.TOGETHER`)."""
EVERY = "all"
"""The group of rows that are about everything there is."""
MOST_NAMES = 12
"""How many names a message lists."""

Number = Annotated[float, Field(allow_inf_nan=False)]
Row = dict[str, Any]


class Range(BaseModel):
    """What a budget says in a file: what is accepted, and of which rows of the metric.

    `within` is the distance from a fair share; `change` that from a baseline. Texts may hold `*`
    for any characters. Without `lineup`, pools stand for their cells.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    min: Number | None = None
    max: Number | None = None
    within: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    change: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    players: list[int] | None = None
    variant: str | None = None
    lineup: str | None = None
    group: str | None = None

    @field_validator("players", mode="before")
    @classmethod
    def _one_or_list(cls, value: Any) -> Any:
        return [value] if isinstance(value, int) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _accepts_something(self) -> "Range":
        if self.within is not None and (self.min is not None or self.max is not None):
            raise ValueError("found within beside min or max; allowed: one or the other.")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"found min = {self.min:g} above max = {self.max:g}.")
        if not self.has_range and self.change is None:
            raise ValueError(
                "nothing is accepted here; needed: min, max, within (of a fair share) or change "
                "(from a baseline)."
            )
        return self

    @property
    def has_range(self) -> bool:
        """Whether it accepts some values and not others, whatever a baseline had."""
        return any(bound is not None for bound in (self.min, self.max, self.within))


class Budget(Range):
    """A budget of a study: the metric it is about, and its place in a list of several."""

    metric: str
    index: int | None = None

    @property
    def name(self) -> str:
        """Its key in `[budgets]`: turns.p95, style_share[1]."""
        return dotted(self._key)

    @property
    def _key(self) -> tuple[str | int, ...]:
        return (*self.metric.split("."), *(() if self.index is None else (self.index,)))

    def place(self, source: str) -> Place:
        """Return where it stands in a file."""
        return Place(source, ("budgets", *self._key))

    @property
    def is_spread(self) -> bool:
        """Whether it is about how far the groups of a metric lie apart."""
        return self.metric.startswith(SPREAD)

    @property
    def of(self) -> str:
        """The metric whose rows it looks at."""
        return self.metric.removeprefix(SPREAD)

    def accepted(self, players: int) -> tuple[float, float]:
        """Return the lowest and highest value accepted, both included; infinite where open."""
        if self.within is not None:
            return 1 / players - self.within, 1 / players + self.within
        low = -math.inf if self.min is None else self.min
        return low, math.inf if self.max is None else self.max


def read(
    table: Mapping[str, Any],
    place: Place,
    players: list[int],
    variants: Iterable[str],
    lineups: Lineups,
) -> list[Budget]:
    """Return the budgets of a study's table; raise SimError at the first mistake in it.

    Names of metrics and groups are known only when games have been played (`met`).
    """
    known = _Known(players, list(variants), lineups)
    return [known.checked(budget, here) for budget, here in _budgets(table, place)]


def _budgets(
    table: Mapping[str, Any], place: Place, above: str = ""
) -> Iterator[tuple[Budget, Place]]:
    for key, value in table.items():
        metric, here = f"{above}.{key}" if above else key, place.at(key)
        if isinstance(value, list) and value:
            for index, entry in enumerate(value):
                yield _budget(entry, metric, index, here.at(index)), here.at(index)
        elif isinstance(value, Mapping) and value and all(map(_is_below, value.values())):
            yield from _budgets(value, here, metric)
        else:
            yield _budget(value, metric, None, here), here


def _is_below(value: Any) -> bool:
    """Tell whether this is a budget, or several, of a metric whose name goes on."""
    return isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value)
    )


def _budget(value: Any, metric: str, index: int | None, place: Place) -> Budget:
    if not isinstance(value, Mapping):
        raise place.error(f"found {show(value)}; allowed: a table such as {{ max = 0.6 }}.")
    for key, entry in value.items():
        known = key in Range.model_fields or suggest(key, Range.model_fields)
        if not known and isinstance(entry, int | float):
            raise place.at(key).error(
                f"found {show(entry)}; allowed: a table such as {{ max = {show(entry)} }}."
            )
    said = validate(Range, value, place)
    return Budget(metric=metric, index=index, **said.model_dump())


class _Known:
    """What the study has that a budget can name."""

    def __init__(self, players: list[int], variants: list[str], lineups: Lineups) -> None:
        self.players, self.variants = players, variants
        self.mirror = lineups.mirror
        self.labels = {n: _labels(list(line_ups(lineups, n))) for n in players}

    def checked(self, budget: Budget, place: Place) -> Budget:
        """Return the budget with its line-up's full name; raise SimError for an unknown name."""
        if budget.within is not None and budget.metric not in FAIR:
            near = suggest(budget.metric, FAIR) or " Use min and max."
            raise place.at("within").error(
                f"{budget.metric} has no fair value; allowed for {listing(FAIR)}.{near}"
            )
        _check_share(budget, place)
        self._check_can_fail(budget, place)
        if budget.change is not None and budget.is_spread:
            raise place.at("change").error("a spread is not compared; use max.")
        for index, players in enumerate(budget.players or ()):
            if players not in self.players:
                raise place.at("players", index).error(
                    f"found {players}; in this study: {listing(self.players)}."
                )
        if budget.players == []:
            raise place.at("players").error(
                f"found []; allowed: some of {listing(self.players)}, or no such key."
            )
        _check_name("variant", budget.variant, self.variants, place)
        return self._with_lineup(budget, place)

    def _check_can_fail(self, budget: Budget, place: Place) -> None:
        """Raise SimError if a budget accepts every share; a game for one has but one share."""
        if not is_share(budget.of):
            return
        given = [key for key in ("min", "max", "within") if getattr(budget, key) is not None]
        for players in self.players if budget.players is None else budget.players:
            least, most = budget.accepted(players)
            if given and least <= 0 and most >= 1 and not (budget.within and players == 1):
                end = "; allowed: max below 1 (1 % is 0.01) or min above 0."
                if budget.within:
                    end = f" with {players} players; allowed: below {1 - 1 / players:.3g}."
                found = f"found {getattr(budget, given[-1]):g}"
                raise place.at(given[-1]).error(
                    f"{found}, which accepts every share from 0 to 1{end}"
                )

    def _with_lineup(self, budget: Budget, place: Place) -> Budget:
        wanted = self.players if budget.players is None else budget.players
        labels = list(dict.fromkeys(label for n in wanted for label in self.labels[n]))
        name = budget.lineup
        if name in self.mirror and name not in labels:
            return budget.model_copy(update={"lineup": f"all {name}"})
        if name is not None and not any(matches(name, label) for label in labels):
            others = [label for known in self.labels.values() for label in known]
            if any(matches(name, label) for label in others):
                raise place.at("lineup").error(
                    f"found {show(name)}, which is no line-up of {listing(wanted)} players; "
                    f"allowed: {names(labels)}."
                )
        _check_name("lineup", name, labels, place)
        return budget


def is_share(metric: str) -> bool:
    """Tell whether a metric is known to lie between 0 and 1 in every game."""
    own = metric.startswith(("detail.", "score_part."))
    return metric in SHARES or (metric.endswith("share") and not own)


def _check_share(budget: Budget, place: Place) -> None:
    """Raise SimError where percent were meant: what accepts every share would always pass."""
    if is_share(budget.of):
        _check_bounds(budget, place, least=0)


def _check_bounds(budget: Budget, place: Place, least: float) -> None:
    for key in ("min", "max", "within", "change"):
        value = getattr(budget, key)
        if value is not None and not least <= value <= 1:
            raise place.at(key).error(
                f"found {value:g}; allowed: a number from 0 to 1, as {budget.of} is a share "
                f"({'1 % is 0.01' if value > 0 else 'never below 0'})."
            )


def _labels(known: list[LineUp]) -> list[str]:
    """Return the line-ups that rows may be about, as reports name them."""
    alone = sum(not each.rotate for each in known)
    pools = [POOL] * (alone < len(known)) + [TOGETHER] * (alone > 1)
    return [*(each.label for each in known), *pools]


def _check_name(key: str, name: str | None, known: list[str], place: Place) -> None:
    if name is not None and not any(matches(name, each) for each in known):
        raise place.at(key).error(
            f"found {show(name)}; in this study: {names(known)}.{suggest(name, known)}"
        )


def matches(pattern: str, name: str) -> bool:
    """Tell whether a name is the pattern's, in which `*` stands for any characters."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None


def names(known: Iterable[str]) -> str:
    """Return names for a message, not too many."""
    every = list(dict.fromkeys(known))
    more = len(every) - MOST_NAMES
    return listing(every[:MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def met(budget: Budget, rows: "pl.DataFrame", source: str) -> list[Row]:
    """Return the rows that a budget is about, as dicts; raise SimError if there are none.

    `rows` are tidy rows with columns `head` (False for a cell that its pool speaks for) and `seen`
    (False for a name that no game had, which is looked at only where a budget names it).
    """
    import polars as pl

    place = budget.place(source)
    if rows.filter(pl.col("metric") == budget.of).is_empty():
        raise place.error(_no_metric(budget, rows))
    found = scope(budget, rows, budget.of)
    if found.is_empty():
        raise place.error(f"{budget.of} has no row like this; {_where(rows, budget)}.")
    if found["method"].str.contains(OF_SHARES).any():
        _check_bounds(budget, place, least=-1)  # some are differences of shares
    return _of_groups(budget, found, place)


def scope(budget: Budget, rows: "pl.DataFrame", metric: str) -> "pl.DataFrame":
    """Return a metric's rows for the players, variants and line-ups that a budget is about."""
    import polars as pl

    found = rows.filter(pl.col("metric") == metric)
    if budget.players is not None:
        found = found.filter(pl.col("players").is_in(budget.players))
    for key in ("variant", "lineup"):
        pattern = getattr(budget, key)
        if pattern is not None:
            here = found[key].unique(maintain_order=True).to_list()
            found = found.filter(pl.col(key).is_in([n for n in here if matches(pattern, n)]))
    return found if budget.lineup is not None else found.filter("head")


def _of_groups(budget: Budget, found: "pl.DataFrame", place: Place) -> list[Row]:
    import polars as pl

    groups = found["group"].unique(maintain_order=True).to_list()
    if budget.group is None:
        kept = found.filter("seen")
        chosen = _plain(groups) if budget.is_spread else groups
    else:
        kept, chosen = found, [each for each in groups if matches(budget.group, each)]
    kept = kept.filter(pl.col("group").is_in(chosen))
    if kept.is_empty():
        raise place.at("group").error(
            f"{budget.of} has no group {show(budget.group)}; there are: {names(groups)}."
            f"{suggest(budget.group or '', groups)}"
        )
    if budget.is_spread and kept["group"].n_unique() < 2:
        raise place.error(
            f"a spread needs two groups or more; {budget.of} has {names(kept['group'])}."
        )
    return kept.to_dicts()


def _plain(groups: list[str]) -> list[str]:
    """Return the groups that can be set against each other: no sums, no parts of each other."""
    single = [each for each in groups if each != EVERY and ", " not in each]
    return [each for each in single if not each.startswith("style ")] or single


def _no_metric(budget: Budget, rows: "pl.DataFrame") -> str:
    known = rows["metric"].unique(maintain_order=True).to_list()
    kinds = dict.fromkeys(name.split(".")[0] + ".*" * ("." in name) for name in known)
    near = suggest(budget.of, known)
    if near and budget.is_spread:
        near = near.replace('"', f'"{SPREAD}', 1)
    told = f"there is no metric {show(budget.of)} in this study"
    for start, need in NEEDED.items():
        if budget.of.startswith(start) and not any(name.startswith(start) for name in known):
            return f"{told}: {need}."
    return f"{told}; there are: {listing(kinds)}.{near}"


def _where(rows: "pl.DataFrame", budget: Budget) -> str:
    import polars as pl

    here = rows.filter((pl.col("metric") == budget.of) & pl.col("head"))
    units = here.select("players", "variant", "lineup").unique(maintain_order=True).rows()
    return f"it is there for {names(f'{n} players, {v}, {label}' for n, v, label in units)}"


def is_exact(row: Row) -> bool:
    """Tell whether a row has no interval by nature: a count, a largest value, a p-value."""
    if row["estimate"] is None or row["low"] is not None or row["high"] is not None:
        return False
    return "none" not in row["method"] and not row["method"].startswith("order statistics")


def bounds(row: Row) -> tuple[float, float]:
    """Return the bounds of a row: infinite where too few games bound it, twice an exact value."""
    if is_exact(row):
        return row["estimate"], row["estimate"]
    low = -math.inf if row["low"] is None else row["low"]
    return low, math.inf if row["high"] is None else row["high"]
