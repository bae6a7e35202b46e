"""What a tuning found, as tidy rows and plain data: what pages, sentences and figures read."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim import games
from sim.errors import SimError
from sim.games.data import titles_in
from sim.metrics.tidy import POOLED, SCHEMA, TOGETHER
from sim.provenance import provenance
from sim.simulate import rules_of
from sim.tuning.objectives import Tuned, Work
from sim.tuning.spread import Goal, Known, means_of, ratio_of, spread_of
from sim.tuning.table import POINTS, WIN
from sim.tuning.trials import Measure
from sim.words import Words

ROWS = "tune.json"
FORMAT = 1
ELEMENT = "element "
WORTH = ("before", "after", "change", "rescored")
SPREADS = ("spread_before", "spread_after", "spread_rescored", "ratio", "ratio_rescored")

Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """A tuning as it is kept: plain data, and tidy rows.

    Rows of elements (group "element NAME"): `tune.before`, `tune.after`, their difference
    `tune.change`, and `tune.rescored`, what the old games give with the new values; `tune.points_*`
    likewise. Rows of tables and of all together (line-up `together`): `tune.spread_before`,
    `_after`, `_rescored`, and `tune.ratio`, `tune.ratio_rescored` to the spread before. n counts
    games.
    """

    content: dict[str, Any]
    rows: pl.DataFrame

    @cached_property
    def words(self) -> Words:
        """The names of the study's things."""
        about = self.content["study"]
        return Words(
            game=games.get(about["game"]),
            variants=tuple(about["variants"]),
            lineups=tuple(about["lineups"]),
            styles=tuple(about["styles"]),
            titles=about["titles"],
        )

    @property
    def is_wins(self) -> bool:
        """Whether elements are to be worth the same in wins, not points."""
        return self.content["groups"][0]["kind"] == WIN

    def of(self, group: Row) -> list[Row]:
        """Return the rows of variants that took the same values."""
        names = [*group["names"], POOLED] if len(group["names"]) > 1 else group["names"]
        return self.rows.filter(pl.col("variant").is_in(names)).to_dicts()


def found(work: Work) -> Found:
    """Return what a tuning found."""
    rows = [row for tuned in work.tuned for row in _rows(tuned)]
    frame = pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA)
    study = work.study
    titles = {
        code: title
        for variant in study.variants.values()
        for code, title in titles_in(variant.components).items()
    }
    came_from = provenance(study)
    content = {
        "format": FORMAT,
        "study": {
            "name": study.name,
            "title": study.title,
            "source": study.source,
            "game": study.game,
            "game_title": games.get(study.game).title,
            "variants": list(study.variants),
            "lineups": list(dict.fromkeys(row["lineup"] for row in rows if row["players"])),
            "styles": list(study.styles),
            "titles": titles,
        },
        "settings": dict(work.settings),
        "groups": [_group(tuned) for tuned in work.tuned],
        "provenance": {
            "identity": study.identity(),
            "rules": rules_of(games.get(study.game)),
            **came_from,
        },
    }
    return Found(json.loads(json.dumps(content)), frame)


def _group(tuned: Tuned) -> Row:
    setting = tuned.setting
    return {
        "names": list(tuned.names),
        "kind": tuned.goal.kind,
        "given": None if tuned.goal.given is None else tuned.goal.given.tolist(),
        "least_change": setting.tune.least_change,
        "elements": [element.name for element in setting.elements],
        "values": [
            {
                "key": value.key,
                "element": value.element,
                "old": value.now,
                "new": tuned.values[value.key],
                "lowest": value.lowest,
                "highest": value.highest,
            }
            for value in setting.values
        ],
        "way": tuned.way,
        "tried": tuned.tried,
        "steps": [
            {"values": dict(step.values), "promised": step.promised, "played": step.played}
            for step in tuned.steps
        ],
    }


def _rows(tuned: Tuned) -> Iterator[Row]:
    goal = tuned.goal
    games_each = sum(measure.games for measure in tuned.before)
    tables = tuned.before[0].tables
    known = {
        "before": goal.worth(tuned.before),
        "after": goal.worth(tuned.after),
    }
    known["change"] = known["after"] - known["before"]
    if tuned.rescored:
        known["rescored"] = goal.worth(tuned.rescored)
    for at, table in enumerate(tables):
        about = {"players": table.players, "variant": table.variant, "lineup": table.lineup}
        about["n"] = games_each // len(tables)
        for name, worth in known.items():
            yield from _of_elements(tuned, about, f"tune.{name}", worth[:, at])
        if goal.kind == WIN:
            before, after = _points(tuned.before, at), _points(tuned.after, at)
            for name, points in (("before", before), ("after", after), ("change", after - before)):
                if not np.isnan(points).any():
                    yield from _of_elements(tuned, about, f"tune.points_{name}", points)
        part = {name: worth[:, at : at + 1] for name, worth in known.items()}
        yield from _spreads(goal, about, part)
    variant = tuned.names[0] if len(tuned.names) == 1 else POOLED
    about = {"players": None, "variant": variant, "lineup": TOGETHER, "n": games_each}
    yield from _spreads(goal, about, known)


def _points(measures: Sequence[Measure], table: int) -> np.ndarray:
    return np.array([measure.of[POINTS][table] for measure in measures])


def _of_elements(tuned: Tuned, about: Row, metric: str, values: np.ndarray) -> Iterator[Row]:
    for element, known in zip(tuned.setting.elements, means_of(values), strict=True):
        yield about | {"metric": metric, "group": f"{ELEMENT}{element.name}"} | known.plain()


def _spreads(goal: Goal, about: Row, known: dict[str, np.ndarray]) -> Iterator[Row]:
    spreads = {name: spread_of(goal, worth) for name, worth in known.items() if name != "change"}
    found: dict[str, Known] = {f"spread_{name}": spread for name, spread in spreads.items()}
    found["ratio"] = ratio_of(spreads["after"], spreads["before"])
    if "rescored" in spreads:
        found["ratio_rescored"] = ratio_of(spreads["rescored"], spreads["before"])
    for name, each in found.items():
        plain = {key: _number(value) for key, value in each.plain().items()}
        yield about | {"metric": f"tune.{name}", "group": "all"} | plain


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and np.isnan(value) else value


def read(folder: str | Path) -> Found:
    """Return the tuning that was written into a folder; raise SimError if there is none."""
    path = Path(folder) / ROWS
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise SimError(f"{folder}: there is no tuning here; sim tune objectives STUDY") from None
    if content.get("format") != FORMAT:
        raise SimError(f"{path}: not of this version of sim; tune again")
    rows = content.pop("rows")
    content.pop("columns")
    return Found(content, pl.DataFrame(rows, schema=SCHEMA, orient="row"))
