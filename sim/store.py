"""A run on disk: a manifest and Parquet shards, written so that a killed run can go on.

A run is a folder: `manifest.json`, `data/<table>/<cell>-<shard>.parquet`, and while it is being
played `data/journal.jsonl`, a line for each finished shard. Every file is written beside its
place and renamed.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim import games
from sim.errors import SimError
from sim.games.game import Game, Tables
from sim.plan import Cell, Plan, Shard, plan
from sim.study import Study

FORMAT = 1
MANIFEST = "manifest.json"
JOURNAL = "journal.jsonl"
KEYS = {"complete", "study", "rules", "timings", "shards"}
"""What going on with a run needs of its manifest."""
ROW_GROUP = 1 << 18


@dataclass(frozen=True)
class StoredShard:
    """A finished shard: which games it holds, and each table's rows, bytes and SHA-256."""

    cell: int
    number: int
    first: int
    count: int
    files: dict[str, dict[str, Any]]

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What tells shards of one study apart."""
        return self.cell, self.number, self.first, self.count


def shard_key(shard: Shard) -> tuple[int, int, int, int]:
    """Return the key that the stored form of a planned shard has."""
    return shard.cell_index, shard.number, shard.first, shard.count


def table_file(folder: Path, table: str, cell: int, number: int) -> Path:
    """Return where a table of a shard is kept."""
    return folder / "data" / table / f"{cell:05d}-{number:05d}.parquet"


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its place and rename it, so that a reader never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


class Labels:
    """The names behind coded columns, the same in every shard of a run."""

    def __init__(self, planned: Plan) -> None:
        self.all: dict[str, list[str]] = {"style": list(planned.study.styles)}
        for cell in _one_of_each_variant(planned.cells):
            for column, names in planned.game.labels(planned.setup(cell)).items():
                known = self.all.setdefault(column, [])
                known.extend(name for name in names if name not in known)

    def series(self, column: str, codes: np.ndarray, names: Iterable[str]) -> pl.Series:
        """Return codes as an Enum; `names` are those of the cell, by code."""
        kind = pl.Enum(self.all[column])
        return pl.Series(column, list(names), dtype=kind).gather(codes)


def _one_of_each_variant(cells: Iterable[Cell]) -> list[Cell]:
    return list({cell.variant: cell for cell in cells}.values())


def frame(array: np.ndarray, cell: int, labels: Labels, names: Mapping[str, Any]) -> pl.DataFrame:
    """Return a structured array as a table, `cell` first, codes as names, NaN as null."""
    columns = [pl.repeat(cell, len(array), dtype=pl.UInt16, eager=True).alias("cell")]
    for column in array.dtype.names or ():
        values = np.ascontiguousarray(array[column])
        if column in names:
            columns.append(labels.series(column, values, names[column]))
        else:
            series = pl.Series(column, values)
            columns.append(series.fill_nan(None) if series.dtype.is_float() else series)
    return pl.DataFrame(columns)


def write_shard(
    folder: Path, shard: Shard, tables: Tables, labels: Labels, names: Mapping[str, Any]
) -> StoredShard:
    """Write the tables of a shard; return what the manifest says of it."""
    files = {}
    for table, array in tables.items():
        buffer = io.BytesIO()
        frame(array, shard.cell_index, labels, names).rechunk().write_parquet(
            buffer, compression="zstd", compression_level=1, row_group_size=ROW_GROUP
        )
        content = buffer.getvalue()
        write_atomically(table_file(folder, table, shard.cell_index, shard.number), content)
        files[table] = {
            "rows": len(array),
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    return StoredShard(shard.cell_index, shard.number, shard.first, shard.count, files)


def is_sound(folder: Path, stored: StoredShard) -> bool:
    """Tell whether every file of a shard is there and has the recorded content."""
    return next(damaged(folder, stored), None) is None


def damaged(folder: Path, stored: StoredShard) -> Iterator[str]:
    """Yield each table of a shard whose file is not there or has other content than recorded."""
    for table, known in stored.files.items():
        path = table_file(folder, table, stored.cell, stored.number)
        try:
            sound = path.stat().st_size == known["bytes"]
            if sound:
                with path.open("rb") as file:
                    sound = hashlib.file_digest(file, "sha256").hexdigest() == known["sha256"]
        except OSError:
            sound = False
        if not sound:
            yield table


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run; raise SimError when there is none that can be read."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SimError(f"{folder}: there is no run here ({MANIFEST} is missing)") from None
    except (OSError, ValueError) as error:
        raise SimError(f"{path}: cannot be read ({error}); move the folder aside") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or KEYS - set(manifest):
        raise SimError(f"{path}: not a manifest of this version of sim; move the folder aside")
    return manifest


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest."""
    text = json.dumps(manifest, indent=1, allow_nan=False) + "\n"
    write_atomically(folder / MANIFEST, text.encode())


def stored_shards(folder: Path, manifest: Mapping[str, Any]) -> list[StoredShard]:
    """Return the shards that the manifest and the journal list, later lines winning."""
    try:
        journal = (folder / "data" / JOURNAL).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        journal = ""
    shards = [StoredShard(**line) for line in manifest["shards"]]
    for line in journal.splitlines():
        try:
            shards.append(StoredShard(**json.loads(line)))
        except (ValueError, TypeError):
            continue  # torn by a kill: that shard is played again
    found = {(shard.cell, shard.number): shard for shard in shards}
    return [found[key] for key in sorted(found)]


def append_to_journal(folder: Path, stored: StoredShard) -> None:
    """Note a finished shard, so that a killed run knows of it."""
    path = folder / "data" / JOURNAL
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        # a line torn by a kill must not swallow this one
        file.write(b"\n" + json.dumps(asdict(stored)).encode() + b"\n")


def remove_leftovers(folder: Path, shards: Iterable[StoredShard]) -> None:
    """Remove the journal once the manifest lists every shard, and files that are none of these."""
    (folder / "data" / JOURNAL).unlink(missing_ok=True)
    listed = {
        table_file(folder, table, shard.cell, shard.number)
        for shard in shards
        for table in shard.files
    }
    for stray in set(folder.glob("data/*/[0-9]*-[0-9]*.parquet")) - listed:
        stray.unlink(missing_ok=True)
    for half in (*folder.glob(f".{MANIFEST}.*"), *folder.glob("data/*/.*.parquet.*")):
        half.unlink(missing_ok=True)


class Run:
    """A finished run: its tables as lazy frames, its metrics in the tidy shape."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        try:
            self.study = Study.model_validate_json(json.dumps(manifest["study"]))
            self.shards = [StoredShard(**line) for line in manifest["shards"]]
        except (ValueError, TypeError):
            raise SimError(
                f"{folder / MANIFEST}: not a manifest of this version of sim; move the folder aside"
            ) from None

    def __repr__(self) -> str:
        return f"<Run {self.study.title!r}: {self.games_played:,} games in {self.folder}>"

    @cached_property
    def plan(self) -> Plan:
        """What was played; cells that stopped before their limit have fewer games."""
        planned = plan(self.study)
        stopped = self.manifest.get("until")
        if not stopped:
            return planned
        units = stopped["units"]
        return planned.with_games({cell: unit["games"] for unit in units for cell in unit["cells"]})

    @property
    def game(self) -> Game:
        """The game that was studied."""
        return games.get(self.study.game)

    @property
    def games_played(self) -> int:
        """How many games all cells have together."""
        return sum(shard.count for shard in self.shards)

    @cached_property
    def cells(self) -> pl.DataFrame:
        """A row for each cell: cell, players, variant, lineup, rotate, games."""
        cells = self.plan.cells
        return pl.DataFrame(
            {
                "cell": [cell.index for cell in cells],
                "players": [cell.players for cell in cells],
                "variant": [cell.variant for cell in cells],
                "lineup": [cell.lineup for cell in cells],
                "rotate": [cell.rotate for cell in cells],
                "games": [cell.games for cell in cells],
            },
            schema={
                "cell": pl.UInt16,
                "players": pl.UInt8,
                "variant": pl.String,
                "lineup": pl.String,
                "rotate": pl.Boolean,
                "games": pl.Int64,
            },
        )

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a table over all shards; join `cells` on `cell` for the keys."""
        files = [
            table_file(self.folder, table, shard.cell, shard.number)
            for shard in self.shards
            if table in shard.files
        ]
        if not files:
            raise SimError(f'{self.folder}: this run has no table "{table}"')
        return pl.scan_parquet(files, glob=False)

    def seats(self) -> pl.DataFrame:
        """Return the win share of each seat."""
        from sim import metrics

        return metrics.seat_share(self)

    def styles(self) -> pl.DataFrame:
        """Return the win share of each style."""
        from sim import metrics

        return metrics.style_share(self)

    def scores(self) -> pl.DataFrame:
        """Return scores and their parts."""
        from sim import metrics

        return metrics.scores(self)

    def length(self) -> pl.DataFrame:
        """Return turns, rounds and decisions with their quantiles."""
        from sim import metrics

        return metrics.length(self)

    def ties(self) -> pl.DataFrame:
        """Return how often the win is shared, and the winner's margin."""
        from sim import metrics

        return metrics.ties(self)

    def endings(self) -> pl.DataFrame:
        """Return why games ended, and how many were cut short."""
        from sim import metrics

        return metrics.endings(self)

    def flow(self) -> pl.DataFrame:
        """Return how often the lead changed."""
        from sim import metrics

        return metrics.flow(self)

    def cards(self) -> pl.DataFrame:
        """Return how cards are used and how they go with winning."""
        from sim import metrics

        return metrics.cards(self)


def open_run(folder: str | Path) -> Run:
    """Open a finished run; raise SimError for an unfinished or missing one."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    if not manifest["complete"]:
        raise SimError(
            f"{folder}: this run is not finished; `sim run` on its study goes on with it"
        )
    return Run(folder, manifest)
