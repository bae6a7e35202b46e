"""Metrics against tables worked by hand, and against plain loops over made-up games."""

import numpy as np
import polars as pl
import pytest
from fakes import CAP, CARDS, Spec, fake_run
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from sim import metrics
from sim.inference import wilson
from sim.metrics import counts as counting

MIXED = (
    Spec(("a", "a"), 30),
    Spec(("a", "b", "b"), 30, rotate=True),
    Spec(("a", "c", "b"), 30, rotate=True),
    Spec(("a", "b"), 25),
    Spec(("b", "a", "c"), 20, variant="harsh"),
)


def value(frame, metric, group="all", **keys):
    """Return the one row that fits, as a dict."""
    rows = frame.filter(pl.col("metric") == metric, pl.col("group") == group)
    for key, wanted in keys.items():
        rows = rows.filter(pl.col(key) == wanted)
    assert len(rows) == 1, (metric, group, keys, rows)
    return rows.row(0, named=True)


def by_game(run, cell):
    """Return the ended games of a cell as (game number, win shares, styles, scores)."""
    rows = run.scan("seats").filter(pl.col("cell") == cell, ~pl.col("truncated")).collect()
    for (game,), seats in rows.group_by(["game"], maintain_order=True):
        columns = (seats[name].to_list() for name in ("win_share", "style", "score"))
        yield game, *columns


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return fake_run(tmp_path_factory.mktemp("mixed"), MIXED)


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory):
    """Four games of three players: a win, a tie of two, a tie of three, a win of the last."""
    points = [(5, 2, 1), (4, 4, 0), (3, 3, 3), (0, 1, 7)]
    return fake_run(
        tmp_path_factory.mktemp("hand"),
        [Spec(("a", "b", "a"), 4)],
        scores=lambda rng, styles, game: np.array(points[game]),
        truncated=0,
    )


def test_every_metric_has_the_tidy_shape(mixed):
    frame = metrics.all_metrics(mixed)
    assert dict(frame.schema) == metrics.SCHEMA
    assert frame.select(["metric", "group", "method", "n"]).null_count().row(0) == (0, 0, 0, 0)
    keys = ["cell", "players", "variant", "lineup", "metric", "group"]
    assert frame.select(keys).is_duplicated().sum() == 0
    known = frame.drop_nulls(["low", "high"])
    slack = 1e-9
    assert (known["low"] <= known["estimate"] + slack).all()
    assert (known["estimate"] <= known["high"] + slack).all()


def test_by_hand_shares(by_hand):
    seats = metrics.seat_share(by_hand)
    third = 1 / 3
    expected = [(1 + 0.5 + third) / 4, (0.5 + third) / 4, (third + 1) / 4]
    assert seats["estimate"].to_list() == pytest.approx(expected, abs=1e-15)
    assert seats["n"].to_list() == [4, 4, 4]
    styles = metrics.style_share(by_hand)
    assert styles["group"].to_list() == ["style a", "style b"]
    a = (1 + 0.5 + 2 * third + 1) / 8
    assert styles["estimate"].to_list() == pytest.approx([a, 1 - 2 * a], abs=1e-15)
    assert styles["n"].to_list() == [8, 4]


def test_by_hand_intervals(by_hand):
    x = np.array([1, 0.5, 1 / 3, 0])
    row = value(metrics.seat_share(by_hand), "seat_share", "seat 0")
    effective = x.mean() * (1 - x.mean()) / (x.var(ddof=1) / 4)
    t = 3.182446305284263
    low, high = wilson(x.mean(), effective, t)
    assert (row["low"], row["high"]) == (pytest.approx(float(low)), pytest.approx(float(high)))
    assert row["method"] == "Wilson, effective n"


def test_by_hand_scores_margins_and_ties(by_hand):
    scores = metrics.scores(by_hand)
    assert value(scores, "score.mean", "seat 0")["estimate"] == 3
    assert value(scores, "score.mean", "all")["estimate"] == pytest.approx(33 / 12)
    assert value(scores, "score.mean", "all")["n"] == 4
    assert value(scores, "score.p50")["estimate"] == 3
    assert value(scores, "score.pmf", "3")["estimate"] == pytest.approx(3 / 12)
    assert value(scores, "winning_score.pmf", "3")["estimate"] == pytest.approx(1 / 4)
    assert value(scores, "winning_score.p05")["estimate"] == 3
    parts = [value(scores, f"score_part.{part}")["estimate"] for part in ("mined", "fined")]
    assert sum(parts) == pytest.approx(33 / 12)
    assert not any("smiles" in metric for metric in scores["metric"])
    ties = metrics.ties(by_hand)
    assert value(ties, "tie_rate")["estimate"] == 0.5
    assert value(ties, "margin.mean")["estimate"] == pytest.approx((3 + 0 + 0 + 6) / 4)
    within = [value(ties, "margin.within", d)["estimate"] for d in ("1", "2", "3", "5", "10")]
    assert within == [0.5, 0.5, 0.75, 0.75, 1.0]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_that_always_wins_is_found(tmp_path, seat):
    run = fake_run(
        tmp_path,
        [Spec(("a",) * 3, 60)],
        scores=lambda rng, styles, game: np.eye(3)[seat] * 4 + 1,
        truncated=0,
    )
    rows = metrics.seat_share(run)
    assert rows["estimate"].to_list() == [float(k == seat) for k in range(3)]
    assert rows["method"].unique().to_list() == ["Wilson"]
    assert rows["high"][seat] == 1
    assert rows["low"][seat] == pytest.approx(60 / (60 + 1.959964**2))
    assert value(metrics.seat_test(run), "seat_test.p")["estimate"] < 1e-20


def test_a_game_that_always_ties_may_yet_do_otherwise(tmp_path):
    run = fake_run(
        tmp_path,
        [Spec(("a", "b", "c"), 60, rotate=True), Spec(("a", "b", "a"), 40)],
        scores=lambda rng, styles, game: np.full(len(styles), 2),
        truncated=0,
    )
    for rows in (metrics.seat_share(run), metrics.style_share(run)):
        assert set(rows["estimate"]) == {1 / 3}
        assert set(rows["method"]) == {"no variance"}
        for row in rows.iter_rows(named=True):
            # the share of 40 games, or of 20 deals, that may go as none of them did
            seen, student = (40, 2.0226909) if row["cell"] == 1 else (20, 2.0930241)
            unseen = wilson(0, seen, student)[1]
            assert row["low"] == pytest.approx(1 / 3 - unseen / 3)
            assert row["high"] == pytest.approx(1 / 3 + unseen * 2 / 3)
    assert value(metrics.ties(run), "tie_rate", cell=1)["estimate"] == 1
    assert metrics.seat_test(run).filter(pl.col("metric") == "seat_test.p")[
        "estimate"
    ].to_list() == [1, 1, 1]


def test_a_style_that_always_wins_is_found_in_every_seat(tmp_path):
    run = fake_run(
        tmp_path,
        [Spec(("a", "b", "c"), 60, rotate=True)],
        scores=lambda rng, styles, game: np.array([style == "b" for style in styles]) * 3,
        truncated=0,
    )
    styles = metrics.style_share(run)
    assert styles["estimate"].to_list() == [0, 1, 0] * 2
    assert styles["low"][1] == pytest.approx(20 / (20 + 2.093024**2))
    seats = metrics.seat_share(run)
    assert seats["estimate"].to_list() == pytest.approx([1 / 3] * 6)
    # every deal gives every seat one win in three: nothing varies
    assert set(seats["method"]) == {"no variance"}


def test_truncated_games_are_left_out_and_counted(mixed):
    endings = metrics.endings(mixed)
    games = mixed.scan("games").collect()
    for cell, rows in enumerate(mixed.plan.cells):
        cut = games.filter(pl.col("cell") == cell)["truncated"]
        found = value(endings, "truncated_share", cell=cell)
        assert found["estimate"] == pytest.approx(cut.mean())
        assert found["n"] == rows.games
        done = value(endings, "completion_rate", cell=cell)
        assert done["estimate"] == pytest.approx(1 - cut.mean())
        assert done["low"] <= done["estimate"] <= done["high"]
        ended = int((~cut).sum())
        assert value(metrics.seat_share(mixed), "seat_share", "seat 0", cell=cell)["n"] == ended
        assert value(metrics.ties(mixed), "tie_rate", cell=cell)["n"] == ended
        assert value(metrics.length(mixed), "turns.max", cell=cell)["n"] == rows.games
    caps = metrics.length(mixed).filter(pl.col("metric") == "turns.max")
    assert caps["estimate"].max() == CAP


def test_seat_shares_follow_plain_loops(mixed):
    shares = metrics.seat_share(mixed)
    for cell in (0, 1, 3):
        found = shares.filter(pl.col("cell") == cell)["estimate"].to_numpy()
        expected = np.mean([wins for _, wins, _, _ in by_game(mixed, cell)], axis=0)
        assert np.allclose(found, expected, atol=1e-14)


def test_deals_are_the_clusters_of_rotated_cells(mixed):
    """The share of style b in cell 1, deal by deal, with the ratio estimator written out."""
    wins, weights = {}, {}
    for game, shares, styles, _ in by_game(mixed, 1):
        mine = [share for share, style in zip(shares, styles, strict=True) if style == "b"]
        wins[game // 3] = wins.get(game // 3, 0) + sum(mine)
        weights[game // 3] = weights.get(game // 3, 0) + len(mine)
    y, m = np.array(list(wins.values())), np.array(list(weights.values()))
    share, deals = y.sum() / m.sum(), len(y)
    variance = ((y - share * m) ** 2).sum() / m.sum() ** 2 * deals / (deals - 1)
    row = value(metrics.style_share(mixed), "style_share", "style b", cell=1)
    assert row["estimate"] == pytest.approx(share)
    assert row["n"] == m.sum()
    from scipy.stats import t

    low, high = wilson(share, share * (1 - share) / variance, t.ppf(0.975, deals - 1))
    assert (row["low"], row["high"]) == (pytest.approx(float(low)), pytest.approx(float(high)))
    assert row["method"].endswith("by deal")


def test_pools_add_cells_up_deal_by_deal(mixed):
    """Cells 1 and 2 meet the same deals; a style may sit in both."""
    wins, weights = np.zeros(10), np.zeros(10)
    for cell in (1, 2):
        for game, shares, styles, _ in by_game(mixed, cell):
            for share, style in zip(shares, styles, strict=True):
                wins[game // 3] += share * (style == "a")
                weights[game // 3] += style == "a"
    share = wins.sum() / weights.sum()
    row = value(metrics.style_share(mixed), "style_share", "style a", lineup="all")
    assert row["cell"] is None
    assert row["estimate"] == pytest.approx(share)
    residuals = wins - share * weights
    variance = (residuals**2).sum() / weights.sum() ** 2 * 10 / 9
    effective = share * (1 - share) / variance
    assert row["low"] == pytest.approx(float(wilson(share, effective, 2.262157)[0]), rel=1e-6)


def test_means_follow_plain_loops(mixed):
    scores = metrics.scores(mixed)
    for cell in range(len(MIXED)):
        points = np.array([points for *_, points in by_game(mixed, cell)])
        mean = value(scores, "score.mean", "all", cell=cell)
        assert mean["estimate"] == pytest.approx(points.mean())
        if not MIXED[cell].rotate:
            half = points.mean(1).std(ddof=1) / np.sqrt(len(points))
            assert mean["high"] - mean["low"] == pytest.approx(2 * 2.1 * half, rel=0.05)
    games = mixed.scan("games").filter(pl.col("cell") == 0, ~pl.col("truncated")).collect()
    storms = value(metrics.details(mixed), "detail.storms", cell=0)
    assert storms["estimate"] == pytest.approx(games["storms"].mean())
    for card in CARDS:
        row = value(metrics.details(mixed), "detail.last_card", card, cell=0)
        assert row["estimate"] == pytest.approx((games["last_card"] == card).mean())
    changes = value(metrics.flow(mixed), "lead_changes.mean", cell=0)
    assert changes["estimate"] == pytest.approx(games["lead_changes"].mean())


def test_quantiles_and_distributions_follow_the_games(mixed):
    length = metrics.length(mixed)
    games = mixed.scan("games").collect()
    for cell in range(len(MIXED)):
        turns = games.filter(pl.col("cell") == cell)["turns"].to_numpy()
        for percent in (5, 25, 50, 75, 95):
            row = value(length, f"turns.p{percent:02d}", cell=cell)
            expected = np.sort(turns)[-(-percent * len(turns) // 100) - 1]
            assert row["estimate"] == expected
    pmf = length.filter(pl.col("metric") == "turns.pmf")
    # round-robin cells speak through their pool
    assert pmf["cell"].unique().sort().to_list() == [None, 0, 3, 4]
    sums = pmf.group_by("cell", "variant", "players").agg(pl.col("estimate").sum())
    assert sums["estimate"].to_list() == pytest.approx([1.0] * 4)


def test_headline_is_pools_and_cells_outside_them(mixed):
    frame = metrics.headline(mixed, metrics.seat_share(mixed))
    assert frame["cell"].unique().sort().to_list() == [None, 0, 3, 4]
    assert frame.filter(pl.col("cell").is_null())["lineup"].unique().to_list() == [metrics.POOLED]


def test_even_a_single_round_robin_cell_has_a_pool(tmp_path):
    """So that a study reads alike for numbers of players with one line-up and with many."""
    run = fake_run(tmp_path, [Spec(("a", "b"), 20, rotate=True)])
    shares = metrics.style_share(run)
    assert shares["lineup"].to_list() == ["all", "all", "a + b", "a + b"]
    assert metrics.headline(run, shares)["lineup"].to_list() == ["all", "all"]
    columns = ["group", "estimate", "low", "high", "n", "method"]
    assert shares[:2].select(columns).equals(shares[2:].select(columns))


def test_cards_follow_the_table(mixed):
    cards = metrics.cards(mixed)
    table = mixed.scan("cards").filter(pl.col("cell") == 0).collect()
    for card in CARDS:
        own = table.filter(pl.col("card") == card).sum()
        games = own["games"][0] / 2
        group = f"card {card}"
        played = value(cards, "card.played_per_game", group, cell=0)
        assert played["estimate"] == pytest.approx(own["played"][0] / games)
        assert played["n"] == games
        held = own["wins_held"][0] / own["games_held"][0]
        assert value(cards, "card.win_held", group, cell=0)["estimate"] == pytest.approx(held)
        rest = (own["wins"][0] - own["wins_held"][0]) / (own["games"][0] - own["games_held"][0])
        lift = value(cards, "card.held_lift", group, cell=0)
        assert lift["estimate"] == pytest.approx(held - rest)
        assert lift["low"] < lift["estimate"] < lift["high"]
        assert value(cards, "card.luck_per_play", group, cell=0)["estimate"] == 2
    both = value(cards, "card.played_by_style", "style b, card joker", cell=3)
    own = mixed.scan("cards").filter(pl.col("cell") == 3).collect()
    own = own.filter(pl.col("style") == "b", pl.col("card") == "joker")
    assert both["estimate"] == pytest.approx(own["played"][0] / own["games"][0])


def test_a_game_without_cards_has_no_card_metrics(tmp_path):
    run = fake_run(tmp_path, [Spec(("a", "b"), 8)], cards=False)
    assert metrics.cards(run).is_empty()
    assert not metrics.all_metrics(run).is_empty()


def test_only_truncated_games_leave_lengths_and_no_shares(tmp_path):
    run = fake_run(tmp_path, [Spec(("a", "b"), 8, rotate=True)], truncated=1)
    frame = metrics.all_metrics(run)
    for row in metrics.seat_share(run).iter_rows(named=True):
        assert (row["estimate"], row["low"], row["n"], row["method"]) == (None, None, 0, "none")
    assert value(frame, "turns.p50", lineup="all")["estimate"] == CAP
    assert value(frame, "truncated_share", lineup="all")["estimate"] == 1


def test_one_game_gives_estimates_without_intervals(tmp_path):
    run = fake_run(tmp_path, [Spec(("a", "b"), 1)], truncated=0)
    frame = metrics.all_metrics(run)
    seats = frame.filter(pl.col("metric") == "seat_share")
    assert seats["estimate"].sum() == 1
    assert seats["low"].null_count() == 2
    assert set(seats["method"]) == {"none"}


def test_wide_values_are_counted_in_steps(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "MOST_VALUES", 20)
    run = fake_run(
        tmp_path,
        [Spec(("a", "b"), 40)],
        scores=lambda rng, styles, game: rng.integers(-1000, 1000, 2),
        truncated=0,
    )
    pmf = metrics.scores(run).filter(pl.col("metric") == "score.pmf")
    assert len(pmf) <= 20
    assert pmf["estimate"].sum() == pytest.approx(1)
    exact = np.mean([points for *_, points in by_game(run, 0)])
    assert value(metrics.scores(run), "score.mean")["estimate"] == pytest.approx(exact)


FRACTIONS = (
    *("lead.wins", "lead.last", "runaway", "uncertainty", "uncertainty.mean", "drama"),
    *("drama.points", "comeback.points", "dead_time", "hopeless", "choice.branching"),
    "act.entropy",
)

specs = st.lists(
    st.builds(
        lambda styles, deals, rotate: Spec(tuple(styles), deals * len(styles), rotate),
        st.lists(st.sampled_from("abc"), min_size=2, max_size=4),
        st.integers(1, 9),
        st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=12, deadline=None)
@given(specs, st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.2, 1.0]))
def test_shares_of_a_game_sum_to_one(tmp_path_factory, specs, seed, truncated):
    run = fake_run(tmp_path_factory.mktemp("any"), specs, seed, truncated=truncated)
    seats = metrics.seat_share(run).filter(pl.col("n") > 0)
    sums = seats.group_by("cell", "players", "lineup").agg(pl.col("estimate").sum())
    assert sums["estimate"].to_list() == pytest.approx([1.0] * len(sums))
    styles = metrics.style_share(run).filter(pl.col("n") > 0, pl.col("cell").is_not_null())
    for (_,), rows in styles.group_by(["cell"]):
        games = rows["n"].sum() / rows["players"][0]
        assert (rows["estimate"] * rows["n"]).sum() == pytest.approx(games)
    frame = metrics.all_metrics(run)
    assert dict(frame.schema) == metrics.SCHEMA


@settings(max_examples=15, deadline=None)
@given(specs, st.integers(0, 2**32 - 1), st.integers(4, 40))
def test_shards_do_not_move_a_number(tmp_path_factory, specs, seed, size):
    first = fake_run(tmp_path_factory.mktemp("a"), specs, seed)
    other = first.__class__.__new__(first.__class__)
    other.__dict__ |= first.__dict__ | {"folder": tmp_path_factory.mktemp("b"), "shards": []}
    other.game = type(first.game)()
    other.game.shard_games = size
    for cell in range(len(specs)):
        tables = {
            table: first.scan(table).filter(pl.col("cell") == cell).collect()
            for table in ("games", "seats", "cards")
        }
        long = {
            table: first.scan(table).filter(pl.col("cell") == cell).collect()
            for table in ("standings", "acts")
        }
        other.add(cell, **tables, long=long)
    one, two = metrics.all_metrics(first), metrics.all_metrics(other)
    # chances to win are no whole numbers: their sums have a rounding of their own
    fractions = pl.col("metric").is_in(FRACTIONS)
    assert one.filter(~fractions).equals(two.filter(~fractions))
    assert_frame_equal(one, two, rel_tol=1e-9)
