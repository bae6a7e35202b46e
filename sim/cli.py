"""The command `sim`: reads arguments, calls the library, prints."""

import io
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.arguments import Backend, Batch, Fresh, GameName, Jobs, Out, StudyName
from sim.audit.command import audit
from sim.check_command import check
from sim.errors import SimError, listing, tell
from sim.new_game import new_game
from sim.playing import LEFT, play_study, summarise
from sim.report_command import report
from sim.terminal import say as _print
from sim.terminal import table as _table
from sim.tuning.objectives_command import objectives as tune_objectives
from sim.tuning.style_command import style as tune_style

if TYPE_CHECKING:
    from sim.players import Style

EPILOG = (
    "Exit status: 0 done, 2 a mistake in a file or an argument (one line says which), "
    "70 a fault in sim itself, 130 stopped with Ctrl-C (what was played is kept). "
    "Of `sim check` also: 1 a budget failed, 3 one is undecided; of `sim audit`: 1 a fault found."
)
STOPPED = 130
app = typer.Typer(
    name="sim",
    help="Tells whether a board game is balanced: plays it millions of times and reports.",
    epilog=EPILOG,
    no_args_is_help=True,
    context_settings={"max_content_width": 100},
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        _print(f"sim {version('tabletop-balance')}")
        raise typer.Exit


@app.callback()
def options(
    show: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Tells whether a board game is balanced: plays it millions of times and reports."""


@app.command("games")
def list_games() -> None:
    """List the games there are."""
    from sim import games

    rows, broken = [], []
    for name in games.names():
        try:
            game = games.get(name)
        except SimError as error:  # a game that somebody is writing hides no other
            broken.append(str(error))
            continue
        counts = game.player_counts
        rows.append([name, game.title, f"{counts[0]} to {counts[-1]}", game.summary])
    _table(["Game", "Title", "Players", "What it is"], rows)
    for line in broken:
        _print(line)


@app.command()
def styles(game: GameName) -> None:
    """List the ways of playing a game and what they weigh."""
    from sim import games

    chosen = games.get(game)
    _table(
        ["Style", "How it plays", "Weights"],
        [[name, style.description, _weights(style)] for name, style in chosen.styles().items()],
    )
    _print("\nWhat a style can weigh (weights = { NAME = number }):")
    _table(["Feature", "What it is"], [[f.name, f.doc] for f in chosen.features])
    _print(f"\nWhat a style can forbid (forbid = [NAME]): {', '.join(chosen.actions)}")


@app.command()
def rulings(game: GameName) -> None:
    """List what the rulebook leaves open, and the numbers."""
    from sim import games

    chosen = games.get(game)
    _table(
        ["Ruling", "Values, default first", "Grade", "What it decides"],
        [[f"rulings.{r.name}", ", ".join(r.values), r.grade, r.doc] for r in chosen.rulings_help()],
    )
    _print("\nNumbers of the components:")
    facts = chosen.facts(chosen.default_components(), chosen.default_rulings())
    _table(
        ["Number", "Value", "Grade"],
        [[f.key, f.value, f.grade] for f in facts if not f.key.startswith("rulings.")],
    )


@app.command()
def new(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the study.")],
    out: Annotated[
        Path | None,
        typer.Option(help="File to write.  [default: configs/GAME/NAME.toml]", show_default=False),
    ] = None,
) -> None:
    """Write a commented study to start from."""
    from sim import games, template

    path = template.write_study(games.get(game), name, out)
    _print(f"Wrote {path}. Change it as you like, then: sim report {path}")


@app.command()
def run(
    study: StudyName,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = "auto",
    batch: Batch = None,
    fresh: Fresh = False,
) -> None:
    """Play a study, store the games, print what they say.

    Only what is missing is played: a stopped run goes on where it stopped.
    """
    finished = play_study(study, out, jobs, backend, batch, fresh)
    summarise(finished)
    again = f"sim report {study}" + (f" --out {out}" if out else "")
    _print(f"\nThe run is in {finished.folder}. For pages and figures: {again}")


app.command()(report)


@app.command()
def compare(
    study: StudyName,
    variant: Annotated[
        str | None,
        typer.Argument(
            metavar="A", help="A variant.  [default: each but the first]", show_default=False
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Argument(
            metavar="B", help="The one to compare with.  [default: the first]", show_default=False
        ),
    ] = None,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = "auto",
    batch: Batch = None,
    fresh: Fresh = False,
) -> None:
    """Play what is missing and compare variants, game by game on the same luck.

    Writes compare.html, compare.json, compare.md and figures/compare/ into the run's folder.
    """
    from sim import compare as comparing
    from sim import sidebyside
    from sim.study import load

    if variant and variant == against:
        raise SimError(f'"{variant}" is named twice; name another variant to compare it with.')
    variants = [variant] if variant else []
    comparing.choose(load(study), variants, against)
    finished = play_study(study, out, jobs, backend, batch, fresh)
    LEFT[:] = [f"All games are kept in {finished.folder}; the same command compares them."]
    found = comparing.compare(finished, variants, against)
    page = comparing.write_comparison(found, _progress())
    sidebyside.tell(found)
    _print(f"\nComparison: {page}")


@app.command()
def tournament(
    study: StudyName,
    style: Annotated[
        str | None,
        typer.Argument(
            metavar="[STYLE]",
            help="Of --forbid: who does without.  [default: strong, or the study's first style]",
            show_default=False,
        ),
    ] = None,
    forbid: Annotated[
        bool,
        typer.Option(
            "--forbid", help="Instead: a style without each act, card or objective in turn."
        ),
    ] = False,
    out: Out = None,
    jobs: Jobs = None,
    backend: Backend = "auto",
    batch: Batch = None,
    fresh: Fresh = False,
) -> None:
    """Play styles against each other in every mixture, and tell which last.

    The study's [lineups] say: tournament = "all", or a list of styles. Writes tournament.html,
    tournament.json, tournament.md and figures/tournament/ into the run's folder.

    With --forbid a style plays against itself without each thing that it may forbid, in any study:
    forbid_STYLE/forbid.html in the run's folder says what each is worth to it.
    """
    if forbid:
        _forbid(study, style, out, jobs, fresh)
        return
    if style is not None:
        raise SimError(f'style: found "{style}"; only --forbid looks at a single style')
    from sim.study import load
    from sim.tuning import pages, ranking
    from sim.tuning import tournament as styles

    styles.check(load(study))
    finished = play_study(study, out, jobs, backend, batch, fresh)
    LEFT[:] = [f"All games are kept in {finished.folder}; the same command goes on from them."]
    found = ranking.tournament(finished)
    page = pages.write_tournament(found, _progress())
    for sentence in found.findings():
        _print(f"- {sentence}")
    _print(f"\nTournament: {page}")


app.command()(check)


@app.command()
def watch(
    study: StudyName,
    game: Annotated[int, typer.Option("--game", "-g", help="Number of the game, from 0.")] = 0,
    cell: Annotated[
        int | None, typer.Option(help="Number of the cell (see the report).", show_default=False)
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="Only cells with so many players.", show_default=False)
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="Only cells of this variant.", show_default=False)
    ] = None,
    lineup: Annotated[
        str | None, typer.Option(help="Only cells of this line-up.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the table into this PNG, SVG or PDF.", show_default=False),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            help="Draw the table after this turn.  [default: the last]", show_default=False
        ),
    ] = None,
) -> None:
    """Tell a game move by move, or draw it.

    Any game of a study can be seen, from its number alone, whether it was run or not.
    """
    from sim.games.game import RuleBroken
    from sim.study import load
    from sim.watch import SEATS, draw
    from sim.watch import watch as replayed

    if turn is not None and picture is None:
        raise SimError("turn: only a picture shows a single turn; add --picture FILE")
    told = replayed(
        load(study),
        game,
        cell=cell,
        players=players,
        variant=variant,
        lineup=lineup,
        progress=_progress(),
    )
    try:
        if picture is not None:
            draw(told, picture, turn)
            _print(f"Wrote {picture}: {told.title()}")
            return
        _print(f"{told.title()}\n{SEATS}\n")
        for line in told.lines():
            _print(line)
    except RuleBroken as error:
        _print(f"The referee stops the game, a fault in {told.game.title}: {error}.")
        raise typer.Exit(1) from None


app.command("new-game")(new_game)
app.command()(audit)
tune = typer.Typer(
    help="Search for better values, or for a better player.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
tune.command("objectives")(tune_objectives)
tune.command("style")(tune_style)
app.add_typer(tune, name="tune")


@app.command()
def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="One game.  [default: all]")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds for each line.")] = 1.0,
    jobs: Jobs = None,
) -> None:
    """Measure games a second here, against the recorded reference."""
    import joblib

    from sim import bench as speed
    from sim import games
    from sim.simulate import check_workers, make_ready

    check_workers(jobs)
    threads = min(jobs or joblib.cpu_count(), joblib.cpu_count())
    rows = []
    for name in [game] if game else games.names():
        chosen = games.get(name)
        make_ready(chosen, _progress())
        for s in speed.speeds(chosen, seconds, threads):
            ratio = f"{s.ratio:.2f}" if s.ratio else ""
            rows.append(
                [
                    chosen.title,
                    str(s.players),
                    s.style,
                    str(s.threads),
                    f"{s.games_per_second:,.0f}",
                    f"{s.decisions_per_second:,.0f}",
                    ratio,
                ]
            )
    _table(
        ["Game", "Players", "Style", "Threads", "Games/s", "Decisions/s", "Of reference"],
        rows,
        numbers=(1, 3, 4, 5, 6),
    )
    _print(f"Reference: {speed.reference_note()}")


def _forbid(study: str, style: str | None, out: Path | None, jobs: int | None, fresh: bool) -> None:
    from sim.tuning import forbid, forbid_pages

    kept = "What was played is kept, thing by thing; the same command goes on from there"
    LEFT[:] = [kept + (", without --fresh." if fresh else ".")]
    found = forbid.forbid(study, style, out, jobs=jobs, fresh=fresh, progress=_progress())
    page = forbid_pages.write(found, _progress())
    for sentence in forbid_pages.findings(found):
        _print(f"- {sentence}")
    _print(f"\nPage: {page}")


def _progress() -> Any:
    from sim.progress import automatic

    return automatic()


def _weights(style: "Style") -> str:
    """Return what a style weighs, and what else makes it play as it does."""
    weighed = ", ".join(f"{name} {weight:g}" for name, weight in style.weights.items()) or "none"
    others = [
        f"forbid {listing(style.forbid)}" if style.forbid else "",
        f"temperature {style.temperature:g}" if style.temperature else "",
        f"tempo {style.tempo:g}" if style.tempo != 1 else "",
        f"search {style.search.playouts} playouts" if style.search else "",
    ]
    return "; ".join([weighed, *filter(None, others)])


def main() -> None:
    """Run the command; a user's mistake, or a place that cannot be written, is one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a title that the terminal cannot show
    try:
        _run_app()
    except Exception as error:
        sys.exit(tell(error))


def _run_app() -> None:
    """Run the command; say what Ctrl-C leaves behind.

    Libraries may raise one Ctrl-C twice, or turn it into an error of their own, so it is noted
    when it comes and told where nothing is left to do.
    """
    pressed: list[int] = []

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    try:
        app(standalone_mode=True)
    except BaseException as end:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # while Python ends
        done = isinstance(end, SystemExit) and not end.code
        if done or not (pressed or isinstance(end, KeyboardInterrupt)):
            raise
        for kept in LEFT:
            print(f"Stopped. {kept}", file=sys.stderr)
        sys.exit(STOPPED)
