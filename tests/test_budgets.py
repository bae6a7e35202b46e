"""What a study accepts, and what hand-made rows come to by it."""

import json
import math

import numpy as np
import pytest
from made_rows import check, frame, row, study, verdicts

from sim import inference
from sim.budgets import met
from sim.check import FAILED, PASSED, UNDECIDED, judge
from sim.errors import SimError
from sim.study import Study

pytestmark = pytest.mark.usefixtures("rigged")

SEATS = {"seat_share": {"within": 0.02}}


def complaint(budgets, **more):
    with pytest.raises(SimError) as error:
        study(budgets, **more)
    assert "\n" not in str(error.value)
    return str(error.value)


# The table in a study


def test_forms_of_a_budget():
    found = study(
        {
            "seat_share": {"within": 0.02},
            "turns": {"p95": {"max": 60}, "mean": {"min": 5, "max": 50.5, "players": 3}},
            "margin.p50": {"min": 1},
            "style_share": [{"max": 0.6, "players": [2]}, {"change": 0.01, "lineup": "plain"}],
        }
    ).budgets
    names = ["seat_share", "turns.p95", "turns.mean", "margin.p50"]
    assert [each.name for each in found] == [*names, "style_share[0]", "style_share[1]"]
    assert found[0].accepted(2) == (0.48, 0.52)
    assert found[0].accepted(3) == (1 / 3 - 0.02, 1 / 3 + 0.02)
    assert found[1].accepted(2) == (-math.inf, 60)
    assert found[2].accepted(3) == (5, 50.5)
    assert found[3].accepted(3) == (1, math.inf)
    assert [each.players for each in found] == [None, None, [3], None, [2], None]
    # a style's name stands for the table that it plays alone
    assert found[5].lineup == "all plain"
    assert [each.has_range for each in found] == [True] * 5 + [False]


def test_budgets_are_no_part_of_the_identity():
    bare, with_some = study({}), study(SEATS)
    assert bare.identity() == with_some.identity()
    assert bare.resolved() == with_some.resolved()


def test_budgets_are_kept_in_a_manifest():
    found = study(SEATS | {"style_share": [{"max": 0.99}, {"change": 0.2}]})
    again = Study.model_validate_json(json.dumps(found.model_dump(mode="json")))
    assert again == found
    old = found.model_dump(mode="json")
    del old["budgets"]
    assert Study.model_validate_json(json.dumps(old)).budgets == []


MISTAKES = {
    "nothing accepted": ({"tie_rate": {}}, "budgets.tie_rate: nothing is accepted here; needed:"),
    "nothing accepted of a group": (
        {"tie_rate": {"group": "all"}},
        "budgets.tie_rate: nothing is accepted here",
    ),
    "a bare number": ({"tie_rate": 0.05}, "found 0.05; allowed: a table such as { max = 0.6 }"),
    "a bare number below": (
        {"turns": {"p95": 60}},
        "budgets.turns.p95: found 60; allowed: a table such as { max = 60 }",
    ),
    "a misspelt key": ({"tie_rate": {"mx": 1}}, "unknown key; allowed: min, max", '"max"?'),
    "an unknown key": ({"tie_rate": {"max": 0.99, "colour": "red"}}, "budgets.tie_rate.colour: "),
    "a text": ({"tie_rate": {"max": "1"}}, 'budgets.tie_rate.max: found "1"; allowed: a number'),
    "not a number": ({"tie_rate": {"max": math.nan}}, "allowed: a finite number"),
    "no width": ({"seat_share": {"within": 0}}, "allowed: a number above 0"),
    "a change below 0": ({"tie_rate": {"change": -1}}, "allowed: a number of at least 0"),
    "the wrong way round": ({"tie_rate": {"min": 0.3, "max": 0.1}}, "min = 0.3 above max = 0.1"),
    "two ways at once": ({"seat_share": {"within": 0.1, "max": 1}}, "within beside min or max"),
    "no fair value": ({"tie_rate": {"within": 0.1}}, "tie_rate has no fair value; allowed for"),
    "a misspelt fair share": ({"seat_shares": {"within": 0.1}}, 'Did you mean "seat_share"?'),
    "percent of a share": (
        {"tie_rate": {"max": 5}},
        "budgets.tie_rate.max: found 5; allowed: a number from 0 to 1, as tie_rate is a share",
    ),
    "what every share meets": (
        {"seat_share": {"within": 0.5}},
        "within: found 0.5, which accepts every share from 0 to 1 with 2 players; allowed: below",
    ),
    "one for one percent": (
        {"tie_rate": {"max": 1}},
        "tie_rate.max: found 1, which accepts every share from 0 to 1; allowed: max below 1 (1 % ",
    ),
    "no share is below 0": ({"tie_rate": {"min": 0}}, "min: found 0, which accepts every share"),
    "all there is of a share": ({"tie_rate": {"min": 0, "max": 1}}, "max: found 1, which accepts"),
    "points of a share": ({"seat_share": {"within": 2}}, "within: found 2; allowed: a number from"),
    "a share below 0": ({"tie_rate": {"max": -0.1}}, "found -0.1; ", "(never below 0)"),
    "a change in points": ({"kingmaking.share": {"change": 2}}, "change: found 2; allowed: "),
    "a spread in points": ({"spread.seat_share": {"max": 2}}, "as seat_share is a share"),
    "a spread's change": ({"spread.seat_share": {"change": 1}}, "a spread is not compared"),
    "an empty list": ({"seat_share": []}, "budgets.seat_share: found []"),
    "a list of numbers": ({"seat_share": [1]}, "budgets.seat_share[0]: found 1; allowed: a table"),
    "players that are not there": (
        {"tie_rate": {"max": 0.99, "players": [2, 4]}},
        "budgets.tie_rate.players[1]: found 4; in this study: 2, 3",
    ),
    "no players": (
        {"tie_rate": {"max": 0.99, "players": []}},
        "budgets.tie_rate.players: found []",
    ),
    "a misspelt variant": (
        {"tie_rate": {"max": 0.99, "variant": "bse"}},
        'budgets.tie_rate.variant: found "bse"; in this study: base. Did you mean "base"?',
    ),
    "a misspelt line-up": (
        {"tie_rate": {"max": 0.99, "lineup": "all plane"}},
        "in this study: all plain, plain + pushy, all, ",
        'Did you mean "all plain"?',
    ),
    "a line-up of others": (
        {"tie_rate": {"max": 0.99, "lineup": "plain + pushy", "players": 3}},
        "which is no line-up of 3 players; allowed: all plain, ",
    ),
    "the second of several": (
        {"tie_rate": [{"max": 0.99}, {"max": 0.99, "variant": "x"}]},
        "budgets.tie_rate[1].variant: ",
    ),
    "a key of the study": ({"games": 5}, "write games above the first [table]"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_in_budgets(kind):
    budgets, *told = MISTAKES[kind]
    message = complaint(budgets)
    assert message.startswith("mine.toml: budgets.")
    for part in told:
        assert part in message


def test_budgets_that_are_no_table():
    assert "mine.toml: budgets: found 3; allowed: a table." in complaint(3)


# Which rows a budget is about

ROWS = [
    row("seat_share", "seat 0"),
    row("seat_share", "seat 1"),
    row("seat_share", "seat 0", cell=1, lineup="plain + pushy", head=False),
    row("seat_share", "seat 0", cell=None, lineup="all"),
    row("seat_share", "seat 0", cell=2, players=3),
    row("end_reason", "cut_short", seen=False),
    row("end_reason", "rounds_played"),
    row("score.mean", "seat 0"),
    row("score.mean", "seat 1"),
    row("score.mean", "style plain"),
    row("score.mean", "all"),
    row("made", "style plain, side a"),
    row("made", "side_a"),
    row("made", "side_b"),
]


def about(metric, **keys):
    (budget,) = study({metric: {"max": 0.99, **keys}}).budgets
    return [
        (each["players"], each["lineup"], each["group"])
        for each in met(budget, frame(*ROWS), "mine.toml")
    ]


def test_without_a_line_up_pools_stand_for_their_cells():
    assert about("seat_share", players=2) == [
        (2, "all plain", "seat 0"),
        (2, "all plain", "seat 1"),
        (2, "all", "seat 0"),
    ]
    assert about("seat_share", lineup="plain + pushy") == [(2, "plain + pushy", "seat 0")]


def test_a_star_stands_for_anything():
    assert about("seat_share", lineup="*plain*", group="* 0", players=2) == [
        (2, "all plain", "seat 0"),
        (2, "plain + pushy", "seat 0"),
    ]
    with pytest.raises(SimError, match="has no group"):
        about("seat_share", group="seat [0]")


def test_names_that_no_game_had_are_looked_at_where_named():
    assert about("end_reason") == [(2, "all plain", "rounds_played")]
    assert about("end_reason", group="cut_short") == [(2, "all plain", "cut_short")]
    assert len(about("end_reason", group="*")) == 2


def test_a_spread_is_over_groups_of_one_kind():
    assert [group for *_, group in about("spread.score.mean")] == ["seat 0", "seat 1"]
    assert [group for *_, group in about("spread.made")] == ["side_a", "side_b"]
    with pytest.raises(SimError, match="a spread needs two groups or more; end_reason has"):
        about("spread.end_reason")


@pytest.mark.parametrize(
    ("metric", "keys", "told"),
    [
        ("seat_shere", {}, 'no metric "seat_shere" in this study; there are: seat_share,'),
        ("seat_shere", {}, 'Did you mean "seat_share"?'),
        ("spread.seat_shar", {}, 'Did you mean "spread.seat_share"?'),
        ("score.p50", {}, "there are: seat_share, end_reason, score.*, made."),
        ("seat_share", {"group": "seat0"}, 'Did you mean "seat 0"?'),
        ("seat_share", {"group": "seat 7"}, 'seat_share has no group "seat 7"; there are: seat 0'),
        ("made", {"players": 3}, "made has no row like this; it is there for 2 players, base,"),
    ],
)
def test_a_budget_about_nothing_is_a_mistake(metric, keys, told):
    with pytest.raises(SimError) as error:
        about(metric, **keys)
    assert str(error.value).startswith("mine.toml: budgets.")
    assert told in str(error.value)


def test_shares_are_known_by_their_intervals_too():
    """A game may call its own shares what it likes."""
    rows = [row("pond.frogs", method="Wilson, effective n", low=0.4, high=0.6)]
    with pytest.raises(
        SimError, match=r"max: found 5; allowed: a number from 0 to 1, as pond.frogs"
    ):
        check({"pond": {"frogs": {"max": 5}}}, *rows)
    lakes = [row("pond.lakes", low=0.4, high=0.6)]
    assert verdicts({"pond": {"lakes": {"max": 5}}}, *lakes) == [PASSED]


# Verdicts


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.3, 0.4, PASSED),
        (0.2, 0.5, PASSED),
        (0.51, 0.6, FAILED),
        (0.1, 0.19, FAILED),
        (0.5, 0.6, UNDECIDED),
        (0.1, 0.2, UNDECIDED),
        (0.1, 0.6, UNDECIDED),
        (None, 0.4, UNDECIDED),
        (0.3, None, UNDECIDED),
        # a quantile with one bound can be outside
        (None, 0.1, FAILED),
        (0.6, None, FAILED),
    ],
)
def test_verdicts_are_earned(low, high, verdict):
    made = row("tie_rate", low=low, high=high, method="order statistics")
    assert verdicts({"tie_rate": {"min": 0.2, "max": 0.5}}, made) == [verdict]


def test_fair_shares_are_those_of_the_players():
    rows = [
        row("seat_share", "seat 0", low=0.485, high=0.515),
        row("seat_share", "seat 0", players=3, low=0.485, high=0.515),
        row("seat_share", "seat 0", players=3, cell=1, variant="b", low=1 / 3 - 0.02, high=1 / 3),
    ]
    assert verdicts(SEATS, *rows) == [PASSED, FAILED, PASSED]


def test_rows_without_an_interval():
    budget = {"made": {"max": 0.6}}
    (few,) = check(budget, row("made", method="none")).rows
    (short,) = check(budget, row("made", method="order statistics")).rows
    (nothing,) = check(budget, row("made", estimate=None, method="none", n=0)).rows
    assert [each.verdict for each in (few, short, nothing)] == [UNDECIDED] * 3
    assert few.note == short.note == "too few games for an interval"
    assert nothing.note == "no game to judge by"
    found = check(budget, row("made", method="count"))
    assert (found.rows[0].verdict, found.intervals) == (PASSED, 0)
    assert "as it is" in found.rows[0].note
    assert verdicts(budget, row("made", estimate=0.61, method="largest seen")) == [FAILED]


def test_a_mean_that_never_varied_needs_some_games():
    budget = {"made": {"max": 0.6}}
    same = {"estimate": 0.5, "low": 0.5, "high": 0.5}
    (few,) = check(budget, row("made", **same, n=2)).rows
    assert (few.verdict, few.note) == (UNDECIDED, "it never varied in so few games")
    assert verdicts(budget, row("made", **same, n=100)) == [PASSED]
    # bounds that are ranks know how many games there were
    assert verdicts(budget, row("made", **same, n=9, method="order statistics")) == [PASSED]


def test_spreads():
    rows = [
        row("made", "a", 1.0, 0.9, 1.1),
        row("made", "b", 1.5, 1.4, 1.6),
        row("made", "c", 1.2, 1.0, 1.4),
    ]
    (found,) = check({"spread.made": {"max": 1}}, *rows).rows
    assert found.estimate == pytest.approx(0.5)
    assert (found.low, found.high) == (pytest.approx(0.3), pytest.approx(0.7))
    assert (found.verdict, found.ends) == (PASSED, ("b", "a"))
    assert verdicts({"spread.made": {"max": 0.25}}, *rows) == [FAILED]
    assert verdicts({"spread.made": {"max": 0.4}}, *rows) == [UNDECIDED]
    unknown = row("made", "d", None, method="none", n=0)
    assert verdicts({"spread.made": {"max": 9}}, *rows, unknown) == [UNDECIDED]
    alone = row("made", "a", 1.0, 0.9, 1.1, players=3)
    assert verdicts({"spread.made": {"max": 9}}, *rows, alone) == [PASSED, UNDECIDED]
    counts = [row("made", "a", 1.0, method="count"), row("made", "b", 3.0, method="count")]
    assert verdicts({"spread.made": [{"max": 2}, {"max": 1.9}]}, *counts) == [PASSED, FAILED]


def test_a_table_without_ended_games_is_not_passed_over():
    """Some metrics have no rows where all games were cut off."""
    rows = [
        row("margin.p50", low=0.4, high=0.6),
        row("truncated_share", estimate=0.0),
        row("truncated_share", estimate=1.0, players=3),
        row("truncated_share", estimate=0.5, variant="b"),
    ]
    found = check({"margin.p50": {"max": 1}}, *rows).rows
    assert [(each.players, each.verdict) for each in found] == [(2, PASSED), (3, UNDECIDED)]
    assert found[1].note == "no game to judge by"
    only = {"margin.p50": {"max": 1, "players": 2}}
    assert verdicts(only, *rows) == [PASSED]


def test_the_worst_row_is_the_verdict():
    good, open_, bad = (
        row("made", group, low=low, high=low + 0.1)
        for group, low in (("a", 0.1), ("b", 0.45), ("c", 0.6))
    )
    budget = {"made": {"max": 0.5}}
    assert check(budget, good).verdict == PASSED
    assert check(budget, good, open_).verdict == UNDECIDED
    found = check(budget, good, open_, bad)
    assert (found.verdict, found.count(PASSED), found.count(FAILED)) == (FAILED, 1, 1)


# The family


def test_all_rows_are_one_family():
    asked = []
    rows = [row("made", group, low=0.4, high=0.6) for group in "abc"]
    rows += [row("other", low=0.4, high=0.6), row("counted", method="count")]
    budgets = {"made": [{"max": 1}, {"max": 2, "group": "a"}], "spread.made": {"max": 1}}
    budgets |= {"other": {"max": 1}, "counted": {"max": 1}}
    found = check(budgets, *rows, asked=asked)
    # three rows of `made` and one of `other`, each once; a count has no interval
    assert found.intervals == 4
    assert found.each == pytest.approx(1 - 0.05 / 4)
    assert asked == [(0.95, None), (found.each, {"made", "other", "counted"})]


def test_rows_are_judged_at_the_level_of_the_family():
    usual = row("made", low=0.4, high=0.5), row("made", "b", low=0.4, high=0.5)
    wide = row("made", low=0.4, high=0.51), row("made", "b", low=0.4, high=0.51)

    def at(confidence, names):
        return frame(*(usual if confidence == 0.95 else wide))

    budgets = study({"made": {"max": 0.5}}).budgets
    assert [each.verdict for each in judge(budgets, at, "").rows] == [UNDECIDED] * 2
    budgets = study({"made": {"max": 0.5, "group": "b"}}).budgets
    assert [each.verdict for each in judge(budgets, at, "").rows] == [PASSED]


# How many games would decide


@pytest.mark.parametrize(
    ("estimate", "half", "times"),
    [
        (0.55, 0.1, 4),  # from 0.1 to 0.05
        (0.65, 0.2, 16),  # outside: the interval must end above 0.6
        (0.58, 0.2, 100),
        (0.59, 0.011, 2),  # little is no guide
        (0.6, 0.1, None),
    ],
)
def test_undecided_says_how_many_games_it_takes(estimate, half, times):
    made = row("made", "all", estimate, estimate - half, estimate + half, games=500.0)
    (found,) = check({"made": {"max": 0.6}}, made).rows
    assert found.verdict == UNDECIDED
    assert found.games == (None if times is None else pytest.approx(500 * times))


def test_a_handful_of_games_cannot_say_how_many_it_takes():
    made = row("made", "all", 0.5, 0.1, 0.9, games=7.0)
    (found,) = check({"made": {"max": 0.6}}, made).rows
    assert (found.verdict, found.games) == (UNDECIDED, None)


def test_what_never_happened_takes_fewer_games():
    """The bound of a share of none goes down with the games, not with their root."""
    never = row("made", "all", 0.0, 0.0, 0.01)
    (found,) = check({"made": {"max": 0.001}}, never).rows
    assert found.games == pytest.approx(10_000)
    always = row("made", "all", 1.0, 0.99, 1.0)
    (found,) = check({"made": {"min": 0.999}}, always).rows
    assert found.games == pytest.approx(10_000)


def test_an_interval_must_fit_between_both_ends():
    made = row("made", "all", 0.55, 0.35, 0.75)
    (found,) = check({"made": {"min": 0.45, "max": 0.6}}, made).rows
    assert found.games == pytest.approx(1000 * (0.2 / 0.05) ** 2)


def test_what_is_decided_needs_no_more_games():
    (found,) = check({"made": {"max": 0.6}}, row("made", low=0.4, high=0.6)).rows
    assert found.games is None


# Many studies


def games_at_the_edge(rng, budgets, games=400):
    """Judge a study whose true values all lie on the edge of what is accepted."""
    shares = rng.binomial(games, [0.25, 0.5, 0.05]) / games
    mean = rng.normal(3.0, 1.0, games)
    lengths = np.sort(rng.exponential(1.0, games))

    def at(confidence, names):
        share = inference.share_interval(
            shares, shares * (1 - shares) / games, games, games, True, confidence=confidence
        )
        one = inference.mean_interval(
            mean.mean(), mean.var(ddof=1) / games, games, confidence=confidence
        )
        median = inference.quantiles_of_counts(
            lengths, np.ones(games), np.zeros(games, int), [50], [games], confidence
        )
        rows = [
            row("made", group, *values)
            for group, *values in zip("abc", shares, share.low, share.high, strict=True)
        ]
        rows.append(row("mean", "all", mean.mean(), float(one.low), float(one.high)))
        ends = (float(part[0, 0]) for part in median)
        rows.append(row("median", "all", *ends, method="order statistics"))
        return frame(*rows)

    return [each.verdict for each in judge(budgets, at, "").rows]


@pytest.mark.slow
@pytest.mark.parametrize("side", ["min", "max"])
def test_edges_are_judged_wrongly_in_one_study_of_twenty_at_most(side):
    """A true value on the edge may be called neither inside nor outside, all rows together."""
    edges = {"a": 0.25, "b": 0.5, "c": 0.05}
    budgets = study(
        {
            "made": [{side: edge, "group": group} for group, edge in edges.items()],
            "mean": {side: 3.0},
            "median": {side: math.log(2)},
        }
    ).budgets
    rng = np.random.default_rng(11)
    found = [games_at_the_edge(rng, budgets) for _ in range(2000)]
    wrong = {each: sum(each in verdict for verdict in found) for each in (PASSED, FAILED)}
    print(side, wrong)
    assert wrong[PASSED] <= 100
    assert wrong[FAILED] <= 100
    # and not for want of trying: uncorrected, some row fails in about one study of eight
    assert wrong[PASSED] + wrong[FAILED] > 20
