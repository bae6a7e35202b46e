"""The command `sim report`: reads arguments, calls the library, prints."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import typer

from sim.ahead import Ahead, compiling
from sim.arguments import Backend, Batch, Every, Fresh, Jobs, Markdown, Out, Since, StudyNames
from sim.chosen import Chosen, choose
from sim.errors import SimError
from sim.files import check_written
from sim.terminal import say


def report(
    studies: StudyNames = None,
    every: Every = False,
    since: Since = None,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = "auto",
    batch: Batch = None,
    fresh: Fresh = False,
    markdown: Markdown = None,
) -> None:
    """Play what is missing and write the report.

    Writes report.html, summary.json, summary.md and figures/ into the run's folder, and
    index.html above it, which lists all studies.

    Of several studies (--all, --since, a folder of configs/ such as street_art, or more than one
    name) only those are done whose study, rules, or report's code changed. A run of a study that
    changed since is set aside; a study that fails is told, and the others go on.
    """
    chosen = choose(studies or [], every, since)
    check_written([markdown])
    how = {"jobs": jobs, "backend": backend, "batch": batch}
    if chosen.several:
        if out is not None:
            raise SimError("out: a folder is that of one study; name one, without --all or --since")
        _several(chosen, fresh, markdown, how)
    else:
        (path,) = chosen.studies.values()
        _one(path, out, fresh, markdown, how)


def _one(
    path: Path, out: Path | None, fresh: bool, markdown: Path | None, how: dict[str, Any]
) -> None:
    from sim import report as pages
    from sim.index import write_index
    from sim.playing import LEFT, play_study, summarise
    from sim.progress import automatic

    finished = play_study(path, out, fresh=fresh, **how)
    LEFT[:] = [f"All games are kept in {finished.folder}; the same command writes the report."]
    page = pages.write_report(finished, progress=automatic())
    index = write_index(page.parents[2]) if out is None else None
    if markdown:
        pages.write(markdown, (page.parent / pages.SHORT).read_text(encoding="utf-8"))
    summarise(finished)
    say(f"\nReport: {page}")
    if index:
        say(f"All studies: {index}")


def _several(chosen: Chosen, fresh: bool, markdown: Path | None, how: dict[str, Any]) -> None:
    from sim import report as pages
    from sim.current import stale
    from sim.index import write_index
    from sim.playing import LEFT
    from sim.progress import automatic
    from sim.several import bring, each

    short = [chosen.about] if chosen.about else []

    def act(study: Any, folder: Path, ahead: Ahead | None) -> tuple[int, str]:
        why = "asked for anew" if fresh else stale(study, folder)
        if why:
            if ahead:
                ahead.wait_for(study.game)
            finished = bring(study, folder, fresh, **how)
            LEFT[:] = ["What was finished is kept; the same command goes on from there."]
            pages.write_report(finished, progress=automatic())
        short.append((folder / pages.SHORT).read_text(encoding="utf-8"))
        told = f"written ({why}):" if why else "up to date:"
        return 0, f"{told} {folder / pages.PAGE}"

    try:
        with compiling(_games(chosen)) as ahead:
            status = each(chosen, partial(act, ahead=ahead))
    finally:
        index = write_index("reports")
    if markdown:
        pages.write(markdown, "\n\n".join(short))
    with suppress(typer.Exit):  # a reader that has gone
        say(f"All studies: {index}")
    raise typer.Exit(status)


def _games(chosen: Chosen) -> Iterator[str]:
    """Yield the games of studies, as far as their files can be read; mistakes are told later."""
    from sim.study import load

    for path in chosen.studies.values():
        with suppress(SimError):
            yield load(path).game
