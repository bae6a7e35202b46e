"""What changes do: verdicts, their order, conclusions that flip; of a game whose truth is known."""

import polars as pl
import pytest
from one_row import row

from sim.audit.changes import NUMBER, Change
from sim.audit.conclusions import About, of_run, unfollowed
from sim.audit.effects import NOTHING, Effect, compared, plain, ranked
from sim.audit.journal import Journal
from sim.audit.play import known_as

from .trying import based, ruling, tables_of, tried

pytestmark = pytest.mark.usefixtures("rigged")
MIRROR = "all plain"


def effects(changes, folder, each=3_000, lineup=MIRROR, **study):
    """Return the effects by value, and the rows."""
    found, rows, _ = tried(based(**study), changes, each, folder, lineup)
    return {effect.change.value: effect for effect in found}, rows


def test_known_differences_are_found(tmp_path):
    """Two rounds more are two turns a player more, and stones of 5 on average each."""
    known, rows = effects([ruling("rounds", 5)], tmp_path)
    for players in (2, 3):
        own = rows.filter(players=players)
        turns = row(own, "turns.mean")
        assert (turns["estimate"], turns["low"], turns["high"]) == (2 * players,) * 3
        assert turns["verdict"] == "matters"
        score = row(own, "score.mean")
        assert score["low"] < 10 < score["high"]
        assert row(own, "truncated_share")["verdict"] == NOTHING
    assert known[5].verdict == "matters"
    assert known[5].largest["metric"] == "turns.mean"
    assert known[5].size == pytest.approx(2 / (0.05 * 3))


def test_conclusions_flip_where_both_are_certain(tmp_path):
    changes = [ruling("winner", "seat0"), ruling("winner", "all_tie"), ruling("rounds", 4)]
    known, _ = effects(changes, tmp_path, each=20_000)
    assert known["seat0"].flips == ("seats with 2 and 3 players: balanced to unbalanced",)
    assert known["all_tie"].flips == ()
    assert known[4].flips == ()
    back, _ = effects(
        [ruling("winner", "fair")], tmp_path / "back", 20_000, rulings={"winner": "seat0"}
    )
    assert back["fair"].flips == ("seats with 2 and 3 players: unbalanced to balanced",)


def test_too_few_games_flip_nothing(tmp_path):
    known, _ = effects([ruling("winner", "seat0")], tmp_path, each=50)
    assert known["seat0"].flips == ()
    assert known["seat0"].verdict == "matters"


def test_what_few_games_leave_open_the_studys_run_may_have_settled(tmp_path):
    few = [ruling("winner", "seat0")]
    open_, _ = effects(few, tmp_path, each=50)
    assert open_["seat0"].flips == ()
    base, at = based(), tables_of(based(), 50, MIRROR)
    before = {About("seats", 2, MIRROR): "balanced", About("seats", 3, MIRROR): "undecided"}
    known, _ = compared(base, few, at, Journal(tmp_path, known_as(base)), before)
    assert known[0].flips == ("seats with 2 players: balanced to unbalanced",)


def test_verdicts_of_a_run_are_those_of_its_report(rigged_run):
    run = rigged_run({"winner": "seat0"}, players=(2, 3), variants={"one": {}, "two": {}})
    assert of_run(run, "two") == {
        About("seats", 2, MIRROR): "unbalanced",
        About("seats", 3, MIRROR): "unbalanced",
    }


def test_who_wins_flips(tmp_path):
    """One who adds a thousand stones wins, unless a seat gets a hundred thousand."""
    known, rows = effects([ruling("winner", "seat0")], tmp_path, 2_000, "all")
    # in every seat in turn, both win as often
    assert not any("Pushy" in flip for flip in known["seat0"].flips)
    assert row(rows.filter(players=2), "style_share", "style pushy")["verdict"] == "matters"
    fixed = {"fixed": [["plain", "pushy"], ["plain", "pushy", "pushy"]]}
    known, _ = effects([ruling("winner", "seat0")], tmp_path / "2", 2_000, "*", lineups=fixed)
    assert "Plain with 2 players" in " ".join(known["seat0"].flips)
    assert any("below it to above a fair share" in flip for flip in known["seat0"].flips)


BUDGETS = {
    "turns": {"mean": {"max": 10}},
    "tie_rate": {"max": 0.5},
    "seat_share": {"within": 0.05},
    "spread": {"score": {"mean": {"max": 50}}},
    "rounds": {"p95": {"max": 5}},
}


def test_budgets_flip(tmp_path):
    changes = [ruling("rounds", 4), ruling("winner", "all_tie"), ruling("winner", "seat0")]
    known, _ = effects(changes, tmp_path, 4_000, budgets=BUDGETS)
    assert known[4].flips == ("budget for turns (mean) with 3 players: passed to failed",)
    assert known["all_tie"].flips == (
        "budget for shared wins with 2 and 3 players: passed to failed",
    )
    told = " ".join(known["seat0"].flips)
    assert "budget for win share by seat, 1st seat with 2 and 3 players: passed to failed" in told
    assert "budget for score (mean, spread) with 2 and 3 players: passed to failed" in told
    assert unfollowed(based(budgets=BUDGETS).study.budgets) == ["rounds (95th percentile)"]


def test_a_budget_of_another_variant_is_no_conclusion_here(tmp_path):
    study = {
        "variants": {"one": {}, "two": {}},
        "budgets": {"turns": {"mean": {"max": 8, "variant": "two"}}},
    }
    known, _ = effects([ruling("rounds", 4)], tmp_path, 200, **study)
    assert known[4].flips == ()


def test_games_that_are_all_cut_off(tmp_path):
    known, rows = effects([ruling("truncate_every", 1)], tmp_path, 300)
    assert known[1].verdict == "matters"
    assert known[1].largest["metric"] == "truncated_share"
    wins = rows.filter(pl.col("metric") == "seat_share")
    assert wins["estimate"].null_count() == len(wins)
    back, _ = effects(
        [ruling("truncate_every", 0)], tmp_path / "2", 300, rulings={"truncate_every": 1}
    )
    assert back[0].verdict == "matters"


def test_a_study_names_its_own_smallest_differences(tmp_path):
    known, rows = effects([ruling("rounds", 4)], tmp_path, 300, matters={"turns.mean": 50,
                          "score.mean": 50, "margin.mean": 50})  # fmt: skip
    assert set(rows.filter(pl.col("metric") == "turns.mean")["least"]) == {50.0}
    assert known[4].verdict != "matters"


def effect(name, verdict, size, flips=()):
    return Effect(Change(NUMBER, name, "assumed", 1, 2), verdict, flips, None, size, 10)


def test_the_order():
    found = [
        effect("a", "small", 0.9),
        effect("b", "matters", 3.0),
        effect("c", "undecided", 2.0),
        effect("d", "matters", 5.0),
        effect("e", NOTHING, 0.1),
        effect("f", "matters", 1.1, ("seats: balanced to unbalanced",)),
        effect("g", "unknown", 0.0),
    ]
    assert [each.change.key for each in ranked(found)] == list("fdbcaeg")


def test_values_in_words():
    assert plain(True) == "true"
    assert plain(0.1 + 0.2) == "0.3"
    assert plain([1, -2]) == "1, -2"
    assert plain("from_middle") == "from_middle"


def test_a_family_of_changes_that_do_nothing_raises_few_alarms(tmp_path):
    """Thirty changes of luck alone (other seeds would be): none is said to matter."""
    changes = [ruling("nap", n * 1e-9) for n in range(1, 31)]
    known, rows = effects(changes, tmp_path, 100)
    assert {each.verdict for each in known.values()} == {NOTHING}
    assert len(rows) == 30 * (2 + 3 + 2 * 5)
