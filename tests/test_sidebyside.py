"""What a comparison says: sentences, tables that fit, the figure."""

import pytest
from fakes import FakeRun, Spec
from one_row import printed, row

from sim import compare, sidebyside
from sim.plots.comparing import differences as figure
from sim.takeaways.comparing import differences as sentences
from sim.words import words_of


def rigged(rigged_run, **how):
    variants = {"short": {"rulings": {"rounds": 3}}, "long": {"rulings": {"rounds": 8}}}
    return rigged_run(variants=variants, **({"players": (2, 3)} | how))


def test_a_known_difference_is_found_and_told(rigged_run):
    """A round is a turn for each seat: 5 rounds more are 10 or 15 turns."""
    found = compare.compare(rigged(rigged_run))
    for players in (2, 3):
        turns = row(found.rows, "turns.mean", players=players)
        assert turns["low"] == turns["estimate"] == turns["high"] == 5 * players
        assert turns["verdict"] == "matters"
    heading, said = found.findings()[0]
    assert heading == "long against short"
    assert said[0].startswith("2 and 3 players: 10 to 15 turns longer; ")
    backwards = compare.compare(found.run, "short", "long")
    assert backwards.findings()[0][1][0].startswith("2 and 3 players: 10 to 15 turns shorter; ")


def told(rows):
    """Return the sentences of made-up rows: (players, metric, group, estimate, verdict)."""
    run_words = words_of_fake()
    full = [
        {
            "variant": "new",
            "against": "old",
            "lineup": "a | a",
            "players": players,
            "metric": metric,
            "group": group,
            "estimate": estimate,
            "own": 1.0,
            "base": 1.0,
            "verdict": verdict,
            "method": "t",
        }
        for players, metric, group, estimate, verdict in rows
    ]
    return [f"{each.who}: {each.text}" for each in sentences(full, run_words)]


def words_of_fake():

    specs = [Spec(("a", "a"), 1, variant=v) for v in ("old", "new")]
    return words_of(FakeRun("nowhere", specs))


SMALL = [(2, "seat_share", "seat 0", 0.0, "small"), (3, "seat_share", "seat 0", 0.0, "small")]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], ["2 and 3 players: nothing changed enough to matter."]),
        (
            [
                (2, "turns.mean", "all", 14.2, "matters"),
                (2, "seat_share", "seat 1", 0.021, "matters"),
            ],
            [
                "2 players: 14 turns longer; 2nd seat 2.1 points better off; nothing else changed "
                "enough to matter.",
                "3 players: nothing changed enough to matter.",
            ],
        ),
        (
            [(p, "turns.mean", "all", -1.0, "matters") for p in (2, 3)],
            ["2 and 3 players: 1 turn shorter; nothing else changed enough to matter."],
        ),
        (
            [(2, "score.mean", "all", 1.0, "matters"), (2, "score.mean", "seat 0", 1, "matters")],
            [
                "2 players: scores 1 coin higher; nothing else changed enough to matter.",
                "3 players: nothing changed enough to matter.",
            ],
        ),
        (
            [(p, "score.mean", "seat 0", 1.0, "matters") for p in (2, 3)],
            [
                "2 and 3 players: points pass from some seats or styles to others; nothing else "
                "changed enough to matter."
            ],
        ),
        (
            [
                (2, "detail.storms", "all", 1.0, "matters"),
                (3, "detail.storms", "all", 1.0, "matters"),
            ],
            ["2 and 3 players: changed: Storms; nothing else changed enough to matter."],
        ),
        (
            [(3, "tie_rate", "all", 0.1, "undecided")],
            ["2 and 3 players: nothing for certain; undecided: Shared wins (3 players)."],
        ),
        (
            [(p, "decisions.mean", "all", 1.0, "matters") for p in (2, 3)],
            ["2 and 3 players: 1 more decision; nothing else changed enough to matter."],
        ),
        (
            [(p, "lead_changes.mean", "all", 0.31 * p, "matters") for p in (2, 3)],
            [
                "2 and 3 players: 0.62 to 0.93 more lead changes; nothing else changed enough to "
                "matter."
            ],
        ),
    ],
)
def test_sentences(rows, says):
    assert told([*SMALL, *rows]) == says


def test_the_table_shows_what_matters_and_fits(rigged_run, capsys):
    found = compare.compare(rigged(rigged_run, players=(2, 3, 4, 5)))
    _, rows = found.tables()[0]
    table = sidebyside.matrix(sidebyside.told(rows), found.words)
    assert list(table.columns) == [
        "Difference in",
        *(f"{n} players" for n in (2, 3, 4, 5)),
        "Pairing",
    ]
    turns = table[table["Difference in"] == "Turns"].to_numpy().tolist()
    assert turns == [["Turns", "+10.00 *", "+15.00 *", "+20.00 *", "+25.00 *", ""]]
    text = printed(found, capsys)
    assert max(map(len, text.splitlines())) <= 110
    assert "long against short" in text
    assert "_" not in text.replace("compare.html", "")
    full = sidebyside.full(rows, found.words)
    assert {
        "Players",
        "What",
        "short",
        "long",
        "Difference",
        "Matters from",
        "Verdict",
        "Pairing",
        "p",
    } == set(full.columns)
    assert not full.isna().any(axis=None)


def test_one_number_of_players_gets_both_estimates(rigged_run, capsys):
    lines = printed(compare.compare(rigged(rigged_run, players=(2,))), capsys).splitlines()
    heads = next(line for line in lines if line.startswith("What"))
    assert heads.split() == ["What", "short", "long", "Difference", "Pairing", "p"]
    turns = next(line for line in lines if line.startswith("Turns"))
    assert turns.split() == ["Turns", "6.00", "16.00", "+10.00", "*", "<", "0.001"]


def test_the_figure_shows_every_row_that_matters(rigged_run):
    found = compare.compare(rigged(rigged_run))
    picture = figure(found.rows.to_dicts(), found.words)
    labels = [label.get_text() for label in picture.figure.axes[0].get_yticklabels()]
    assert labels[:2] == ["1st seat wins", "2nd seat wins"]
    assert "Turns" in labels
    assert len(picture.figure.axes) == 2
    assert "long, 2 players, Turns: +10.0" in picture.alt
    width, height = picture.figure.get_size_inches() * picture.figure.dpi
    assert width == 1800
    assert height >= 1012


def test_parts_of_the_score_that_matter_are_named_beside_it():
    rows = [
        (2, "score.mean", "all", 5.0, "matters"),
        (2, "score.mean", "seat 0", 5.0, "matters"),
        (2, "score_part.stolen", "all", 2.0, "matters"),
        (2, "score_part.stolen", "style a", 2.0, "matters"),
    ]
    (text,) = told(rows)
    changed = "also changed: parts of the score (Stolen)"
    assert text.startswith(f"2 players: scores 5 coins higher; {changed}; no game")
