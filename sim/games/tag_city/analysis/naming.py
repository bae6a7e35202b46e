"""How pictures, tables and sentences name the groups of Tag City's rows."""

from sim import words as say
from sim.games.tag_city.analysis.gather import MOST_LED, MOST_USED, TENTHS
from sim.words import Words

LAYERS = {"row": "Rows", "column": "Columns", "neighborhood": "Neighborhoods"}
LED = {
    "led less": "Led fewer rounds than others",
    "led alike": "Led as many as all others",
    "led more": "Led more rounds than others",
}
EFFECTS = {
    "per_lead_alone": "One round more led, as it comes",
    "per_lead": "One round more led, at the same seat and place",
    "per_tenth": "A tenth of a place later in the draft",
}


def name_of(group: str, words: Words) -> str:
    """Return a group as a report prints it: a layer, an element, a shape, a ring, a count."""
    if group in LAYERS or group in LED or group in EFFECTS:
        return (LAYERS | LED | EFFECTS)[group]
    if "+" in group:
        return " ".join(words.title(part) for part in group.split("+"))
    kind, _, name = group.partition(" ")
    if kind == "shape":
        return words.title(name)
    if kind == "led":
        return f"{name}{' or more' * (int(name) == MOST_LED)}"
    if kind == "place":
        return _place(round(10 * float(name)))
    if name == "used":
        return f"{kind}{' or more' * (int(kind) == MOST_USED)}"
    return words.group(group)


def _place(tenths: int) -> str:
    """Return how far a mean place in the draft is from the middle."""
    if tenths == 0:
        return "in the middle"
    far = f"{abs(tenths) / 10:g}{' or more' * (abs(tenths) == TENTHS)}"
    return f"{far} {'later' if tenths > 0 else 'earlier'}"


def percent_off(value: float) -> str:
    """Return a relative difference in percent, signed."""
    return f"{say.signed(100 * value, 0)} %"
