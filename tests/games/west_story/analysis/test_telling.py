"""Findings, figures, tables and the part of the report: of made-up runs, and of made-up rows."""

import nbformat
import polars as pl
import pytest

from sim import metrics
from sim.games.west_story import GAME
from sim.games.west_story.analysis import ANALYSIS, plots, tables, takeaways
from sim.games.west_story.analysis.naming import name_of
from sim.metrics.tidy import SCHEMA
from sim.report import execute, template
from sim.verdicts import BALANCED, UNBALANCED, UNDECIDED
from sim.words import Words, words_of
from tests.games.telling import asks_questions, has_no_holes, is_drawn, is_listed, reads_well
from tests.games.west_story.analysis import made_up

TITLES = {
    "hotel": "Hotel",
    "ranch": "Ranch",
    "bank": "Bank",
    "v7": "V7",
    "fort_worth": "Fort Worth",
}
WORDS = Words(GAME, ("base",), ("all greedy",), ("greedy",))
TABLES = [
    getattr(tables, name)
    for name in (
        *("first_player", "seats", "times_first", "runaway", "ranks", "growth", "certificates"),
        *("holders", "market", "buildings", "sets", "villains", "towns", "spaces", "players"),
        *("lake", "by_lake"),
    )
]
FIGURES = [getattr(plots, name) for name in plots.__all__]
FINDINGS = [getattr(takeaways, name) for name in takeaways.__all__ if name != "tell"]
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def told(run):
    """A run with the rows that a report leads with, and its words."""
    return run, metrics.headline(run, metrics.all_metrics(run)), words_of(run)


def made(*rows, n=1000):
    """Return tidy rows of one series from (players, metric, group, estimate, low, high)."""
    return pl.DataFrame(
        [
            (0, players, "base", "all greedy", metric, group, estimate, low, high, n, "t")
            for players, metric, group, estimate, low, high in rows
        ],
        schema=SCHEMA,
        orient="row",
    )


def row(metric, estimate, half=0.01, players=3, group="all"):
    return players, metric, group, estimate, estimate - half, estimate + half


@pytest.mark.parametrize(
    ("estimate", "half", "verdict", "text"),
    [
        (0.004, 0.01, BALANCED, "less than 2 points either way"),
        (0.05, 0.01, UNBALANCED, "more than 2 points"),
        (0.02, 0.03, UNDECIDED, "beyond chance in 0 of 1 case, and undecided whether"),
        (0.02, 0.01, UNDECIDED, "beyond chance in 1 of 1 case, and undecided whether"),
    ],
)
def test_verdict_on_the_dice_is_earned(estimate, half, verdict, text):
    rows = [
        row("first.win_at_ties", estimate, half),
        row("first.win_per_round", 0.06),
        row("first.win_by_seat", 0.04, group="seat 0"),
        row("first.win_by_seat", -0.04, group="seat 1"),
    ]
    (found,) = takeaways.first_player(made(*rows), WORDS)
    assert found.verdict == verdict
    assert text in found.text
    assert "goes with +6.0 points" in found.text
    assert "most for the 1st: +4.0 with 3 players" in found.text


def test_with_two_players_nothing_is_said_of_the_dice_alone():
    (found,) = takeaways.first_player(made(row("first.win_per_round", 0.06, players=2)), WORDS)
    assert found.verdict == ""
    assert "tie" not in found.text


def test_a_seat_that_is_fair_is_within_chance():
    rows = [
        row("first.win_per_round", 0.06),
        row("first.win_by_seat", 0.01, group="seat 0", half=1),
    ]
    (found,) = takeaways.first_player(made(*rows), WORDS)
    assert "within chance" in found.text


def test_snowball_is_told_for_the_middle_of_the_game():
    rows = [
        row("runaway.leader", 0.3 + 0.06 * number, group=f"round {number}")
        for number in range(1, 11)
    ]
    rows += [
        row("runaway.richest", 0.4, group="round 5"),
        row("runaway.win_per_coin", 0.03, group="round 5"),
        row("runaway.again", 0.6, group="round 5"),
    ]
    (found,) = takeaways.runaway(made(*rows), WORDS)
    assert "wins 60 % with 3 players (fair: 33.3 %)" in found.text
    assert "four games in five from round 9 on" in found.text
    assert "The richest wins 40 % with 3 players" in found.text
    assert "goes with +3.0 with 3 players" in found.text


def test_tables_of_equals_speak_for_snowball():
    words = Words(GAME, ("base",), ("all", "all greedy"), ("greedy", "other"))
    rows = [row(f"runaway.{name}", 0.5, group="round 1") for name in ("leader", "richest")]
    rows += [row(f"runaway.{name}", 0.5, group="round 1") for name in ("win_per_coin", "again")]
    frame = made(*rows)
    pooled = frame.with_columns(lineup=pl.lit("all"), cell=pl.lit(None, pl.UInt16))
    (found,) = takeaways.runaway(pl.concat([pooled, frame]), words)
    assert found.text.startswith("all Greedy: ")
    (found,) = takeaways.runaway(pooled, words)
    assert found.text.startswith("round robin: ")


def test_certificates_are_told_with_gain_and_price():
    rows = [
        row("player.certificate", 0.4),
        row("certificate.gain", 6.0),
        row("certificate.paid", 4.5),
        row("certificate.net", 1.5),
        row("certificate.even", 3.0),
        row("certificate.win_per_certificate", -0.08),
    ]
    (found,) = takeaways.certificates(made(*rows), WORDS)
    assert "+6.0 VP over the printed symbol for 4.5 coins and cows: +1.5" in found.text
    assert f"Holders win {MINUS}8.0 points" in found.text
    (found,) = takeaways.certificates(made(row("player.certificate", 0.0)), WORDS)
    assert found.text == "Nobody buys a certificate with 3 players."
    assert list(takeaways.certificates(made(*rows, n=5), WORDS)) == []


def test_cards_whose_owners_win_are_named_and_no_cause_claimed():
    rows = []
    for card, lift in (("hotel", -0.1), ("ranch", 0.2), ("bank", 0.001)):
        rows += [
            row("market.taken", 0.5, group=f"card {card}"),
            row("market.owners", 0.5, group=f"card {card}"),
            row("market.lift", lift, group=f"card {card}"),
        ]
    (found,) = takeaways.market(made(*rows), WORDS)
    assert f"more with Ranch (+20.0); less with Hotel ({MINUS}10.0)" in found.text
    assert "Holm over 3" in found.text
    assert "observed" in found.text


def types(**values):
    rows = [row("building.score", v, 0.3, group=f"card {name}") for name, v in values.items()]
    rows += [row("building.spread", 0.0, 0.3, group=f"card {name}") for name in values]
    rows += [row("building_set.score.p", 0.001), row("building_set.score.sd", 2.0)]
    rows += [row("building_set.from_mean", 3.0, 0.5, group="hotel+ranch")]
    rows += [row("building_set.from_mean", 0.0, 0.5, group="hotel+bank")]
    rows += [row("building.score.most", 100.0, group="hotel+ranch")]
    return made(*rows, row("building.score.least", 90.0, group="hotel+bank"))


def test_verdict_on_building_types_is_earned():
    (found,) = takeaways.buildings(types(hotel=-4.0, ranch=3.0, bank=0.0), WORDS)
    assert found.verdict == UNBALANCED
    assert found.short == "Building types move scores."
    assert f"up with Ranch (+3.0); down with Hotel ({MINUS}4.0)" in found.text
    assert "the 2 sets are all alike is ruled out at 1 of 1 tables" in found.text
    assert "richest Hotel + Ranch (100 VP a player); poorest Hotel + Bank (90 VP" in found.text
    assert "1 sets are off the mean" in found.text
    (found,) = takeaways.buildings(types(hotel=-0.1, ranch=0.1, bank=0.0), WORDS)
    assert found.verdict == BALANCED
    assert found.short == "No building type moves scores much."


def test_groups_have_names():
    names = {
        "round 3": "Round 3",
        "round 3, rank 2": "Round 3, rank 2",
        "bought in round 5": "Bought in round 5",
        "first 4": "4",
        "first 20": "20 or more",
        "top_1": "Top row, space 1",
        "bottom_6": "Bottom row, space 6",
        "revolver + star": "Revolver + Star",
        "hotel+ranch": "Hotel + Ranch",
        "at fort_worth": "At Fort Worth",
        "v7": "V7",
        "card hotel": "Hotel",
        "vp_towns": "Towns",
        "seat 0": "1st seat",
        "style greedy": "Greedy",
        "certificate": "Certificate",
        "greedy without ranch": "Greedy without Ranch",
        "all": "All",
    }
    assert {group: name_of(group, WORDS) for group in names} == names


@pytest.mark.parametrize("find", FINDINGS, ids=lambda f: f.__name__)
def test_findings_read_well(told, find):
    _, head, words = told
    found = list(find(head, words))
    assert found
    reads_well(found)


def test_a_report_leads_with_some_of_them(told):
    topics = {each.topic for each in ANALYSIS.takeaways(*told)}
    assert topics == {
        *("first player", "snowball", "certificates", "cards", "building types", "the lake"),
    }
    run, head, words = told
    several = Words(words.game, ("a", "b"), words.lineups, words.styles, words.titles)
    topics = {each.topic for each in ANALYSIS.takeaways(run, head, several)}
    assert topics == {"certificates", "cards", "building types"}
    twins = Words(words.game, words.variants, ("all",), words.styles, words.titles)
    assert list(ANALYSIS.takeaways(run, head, twins)) == []


@pytest.mark.parametrize("draw", FIGURES, ids=lambda f: f.__name__)
def test_figures(told, draw):
    _, head, words = told
    found = draw(head, words)
    is_drawn(found)


def test_what_is_too_vague_is_not_drawn():
    clear, vague = row("first.win_per_round", 0.05), row("first.win_at_ties", 0.1, 0.4)
    found = plots.first_player(made(clear, vague), WORDS)
    assert "A round more, at equal seat: +5.0 points" in found.alt
    assert "dice alone" not in found.alt
    assert plots.first_player(made(vague), WORDS) is None


@pytest.mark.parametrize("table", TABLES, ids=lambda f: f.__name__)
def test_tables(told, table):
    _, head, words = told
    is_listed(table(head, words))


def test_only_the_ends_of_many_sets_are_listed():
    rows = [row("building_set.from_mean", v, group=f"hotel+{v}") for v in range(100)]
    listed = tables.sets(made(*rows), WORDS)
    assert len(listed) == 30
    assert {"Hotel + 0", "Hotel + 99"} <= set(listed["Buildings"])
    few = [row("building_set.from_mean", v, group=f"hotel+{v}") for v in range(20)]
    assert len(tables.sets(made(*few), WORDS)) == 20


def test_whether_sets_differ_is_listed():
    (listed,) = tables.set_tests(types(hotel=1.0, ranch=-1.0), WORDS).to_dict("records")
    assert listed["Score: all alike, p"] == "0.001"
    assert listed["Score: true spread between sets"] == "2.00"


def test_nothing_to_tell_where_nothing_ended(monkeypatch, tmp_path):
    run = made_up.play(monkeypatch, tmp_path / "run", {"games": 12, "players": [2]}, cut_off=1.0)
    head, words = metrics.headline(run, metrics.all_metrics(run)), words_of(run)
    for draw in FIGURES:
        assert draw(head, words) is None, draw
    assert list(ANALYSIS.takeaways(run, head, words)) == []
    for table in TABLES:
        has_no_holes(table(head, words))


def test_the_notebook_runs_alone_and_takes_games_cut_off(monkeypatch, tmp_path):
    changes = {"games": 6, "players": [2], "sample": 0.0}
    made_up.play(monkeypatch, tmp_path / "run", changes, cut_off=1.0)
    done = execute(nbformat.read(template(ANALYSIS.notebook), as_version=4), tmp_path / "run")
    texts = str([output for cell in done.cells for output in cell.get("outputs", [])])
    assert "No game ended by the rules, so there is nothing to count." in texts
    assert "The study keeps no rounds (sample = 0)." in texts


def test_the_part_of_the_report():
    asks_questions(ANALYSIS.notebook, GAME)
