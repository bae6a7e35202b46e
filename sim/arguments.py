"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

StudyName = Annotated[
    str, typer.Argument(metavar="STUDY", help="A TOML file, or the name of one in configs/.")
]
StudyNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[STUDY]...",
        help="TOML files, names of studies in configs/, or folders of it.",
        show_default=False,
    ),
]
Every = Annotated[
    bool, typer.Option("--all", help="All studies in configs/, or all that are named.")
]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="REF",
        help="Of all studies in configs/, or those named: the ones whose files or rules changed "
        "since this git revision.",
        show_default=False,
    ),
]
Markdown = Annotated[
    Path | None, typer.Option(help="Write Markdown into this file.", show_default=False)
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game; `sim games` lists them.")]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder of the run.  [default: reports/GAME/STUDY]", show_default=False),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", help="Cores to use.  [default: all]", show_default=False),
]
Backend = Annotated[
    str, typer.Option(help="auto, threads, or loky (processes); never changes the result.")
]
Batch = Annotated[
    int | None,
    typer.Option(
        help="Games in one call of compiled code; never changes the result.  "
        "[default: about 0.4 s of games]",
        show_default=False,
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Set an earlier run in the folder aside and start anew.")
]
