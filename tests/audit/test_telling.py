"""What an audit says: sentences, tables, the chart."""

import re

import pytest
from games.telling import is_drawn, is_listed, reads_well

from sim import audit as auditing
from sim import simulate
from sim.audit import listing
from sim.audit.changes import NUMBER, RULING, Change
from sim.audit.naming import instead, names_of, value_text
from sim.audit.onegame import Fault
from sim.audit.page import as_markdown
from sim.plots.tornado import tornado
from sim.study import from_dict
from sim.takeaways.auditing import bound, findings, how, takeaways
from sim.words import words_of

DATA = {
    "game": "rigged",
    "players": [2, 3],
    "games": 60,
    "lineups": {"mirror": ["plain"], "round_robin": ["plain", "pushy"]},
    "rulings": {"rounds": 4},
    "components": {"bag": {"largest_handful": 8}},
}


@pytest.fixture
def made(rigged, tmp_path):
    """Return a function that plays a study and audits it: the audit, the run, its words."""

    def audit(changes=None, **asked):
        study = from_dict(DATA | (changes or {}), name="stones")
        run = simulate.run(study, tmp_path / "run")
        asked = {"games": 20, "play": 300, "lineup": "plain"} | asked
        found = auditing.audit(study, run.folder, **asked)
        return found, run, words_of(run)

    return audit


def test_all_of_it_reads_well(made):
    found, run, words = made(morris=True, trajectories=3, lineup=None)
    told = takeaways(found, run, words)
    assert [each.topic for each in told] == ["referee", "rulings", "numbers", "screening"]
    reads_well(told)
    for sentence in how(found, run, words):
        assert sentence.endswith(".")
        assert not re.search(r"nan|None|_", sentence)
    for part in (RULING, NUMBER):
        is_listed(listing.ranking(found, part, words))
        is_listed(listing.differences(found, part, words))
        is_drawn(tornado(found, part, words))
        for heading, sentences in findings(found, part, words):
            assert "(now " in heading
            assert all(sentence.endswith(".") for sentence in sentences)
    is_listed(listing.screening(found, words))
    is_listed(listing.refereed(found, run, words))
    is_listed(listing.untried(found, words, NUMBER))
    assert "| Rounds |" in as_markdown(found, run, words, told)


def test_what_matters_is_named_with_what_it_does(made):
    found, run, words = made(only=("rulings",))
    (told,) = takeaways(found, run, words)
    assert told.text.startswith("Of 3 rulings tried (4 other values), 3 matter: Winner (")
    assert "Rounds (3: 2 to 3 turns shorter)" in told.text
    assert "Truncate every (1: games cut off 100 points more often)" in told.text
    assert told.verdict == "matters"
    assert told.short == "3 of 3 rulings matter: Winner, Truncate every and Rounds."
    heading, sentences = findings(found, RULING, words)[-1]
    assert heading == "Rounds: 3 (now 4)"
    assert sentences[0].startswith("2 and 3 players: 2 to 3 turns shorter; scores 4.")


def test_nothing_hangs_on_a_thing_that_does_nothing(made):
    study = {"rulings": {}, "components": {}}
    found, run, words = made(study, only=("numbers",), play=2_000)
    (told,) = takeaways(found, run, words)
    # winner is a text, and truncate_every can but go up
    assert "Truncate every (1: games cut off 100 points more often)" in told.text
    assert "1 other fact of that grade is no number." in told.text
    assert len(found.of(NUMBER)) == 1
    left = listing.untried(found, words, NUMBER).to_dict("records")
    assert {"Number": "Truncate every", "Not tried": "less"}.items() <= left[-1].items()


def test_small_and_undecided_changes_are_told_apart(made):
    study = {"matters": {"turns.mean": 99, "score.mean": 99, "margin.mean": 99}}
    found, run, words = made(study, only=("numbers",), play=300)
    (told,) = takeaways(found, run, words)
    assert "Undecided: " in told.text
    assert re.search(r"about --play [\d,]+ would decide half of that", told.text)
    study["matters"] |= {"seat_share": 0.2, "tie_rate": 0.2}
    found, run, words = made(study, only=("numbers",), play=1_000)
    verdicts = {row["Number"]: row["Verdict"] for row in
                listing.ranking(found, NUMBER, words).to_dict("records")}  # fmt: skip
    assert verdicts["Rounds"] == "small"


def test_a_study_in_which_nothing_can_be_tried(made, monkeypatch, rigged):
    monkeypatch.setattr(type(rigged), "rulings_help", lambda self: [])
    monkeypatch.setattr(type(rigged), "facts", lambda *_: [])
    found, run, words = made()
    referee, rulings, numbers = takeaways(found, run, words)
    assert referee.verdict == "no fault"
    assert rulings.text == "No ruling has another value to try."
    assert numbers.text == "No number that is assumed can be moved."
    assert tornado(found, RULING, words) is None
    assert listing.ranking(found, RULING, words).empty


def test_other_variants_and_line_ups_that_are_left_out_are_named(made):
    lineups = {"mirror": ["plain", "pushy"]}
    variants = {"one": {}, "two": {"rulings": {"rounds": 5}}}
    found, run, words = made({"lineups": lineups, "variants": variants}, only=("rulings",))
    told = " ".join(how(found, run, words))
    assert 'Each change of "one" was tried alone, in 300 games at each table' in told
    assert "Line-ups that were left out (--lineup names others): all Pushy." in told
    assert "Variants that were left out (--variant names another): two." in told


def test_faults_are_told_with_their_cell_game_column_and_command(made):
    found, run, words = made(only=("referee",))
    fault = Fault(1, 7, "seats", "2nd seat", "luck", "5", "6", "the referee")
    broken = Fault(0, 3, "games", "", "act", "as played", "turn 2: steals", "the referee")
    file = Fault(0, None, "seats", "data/x.parquet", "file", "changed", "as it was", "the manifest")
    found.refereed.faults.extend([fault, broken, file])
    found.refereed.faulty.update({0: 1, 1: 1})
    (told,) = takeaways(found, run, words)
    assert told.verdict == "fault"
    assert told.text.startswith("2 of 20 games refereed have a fault")
    assert "Wrong: Luck (1 game) and an act against the rules (1 game)." in told.text
    lines = [listing.sentence(each, run, words) for each in (fault, broken, file)]
    assert lines == [
        "2 players, Plain + Pushy, game 7: Luck, 2nd seat: the run says 5, the referee: 6",
        "2 players, all Plain, game 3: the referee: turn 2: steals",
        "2 players, all Plain: File data/x.parquet: the run says changed, the manifest: as it was",
    ]
    rows = listing.faults(found, run, words).to_dict("records")
    assert rows[0]["See it"].endswith("--cell 1 --game 7")
    assert rows[2]["See it"] == ""


def test_bounds_are_rounded_to_the_safe_side():
    assert bound(0.014867) == "1.5 %"
    assert bound(0.0141) == "1.5 %"
    assert bound(0.015) == "1.5 %"
    assert bound(0.0149, up=False) == "1.4 %"
    assert bound(0.000299) == "0.03 %"
    assert bound(1.0) == "100.0 %"


# Names


class Named:
    """Words that know some titles."""

    titles = {"fort_worth": "Fort Worth", "A": "Side A", "railway": "Railway"}  # noqa: RUF012


def test_numbers_are_named_by_what_they_are_of():
    keys = [
        "rulings.steal_shortfall",
        "components.numbers.hand_size",
        "components.towns.fort_worth.coins",
        "components.values.A.rows.large",
        "components.clock.handling.draw",
        "components.decks.d1.cards.railway",
        "components.decks.d2.cards.railway",
        "components.pan",
    ]
    assert list(names_of(keys, Named).values()) == [
        "Steal shortfall",
        "Hand size",
        "Fort Worth: coins",
        "Side A, rows: large",
        "Draw (clock, handling)",
        "Railway (decks, d1, cards)",
        "Railway (decks, d2, cards)",
        "Pan",
    ]
    twins = names_of(["components.a.fort_worth.coins", "components.b.fort_worth.coins"], Named)
    assert len(set(twins.values())) == 2


def test_values_as_people_write_them():
    assert value_text(True) == "yes"
    assert value_text(-3) == "\N{MINUS SIGN}3"
    assert value_text([0, -1]) == "0, \N{MINUS SIGN}1"
    assert value_text("finish_round") == "finish round"
    assert value_text(["tricorners", "border_wars", "zone_control", "more"]).endswith("...")
    change = Change(RULING, "rulings.brass_band", "assumed", "instead", "in_addition")
    assert instead(change, {change.key: "Brass band"}) == "Brass band: in addition (now instead)"
