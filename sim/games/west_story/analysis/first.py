"""What a round as first player is worth, apart from the seat."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from sim.games.west_story.analysis.gather import MOST_FIRST, SEAT
from sim.games.west_story.analysis.gather_rounds import TIE
from sim.games.west_story.analysis.rows import ratios, shares
from sim.games.west_story.analysis.sums import sums
from sim.games.west_story.state import MAX_PLAYERS
from sim.metrics.estimates import Row, fits, frame, held_rows, seat_rows
from sim.metrics.tidy import Unit, finish, per_run


@per_run
def first_player(run: Any) -> pl.DataFrame:
    """Return what the dice go with (n is games, or seats of a group, unless said otherwise):

    - `first.rounds`, `first.share` (group "seat 0" ...): mean rounds as first player, and share of
      all rounds;
    - `first.win_share`, `.score`, `.seats` (group "first 5"): of seats that were first player so
      often;
    - `first.win_per_round_alone`, `.score_per_round_alone`: win share and VP for one round more as
      first player, unadjusted;
    - `first.win_per_round`, `.score_per_round`: the same at equal seat and style, by least squares
      within the game on rounds earned (those but the first, which seat 0 is dealt);
      `.win_by_seat`, `.score_by_seat` (group "seat 0" ...): what is left to the seat at as many
      rounds earned, from the mean of all;
    - `first.win_per_round_apart`, `first.win_per_coin` and `.score_*`: for a round more as first
      player, and for a coin more of the pan as richest, each at an equal number of the other. The
      two mostly come together; only ties tell them apart;
    - `first.win_at_ties`, `.score_at_ties`: where seats tie for richest, nobody takes a coin and
      who gets the dice is settled by who sits where: what the one who does gains over the others
      of the tie, by least squares within the tie, at equal standing, cows and style, and whether
      it had the dice. Not with two players, where whoever had them never gets them. n counts
      ties, of the sampled games.
    """
    names = [f"seat {seat}" for seat in range(MAX_PLAYERS)]
    often = [f"first {count}" for count in range(MOST_FIRST + 1)]
    parts = [
        *ratios(run, "seats", SEAT, names, {"first.rounds": ("first", "seats", "seats")}),
        *shares(run, "seats", SEAT, names, {"first.share": ("first", "rounds", "seats")}),
        *held_rows(sums(run), "times_first", "first", often),
        frame(_alone(run)),
        frame(_adjusted(run)),
        frame(_at_ties(run)),
    ]
    return finish(run, parts)


def _alone(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "first_alone", lambda unit: 1):
        yield fit.row(f"first.{fit.outcome}_per_round_alone", "all", fit.found[0])


def _adjusted(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "first", lambda unit: 1 + _others(unit)):
        yield fit.row(f"first.{fit.outcome}_per_round", "all", fit.found[0])
        yield from seat_rows(fit, f"first.{fit.outcome}_by_seat", 1)
    for fit in fits(sums(run), "first_and_coins", lambda unit: 2 + _others(unit)):
        yield fit.row(f"first.{fit.outcome}_per_round_apart", "all", fit.found[0])
        yield fit.row(f"first.{fit.outcome}_per_coin", "all", fit.found[1])


def _others(unit: Unit) -> int:
    """Return how many seats and styles there are but the first of each."""
    return unit.players - 1 + len(unit.styles) - 1


def _at_ties(run: Any) -> Iterator[Row]:
    for fit in fits(sums(run), "dice_at_ties", lambda u: len(TIE) + len(u.styles) - 1):
        yield fit.row(f"first.{fit.outcome}_at_ties", "all", fit.found[0])
