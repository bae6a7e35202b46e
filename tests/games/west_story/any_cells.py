"""Cells of every kind that component files, rulings and styles allow, for hypothesis to draw."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as some

from sim.games.west_story.effects import COUNTS
from sim.games.west_story.state import Setup
from sim.games.west_story.vocabulary import FEATURE_NAMES
from sim.players import Style

from .cells import COMPONENTS, GAME, RULINGS

NAMES = COMPONENTS["symbols"]["names"]
SPOTS = (*NAMES, *NAMES, "quadruple", "wild")
BUILDINGS = [name for name, card in COMPONENTS["cards"].items() if card["deck"] == "building"]
GOODS = ("coins", "hats", "cows", "vp")
FEW = (0, 0, 1, 1, 2, 3, 5)


@dataclass(frozen=True)
class Cell:
    """A setup, its styles, and the luck of some games."""

    setup: Setup = field(repr=False)
    styles: list[Style]
    seed: int
    first: int


class Luck:
    """Draws parts of component files, all from one number."""

    def __init__(self, number: int) -> None:
        self.luck = np.random.default_rng(number)

    def one(self, things: Any) -> Any:
        things = list(things)
        return things[self.luck.integers(len(things))]

    def below(self, n: int) -> int:
        return int(self.luck.integers(n))

    def chance(self, share: float) -> bool:
        return bool(self.luck.random() < share)

    # Effects

    def counted(self, text: str) -> str:
        """Return a term that counts something."""
        text += f" per {1 + self.below(3)} {self.one(COUNTS)}"
        return f"{text} max {self.below(9)}" if self.chance(0.5) else text

    def term(self) -> str:
        kind = self.below(9)
        if kind < 2:
            return f"{('discount', 'fight')[kind]} {self.one(FEW)}"
        if kind == 2:
            return "free trade"
        text = f"{self.one(FEW)} {self.one(GOODS)}"
        return self.counted(text) if self.chance(0.4) else text

    def effect(self, alternatives: int = 3) -> str:
        if self.chance(0.1):
            return ""
        ways = (
            " + ".join(self.term() for _ in range(1 + self.below(3)))
            for _ in range(1 + self.below(alternatives))
        )
        return " or ".join(ways)

    # Tables of the file

    def numbers(self) -> dict[str, Any]:
        """Return limits, bonuses, pan, start, certificates and tokens."""
        cows, at = 1 + self.below(9), sorted({1 + self.below(60), 62 + self.below(9)})
        made: dict[str, dict[str, Any]] = {
            "limits": {"hats": 1 + self.below(9), "cows": cows},
            "hat_bonus": {"at": 1 + self.below(9), "coins": self.one(FEW)},
            "herd_bonus": {"first": [self.one(FEW) for _ in range(cows)]},
            "pan": {"coins": 1 + self.below(self.one([3, 8, 14])), "bonus_at": 1 + self.below(60)},
            "start": {
                "coins": self.one([0, 4, 20]),
                "cows": self.below(cows + 1),
                "discs": 1 + self.below(9),
            },
            "certificates": {
                "vp_per_pair": self.one(FEW),
                "cost_top": self.one(FEW),
                "cost_bottom": self.one(FEW),
                "stacks": 1 + self.below(2),
                "per_stack": 1 + self.below(2),
                "pairs": self.luck.permutation(COMPONENTS["certificates"]["pairs"]).tolist(),
            },
            "wild_tokens": {"at": at},
            "uncatchable": {"pay": self.one(FEW), "leaves_at": 1 + self.below(6)},
        }
        return {name: COMPONENTS[name] | table for name, table in made.items()}

    def board(self) -> dict[str, Any]:
        spaces = {
            name: {"symbol": self.one(NAMES), "effect": self.effect()}
            for name, space in COMPONENTS["board"].items()
            if isinstance(space, dict)
        }
        return COMPONENTS["board"] | spaces

    def towns(self) -> dict[str, Any]:
        made = {}
        for number in range(1 + self.below(4)):
            made[f"town_{number}"] = {
                "source": "assumed",
                "title": f"Town {number}",
                "coins": self.one(FEW),
                "hats": self.one(FEW),
                "disc_vp": [self.one(FEW) for _ in range(1 + self.below(4))],
                "spots": [self.one(SPOTS) for _ in range(6)],
                "wild_bonus": self.effect(1),
            }
        return made

    def areas(self, towns: list[str]) -> dict[str, Any]:
        """Return segments of the track; a town has at most two villains, the first area none."""
        starts = sorted({0, *self.luck.integers(1, 40, self.below(9)).tolist()})
        made: dict[str, Any] = {}
        for number, first in enumerate(starts):
            town = self.one(towns) if self.chance(0.6) else ""
            theirs = sum(area["villain"] for area in made.values() if area["town"] == town)
            villain = self.chance(0.6) and first > 0 and (not town or theirs < 2)
            made[f"area_{number}"] = {
                "source": "assumed",
                "title": f"Area {number}",
                "first": first,
                "last": starts[number + 1] - 1 if first < starts[-1] else 999,
                "town": town,
                "villain": villain and sum(a["villain"] for a in made.values()) < 8,
                "desert": self.chance(0.4),
            }
        return made

    def tokens(self, places: int) -> dict[str, Any]:
        made = {}
        for number in range(max(1, places + self.below(3))):
            made[f"villain_{number}"] = {
                "source": "assumed",
                "title": f"V{number}",
                "hats": self.one(FEW),
                "coins": self.one(FEW),
                "vp": self.one(FEW),
                "pay": self.one(FEW),
            }
        table = {"places": places, "coins": self.one(FEW), "tokens": made}
        return COMPONENTS["villain_tokens"] | table

    def cards(self) -> dict[str, Any]:
        """Return the shipped cards, changed; buildings keep what makes sets of them legal."""
        made = {}
        for name, card in COMPONENTS["cards"].items():
            changes: dict[str, Any] = {"vp": self.one(FEW)}
            if self.chance(0.5):
                changes["effect"] = self.effect()
            if self.chance(0.4):
                changes["end"] = self.counted(f"{self.one(FEW)} vp")
            if self.chance(0.3):
                changes["symbols"] = self.one(["wild", "each", "pairs", NAMES[0], "star + wheel"])
            if name not in BUILDINGS:
                changes |= {"coins": self.one(FEW), "hats": self.one(FEW)}
                changes["copies"] = self.one([0, 1, 1, 2, 4])
            made[name] = card | changes
        for name in ("stagecoach", "mustang"):
            # no deck is too small
            made[name] |= {"copies": max(made[name]["copies"], 4)}
        return made

    def components(self) -> dict[str, Any]:
        """Return components with anything changed."""
        made = dict(COMPONENTS) | self.numbers()
        made |= {"board": self.board(), "cards": self.cards(), "towns": self.towns()}
        made["areas"] = self.areas(list(made["towns"]))
        places = sum(area["villain"] for area in made["areas"].values())
        return made | {"villain_tokens": self.tokens(places)}


RULED = {
    "end_test": some.sampled_from(["cannot_take", "last_taken"]),
    "hat_bonus": some.sampled_from(["on_reaching_four", "each_execution"]),
    "richest": some.sampled_from(["coins", "coins_and_cows"]),
    "licence_vp": some.sampled_from([2, 1, 0, 10]),
    "villain_vp": some.sampled_from(["end", "at_once"]),
    "double_wild": some.sampled_from(["free_choice", "cow"]),
    "wild_third": some.booleans(),
    "skip_cow_overflow": some.sampled_from(["vp", "nothing"]),
    "paid_cows": some.sampled_from(["stay_cows", "become_coins"]),
    "dodge_city": some.sampled_from(["per_side", "together"]),
    "wild_tokens": some.booleans(),
    "uncatchable_villain": some.booleans(),
    "buildings": some.sampled_from(["base", "random", "even", BUILDINGS[-5:]]),
    "round_cap": some.sampled_from([40, 40, 40, 12, 3, 1]),
}
WEIGHTS = some.one_of(
    some.just({}),
    some.dictionaries(
        some.sampled_from(FEATURE_NAMES),
        some.one_of(some.floats(-5, 5), some.sampled_from([-1e9, 1e9, 1e-300])),
        min_size=1,
        max_size=12,
    ),
    some.sampled_from([style.weights for style in GAME.styles().values()]),
)


@some.composite
def cells(draw, temperatures=(0.0, 0.0, 1e-300, 0.5, 1e9)) -> Cell:
    """Draw a cell; a third of them have the shipped components."""
    players = draw(some.integers(2, 4))
    number = draw(some.integers(0, 10_000))
    components = Luck(number).components() if number % 3 else COMPONENTS
    rulings = draw(some.fixed_dictionaries(RULED))
    names = some.lists(some.sampled_from(GAME.actions_of(components)), max_size=4, unique=True)
    styles = [
        Style(
            name=f"style_{place}",
            weights=draw(WEIGHTS),
            temperature=draw(some.sampled_from(temperatures)),
            forbid=draw(names),
        )
        for place in range(players)
    ]
    made = GAME.setup(components, RULINGS | rulings, styles, draw(some.booleans()), 1.0)
    return Cell(made, styles, draw(some.integers(0, 2**64 - 1)), draw(some.integers(0, 50)))
