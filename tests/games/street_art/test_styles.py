"""The players shipped with Street Art, and any player: ties, softmax, restricted play."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from scipy import stats

from sim.games.street_art.rulebook import Played
from sim.players import Style

from ..running import uncompiled
from .moments import told
from .table import COMPONENTS, GAME, Action, Table, changed, played, seat, setup

STYLES = GAME.styles()
RANDOM = STYLES["random"]
OTHERS = [style for name, style in STYLES.items() if name != "random"]
ALL = "juggler fireworks beatboxer rain 2*brass_band"
SURE = 1 - 1e-6
"""Confidence of a check that is made many times and should never fail by chance."""


def shares(styles: list[Style], deals: int, seed: int = 1) -> np.ndarray:
    """Play rotated games; return the first place's win share, averaged over each deal."""
    players = len(styles)
    made = setup(players, styles=styles, rotate=True)
    seats = played(made, deals * players, seed)["seats"]
    mine = seats["win_share"][seats["style"] == 0].reshape(deals, players)
    return mine.mean(axis=1)


def interval(values: np.ndarray) -> tuple[float, float]:
    """Return a t-interval for the mean of independent deals."""
    reach = stats.t.ppf((1 + SURE) / 2, len(values) - 1) * stats.sem(values) + 1e-12
    return float(values.mean() - reach), float(values.mean() + reach)


# Against random players


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("style", OTHERS, ids=lambda style: style.name)
def test_every_style_beats_random_players(style, players):
    low, _ = interval(shares([style, *[RANDOM] * (players - 1)], 1500))
    assert low > 1 / players


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("style", OTHERS, ids=lambda style: style.name)
def test_every_style_beats_random_players_by_far(style, players):
    low, _ = interval(shares([style, *[RANDOM] * (players - 1)], 40_000))
    assert low > 1.6 / players
    _, high = interval(shares([RANDOM, *[style] * (players - 1)], 40_000))
    assert high < 0.7 / players


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", [name for name in STYLES if name != "strong"])
def test_the_strong_style_beats_every_other(name, players):
    other, strong = STYLES[name], STYLES["strong"]
    low, _ = interval(shares([strong, *[other] * (players - 1)], 2000))
    assert low > 1 / players
    _, high = interval(shares([other, *[strong] * (players - 1)], 2000))
    assert high < 1 / players


@pytest.mark.parametrize("players", range(2, 7))
def test_a_style_against_itself_is_exactly_even(players):
    # the rotations of a deal are one and the same game, seen from every place
    assert shares([STYLES["greedy"]] * players, 200) == pytest.approx(1 / players, abs=1e-12)


def test_styles_are_told_apart():
    assert list(STYLES) == [
        "random", "greedy", "thief", "bandleader", "rainmaker", "leader_hunter", "closer",
        "strong",
    ]  # fmt: skip
    assert len({tuple(sorted(style.weights.items())) for style in STYLES.values()}) == len(STYLES)
    assert all(style.description and style.origin for style in STYLES.values())


# What each is about


def test_greedy_takes_the_most_hearts_counting_half_of_what_rivals_lose():
    table = Table(
        seat("juggler rain fireworks street_painter", hearts=1),
        seat(hearts=9, pile="juggler"),
        seat(hearts=9, pile="fire_breather"),
        style=STYLES["greedy"],
    )
    assert table.values() == {
        Action("juggler"): 2 + 1,
        Action("rain"): (2 + 4) / 2,
        Action("fireworks", 0, 1): 2 + 1,
        Action("fireworks", 0, 2): 2 + 1,
        Action("street_painter"): 3,
    }


def test_thief_keeps_a_star_until_it_has_a_twin():
    alone = Table(seat("juggler brass_band"), seat(hearts=5), style=STYLES["thief"])
    assert set(+alone.choices(50)) == {Action("brass_band", 1)}
    twin = Table(seat("juggler brass_band"), seat(hearts=5, pile="juggler"), style=STYLES["thief"])
    assert set(+twin.choices(50)) == {Action("juggler")}


def test_bandleader_waits_and_then_plays_all_brass_bands_at_once():
    style = STYLES["bandleader"]
    few = Table(seat("brass_band juggler beatboxer"), seat(), style=style)
    assert set(+few.choices(50)) == {Action("juggler")}
    many = Table(seat("4*brass_band juggler"), seat(), style=style)
    assert set(+many.choices(50)) == {Action("brass_band", 4)}


@pytest.mark.parametrize(("shown", "rains"), [("brass_band", False), ("fire_breather", True)])
def test_rainmaker_saves_rain_until_it_costs_much(shown, rains):
    rivals = [seat(hearts=9, pile=shown), seat(hearts=9, pile=shown)]
    table = Table(seat("rain juggler"), *rivals, style=STYLES["rainmaker"])
    assert set(+table.choices(50)) == {Action("rain") if rains else Action("juggler")}


def test_leader_hunter_takes_from_the_leader():
    rivals = [seat(hearts=5), seat(hearts=6), seat(hearts=4, pile="fire_breather")]
    table = Table(seat("fireworks fire_breather"), *rivals, style=STYLES["leader_hunter"])
    assert table.values()[Action("fireworks", 0, 2)] == 3 + 2
    assert table.values()[Action("fireworks", 0, 1)] == 3


@pytest.mark.parametrize(("mine", "ends"), [(9, True), (0, False)])
def test_closer_ends_the_game_only_while_ahead(mine, ends):
    table = Table(
        seat("fire_breather rain", hearts=mine), seat(hearts=8), middle=3, style=STYLES["closer"]
    )
    assert set(+table.choices(50)) == {Action("fire_breather") if ends else Action("rain")}


# Ties and softmax


def even(counts: Counter, probability: float = 1e-6) -> bool:
    """Tell whether counts may come from even chances."""
    return stats.chisquare(list(counts.values())).pvalue > probability


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_random_player_plays_every_action_alike(temperature):
    style = Style(name="any", temperature=temperature)
    table = Table(seat(ALL), seat(hearts=1), seat(hearts=5), style=style)
    counts = table.choices(20_000)
    assert len(counts) == 7
    assert even(counts)


def test_ties_among_the_best_are_even_and_nothing_else_is_played():
    style = Style(name="taker", weights={"hearts_from_middle": 1.0})
    table = Table(seat("street_painter living_statue juggler 3*brass_band"), seat(), style=style)
    counts = +table.choices(20_000)
    assert set(counts) == {
        Action("street_painter"),
        Action("living_statue"),
        Action("brass_band", 3),
    }
    assert even(counts)


@pytest.mark.parametrize("temperature", [0.25, 1.0, 4.0])
def test_softmax_draws_in_proportion(temperature):
    style = Style(name="warm", weights={"hearts_from_middle": 1.0}, temperature=temperature)
    table = Table(seat("street_painter juggler 3*brass_band rain"), seat(), style=style)
    values = table.values()
    weight = {action: np.exp(value / temperature) for action, value in values.items()}
    counts = table.choices(50_000)
    expected = [50_000 * weight[action] / sum(weight.values()) for action in counts]
    assert stats.chisquare(list(counts.values()), expected).pvalue > 1e-6


@uncompiled
def test_a_small_temperature_plays_the_best():
    for temperature in (1e-300, 1e-3, 0.01):
        style = Style(name="cool", weights={"hearts_from_middle": 1.0}, temperature=temperature)
        table = Table(seat("fire_breather juggler rain"), seat(), style=style)
        assert set(+table.choices(300)) == {Action("fire_breather")}


def test_a_large_temperature_plays_like_random():
    weights = STYLES["greedy"].weights
    style = Style(name="hot", weights=weights, temperature=1e9)
    assert even(Table(seat(ALL), seat(hearts=5), style=style).choices(20_000))
    for players in (2, 4):
        low, high = interval(shares([style, *[RANDOM] * (players - 1)], 3000))
        assert low <= 1 / players <= high


def test_strength_falls_with_temperature():
    weights = STYLES["greedy"].weights
    found = [
        shares([Style(name="t", weights=weights, temperature=t), RANDOM, RANDOM], 3000).mean()
        for t in (0.0, 1.0, 3.0, 10.0, 1e6)
    ]
    assert found == sorted(found, reverse=True)
    cold = Style(name="t", weights=weights, temperature=1e-6)
    same = shares([cold, RANDOM, RANDOM], 3000).mean()
    assert same == pytest.approx(found[0], abs=0.02)


def test_values_too_large_for_exp_do_no_harm():
    style = Style(name="loud", weights={"middle_left": 1e9, "rain_kept": -1e9}, temperature=1e-300)
    tables = played(setup(3, styles=[style]), 200)
    assert not np.isnan(tables["seats"]["win_share"][~tables["seats"]["truncated"]]).any()


# Restricted play


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("temperature", [0.0, 2.0])
def test_a_forbidden_card_is_played_only_when_nothing_else_is_legal(players, temperature):
    weights = STYLES["greedy"].weights
    dry = Style(name="dry", weights=weights, temperature=temperature, forbid=["rain"])
    # so many Rains that a hand may hold nothing else
    made = setup(players, styles=[dry], components=changed("specials.copies.rain", 60))
    forced = chosen = 0
    for game in range(30):
        replay = told(made, game).replay
        for state, turn in zip(replay.states, replay.events[1:-1], strict=False):
            hand = set(state.players[turn.seat].hand)
            rained = turn.acts[0].card == "rain"
            assert rained == (hand == {"rain"})
            forced += rained
            chosen += not rained
    assert forced
    assert chosen


@pytest.mark.parametrize("ruling", ["instead", "in_addition"])
@pytest.mark.parametrize("card", GAME.actions)
def test_each_card_can_be_forbidden(card, ruling):
    style = STYLES["greedy"].model_copy(update={"forbid": [card]})
    made = setup(3, styles=[style], brass_band=ruling)
    for game in range(15):
        replay = told(made, game).replay
        for state, turn in zip(replay.states, replay.events[1:-1], strict=False):
            cards = [act.card for act in turn.acts if isinstance(act, Played)]
            assert card not in cards or set(state.players[turn.seat].hand) == {card}


def test_forbidding_what_never_comes_changes_nothing():
    components = changed("specials.copies.rain", 0)
    style = STYLES["thief"].model_copy(update={"forbid": ["rain"]})
    one = played(setup(4, styles=[STYLES["thief"]], components=components), 300)
    other = played(setup(4, styles=[style], components=components), 300)
    for name in one:
        assert one[name].tobytes() == other[name].tobytes()


def test_tempo_means_nothing_in_a_game_of_turns():
    slow = [style.model_copy(update={"tempo": 1.7}) for style in STYLES.values()][:4]
    one = played(setup(4, styles=[*STYLES.values()][:4], rotate=True), 400)
    other = played(setup(4, styles=slow, rotate=True), 400)
    for name in one:
        assert one[name].tobytes() == other[name].tobytes()


# Relabelling


def relabelled() -> dict:
    """Return the components with the stars in another order."""
    cards = COMPONENTS["stars"]["cards"]
    return changed("stars.cards", dict(sorted(cards.items(), key=lambda card: card[0][::-1])))


def test_relabelling_gives_the_cards_other_codes():
    assert setup(2, components=relabelled()).kinds[4:] != setup(2).kinds[4:]
    assert sorted(setup(2, components=relabelled()).kinds) == sorted(setup(2).kinds)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("style", STYLES.values(), ids=lambda style: style.name)
def test_relabelling_the_cards_moves_nothing_but_chance(style, players):
    games = 30_000
    one = setup(players, styles=[style])
    other = setup(players, styles=[style], components=relabelled())
    first, second = played(one, games, seed=1), played(other, games, seed=2)
    for name in ("win_share", "score", "lost_to_theft", "lost_to_rain"):
        for p in range(players):
            a, b = (t["seats"][name][t["seats"]["seat"] == p] for t in (first, second))
            assert same_mean(a, b), (name, p)
    for name in ("turns", "lead_changes", "decisions", "thefts"):
        assert alike(first["games"][name], second["games"][name])
    for column in ("held", "played", "hearts", "played_by_winners"):
        assert per_game(first["cards"], one.kinds, column) == pytest.approx(
            per_game(second["cards"], other.kinds, column), rel=0.03
        )


def same_mean(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell by Welch's test whether two samples may have one mean."""
    if one.std() == other.std() == 0:
        return bool(one[0] == other[0])
    return bool(stats.ttest_ind(one, other, equal_var=False).pvalue > 1e-6)


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell by chi-square whether two samples of small numbers may have one distribution."""
    top = int(max(one.max(), other.max())) + 1
    table = np.array([np.bincount(sample, minlength=top) for sample in (one, other)])
    table = table[:, table.sum(axis=0) >= 20]
    return table.shape[1] < 2 or stats.chi2_contingency(table).pvalue > 1e-6


def per_game(cards: np.ndarray, kinds: tuple[str, ...], column: str) -> dict[str, float]:
    """Return a column of the cards table by card, over all seats, a game."""
    total = defaultdict(float)
    for record in cards:
        total[kinds[record["card"]]] += float(record[column])
    games = float(cards["games"][0])
    # a card of no heart (Rain) has 0 in every game; one is added so that it has a size
    return {kind: 1 + value / games for kind, value in total.items()}


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_stars_that_are_equal_but_for_the_name_fare_alike(temperature):
    """Breakdancer, BMX Artist and Juggler are one card with three names; so are the threes."""
    style = STYLES["thief"].model_copy(update={"temperature": temperature})
    made = setup(4, styles=[style])
    cards = played(made, 100_000)["cards"]
    kinds = list(made.kinds)
    for group in (
        ("breakdancer", "bmx_artist", "juggler"),
        ("street_painter", "cyr_wheel_acrobat", "living_statue"),
    ):
        for column in ("held", "played", "played_by_winners"):
            sums = [cards[column][cards["card"] == kinds.index(card)].sum() for card in group]
            assert max(sums) - min(sums) < 12 * max(sums) ** 0.5, column


def test_no_card_is_preferred_for_its_code():
    """Equal stars in one hand are played alike, whichever comes first in the component file."""
    table = Table(seat("breakdancer bmx_artist juggler"), seat(), style=STYLES["greedy"])
    assert even(table.choices(20_000))
