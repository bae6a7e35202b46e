"""Drones, checks, holes and how games end."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.tag_city.analysis.gather import END, MOST_USED, TIES, USED
from sim.games.tag_city.analysis.rows import held_rows, ratio_rows
from sim.games.tag_city.analysis.sums import sums
from sim.metrics.estimates import Row, fits, frame, style_rows
from sim.metrics.tidy import finish, per_run

MEANS = {
    "drones.used": ("drones", "seats"),
    "drones.points": ("drone_points", "seats"),
    "drones.cost": ("drone_points", "drones"),
    "checks.made": ("checks", "seats"),
    "checks.bubbles": ("bubbles", "seats"),
    "checks.points": ("bubble_points", "seats"),
    "city.painted": ("squares", "seats"),
    "city.free": ("free", "seats"),
    "city.holes": ("holes", "seats"),
    "city.drawings": ("drawings", "seats"),
    "city.last_points": ("last_points", "seats"),
}
SHARES = {
    "drones.anybody": ("flyers", "seats"),
    "checks.anybody": ("checkers", "seats"),
    "city.holes_of_free": ("holes", "free"),
}


@per_run
def using(run: Any) -> pl.DataFrame:
    """Return what seats do beside painting (group `all`, "style X" where two meet; n is seats):

    - `drones.used`, `drones.points`, `drones.cost`: drones a seat, what they cost it (negative),
      and each of them; `drones.anybody`: share of seats that used one;
    - `checks.made`, `checks.bubbles`, `checks.points`: checks a seat, bubbles that it circled for
      them, and what these are worth; `checks.anybody`: share of seats that checked;
    - `city.painted`, `.free`, `.holes`, `.drawings`: squares painted and free at the end, free
      ones that no ring shape can cover, drawings; `city.holes_of_free`; `city.last_points`: points
      completed with last dice;
    - `drones.win_share`, `.score`, `.seats` (group "2 used"), and `checks.*`: win share and score
      of seats that used so many, and which share of seats did;
    - `drones.win_per_use`, `.score_per_use`, and `checks.*`: win share and points that go with one
      more, by least squares within the game on drones, checks and style. Observed: who is behind
      may fly and check more;
    - `ties.level`: share of games in which the two best scores are equal; `ties.broken`: in which
      bubbles then decided.
    """
    parts = style_rows(sums(run), "used", USED, MEANS)
    parts += style_rows(sums(run), "used", USED, SHARES, share=True)
    counts = [f"{count} used" for count in range(MOST_USED + 1)]
    parts += held_rows(run, "by_drones", "drones", counts)
    parts += held_rows(run, "by_checks", "checks", counts)
    parts.append(frame(_slopes(run)))
    parts += [
        ratio_rows(run, "ties", TIES, f"ties.{name}", ["all"], (name, "games", "games"), share=True)
        for name in ("level", "broken")
    ]
    return finish(run, parts)


def _slopes(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "using", lambda unit: 2 + len(unit.styles) - 1):
        for kind, found in zip(("drones", "checks"), fit.found, strict=False):
            yield fit.row(f"{kind}.{fit.outcome}_per_use", "all", found)


@per_run
def ends(run: Any) -> pl.DataFrame:
    """Return games by why they ended (group REASON; n is games): `ends.rounds`, `ends.score`."""
    names = sums(run).names.ends
    return finish(
        run,
        [
            ratio_rows(run, "ends", END, "ends.rounds", names, ("rounds", "games", "games")),
            ratio_rows(run, "ends", END, "ends.score", names, ("score", "seats", "games")),
        ],
    )
