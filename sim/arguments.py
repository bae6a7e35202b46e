"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

StudyName = Annotated[
    str, typer.Argument(metavar="STUDY", help="A TOML file, or the name of one in configs/.")
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
