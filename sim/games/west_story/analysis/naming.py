"""How pictures, tables and sentences name the groups of West Story's rows."""

import re

from sim.games.west_story.analysis.gather import MOST_FIRST
from sim.words import Words

OWN = {
    "licence": "Printed licence",
    "certificate": "Certificate",
    "lake": "Reached the lake",
    "no lake": "Never reached it",
    "win_per_round": "A round more, at equal seat",
    "win_per_round_apart": "A round more, at as many pan coins",
    "win_per_coin": "A pan coin more, at as many rounds",
    "win_at_ties": "The dice alone, where the richest tie",
}
SHORT = {
    "vp_spaces": "Board spaces",
    "vp_effects": "Card effects",
    "vp_limits": "Beyond limits",
    "vp_printed": "Printed on cards",
    "vp_wild": "Wild trades",
    "vp_villains": "Villains",
    "vp_towns": "Towns",
    "vp_licence": "Licence or certificate",
    "vp_end": "End rules",
}
"""Sources of VP in the table of rounds."""


def name_of(group: str, words: Words) -> str:
    """Return a group as a report prints it: a card, a set, a spot, a certificate, a round."""
    if group in OWN or group in SHORT:
        return (OWN | SHORT)[group]
    if " without " in group:
        return words.group(group)
    for joint in (" + ", "+"):
        if joint in group:
            return " + ".join(name_of(part, words) for part in group.split(joint))
    kind, _, name = group.partition(" ")
    if kind == "at":
        return f"At {words.title(name)}"
    if kind == "first":
        return f"{name}{' or more' * (int(name) == MOST_FIRST)}"
    if kind in ("round", "bought"):
        return group[:1].upper() + group[1:]
    if re.fullmatch(r"(top|bottom)_\d", group):
        row, space = group.split("_")
        return f"{row.capitalize()} row, space {space}"
    return words.group(group)


def round_of(group: str) -> int:
    """Return the number in "round 3", "round 3, rank 2", "bought in round 5", "first 2"."""
    found = re.search(r"\d+", group)
    return int(found.group()) if found else 0
