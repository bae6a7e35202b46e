import warnings
from itertools import combinations, pairwise

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from fakes import Spec, fake_run
from matplotlib.text import Text
from studies import shapes

from sim import metrics, plots
from sim import words as say
from sim.plots import base
from sim.show import png
from sim.words import words_of

pytestmark = pytest.mark.filterwarnings("ignore:The set_bad function:PendingDeprecationWarning")
FIGURES = [name for name in plots.__all__ if name not in ("Picture", "budgets", "to_pandas")]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return every figure of every study, by study and figure."""
    before = dict(mpl.rcParams)
    found = {}
    for name, run in shapes(tmp_path_factory.mktemp("shapes")):
        rows = metrics.all_metrics(run)
        head, words = metrics.headline(run, rows), words_of(run)
        for figure in FIGURES:
            source = rows if figure == "style_matrix" else head
            found[name, figure] = getattr(plots, figure)(source, words)
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []
    return found


def test_figures_say_what_they_show(drawn):
    for (study, figure), picture in drawn.items():
        if picture is None:
            continue
        assert picture.title[0].isupper()
        assert picture.alt.startswith(picture.title), (study, figure)
        assert picture.alt.endswith(".")
        assert len(picture.alt) > len(picture.title) or figure == "cards_by_style"
        assert picture.name.isidentifier()


def test_figures_are_wide_and_sharp(drawn):
    for picture in filter(None, drawn.values()):
        width, height = picture.figure.get_size_inches() * picture.figure.dpi
        assert width == 1800
        assert height >= 1012


def test_figures_carry_no_raw_names(drawn):
    for key, picture in drawn.items():
        for text in picture.figure.findobj(Text) if picture else ():
            words = text.get_text()
            assert "_" not in words, (key, words)
            assert words not in ("seat 0", "all", "None", "nan"), (key, words)


def test_nothing_to_show_draws_nothing(drawn):
    shown = {figure for (study, figure), p in drawn.items() if study == "all truncated" and p}
    assert shown == {"turns"}
    for study in ("one cell", "all tied", "mirrors in variants"):
        assert drawn[study, "style_shares"] is None
    assert drawn["no cards", "cards"] is None
    assert drawn["one cell", "variants"] is None
    assert drawn["all tied", "end_reasons"] is None
    assert drawn["round robin", "style_matrix"] is not None


def test_every_figure_is_drawn_for_some_study(drawn):
    assert {figure for (_, figure), picture in drawn.items() if picture} == set(FIGURES)


def test_labels_of_one_axis_do_not_overlap(drawn):
    for (study, figure), picture in drawn.items():
        if picture is None or study == "mirrors in variants":
            continue
        picture.figure.draw_without_rendering()
        for axis in picture.figure.axes:
            if not axis.get_visible():
                continue
            boxes = [
                label.get_window_extent()
                for label in axis.get_xticklabels()
                if label.get_text() and label.get_rotation() == 0
            ]
            inside = sorted((box for box in boxes if box.width), key=lambda box: box.x0)
            for left, right in pairwise(inside):
                assert left.x1 <= right.x0 + 1, (study, figure)


def test_to_pandas_keeps_rows_and_columns(drawn, tmp_path):
    (_, run), *_ = shapes(tmp_path)
    rows = metrics.seat_share(run)
    table = plots.to_pandas(rows)
    assert list(table.columns) == rows.columns
    assert len(table) == len(rows)


def test_no_distribution_of_counts_reaches_below_zero(drawn):
    for key, picture in drawn.items():
        if picture is not None and picture.name in ("turns", "rounds", "margin", "lead_changes"):
            for axis in picture.figure.axes:
                assert axis.get_xlim()[0] >= -0.5, key
                assert all(min(line.get_xdata()) >= 0 for line in axis.lines), key


def test_labels_of_many_variants_do_not_overlap(tmp_path):
    specs = [Spec(("alpha",) * 2, 12, variant=f"variant_number_{n}") for n in range(26)]
    run = fake_run(tmp_path, specs)
    head = metrics.headline(run, metrics.all_metrics(run))
    figure = plots.variants(head, words_of(run)).figure
    figure.draw_without_rendering()
    for axis in figure.axes:
        boxes = [label.get_window_extent() for label in axis.get_xticklabels()]
        assert len(boxes) == 26
        assert all(a.x1 <= b.x0 for a, b in pairwise(boxes))
        assert axis.get_window_extent().height > 150


def test_long_names_of_variants_leave_room_for_the_panels(tmp_path):
    names = [f"{n}_variant_with_a_name_that_goes_on_and_on_and_on_and_on" for n in "ab"]
    run = fake_run(tmp_path, [Spec(("alpha",) * 2, 12, variant=name) for name in names])
    figure = plots.variants(metrics.headline(run, metrics.all_metrics(run)), words_of(run)).figure
    figure.draw_without_rendering()
    for axis in figure.axes:
        assert axis.get_window_extent().width > 300
        assert axis.get_window_extent().height > 100


def test_long_names_of_styles_are_cut_in_figures(tmp_path):
    names = [f"{n}_style_with_a_name_that_goes_on_and_on_and_on_and_on" for n in "abc"]
    pairs = list(combinations(names, 2))
    run = fake_run(tmp_path, [Spec(pair, 12, rotate=True) for pair in pairs])
    frame = metrics.all_metrics(run)
    figure = plots.style_matrix(frame, words_of(run)).figure
    figure.draw_without_rendering()
    (axis,) = figure.axes
    assert axis.get_window_extent().width > 600
    assert all(len(label.get_text()) <= 24 for label in axis.get_xticklabels())


def test_warnings_of_figures_stay_out_of_pages():
    figure = plt.figure(figsize=(2, 2), layout="constrained")
    figure.subplots().set_yticks([0], ["a name far too long for so small a figure" * 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert png(figure)


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([0.0, 0.0], (0, 0.05)),
        ([1.0, 1.0], (0.95, 1)),
        ([0.5, 0.5], (0.45, 0.55)),
        ([0.0, 0.2], (0, 0.21)),
        ([0.0, 1.0], (0, 1)),
        ([-0.1, 0.1], (-0.11, 0.11)),
        ([0.0, 1.2], (0, 1.26)),
    ],
)
def test_an_axis_of_shares_ends_where_shares_do(values, ends):
    axis = base.new_figure("A figure").subplots()
    axis.plot(values, [0, 1], "o")
    base.as_percent(axis.xaxis)
    assert axis.get_xlim() == pytest.approx(ends)


def test_an_end_that_a_figure_chose_stays():
    axis = base.new_figure("A figure").subplots()
    axis.plot([0, 1], [0, 1], "o")
    axis.set_ylim(0, 1.02)
    base.as_percent(axis.yaxis)
    assert axis.get_ylim() == (0, 1.02)


def test_no_axis_of_percent_has_a_mark_that_no_share_can_be(drawn):
    for key, picture in drawn.items():
        for axes in picture.figure.axes if picture else ():
            for axis in (axes.xaxis, axes.yaxis):
                low, high = sorted(axis.get_view_interval())
                marks = [at for at in axis.get_majorticklocs() if low <= at <= high]
                texts = [axis.get_major_formatter()(at, 0) for at in marks]
                shares = [text for text in texts if text.endswith(" %")]
                assert not any(text.startswith(("-", say.MINUS)) for text in shares), key
                assert all(float(text[:-2].replace(",", "")) <= 100 for text in shares), key
