"""The plain rulebook: its cards, the actions it allows, and play on a table laid by hand."""

import pytest

from sim.games.street_art.rulebook import (
    Action,
    Player,
    Rules,
    Table,
    conservation,
    end_of_the_game,
    legal_actions,
    ranking,
    take_turn,
    unheard,
)

from .logs import COMPONENTS, RULINGS, small_deck


def table(*players, middle=20, turn=0, draw_pile=(), components=COMPONENTS, **rulings):
    """Lay out a table: each player is (hearts, hand, visible card or None, turn of play)."""
    return Table(
        rules=Rules.read(components, RULINGS | rulings),
        players=[
            Player(owned, list(hand), [shown] if shown else [], played_on)
            for owned, hand, shown, played_on in players
        ],
        draw_pile=list(draw_pile),
        middle=middle,
        shuffle=lambda cards, occasion: sorted(cards),
        witness=unheard,
        turn=turn,
    )


def test_cards_of_the_rulebook():
    rules = Rules.read(COMPONENTS, RULINGS)
    stars = {card.title: (card.copies, card.hearts) for card in rules.cards.values() if card.hearts}
    assert stars == {
        "Breakdancer": (4, 2),
        "BMX Artist": (4, 2),
        "Juggler": (4, 2),
        "Fire Breather": (4, 4),
        "Street Painter": (5, 3),
        "Cyr Wheel Acrobat": (5, 3),
        "Living Statue": (5, 3),
    }
    specials = {card.title: card.copies for card in rules.cards.values() if not card.is_star}
    assert specials == {"Beatboxer": 7, "Fireworks": 8, "Brass Band": 12, "Rain": 2}
    assert sum(card.copies for card in rules.cards.values()) == 60


# Legal actions


def test_actions_are_distinct_by_effect():
    hand = ["juggler", "brass_band", "juggler", "brass_band", "rain"]
    assert set(legal_actions(table((0, hand, None, -1), (3, [], None, -1)), 0)) == {
        Action("juggler"),
        Action("rain"),
        Action("brass_band", 1),
        Action("brass_band", 2),
    }


def test_fireworks_is_an_action_for_each_rich_player():
    players = [(2, [], None, -1), (0, [], None, -1), (9, ["fireworks"] * 2, None, -1)]
    assert legal_actions(table(*players, (1, [], None, -1)), 2) == [
        Action("fireworks", 0, 0),
        Action("fireworks", 0, 3),
    ]
    assert legal_actions(table(players[1], (9, ["fireworks"], None, -1)), 1) == [
        Action("fireworks")
    ]


def test_brass_bands_in_addition_multiply_the_actions():
    hand = ["brass_band", "brass_band", "fireworks", "juggler"]
    laid = table(
        (0, hand, None, -1), (1, [], None, -1), (1, [], None, -1), brass_band="in_addition"
    )
    actions = legal_actions(laid, 0)
    assert len(actions) == len(set(actions)) == 2 + 3 + 2 * 3
    assert Action("juggler", 2) in actions
    assert Action("fireworks", 1, 2) in actions
    assert Action("brass_band", 0) not in actions


def test_nothing_to_play_with_an_empty_hand():
    assert legal_actions(table((0, [], None, -1), (0, ["rain"], None, -1)), 0) == []


# Playing on a table


def test_acts_on_a_table_change_only_what_they_should():
    laid = table(
        (5, ["living_statue"], "juggler", 4),
        (2, ["rain"], "living_statue", 3),
        (6, [], "living_statue", 2),
        turn=6,
        draw_pile=["rain", "beatboxer"],
        components=small_deck(1, living_statue=3, rain=2, juggler=1, beatboxer=1),
    )
    take_turn(laid, Action("living_statue"))
    assert [player.hearts for player in laid.players] == [7, 0, 6]
    assert laid.players[0].hand == ["beatboxer"]
    assert laid.players[0].played_on == 6
    assert (laid.turn, laid.seat, laid.middle, laid.box) == (7, 1, 20, 0)
    take_turn(laid, Action("rain"))
    assert [player.hearts for player in laid.players] == [4, 0, 3]
    assert laid.box == 6
    assert laid.draw_pile == ["juggler", "living_statue", "living_statue", "living_statue", "rain"]
    assert laid.players[1].hand == ["rain"]
    assert end_of_the_game(laid) is None


def test_conservation_is_watched():
    cards = small_deck(1, juggler=2)
    laid = table((10, ["juggler"], None, -1), (6, ["juggler"], None, -1), components=cards)
    assert conservation(laid) is None
    laid.players[0].hearts += 1
    assert "37 hearts" in conservation(laid)
    laid.players[0].hearts -= 1
    laid.players[0].hand.append("rain")
    assert "1 x Rain, not 0" in conservation(laid)


@pytest.mark.parametrize(
    ("owned", "ranks"),
    [
        ([3, 5], [2, 1]),
        ([4, 4], [1, 1]),
        ([7, 2, 7, 1], [1, 3, 1, 4]),
        ([0, 2, 2, 2, 9], [5, 2, 2, 2, 1]),
        ([1] * 6, [1] * 6),
    ],
)
def test_ranks(owned, ranks):
    assert ranking(table(*[(amount, [], None, -1) for amount in owned])) == ranks
