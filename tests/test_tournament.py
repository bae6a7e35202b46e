"""Tournaments of made-up games: planted dominant, useless and circular styles are found."""

import json
from itertools import combinations_with_replacement
from types import SimpleNamespace

import numpy as np
import pytest
from fakes import Spec, fake_run
from matplotlib.text import Text

from sim import SimError
from sim.metrics import SCHEMA
from sim.plots import tournaments as plots
from sim.tuning import pages
from sim.tuning.metagame import equilibrium
from sim.tuning.ranking import tournament
from sim.tuning.tournament import tables


def played(folder, styles, players, scores, deals=150, truncated=0.0):
    """Return the tournament of a run of every mixture."""
    groups = [
        group
        for n in players
        for group in combinations_with_replacement(styles, n)
        if len(set(group)) > 1
    ]
    specs = [Spec(group, deals * len(group), rotate=True) for group in groups]
    run = fake_run(folder, specs, seed=4, scores=scores, truncated=truncated, cards=False)
    run.study.lineups = SimpleNamespace(tournament=list(styles))
    return tournament(run)


def strengths(**by_style):
    """Return scores that are random, but higher for stronger styles."""

    def scores(rng, styles, game):
        return np.rint(100 * rng.normal([by_style[style] for style in styles], 1.0)).astype(int)

    return scores


@pytest.fixture(scope="module")
def ordered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ordered")
    return played(folder, ("strong", "even", "weak"), (2, 3), strengths(strong=1, even=0, weak=-1))


def test_a_planted_dominant_style_is_found(ordered):
    assert [table.dominant for table in ordered.tables] == [0, 0]
    assert [table.viable for table in ordered.tables] == [[0], [0]]
    for table in ordered.tables:
        assert table.beaten_by == {0: [], 1: [0], 2: [0, 1]}
        assert table.alpha_ranks[-1] == pytest.approx([1, 0, 0])
        assert table.equilibrium.payoffs[1] < 0
    text = " ".join(ordered.findings())
    assert "Strong is dominant with 2 and 3 players" in text
    assert "Even is dominated with 2 and 3 players" in text
    assert "Weak is dominated with 2 and 3 players" in text
    assert "one style is left: Strong 100 % with 2 players; Strong 100 % with 3 players" in text


def test_pairs_are_what_seats_win_of_what_both_win(ordered):
    two = ordered.tables[0]
    profile = (1, 1, 0)
    share = two.wins[profile].sum(0)[0] / two.wins[profile].sum()
    assert two.pairs[0][0, 1] == pytest.approx(share)
    assert two.pairs[0][0, 1] == pytest.approx(1 - two.pairs[0][1, 0])
    value, low, high = (part[0, 1] for part in two.pairs)
    assert low < value < high
    # a normal of variance 2 above -1: 76 %
    assert low < 0.76 < high


def test_a_planted_circle_is_found(tmp_path):
    beats = {"rock": "scissors", "scissors": "paper", "paper": "rock"}

    def scores(rng, styles, game):
        one, other = styles
        lead = (beats[one] == other) - (beats[other] == one)
        return np.array([10 * (rng.random() < 0.5 + 0.3 * lead), 5])

    found = played(tmp_path, tuple(beats), (2,), scores, deals=300)
    (table,) = found.tables
    assert table.equilibrium.mixture == pytest.approx([1 / 3] * 3, abs=0.05)
    assert table.cyclic[1] > 0.8
    assert table.dominant is None
    assert table.beaten_by == {0: [2], 1: [0], 2: [1]} or any(table.beaten_by.values())
    text = " ".join(found.findings())
    assert "Styles beat each other in circles with 2 players" in text
    assert "(Rock beats Scissors beats Paper beats Rock)" in text
    assert "More games would have to decide" not in text
    assert "No style is dominant" in text


def test_styles_that_are_alike_are_not_told_apart(tmp_path):
    found = played(tmp_path, ("a", "b"), (2, 3), strengths(a=0, b=0), deals=100)
    for table in found.tables:
        assert table.dominant is None
        assert table.beaten_by == {0: [], 1: []}
        low, high = table.interval(lambda game: game.pairs)
        assert low[0, 1] < 0.5 < high[0, 1]
        assert table.unsure == [0, 1]
    text = " ".join(found.findings())
    assert "dominated" not in text
    assert "decide who of these is played: A and B with 2 players; A and B with 3 players." in text


def test_luck_alone_is_no_circle(tmp_path):
    """What no ratings explain is most of what chance does, which makes no circle yet."""
    found = played(tmp_path, tuple("abcd"), (2,), strengths(a=0, b=0, c=0, d=0), deals=100)
    assert found.tables[0].circle is None
    text = " ".join(found.findings())
    assert "No styles beat each other in a circle beyond chance" in text
    assert "follows from how strong styles are" not in text


def test_rows_have_the_tidy_shape(ordered):
    assert dict(ordered.rows.schema) == SCHEMA
    mixture = ordered.rows.filter(ordered.rows["metric"] == "tournament.equilibrium")
    assert mixture["estimate"].to_list() == pytest.approx([1, 0, 0] * 2, abs=1e-3)
    assert mixture["low"].is_between(0, 1).all()
    assert set(ordered.rows["lineup"]) == {"all"}


def test_the_interval_of_an_equilibrium_comes_from_drawn_deals(ordered):
    table = ordered.tables[0]
    low, high = table.interval(lambda game: equilibrium(game).mixture)
    assert low[0] == pytest.approx(1, abs=1e-3)
    assert high[1] == pytest.approx(0, abs=1e-3)


def test_games_that_never_end_win_nothing(tmp_path):
    found = played(tmp_path, ("a", "b"), (2,), strengths(a=0, b=0), deals=5, truncated=1.0)
    (table,) = found.tables
    assert table.games == 0
    assert table.whole.pairs == pytest.approx(np.full((2, 2), 0.5))
    assert table.dominant is None


def test_one_deal_has_no_intervals(tmp_path):
    found = played(tmp_path, ("a", "b"), (2,), strengths(a=3, b=0), deals=1)
    (table,) = found.tables
    assert np.isnan(table.pairs[1]).all()
    assert table.dominant is None
    assert found.rows["low"].is_null().all()


def test_a_study_without_a_tournament_is_refused(ordered):
    run = SimpleNamespace(
        study=SimpleNamespace(lineups=SimpleNamespace(tournament=[]), source="mine.toml")
    )
    with pytest.raises(SimError, match=r"^mine\.toml: lineups: there is no tournament; add"):
        tables(run)


def test_tables_and_files_speak_plainly(ordered):
    table = pages.standings(ordered)
    assert list(table.columns) == ["Style", "2 players", "3 players"]
    assert table["2 players"].tolist()[0] == "100 %, dominant"
    assert "points, dominated" in table["3 players"].tolist()[2]
    content = json.loads(pages.as_json(ordered))
    assert content["sentences"] == ordered.findings()
    assert len(content["rows"]) == len(ordered.rows)
    assert pages.as_markdown(ordered).startswith("# A made-up study: tournament\n")


def test_figures_carry_no_raw_names(ordered):
    pictures = [*plots.pairs(ordered.tables, ordered.words)]
    pictures.append(plots.long_run(ordered.tables, ordered.words))
    assert len(pictures) == 3
    for picture in pictures:
        assert picture.alt.startswith(picture.title)
        for text in picture.figure.findobj(Text):
            assert "_" not in text.get_text()
            assert text.get_text() not in ("nan", "None")
