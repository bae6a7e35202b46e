"""What an audit found, as plain data: audit.json holds all of it; the page is made from that."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from sim import report
from sim.audit import effects, screening
from sim.audit.changes import NUMBER, RULING, Change, Untried
from sim.audit.effects import Effect
from sim.audit.onegame import Fault
from sim.audit.referee import Refereed
from sim.errors import SimError

ROWS = "audit.json"
FORMAT = 1
PARTS = ("referee", f"{RULING}s", f"{NUMBER}s")
"""What an audit consists of."""


@dataclass(frozen=True)
class Audit:
    """An audit of a run: the referee, what rulings and numbers decide, what could not be tried.

    `rows` are all differences, `screening` the rows of Morris' method, if asked for; `said` is how
    the user names the study, `folder` the run's, `settings` what was asked for.
    """

    said: str
    folder: Path
    settings: Mapping[str, Any]
    refereed: Refereed | None = None
    effects: list[Effect] = field(default_factory=list)
    rows: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=effects.SCHEMA))
    untried: list[Untried] = field(default_factory=list)
    screening: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=screening.SCHEMA))
    notes: list[str] = field(default_factory=list)

    @property
    def has_fault(self) -> bool:
        """Whether the referee found anything wrong."""
        return self.refereed is not None and self.refereed.has_fault

    def of(self, part: str) -> list[Effect]:
        """Return the effects of rulings, or of numbers, ranked."""
        return [each for each in self.effects if each.change.part == part]

    def was_asked(self, part: str) -> bool:
        """Tell whether a part of the audit was asked for."""
        return part in self.settings["only"]


def as_json(audit: Audit, about: Mapping[str, Any], lines: Mapping[str, Any]) -> str:
    """Return audit.json: `about` is where it comes from, `lines` what it says in words."""
    content = {
        "format": FORMAT,
        **about,
        **lines,
        "said": audit.said,
        "settings": dict(audit.settings),
        "refereed": asdict(audit.refereed) if audit.refereed else None,
        "effects": [asdict(each) for each in audit.effects],
        "untried": [asdict(each) for each in audit.untried],
        "notes": audit.notes,
        "screening": {
            "columns": audit.screening.columns,
            "rows": [list(row) for row in audit.screening.rows()],
        },
    }
    return report.with_rows(content, audit.rows)


def read(folder: str | Path) -> Audit:
    """Return the audit that is kept in a run's folder."""
    path = Path(folder) / ROWS
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SimError(f"{path}: there is no audit that can be read ({error})") from None
    return Audit(
        said=known["said"],
        folder=Path(folder),
        settings=known["settings"],
        refereed=_refereed(known["refereed"]),
        effects=[_effect(each) for each in known["effects"]],
        rows=_frame(known["columns"], known["rows"], effects.SCHEMA),
        untried=[Untried(**each) for each in known["untried"]],
        screening=_frame(**known["screening"], schema=screening.SCHEMA),
        notes=known["notes"],
    )


def _refereed(known: dict[str, Any] | None) -> Refereed | None:
    if known is None:
        return None
    by_cell = {
        name: {int(cell): count for cell, count in known[name].items()}
        for name in ("cells", "faulty")
    }
    more = {
        "faults": [Fault(**each) for each in known["faults"]],
        "again": [tuple(each) for each in known["again"]],
    }
    return Refereed(**known | by_cell | more)


def _effect(known: dict[str, Any]) -> Effect:
    parts = {"change": Change(**known["change"]), "flips": tuple(known["flips"])}
    return Effect(**known | parts)


def _frame(columns: list[str], rows: list[list[Any]], schema: Mapping[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={name: schema[name] for name in columns}, orient="row")
