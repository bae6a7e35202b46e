"""What an earlier run had: read from a file or folder, set against the rows of another run."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.budgets import bounds
from sim.errors import SimError, listing
from sim.level import CONFIDENCE

Row = dict[str, Any]
Key = tuple[int, str, str, str, str]
KEYS = ("players", "variant", "lineup", "metric", "group")
NUMBERS = ("estimate", "low", "high", "n", "method")
FORMAT = 1
"""Of the files that can be a baseline: a run's summary.json, and what `sim check --json` writes."""


@dataclass(frozen=True)
class Baseline:
    """The rows of an earlier run, with 95 % intervals, and what was played."""

    source: str
    seed: int
    identity: str
    rules: dict[str, Any]
    rows: dict[Key, Row]

    def kinship(self, run: Any) -> str:
        """Return what to say about a baseline that had the same luck as a run; else ""."""
        if self.seed != run.study.seed:
            return ""
        manifest = run.manifest
        same = (self.identity, self.rules) == (manifest["identity"], manifest["rules"])
        what = "the same study, rules and seed" if same else "the same seed"
        return (
            f"The baseline has {what}: its games share their luck with these, so intervals of "
            "differences, reckoned as for independent runs, are wider than they need be."
        )


def key_of(row: Row) -> Key:
    """Return what a row is about, the same in every run."""
    return tuple(row[name] for name in KEYS)


def read(path: Path, game: str) -> Baseline:
    """Return the baseline in a file (summary.json, or what `sim check --json` wrote) or a run.

    Raises SimError for a missing or damaged one, or one of another game.
    """
    found = _of_run(path) if path.is_dir() else _of_file(path)
    known = found["study"]["game"]
    if known != game:
        raise SimError(f'{path}: a baseline of another game, "{known}"; this study is of "{game}".')
    return Baseline(
        source=str(path),
        seed=found["study"]["seed"],
        identity=found["provenance"]["identity"],
        rules=found["provenance"]["rules"],
        rows={key_of(row): row for row in found["rows"]},
    )


def _of_run(folder: Path) -> dict[str, Any]:
    from sim import metrics
    from sim.store import MANIFEST, open_run

    if not (folder / MANIFEST).exists():
        raise SimError(
            f"{folder}: there is no run here ({MANIFEST} is missing); allowed: the folder of a "
            "run, its summary.json, or a file written with --json."
        )
    run = open_run(folder)
    kept = ("identity", "rules")
    return {
        "study": {"game": run.study.game, "seed": run.study.seed},
        "provenance": {key: run.manifest[key] for key in kept},
        "rows": metrics.all_metrics(run).to_dicts(),
    }


def _of_file(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SimError(f"{path}: there is no such baseline.") from None
    except OSError as error:
        raise SimError(f"{path}: cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise SimError(f"{path}: this baseline is no JSON: {error}.") from None
    try:
        if found["format"] != FORMAT:
            raise SimError(
                f"{path}: a baseline of format {found['format']}, which this sim does not read; "
                f"allowed: {FORMAT}. Write it anew with --json."
            )
        columns = found["columns"]
        rows = [dict(zip(columns, row, strict=True)) for row in found["rows"]]
        for row in rows:
            _ = [row[name] for name in (*KEYS, *NUMBERS)]
            numbers = [row[name] for name in ("estimate", "low", "high", "n")]
            if not all(isinstance(one, int | float | None) for one in numbers):
                raise ValueError(row)
        if not any(row["estimate"] is not None for row in rows):
            raise ValueError(rows)
        return {
            "study": {key: found["study"][key] for key in ("game", "seed")},
            "provenance": {key: found["provenance"][key] for key in ("identity", "rules")},
            "rows": rows,
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise SimError(
            f"{path}: not a baseline; allowed: a run's summary.json, a file written with --json, "
            "or the folder of a run."
        ) from None


def check_shared(baseline: Baseline, rows: list[Row]) -> None:
    """Raise SimError if a baseline has none of the rows that are to be compared."""
    if rows and not any(key_of(row) in baseline.rows for row in rows):
        metrics = list(dict.fromkeys(row["metric"] for row in rows))
        raise SimError(
            f"{baseline.source}: a baseline of something else: it has no row for the players, "
            f"variants and line-ups of this study ({listing(metrics[:4])})."
        )


class Difference(NamedTuple):
    """Now minus before with bounds, and how far each run's own bounds reach (below, above)."""

    gap: float
    low: float
    high: float
    now: tuple[float, float]
    before: tuple[float, float]


def difference(now: Row, before: Row, confidence: float) -> Difference:
    """Return now minus before; `now` has an interval of this level, `before` one of 95 %.

    The bounds of the baseline are widened by the ratio of Student's quantiles, then both are put
    together as those of independent runs. A bound that either lacks is infinite; a row without an
    interval by nature is taken as exact.
    """
    from sim.inference import Interval, difference_interval

    wider = _wider(before, confidence)
    own, (down, up) = _reach(now), _reach(before)
    down, up = wider * down, wider * up
    pair = now["estimate"], before["estimate"]
    ends = [
        Interval(np.array(value - below), np.array(value + above), np.array(""))
        for value, (below, above) in zip(pair, (own, (down, up)), strict=True)
    ]
    with np.errstate(invalid="ignore"):
        found = difference_interval(pair, (ends[0], ends[1]))
    low, high = (float(end) for end in (found.low, found.high))
    return Difference(
        pair[0] - pair[1],
        -math.inf if math.isnan(low) else low,
        math.inf if math.isnan(high) else high,
        own,
        (up, down),
    )


def _reach(row: Row) -> tuple[float, float]:
    """Return how far the bounds lie below and above the estimate."""
    low, high = bounds(row)
    return row["estimate"] - low, high - row["estimate"]


def _wider(row: Row, confidence: float) -> float:
    """Return how much wider an interval of a level is than one of 95 %."""
    from scipy.special import stdtrit

    games = row["n"] // row["players"] if "by deal" in row["method"] else row["n"]
    freedom = max(games - 1, 1)
    return float(stdtrit(freedom, (1 + confidence) / 2) / stdtrit(freedom, (1 + CONFIDENCE) / 2))
