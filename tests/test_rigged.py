"""From study to report with a game whose outcome is known, and which is not Street Art."""

import json

import polars as pl
import pytest
from runs import everything

from sim import metrics, simulate, study, takeaways
from sim.errors import SimError
from sim.games.data import GAME_COLUMNS, SEAT_COLUMNS
from sim.games.game import Game, RuleBroken
from sim.watch import watch

KEYS = ["cell", "players", "variant", "lineup", "metric", "group", "estimate"]
BOTH = {"mirror": ["plain", "pushy"], "round_robin": ["plain", "pushy"]}


def estimates(frame, metric):
    """Return a metric's estimates, the groups of each cell or pool as a dict."""
    found = {}
    for row in frame.filter(pl.col("metric") == metric).iter_rows(named=True):
        found.setdefault((row["players"], row["lineup"]), {})[row["group"]] = row["estimate"]
    return found


def test_it_is_a_game(rigged):
    assert isinstance(rigged, Game)
    setup = rigged.setup(
        rigged.default_components(), rigged.default_rulings(), [rigged.styles()["plain"]] * 2, False
    )
    tables = rigged.tables_for(setup, 1)
    own = {column.name for column in rigged.game_columns}
    assert set(tables["games"].dtype.names) == own | {column.name for column in GAME_COLUMNS}
    own = {column.name for column in rigged.seat_columns}
    assert set(tables["seats"].dtype.names) == own | {column.name for column in SEAT_COLUMNS}


@pytest.mark.parametrize("seat", range(5))
def test_the_seat_that_always_wins_is_found(rigged_run, seat):
    """At every player count that has the seat, mirrored and rotated."""
    players = [n for n in range(2, 6) if n > seat]
    run = rigged_run({"winner": f"seat{seat}"}, players=players, games=120, lineups=BOTH)
    shares = estimates(run.seats(), "seat_share")
    assert {n for n, _ in shares} == set(players)
    for (n, _), found in shares.items():
        assert found == {f"seat {other}": float(other == seat) for other in range(n)}
    wins = run.scan("seats").filter(pl.col("win_share") > 0).collect()
    assert set(wins["seat"]) == {seat}
    assert set(wins["win_share"]) == {1.0}


@pytest.mark.parametrize("seat", range(3))
def test_the_finding_names_the_seat_that_always_wins(rigged_run, seat):
    run = rigged_run({"winner": f"seat{seat}"}, games=1000)
    told = next(found for found in takeaways.takeaways(run) if found.topic == "seats")
    assert told.verdict == "unbalanced"
    assert f"the {('1st', '2nd', '3rd')[seat]} of 3 wins 100" in told.text.replace("\n", " ")


ROBIN = {"round_robin": ["plain", "pushy"]}


def said(run):
    """Return the texts of a run's findings by topic, and the headline."""
    found = takeaways.takeaways(run)
    return {each.topic: each.text for each in found}, takeaways.headline(found)


def test_few_games_are_not_too_few_for_what_is_glaring(rigged_run):
    texts, short = said(rigged_run({"winner": "seat0"}, players=[2], games=29))
    assert texts["games"] == "29 games at a table: too few to see small differences."
    assert "Not fair by seat with 2 players." in short


def test_a_single_game_is_one_game(rigged_run):
    texts, _ = said(rigged_run(players=[2], games=1))
    assert texts["endings"] == "The only game ended by the rules."


@pytest.mark.parametrize(
    ("every", "told"),
    [
        (
            1,
            "120 games of 120 (100 %) came to no end and were cut off. They count in no win, score "
            "or margin. So nothing can be said about winning.",
        ),
        (
            2,
            "60 games of 120 (50.0 %) came to no end and were cut off. They count in no win, score "
            "or margin. That is so many that what is said about winning is in doubt.",
        ),
    ],
)
def test_games_cut_off_alike_at_every_table(rigged_run, every, told):
    texts, _ = said(rigged_run({"truncate_every": every}, players=[2, 3], games=60))
    assert texts["endings"] == told


def test_the_table_with_most_games_cut_off_is_named(rigged_run):
    variants = {"cut": {"rulings": {"truncate_every": 2}}, "whole": {}}
    texts, _ = said(rigged_run(players=[2], games=60, variants=variants))
    assert "cut off, most often with 2 players (cut): 50.0 % there." in texts["endings"]
    assert "winning there is in doubt" in texts["endings"]


def test_styles_that_win_alike_are_told_alike(rigged_run):
    run = rigged_run({"winner": "all_tie"}, players=[2, 3], games=120, lineups=ROBIN)
    texts, short = said(run)
    assert texts["styles"].startswith(
        "Plain and Pushy win most with 2 and 3 players: 50.0 % and 33.3 % of games each, "
    )
    assert short.startswith("No style wins most beyond chance.")


def test_a_style_that_wins_its_only_line_up_is_not_said_to_win_in_none(rigged_run):
    texts, short = said(rigged_run(players=[2], games=120, lineups=ROBIN))
    assert texts["styles"] == (
        "Pushy wins most with 2 players: 100 % of games, 2.0 times a fair share."
    )
    assert short.startswith("Pushy wins most.")


def test_what_alone_makes_wins_differ_is_named(rigged_run):
    texts, _ = said(rigged_run({"winner": "seat0"}, players=[2], games=120, lineups=ROBIN))
    assert "Of what makes wins differ with 2 players: the seat 100 %" in texts["luck and skill"]


def test_over_many_variants_line_ups_are_counted_in_all(rigged_run):
    rounds = {f"r{number}": {"rulings": {"rounds": number}} for number in range(1, 6)}
    texts, _ = said(rigged_run(players=[2], games=60, lineups=ROBIN, variants=rounds))
    assert "it beats a fair share in 5 of 5 line-ups, interval and all." in texts["styles"]


def test_over_many_variants_nothing_is_best_where_all_tie(rigged_run):
    rounds = {f"r{number}": {"rulings": {"rounds": number}} for number in range(1, 6)}
    run = rigged_run({"winner": "all_tie"}, players=[2], games=60, lineups=ROBIN, variants=rounds)
    texts, _ = said(run)
    assert texts["styles"].startswith("No style beats a fair share in any line-up")


def test_all_tied_is_exactly_one_over_n(rigged_run):
    run = rigged_run({"winner": "all_tie"}, players=range(2, 6), games=1200, lineups=BOTH)
    for (n, _), found in estimates(run.seats(), "seat_share").items():
        assert list(found.values()) == [1 / n] * n
    for (n, _), found in estimates(run.styles(), "style_share").items():
        assert set(found.values()) == {1 / n}
    ties = run.ties()
    assert set(ties.filter(pl.col("metric") == "tie_rate")["estimate"]) == {1.0}
    assert set(ties.filter(pl.col("metric") == "margin.mean")["estimate"]) == {0.0}
    told = next(found for found in takeaways.takeaways(run) if found.topic == "seats")
    assert told.verdict == "balanced"


def test_the_style_that_always_wins_is_found(rigged_run):
    """A thousand stones more win every game, from every seat equally often."""
    run = rigged_run(players=[2, 3], games=120, lineups={"round_robin": ["plain", "pushy"]})
    shares = estimates(run.styles(), "style_share")
    assert shares[2, "plain + pushy"] == {"style plain": 0.0, "style pushy": 1.0}
    assert shares[3, "plain + plain + pushy"] == {"style plain": 0.0, "style pushy": 1.0}
    pair = estimates(run.seats(), "seat_share")[2, "plain + pushy"]
    assert pair == {"seat 0": 0.5, "seat 1": 0.5}


def test_two_who_tie_share_the_win(rigged_run):
    """Handfuls of one stone: all who push tie with each other and beat the rest."""
    lineups = {"fixed": [["pushy", "plain", "pushy", "plain"]]}
    data = {
        "game": "rigged",
        "players": [4],
        "games": 50,
        "lineups": lineups,
        "components": {"bag": {"largest_handful": 1}},
    }
    run = simulate.run(study.from_dict(data), rigged_run({}, games=10).folder.with_name("pair"))
    ((_, found),) = estimates(run.seats(), "seat_share").items()
    assert found == {"seat 0": 0.5, "seat 1": 0.0, "seat 2": 0.5, "seat 3": 0.0}
    parts = run.scores().filter(pl.col("group") == "seat 0")
    means = dict(zip(parts["metric"], parts["estimate"], strict=True))
    assert means["score.mean"] == 1003
    assert means["score_part.luck"] == 3
    assert means["score_part.pushed"] == 1000
    assert means["score_part.rigged"] == 0


def test_all_cut_short(rigged_run):
    """No win, no rank, no verdict; counted aloud; nothing falls over."""
    run = rigged_run({"truncate_every": 1}, players=[2, 3], games=60, lineups=BOTH)
    seats = run.scan("seats").collect()
    assert seats["win_share"].is_null().all()
    assert set(seats["rank"]) == {0}
    frame = metrics.all_metrics(run)
    for metric in ("seat_share", "style_share", "tie_rate", "margin.mean", "score.mean"):
        assert frame.filter(pl.col("metric") == metric)["estimate"].drop_nulls().is_empty()
    assert set(frame.filter(pl.col("metric") == "truncated_share")["estimate"]) == {1.0}
    assert set(frame.filter(pl.col("metric") == "completion_rate")["estimate"]) == {0.0}
    text = " ".join(takeaways.plain_lines(run))
    assert "nan" not in text.lower().split()
    assert "balanced" not in text


def test_some_cut_short(rigged_run):
    """Every fourth game is left out of win shares, and counted."""
    run = rigged_run({"truncate_every": 4, "winner": "seat1"}, games=200)
    shares = run.seats().filter(pl.col("metric") == "seat_share")
    assert shares["estimate"].to_list() == [0.0, 1.0, 0.0]
    assert set(shares["n"]) == {150}
    ends = run.endings()
    assert ends.filter(pl.col("metric") == "truncated_share")["estimate"].item() == 0.25
    reasons = ends.filter(pl.col("metric") == "end_reason")
    assert dict(zip(reasons["group"], reasons["estimate"], strict=True)) == {
        "rounds_played": 0.75,
        "cut_short": 0.25,
    }


@pytest.mark.parametrize("games", [1, 2, 3])
def test_next_to_no_games(rigged_run, games):
    run = rigged_run(players=[2, 5], games=games, lineups=BOTH)
    frame = metrics.all_metrics(run)
    assert not frame["estimate"].is_nan().any()
    assert takeaways.plain_lines(run)


def test_length_is_what_the_rulings_say(rigged_run):
    run = rigged_run({"rounds": 7}, players=[2, 4])
    length = run.length()
    for metric, per in (("turns", 7), ("decisions", 7)):
        for quantile in ("mean", "p05", "p50", "p95", "max"):
            rows = length.filter(pl.col("metric") == f"{metric}.{quantile}")
            assert rows["estimate"].to_list() == [per * n for n in rows["players"]]
    assert set(length.filter(pl.col("metric") == "rounds.p50")["estimate"]) == {7}


def test_a_game_without_cards_has_no_cards(rigged_run):
    run = rigged_run()
    assert set(run.scan("games").collect_schema()) >= {"weather", "game", "bag", "table"}
    assert run.cards().is_empty()
    details = metrics.details(run)
    assert set(details["metric"]) == {"detail.weather"}, "a key is no measure"


def test_every_metric_has_the_tidy_shape(rigged_run):
    run = rigged_run(players=[2, 3], lineups=BOTH, variants={"a": {}, "b": {"rulings.rounds": 5}})
    frame = metrics.all_metrics(run)
    assert frame.columns[: len(KEYS)] == KEYS
    assert frame.columns[len(KEYS) :] == ["low", "high", "n", "method"]
    assert set(frame["variant"]) == {"a", "b"}
    bounded = frame.drop_nulls(["low", "high"])
    assert (bounded["low"] <= bounded["estimate"]).all()
    assert (bounded["estimate"] <= bounded["high"]).all()
    assert (
        not frame.select(pl.struct("cell", "players", "variant", "lineup", "metric", "group"))
        .is_duplicated()
        .any()
    )


@pytest.mark.parametrize(
    "rulings",
    [
        pytest.param({"winner": "seat1"}, marks=pytest.mark.slow),
        pytest.param({"winner": "all_tie"}, marks=pytest.mark.slow),
        {"truncate_every": 1},
    ],
)
def test_report(command, tmp_path, rulings):
    """The whole way, through the command: the page stands, whatever the game does."""
    ((key, value),) = rulings.items()
    (tmp_path / "mine.toml").write_text(
        'title = "Stones & <pebbles>"\ngame = "rigged"\nplayers = [2, 3]\ngames = 200\n'
        '[lineups]\nmirror = ["plain"]\nround_robin = "all"\n'
        f"[rulings]\n{key} = {json.dumps(value)}\n"
    )
    done = command("report", "mine.toml", timeout=600)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "reports" / "rigged" / "mine"
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "summary.json", "summary.md", "figures", "manifest.json"} <= names
    page = (folder / "report.html").read_text()
    assert "Stones &amp; &lt;pebbles&gt;" in page
    assert "<pebbles>" not in page
    assert "Traceback" not in page
    assert "street" not in page.lower()
    assert "hearts" not in page.lower()
    summary = json.loads((folder / "summary.json").read_text(), parse_constant=pytest.fail)
    assert summary
    index = (tmp_path / "reports" / "index.html").read_text()
    assert "rigged/mine/report.html" in index
    if key == "truncate_every":
        assert "unbalanced" not in page


def test_watch(rigged, rigged_run, tmp_path):
    data = {"game": "rigged", "players": [2], "games": 9, "lineups": {"mirror": ["pushy"]}}
    told = watch(study.from_dict(data), 4)
    run = simulate.run(study.from_dict(data), tmp_path / "run")
    lines = list(told.lines())
    assert len(lines) == 2 * 3 + 2
    scores = run.scan("seats").filter(pl.col("game") == 4).collect()["score"].to_list()
    assert lines[-2:] == [f"Seat {i} (pushy): {score} stones." for i, score in enumerate(scores)]
    told.log[0, 3] = 99
    with pytest.raises(RuleBroken, match="seat 0 draws 99"):
        list(told.lines())


def test_a_seat_that_is_not_there(rigged, tmp_path):
    data = {
        "game": "rigged",
        "players": [2, 3],
        "lineups": {"mirror": ["plain"]},
        "rulings": {"winner": "seat2"},
    }
    with pytest.raises(SimError, match=r"with 2 players: .*there is no seat2"):
        study.from_dict(data)
    assert not everything(tmp_path)
