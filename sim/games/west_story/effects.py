"""What a space or a card does when it is executed, and what a card scores at the end, as text.

effect       alternative, or several with " or " between them; no text at all is nothing
alternative  term, or several with " + " between them
term         "2 hats", "1 coin per licence symbol max 4", "discount 2", "fight 3", "free trade"

A term gives coins, hats, cows or vp: so many, or so many for each (`per`), for every two (`per 2`)
... of the things counted, at most `max`. The abilities hold for the coming turn: `discount` off the
cards' costs, `fight` off a villain's, `free trade` for a trade without its cost.
"""

import re
from dataclasses import dataclass

from sim.errors import listing, suggest
from sim.games.west_story.events import GAINS

COUNTS = {
    "animal": "animals",
    "building": "buildings",
    "production card": "production cards",
    "scoring card": "scoring cards",
    "card": "cards",
    "villain": "villains",
    "disc": "discs",
    "cow": "cows",
    "most frequent symbol": "most frequent symbol",
    "licence symbol": "licence symbols",
    "symbol set": "symbol sets",
}
"""What a term can count of its player, and the same as a plural.

Cards are all cards bought, covered ones too; animals are the wild ones. Cows are those in the
herd, villains the tokens won, discs those put in towns. "most frequent symbol": cards with the
symbol that most cards carry. "licence symbol": cards with the symbol printed on the player's
board. "symbol set": complete sets of all four symbols. A building counts for both of its symbols,
an animal for none.
"""

MAX_ALTERNATIVES = 3
MAX_TERMS = 4
MAX_AMOUNT = 20
MAX_MOST = 100

GOODS = {"coins": "coin", "hats": "hat", "cows": "cow", "vp": "vp"}
NUMBERED = ("discount", "fight")
ABILITIES = ("discount N", "fight N", "free trade")
TERMS = (*(f"N {good}" for good in GOODS), *ABILITIES)
"""What a term may be, as messages list it."""


@dataclass(frozen=True)
class Term:
    """One thing that is given; `what` is one of `events.GAINS`, `count` one of `COUNTS` or none.

    `per` is how many of the things counted give `amount` once; `most` limits the whole.
    """

    what: str
    amount: int
    count: str = ""
    per: int = 1
    most: int | None = None

    def worth(self, counted: int = 0) -> int:
        """Return how much the term gives when so many are counted."""
        times = counted // self.per if self.count else 1
        return self.amount * times if self.most is None else min(self.most, self.amount * times)


@dataclass(frozen=True)
class Effect:
    """Alternatives of which one is chosen, each the terms that are given, in the order of `GAINS`.

    Nothing is one alternative without terms.
    """

    alternatives: tuple[tuple[Term, ...], ...]


def parse_effect(text: str) -> Effect:
    """Return the effect that a text means; ValueError says in one line what is wrong."""
    words = _plain(text)
    if not words:
        return Effect(((),))
    parts = re.split(r"\bor\b", words)
    if len(parts) > MAX_ALTERNATIVES:
        raise _wrong(text, f"{len(parts)} alternatives; allowed: at most {MAX_ALTERNATIVES}")
    return Effect(tuple(_alternative(part, text) for part in parts))


def parse_end(text: str) -> Term | None:
    """Return the term of VP that a text means, None if it means nothing.

    ValueError says in one line what is wrong.
    """
    words = _plain(text)
    if not words:
        return None
    term = _term(words, text)
    if term.what != "vp":
        found = term.what.replace("_", " ")
        raise _wrong(text, f'found {found}; allowed: vp alone, such as "1 vp per 2 discs max 4"')
    return term


def show_effect(effect: Effect) -> str:
    """Return the text of an effect in the form that is always the same."""
    return " or ".join(" + ".join(map(_show, terms)) for terms in effect.alternatives)


def show_end(term: Term | None) -> str:
    """Return the text of a term at the end of the game, `""` for none."""
    return "" if term is None else _show(term)


def _show(term: Term) -> str:
    if term.what == "free_trade":
        return "free trade"
    if term.what in NUMBERED:
        return f"{term.what} {term.amount}"
    text = f"{term.amount} {GOODS[term.what] if term.amount == 1 else term.what}"
    if term.count:
        text += f" per {term.count}" if term.per == 1 else f" per {term.per} {COUNTS[term.count]}"
    return text if term.most is None else f"{text} max {term.most}"


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _wrong(text: str, why: str) -> ValueError:
    return ValueError(f'in "{_plain(text)}": {why}')


def _alternative(part: str, text: str) -> tuple[Term, ...]:
    terms = part.split("+")
    if len(terms) > MAX_TERMS:
        raise _wrong(text, f"{len(terms)} terms in one alternative; allowed: at most {MAX_TERMS}")
    return tuple(sorted((_term(term, text) for term in terms), key=_order))


def _order(term: Term) -> int:
    return GAINS.index(term.what)


def _term(term: str, text: str) -> Term:
    words = term.split()
    if not words:
        raise _wrong(text, f"a term is missing; allowed: {listing(TERMS)}")
    if words == ["free", "trade"]:
        return Term("free_trade", 1)
    if words[0] in NUMBERED:
        return _ability(words, text)
    if not words[0].isdecimal():
        near = suggest(" ".join(words), ("free trade",)) or suggest(words[0], NUMBERED)
        raise _wrong(
            text,
            f'found "{" ".join(words)}"; allowed: {listing(TERMS)}.{near}',
        )
    amount = _number(words[0], 0, MAX_AMOUNT, text)
    return _counted(_good(words[1:2], text), amount, words[2:], text)


def _ability(words: list[str], text: str) -> Term:
    name, *rest = words
    if len(rest) != 1:
        raise _wrong(text, f'found "{" ".join(words)}"; allowed: "{name} N", N a whole number')
    return Term(name, _number(rest[0], 0, MAX_AMOUNT, text))


def _number(word: str, least: int, most: int, text: str) -> int:
    if not word.isdecimal() or not least <= int(word) <= most:
        raise _wrong(text, f'found "{word}"; allowed: a whole number from {least} to {most}')
    return int(word)


def _good(words: list[str], text: str) -> str:
    for good, single in GOODS.items():
        if words in ([good], [single]):
            return good
    found = f'found "{words[0]}"' if words else "nothing after the number"
    near = suggest(words[0], GOODS) if words else ""
    raise _wrong(text, f"{found}; allowed: {listing(GOODS)}.{near}")


def _counted(what: str, amount: int, words: list[str], text: str) -> Term:
    """Return the term whose words after the good these are: `per [K] COUNT [max M]` or none."""
    if not words:
        return Term(what, amount)
    if words[0] != "per":
        near = suggest(words[0], ("per", "or"))
        raise _wrong(text, f'found "{words[0]}"; allowed: per, +, or, or nothing more.{near}')
    rest, most = words[1:], None
    if "max" in rest:
        at = rest.index("max")
        if len(rest) != at + 2:
            found = " ".join(rest[at:])
            raise _wrong(text, f'found "{found}"; allowed: "max N" at the end, N a whole number')
        most, rest = _number(rest[-1], 0, MAX_MOST, text), rest[:at]
    per = 1
    if rest and not rest[0].isalpha():
        per, rest = _number(rest[0], 1, MAX_AMOUNT, text), rest[1:]
    return Term(what, amount, _count(" ".join(rest), text), per, most)


def _count(name: str, text: str) -> str:
    for count, plural in COUNTS.items():
        if name in (count, plural, f"{count}s"):
            return count
    found = f'found "{name}"' if name else "nothing found"
    near = suggest(name, (*COUNTS, *COUNTS.values()))
    raise _wrong(text, f"{found} to count after per; allowed: {listing(COUNTS)}.{near}")
