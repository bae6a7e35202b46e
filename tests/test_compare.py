"""Variants compared: partners, names, verdicts, edge cases, the command."""

import json
import re

import numpy as np
import pytest
from fakes import Spec, fake_run
from one_row import SEATS, made, printed, row
from scipy import stats

from sim import compare, matters
from sim.errors import SimError
from sim.metrics.clusters import Clusters
from sim.metrics.differences import SCHEMA, differences
from sim.metrics.paired import joint
from sim.plots.comparing import differences as figure
from sim.study import from_dict

# What has no partner


def test_games_that_only_one_variant_has_are_left_out(tmp_path):
    turns = np.arange(20)
    games = {"scores": np.tile(SEATS, (3, 1))[:20], "turns": turns}
    fewer = {"scores": games["scores"][:15], "turns": turns[:15] + 1}
    run = made(tmp_path, {"old": games, "new": fewer})
    found = row(differences(run, ["new"], "old"), "turns.mean")
    assert (found["estimate"], found["n"]) == (1, 15)
    assert found["base"] == pytest.approx(turns[:15].mean())
    notes = compare.compare(run, "new", "old").notes()
    assert any("the first 15 of 20 games" in note for note in notes)
    assert not any("until" in note for note in notes)
    run.study.until = "decided"
    assert "(until)" in compare.compare(run, "new", "old").notes()[-1]


def test_tables_that_one_variant_lacks_are_named(tmp_path):
    specs = [
        Spec(("a",) * n, 40, variant=v) for v, n in (("old", 2), ("old", 3), ("new", 2), ("new", 4))
    ]
    run = fake_run(tmp_path, specs)
    found = compare.compare(run, "new", "old")
    assert set(found.rows["players"]) == {2}
    notes = "\n".join(found.notes())
    assert "new, A | A | A | A, 4 players: left out, as no other variant has that table." in notes
    assert "old, A | A | A, 3 players: left out" in notes


def test_nothing_in_common_is_told(tmp_path, capsys):
    specs = [Spec(("a", "a"), 40, variant="old"), Spec(("a",) * 3, 40, variant="new")]
    found = compare.compare(fake_run(tmp_path, specs), "new", "old")
    assert found.rows.is_empty()
    assert found.findings() == []
    assert len(found.notes()) == 2
    assert "left out" in printed(found, capsys)


def test_a_variant_against_itself_gives_zeros(tmp_path):
    run = fake_run(
        tmp_path, [Spec(("a", "b"), 60, variant="old"), Spec(("a", "b"), 60, variant="new")]
    )
    found = compare.compare(run, "old", "old")
    rows = found.rows
    assert len(rows) > 10
    for column in ("estimate", "low", "high"):
        assert set(rows[column]) == {0.0}
    assert rows["p"].null_count() == len(rows)
    assert set(rows["method"]) == {"same games"}
    assert set(rows["verdict"]) == {matters.SMALL}
    assert figure(rows.to_dicts(), found.words) is None
    heading, said = found.findings()[0]
    assert heading == "old against itself"
    assert said == ["2 players: the same rules and the same luck: nothing differs."]


def test_two_names_for_the_same_rules_give_zeros(rigged_run):
    run = rigged_run(variants={"one": {}, "other": {"rulings": {"rounds": 3}}}, games=20)
    assert set(compare.compare(run).rows["high"]) == {0.0}


# Choosing


def study(*variants):
    data = {"game": "street_art", "players": 2, "lineups": {"mirror": ["greedy"]}}
    return from_dict(data | {"variants": {name: {} for name in variants}}, "mine.toml")


def test_every_variant_is_compared_with_the_first_by_default():
    assert compare.choose(study("a", "b", "c")) == (["b", "c"], "a")
    assert compare.choose(study("a", "b", "c"), ["c"]) == (["c"], "a")
    assert compare.choose(study("a", "b", "c"), ["a"], "c") == (["a"], "c")
    assert compare.choose(study("a", "b", "c"), [], "c") == (["a", "b"], "c")


@pytest.mark.parametrize(
    ("names", "variants", "says"),
    [
        (
            ["hearts6"],
            ("base", "hearts60"),
            'no variant "hearts6"; allowed: base, hearts60. Did you mean "hearts60"?',
        ),
        (["base", "bse"], ("base", "hearts60"), 'mine.toml: variants: there is no variant "bse"'),
        (["base"], ("base", "hearts60"), "name a second one to compare it with"),
        ([], (), 'mine.toml: there is one variant, "base", and nothing to compare it with'),
    ],
)
def test_names_that_make_no_sense_are_one_line(names, variants, says):
    with pytest.raises(SimError) as error:
        compare.choose(study(*variants), names[:1], names[1] if len(names) > 1 else None)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# Verdicts


def test_differences_that_matter_those_that_do_not_and_the_undecided(tmp_path):
    rng = np.random.default_rng(9)
    games = 600
    base = rng.integers(30, 50, games)
    scores = rng.integers(0, 9, (games, 2))
    old = {"scores": scores, "turns": base, "rounds": base, "decisions": base}
    new = {
        "scores": scores,
        "turns": base + 5,
        "rounds": base + (base % 2),
        "decisions": 80 - base + 2,
    }
    run = made(tmp_path, {"old": old, "new": new})
    rows = differences(run, ["new"], "old")
    smallest = 0.05 * np.sqrt((base.astype(float) ** 2).mean())
    found = row(rows, "turns.mean")
    assert found["least"] == pytest.approx(smallest)
    assert (found["estimate"], found["low"], found["high"], found["verdict"]) == (
        5,
        5,
        5,
        "matters",
    )
    found = row(rows, "rounds.mean")
    assert 0 < found["low"] < found["high"] < smallest
    assert found["verdict"] == "small"
    assert found["p_holm"] < 0.001
    found = row(rows, "decisions.mean")
    assert found["low"] < smallest < found["high"]
    assert found["verdict"] == "undecided"
    run.study.matters = {"turns.mean": 6.0, "rounds.mean": 0.1}
    rows = differences(run, ["new"], "old")
    assert row(rows, "turns.mean")["verdict"] == "small"
    assert row(rows, "rounds.mean")["verdict"] == "matters"


def test_smallest_differences_of_each_kind(tmp_path):
    scores = SEATS + 4
    columns = {
        "scores": scores,
        "turns": np.full(8, 40),
        "lead_changes": np.full(8, 1),
        "storms": np.full(8, 20),
    }
    run = made(tmp_path, {"old": columns, "new": columns | {"turns": np.full(8, 41)}})
    run.study.variants["new"].rulings["fines"] = "other"
    rows = differences(run, ["new"], "old")
    size = np.sqrt((scores.astype(float) ** 2).mean(0)).mean()
    least = {
        metric: row(rows, metric)["least"]
        for metric in ("tie_rate", "truncated_share", "turns.mean")
    }
    assert least == {"tie_rate": 0.02, "truncated_share": 0.01, "turns.mean": 2.0}
    assert row(rows, "lead_changes.mean")["least"] == 0.1
    assert row(rows, "detail.storms")["least"] == 1.0
    for metric in ("score.mean", "score_part.mined", "margin.mean"):
        assert row(rows, metric)["least"] == pytest.approx(0.05 * size)


def test_a_family_of_true_zeros_raises_few_alarms():
    """Of 300 comparisons of 20 metrics that do not differ, at most about one in 20 names one."""
    rng = np.random.default_rng(10)
    alarms = 0
    for _ in range(300):
        a, b = (Clusters(rng.normal(size=(1, 20, 200)), np.ones((20, 1))) for _ in "ab")
        gap = joint(["x"], [""] * 20, a, b).gap("x")
        p = 2 * stats.t.sf(np.abs(gap.difference) / np.sqrt(gap.variance), 199)
        alarms += p.min() * len(p) < 0.05  # Holm's first step
    assert alarms <= stats.binom.ppf(0.999, 300, 0.05)


def test_a_study_says_which_differences_matter():
    data = {"game": "street_art", "players": 2, "lineups": {"mirror": ["greedy"]}}
    found = from_dict(data | {"matters": {"turns.mean": 3, "detail": {"rains": 0.5}}})
    assert found.matters == {"turns.mean": 3.0, "detail.rains": 0.5}
    assert found.identity() == from_dict(data).identity()
    for table, says in (
        ({"turns.men": 3}, 'no metric "turns.men"'),
        ({"turns.men": 3}, 'Did you mean "turns.mean"?'),
        ({"seat_share": 0}, "matters.seat_share: found 0; allowed: a number above 0."),
        ({"seat_share": 2}, "matters.seat_share: found 2; allowed for a share: a number below 1"),
        ({"seat_share": True}, "found true; allowed: a number above 0."),
        ({"seat_share": {}}, "found a table; allowed: a number above 0."),
        ({"turns.mean": float("nan")}, "found nan"),
        ({"card.win_held": 1}, "there is no metric"),
    ):
        with pytest.raises(SimError) as error:
            from_dict(data | {"matters": table})
        assert says in str(error.value)


# Edge cases


@pytest.mark.parametrize(
    ("games", "verdict"), [(2, "undecided"), (99, "undecided"), (100, "matters")]
)
def test_a_difference_that_never_varied_needs_some_games(games, verdict, tmp_path, capsys):
    old = {"scores": np.tile(SEATS, (50, 1))[:games], "turns": np.full(games, 20)}
    run = made(tmp_path, {"old": old, "new": old | {"turns": np.full(games, 30)}})
    found = compare.compare(run)
    turns = row(found.rows, "turns.mean")
    assert (turns["estimate"], turns["verdict"]) == (10, verdict)
    assert (turns["low"] is None, turns["p"] is None) == (games < 100, games < 100)
    # nor is it certain that nothing changed
    same = "undecided" if games < 100 else "small"
    assert row(found.rows, "rounds.mean")["verdict"] == same
    assert "Turns" in printed(found, capsys)
    assert figure(found.rows.to_dicts(), found.words) is not None


def test_one_game(tmp_path):
    run = made(tmp_path, {"old": {"scores": SEATS[:1]}, "new": {"scores": SEATS[1:2]}})
    found = compare.compare(run)
    assert row(found.rows, "seat_share", "seat 0")["estimate"] == -1
    assert set(found.rows["verdict"]) == {"unknown"}
    assert set(found.rows["method"]) == {"none"}
    assert found.findings() == [("new against old", ["2 players: too few games to tell."])]
    assert figure(found.rows.to_dicts(), found.words) is not None


def test_all_ties(tmp_path):
    tied = np.full((50, 3), 4)
    run = made(tmp_path, {"old": {"scores": tied}, "new": {"scores": tied + 1}}, players=3)
    rows = differences(run, ["new"], "old")
    found = row(rows, "seat_share", "seat 1")
    assert found["estimate"] == pytest.approx(0)
    # nothing seen to differ is not proof: as with a share of nothing
    assert 0.02 < found["high"] < 0.1
    assert found["verdict"] == "undecided"
    assert row(rows, "tie_rate")["p"] == 1
    assert row(rows, "score.mean")["estimate"] == 1


def test_every_game_cut_short(tmp_path, capsys):
    cut = np.ones(100, bool)
    scores = np.random.default_rng(1).integers(0, 5, (100, 2))
    ended = {"scores": scores, "turns": np.full(100, 20)}
    run = made(
        tmp_path, {"old": ended, "new": ended | {"truncated": cut, "turns": np.full(100, 30)}}
    )
    found = compare.compare(run)
    assert row(found.rows, "truncated_share")["estimate"] == 1
    wins = row(found.rows, "seat_share", "seat 0")
    assert (wins["own"], wins["estimate"], wins["p"], wins["verdict"]) == (
        None,
        None,
        None,
        "unknown",
    )
    assert wins["base"] is not None
    text = found.findings()[0][1][0]
    assert text.startswith("2 players: games cut off 100 points more often; 10 turns longer; ")
    assert "no game of one of them ended by the rules" in text
    assert "cut off" in printed(found, capsys)
    both = made(tmp_path / "both", {name: ended | {"truncated": cut} for name in ("old", "new")})
    both.study.variants["new"].rulings["fines"] = "other"
    rows = differences(both, ["new"], "old")
    assert rows["estimate"].null_count() > 5


def test_one_seat_always_wins(tmp_path):
    first, second = np.tile([5, 1], (40, 1)), np.tile([1, 5], (40, 1))
    found = compare.compare(made(tmp_path, {"old": {"scores": first}, "new": {"scores": second}}))
    share = row(found.rows, "seat_share", "seat 0")
    assert share["estimate"] == -1
    assert share["low"] == -1
    assert -1 < share["high"] < -0.8
    assert share["verdict"] == "matters"
    assert "1st seat 100 points worse off" in found.findings()[0][1][0]


def test_one_seat_always_wins_in_both(tmp_path):
    first = np.tile([5, 1], (400, 1))
    rows = differences(
        made(tmp_path, {"old": {"scores": first}, "new": {"scores": first + 2}}), ["new"], "old"
    )
    share = row(rows, "seat_share", "seat 0")
    assert share["own"] == share["base"] == 1
    assert share["verdict"] == "small"


# The command


STUDY = """
game = "rigged"
players = [2, 3]
games = 120
[lineups]
mirror = ["plain"]
round_robin = ["plain", "pushy"]
[variants.short]
[variants.long]
rulings.rounds = 8
"""


def test_a_comparison_is_a_page_json_and_markdown(main, mine, environment, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])  # the notebook's kernel needs it
    mine(STUDY)
    done = main("compare", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert "long against short, all Plain" in done.stdout
    assert "2 and 3 players: 10 to 15 turns longer" in done.stdout
    folder = tmp_path / "reports" / "rigged" / "mine"
    page = (folder / "compare.html").read_text(encoding="utf-8")
    assert "10 to 15 turns longer" in page
    assert page.count("data:image/png") == 1
    assert not re.search(r"(src|href)=.?https?:", page)
    known = json.loads((folder / "compare.json").read_text(encoding="utf-8"))
    assert (known["variants"], known["against"]) == (["long"], "short")
    assert known["columns"] == list(SCHEMA)
    p_values = [cells[known["columns"].index("p")] for cells in known["rows"]]
    assert known["correction"] == {"method": "Holm", "tests": len(p_values) - p_values.count(None)}
    short = (folder / "compare.md").read_text(encoding="utf-8")
    assert short.startswith("# Rigged Stones: mine: variants compared")
    assert "| Turns |" in short
    assert (folder / "figures" / "compare" / "differences.png").stat().st_size > 10_000


def test_a_wrong_name_is_one_line_before_anything_is_played(main, mine, tmp_path):
    mine(STUDY)
    done = main("compare", "mine.toml", "lnog", "short")
    assert done.returncode == 2
    assert done.stderr == (
        'sim: mine.toml: variants: there is no variant "lnog"; allowed: short, long. '
        'Did you mean "long"?\n'
    )
    assert not (tmp_path / "reports").exists()
