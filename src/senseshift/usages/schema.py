"""What a table of usages holds, and what files may call it.

A table has the columns ``word, period, id, text, start, end``; where known, ``date, source,
sense``; and whatever else its source tells of a usage (author, genre, …), by these rules:

- They hold text. Blank is null; a column that is blank throughout is left out, and so is one
  without a name. Lists and structures become JSON; bytes that are no text are left out and told.
- A column with a name under which a study files what it finds (:data:`FOUND`) is called
  ``NAME_given``: ``distance`` becomes ``distance_given``. One called so already keeps its name.
  So is one that polars would take for a pattern, such as ``*``.
- Of word usage graphs, columns that say the context again in another form (``context_tokenized``,
  ``indexes_target_sentence``, …) are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from senseshift.errors import InputError, shortened

REQUIRED = ("word", "period", "id", "text", "start", "end")
OPTIONAL = ("date", "source", "sense")
COLUMNS = REQUIRED + OPTIONAL

# What word usage graphs call the same columns.
ALIASES = {
    "lemma": "word",
    "grouping": "period",
    "identifier": "id",
    "context": "text",
    "cluster": "sense",
}
SPAN = "indexes_target_token"
# Where a row came from: the number of its line, kept while it is checked.
PLACE = "#place"
# Columns that exist while usages are read and checked.
PASSING = frozenset({PLACE, "#problem", "#start", "#end", "#first", "#year", "#key"})
# Columns that a study adds to its usages.
FOUND = frozenset({
    "usage", "identity", "old", "new", "sus", "ldr", "cluster", "tau", "widid", "position",
    "partner", "partner_share", "nearest", "distance", "excess", "p", "q", "induced_sense",
    "confidence", "tau_senses", "q_study", "widid_raw", "representativeness",
})  # fmt: skip
MOST = 10_000  # columns: what has more is not a table of usages


@dataclass(frozen=True)
class Origin:
    """Where rows came from, to name one of them.

    Attributes
    ----------
    name
        The file, or what stands for it.
    row
        What a row is called there: ``line`` or ``row``.
    columns
        What the file calls our columns, where that differs.
    """

    name: str
    row: str = "row"
    columns: tuple[tuple[str, str], ...] = ()

    def at(self, number: int, column: str | None = None) -> str:
        """The place of a row, and of a column in it."""
        called = dict(self.columns).get(column or "", column)
        place = f"{self.name}, {self.row} {number}"
        return place + (f", column {shortened(called)}" if called else "")


def rename(names: Collection[str]) -> dict[str, str]:
    """What each column of a file is called here; those without a name are not in it.

    >>> rename(["lemma", "id", "author", "tau", ""])
    {'id': 'id', 'lemma': 'word', 'author': 'author', 'tau': 'tau_given'}
    """
    have, reserved = set(names), FOUND | PASSING
    found = {name: name for name in names if name in COLUMNS or name == SPAN}
    for alias, name in ALIASES.items():
        if alias in have and name not in have:
            found[alias] = name
    for name in names:
        if name not in found and name.strip():
            here = given(name, reserved, have)
            have.add(here)
            found[name] = here
    return found


def given(name: str, reserved: Collection[str], have: Collection[str]) -> str:
    """The name of a column that may not have a reserved one, nor that of another column."""
    here = name
    while here in reserved or _is_pattern(here) or (here != name and here in have):
        here += "_given"
    return here


def _is_pattern(name: str) -> bool:
    """Whether polars would take a name for that of several columns."""
    return name == "*" or (name.startswith("^") and name.endswith("$"))


def require(
    names: Collection[str], origin: Origin, *, but: Collection[str] = (), remedy: str = ""
) -> None:
    """All required columns must be there, except those that come from elsewhere."""
    names = [name for name in names if name != PLACE]
    if len(names) > MOST:
        raise InputError(
            f"{origin.name}: expected the columns {', '.join(REQUIRED)} and perhaps some more, "
            f"found {len(names):,} columns, which is no table of usages{remedy}."
        )
    have = set(rename(names).values())
    if SPAN in have:
        have |= {"start", "end"}
    missing = [name for name in REQUIRED if name not in have and name not in but]
    if missing:
        raise InputError(
            f"{origin.name}: the column{'s' * (len(missing) > 1)} {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; expected {', '.join(REQUIRED)}, "
            f"found {shortened(', '.join(names), 200) or 'no column'}{remedy}."
        )


def repeated_name(names: Collection[str]) -> str | None:
    """The complaint about a header in which two columns have one name; None if it is sound."""
    twice = sorted(name for name, count in Counter(names).items() if count > 1 and name)
    return f"the column {shortened(twice[0])} is there twice" if twice else None
