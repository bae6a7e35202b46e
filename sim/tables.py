"""Tables for people: human column names, rounded numbers, made from tidy rows and the run."""

from collections.abc import Callable, Iterable
from typing import Any

import pandas as pd
import polars as pl

from sim import verdicts
from sim import words as say
from sim.metrics.tidy import POOLED
from sim.words import NameOf, Words, of_words, without_names

SEEN_ENOUGH = 30
"""Seats that a group must have for a row."""
Cells = dict[str, str]
Write = Callable[[dict[str, Any]], str]


def rows_of(frame: pl.DataFrame, metric: str) -> list[dict[str, Any]]:
    """Return the rows of a metric that have an estimate."""
    rows = frame.filter(pl.col("metric") == metric, pl.col("estimate").is_not_null())
    return rows.to_dicts()


def _table_of(row: dict[str, Any], words: Words) -> Cells:
    """Return the columns that name a row's table."""
    return {"Players": str(row["players"])} | series_columns(row, words)


def _frame(found: dict[Any, Cells]) -> pd.DataFrame:
    return pd.DataFrame(list(found.values())).fillna("")


def share(row: dict[str, Any]) -> str:
    """Return a share with its interval: 36.8 % (36.6 to 37.0)."""
    text = say.percent(row["estimate"])
    if row["low"] is None:
        return text
    low, high = (say.whole_or_tenths(100 * row[end]) for end in ("low", "high"))
    return text if low == high else f"{text} ({low} to {high})"


def interval(row: dict[str, Any], digits: int = 1, signed: bool = False) -> str:
    """Return an estimate with its bounds: 6.1 (6.0 to 6.1)."""
    write = say.signed if signed else lambda value, digits: say.minus(f"{value:,.{digits}f}")
    text = write(row["estimate"], digits)
    if row["low"] is None:
        return text
    return f"{text} ({write(row['low'], digits)} to {write(row['high'], digits)})"


def series_columns(row: dict[str, Any], words: Words) -> Cells:
    """Return the columns that name a row's variant and line-up, where there are several."""
    named = {}
    if len(words.variants) > 1:
        named["Variant"] = words.variant(row["variant"])
    if len(words.lineups) > 1:
        named["Who plays"] = words.lineup(row["lineup"])
    return named


def by_players(
    frame: pl.DataFrame,
    words: Words,
    metric: str,
    head: str,
    write: Write,
    name_of: NameOf = of_words,
) -> pd.DataFrame:
    """Return a metric with a row for each group and series, a column a number of players.

    Rows are sorted by their mean, the highest first; groups that name a style are left out.
    """
    found: dict[Any, Cells] = {}
    means: dict[Any, list[float]] = {}
    for row in sorted(rows_of(frame, metric), key=lambda row: row["players"]):
        if row["group"] == "all" or row["group"].startswith("style "):
            continue
        key = (row["group"], row["variant"], row["lineup"])
        about = {head: name_of(row["group"], words)} | series_columns(row, words)
        found.setdefault(key, about)[say.players(row["players"])] = write(row)
        means.setdefault(row["group"], []).append(row["estimate"])
    order = sorted(found, key=lambda key: (-sum(means[key[0]]) / len(means[key[0]]), key[0]))
    return _frame({key: found[key] for key in order})


def wide(
    frame: pl.DataFrame,
    words: Words,
    columns: Iterable[tuple[str, str, Write]],
    head: str = "",
    wanted: Callable[[str], bool] = lambda group: True,
    name_of: NameOf = of_words,
) -> pd.DataFrame:
    """Return a row for each table (and group, named by `head`) and a column for each metric."""
    found: dict[Any, Cells] = {}
    for metric, column, write in columns:
        for row in rows_of(frame, metric):
            if not wanted(row["group"]):
                continue
            about = {head: name_of(row["group"], words)} if head else {}
            about |= {"Players": str(row["players"])} | series_columns(row, words)
            key = tuple(about.values())
            found.setdefault(key, about)[column] = write(row)
    return _frame(found)


def held(
    frame: pl.DataFrame,
    words: Words,
    metric: str,
    head: str,
    wanted: Callable[[str], bool] = lambda group: not group.startswith(("all", "style ")),
    name_of: NameOf = of_words,
) -> pd.DataFrame:
    """Return groups of seats (`metrics.estimates.held_rows`): how many, what they win and score."""
    columns: list[tuple[str, str, Write]] = [
        (f"{metric}.seats", "Seats", share),
        (f"{metric}.win_share", "Win share", share),
        (f"{metric}.score", "Score", interval),
    ]
    enough = frame.filter(pl.col("n") >= SEEN_ENOUGH)
    return wide(enough, words, columns, head, wanted, name_of)


def _value(row: dict[str, Any]) -> str:
    return say.minus(f"{row['estimate']:,.1f}")


def _pivot(
    frame: pl.DataFrame,
    words: Words,
    metrics: Iterable[tuple[str, str, Callable[[dict[str, Any]], str]]],
) -> dict[Any, Cells]:
    """Return a row for each table and a column for each (metric, column name, how to write it)."""
    found: dict[Any, Cells] = {}
    for metric, column, write in metrics:
        for row in rows_of(frame, metric):
            key = (row["variant"], row["lineup"], row["players"])
            cells = found.setdefault(key, _table_of(row, words))
            name = column or words.group(row["group"])
            cells[name] = write(row)
    return found


VERDICTS = {
    verdicts.BALANCED: "fair",
    verdicts.UNBALANCED: "not fair",
    verdicts.UNDECIDED: "undecided",
}


def seats(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return win shares by seat with 95 % intervals, the verdict before them."""
    found = _pivot(head, words, [("seat_share", "", share)])
    verdict_on = {(v.variant, v.lineup, v.players): v for v in verdicts.seat_verdicts(head)}
    for key, cells in found.items():
        cells["Verdict"] = VERDICTS.get(verdict_on[key].verdict, "unknown")
        cells["Games"] = f"{verdict_on[key].games:,}"
    table = _frame(found)
    if table.empty:
        return table
    named = [name for name in ("Players", "Variant", "Who plays") if name in table.columns]
    seats = [name for name in table.columns if name not in (*named, "Verdict", "Games")]
    return table[[*named, "Verdict", *seats, "Games"]]


def styles(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return win shares by style with 95 % intervals, a column for each number of players."""
    found: dict[Any, Cells] = {}
    for row in rows_of(head, "style_share"):
        key = (row["group"], row["variant"], row["lineup"])
        about = {"Style": words.group(row["group"])} | _table_of(row, words)
        about.pop("Players")
        found.setdefault(key, about)[say.players(row["players"])] = share(row)
    return _frame(found)


def lineup_winners(frame: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return each line-up of different styles with the style, or all of those, that wins most."""
    cells = frame.filter(
        pl.col("metric") == "style_share",
        pl.col("lineup") != POOLED,
        pl.col("estimate").is_not_null(),
    )
    best = cells.sort("estimate", descending=True, maintain_order=True).group_by(
        "cell", maintain_order=True
    )
    rows = []
    for _, found in best:
        own = found.to_dicts()
        first, tops = own[0], [row["group"] for row in own if verdicts.is_level(own[0], row)]
        rows.append(
            (
                first["cell"],
                _table_of(first, words)
                | {
                    "Who plays": words.lineup(first["lineup"]),
                    "Wins most": say.listed(map(words.group, tops)),
                    "Win share": share(first),
                },
            )
        )
    return pd.DataFrame([cells for _, cells in sorted(rows, key=lambda row: row[0])])


def lengths(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return the quantiles of turns, rounds and decisions."""
    found: dict[Any, Cells] = {}
    parts = (("p05", "5 %"), ("p50", "median"), ("p95", "95 %"), ("mean", "mean"), ("max", "most"))
    names = (("turns", words.turns), ("rounds", "rounds"), ("decisions", "decisions"))
    for name, title in names:
        for part, column in parts:
            for row in rows_of(head, f"{name}.{part}"):
                key = (row["variant"], row["lineup"], row["players"], name)
                cells = found.setdefault(key, _table_of(row, words) | {"In": title})
                text = f"{row['estimate']:,.1f}" if part == "mean" else f"{row['estimate']:,.0f}"
                cells[column] = text
    return _frame(dict(sorted(found.items(), key=lambda item: _order(item[0], words))))


def _order(key: tuple, words: Words) -> tuple:
    variant, lineup, players, name = key
    return (
        words.variants.index(variant),
        words.lineups.index(lineup),
        players,
        ("turns", "rounds", "decisions").index(name),
    )


def scores(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return mean scores by seat with their parts, and what winners score."""
    own = head.filter(pl.col("group") == "all")
    parts = [
        metric
        for metric in own["metric"].unique(maintain_order=True)
        if metric.startswith("score_part.")
    ]
    columns = [("score.mean", "Mean score", _value)]
    columns += [(part, words.title(part.removeprefix("score_part.")), _value) for part in parts]
    columns += [
        ("winning_score.p50", "Winner's, median", _value),
        ("margin.p50", "Margin, median", _value),
    ]
    by_seat = head.filter(pl.col("group").str.starts_with("seat "))
    found = _pivot(own, words, columns)
    for row in rows_of(by_seat, "score.mean"):
        key = (row["variant"], row["lineup"], row["players"])
        found[key][f"{words.group(row['group'])}, mean"] = _value(row)
    return _frame(found)


def games(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how games go: ties, close games, lead changes, ends, and the game's own counts."""
    unit = words.game.score_name
    close = head.filter((pl.col("metric") != "margin.within") | (pl.col("group") == "1"))
    columns = [
        ("tie_rate", "Shared wins", share),
        ("margin.within", f"Won by at most {say.amount('1', unit)}", share),
        ("lead_changes.mean", "Lead changes", _value),
        ("truncated_share", "Cut off", share),
    ]
    plain = [
        metric
        for metric in head.filter(pl.col("group") == "all")["metric"].unique(maintain_order=True)
        if metric.startswith("detail.")
    ]
    columns += [(name, words.title(name.removeprefix("detail.")), _two) for name in plain]
    return _frame(_pivot(close, words, columns))


def going(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return who is ahead as games go on, and how long it stays open."""
    halfway = head.filter(
        (pl.col("metric") != "lead.wins") | (pl.col("group") == "at 50 %"),
        (pl.col("metric") != "comeback")
        | (pl.col("group") == pl.format("rank {} at 50 %", pl.col("players"))),
    )
    columns = [
        ("lead.wins", "Leader halfway wins", share),
        ("comeback", "Last halfway wins", share),
        ("runaway", "Leader wins 80 % from", share),
        ("lead.last", "Last change of lead at", share),
        (
            "comeback.points",
            f"{words.game.score_name.capitalize()} made up by the winner",
            interval,
        ),
        ("uncertainty.mean", "Openness", share),
        ("drama", "Drama", share),
        ("dead_time", "Dead time", share),
        ("hopeless", "Hopeless", share),
    ]
    return _frame(_pivot(halfway, words, columns))


def choosing(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what players choose from: legal actions, and in each quarter of the game."""
    columns = [
        ("choice.options", "Legal actions", interval),
        ("choice.branching", "Effective", interval),
        ("choice.free", "More than one", share),
        ("act.entropy", "Variety, in bits", lambda row: interval(row, 2)),
    ]
    return wide(head, words, columns, "Who and when")


def acts(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return which share of all that players do each kind of act is."""
    return wide(head, words, [("act.share", "Share", share)], "Act")


def _two(row: dict[str, Any]) -> str:
    return say.minus(f"{row['estimate']:,.2f}")


def details(head: pl.DataFrame, words: Words) -> list[tuple[str, pd.DataFrame]]:
    """Return a table of shares for each of the game's own columns of names, with its title."""
    coded = head.filter(pl.col("metric").str.starts_with("detail."), pl.col("group") != "all")
    found = []
    for metric in coded["metric"].unique(maintain_order=True):
        table = _frame(
            _pivot(coded, words, [(metric, "", lambda row: say.percent(row["estimate"]))])
        )
        found.append((words.title(metric.removeprefix("detail.")), table))
    return found


def endings(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return why games ended."""
    return _frame(_pivot(head, words, [("end_reason", "", share)]))


def cards(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return how cards are used, a row for each card and number of players."""
    columns: list[tuple[str, str, Callable[[dict[str, Any]], str]]] = [
        ("card.held_per_game", "In hands", _two),
        ("card.played_per_game", "Played", _two),
        ("card.win_held", "Wins when held", share),
        ("card.win_played", "Wins when played", share),
        ("card.held_lift", "Improvement when held", points),
        ("card.played_by_winners", "Played by winners", lambda row: say.percent(row["estimate"])),
    ]
    own = [
        metric
        for metric in head["metric"].unique(maintain_order=True)
        if metric.startswith("card.") and metric.endswith("_per_play")
    ]
    for metric in own:
        what = words.title(metric.removeprefix("card.").removesuffix("_per_play"))
        columns.append((metric, f"{what} for each play", _two))
    found: dict[Any, Cells] = {}
    for metric, column, write in columns:
        for row in rows_of(head, metric):
            key = (row["group"], row["variant"], row["lineup"], row["players"])
            about = {"Card": words.group(row["group"])} | _table_of(row, words)
            found.setdefault(key, about)[column] = write(row)
    return _frame(found)


def points(row: dict[str, Any]) -> str:
    """Return a difference of shares in percentage points with its bounds."""
    text = say.signed(100 * row["estimate"])
    if row["low"] is None:
        return text
    return f"{text} ({say.signed(100 * row['low'])} to {say.signed(100 * row['high'])})"


def restricted(head: pl.DataFrame, words: Words) -> pd.DataFrame:
    """Return what players win and score who do without something, a row each."""
    found: dict[Any, Cells] = {}
    names = without_names(rows_of(head, "without.win"), words)
    for metric, what, write in (
        ("without.win", "win share", points),
        ("without.score", words.game.score_name, interval),
    ):
        for row in sorted(rows_of(head, metric), key=lambda row: row["players"]):
            key = (row["group"], row["variant"])
            about = found.setdefault(key, {"Without": names[key]})
            about[f"{say.players(row['players'])}, {what}"] = write(row)
    return _frame(found)


def budgets(run: Any, words: Words) -> pd.DataFrame:
    """Return what the study accepts and what came out; empty if it has no budgets."""
    from sim import check, check_page, checked

    if not run.study.budgets:
        return pd.DataFrame()
    return check_page.table(checked.ranges(check.of(run), words), words)


def cells(run: Any, words: Words) -> pd.DataFrame:
    """Return what was played: every cell with its games, and why these were enough."""
    from sim.takeaways.stopping import why

    stopped = run.manifest.get("until") or {"units": []}
    reasons = {cell: why(unit) for unit in stopped["units"] for cell in unit["cells"]}
    rows = []
    for cell in run.plan.cells:
        row = {"Cell": str(cell.index), "Players": str(cell.players)}
        if len(words.variants) > 1:
            row["Variant"] = words.variant(cell.variant)
        who = words.lineup(cell.lineup)
        rows.append(
            row
            | {
                "Who plays": f"{who}, each in every seat" if cell.rotate else who,
                "Games": f"{cell.games:,}",
            }
            | ({"Stopped": reasons[cell.index]} if reasons else {})
        )
    return pd.DataFrame(rows)


def who_is_who(run: Any, words: Words) -> pd.DataFrame:
    """Return the styles with what they do."""
    return pd.DataFrame(
        [
            {"Style": words.style(name), "How it plays": style.description or "not described"}
            for name, style in run.study.styles.items()
        ]
    )


def changes(run: Any, words: Words) -> pd.DataFrame:
    """Return the variants with what they change; empty if there is but one."""
    if len(run.study.variants) < 2:
        return pd.DataFrame()
    return pd.DataFrame(
        [
            {
                "Variant": words.variant(name),
                "Changes": ", ".join(f"{key} = {value}" for key, value in variant.overrides.items())
                or "nothing",
            }
            for name, variant in run.study.variants.items()
        ]
    )


def facts(run: Any) -> pd.DataFrame:
    """Return the numbers and rulings in use in the first variant with their grades.

    What other variants use instead stands behind the value.
    """
    found: dict[str, list] = {}
    for variant in run.study.variants.values():
        for fact in run.game.facts(variant.components, variant.rulings):
            found.setdefault(fact.key, []).append(fact)
    rows = []
    for key, known in found.items():
        values = list(dict.fromkeys(fact.value for fact in known))
        grades = list(dict.fromkeys(fact.grade for fact in known))
        rows.append(
            {
                "Number or ruling": key,
                "Value": " / ".join(values),
                "Grade": " / ".join(grades),
                "Note": known[0].note,
            }
        )
    return pd.DataFrame(rows)


def assumed(run: Any) -> pd.DataFrame:
    """Return the numbers and rulings in use that are assumed in some variant."""
    table = facts(run)
    if table.empty:
        return table
    return table[table["Grade"].str.contains("assumed")].drop(columns="Grade")


def provenance(run: Any) -> pd.DataFrame:
    """Return where the numbers come from: seed, versions, time, git revision."""
    manifest, timings = run.manifest, run.manifest["timings"]
    git = manifest.get("git")
    versions = manifest["versions"]
    machine = manifest["machine"]
    revision = "not in a git repository"
    if git:
        revision = git["revision"][:12] + (" with uncommitted changes" if git["changed"] else "")
    seconds = timings["playing_seconds"]
    return pd.DataFrame(
        [
            ("Study", f"{run.study.title} ({run.study.source})"),
            ("Game", f"{run.game.title}, rules version {manifest['rules']['version']}"),
            ("Games played", f"{run.games_played:,} in {say.counted(len(run.plan.cells), 'cell')}"),
            ("Seed", str(run.study.seed)),
            ("Finished", timings["finished"] or "unknown"),
            ("Time to play", f"{seconds:,.1f} s, {run.games_played / max(seconds, 1e-9):,.0f}/s"),
            ("Git revision", revision),
            ("Versions", ", ".join(f"{name} {number}" for name, number in versions.items())),
            ("Machine", f"{machine['cpu']}, {say.counted(machine['cores'], 'core')}"),
        ],
        columns=["What", "Value"],
    )
