"""The command `sim tune objectives`: reads arguments, calls the library, prints."""

from typing import Annotated

import typer

from sim.arguments import Fresh, Jobs, Out, StudyName
from sim.terminal import say

Way = Annotated[str, typer.Option(help="analytic, search or both.")]
TrialsOf = Annotated[int, typer.Option("--trials", help="Sets of values that the search plays.")]
Play = Annotated[
    int | None,
    typer.Option(
        help="Games of a set of values at each table.  "
        "[default: 2000 to 20000, by the game's speed]",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(help="The luck of all games.  [default: the study's]", show_default=False),
]


def objectives(
    study: StudyName,
    out: Out = None,
    jobs: Jobs = None,
    way: Way = "both",
    trials: TrialsOf = 60,
    play: Play = None,
    seed: Seed = None,
    fresh: Fresh = False,
) -> None:
    """Find values that make tiles, or other elements, worth the same.

    The study's [tune] says which values may move. Writes tune.html, tune.json, tune.md, tuned.toml
    (a study of the old and new values) and figures/tune/ into tune_objectives/ in the run's folder.
    """
    from sim.playing import LEFT
    from sim.progress import automatic
    from sim.study import load
    from sim.tuning import objectives as tuning
    from sim.tuning import tuned_pages

    loaded = load(study)
    kept = "What was played is kept, trial by trial; the same command goes on from there"
    LEFT[:] = [kept + (", without --fresh." if fresh else ".")]
    shown = automatic()
    work = tuning.tune(
        loaded,
        out,
        jobs=jobs,
        fresh=fresh,
        progress=shown,
        way=way,
        trials=trials,
        play=play,
        seed=seed,
    )
    found, page = tuned_pages.write_tuning(work, shown)
    tuned_pages.tell(found)
    say(f"\nTuning: {page}")
    say(f"The new values beside the old: {work.folder / tuned_pages.STUDY}")
