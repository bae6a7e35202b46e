"""Sentences on how many games it took: too few, or until something is known."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim import verdicts
from sim import words as say
from sim.takeaways.telling import Takeaway, grouped, span
from sim.until import DECIDED
from sim.words import Words

MOST_TOLD = 8
"""With more settings than this, they are counted by what stopped them."""
SEATS = {"balanced": "fair by seat", "unbalanced": "not fair by seat"}
LIMIT = "limit"
FEWEST = 30
"""With fewer games in every cell only what is glaring is told from chance."""
Stop = dict[str, Any]
"""What the manifest says of a unit, see `sim.looks.Stop`."""


def few(run: Any, head: pl.DataFrame) -> Iterator[Takeaway]:
    """Tell that next to nothing was played, if so."""
    most = max(cell.games for cell in run.plan.cells)
    if most < FEWEST:
        judged = {each.verdict for each in verdicts.seat_verdicts(head)}
        what = "see small differences" if verdicts.UNBALANCED in judged else "tell fair from unfair"
        text = f"{say.counted(most, 'game')} at a table: too few to {what}."
        yield Takeaway("games", "", text, text)


def stops(run: Any, words: Words) -> Iterator[Takeaway]:
    """Tell how many games each unit took, and why it stopped."""
    record = run.manifest.get("until")
    if not record:
        return
    by_text = grouped(record["units"], lambda stop: (_who(stop, words), _how(stop)))
    told = [_told(who, how, found) for (who, how), found in by_text.items()]
    if len(told) > MOST_TOLD:
        told = [_counted(record["units"])]
    parts = [_aim(record["rule"]), *told]
    if record["left"]:
        parts.append(f"Not waited for: {say.listed(record['left'])}.")
    yield Takeaway("games", "", " ".join(parts))


def _aim(rule: Any) -> str:
    if rule == DECIDED:
        return "Played until decided."
    return f"Played until {rule['metric']} is known to within {rule['half_width']:g}."


def why(stop: Stop) -> str:
    """Return why a unit stopped, in a few words."""
    return "; ".join(filter(None, [_reason(stop), _budgets(stop["budgets"])]))


def _reason(stop: Stop) -> str:
    if stop["half_width"] is not None:
        only = " only" if stop["why"] == LIMIT else ""
        return f"known to within {stop['half_width']:.2g}{only}"
    beyond = ", though seats differ beyond doubt" if stop["certain"] else ""
    return SEATS.get(stop["why"], f"still undecided{beyond}")


def _budgets(counts: dict[str, int]) -> str:
    if not counts:
        return ""
    parts = say.listed(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
    return f"of {say.counted(sum(counts.values()), 'accepted range')}, {parts}"


def _how(stop: Stop) -> str:
    each = " of each line-up" if len(stop["cells"]) > 1 else ""
    if stop["why"] == LIMIT:
        return f"played all {stop['most']:,} games{each}: {why(stop)}"
    return f"stopped after {stop['games']:,} of {stop['most']:,} games{each}: {why(stop)}"


def _who(stop: Stop, words: Words) -> str:
    return words.series(stop["variant"], stop["lineup"])


def _told(who: str, how: str, found: list[Stop]) -> str:
    name = f"{who[0].upper()}{who[1:]}, " if who else ""
    return f"{name}{say.players([stop['players'] for stop in found])}: {how}."


def _counted(every: list[Stop]) -> str:
    """Return how many settings stopped for which reason, and after how many games."""
    parts = []
    for reason, found in grouped(every, lambda stop: stop["why"]).items():
        games = span([stop["games"] for stop in found], lambda value: f"{value:,.0f}")
        what = SEATS.get(reason, "met the limit" if reason == LIMIT else "known well enough")
        parts.append(f"{len(found)} {what} after {games} games")
    most = max(stop["most"] for stop in every)
    return f"Of {len(every)} settings with at most {most:,} games: {'; '.join(parts)}."
