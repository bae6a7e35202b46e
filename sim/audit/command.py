"""The command `sim audit`: reads arguments, calls the library, prints."""

from typing import Annotated

import typer

from sim.arguments import Jobs, Out, StudyName
from sim.terminal import say

Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PART",
        help="referee, rulings or numbers; may be given twice.  [default: all]",
        show_default=False,
    ),
]
Games = Annotated[int, typer.Option(help="Games to referee, as many of each cell.")]
Play = Annotated[
    int | None,
    typer.Option(
        help="Games of each changed ruling or number, at each table.  "
        "[default: 2000 to 20000, by the game's speed]",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        help="Draws the games to referee, and the luck of changed games.  [default: the study's]",
        show_default=False,
    ),
]
By = Annotated[
    float, typer.Option(help="By what part of its size a number moves, a unit at least.")
]
Grade = Annotated[
    str, typer.Option(help="Numbers of this grade move, and those less well supported.")
]
VariantName = Annotated[
    str | None,
    typer.Option(help="The variant to change.  [default: the first]", show_default=False),
]
Lineup = Annotated[
    str | None,
    typer.Option(
        help='The line-up to change; "*" for all.  [default: the first of one style, and the '
        "first of several]",
        show_default=False,
    ),
]
Morris = Annotated[
    bool, typer.Option("--morris", help="Screen numbers that move together (Morris), too.")
]
Trajectories = Annotated[int, typer.Option(help="Trajectories of a screening.")]


def audit(
    study: StudyName,
    out: Out = None,
    only: Only = None,
    games: Games = 200,
    play: Play = None,
    seed: Seed = None,
    jobs: Jobs = None,
    by: By = 0.2,
    grade: Grade = "assumed",
    variant: VariantName = None,
    lineup: Lineup = None,
    morris: Morris = False,
    trajectories: Trajectories = 10,
) -> None:
    """Referee a sample of a finished run, and try each ruling and assumed number.

    Writes audit.html, audit.json, audit.md and figures/audit/ into the run's folder. Exit
    status: 0 no fault, 1 a fault found, 2 a mistake in a file or an argument.
    """
    from sim import audit as auditing
    from sim.audit.page import tell
    from sim.playing import LEFT
    from sim.progress import automatic
    from sim.store import open_run

    LEFT[:] = ["What was played for the audit is kept; the same command goes on from there."]
    shown = automatic()
    found = auditing.audit(
        study,
        out,
        jobs=jobs,
        progress=shown,
        only=tuple(only or ()),
        games=games,
        play=play,
        seed=seed,
        by=by,
        grade=grade,
        variant=variant,
        lineup=lineup,
        morris=morris,
        trajectories=trajectories,
    )
    run = open_run(found.folder)
    page = auditing.write(found, run, shown)
    tell(found, run)
    say(f"\nAudit: {page}")
    raise typer.Exit(int(found.has_fault))
