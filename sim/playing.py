"""Plays what is missing of a study for a command: says what it will be, and what a stop leaves."""

from pathlib import Path
from typing import Any

from sim.terminal import say

LEFT: list[str] = []
"""What Ctrl-C leaves behind at this point, in a sentence."""


def play_study(
    study: Any,
    out: Path | None = None,
    jobs: int | None = None,
    backend: str = "auto",
    batch: int | None = None,
    fresh: bool = False,
) -> Any:
    """Return the finished run of a study, which may be given as a file or a name."""
    from sim.plan import plan
    from sim.progress import automatic
    from sim.rehearsal import rehearse
    from sim.simulate import check_workers, default_folder, run
    from sim.study import Study, load

    loaded = study if isinstance(study, Study) else load(study)
    check_workers(jobs, backend, batch)
    progress = automatic()
    progress.say(f"{loaded.title}: {plan(loaded).summary()}.")
    folder = out or default_folder(loaded)
    rehearse(loaded, folder, jobs=jobs, backend=backend, fresh=fresh, progress=progress)
    go_on = f"What was finished is kept in {folder}; the same command goes on from there"
    LEFT[:] = [go_on + (", without --fresh." if fresh else ".")]
    finished = run(
        loaded, out, jobs=jobs, backend=backend, batch=batch, fresh=fresh, progress=progress
    )
    LEFT[:] = [f"All games are kept in {folder}."]
    return finished


def summarise(finished: Any) -> None:
    """Print what a run found."""
    from sim import takeaways

    say("")
    for line in takeaways.plain_lines(finished):
        say(line)
