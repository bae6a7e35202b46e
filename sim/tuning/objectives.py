"""Finds values that make elements worth the same: works them out, searches, plays, confirms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sim import games
from sim.audit.changes import Base
from sim.audit.tables import default_play, every_table, sized
from sim.errors import SimError, listing, suggest
from sim.progress import Progress, silent
from sim.simulate import check_workers, default_folder
from sim.study import MAX_GAMES, MAX_SEED, Study, load
from sim.tuning import analytic, search
from sim.tuning.asked import locked
from sim.tuning.spread import Goal
from sim.tuning.trials import Measure, Trials, Values, remove_leftovers
from sim.tuning.values import Setting, setting

ANALYTIC, SEARCHED, BOTH = "analytic", "search", "both"
WAYS = (ANALYTIC, SEARCHED, BOTH)
TRIALS = 60
STEPS = 5
"""So often values are worked out again from what was played."""
BASE_SETS = 4
"""Sets of games that an analytic step is played in."""
REFINEMENTS = 6
REFINED_SETS = 8
"""So many small steps are tried from the best of these, played in so many sets of games."""
FRESH_SETS = 20
"""Sets of games that the winner is confirmed in, which no search saw."""
RESCORED_SETS = 10
"""So many of these are scored again, too."""
FOLDER = "tune_objectives"
NEXT_TO_NOTHING = 1e-9


@dataclass(frozen=True)
class Wanted:
    """What is asked of a tuner; None stands for what suits the study.

    `trials` are sets of values that the search plays; `play` are games of each set of games at a
    table (a cell, or a round robin whose cells share them).
    """

    way: str = BOTH
    trials: int = TRIALS
    play: int | None = None
    seed: int | None = None

    def check(self) -> None:
        """Raise SimError at what makes no sense."""
        if self.way not in WAYS:
            raise SimError(
                f'way: found "{self.way}"; allowed: {listing(WAYS)}.{suggest(self.way, WAYS)}'
            )
        for key, number, least, most in (
            ("trials", self.trials, 1, 1_000_000),
            ("play", self.play, 2, MAX_GAMES),
            ("seed", self.seed, 0, MAX_SEED),
        ):
            if number is not None and not least <= number <= most:
                raise SimError(f"{key}: found {number}; allowed: {least} to {most}")
        if self.way != ANALYTIC:
            search.check()


@dataclass(frozen=True)
class Step:
    """Values that were worked out: the spread that was promised, and the one that came out."""

    values: Values
    promised: float
    played: float


@dataclass(frozen=True)
class Tuned:
    """What was found for variants that take the same values.

    `before` and `after` are measures on fresh luck, one for each set of games; `rescored` are those
    of the original scored again with the new values, of the first sets, empty if that cannot be.
    """

    names: tuple[str, ...]
    setting: Setting
    values: Values
    before: Sequence[Measure]
    after: Sequence[Measure]
    rescored: Sequence[Measure]
    steps: Sequence[Step] = ()
    tried: int = 0
    way: str = ""
    """How the values were found that won; "" if none was better than the original."""

    @property
    def goal(self) -> Goal:
        """What was wanted."""
        return Goal(self.setting)

    @property
    def is_changed(self) -> bool:
        """Whether any value has moved."""
        return dict(self.values) != self.setting.now


@dataclass(frozen=True)
class Work:
    """A tuning of a whole study."""

    study: Study
    said: str
    folder: Path
    settings: Mapping[str, Any]
    tuned: Sequence[Tuned] = field(default_factory=list)


def tune(
    study: Study | str | Path,
    out: str | Path | None = None,
    *,
    jobs: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    **wanted: Any,
) -> Work:
    """Tune the values of a study as its [tune] and `Wanted` say; variants apart, or together.

    `out` is the folder of the study's run, which need not be there: what is played is kept in
    `tune_objectives` in it, trial by trial, so that a tuning that was stopped goes on. Raises
    SimError for a study that does not say what may move.
    """
    loaded = study if isinstance(study, Study) else load(study)
    said = loaded.source if isinstance(study, Study) else str(study)
    asked = Wanted(**wanted)
    asked.check()
    check_workers(jobs)
    groups = _groups(loaded)
    settings = [_setting(loaded, names, said) for names in groups]
    folder = (Path(out) if out else default_folder(loaded)) / FOLDER
    progress = progress or silent()
    seed = loaded.seed if asked.seed is None else asked.seed
    play = asked.play or default_play(games.get(loaded.game))
    own = {"way": asked.way, "trials": asked.trials, "play": play, "seed": seed}
    work = Work(loaded, said, folder, own | {"fresh_sets": FRESH_SETS})
    with locked(folder):
        if fresh:
            set_aside(folder, progress)
        found = []
        for names, (bases, what) in zip(groups, settings, strict=True):
            each = _games_of_cells(loaded, names[0], play)
            trials = Trials(bases, what, folder / "trials", each, seed, jobs, progress)
            found.append(_Search(trials, asked, progress).done())
        remove_leftovers(folder / "trials")
    return replace(work, tuned=found)


def _groups(study: Study) -> list[tuple[str, ...]]:
    names = tuple(study.variants)
    together = study.tune is not None and study.tune.together
    return [names] if together else [(name,) for name in names]


def _setting(study: Study, names: Sequence[str], said: str) -> tuple[list[Base], Setting]:
    game = games.get(study.game)
    bases = [Base(game, study, name, tuple(study.players)) for name in names]
    found = setting(bases[0], said)
    for base in bases[1:]:
        other = setting(base, said)
        if other.now != found.now:
            raise SimError(
                f"{said}: tune.together: the variants {names[0]} and {base.name} have other "
                "values; leave together out"
            )
    return bases, found


def _games_of_cells(study: Study, variant: str, play: int) -> int:
    """Return the games of each cell for so many at a table, whose cells share them."""
    tables = [sized(table, play) for table in every_table(study, variant)]
    return max(cell.games for table in tables for cell in table.cells)


def set_aside(folder: Path, progress: Progress) -> None:
    """Rename the folder of an earlier tuning, so that nothing is lost."""
    if not folder.exists():
        return
    number = 1
    while (aside := folder.with_name(f"{folder.name}.old{number}")).exists():
        number += 1
    folder.rename(aside)
    progress.say(f"The earlier tuning is kept in {aside}.")


class _Search:
    """Tunes variants that take the same values."""

    def __init__(self, trials: Trials, asked: Wanted, progress: Progress) -> None:
        self.trials, self.asked, self.progress = trials, asked, progress
        self.setting = trials.setting
        self.goal = Goal(self.setting)
        names = listing(base.name for base in trials.bases)
        self.label = f"{trials.study.title}, {names}"
        self.before = 1.0
        self.steps: list[Step] = []

    def done(self) -> Tuned:
        """Return what was found."""
        self.say("the values as they are ...")
        now = self.setting.now
        self.before = max(abs(self.goal.spread(self.sets(now, BASE_SETS))), NEXT_TO_NOTHING)
        candidates: dict[str, Values] = {}
        ways: dict[str, str] = {}
        if self.asked.way != SEARCHED:
            for values in self.worked_out():
                candidates[str(values)] = values
                ways[str(values)] = ANALYTIC
            if candidates:
                values = self.refined(self._best(list(candidates.values()), BASE_SETS))
                candidates = {str(values): values}
                ways[str(values)] = ANALYTIC
        tried = 0
        if self.asked.way != ANALYTIC:
            found = self.searched(next(iter(candidates.values()), now))
            tried = len(found)
            best = search.best_of(found, self.played)
            ways.setdefault(str(best), SEARCHED)
            candidates[str(best)] = best
        candidates[str(dict(now))] = dict(now)
        ways[str(dict(now))] = ""
        sets = REFINED_SETS if self.asked.way == ANALYTIC else search.SETS[-1]
        values = self._best(list(candidates.values()), sets)
        return self.confirmed(values, ways[str(values)], tried)

    def say(self, text: str) -> None:
        """Show what goes on."""
        self.progress.say(f"{self.label}: {text}")

    def sets(self, values: Values, count: int) -> list[Measure]:
        """Return measures of so many sets of games on the luck of the search."""
        return [self.trials.measure([values], number)[0] for number in range(count)]

    def played(self, several: Sequence[Values], sets: int) -> list[float]:
        """Return what values cost after so many sets of games: spread and change."""
        found = [self.trials.measure(several, number) for number in range(sets)]
        return [
            self.cost(values, [each[at] for each in found]) for at, values in enumerate(several)
        ]

    def cost(self, values: Values, measures: Sequence[Measure]) -> float:
        """Return spread, as a part of what it was, and what changing values costs."""
        return self.goal.spread(measures) / self.before + self.change(values)

    def change(self, values: Values) -> float:
        """Return what changing values costs."""
        return self.setting.tune.least_change * self.setting.distance(values)

    def worked_out(self) -> list[dict[str, Any]]:
        """Return values by the slope of wins per point, worked out again from what was played."""
        if not analytic.is_possible(self.setting):
            raise SimError(
                "way: no points grow with these values, so nothing can be worked out; "
                f"use --way {SEARCHED}"
            )
        at: dict[str, Any] = dict(self.setting.now)
        least = np.inf
        seen = [str(at)]
        found = []
        for _ in range(STEPS):
            curves = analytic.curves_of(self.goal, at, self.sets(at, BASE_SETS))
            values = analytic.fair(curves, lambda v: self.before * self.change(v))
            if str(values) in seen:
                break
            seen.append(str(values))
            played = self.goal.spread(self.sets(values, BASE_SETS))
            self.steps.append(Step(values, curves.spread(values), played))
            self.say(
                f"values worked out; spread {played / self.before:.2f} of what it was when played"
            )
            found.append(values)
            if len(found) > 1 and played > least:
                break
            at, least = values, played
        return found

    def refined(self, best: dict[str, Any]) -> dict[str, Any]:
        """Return the best of values and small steps from them, worked out and played in turn."""
        seen = {str(best), *(str(step.values) for step in self.steps)}
        least = self.played([best], REFINED_SETS)[0]
        for _ in range(REFINEMENTS):
            curves = analytic.curves_of(self.goal, best, self.sets(best, REFINED_SETS))
            values = analytic.near(curves, lambda v: self.before * self.change(v), seen)
            if values is None:
                break
            seen.add(str(values))
            played = self.goal.spread(self.sets(values, REFINED_SETS))
            self.steps.append(Step(values, curves.spread(values), played))
            self.say(f"a small step; spread {played / self.before:.2f} of what it was when played")
            found = played / self.before + self.change(values)
            if found < least:
                best, least = values, found
        return best

    def searched(self, start: Values) -> list[dict[str, Any]]:
        """Return what the search tried, the best first."""
        return search.searched(self.trials, start, self.asked.trials, self.played, self.say)

    def _best(self, candidates: Sequence[Values], sets: int) -> dict[str, Any]:
        """Return the best of values by so many sets of games."""
        costs = self.played(candidates, sets)
        return dict(candidates[int(np.argmin(costs))])

    def confirmed(self, values: Values, way: str, tried: int) -> Tuned:
        """Return the winner beside the original on fresh luck."""
        now = self.setting.now
        self.say("fresh games with the old values and the new ...")
        rescore = self.trials.is_rescored and self.setting.rescores(values)
        found = [
            self.trials.confirm(now, values, number, rescore and number < RESCORED_SETS)
            for number in range(FRESH_SETS)
        ]
        return Tuned(
            names=tuple(base.name for base in self.trials.bases),
            setting=self.setting,
            values=values,
            before=[before for before, _, _ in found],
            after=[after for _, after, _ in found],
            rescored=[rescored for _, _, rescored in found if rescored is not None],
            steps=self.steps,
            tried=tried,
            way=way,
        )
