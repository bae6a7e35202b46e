"""An audit from one end to the other: checks what is asked, referees, plays, compares."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

from sim import games, store
from sim.audit import effects, numbers, screening, tables
from sim.audit.changes import Base, Change, Untried, switched
from sim.audit.conclusions import of_run, unfollowed
from sim.audit.found import PARTS, Audit
from sim.audit.journal import Journal
from sim.audit.play import known_as, play
from sim.audit.referee import referee
from sim.errors import SimError, listing, suggest
from sim.games.game import GRADES
from sim.progress import Progress, silent
from sim.simulate import changed_since, check_workers, default_folder
from sim.study import MAX_GAMES, MAX_SEED, Study, load

REFEREE, RULINGS, NUMBERS = PARTS
GAMES = 200
BY = 0.2


@dataclass(frozen=True)
class Wanted:
    """What is asked of an audit; None stands for what suits the study.

    `games` are refereed in all; `play` are games of each change at a table (a cell, or a round
    robin whose cells share them); `by` is the part of its size that a number moves by.
    """

    only: tuple[str, ...] = ()
    games: int = GAMES
    play: int | None = None
    seed: int | None = None
    by: float = BY
    grade: str = "assumed"
    variant: str | None = None
    lineup: str | None = None
    morris: bool = False
    trajectories: int = screening.TRAJECTORIES

    def checked(self) -> "Wanted":
        """Return it with all parts named; raise SimError at what makes no sense."""
        for part in self.only:
            _one_of("only", part, PARTS)
        _one_of("grade", self.grade, GRADES)
        for key, number, least, most in (
            ("games", self.games, 1, MAX_GAMES),
            ("play", self.play, 2, MAX_GAMES),
            ("seed", self.seed, 0, MAX_SEED),
            ("trajectories", self.trajectories, 2, 10_000),
        ):
            if number is not None and not least <= number <= most:
                raise SimError(f"{key}: found {number}; allowed: {least} to {most}")
        if not 0 < self.by <= 1:
            raise SimError(f"by: found {self.by:g}; allowed: a number above 0, up to 1")
        only = tuple(part for part in PARTS if not self.only or part in self.only)
        if self.morris and NUMBERS not in only:
            raise SimError(f'morris: numbers are screened; add "--only {NUMBERS}"')
        if self.morris and find_spec("SALib") is None:
            raise SimError("morris: SALib is not installed; pip install SALib, or leave this out")
        return replace(self, only=only)


def _one_of(key: str, name: str, allowed: Collection[str]) -> None:
    if name not in allowed:
        raise SimError(
            f'{key}: found "{name}"; allowed: {listing(allowed)}.{suggest(name, allowed)}'
        )


def audit(
    study: Study | str | Path,
    out: str | Path | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    **wanted: Any,
) -> Audit:
    """Audit the finished run of a study: what `Wanted` says, all of it by default.

    `out` is the run's folder. What is played is kept there in `audit/`, so that an audit that was
    stopped goes on. Raises SimError for a run that is not there, not finished or of something else.
    """
    loaded = study if isinstance(study, Study) else load(study)
    asked = Wanted(**wanted).checked()
    check_workers(jobs)
    name = tables.variant_of(loaded, asked.variant)
    chosen = tables.chosen(loaded, name, asked.lineup)
    run = finished(loaded, Path(out) if out else default_folder(loaded), str(study))
    seed = loaded.seed if asked.seed is None else asked.seed
    progress = progress or silent()
    found = Audit(
        said=loaded.source if isinstance(study, Study) else str(study),
        folder=run.folder,
        settings=vars(asked) | {"seed": seed, "variant": name},
    )
    if REFEREE in asked.only:
        found = replace(found, refereed=referee(run, asked.games, seed, progress))
    if RULINGS in asked.only or NUMBERS in asked.only:
        work = _Work(run, asked, name, chosen, seed)
        found = work.done(found, Journal(run.folder, known_as(work.base)), jobs, progress)
    return found


def finished(study: Study, folder: Path, said: str) -> Any:
    """Return the finished run of a study; raise SimError that says what to do without one."""
    how = f"play the study first: sim run {said}"
    if not (folder / store.MANIFEST).exists():
        raise SimError(f"{folder}: there is no run here; {how}")
    manifest = store.read_manifest(folder)
    if not manifest["complete"]:
        raise SimError(f"{folder}: this run is not finished; sim run {said} goes on with it")
    run = store.Run(folder, manifest)
    if changed := changed_since(run, study):
        raise SimError(
            f"{folder}: holds a run of something else: {changed}. "
            f"Play the study as it is now: sim run {said} --fresh"
        )
    # what decides no game may have changed since
    now = {key: getattr(study, key) for key in ("title", "source", "budgets", "matters")}
    run.study = run.study.model_copy(update=now)
    return run


class _Work:
    """Tries rulings and numbers."""

    def __init__(
        self, run: Any, asked: Wanted, variant: str, chosen: list[tables.Table], seed: int
    ) -> None:
        self.asked, self.run, self.study = asked, run, run.study
        study = run.study
        game = games.get(study.game)
        self.each = tables.default_play(game) if asked.play is None else asked.play
        self.tables = [tables.sized(table, self.each) for table in chosen]
        players = tuple(sorted({table.players for table in chosen}))
        sample = None if study.sample is None else 0.0
        changes = {"seed": seed, "sample": sample, "until": None, "kingmaking": None}
        alike = study.model_copy(update=changes)
        self.base = Base(game, alike, variant, players)
        self.seed = seed

    def done(self, found: Audit, journal: Journal, jobs: int | None, progress: Progress) -> Audit:
        """Return the audit with what rulings and numbers do."""
        changes: list[Change] = []
        untried: list[Untried] = []
        if RULINGS in self.asked.only:
            changes, untried = switched(self.base)
        moved: list[Change] = []
        if NUMBERS in self.asked.only:
            progress.say("Looking for numbers to move ...")
            moved, still = numbers.moved(self.base, self.asked.grade, self.asked.by)
            changes, untried = changes + moved, untried + still
        design = self._design(moved) if self.asked.morris else None
        variants = {each.name: self.base.with_values({each.key: each.value}) for each in changes}
        play(self.base, variants, self.tables, journal, jobs, progress)
        before = of_run(self.run, self.base.name)
        ranked, rows = effects.compared(self.base, changes, self.tables, journal, before)
        screened = pl.DataFrame(schema=screening.SCHEMA)
        if design:
            play(self.base, design.known, self.tables, journal, jobs, progress)
            screened = screening.screened(self.base, design, self.tables, journal, self.seed)
        return replace(
            found,
            effects=ranked,
            rows=rows,
            untried=untried,
            screening=screened,
            settings=dict(found.settings) | self._settings(),
            notes=[*found.notes, *self._notes(design)],
        )

    def _design(self, moved: list[Change]) -> screening.Design:
        factors = screening.factors_of(moved)
        return screening.design(self.base, factors, self.asked.trajectories, self.seed)

    def _settings(self) -> dict[str, Any]:
        return {
            "play": self.each,
            "tables": [
                {
                    "players": table.players,
                    "lineup": table.lineup,
                    "games": sum(cell.games for cell in table.cells),
                }
                for table in self.tables
            ],
        }

    def _notes(self, design: screening.Design | None) -> list[str]:
        """Return what a reader must know of how it was done, beside what settings tell."""
        notes = []
        if left := unfollowed(self.study.budgets):
            notes.append(
                f"Budgets that are not followed here, as sums alone do not tell them: "
                f"{listing(left)}."
            )
        if design and design.refused:
            notes.append(
                f"Screening: {design.refused} trajectories were left out, as the game refuses one "
                f"of their points; {design.trajectories} were played."
            )
        return notes
