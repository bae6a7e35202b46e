"""The sums of West Story's head units by theme; see `sim.metrics.themes`."""

from typing import Any

from sim.games.west_story.analysis import gather, gather_rounds
from sim.games.west_story.analysis.blocks import Block, names_of
from sim.metrics.themes import Found, Labelled, Theme, gathered
from sim.metrics.tidy import sums_per_run

THEMES: dict[str, Theme] = {
    "games": gather.games,
    "seats": gather.seats,
    "times_first": gather.times_first,
    "first": gather.first,
    "first_and_coins": gather.first_and_coins,
    "first_alone": gather.first_alone,
    "players": gather.players,
    "by_lake": gather.by_lake,
    "by_certificate": gather.by_certificate,
    "certificate_fit": gather.certificate_fit,
    "holders": gather.holders,
    "market": gather.market,
    "villains": gather.villains,
    "towns": gather.towns,
}
SAMPLED: dict[str, Theme] = {
    "standings": gather_rounds.standings,
    "ranks": gather_rounds.ranks,
    "wealth_ranks": gather_rounds.wealth_ranks,
    "chances": gather_rounds.chances,
    "growth": gather_rounds.growth,
    "dice_at_ties": gather_rounds.dice_at_ties,
    "buying": gather_rounds.buying,
}


@sums_per_run
def sums(run: Any) -> Found:
    """Return the sums of a run."""
    names = names_of(run)
    themes = THEMES | (SAMPLED if run.study.sample else {})
    labelled = {}
    if len(names.sets) > 1:
        themes["buildings"] = gather.buildings
        labelled["sets"] = Labelled(gather.sets, lambda block: block.building_set, len(names.sets))
    return gathered(run, names, Block, lambda block: themes, labelled=labelled)
