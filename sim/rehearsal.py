"""Plays a few games of a study before all of them, to see whether its budgets name what there is.

Names of metrics and groups are known only when games have been played: a misspelt one should not
take hours to come to light.
"""

import tempfile
from pathlib import Path
from typing import Any

from sim import check, simulate
from sim.errors import SimError
from sim.level import CONFIDENCE
from sim.plan import plan
from sim.progress import Progress
from sim.study import Study

GAMES = (2_000, 20_000)
"""Games of a rehearsal in all, and of a second one for names that the first did not meet."""
FEWEST = 4
"""Games of a cell in a rehearsal."""


def rehearse(
    study: Study,
    folder: Path,
    *,
    jobs: int | None = None,
    backend: str = "auto",
    fresh: bool = False,
    progress: Progress | None = None,
) -> None:
    """Raise SimError if a budget of the study is about nothing that the game has.

    Nothing is played where the folder holds the finished run, or the study is as small as a
    rehearsal.
    """
    if not study.budgets or (not fresh and _is_there(study, folder)):
        return
    planned = plan(study)
    if planned.total_games <= GAMES[0]:
        return
    if progress:
        simulate.make_ready(planned.game, progress)
        progress.say("A few games first, to see that the budgets name what there is ...")
    mistake: SimError | None = None
    for games in GAMES:
        each = max(games // len(planned.cells), FEWEST)
        mistake = _mistake(study, min(each, study.games), jobs, backend)
        if mistake is None:
            return
    raise mistake  # type: ignore[misc]


def _is_there(study: Study, folder: Path) -> bool:
    """Tell whether the folder holds the finished run of the study."""
    from sim.store import open_run

    try:
        run = open_run(folder)
    except SimError:
        return False
    return run.study.games >= study.games and run.study.resolved() == study.resolved()


def _mistake(study: Study, games: int, jobs: int | None, backend: str) -> SimError | None:
    with tempfile.TemporaryDirectory(prefix="sim-") as place:
        small = study.model_copy(update={"games": games, "until": None})
        run = simulate.run(small, Path(place) / "run", jobs=jobs, backend=backend)
        return _first_mistake(run)


def _first_mistake(run: Any) -> SimError | None:
    rows = check.table(run, CONFIDENCE)
    for budget in run.study.budgets:
        try:
            check.rows_about(budget, rows, run.study.source)
        except SimError as error:
            return error
    return None
