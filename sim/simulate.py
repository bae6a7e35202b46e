"""Runs a study: plays its shards through joblib, shows progress, stops and goes on."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from sim import games, store
from sim.errors import SimError, listing
from sim.files import check_above
from sim.games import kingmaking
from sim.games.game import Game
from sim.games.kingmaking import Kingmaking
from sim.overrides import differences
from sim.plan import Plan, Shard, plan
from sim.progress import Progress, silent
from sim.provenance import provenance
from sim.store import Labels, Run, StoredShard
from sim.study import Study, load
from sim.workers import Crew, end_with, results_of

BACKENDS = ("auto", "threads", "loky")
FIRST_BATCH = 128
BATCH_SECONDS = 0.4
"""Long enough that a call costs nothing, short enough for progress and Ctrl-C."""
LARGEST_GROWTH = 8
LOCK = ".lock"
BESIDE = ("tune_", "forbid_")
"""How names begin of what may lie in a run's folder before its run."""
Done = dict[tuple[int, int, int, int], StoredShard]
"""Finished shards by what tells them apart."""


@dataclass(frozen=True)
class Task:
    """All that a worker needs to play and store one shard."""

    game: str
    setup: Any
    seed: int
    shard: Shard
    folder: Path
    labels: Labels
    names: dict[str, Any]
    kingmaking: Kingmaking | None
    batch: int | None
    employer: int


def run(
    study: Study | str | Path,
    out: str | Path | None = None,
    *,
    jobs: int | None = None,
    backend: str = "auto",
    batch: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Play what is missing of a study and return the finished run.

    `study` is a Study, a TOML file or the name of one in `configs/`; `out` is the run's folder
    (default `reports/<game>/<study>`); `jobs` is how many cores to use (default all); `batch`
    fixes the games of one call into compiled code, else it is found by time. None of these four
    moves a byte of the result. `fresh` sets an earlier run in that folder aside first.
    Raises SimError when the folder holds a run of something else or cannot be written.
    """
    planned = plan(study if isinstance(study, Study) else load(study))
    folder = Path(out) if out else default_folder(planned.study)
    if folder.name in ("", ".."):
        folder = folder.resolve()  # "." would follow a folder that --fresh renames
    check_workers(jobs, backend, batch)
    jobs, backend = workers_of(jobs, backend, planned.game)
    progress = progress or silent()
    with _faults_told(folder), _locked(folder):
        if fresh:
            set_aside(folder, progress)
        manifest, done = _begin(folder, planned, progress)
        desk = _Desk(folder, manifest, done, jobs, backend, batch, progress)
        if planned.study.until is None:
            desk.fill(planned)
        else:
            from sim import looks

            planned, manifest["until"] = looks.play(desk, planned)
        return _finish(folder, manifest, desk.stored(planned), desk.played)


@dataclass
class _Desk:
    """Plays the games of one run and keeps them: its manifest, and the shards that are done."""

    folder: Path
    manifest: dict[str, Any]
    done: Done
    jobs: int
    backend: str
    batch: int | None
    progress: Progress
    played: bool = False

    def fill(self, planned: Plan, look: int = 0) -> None:
        """Play what is missing of a plan."""
        missing = self._missing(planned)
        if not missing:
            return
        # killed from here on, the folder is unfinished, whatever it was before
        self.manifest["complete"] = False
        store.write_manifest(self.folder, self.manifest)
        if not self.played:
            make_ready(planned.game, self.progress)
        jobs = min(self.jobs, len(missing))
        title = planned.study.title + (f", look {look}" if look else "")
        how = (title, jobs, self.backend, self.batch, self.progress)
        timings = self.manifest["timings"]
        timings["playing_seconds"] += _play(planned, self.folder, missing, self.done, *how)
        timings["jobs"] = max(jobs, timings.get("jobs", 0) if self.played else 0)
        timings["backend"] = self.backend
        self.played = True

    def holds(self, planned: Plan) -> bool:
        """Tell whether nothing is missing of a plan."""
        return not self._missing(planned)

    def _missing(self, planned: Plan) -> list[Shard]:
        return [shard for shard in planned.shards() if store.shard_key(shard) not in self.done]

    def stored(
        self, planned: Plan, wanted: Callable[[Shard], bool] | None = None
    ) -> list[StoredShard]:
        """Return the shards of a plan as they are kept, or some of them."""
        shards = (shard for shard in planned.shards() if wanted is None or wanted(shard))
        return [self.done[store.shard_key(shard)] for shard in shards]

    def view(self, planned: Plan, wanted: Callable[[Shard], bool] | None = None) -> Run:
        """Return a plan that has been played as a run, or some of its shards."""
        units = [{"cells": [cell.index], "games": cell.games} for cell in planned.cells]
        shards = [asdict(shard) for shard in self.stored(planned, wanted)]
        return Run(self.folder, self.manifest | {"until": {"units": units}, "shards": shards})

    def say(self, text: str) -> None:
        """Show a line."""
        self.progress.say(text)


def default_folder(study: Study) -> Path:
    """Return where a study's run is kept unless the user says otherwise."""
    return Path("reports") / study.game / study.name


def make_ready(game: Game, progress: Progress) -> None:
    """Compile the game, or read it from the disk cache, before the clock starts."""
    ready = game.compiled()
    if not ready:
        progress.say(f"Compiling {game.title} for this machine, once; up to a minute ...")
    start = time.perf_counter()
    style = next(iter(game.styles().values()))
    setup = game.setup(
        game.default_components(),
        game.default_rulings(),
        [style] * game.player_counts[0],
        False,
    )
    game.play(setup, 0, 0, 0, game.tables_for(setup, 0), 0)
    if not ready:
        progress.say(
            f"Compiled in {time.perf_counter() - start:.1f} s; the next run starts at once."
        )


def set_aside(folder: Path, progress: Progress) -> None:
    """Rename an earlier run's folder, so that nothing computed is lost."""
    if not (folder / store.MANIFEST).exists():
        return
    number = 1
    while (aside := folder.with_name(f"{folder.name}.old{number}")).exists():
        number += 1
    folder.rename(aside)
    folder.mkdir(parents=True)
    progress.say(f"The earlier run is kept in {aside}.")


def check_workers(jobs: int | None, backend: str = "auto", batch: int | None = None) -> None:
    """Raise SimError unless games can be played like this."""
    if backend not in BACKENDS:
        raise SimError(f'backend: found "{backend}"; allowed: {listing(BACKENDS)}')
    for key, number in (("jobs", jobs), ("batch", batch)):
        if number is not None and number < 1:
            raise SimError(f"{key}: found {number}; allowed: a whole number from 1")


def workers_of(jobs: int | None, backend: str, game: Game) -> tuple[int, str]:
    """Return how many workers play a game, and whether they are threads or processes."""
    import joblib

    if backend == "auto":
        backend = "threads" if game.releases_gil else "loky"
    return jobs or joblib.cpu_count(), backend


def _locked(folder: Path) -> Any:
    """Hold the folder's lock, kept beside it if that can be, for one process at a time."""
    from filelock import FileLock, Timeout

    place = folder.resolve()
    path = place.parent / f".{place.name}.lock"
    if place.is_dir() and not os.access(place.parent, os.W_OK):
        path = place / LOCK  # a folder that others made for us, such as a container's volume
    if not path.exists():
        _refuse_foreign(folder)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.touch()  # says what is wrong where the lock would only time out
        return FileLock(path).acquire(timeout=0)
    except Timeout:
        raise SimError(f"{folder}: another sim is writing this run; wait for it to end") from None


def _refuse_foreign(folder: Path) -> None:
    """Raise SimError when there is something in the run's place that is no run."""
    if folder.exists() and not folder.is_dir():
        raise SimError(f"{folder}: this is a file; a run needs a folder")
    check_above(folder)
    if folder.exists() and not (folder / store.MANIFEST).exists():
        # of a run killed while it wrote its first manifest
        # or of a tuning, which needs no run
        ours = (LOCK, f".{store.MANIFEST}.", *BESIDE)
        if any(not entry.name.startswith(ours) for entry in folder.iterdir()):
            raise SimError(f"{folder}: this folder is not empty and holds no run; choose another")


@contextmanager
def _faults_told(folder: Path) -> Iterator[None]:
    """Turn a full disk, a read-only folder or a killed worker into one clear line."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        place = error.filename or folder
        kept = "; shards that were finished are kept" if (folder / store.MANIFEST).exists() else ""
        raise SimError(f"{place}: {error.strerror or error}{kept}") from error
    except TerminatedWorkerError as error:
        raise SimError(
            f"{folder}: a worker process was killed, perhaps for want of memory; shards that were "
            "finished are kept, and fewer --jobs may do"
        ) from error


def _begin(folder: Path, planned: Plan, progress: Progress) -> tuple[dict[str, Any], Done]:
    """Return the manifest to go on with, and the sound shards that are there already."""
    _refuse_foreign(folder)
    if not (folder / store.MANIFEST).exists():
        manifest = _new_manifest(planned)
        store.write_manifest(folder, manifest)
        return manifest, {}
    manifest = store.read_manifest(folder)
    _refuse_to_mix(folder, manifest, planned)
    wanted = {store.shard_key(shard) for shard in planned.shards()}
    done = {}
    damaged = 0
    for stored in store.stored_shards(folder, manifest):
        if stored.key in wanted:
            if store.is_sound(folder, stored):
                done[stored.key] = stored
            else:
                damaged += 1
    if damaged:
        progress.say(f"{folder}: {damaged} damaged or missing shard(s) will be played again.")
    if planned.study.until and done and not manifest["complete"]:
        progress.say(f"Going on: {len(done):,} shards are there already.")
    elif not planned.study.until and 0 < len(done) < len(wanted):
        progress.say(f"Going on: {len(done):,} of {len(wanted):,} shards are there already.")
    manifest["study"] = _study_data(planned.study)
    manifest.pop("until", None)
    return manifest, done


def _refuse_to_mix(folder: Path, manifest: dict[str, Any], planned: Plan) -> None:
    """Raise SimError when the folder's shards were played by another study or other rules."""
    run = Run(folder, manifest)
    changed = changed_since(run, planned.study)
    if not changed and planned.study.games < run.study.games:
        changed = f"games: {run.study.games:,} -> {planned.study.games:,}"
    if changed:
        raise SimError(
            f"{folder}: holds a run of something else: {changed}. "
            "Use --fresh to set that run aside, or --out for another folder."
        )


def changed_since(run: Run, study: Study) -> str:
    """Return what a study or its rules change against those of a run; "" if nothing."""
    changed = differences(run.study.resolved(), study.resolved())
    if not changed:
        before, now = run.manifest["rules"], rules_of(games.get(study.game))
        changed = [
            f"rules {key}: {before[key]} -> {now[key]}" for key in now if before[key] != now[key]
        ]
    more = f" (and {len(changed) - 3} more)" if len(changed) > 3 else ""
    return "; ".join(changed[:3]) + more


def rules_of(game: Game) -> dict[str, str]:
    """Return what tells the rules of a game from those of another day."""
    from sim.compiled import source_fingerprint

    return {
        "game": game.name,
        "version": game.version,
        "source": source_fingerprint(type(game).__module__),
    }


def _new_manifest(planned: Plan) -> dict[str, Any]:
    return {
        "format": store.FORMAT,
        "complete": False,
        "study": _study_data(planned.study),
        "identity": planned.study.identity(),
        "rules": rules_of(planned.game),
        "timings": {"started": _now(), "finished": None, "playing_seconds": 0.0},
        "shards": [],
    } | provenance(planned.study)


def _study_data(study: Study) -> dict[str, Any]:
    return study.model_dump(mode="json")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _play(
    planned: Plan,
    folder: Path,
    missing: list[Shard],
    done: Done,
    title: str,
    jobs: int,
    backend: str,
    batch: int | None,
    progress: Progress,
) -> float:
    """Play the missing shards into the folder and into `done`; return the seconds it took."""
    start = time.perf_counter()
    in_threads = backend == "threads" or jobs == 1
    crew = Crew(progress.advance) if in_threads else None
    total = sum(shard.count for shard in missing)
    tasks = _tasks(planned, folder, missing, batch)
    # the workers end before the folder's lock is given back
    with (
        progress.playing(title, total),
        closing(results_of(play_shard, tasks, jobs, backend, crew)) as results,
    ):
        for stored in results:
            store.append_to_journal(folder, stored)
            done[stored.key] = stored
            if not in_threads:
                progress.advance(stored.count)
    return time.perf_counter() - start


def _tasks(planned: Plan, folder: Path, missing: list[Shard], batch: int | None) -> Iterator[Task]:
    labels = Labels(planned)
    setups: dict[int, Any] = {}
    for shard in missing:
        cell = planned.cells[shard.cell_index]
        if shard.cell_index not in setups:
            setups = {shard.cell_index: planned.setup(cell)}
        setup = setups[shard.cell_index]
        names = {"style": cell.styles, **planned.game.labels(setup)}
        yield Task(
            planned.game.name,
            setup,
            planned.study.seed,
            shard,
            folder,
            labels,
            names,
            planned.study.kingmaking,
            batch,
            os.getpid(),
        )


def play_shard(task: Task, crew: Crew | None) -> StoredShard:
    """Play the games of a shard batch by batch, and store them; no crew in a worker process."""
    if crew is None:
        end_with(task.employer)
    with crew or nullcontext():
        return _play_and_store(task, crew)


def _play_and_store(task: Task, crew: Crew | None) -> StoredShard:
    game = games.get(task.game)
    shard = task.shard
    tables = game.tables_for(task.setup, shard.count, shard.first)
    played = 0
    size = task.batch or FIRST_BATCH
    while played < shard.count:
        count = min(size, shard.count - played)
        start = time.perf_counter()
        game.play(task.setup, task.seed, shard.first + played, count, tables, played)
        played += count
        if task.batch is None:
            size = _next_batch(count, time.perf_counter() - start)
        if crew:
            crew.advance(count)
    if task.kingmaking:
        tables[kingmaking.TABLE] = _kingmaking(task, task.kingmaking, game, crew)
    return store.write_shard(task.folder, shard, tables, task.labels, task.names)


def _kingmaking(task: Task, how: Kingmaking, game: Game, crew: Crew | None) -> np.ndarray:
    """Return what decisions of a shard's games show of kingmaking."""
    scripted, shard = game.scripted(task.setup), task.shard  # type: ignore[attr-defined]
    numbers = range(shard.first, shard.first + shard.count)
    found = [np.zeros(0, kingmaking.DTYPE)]
    for row in kingmaking.looked_at(scripted, how, task.seed, numbers):
        found.append(row)
        if crew:
            crew.advance(0)  # where Ctrl-C is heard
    return np.concatenate(found)


def _next_batch(count: int, seconds: float) -> int:
    """Return how many games will take about BATCH_SECONDS."""
    growth = BATCH_SECONDS / seconds if seconds > 0 else LARGEST_GROWTH
    return max(1, int(count * min(growth, LARGEST_GROWTH)))


def _finish(
    folder: Path,
    manifest: dict[str, Any],
    stored: list[StoredShard],
    played: bool,
) -> Run:
    """Write the manifest of a finished run and return it."""
    shards = [asdict(shard) for shard in stored]
    if played or manifest["shards"] != shards or not manifest["complete"]:
        manifest |= {"complete": True, "shards": shards}
        manifest["timings"]["finished"] = _now()
    store.write_manifest(folder, manifest)
    store.remove_leftovers(folder, stored)
    return Run(folder, manifest)
