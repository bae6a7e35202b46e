"""The command `sim tune style`: reads arguments, calls the library, prints."""

from typing import Annotated

import typer

from sim.arguments import Fresh, Jobs, Out, StudyName
from sim.terminal import say

StyleName = Annotated[
    str, typer.Argument(metavar="STYLE", help="A style of the study's line-ups, or of the game.")
]
Free = Annotated[
    list[str] | None,
    typer.Option(
        metavar="a,b",
        help="Weights that may move.  [default: those that the style has]",
        show_default=False,
    ),
]
Every = Annotated[bool, typer.Option("--all", help="Let every weight move that the game knows.")]
Players = Annotated[
    list[int] | None,
    typer.Option(help="Only with so many players; may be given twice.", show_default=False),
]
VariantName = Annotated[
    str | None,
    typer.Option(
        "--variant", help="The variant to play.  [default: the first]", show_default=False
    ),
]
Rounds = Annotated[int, typer.Option(help="Rounds; more of them go on from where it was.")]
Generations = Annotated[int, typer.Option(help="Generations of a round.")]
Games = Annotated[
    int | None,
    typer.Option(
        help="Games of a candidate in a generation.  [default: 400 to 4000, by the game's speed]",
        show_default=False,
    ),
]
Candidates = Annotated[
    int,
    typer.Option(help="Candidates of a generation; 0: 4 and three times the weights' logarithm."),
]
League = Annotated[
    int, typer.Option(help="How many of the best of earlier rounds join the field at most.")
]
Step = Annotated[float, typer.Option(help="The first steps, in sizes of the weights.")]
Limit = Annotated[float, typer.Option(help="How far a weight may go, in sizes of the weights.")]
Confirm = Annotated[
    int | None,
    typer.Option(
        help="Games of each table of the confirmation.  "
        "[default: 2000 to 20000, by the game's speed]",
        show_default=False,
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name", help="Name of the tuned style.  [default: STYLE_tuned]", show_default=False
    ),
]
Seed = Annotated[
    int | None, typer.Option(help="Luck of the search.  [default: the study's]", show_default=False)
]


def style(
    study: StudyName,
    name: StyleName,
    out: Out = None,
    free: Free = None,
    every: Every = False,
    players: Players = None,
    variant: VariantName = None,
    rounds: Rounds = 3,
    generations: Generations = 10,
    games: Games = None,
    candidates: Candidates = 0,
    league: League = 0,
    step: Step = 0.3,
    limit: Limit = 10.0,
    confirm: Confirm = None,
    named: Name = None,
    seed: Seed = None,
    jobs: Jobs = None,
    fresh: Fresh = False,
) -> None:
    """Improve a style's weights against the styles of a study's line-ups.

    Writes STYLE_tuned.toml (for `styles_from`), tune_style.html, tune_style.json, tune_style.md
    and figures/ into reports/GAME/STUDY/tune_STYLE. Stopped, it goes on from the last finished
    generation.
    """
    from sim.playing import LEFT
    from sim.progress import automatic
    from sim.tuning import style_pages, told
    from sim.tuning.style import tune

    kept = "Every finished generation is kept; the same command goes on from there"
    LEFT[:] = [kept + (", without --fresh." if fresh else ".")]
    shown = automatic()
    found = tune(
        study,
        name,
        out,
        free=free or (),
        every=every,
        players=players,
        variant=variant,
        rounds=rounds,
        generations=generations,
        games_each=games,
        candidates=candidates,
        league_size=league,
        step=step,
        limit=limit,
        confirm=confirm,
        name=named,
        seed=seed,
        jobs=jobs,
        fresh=fresh,
        progress=shown,
    )
    page = style_pages.write(found, shown)
    for sentence in told.findings(found):
        say(f"- {sentence}")
    say(f"\nThe style: {style_pages.style_file(found)}\nPage: {page}")
