"""What a player sees in an action, worked by hand: each feature, the value, and forbidden cards."""

import math

import pytest

from sim.players import Style

from ..running import uncompiled
from .table import COMPONENTS, GAME, Action, Table, changed, seat

NAMES = [feature.name for feature in GAME.features]
ALL = "juggler fireworks beatboxer rain 2*brass_band"
"""A hand with a card of every sort."""


def test_there_are_twelve_and_each_is_explained():
    assert len(NAMES) == len(set(NAMES)) == 12
    assert all(feature.doc for feature in GAME.features)


# Hearts gained and taken


@uncompiled
def test_hearts_from_the_middle():
    table = Table(seat(ALL), seat(hearts=3, pile="beatboxer"), seat(pile="rain beatboxer"))
    assert table.feature("hearts_from_middle") == {
        Action("juggler"): 2,
        Action("fireworks", 0, 1): 0,
        Action("beatboxer"): 3,
        Action("rain"): 0,
        Action("brass_band", 1): 1,
        Action("brass_band", 2): 2,
    }


@uncompiled
def test_hearts_from_a_short_middle():
    table = Table(seat(ALL), seat(pile="beatboxer"), seat(pile="beatboxer"), middle=1)
    found = table.feature("hearts_from_middle")
    assert [found[action] for action in found if action.card not in ("rain", "fireworks")] == [
        1
    ] * 4


@uncompiled
def test_a_theft_takes_nothing_from_the_middle():
    table = Table(seat("fire_breather"), seat(hearts=3, pile="fire_breather"))
    assert table.features("fire_breather")["hearts_from_middle"] == 0
    assert table.features("fire_breather")["hearts_stolen"] == 3


@uncompiled
def test_a_shortfall_that_the_middle_makes_good():
    table = Table(
        seat("fire_breather"),
        seat(hearts=1, pile="fire_breather"),
        middle=2,
        steal_shortfall="from_middle",
    )
    found = table.features("fire_breather")
    assert (found["hearts_stolen"], found["hearts_from_middle"]) == (1, 2)
    assert (found["middle_left"], found["ends_game"], found["ends_ahead"]) == (0, 1, 1)


@uncompiled
def test_hearts_stolen():
    table = Table(
        seat(ALL),
        seat(hearts=1, pile="juggler", since=7),
        seat(hearts=9, pile="juggler", since=5),
        turn=9,
    )
    assert table.feature("hearts_stolen") == {
        Action("juggler"): 1,
        Action("fireworks", 0, 1): 1,
        Action("fireworks", 0, 2): 2,
        Action("beatboxer"): 0,
        Action("rain"): 0,
        Action("brass_band", 1): 0,
        Action("brass_band", 2): 0,
    }


@uncompiled
def test_rivals_lose_to_rain_alone():
    table = Table(
        seat(ALL, hearts=9, pile="fire_breather"),
        seat(hearts=9, pile="beatboxer"),
        seat(hearts=1, pile="beatboxer"),
        seat(hearts=9, pile="street_painter"),
        seat(hearts=1, pile="fireworks"),
        seat(hearts=5),
    )
    found = table.feature("rivals_lose")
    assert found.pop(Action("rain")) == 2 + 1 + 3 + 1 + 0
    assert set(found.values()) == {0}


@uncompiled
def test_rain_covers_the_own_beatboxer():
    table = Table(seat("rain", pile="beatboxer"), seat(hearts=9, pile="beatboxer"))
    assert table.feature("rivals_lose") == {Action("rain"): 1}


# Who is robbed


@uncompiled
@pytest.mark.parametrize(
    ("mine", "first", "second", "expected"),
    [
        (0, 5, 4, (1, 0)),
        (0, 5, 5, (1, 1)),
        (6, 5, 4, (0, 0)),
        (5, 5, 4, (1, 0)),
    ],
)
def test_victim_is_leader_for_fireworks(mine, first, second, expected):
    table = Table(seat("fireworks", hearts=mine), seat(hearts=first), seat(hearts=second))
    found = table.feature("victim_is_leader")
    assert tuple(found[Action("fireworks", 0, victim)] for victim in (1, 2)) == expected


@uncompiled
def test_victim_is_leader_for_a_star():
    robbing = Table(seat("juggler rain"), seat(hearts=5, pile="juggler"), seat(hearts=4))
    assert robbing.feature("victim_is_leader") == {Action("juggler"): 1, Action("rain"): 0}
    second = Table(seat("juggler"), seat(hearts=5, pile="juggler"), seat(hearts=6))
    assert second.feature("victim_is_leader") == {Action("juggler"): 0}
    broke = Table(seat("juggler"), seat(pile="juggler"), seat())
    assert broke.feature("victim_is_leader") == {Action("juggler"): 0}
    nobody = Table(seat("juggler"), seat(hearts=5), seat())
    assert nobody.feature("victim_is_leader") == {Action("juggler"): 0}


# What a new top card risks


@uncompiled
@pytest.mark.parametrize(
    ("mover", "other", "expected"),
    [
        # four copies, one played: three unseen, worth 4 each once its 4 hearts are mine
        (seat("fire_breather"), seat(), 3 * 4),
        (seat("2*fire_breather"), seat(), 2 * 4),
        (seat("fire_breather"), seat(pile="fire_breather rain"), 2 * 4),
        (seat("fire_breather", pile="fire_breather"), seat(pile="fire_breather rain"), 1 * 4),
        (seat("4*fire_breather"), seat(), 0),
        # cards in another hand are unseen
        (seat("fire_breather"), seat("2*fire_breather"), 3 * 4),
        # a theft that brings nothing leaves nothing to take, but for what I own
        (seat("fire_breather"), seat(pile="fire_breather"), 0),
        (seat("fire_breather", hearts=3), seat(pile="fire_breather"), 2 * 3),
        (seat("fire_breather", hearts=3), seat(hearts=2, pile="fire_breather"), 2 * 4),
        (seat("street_painter"), seat(), 4 * 3),
        # Special Cards are not stolen from
        (seat("beatboxer", hearts=9), seat(), 0),
        (seat("brass_band", hearts=9), seat(), 0),
        (seat("rain", hearts=9), seat(), 0),
    ],
)
def test_exposure(mover, other, expected):
    assert [*Table(mover, other).feature("exposure").values()] == [expected]


@uncompiled
def test_exposure_with_brass_bands_before_the_star():
    table = Table(
        seat("fire_breather brass_band"), seat(pile="fire_breather"), brass_band="in_addition"
    )
    assert table.feature("exposure") == {
        Action("fire_breather", 0): 0,
        Action("fire_breather", 1): 2 * 1,
        Action("brass_band", 1): 0,
    }


@uncompiled
def test_exposure_forgets_what_rain_put_back():
    table = Table(seat("rain"), seat("fire_breather"), seat(pile="2*fire_breather rain"))
    table.play("rain")
    table.s["hand"][1] = 0
    table.s["hand"][1, table.kinds.index("fire_breather")] = 1
    assert table.feature("exposure") == {Action("fire_breather"): 3 * 4}


# What stays in the hand


@uncompiled
@pytest.mark.parametrize("brass_band", ["instead", "in_addition"])
def test_what_stays_in_the_hand(brass_band):
    hand = "2*brass_band 2*rain 2*fire_breather juggler"
    table = Table(seat(hand), seat(), brass_band=brass_band)
    names = ("brass_bands_kept", "rain_kept", "best_stars_kept", "stars_kept")
    kept = {action: [] for action in table.actions()}
    for name in names:
        for action, value in table.feature(name).items():
            kept[action].append(value)
    before = range(3) if brass_band == "in_addition" else range(1)
    expected = {Action("brass_band", 1): [1, 2, 2, 3], Action("brass_band", 2): [0, 2, 2, 3]}
    for brass in before:
        expected[Action("rain", brass)] = [2 - brass, 1, 2, 3]
        expected[Action("fire_breather", brass)] = [2 - brass, 2, 1, 2]
        expected[Action("juggler", brass)] = [2 - brass, 2, 2, 2]
    assert kept == expected


@uncompiled
def test_the_best_stars_are_those_of_the_highest_value():
    hand = "fire_breather juggler street_painter"
    raised = changed("stars.cards.juggler.hearts", 4)
    found = Table(seat(hand), seat(), components=raised).feature("best_stars_kept")
    assert found == {
        Action("fire_breather"): 1,
        Action("juggler"): 1,
        Action("street_painter"): 2,
    }
    topped = changed("stars.cards.juggler.hearts", 5)
    found = Table(seat(hand), seat(), components=topped).feature("best_stars_kept")
    assert found == {Action("fire_breather"): 1, Action("juggler"): 0, Action("street_painter"): 1}


# The end in sight


@uncompiled
def test_middle_left():
    table = Table(seat(ALL), seat(hearts=2, pile="juggler"), seat(pile="beatboxer"), middle=2)
    assert table.feature("middle_left") == {
        Action("juggler"): 2,
        Action("fireworks", 0, 1): 2,
        Action("beatboxer"): 0,
        Action("rain"): 2,
        Action("brass_band", 1): 1,
        Action("brass_band", 2): 0,
    }


@uncompiled
@pytest.mark.parametrize(("mover", "ends"), [(0, False), (1, False), (2, True)])
def test_finish_round_ends_with_the_last_seat_only(mover, ends):
    hands = [seat() for _ in range(3)]
    hands[mover] = seat("2*brass_band")
    one = Table(*hands, mover=mover, middle=2, game_end="immediate")
    assert one.feature("ends_game") == {Action("brass_band", 1): 0, Action("brass_band", 2): 1}
    two = Table(*hands, mover=mover, middle=2, game_end="finish_round")
    assert two.feature("ends_game") == {Action("brass_band", 1): 0, Action("brass_band", 2): ends}
    assert two.feature("ends_ahead") == {Action("brass_band", 1): 0, Action("brass_band", 2): ends}


@uncompiled
def test_every_action_of_the_last_seat_ends_a_round_with_an_empty_middle():
    table = Table(
        seat(hearts=5), seat("juggler rain fireworks", hearts=3), mover=1, middle=0,
        game_end="finish_round",
    )  # fmt: skip
    assert set(table.feature("ends_game").values()) == {1}
    assert table.feature("ends_ahead") == {
        Action("juggler"): -1,
        Action("rain"): -1,
        Action("fireworks", 0, 0): 1,
    }


@uncompiled
@pytest.mark.parametrize(("mine", "rival", "ahead"), [(3, 5, 1), (2, 5, -1), (2, 4, 1), (9, 0, 1)])
def test_ends_ahead_counts_the_hearts_just_gained(mine, rival, ahead):
    # the middle holds two more hearts; a tie is ahead: nobody has more
    table = Table(seat("juggler", hearts=mine), seat(hearts=rival), seat(hearts=1), middle=2)
    assert table.feature("ends_game") == {Action("juggler"): 1}
    assert table.feature("ends_ahead") == {Action("juggler"): ahead}


@uncompiled
def test_ends_ahead_counts_what_the_victim_lost():
    table = Table(
        seat(hearts=8, pile="fire_breather"),
        seat(hearts=5),
        seat("fire_breather", hearts=1),
        mover=2,
        middle=0,
        game_end="finish_round",
    )
    assert table.feature("hearts_stolen") == {Action("fire_breather"): 4}
    assert table.feature("ends_ahead") == {Action("fire_breather"): 1}


@uncompiled
@pytest.mark.parametrize(("rival", "ahead"), [(7, 1), (8, -1)])
def test_ends_ahead_counts_what_rain_washed_away(rival, ahead):
    table = Table(
        seat(hearts=rival, pile="street_painter"),
        seat("rain", hearts=4),
        mover=1,
        middle=0,
        game_end="finish_round",
    )
    assert table.feature("ends_ahead") == {Action("rain"): ahead}


@uncompiled
def test_ends_ahead_is_zero_while_the_game_goes_on():
    table = Table(seat(ALL, hearts=9), seat(hearts=1), middle=9)
    assert set(table.feature("ends_ahead").values()) == {0}
    assert set(table.feature("ends_game").values()) == {0}


# Brass Bands beside another card


@uncompiled
def test_features_of_brass_bands_in_addition_add_up():
    table = Table(
        seat("2*brass_band beatboxer fireworks juggler rain"),
        seat(hearts=3, pile="beatboxer"),
        seat(hearts=1, pile="juggler"),
        middle=3,
        brass_band="in_addition",
    )
    found = {action: table.features(*action) for action in table.actions()}

    def of(card, brass, victim=None):
        features = found[Action(card, brass, victim)]
        return [features[name] for name in ("hearts_from_middle", "hearts_stolen", "middle_left")]

    assert of("beatboxer", 0) == [2, 0, 1]
    assert of("beatboxer", 1) == [3, 0, 0]
    assert of("beatboxer", 2) == [3, 0, 0]
    assert of("juggler", 2) == [2, 1, 1]
    assert of("fireworks", 2, 1) == [2, 2, 1]
    assert of("rain", 1) == [1, 0, 2]
    assert found[Action("rain", 2)]["rivals_lose"] == 2
    assert found[Action("beatboxer", 1)]["ends_ahead"] == 1


@uncompiled
def test_brass_bands_leave_less_for_the_star_after_them():
    table = Table(seat("2*brass_band street_painter"), seat(), middle=4, brass_band="in_addition")
    found = table.feature("hearts_from_middle")
    assert [found[Action("street_painter", brass)] for brass in range(3)] == [3, 4, 4]
    found = table.feature("middle_left")
    assert [found[Action("street_painter", brass)] for brass in range(3)] == [1, 0, 0]


# Value and forbidden cards


@uncompiled
@pytest.mark.parametrize("style", GAME.styles().values(), ids=lambda style: style.name)
@pytest.mark.parametrize("ruling", ["instead", "in_addition"])
def test_value_is_weights_times_features(style, ruling):
    table = Table(
        seat(ALL, hearts=2),
        seat(hearts=3, pile="juggler"),
        seat(hearts=4, pile="beatboxer"),
        middle=2,
        style=style,
        brass_band=ruling,
    )
    for action, value in table.values().items():
        features = table.features(*action)
        due = sum(weight * features[name] for name, weight in style.weights.items())
        assert value == pytest.approx(due, abs=1e-12)


@uncompiled
def test_each_weight_counts_alone_and_together():
    table = Table(seat(ALL, hearts=2), seat(hearts=3, pile="juggler"), middle=2)
    weights = {name: 0.25 * 2**i for i, name in enumerate(NAMES)}
    for action, value in table.values(weights).items():
        features = table.features(*action)
        assert value == sum(weights[name] * features[name] for name in NAMES)


@uncompiled
def test_forbidden_cards_are_worth_minus_infinity():
    style = Style(name="dry", weights={"rain_kept": -100}, forbid=["rain", "juggler"])
    table = Table(seat(ALL), seat(hearts=3), style=style)
    values = table.values()
    for action, value in values.items():
        assert (value == -math.inf) == (action.card in ("rain", "juggler"))
    chosen = table.choices(200)
    assert not any(chosen[action] for action in chosen if action.card in ("rain", "juggler"))


@uncompiled
def test_forbidden_brass_bands_are_not_played_beside_a_card_either():
    style = Style(name="quiet", weights={"hearts_from_middle": 1}, forbid=["brass_band"])
    table = Table(seat("2*brass_band juggler"), seat(), style=style, brass_band="in_addition")
    values = table.values()
    assert [action for action, value in values.items() if value > -math.inf] == [Action("juggler")]


@uncompiled
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_forbidden_card_is_played_when_nothing_else_is_legal(temperature):
    style = Style(name="dry", forbid=["rain", "juggler"], temperature=temperature)
    table = Table(seat("2*rain juggler"), seat(), style=style)
    chosen = table.choices(400)
    assert set(chosen) == {Action("rain"), Action("juggler")}
    assert min(chosen.values()) > 140
    alone = Table(seat("2*rain"), seat(), style=style)
    alone.move()
    assert alone.rains == 1


@uncompiled
def test_an_added_star_may_be_forbidden():
    star = {"title": "Ice Dancer", "copies": 3, "hearts": 6}
    more = changed("stars.cards", COMPONENTS["stars"]["cards"] | {"ice_dancer": star})
    style = Style(name="warm", forbid=["ice_dancer"])
    table = Table(seat("ice_dancer juggler"), seat(), style=style, components=more)
    assert table.values()[Action("ice_dancer")] == -math.inf
    assert table.feature("best_stars_kept") == {Action("ice_dancer"): 0, Action("juggler"): 1}
