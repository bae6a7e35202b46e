"""Street Art: a card game of turns for 2 to 6 players; gather the biggest audience."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.errors import SimError
from sim.games import data, searching
from sim.games.game import Analysis, Column, Fact, Replay, Ruling, Tables
from sim.games.street_art import components as parts
from sim.games.street_art import events, vocabulary
from sim.games.street_art.components import Components, Rulings, Setup
from sim.players import Style, forbidden_rows, weight_rows
from sim.sheets import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent


class StreetArt:
    """The Game object of Street Art; see `sim.games.game.Game`."""

    name = "street_art"
    title = "Street Art"
    version = "1"
    summary = (
        "Play one card a turn, gather hearts from the middle, steal from whoever shows a twin."
    )
    score_name = "hearts"
    turn_name = "turn"
    player_counts = range(2, parts.MAX_PLAYERS + 1)
    shard_games = 50_000
    releases_gil = True
    features = vocabulary.FEATURES
    end_reasons = events.END_REASONS
    game_columns = vocabulary.GAME_COLUMNS
    seat_columns = vocabulary.SEAT_COLUMNS
    long_tables: Mapping[str, tuple[Column, ...]] = MappingProxyType(
        {"cards": vocabulary.CARD_COLUMNS, **data.FLOW_TABLES}
    )
    sampled_tables = ("standings", "acts")
    components_model = Components
    rulings_model = Rulings
    components_source = FOLDER / "components.toml"

    @property
    def actions(self) -> tuple[str, ...]:
        """The kinds of card, which a style may forbid."""
        return self.actions_of(self.default_components())

    def actions_of(self, components: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that a style may forbid when these components are in use."""
        return parts.kind_names(Components(**components))

    def default_components(self) -> dict[str, Any]:
        """Return the shipped components as plain data."""
        return data.read_toml(self.components_source)

    def read_table(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Refuse: Street Art reads no CSV components."""
        data.no_table(self.title)

    def default_rulings(self) -> dict[str, Any]:
        """Return every ruling at its default."""
        return Rulings().model_dump()

    def rulings_help(self) -> list[Ruling]:
        """Return the rulings with their values, defaults and meaning."""
        return list(vocabulary.RULINGS)

    def facts(self, components: Mapping[str, Any], rulings: Mapping[str, Any]) -> list[Fact]:
        """Return the numbers and rulings in use with their grades."""
        facts = data.component_facts(components, self.default_components())
        facts += data.ruling_facts(rulings, vocabulary.RULINGS)
        hearts = rulings["hearts"]
        grade = vocabulary.GRADE_OF_HEARTS.get(hearts, "assumed")
        return [
            Fact(fact.key, fact.value, grade, fact.note) if fact.key == "rulings.hearts" else fact
            for fact in facts
        ]

    def styles(self) -> dict[str, Style]:
        """Return the styles shipped with the game, by name."""
        return data.shipped_styles(FOLDER / "styles.toml")

    def title_of(self, code: str) -> str:
        """Return how a report prints a card, column, style or end reason."""
        return data.title_of(code, self.default_components()["stars"]["cards"], TITLES)

    def check(
        self, components: Mapping[str, Any], rulings: Mapping[str, Any], players: int
    ) -> None:
        """Raise SimError when these components cannot be played by so many players."""
        model = Components(**components)
        for name in model.stars.cards:
            if name in events.SPECIALS:
                raise SimError(
                    f'components.stars.cards.{name}: "{name}" is a Special Card; '
                    "a Street Star needs another name"
                )
        seats = model.seats
        if not seats.fewest <= players <= seats.most:
            raise SimError(
                f"players: {players} is outside components.seats, "
                f"which allows {seats.fewest} to {seats.most}"
            )
        deck = int(parts.rules_record(model, Rulings(**rulings), players)[0]["copies"].sum())
        dealt = players * model.numbers.hand_size
        if deck <= dealt:
            raise SimError(
                f"components: {deck} cards are too few for {players} hands of "
                f"{model.numbers.hand_size}; more than {dealt} are needed"
            )
        if deck > parts.MAX_DECK:
            raise SimError(
                f"components: {deck} cards are too many; at most {parts.MAX_DECK} are allowed"
            )

    def setup(
        self,
        components: Mapping[str, Any],
        rulings: Mapping[str, Any],
        styles: Sequence[Style],
        rotate: bool,
        sample: float = 0.0,
    ) -> Setup:
        """Return a cell ready to be played: one style for each place of the line-up."""
        players = len(styles)
        self.check(components, rulings, players)
        model = Components(**components)
        kinds = parts.kind_names(model)
        record = parts.rules_record(model, Rulings(**rulings), players)
        s = record[0]
        s["rotate"] = rotate
        s["every"] = data.sample_every(sample)
        s["weights"][:players, : len(self.features)] = weight_rows(styles, vocabulary.FEATURE_NAMES)
        s["temperature"][:players] = [style.temperature for style in styles]
        s["forbids"][:players, : len(kinds)] = forbidden_rows(styles, kinds)
        searching.prepare(record, styles)
        return Setup(record, kinds, dict(components), dict(rulings), tuple(styles))

    def labels(self, setup: Setup) -> dict[str, tuple[str, ...]]:
        """Return the names behind each coded column, by code; styles are the caller's."""
        return {
            "end_reason": self.end_reasons,
            "final_card": (*setup.kinds, "none"),
            "card": setup.kinds,
            "act": setup.kinds,
        }

    def tables_for(self, setup: Setup, games: int, first: int = 0) -> Tables:
        """Return empty tables with room for so many games, the first of them numbered `first`."""
        players, kinds = setup.players, len(setup.kinds)
        places = players if setup.record[0]["rotate"] else 1
        cards = np.zeros(players * places * kinds, data.dtype_of(vocabulary.CARD_COLUMNS))
        block = np.arange(len(cards)) // kinds
        cards["seat"] = block // places
        cards["style"] = block % places if places > 1 else cards["seat"]
        cards["card"] = np.arange(len(cards)) % kinds
        return {
            "games": np.zeros(games, data.games_dtype(vocabulary.GAME_COLUMNS)),
            "seats": np.zeros(games * players, data.seats_dtype(vocabulary.SEAT_COLUMNS)),
            "cards": cards,
            **data.flow_tables(setup.record, games, first),
        }

    def play(
        self, setup: Setup, seed: int, first: int, count: int, tables: Tables, at: int
    ) -> None:
        """Play games into the tables."""
        if searching.is_wanted(setup.record):
            self.scripted(setup).play(seed, first, count, tables, at)
        else:
            _play(setup.record.copy(), seed, first, count, tables, at)

    def scripted(self, setup: Setup) -> searching.Searching:
        """Return what plays games of a cell again, up to a decision and on from there."""
        return searching.Searching.of(setup, _play, self.tables_for)

    def log(self, setup: Setup, seed: int, game: int) -> np.ndarray:
        """Play one game again and return its event log, int32 [rows, 6]."""
        from sim.games.street_art.play import log_game

        record = setup.record
        if searching.is_wanted(record):
            record = self.scripted(setup).script(seed, game)
        return data.whole_log(
            lambda log: log_game(record.copy(), np.uint64(seed), np.int64(game), log)
        )

    def compiled(self, logging: bool = False) -> bool:
        """Tell whether `play` (or `log`) is compiled already or waits in the disk cache."""
        from sim.compiled import is_compiled
        from sim.games.street_art.play import log_game, play_batch

        return is_compiled(log_game if logging else play_batch)

    def replay(self, setup: Setup, log: np.ndarray) -> Replay:
        """Referee a log; raise `RuleBroken` at the first act that the rulebook does not allow."""
        from sim.games.street_art import referee

        return referee.replay(log, setup.components, setup.rulings, setup.players)

    def narrate(self, setup: Setup, log: np.ndarray, styles: Sequence[str]) -> Iterator[str]:
        """Tell a game move by move; `styles` names the style at each seat."""
        from sim.games.street_art import narrate

        return narrate.narrate(self.replay(setup, log), styles)

    def picture(
        self, setup: Setup, log: np.ndarray, styles: Sequence[str], turn: int | None = None
    ) -> "Figure":
        """Draw the table after a turn (the last one when None)."""
        from sim.games.street_art import picture

        return picture.picture(self.replay(setup, log), styles, turn)

    def analysis(self) -> Analysis | None:
        """Return None: what holds for every game says it all."""
        return None


def _play(
    record: np.ndarray,
    seed: int,
    first: int,
    count: int,
    tables: Tables,
    at: int,
    log: np.ndarray = searching.NO_LOG,
) -> int:
    """Play games from a record, which takes the last one's decisions; tell nothing."""
    from sim.games.street_art.play import play_batch

    play_batch(
        record,
        np.uint64(seed),
        np.int64(first),
        np.int64(count),
        tables["games"],
        tables["seats"],
        tables["cards"],
        tables["standings"],
        tables["acts"],
        np.int64(at),
    )
    return 0


TITLES = {
    column.name: column.title for column in (*vocabulary.GAME_COLUMNS, *vocabulary.SEAT_COLUMNS)
}
TITLES |= {name: name.replace("_", " ").title() for name in events.SPECIALS}
TITLES |= {"middle_empty": "Middle empty", "turn_cap": "Turn cap reached", "none": "None"}

GAME = StreetArt()
