"""Compares variants of a study on common luck: rows, sentences, a page and its neighbours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from sim import markdown, matters, report
from sim import words as say
from sim.errors import SimError
from sim.explain import Place
from sim.metrics import differences as metric
from sim.metrics.tidy import units
from sim.study import Study
from sim.words import Words, words_of

TEMPLATE = "compare.ipynb"
PAGE, ROWS, SHORT = "compare.html", "compare.json", "compare.md"
FIGURES = "figures/compare"
FORMAT = 1


@dataclass(frozen=True)
class Comparison:
    """How variants of a run differ from one of them; `rows` are those of `metrics.differences`."""

    run: Any
    variants: list[str]
    against: str
    rows: pl.DataFrame

    @cached_property
    def words(self) -> Words:
        """The names of the run's things."""
        return words_of(self.run)

    @cached_property
    def sentences(self) -> list[Any]:
        """What a designer should know: see `sim.takeaways.comparing`."""
        from sim.takeaways.comparing import differences

        return differences(self.rows.to_dicts(), self.words)

    @property
    def tests(self) -> int:
        """How many p-values Holm's correction is over."""
        return self.rows["p"].count()

    def findings(self) -> list[tuple[str, list[str]]]:
        """Return what to read first: a heading for each variant and line-up, and sentences."""
        together: dict[str, list[str]] = {}
        for each in self.sentences:
            heading = self.heading(each.variant, each.against, each.lineup)
            together.setdefault(heading, []).append(f"{each.who}: {each.text}")
        return list(together.items())

    def tables(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Return the rows that have a difference by variant and line-up, each with its heading."""
        rows = self.rows.filter(pl.col("estimate").is_not_null()).to_dicts()
        together: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            heading = self.heading(row["variant"], row["against"], row["lineup"])
            together.setdefault(heading, []).append(row)
        return list(together.items())

    def heading(self, variant: str, against: str, lineup: str) -> str:
        """Return "hearts60 against hearts36", with the line-up if there are several."""
        who = f", {self.words.lineup(lineup)}" if len(self.words.lineups) > 1 else ""
        name, other = self.words.variant(variant), self.words.variant(against)
        return f"{name} against {other if variant != against else 'itself'}{who}"

    def notes(self) -> list[str]:
        """Return what a reader must know: what pairing saves, what is corrected, left out."""
        stopped = (
            "How many games were played hung on what they showed (until); intervals and p-values "
            "here take their number as given."
        )
        notes = [*self._saving(), *self._tested(), *self._left_out(), *self._cut_short()]
        return [*notes, stopped] if self.run.study.until else notes

    def _saving(self) -> Iterator[str]:
        saved = self.rows["saved"].drop_nulls()
        if len(saved):
            low, middle, high = (_times(saved.quantile(q)) for q in (0.0, 0.5, 1.0))
            yield (
                "Pairing: the variants meet the same luck, game by game. Otherwise it would take "
                f"{middle} times as many games to know as much (median; {low} to {high})."
            )

    def _tested(self) -> Iterator[str]:
        if self.tests:
            yield f"p-values and verdicts are corrected for {self.tests:,} differences (Holm)."

    def _left_out(self) -> Iterator[str]:
        """Tell which tables have no partner."""
        known = set(self.rows.select("variant", "players", "lineup").rows())
        known |= {(self.against, *key[1:]) for key in known}
        for unit in units(self.run):
            key = unit.variant, unit.players, unit.lineup
            if unit.head and unit.variant in (*self.variants, self.against) and key not in known:
                yield (
                    f"{self.words.variant(unit.variant)}, {self.words.lineup(unit.lineup)}, "
                    f"{say.players(unit.players)}: left out, as no other variant has that table."
                )

    def _cut_short(self) -> Iterator[str]:
        """Tell where a variant has games that its partner lacks."""
        played = {
            (unit.variant, unit.players, unit.lineup): sum(
                shard.count for shard in self.run.shards if shard.cell in unit.cells
            )
            for unit in units(self.run)
        }
        columns = ["variant", "against", "players", "lineup", "n"]
        for variant, against, players, lineup, n in self.rows.select(columns).unique().rows():
            most = max(played[name, players, lineup] for name in (variant, against))
            if n < most:
                yield (
                    f"{self.heading(variant, against, lineup)}, {say.players(players)}: "
                    f"compared in the first {n:,} of {most:,} games, as many as both have."
                )


def _times(factor: Any) -> str:
    return f"{factor:.1f}" if factor < 9.95 else f"{factor:,.0f}"


def choose(
    study: Study, variants: Sequence[str] = (), against: str | None = None
) -> tuple[list[str], str]:
    """Return the variants to compare and the one to compare them with, by default the first.

    Without names, all others are compared with it. Raises SimError for a name that the study does
    not have, and where there is nothing to compare.
    """
    names = list(study.variants)
    for name in (*variants, *([against] if against else [])):
        if name not in names:
            raise Place(study.source, ("variants",)).unknown("variant", name, names)
    base = against or names[0]
    if not against and base in variants:
        raise SimError(
            f'"{base}" is the variant that the others are compared with; '
            "name a second one to compare it with"
        )
    others = list(variants) or [name for name in names if name != base]
    if not others:
        raise Place(study.source).error(
            f'there is one variant, "{base}", and nothing to compare it with; '
            "add [variants.NAME] tables."
        )
    return others, base


def compare(run: Any, variants: str | Sequence[str] = (), against: str | None = None) -> Comparison:
    """Return how some variants of a run, or all others, differ from one, by default the first."""
    named = [variants] if isinstance(variants, str) else variants
    chosen, base = choose(run.study, named, against)
    return Comparison(run, chosen, base, metric.differences(run, chosen, base))


def write_comparison(comparison: Comparison, progress: report.Listener | None = None) -> Path:
    """Write compare.html, compare.json, compare.md and figures/compare/ into the run's folder.

    Returns the page's path. The page stands alone: it loads nothing.
    """
    if progress:
        progress.say("Writing the comparison ...")
    run = comparison.run
    folder = Path(run.folder)
    wanted = {"variants": comparison.variants, "against": comparison.against}
    notebook = report.execute(report.read_notebook(TEMPLATE), folder, **wanted)
    report.write(folder / ROWS, as_json(comparison))
    report.write(folder / SHORT, as_markdown(comparison))
    report.write_figures(notebook, folder / FIGURES)
    title = f"{run.study.title}: variants compared"
    return report.write_page(folder / PAGE, title, report.body(notebook))


def as_json(comparison: Comparison) -> str:
    """Return compare.json: sentences, what was compared and how, and all rows."""
    run, rows = comparison.run, comparison.rows
    content = {
        "format": FORMAT,
        "study": {"name": run.study.name, "title": run.study.title, "game": run.game.name},
        "variants": comparison.variants,
        "against": comparison.against,
        "sentences": [
            {
                "variant": each.variant,
                "lineup": each.lineup,
                "players": list(each.players),
                "text": each.text,
            }
            for each in comparison.sentences
        ],
        "notes": comparison.notes(),
        "correction": {"method": "Holm", "tests": comparison.tests},
        "smallest_differences": {
            "share": matters.SHARE,
            "cut_off": matters.CUT_OFF,
            "part": matters.PART,
            "count": matters.COUNT,
            "study": run.study.matters,
        },
        "provenance": {
            "identity": run.manifest["identity"],
            "rules": run.manifest["rules"],
            "versions": run.manifest["versions"],
        },
    }
    return report.with_rows(content, rows)


def as_markdown(comparison: Comparison) -> str:
    """Return compare.md: sentences and small tables, short enough for a CI job's page."""
    from sim import sidebyside

    found = dict(comparison.findings())
    parts = [f"# {markdown.escaped(comparison.run.study.title)}: variants compared"]
    for heading, rows in comparison.tables():
        parts.append(f"## {markdown.escaped(heading)}")
        parts.append(markdown.items(found[heading]))
        table = sidebyside.matrix(sidebyside.told(rows), comparison.words)
        if len(table):
            parts.append(markdown.table(table))
    notes = [f"{sidebyside.LEGEND}; ±: half of a 95 % interval.", *comparison.notes()]
    parts += map(markdown.prose, notes)
    return "\n\n".join(parts) + "\n"
