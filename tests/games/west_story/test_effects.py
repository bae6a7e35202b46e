"""What spaces and cards do, as text and as objects."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.games.west_story import effects
from sim.games.west_story.effects import (
    COUNTS,
    Effect,
    Term,
    parse_effect,
    parse_end,
    show_effect,
    show_end,
)
from sim.games.west_story.events import GAINS

pytestmark = pytest.mark.uncompiled
NOTHING = Effect(((),))


def one(*terms):
    return Effect((terms,))


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("", NOTHING),
        ("2 hats", one(Term("hats", 2))),
        ("1 cow", one(Term("cows", 1))),
        ("1 coin + 1 hat", one(Term("coins", 1), Term("hats", 1))),
        ("2 coins or 1 vp", Effect(((Term("coins", 2),), (Term("vp", 1),)))),
        (
            "1 coin + 1 hat or 2 cows or 3 vp",
            Effect(((Term("coins", 1), Term("hats", 1)), (Term("cows", 2),), (Term("vp", 3),))),
        ),
        ("discount 2", one(Term("discount", 2))),
        ("fight 3", one(Term("fight", 3))),
        ("free trade", one(Term("free_trade", 1))),
        ("1 vp per animal", one(Term("vp", 1, "animal"))),
        ("1 coin per licence symbol max 4", one(Term("coins", 1, "licence symbol", 1, 4))),
        ("2 hats per 3 discs max 6 + free trade", one(Term("hats", 2, "disc", 3, 6),
                                                      Term("free_trade", 1))),
        ("0 coins", one(Term("coins", 0))),
    ],
)  # fmt: skip
def test_an_effect_is_its_text(text, effect):
    assert parse_effect(text) == effect
    assert show_effect(effect) == text


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("", None),
        ("3 vp", Term("vp", 3)),
        ("1 vp per animal max 4", Term("vp", 1, "animal", 1, 4)),
        ("1 vp per 2 most frequent symbol max 4", Term("vp", 1, "most frequent symbol", 2, 4)),
        ("1 vp per 2 cows", Term("vp", 1, "cow", 2)),
        ("1 vp per 3 production cards", Term("vp", 1, "production card", 3)),
        ("2 vp per symbol set max 4", Term("vp", 2, "symbol set", 1, 4)),
    ],
)
def test_an_end_rule_is_its_text(text, term):
    assert parse_end(text) == term
    assert show_end(term) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  2   Hats ", "2 hats"),
        ("1 coins", "1 coin"),
        ("3 hat", "3 hats"),
        ("2 VP", "2 vp"),
        ("1 coin+1 hat", "1 coin + 1 hat"),
        ("1 vp + 1 cow + 2 hats + 1 coin", "1 coin + 2 hats + 1 cow + 1 vp"),
        ("free trade + 1 coin", "1 coin + free trade"),
        ("1 vp per 1 disc", "1 vp per disc"),
        ("1 vp per discs", "1 vp per disc"),
        ("1 vp per 2 disc", "1 vp per 2 discs"),
        ("1 vp per 2 most frequent symbols", "1 vp per 2 most frequent symbol"),
        ("1 VP\tper Licence  Symbol MAX 3", "1 vp per licence symbol max 3"),
    ],
)
def test_a_text_is_always_shown_alike(text, plain):
    assert show_effect(parse_effect(text)) == plain


def terms(whats=GAINS):
    amounts = st.integers(0, effects.MAX_AMOUNT)
    plain = st.builds(Term, st.sampled_from([w for w in whats if w in effects.GOODS]), amounts)
    counted = st.builds(
        Term,
        st.sampled_from([w for w in whats if w in effects.GOODS]),
        amounts,
        st.sampled_from(list(COUNTS)),
        st.integers(1, effects.MAX_AMOUNT),
        st.none() | st.integers(0, effects.MAX_MOST),
    )
    if "fight" not in whats:
        return plain | counted
    abilities = st.builds(Term, st.sampled_from(effects.NUMBERED), amounts)
    return plain | counted | abilities | st.just(Term("free_trade", 1))


def in_order(some):
    return tuple(sorted(some, key=lambda term: GAINS.index(term.what)))


alternatives = st.lists(terms(), min_size=1, max_size=effects.MAX_TERMS).map(in_order)


@settings(max_examples=100, deadline=None)
@given(st.lists(alternatives, min_size=1, max_size=effects.MAX_ALTERNATIVES))
def test_every_effect_comes_back_from_its_text(some):
    effect = Effect(tuple(some))
    assert parse_effect(show_effect(effect)) == effect


@settings(max_examples=100, deadline=None)
@given(terms(["vp"]))
def test_every_end_rule_comes_back_from_its_text(term):
    assert parse_end(show_end(term)) == term


def test_terms_give_what_the_log_names():
    assert set(GAINS) == {*effects.GOODS, *effects.NUMBERED, "free_trade"}


@pytest.mark.parametrize(
    ("text", "counted", "worth"),
    [
        ("3 vp", 0, 3),
        ("3 vp", 9, 3),
        ("1 vp per animal", 0, 0),
        ("1 vp per animal", 7, 7),
        ("1 vp per 2 cows", 1, 0),
        ("1 vp per 2 cows", 5, 2),
        ("2 vp per villain max 6", 2, 4),
        ("2 vp per villain max 6", 3, 6),
        ("2 vp per villain max 6", 4, 6),
        ("2 vp per symbol set max 3", 2, 3),
        ("3 vp per 2 discs max 4", 3, 3),
        ("1 vp per card max 0", 5, 0),
    ],
)
def test_what_a_term_is_worth(text, counted, worth):
    assert parse_end(text).worth(counted) == worth


TERMS = "N coins, N hats, N cows, N vp, discount N, fight N, free trade"
THINGS = (
    "animal, building, production card, scoring card, card, villain, disc, cow, "
    "most frequent symbol, licence symbol, symbol set"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 hast", 'found "hast"; allowed: coins, hats, cows, vp. Did you mean "hats"?'),
        ("2", "nothing after the number; allowed: coins, hats, cows, vp."),
        ("hats", f'found "hats"; allowed: {TERMS}.'),
        ("-1 coin", f'found "-1 coin"; allowed: {TERMS}.'),
        ("2.5 coins", f'found "2.5 coins"; allowed: {TERMS}.'),
        ("discont 2", f'found "discont 2"; allowed: {TERMS}. Did you mean "discount"?'),
        ("free trad", f'found "free trad"; allowed: {TERMS}. Did you mean "free trade"?'),
        ("free trade 2", f'found "free trade 2"; allowed: {TERMS}. Did you mean "free trade"?'),
        ("discount", 'found "discount"; allowed: "discount N", N a whole number'),
        ("fight 3 max 4", 'found "fight 3 max 4"; allowed: "fight N", N a whole number'),
        ("fight x", 'found "x"; allowed: a whole number from 0 to 20'),
        ("21 coins", 'found "21"; allowed: a whole number from 0 to 20'),
        ("discount 21", 'found "21"; allowed: a whole number from 0 to 20'),
        ("1 vp per 0 discs", 'found "0"; allowed: a whole number from 1 to 20'),
        ("1 vp per 21 discs", 'found "21"; allowed: a whole number from 1 to 20'),
        ("1 vp per disc max 101", 'found "101"; allowed: a whole number from 0 to 100'),
        ("1 vp per disc max", 'found "max"; allowed: "max N" at the end, N a whole number'),
        ("1 vp per disc max 2 x", 'found "max 2 x"; allowed: "max N" at the end, '),
        ("1 vp max 3", 'found "max"; allowed: per, +, or, or nothing more.'),
        ("1 coin and 1 hat", 'found "and"; allowed: per, +, or, or nothing more.'),
        ("1 vp pre disc", 'found "pre"; allowed: per, +, or, or nothing more. Did you mean "per"?'),
        ("1 vp per", f"nothing found to count after per; allowed: {THINGS}."),
        ("1 vp per hat", f'found "hat" to count after per; allowed: {THINGS}.'),
        ("1 vp per 2 disks", f'found "disks" to count after per; allowed: {THINGS}. Did you mean '
         '"discs"?'),
        ("2 hats or", f"a term is missing; allowed: {TERMS}"),
        ("1 coin + + 1 hat", f"a term is missing; allowed: {TERMS}"),
        ("1 coin or 1 hat or 1 cow or 1 vp", "4 alternatives; allowed: at most 3"),
        ("1 vp+1 vp+1 vp+1 vp+1 vp", "5 terms in one alternative; allowed: at most 4"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line(text, message):
    with pytest.raises(ValueError, match=r"^in ") as caught:
        parse_effect(text)
    said = str(caught.value)
    assert said.startswith(f'in "{text}": {message}')
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "found"),
    [("1 coin per animal", "coins"), ("free trade", "free trade"), ("fight 2", "fight")],
)
def test_only_vp_count_at_the_end(text, found):
    with pytest.raises(ValueError, match=f'^in "{text}": found {found}; allowed: vp alone'):
        parse_end(text)


@pytest.mark.parametrize("text", ["1 vp + 1 vp", "1 vp or 2 vp", "vp"])
def test_an_end_rule_is_one_term(text):
    with pytest.raises(ValueError, match=f'^in "{text}"'.replace("+", r"\+")):
        parse_end(text)
