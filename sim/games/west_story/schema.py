"""The tables of West Story's component files: what stands in each, within which limits."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sim.errors import listing
from sim.explain import show
from sim.games.west_story import effects
from sim.games.west_story.events import ROW_SPOTS

SYMBOLS = 4
TOWN_SPOTS = 6

MAX_TOKENS = 16
MAX_PLACES = 8
MAX_DISCS = 8
"""Discs of a player in one town."""
MAX_HATS = 20
MAX_HERD = 12
MAX_COST = 20
MAX_VP = 100
MAX_FIRST = 500
"""VP at which an area begins or something is picked up."""
ENDLESS = 999
"""The end of the last area."""
WILD_TOKENS = 2
"""Numbers of VP with wild tokens."""

Grade = Literal["rulebook", "published", "inferred", "assumed"]
Cost = Annotated[int, Field(ge=0, le=MAX_COST, strict=True)]
Vp = Annotated[int, Field(ge=0, le=MAX_VP, strict=True)]
Marker = Annotated[int, Field(ge=1, le=MAX_FIRST, strict=True)]
Copies = Annotated[int, Field(ge=0, le=30, strict=True)]
Flag = Annotated[bool, Field(strict=True)]

NAME = re.compile(r"[a-z][a-z0-9_]*")
EACH, PAIRS, WILD, QUADRUPLE = "each", "pairs", "wild", "quadruple"
TAKEN_SYMBOLS = (EACH, PAIRS, WILD, QUADRUPLE)


class Table(BaseModel):
    """A table of the file: no keys but its own, and it cannot change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Graded(Table):
    """A table that says where its numbers come from."""

    source: Grade
    note: str = ""


def _effect(text: str) -> str:
    return effects.show_effect(effects.parse_effect(text))


def _end(text: str) -> str:
    return effects.show_end(effects.parse_end(text))


def _bonus(text: str) -> str:
    effect = effects.parse_effect(text)
    if len(effect.alternatives) > 1:
        raise ValueError(f"found {show(text)}; allowed: an effect without a choice, no or in it")
    return effects.show_effect(effect)


def _names(names: list[str]) -> list[str]:
    for name in names:
        if not NAME.fullmatch(name) or name in TAKEN_SYMBOLS:
            raise ValueError(
                f"found {show(name)}; allowed: names of lower-case letters, digits and "
                f"underscores other than {listing(TAKEN_SYMBOLS)}"
            )
    if len(set(names)) != SYMBOLS or len(names) != SYMBOLS:
        raise ValueError(f"found {show(names)}; allowed: {SYMBOLS} names, all different")
    return names


def _symbols(text: str) -> str:
    """Return the symbols of a card in the form that is always the same."""
    return " + ".join(part.strip() for part in text.lower().split("+"))


EffectText = Annotated[str, AfterValidator(_effect)]
EndText = Annotated[str, AfterValidator(_end)]
BonusText = Annotated[str, AfterValidator(_bonus)]
SymbolsText = Annotated[str, AfterValidator(_symbols)]


class Symbols(Graded):
    """The names of the four regular symbols."""

    names: Annotated[list[str], AfterValidator(_names)]


class Limits(Graded):
    """Most hats and cows of a player."""

    hats: Annotated[int, Field(ge=1, le=MAX_HATS, strict=True)]
    cows: Annotated[int, Field(ge=1, le=MAX_HERD, strict=True)]


class HatBonus(Graded):
    """Coins for having so many hats."""

    at: Annotated[int, Field(ge=1, le=MAX_HATS, strict=True)]
    coins: Cost


class HerdBonus(Graded):
    """Coins for a cow that takes the first, second ... place of the herd."""

    first: list[Cost]


class Pan(Graded):
    """The gold pan: its coins, and the VP at which a player takes one."""

    coins: Annotated[int, Field(ge=1, le=60, strict=True)]
    bonus_at: Marker


class Start(Graded):
    """What each player starts with."""

    coins: Cost
    cows: Cost
    discs: Annotated[int, Field(ge=1, le=30, strict=True)]


class Certificates(Graded):
    """The railroad certificates: what they cost and score, how they lie, their pairs of symbols."""

    vp_per_pair: Vp
    cost_top: Cost
    cost_bottom: Cost
    stacks: Annotated[int, Field(ge=1, le=2, strict=True)]
    per_stack: Annotated[int, Field(ge=1, le=2, strict=True)]
    pairs: list[list[str]]


class WildTokens(Graded):
    """VP at which each player picks up a wild token."""

    at: Annotated[list[Marker], Field(min_length=WILD_TOKENS, max_length=WILD_TOKENS)]


class Token(Graded):
    """A villain token: what it costs to fight, what that wins, what it asks for instead."""

    title: str
    hats: Cost
    coins: Cost
    vp: Vp
    pay: Cost


class VillainTokens(Graded):
    """The villain tokens by name, their places, and the coins on each at the start."""

    places: Annotated[int, Field(ge=0, le=MAX_PLACES, strict=True)]
    coins: Cost
    tokens: Annotated[dict[str, Token], Field(min_length=1, max_length=MAX_TOKENS)]


class Uncatchable(Graded):
    """The uncatchable villain: what it is paid, and with how much on it it leaves."""

    pay: Cost
    leaves_at: Annotated[int, Field(ge=1, le=60, strict=True)]


class Space(Table):
    """A space of the player board."""

    symbol: str
    effect: EffectText


class Board(Graded):
    """The player board: two rows of six spaces."""

    top_1: Space
    top_2: Space
    top_3: Space
    top_4: Space
    top_5: Space
    top_6: Space
    bottom_1: Space
    bottom_2: Space
    bottom_3: Space
    bottom_4: Space
    bottom_5: Space
    bottom_6: Space

    def named(self) -> dict[str, Space]:
        """Return the spaces by name, in the order of the spots."""
        names = [f"{row}_{n + 1}" for row in ("top", "bottom") for n in range(ROW_SPOTS)]
        return {name: getattr(self, name) for name in names}

    def spaces(self) -> tuple[Space, ...]:
        """Return the twelve spaces in the order of the spots."""
        return tuple(self.named().values())


class Town(Graded):
    """A town: what a trade costs, VP by number of discs, its six symbols, the wild one's bonus."""

    title: str
    coins: Cost
    hats: Cost
    disc_vp: Annotated[list[Vp], Field(min_length=1, max_length=MAX_DISCS)]
    spots: Annotated[list[str], Field(min_length=TOWN_SPOTS, max_length=TOWN_SPOTS)]
    wild_bonus: BonusText


class Area(Graded):
    """A segment of the score track, from VP `first` to `last`."""

    title: str
    first: Annotated[int, Field(ge=0, le=MAX_FIRST, strict=True)]
    last: Annotated[int, Field(ge=0, le=ENDLESS, strict=True)] = ENDLESS
    town: str = ""
    villain: Flag
    desert: Flag = False


class Card(Table):
    """A card: its deck, symbols, copies of each, cost, VP at once, effect, VP at the end."""

    source: Grade = "assumed"
    note: str = ""
    title: str
    deck: Literal["production", "scoring", "building"]
    symbols: SymbolsText
    copies: Copies
    coins: Cost
    hats: Cost
    vp: Vp
    effect: EffectText = ""
    end: EndText = ""
    base: Flag = False

    @property
    def animal(self) -> bool:
        """Whether it is a wild animal card."""
        return self.symbols == WILD
