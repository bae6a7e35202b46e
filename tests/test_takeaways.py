import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from fakes import Spec, fake_run
from studies import shapes

from sim import metrics
from sim.takeaways import Takeaway, headline, plain_lines, takeaways
from sim.takeaways.merging import merged
from sim.takeaways.playing import cards, lengths
from sim.takeaways.setting import _each, fact_name, variants
from sim.takeaways.winning import styles
from sim.words import Words, words_of


def told(run, topic):
    """Return the findings on a topic."""
    return [found for found in takeaways(run) if found.topic == topic]


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return dict(shapes(tmp_path_factory.mktemp("shapes")))


def test_every_study_is_told_in_words(many):
    for name, run in many.items():
        found = takeaways(run)
        assert found, name
        assert {"endings", "assumed"} <= {each.topic for each in found}
        for each in found:
            assert each.text.endswith("."), each.text
            words = re.sub(r"\b\w+(\.\w+)+ = ", "", each.text)
            assert not re.search(r"[a-z]_[a-z]|\b(None|nan|null|inf)\b", words), each.text
            assert "  " not in each.text
        assert headline(found) or name == "mirrors in variants"
        assert all(len(line) <= 98 for line in plain_lines(run))


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_that_always_wins_is_said_so(tmp_path, seat):
    run = fake_run(
        tmp_path,
        [Spec(("alpha",) * 4, 120, lineup="all alpha")],
        scores=lambda rng, styles, game: np.eye(4)[seat] * 3,
        truncated=0,
    )
    (found,) = told(run, "seats")
    assert found.verdict == "unbalanced"
    name = ("1st", "2nd", "3rd", "4th")[seat]
    assert f"the {name} of 4 wins 100 % (fair: 25 %)" in found.text
    assert headline(takeaways(run)) == "Not fair by seat with 4 players."


def test_too_few_games_are_told_first(many):
    first, *_ = takeaways(many["one game"])
    assert (first.topic, first.verdict) == ("games", "")
    assert first.text == "1 game at a table: too few to tell fair from unfair."
    assert takeaways(many["one cell"])[0].topic != "games"


def test_a_game_that_always_ties_is_fair(many):
    (found,) = told(many["all tied"], "seats")
    assert found.verdict == "balanced"
    assert "Fair by seat with 3 players" in found.text
    assert "difference" not in found.text
    assert "100 % of games" in told(many["all tied"], "ties")[0].text


def test_few_games_decide_nothing(many):
    for name in ("one cell", "one game"):
        (found,) = told(many[name], "seats")
        assert found.verdict == "undecided"


def test_truncated_games_are_said_aloud_and_first(many):
    first = takeaways(many["all truncated"])[0]
    assert first.topic == "endings"
    assert first.verdict == "many cut off"
    assert "20 games of 20 (100 %) came to no end" in first.text
    assert not told(many["all truncated"], "seats")


def test_few_truncated_games_come_later(tmp_path):
    run = fake_run(tmp_path, [Spec(("alpha", "alpha"), 400)], truncated=0.004)
    found = takeaways(run)
    assert found[0].topic == "seats"
    (ended,) = told(run, "endings")
    assert "cut off" in ended.text
    assert ended.verdict == ""


def test_a_dominant_and_a_hopeless_style_are_named(tmp_path):
    strength = {"alpha": 2, "beta_boy": 1, "gamma": 0}
    pairs = [("alpha", "beta_boy"), ("alpha", "gamma"), ("beta_boy", "gamma")]
    run = fake_run(
        tmp_path,
        [Spec(pair, 80, rotate=True) for pair in pairs],
        scores=lambda rng, styles, game: np.array([strength[style] for style in styles]),
        truncated=0,
    )
    (found,) = told(run, "styles")
    assert found.verdict == "dominant style"
    assert "Alpha wins most with 2 players: 100 % of games, 2.0 times a fair share." in found.text
    assert "Alpha is dominant" in found.text
    assert "Gamma never pays" in found.text
    assert found.short == "Alpha is a dominant style."


def test_styles_that_cannot_be_told_apart_are_said_so(many):
    texts = " ".join(found.text for found in told(many["round robin"], "styles"))
    assert "may be as good" in texts
    assert "No style is dominant" in texts


def test_variants_are_compared_and_series_told_in_one(many):
    run = many["mirrors in variants"]
    assert len(told(run, "variants")) == 1
    assert len(told(run, "seats")) == 1
    assert not told(run, "length")


def test_what_is_assumed_is_named(many):
    (found,) = told(many["mirrors in variants"], "assumed")
    # what variants change is the designer's question, not an assumption
    assert found.text == (
        "No number or ruling that all variants share is assumed. The variants change fines."
    )
    (found,) = told(many["one cell"], "assumed")
    assert "1 number or ruling in use is assumed" in found.text


def test_few_games_say_nothing_of_cards(many):
    for name in ("one game", "one cell", "round robin"):
        for found in told(many[name], "cards"):
            assert "points" not in found.text
    assert not told(many["no cards"], "cards")


def card_rows(lifts, half=0.02, held=500, games=600):
    """Return tidy rows of cards: {name: improvement with 2 players, with 3}."""
    rows = []
    for place, players in enumerate((2, 3)):
        about = (None, players, "base", "all")
        for name, values in lifts.items():
            lift, group = values[place], f"card {name}"
            interval = (lift - half, lift + half, held, "t")
            rows.append((*about, "card.held_lift", group, lift, *interval))
            rows.append((*about, "card.held_per_game", group, 1.0, None, None, games, "count"))
    return pl.DataFrame(rows, schema=metrics.SCHEMA, orient="row")


LIFTS = {"joker": (0.078, 0.198), "mine": (0.1, -0.1), "tax": (-0.1, -0.05), "dud": (0.03, 0.02)}


def test_cards_are_told_with_their_range_and_their_bias(many):
    (found,) = cards(card_rows(LIFTS), words_of(many["one cell"]))
    minus = "\N{MINUS SIGN}"
    assert found.text.startswith(
        "Cards that go with winning at every table: Joker (+7.8 to +19.8 points); with losing: "
        f"Tax ({minus}10.0 to {minus}5.0 points) (from lowest to highest by number of players)."
    )
    assert "no proof of cause" in found.text


@pytest.mark.parametrize("counts", [{"held": 99}, {"held": 1101, "games": 600}])
def test_a_card_seldom_held_or_seldom_not_held_is_not_judged(many, counts):
    (found,) = cards(card_rows(LIFTS, **counts), words_of(many["one cell"]))
    assert found.text == "Too few games to tell which cards go with winning."


def test_cards_are_corrected_for_their_number(many):
    one = {"joker": (0.021, 0.021)}
    rest = {f"dud{number}": (0.001, 0.001) for number in range(9)}
    words = words_of(many["one cell"])
    assert "Joker" in next(cards(card_rows(one), words)).text
    assert "No card" in next(cards(card_rows(one | rest), words)).text


def test_the_games_it_takes_are_said_as_the_study_writes_them(many):
    (found,) = told(many["one game"], "seats")
    assert re.search(r"It takes about games = [0-9]{1,3},000 in the study\b", found.text)


def test_the_fairest_variant_is_named_if_it_is_beyond_chance(tmp_path):
    def scores(rng, styles, game):
        # the second cell's first seat always wins
        return np.array([3, 0]) if next(played) >= 600 else rng.integers(0, 9, 2)

    played = iter(range(1200))
    specs = [Spec(("alpha",) * 2, 600, variant=variant) for variant in ("mild", "harsh")]
    run = fake_run(tmp_path, specs, scores=scores, truncated=0)
    (found,) = told(run, "variants")
    assert found.short.startswith("Mild comes nearest to fair by seat")
    assert headline(takeaways(run)).startswith(found.short)
    assert "harsh 50 points" in found.text


def style_rows(shares):
    """Return tidy rows of style shares: {players: {style: share}}, within 3 points."""
    rows = [
        (None, players, "base", "all", "style_share", f"style {style}", share, *near, 100, "t")
        for players, found in shares.items()
        for style, share in found.items()
        for near in [(share - 0.03, share + 0.03)]
    ]
    return pl.DataFrame(rows, schema=metrics.SCHEMA, orient="row")


def test_rivals_that_are_the_same_are_told_once(many):
    frame = style_rows({2: {"hot": 0.51, "cold": 0.49}, 4: {"hot": 0.26, "cold": 0.24}})
    (found,) = styles(frame, frame, words_of(many["one cell"]))
    assert found.text.count("may be as good") == 1
    assert "With 2 and 4 players Cold may be as good." in found.text


def test_a_single_turn_is_no_turns(many):
    about = (None, 2, "base", "all")
    names = ("turns.p05", "turns.p50", "turns.p95", "rounds.p50")
    rows = [(*about, name, "all", 1.0, None, None, 100, "count") for name in names]
    frame = pl.DataFrame(rows, schema=metrics.SCHEMA, orient="row")
    (found,) = lengths(frame, words_of(many["one cell"]))
    assert found.text.startswith("A typical game lasts 1 turn with 2 players (1 to 1);")


def test_of_many_variants_only_the_extremes_are_named(many):
    names = [f"v{number}" for number in range(9)]
    rows = [
        (None, 2, name, "all", "turns.p50", "all", 20.0 + number, None, None, 100, "count")
        for number, name in enumerate(names)
    ]
    frame = pl.DataFrame(rows, schema=metrics.SCHEMA, orient="row")
    words = replace(words_of(many["one cell"]), variants=tuple(names))
    (found,) = variants(frame, words)
    assert "turns of a typical game: v0 20, v8 28." in found.text
    assert found.short == "Games last 28 turns with v8 against 20 with v0."


def test_facts_are_named_for_people():
    keys = ("rulings.game_end", "components.seats.most", "seats.fewest")
    assert [fact_name(key) for key in keys] == ["game end", "most players", "fewest players"]


def alike(text, topic="seats", verdict="", short=""):
    return Takeaway(topic, verdict, text, short)


@pytest.mark.parametrize(
    ("lineups", "texts", "told"),
    [
        (("m",), ["one: Fair.", "two: Fair.", "new: Not."], ["one and two: Fair.", "new: Not."]),
        (("m", "n"), ["one, m: Fair.", "new, m: Fair."], ["one and new, m: Fair."]),
        (("m", "n"), ["one, m: Fair.", "one, n: Fair."], ["one, m and n: Fair."]),
        (("m", "n"), ["one, m: Fair.", "two, n: Fair."], ["one, m; two, n: Fair."]),
        (("m",), ["Fair.", "Fair."], ["Fair.", "Fair."]),
    ],
)
def test_what_reads_alike_of_several_series_is_said_once(lineups, texts, told):
    words = Words(game=None, variants=("one", "two", "new"), lineups=lineups, styles=())
    assert [each.text for each in merged(map(alike, texts), words)] == told


def test_findings_with_other_verdicts_or_topics_stay_apart():
    words = Words(game=None, variants=("one", "two"), lineups=("m",), styles=())
    found = [
        alike("one: So.", short="S."),
        alike("two: So.", verdict="fair"),
        alike("two: So.", "x"),
    ]
    assert merged(found, words) == found


def test_variants_that_have_the_same_are_named_together(many):
    words = replace(words_of(many["one cell"]), variants=("one", "two", "new"))
    assert _each({"one": "5", "two": "5", "new": "6"}, words) == "one and two 5, new 6"
    assert _each({"one": "5", "two": "5"}, words) == "5 in all variants"
