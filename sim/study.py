"""A study: which game, players, variants, line-ups, how many games, which seed.

`load` reads a TOML file and checks all of it, so that nothing later has to check again.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sim import budgets as accepted
from sim import games
from sim.budgets import Budget
from sim.errors import SimError, listing
from sim.explain import BARE_KEY, Place, show, validate
from sim.files import find, read_text, read_toml
from sim.games.game import Game
from sim.games.kingmaking import FEWEST_PLAYERS, Kingmaking
from sim.games.kingmaking import TABLE as KINGMAKING
from sim.lineups import Lineups, count
from sim.matters import smallest
from sim.overrides import apply, expand, leaves, merge
from sim.players import Style
from sim.seating import listed, spelt_out, used_styles
from sim.sheets import rows_of
from sim.stylebook import Entries, change, gather, resolve
from sim.tuning import table as tuning
from sim.tuning.table import Tune
from sim.until import Until
from sim.until import read as read_until

MAX_SEED = 2**63 - 1
SAMPLE = 0.1
"""The share of games in sampled tables, unless a study says otherwise."""
MAX_GAMES = 2**32 - 1
"""Game numbers are stored as u32."""
MAX_CELLS = 2**16
"""Cell numbers are stored as u16."""

Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Games = Annotated[int, Field(ge=1, le=MAX_GAMES)]
Sample = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Table = dict[str, Any]
TOP_KEYS = (
    *("title", "game", "players", "games", "until", "seed", "sample"),
    *("styles_from", "components_from"),
)
PARTS = ("rulings", "components", "styles")
"""What a variant can change."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Variant(_Part):
    """A version of the game: what it changes by dotted name, and all of it resolved."""

    overrides: Table
    rulings: Table
    components: Table
    styles: dict[str, Style]


class Study(_Part):
    """A checked study; `rulings` and `components` are the changes that all variants share.

    It holds what files such as `components_from` said, so that a run needs them no more.
    """

    name: str
    title: str
    source: str
    game: str
    players: list[int]
    games: Games
    until: Until | None = None
    """What is to be known before games stop, `games` being the most; decides no game."""
    seed: Seed
    sample: Sample | None = None
    """The share of games in sampled tables; None for a game that keeps none."""
    kingmaking: Kingmaking | None = None
    """Which decisions are looked at for whether a loser decides who wins; None: none are."""
    lineups: Lineups
    rulings: Table
    components: Table
    styles: dict[str, Style]
    variants: dict[str, Variant]
    budgets: list[Budget] = []
    """What the designer accepts; decides nothing of what is played."""
    matters: dict[str, float] = {}
    """The smallest difference between variants that matters, by metric, where the study has one."""
    tune: Tune | None = None
    """Which values `sim tune` may move; decides nothing of what is played."""

    def resolved(self) -> Table:
        """Return the plain data that decides what is played, however many games.

        Texts about styles are left out. Order counts: it numbers the cells and the cards.
        """
        data = {
            "game": self.game,
            "players": self.players,
            "seed": self.seed,
            "lineups": self.lineups.model_dump(),
            "variants": {name: _resolved(variant) for name, variant in self.variants.items()},
        }
        if self.sample is not None:
            data["sample"] = self.sample
        if self.kingmaking is not None:
            data["kingmaking"] = self.kingmaking.model_dump()
        return json.loads(json.dumps(data))

    def identity(self) -> str:
        """Return the SHA-256 of `resolved()` as hexadecimal."""
        text = json.dumps(self.resolved(), separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


class StudyFile(_Part):
    """A study as written in a file.

    `players` is a number or a list (default: all that have a line-up), `games` are per cell,
    `sample` is the share of them in tables that keep a sample (default 0.1). With `until`, games
    are the most: "decided", or { metric = "seat_share", half_width = 0.002 }. `kingmaking` says at
    which decisions it is seen whether a seat that can no longer win decides between the others.
    `[rulings]` and `[components]` change the game for all variants, by dotted name; `[variants.X]`
    holds a variant's own changes (`rulings.`, `components.`, `styles.`); without variants there is
    one named "base". `[styles.X]` defines a style, or changes one that the game ships;
    `styles_from` names files of such tables, relative to the study. `components_from` names TOML
    files laid out like the game's components.toml, and CSV files if the game reads any; they
    change the components in turn, before `[components]` does. `[matters]` says which difference of
    a metric matters when variants are compared; `[budgets]` what is accepted of the game;
    `[tune]` which values `sim tune` may move.
    """

    title: str = ""
    game: Annotated[str, Field(description="the name of a game (see `sim games`)")]
    players: list[int] | None = None
    games: Games = 10_000
    until: Any = None
    seed: Seed = 1
    sample: Sample | None = None
    kingmaking: Any = None
    lineups: Annotated[
        Lineups,
        Field(description="a [lineups] table with mirror, fixed, rotated, round_robin, tournament"),
    ]
    rulings: Table = {}
    components: Table = {}
    variants: dict[str, Table] = {}
    styles: Table = {}
    styles_from: list[str] = []
    components_from: list[str] = []
    matters: Table = {}
    budgets: Table = {}
    tune: Any = None

    @field_validator("players", mode="before")
    @classmethod
    def _one_or_list(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return [value]
        if not isinstance(value, list):
            raise ValueError(f"found {show(value)}; allowed: a whole number or a list of them.")
        return value

    @field_validator("title")
    @classmethod
    def _printable(cls, title: str) -> str:
        if not title.isprintable():
            raise ValueError(f"found {show(title)}; allowed: one line of printable characters.")
        return title

    @field_validator("games", mode="before")
    @classmethod
    def _scientific(cls, value: Any) -> Any:
        """Take 1e5 for 100000: TOML calls it a float, a designer does not."""
        return int(value) if isinstance(value, float) and value.is_integer() else value


def load(path_or_name: str | Path) -> Study:
    """Return the study in a TOML file, or the one of that name in `configs/`.

    Raises SimError with one line for the first mistake in it.
    """
    path = find(path_or_name)
    return from_dict(read_toml(path), str(path), path.stem, path.parent)


def from_dict(
    data: Mapping[str, Any],
    source: str = "<dict>",
    name: str = "study",
    folder: str | Path = ".",
) -> Study:
    """Return the study in plain data, laid out as in a TOML file; `source` is for messages."""
    place = Place(source)
    file = _read(data, place)
    try:
        game = games.get(file.game)
    except SimError as error:
        raise place.at("game").error(str(error)) from None
    entries = gather(file.styles, file.styles_from, Path(folder), place)
    components, changes = _components(game, file, Path(folder), place)
    known = resolve(game, entries, game.actions_of(components))
    lineups = spelt_out(file.lineups, known, place.at("lineups"))
    used = [style for style in known if style in used_styles(lineups)]
    base = Variant(
        overrides={},
        rulings=apply(
            game.rulings_model, game.default_rulings(), file.rulings, place.at("rulings")
        ),
        components=components,
        styles={style: known[style] for style in used},
    )
    variants = {
        variant: _variant(game, base, changes, entries, place.at("variants", variant))
        for variant, changes in file.variants.items()
    }
    players = _players(game, file, lineups, place)
    _check_size(lineups, players, len(variants) or 1, place)
    for variant, rules in (variants or {"base": base}).items():
        _check_rules(game, rules, players, place.at("variants", variant) if variants else place)
    return Study(
        name=name,
        title=file.title or f"{game.title}: {name.replace('_', ' ')}",
        source=source,
        game=file.game,
        players=players,
        games=file.games,
        until=read_until(file.until, place.at("until"), game, lineups),
        seed=file.seed,
        sample=_sample(game, file, place),
        kingmaking=_kingmaking(game, file.kingmaking, players, place.at("kingmaking")),
        lineups=lineups,
        rulings=file.rulings,
        components=changes,
        styles=base.styles,
        variants=variants or {"base": base},
        budgets=accepted.read(
            file.budgets, place.at("budgets"), players, variants or ["base"], lineups
        ),
        matters=smallest(game, file.matters, place.at("matters")),
        tune=tuning.read(
            file.tune,
            place.at("tune"),
            file.game,
            [dict(each) for each in (variants or {"base": base}).values()],
        ),
    )


def _read(data: Mapping[str, Any], place: Place) -> StudyFile:
    """Return the file's parts with quoted dotted keys spelt out."""
    if not data:
        raise place.error("nothing in it; needed: at least game and a [lineups] table.")
    variants = data.get("variants")
    for name in variants if isinstance(variants, Mapping) else ():
        _check_variant_name(str(name), place.at("variants"))
    data = expand(data, place)
    _check_misplaced(data, place)
    return validate(StudyFile, data, place)


def _check_variant_name(name: str, place: Place) -> None:
    if name in PARTS:
        raise place.at(name).error(
            f"a variant needs a name of its own; write [variants.NAME] above {name}."
        )
    if not BARE_KEY.fullmatch(name):
        raise place.error(
            f"found the variant name {show(name)}; allowed: letters, digits, _ and -."
        )


def _check_misplaced(data: Mapping[str, Any], place: Place) -> None:
    """Raise if a key of the study itself stands below a [table], which TOML makes part of it."""
    variants = data.get("variants")
    places = [(place.at(key), data.get(key)) for key in ("lineups", *PARTS, "budgets", "tune")]
    if isinstance(variants, Mapping):
        places += [(place.at("variants", name), table) for name, table in variants.items()]
    for here, table in places:
        for key, value in table.items() if isinstance(table, Mapping) else ():
            strays = key == KINGMAKING and here != place.at("budgets")
            if strays or (key in TOP_KEYS and not isinstance(value, Mapping)):
                raise here.at(key).error(
                    f"unknown key here; write {key} above the first [table] of the file."
                )


def _components(game: Game, file: StudyFile, folder: Path, place: Place) -> tuple[Table, Table]:
    """Return the components, and all that the study changes in them."""
    parts = [
        _part(game, folder / name, place.at("components_from", index))
        for index, name in enumerate(file.components_from)
    ]
    components = game.default_components()
    changes: Table = {}
    for part, here in [*parts, (file.components, place.at("components"))]:
        components = apply(game.components_model, components, part, here)
        changes = merge(changes, part)
    return components, changes


def _part(game: Game, path: Path, place: Place) -> tuple[Table, Place]:
    """Return the changes in a file of components, and the place of mistakes in it."""
    kind, inside = path.suffix.lower(), Place(str(path))
    if kind not in (".toml", ".csv"):
        raise place.error(f"found {show(path.name)}; allowed: a file that ends in .toml or .csv.")
    try:
        if kind == ".toml":
            return expand(read_toml(path), inside), inside
        text = read_text(path, "a CSV file")
    except SimError as error:
        raise place.error(str(error)) from None
    try:
        return game.read_table(rows_of(text)), inside
    except SimError as error:
        raise inside.error(str(error)) from None


def _sample(game: Game, file: StudyFile, place: Place) -> float | None:
    if game.sampled_tables:
        return SAMPLE if file.sample is None else file.sample
    if file.sample is not None:
        raise place.at("sample").error(f"{game.title} keeps no sampled tables; leave this key out.")
    return None


def _kingmaking(game: Game, value: Any, players: list[int], place: Place) -> Kingmaking | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise place.error(f"found {show(value)}; allowed: a table such as {{ sample = 0.01 }}.")
    wanted = validate(Kingmaking, value, place)
    if not hasattr(game, "scripted"):
        raise place.error(f"{game.title} cannot be played on from a decision; leave this key out.")
    if players[-1] < FEWEST_PLAYERS:
        raise place.error(
            f"found at most {players[-1]} players; needed: {FEWEST_PLAYERS}, one who can no longer "
            "win and two to decide between."
        )
    return wanted


def _players(game: Game, file: StudyFile, lineups: Lineups, place: Place) -> list[int]:
    """Return the player counts, ascending; without a list, those that have a line-up."""
    allowed = game.player_counts
    span = f"{allowed[0]} to {allowed[-1]}"
    here = place.at("players")
    wanted = list(allowed) if file.players is None else file.players
    if not wanted:
        raise here.error(f"found []; allowed: player counts from {span}.")
    for index, players in enumerate(wanted):
        if players not in allowed:
            raise here.error(f"found {players}; allowed: {span} for {game.title}.")
        if players in wanted[:index]:
            raise here.error(f"found {players} twice; allowed: each player count once.")
    for kind, index, seats in listed(lineups):
        if len(seats) not in wanted:
            raise place.at("lineups", kind, index).error(
                f"found {show(seats)}, a line-up of {len(seats)}; "
                f"allowed: as many styles as players, here {listing(wanted)}."
            )
    seated = [players for players in sorted(wanted) if count(lineups, players)]
    if file.players is not None and len(seated) < len(wanted):
        empty = listing(players for players in wanted if players not in seated)
        raise here.error(f"found {empty}, for which [lineups] has no line-up; add one in fixed.")
    return seated


def _variant(
    game: Game, base: Variant, changes: Mapping[str, Any], entries: Entries, place: Place
) -> Variant:
    for key, value in changes.items():
        if key in game.rulings_model.model_fields:
            raise place.at(key).error(
                f'unknown key; allowed: {listing(PARTS)}. Did you mean "rulings.{key}"?'
            )
        place.check_keys({key: value}, PARTS)
        if not isinstance(value, Mapping):
            raise place.at(key).error(f"found {show(value)}; allowed: a table.")
    parts: dict[str, Any] = {part: changes.get(part, {}) for part in PARTS}
    known = [*dict.fromkeys([*game.styles(), *entries])]
    for style in parts["styles"]:
        if style not in known:
            raise place.at("styles").unknown("style", style, known)
    components = apply(
        game.components_model, base.components, parts["components"], place.at("components")
    )
    # a style of the whole study may forbid what only this variant takes out of the game
    actions = dict.fromkeys([*game.actions_of(components), *game.actions_of(base.components)])
    styles = resolve(game, change(entries, parts["styles"], place.at("styles")), list(actions))
    return Variant(
        overrides={".".join(key): value for key, value in leaves(changes)},
        rulings=apply(game.rulings_model, base.rulings, parts["rulings"], place.at("rulings")),
        components=components,
        styles={name: styles[name] for name in base.styles},
    )


def _check_size(lineups: Lineups, players: list[int], variants: int, place: Place) -> None:
    cells = variants * sum(count(lineups, n) for n in players)
    if cells > MAX_CELLS:
        raise place.at("lineups").error(
            f"found {cells:,} cells (variant x players x line-up); allowed: {MAX_CELLS:,}. "
            "Name fewer styles in round_robin or tournament."
        )


def _check_rules(game: Game, variant: Variant, players: list[int], place: Place) -> None:
    for n in players:
        try:
            game.check(variant.components, variant.rulings, n)
        except SimError as error:
            raise place.error(f"with {n} players: {str(error).rstrip('.')}.") from None


def _resolved(variant: Variant) -> Table:
    return {
        "rulings": variant.rulings,
        "components": variant.components,
        "styles": {name: _played(style) for name, style in variant.styles.items()},
    }


def _played(style: Style) -> Table:
    """Return what of a style decides how it plays, in one form for one way of playing."""
    played = {
        "weights": {name: w for name, w in sorted(style.weights.items()) if w},
        "temperature": style.temperature,
        "tempo": style.tempo,
        "forbid": sorted(set(style.forbid)),
    }
    return played | ({"search": style.search.model_dump()} if style.search else {})
