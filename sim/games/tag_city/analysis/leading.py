"""What leading, drafting early and the seat go with."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.tag_city.analysis.gather import GAME, MOST_LED, SEAT, TENTHS
from sim.games.tag_city.analysis.rows import held_rows, ratio_rows
from sim.games.tag_city.analysis.sums import sums
from sim.games.tag_city.components import MAX_PLAYERS
from sim.metrics.estimates import Row, fits, frame, seat_rows
from sim.metrics.tidy import finish, per_run


@per_run
def leading(run: Any) -> pl.DataFrame:
    """Return how unequal leading is, and what it goes with (n is games, or seats of a group):

    - `lead.unequal`: share of games that end when seats have led unequally often;
    - `lead.rounds`, `lead.share`, `lead.place` (group "seat 0" ...): mean rounds led, share of all
      rounds, and mean place in the draft, 1 is first;
    - `lead.win_share`, `lead.score`, `lead.seats` (groups "led less", "led alike", "led more"):
      win share and mean score of seats that led fewer rounds than some other, as many as all, more
      than some other; and which share of all seats they are;
    - `times_led.*` (group "led 3") the same by rounds led, `draft.*` (group "place -0.2") by mean
      place in the draft, as the gap to the middle in tenths;
    - `lead.win_per_lead`, `.score_per_lead`: win share and points for one round led more, by least
      squares within the game on rounds led, mean place, seat and style; `.win_per_tenth`,
      `.score_per_tenth`: for a tenth of a place later in the draft on average; `.win_by_seat`,
      `.score_by_seat` (group "seat 0" ...): what is left to the seat, from the mean of all;
    - `lead.win_per_lead_alone`, `.score_per_lead_alone`: with rounds led alone, unadjusted.
    """
    seats = [f"seat {seat}" for seat in range(MAX_PLAYERS)]
    led = [f"led {count}" for count in range(MOST_LED + 1)]
    places = [f"place {tenths / 10:g}" for tenths in range(-TENTHS, TENTHS + 1)]
    parts = [
        ratio_rows(
            *(run, "games", GAME, "lead.unequal", ["all"], ("unequal", "games", "games")),
            share=True,
        ),
        ratio_rows(run, "seats", SEAT, "lead.rounds", seats, ("led", "seats", "seats")),
        ratio_rows(run, "seats", SEAT, "lead.share", seats, ("led", "rounds", "seats")),
        ratio_rows(run, "seats", SEAT, "lead.place", seats, ("place", "seats", "seats")),
        *held_rows(run, "led_against", "lead", ["led less", "led alike", "led more"]),
        *held_rows(run, "times_led", "times_led", led),
        *held_rows(run, "places", "draft", places),
        frame(_alone(run)),
        frame(_adjusted(run)),
    ]
    return finish(run, parts)


def _alone(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "leading_alone", lambda unit: 1):
        yield fit.row(f"lead.{fit.outcome}_per_lead_alone", "all", fit.found[0])


def _adjusted(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "leading", lambda u: 2 + u.players - 1 + len(u.styles) - 1):
        yield fit.row(f"lead.{fit.outcome}_per_lead", "all", fit.found[0])
        yield fit.row(f"lead.{fit.outcome}_per_tenth", "all", fit.found[1].times(0.1))
        yield from seat_rows(fit, f"lead.{fit.outcome}_by_seat", 2)
