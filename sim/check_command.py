"""The command `sim check`: reads arguments, calls the library, prints."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.arguments import Backend, Batch, Fresh, Jobs, Markdown, Out, Since, StudyNames
from sim.chosen import Chosen, choose
from sim.errors import SimError
from sim.files import check_above, check_written
from sim.terminal import say, table

BaselineFile = Annotated[
    Path | None,
    typer.Option(
        help="What an earlier run had: its summary.json or folder, or a file of --json. Of several "
        "studies: a folder with GAME/STUDY.json, as --json writes it.",
        show_default=False,
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="Compare all metrics with the baseline.")]
Junit = Annotated[
    Path | None,
    typer.Option(
        help="Write JUnit XML into this file; of several studies, into a folder.",
        show_default=False,
    ),
]
Json = Annotated[
    Path | None,
    typer.Option(
        help="Write JSON, a baseline for later runs, too; of several studies, into a folder.",
        show_default=False,
    ),
]


def check(
    studies: StudyNames = None,
    since: Since = None,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = "auto",
    batch: Batch = None,
    fresh: Fresh = False,
    baseline: BaselineFile = None,
    everything: Everything = False,
    junit: Junit = None,
    markdown: Markdown = None,
    json: Json = None,
) -> None:
    """Play what is missing and judge the study's budgets.

    Of several studies (--since, a folder of configs/, configs itself, or more than one name) those
    without budgets are left out, and a run of a study that changed since is set aside.

    Exit status: 0 all passed, 1 one failed, 3 none failed but one is undecided, 2 a mistake in a
    file or an argument, 70 a fault in sim itself.
    """
    chosen = choose(studies or [], since=since, baselines=baseline)
    work = _Work(
        baseline, everything, fresh, {"jobs": jobs, "backend": backend, "batch": batch}, junit, json
    )
    if chosen.several:
        status = work.several(chosen, out, markdown)
    else:
        (path,) = chosen.studies.values()
        status = work.one(path, out, markdown)
    raise typer.Exit(status)


@dataclass(frozen=True)
class _Work:
    """Judges studies, and writes what is asked for."""

    baseline: Path | None
    everything: bool
    fresh: bool
    how: dict[str, Any]
    junit: Path | None
    json: Path | None

    def one(self, path: Path, out: Path | None, markdown: Path | None) -> int:
        """Judge a study; return the exit status."""
        from sim import check as judging
        from sim import checked as told
        from sim.playing import play_study
        from sim.study import load

        check_written([self.junit, markdown, self.json])
        before = judging.prepared(load(path), self.baseline, self.everything)
        finished = play_study(path, out, fresh=self.fresh, **self.how)
        found = judging.check(finished, before, self.everything)
        page = self._write(found, finished, self.junit, self.json)
        if markdown is not None:
            _put(markdown, told.markdown(found, finished))
        with suppress(typer.Exit):  # a reader that has gone must not make it a pass
            _show(found, finished)
            say("\n".join(["", *told.sentences(found)]))
            say(f"\nPage: {page}")
        return told.STATUS[found.verdict]

    def several(self, chosen: Chosen, out: Path | None, markdown: Path | None) -> int:
        """Judge those of several studies that have budgets; return the worst exit status."""
        from sim.several import each

        if out is not None:
            raise SimError("out: a folder is that of one study; name one, without --since.")
        for name in ("junit", "json", "baseline"):
            path = getattr(self, name)
            if path and path.is_file():
                raise SimError(f"{name}: {path} is a file; of several studies it is a folder.")
            if path and name != "baseline":
                check_above(path)
        check_written([markdown])
        parts = [chosen.about] if chosen.about else []
        status = each(chosen, lambda study, folder: self._of_several(study, folder, parts))
        if markdown is not None:
            _put(markdown, "\n\n".join(parts) + "\n")
        return status

    def _of_several(self, study: Any, folder: Path, parts: list[str]) -> tuple[int, str]:
        """Judge one study; add its Markdown to the parts."""
        from sim import check as judging
        from sim import checked as told
        from sim.several import bring

        if not study.budgets:
            return 0, "no budgets, so nothing to judge."
        baseline = _kept(self.baseline, study, "json")
        known = baseline is not None and baseline.is_file()
        before = judging.prepared(study, baseline if known else None, self.everything and known)
        finished = bring(study, folder, self.fresh, **self.how)
        found = judging.check(finished, before, self.everything and known)
        junit, json = _kept(self.junit, study, "xml"), _kept(self.json, study, "json")
        self._write(found, finished, junit, json)
        parts.append(told.markdown(found, finished).rstrip())
        missing = f" No baseline yet: {baseline}." if baseline and not known else ""
        with suppress(typer.Exit):
            say("")
            _show(found, finished)
        return told.STATUS[found.verdict], " ".join(told.sentences(found)) + missing

    def _write(self, found: Any, finished: Any, junit: Path | None, json: Path | None) -> Path:
        """Write what is asked for, and the page, which is returned."""
        from sim import checked as told
        from sim.check_page import write_page

        for path, write in ((junit, told.junit), (json, told.as_json)):
            if path is not None:
                _put(path, write(found, finished))
        return write_page(found, finished)


def _kept(folder: Path | None, study: Any, ending: str) -> Path | None:
    """Return where a file about a study lies in a folder for several."""
    return folder / study.game / f"{study.name}.{ending}" if folder else None


def _put(path: Path, text: str) -> None:
    from sim.store import write_atomically

    write_atomically(path, text.encode())


def _show(found: Any, finished: Any) -> None:
    from sim import checked as told

    for heads, rows in told.of_run(found, finished):
        if rows:
            say("")
            table(heads, rows, whole=told.WHOLE, styles=told.STYLES)
