"""The line-ups of a study with "all" spelt out: every name checked, mistakes told by their key."""

from collections.abc import Iterator, Mapping

from sim.explain import Place, show
from sim.lineups import ALL, Lineups
from sim.players import Style


def spelt_out(lineups: Lineups, known: Mapping[str, Style], place: Place) -> Lineups:
    """Return the line-ups with "all" spelt out and every name checked."""
    full = {
        kind: list(known) if names == [ALL] else names
        for kind in ("mirror", "round_robin", "tournament")
        for names in [getattr(lineups, kind)]
    }
    named: dict[tuple[str | int, ...], str] = {
        (kind, i): name for kind, names in full.items() for i, name in enumerate(names)
    }
    for kind, i, seats in listed(lineups):
        if not seats:
            raise place.at(kind, i).error("found []; allowed: a style for each seat.")
        if len(set(seats)) == 1 and seats[0] in full["mirror"]:
            raise place.at(kind, i).error(
                f"found {show(seats)}, which mirror has already; allowed: each line-up once."
            )
        if len(set(seats)) == 1 and kind == "rotated":
            raise place.at(kind, i).error(
                f"found {show(seats)}; allowed: two styles or more. For one style use mirror."
            )
        named |= {(kind, i, j): name for j, name in enumerate(seats)}
    for at, name in named.items():
        if name not in known:
            raise place.at(*at).unknown("style", name, known)
    if not named:
        raise place.error(
            "no line-up; allowed: at least one of mirror, fixed, rotated, round_robin, tournament."
        )
    for kind in ("round_robin", "tournament"):
        if len(full[kind]) == 1:
            alone = show(full[kind])
            raise place.at(kind).error(
                f"found {alone}; allowed: two styles or more. For one style use mirror = {alone}."
            )
    if full["round_robin"] and full["tournament"]:
        raise place.at("round_robin").error(
            "a tournament has these line-ups and more; allowed: one of round_robin and tournament."
        )
    if lineups.rotated and (full["round_robin"] or full["tournament"]):
        raise place.at("rotated").error(
            "line-ups that are turned through the seats are told as one; "
            "allowed: one of rotated, round_robin and tournament."
        )
    return Lineups(fixed=lineups.fixed, rotated=lineups.rotated, **full)


def listed(lineups: Lineups) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the line-ups that are given seat by seat: key, number in it, styles."""
    for kind in ("fixed", "rotated"):
        for i, seats in enumerate(getattr(lineups, kind)):
            yield kind, i, seats


def used_styles(lineups: Lineups) -> set[str]:
    """Return the names of all styles that sit somewhere."""
    return {
        *lineups.mirror,
        *lineups.round_robin,
        *lineups.tournament,
        *(s for _, _, seats in listed(lineups) for s in seats),
    }
