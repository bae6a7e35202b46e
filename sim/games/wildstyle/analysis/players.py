"""What players take, lose and gain: cop cars, solo tags, fumbles, tempo."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.wildstyle.analysis.gather import CARS, MOST_CARS, SEAT
from sim.games.wildstyle.analysis.rows import Row, estimate_row, frame, ratio_rows
from sim.games.wildstyle.analysis.sums import sums
from sim.metrics.estimates import style_rows, wins_scale
from sim.metrics.tidy import finish, per_run
from sim.metrics.totals import least_squares


@per_run
def players(run: Any) -> pl.DataFrame:
    """Return means a seat (group `all`, and "style X" where two styles meet; n is seats):

    `player.placed`, `.lost_to_cars`, `.lost_solo` (tags), `.cop_cars`, `.acts`, `.waits`, and
    `player.fumbled`: the share of acts that failed, of all that landed.
    """
    means = ("placed", "lost_to_cars", "lost_solo", "cop_cars", "acts", "waits")
    return finish(
        run,
        [
            *style_rows(
                sums(run), "seats", SEAT, {f"player.{name}": (name, "seats") for name in means}
            ),
            *style_rows(
                sums(run), "seats", SEAT, {"player.fumbled": ("fumbles", "landed")}, share=True
            ),
        ],
    )


@per_run
def cop_cars(run: Any) -> pl.DataFrame:
    """Return how cop cars go with winning and what they cost:

    - `cars.win_share` (group "2 cars"): win share of seats that took so many; `cars.seats`: share
      of seats that did; n is those seats. Observed: who rushes may play otherwise, too;
    - `cars.price`: points that come off the map with a tag given up for a car, hexes and tiles,
      by least squares on tags given up and solo tags lost, over the sampled games.
    """
    groups = [f"{count} cop car{'' if count == 1 else 's'}" for count in range(MOST_CARS)]
    groups.append(f"{MOST_CARS} or more cop cars")
    seats = CARS.index("seats")
    won = ratio_rows(
        *(run, "cars", "cars.win_share", groups, (CARS.index("wins"), seats, seats)),
        share=True,
        scale=wins_scale,
    )
    parts = [
        won,
        ratio_rows(
            *(run, "cars", "cars.seats", groups, (seats, CARS.index("of"), seats)), share=True
        ),
        frame(_price(run)),
    ]
    return finish(run, parts)


def _price(run: Any) -> Iterator[Row]:
    for unit, totals in sums(run).of("price"):
        fitted = least_squares(totals.sums[0], 3)
        if fitted is not None:
            seats, clusters = int(totals.sums[0, 0]), int(totals.seen[0, 0])
            yield estimate_row(
                *(unit, "cars.price", "all", fitted[1]),
                *(totals.products[0], clusters, seats, "least squares"),
            )


@per_run
def tempo(run: Any) -> pl.DataFrame:
    """Return win shares by tempo, over cells whose styles are alike but for tempo:

    - `tempo.win_share` (group "0.8"): of a seat that plays at this tempo; n is seats;
    - `tempo.alone` (group "0.8 among 1"): of the one seat at this tempo where all others play at
      another; n is games.
    """
    found = sums(run)
    own = [f"{tempo:g}" for tempo in found.tempos]
    alone = [f"{tempo:g} among {others:g}" for tempo, others in found.alone]
    parts = [
        ratio_rows(run, theme, metric, groups, (1, 0, 0), share=True, scale=wins_scale)
        for theme, metric, groups in (
            ("tempos", "tempo.win_share", own),
            ("alone", "tempo.alone", alone),
        )
    ]
    return finish(run, parts)
