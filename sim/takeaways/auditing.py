"""Sentences on an audit: what the referee saw, what hangs on rulings and assumed numbers."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sim import words as say
from sim.audit.changes import NUMBER, RULING, Change
from sim.audit.effects import Effect
from sim.audit.found import Audit
from sim.audit.listing import enough, screened
from sim.audit.naming import column_name, instead, names_of, title_in, value_text
from sim.audit.numbers import NO_NUMBER
from sim.audit.onegame import Fault
from sim.matters import MATTERS, UNDECIDED, UNKNOWN
from sim.takeaways.comparing import differences, piece
from sim.takeaways.telling import Takeaway, grouped
from sim.words import Words

FAULT, NO_FAULT = "fault", "no fault"
MOST_NAMED = 3
MOST_TOLD = 8
"""Changes that are told one by one."""


def takeaways(audit: Audit, run: Any, words: Words) -> list[Takeaway]:
    """Return the findings of an audit, the referee's first."""
    found = list(_referee(audit, run, words))
    asked = [part for part in (RULING, NUMBER) if audit.was_asked(f"{part}s")]
    found += [_part(audit, part, words) for part in asked]
    if len(audit.screening):
        found.append(_screening(audit, words))
    return found


# The referee


def _referee(audit: Audit, run: Any, words: Words) -> Iterator[Takeaway]:
    seen = audit.refereed
    if seen is None:
        return
    games = say.counted(seen.games, "game")
    each = sorted(set(seen.cells.values()))
    spread = f"{each[0]}" if len(each) == 1 else f"{each[0]} or more"
    where = f", {spread} of each of {len(seen.cells)} cells" if len(seen.cells) > 1 else ""
    if not audit.has_fault:
        text = (
            f"{games} of {run.games_played:,} refereed{where}: no fault. With 95 % confidence "
            f"fewer than {bound(seen.most)} of games have one that the referee sees."
        )
        yield Takeaway("referee", NO_FAULT, text, f"{games} refereed: no fault.")
        return
    faulty = sum(seen.faulty.values())
    parts = []
    if faulty:
        parts.append(
            f"{faulty:,} of {games} refereed have a fault{where}: with 95 % confidence more than "
            f"{bound(seen.least, up=False)} of all games. {_kinds(seen.faults, words)}"
        )
    if seen.damaged:
        parts.append(
            f"{say.counted(seen.damaged, 'file is', 'files are')} not what the run wrote: "
            f"sim run {audit.said} plays what they hold again."
        )
    short = f"{faulty:,} of {games} refereed have a fault." if faulty else "Files were changed."
    yield Takeaway("referee", FAULT, " ".join(parts), short)


def bound(share: float, up: bool = True) -> str:
    """Return a bound of a share in percent, rounded to the safe side."""
    digits = 1 if share >= 0.001 else 2
    scale = 100 * 10**digits
    whole = -int(-share * scale // 1) if up else int(share * scale)
    return f"{whole / 10**digits:.{digits}f} %"


def _kinds(faults: Iterable[Fault], words: Words) -> str:
    """Return which columns are wrong, in how many games."""
    games = grouped(
        (fault for fault in faults if fault.game is not None),
        lambda fault: column_name(fault, words),
    )
    counts = {
        name: len({(fault.cell, fault.game) for fault in found}) for name, found in games.items()
    }
    order = sorted(counts, key=lambda name: -counts[name])
    named = [f"{name} ({say.counted(counts[name], 'game')})" for name in order[:MOST_NAMED]]
    more = len(order) - MOST_NAMED
    return f"Wrong: {say.listed([*named, *([f'{more} more'] if more > 0 else [])])}."


# Rulings and numbers


def _part(audit: Audit, part: str, words: Words) -> Takeaway:
    """Tell what hangs on rulings, or on numbers."""
    effects = audit.of(part)
    many = f"{part}s"
    by_key = grouped(effects, lambda effect: effect.change.key)
    names = names_of(by_key, words)
    if not by_key:
        nothing = (
            "No ruling has another value to try."
            if part == RULING
            else (f"No number {_grades(audit)} can be moved.")
        )
        return Takeaway(many, "", nothing, nothing)
    weighty = {k: own for k, own in by_key.items() if any(map(is_weighty, own))}
    unsure = [k for k, own in by_key.items() if k not in weighty and _unsure(own)]
    tried = _tried(audit, part, len(by_key), len(effects))
    told = [f"{names[key]} ({_told(audit, own, words)})" for key, own in weighty.items()]
    parts = [_matter(tried, told)]
    if unsure:
        undecided = _some([names[key] for key in unsure])
        games = enough(audit, part)
        more = f"; about --play {say.about(games)} would decide half of that" if games else ""
        parts.append(f"Undecided: {undecided}{more}.")
    quiet = len(by_key) - len(weighty) - len(unsure)
    if quiet and (weighty or unsure):
        parts.append(f"Of the others ({quiet}) nothing large enough to matter was seen.")
    parts += _left(audit, part, by_key)
    verdict = MATTERS if weighty else UNDECIDED if unsure else ""
    named = {names[key]: own for key, own in weighty.items()}
    short = _short(audit, named, unsure, part, len(by_key), words)
    return Takeaway(many, verdict, " ".join(parts), short)


def _left(audit: Audit, part: str, tried: Collection[str]) -> Iterator[str]:
    """Tell how much could not be tried at all; the page says why."""
    left = {each.key: each.why for each in audit.untried if each.part == part}
    why = [reason for key, reason in left.items() if key not in tried]
    texts = why.count(NO_NUMBER)
    if texts:
        are = "is no number" if texts == 1 else "are no numbers"
        yield f"{say.counted(texts, 'other fact')} of that grade {are}."
    if fixed := len(why) - texts:
        yield f"{say.counted(fixed, part)} could not be tried."


def _grades(audit: Audit) -> str:
    grade = audit.settings["grade"]
    return "that is assumed" if grade == "assumed" else f"of grade {grade} or less well supported"


def _tried(audit: Audit, part: str, things: int, values: int) -> str:
    if part == RULING:
        others = say.counted(values, "other value")
        return f"Of {say.counted(things, 'ruling')} tried ({others})"
    by = say.exactly(audit.settings["by"])
    numbers = say.counted(things, "number")
    grades = _grades(audit) if things == 1 else _grades(audit).replace("that is", "that are")
    return f"Of {numbers} {grades}, moved by {by}"


def _matter(tried: str, told: list[str]) -> str:
    if not told:
        return f"{tried}, none is seen to matter."
    verb = "matters" if len(told) == 1 else "matter"
    return f"{tried}, {len(told)} {verb}: {_some(told)}."


def _some(names: Sequence[str], most: int = MOST_TOLD) -> str:
    more = len(names) - most
    shown = [*names[:most], *([f"{more} more"] if more > 0 else [])]
    return "; ".join(shown) if any(", " in name for name in shown) else say.listed(shown)


def is_weighty(effect: Effect) -> bool:
    """Tell whether a change matters, or flips a verdict."""
    return effect.verdict == MATTERS or bool(effect.flips)


def _unsure(effects: Iterable[Effect]) -> bool:
    return any(effect.verdict in (UNDECIDED, UNKNOWN) for effect in effects)


def _told(audit: Audit, effects: Sequence[Effect], words: Words) -> str:
    """Return the weightiest change of a ruling or number with what it does."""
    first = next(filter(is_weighty, effects))
    does = largest_text(audit, first, words)
    turns = f"flips a verdict, {first.flips[0]}" if first.flips else ""
    return f"{value_text(first.change.value)}: {'; '.join(filter(None, (does, turns)))}"


def largest_text(audit: Audit, effect: Effect, words: Words) -> str:
    """Return the largest difference of a change, over all tables: "13 to 19 turns longer"."""
    row = effect.largest
    if row is None:
        return ""
    alike = [
        other
        for other in rows_of(audit, effect.change)
        if (other["metric"], other["group"], other["verdict"])
        == (row["metric"], row["group"], row["verdict"])
        and (other["estimate"] > 0) == (row["estimate"] > 0)
    ]
    return piece(alike, words)


def rows_of(audit: Audit, change: Change) -> list[dict[str, Any]]:
    """Return the differences that a change makes."""
    found = audit.rows.filter(variant=change.name).to_dicts()
    return [row for row in found if row["estimate"] is not None]


def _short(
    audit: Audit,
    weighty: dict[str, list[Effect]],
    unsure: Sequence[str],
    part: str,
    things: int,
    words: Words,
) -> str:
    """Return the finding in a few words; `things` is how many rulings or numbers there are."""
    of_grade = part == NUMBER and audit.settings["grade"] == "assumed"
    what = say.counted(things, f"assumed {part}" if of_grade else part)
    unknown = f"; {len(unsure)} undecided" if unsure else ""
    if not weighty:
        return f"Nothing seen to hang on the {what}{unknown}."
    if len(weighty) <= 2:
        but = [f"{name} ({_told(audit, own, words)})" for name, own in weighty.items()]
        return f"Nothing seen to hang on the {what} but {say.listed(but)}{unknown}."
    return f"{len(weighty)} of {what} matter: {_some(list(weighty), MOST_NAMED)}."


def findings(audit: Audit, part: str, words: Words) -> list[tuple[str, list[str]]]:
    """Return the changes that matter most, each with sentences on what it does."""
    names = names_of((each.change.key for each in audit.effects), words)
    found = []
    for effect in list(filter(is_weighty, audit.of(part)))[:MOST_TOLD]:
        rows = rows_of(audit, effect.change)
        several = len({row["lineup"] for row in rows}) > 1
        said = [
            f"{words.lineup(each.lineup)}, {each.who}: {each.text}"
            if several
            else f"{each.who}: {each.text}"
            for each in differences(rows, words)
        ]
        turns = [f"Flips a verdict: {each}." for each in effect.flips]
        found.append((instead(effect.change, names), [*turns, *said]))
    return found


def _screening(audit: Audit, words: Words) -> Takeaway:
    """Tell which numbers Morris' method puts first."""
    ranked = screened(audit, words)
    first = [f"{row['name']} ({row['text']})" for row in ranked if row["beyond"]][:MOST_NAMED]
    count = len(ranked)
    text = (
        f"Moved together, {say.counted(count, 'number')} in "
        f"{say.counted(int(audit.screening['n'].max()), 'trajectory', 'trajectories')}: "  # type: ignore[arg-type]
    )
    text += f"most hangs on {say.listed(first)}." if first else "none stands out from chance."
    return Takeaway("screening", "", text)


# How it was done


def how(audit: Audit, run: Any, words: Words) -> list[str]:
    """Return what was played and compared, and what no sample can show."""
    return [*_how_refereed(audit, run, words), *_how_changed(audit, run, words)]


def _how_refereed(audit: Audit, run: Any, words: Words) -> Iterator[str]:
    seen = audit.refereed
    if seen is None:
        return
    cut = f", {seen.truncated} of them stopped by a cap" if seen.truncated else ""
    yield (
        f"Refereed: a random sample (seed {seen.seed}), as many games of each cell{cut}. Each was "
        f"played again, its log replayed by the referee, {say.counted(seen.counted, 'column')} "
        "counted again from that, all columns held against playing again, and all files against "
        "what the run wrote."
    )
    if seen.again:
        titles = list(dict.fromkeys(title_in(*each, words) for each in seen.again))
        yield f"Played again, but not counted by the referee: {_some(titles)}."
    if seen.summed:
        one = len(seen.summed) == 1
        which = (
            "it is sums over games: the table" if one else "they are sums over games: the tables"
        )
        yield f"Not looked at, as {which} {say.listed(seen.summed)}."
    if run.study.kingmaking:
        yield "The table kingmaking was held against the checksums that the run wrote, no more."
    if seen.beyond:
        yield f"{seen.beyond:,} more faults were found and not kept."


def _how_changed(audit: Audit, run: Any, words: Words) -> Iterator[str]:
    tables = audit.settings.get("tables")
    if not tables:
        return
    lineups = list(dict.fromkeys(table["lineup"] for table in tables))
    counts = sorted({table["players"] for table in tables})
    games = sorted({table["games"] for table in tables})
    span = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    variant = audit.settings["variant"]
    of = f' of "{words.variant(variant)}"' if len(run.study.variants) > 1 else ""
    yield (
        f"Each change{of} was tried alone, in {span} games at each table ({say.players(counts)}; "
        f"{say.listed(map(words.lineup, lineups))}), on the same luck as the study's own."
    )
    left = [words.lineup(label) for label in words.lineups if label not in lineups]
    others = [words.variant(name) for name in words.variants if name != variant]
    if left:
        yield f"Line-ups that were left out (--lineup names others): {_some(left)}."
    if others:
        yield f"Variants that were left out (--variant names another): {_some(others)}."
    tests = audit.rows["p"].count()
    if tests:
        yield (
            f"Verdicts are those of sim compare, corrected for {tests:,} differences (Holm): a "
            "difference matters if it is certain to be larger than the smallest that matters; "
            "small and nothing seen lie within it, the latter not even certain to be there."
        )
