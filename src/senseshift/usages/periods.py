"""Periods: their order, and how a date finds its period."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from senseshift.errors import InputError, shortened

# 2, 1815, 1700-1916, -200-0, and the two names that split_year makes.
_NUMBERED = re.compile(r"(before |from )?\s*(-?[0-9]{1,9})(?:\s*[-–]\s*(-?[0-9]{1,9}))?\s*")
# 1815 · 1815-03-02 · 1815/3 · 1815.0 · 02.03.1815; other digits than these may be of another
# calendar.
_YEAR_FIRST, _YEAR_ONLY, _YEAR_LAST = (
    r"^\s*(-?[0-9]{3,4})(?:[^0-9]|$)",
    r"^\s*(-?[0-9]{1,4})\s*$",
    r"[^0-9]([0-9]{4})\s*$",
)
FAR = 10**6  # years, either way


def in_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels oldest first: by number where all have one, else as they first appear.

    >>> in_order(["1990-2017", "1700-1916"])
    ('1700-1916', '1990-2017')
    >>> in_order(["old", "new"])
    ('old', 'new')
    """
    distinct = list(dict.fromkeys(labels))
    matches = [_NUMBERED.fullmatch(label) for label in distinct]
    keys = {}
    for label, match in zip(distinct, matches, strict=True):
        if match is None:
            return tuple(distinct)
        side, first, last = match.groups()
        keys[label] = (int(first), {"before ": -1, "from ": 1}.get(side, 0), int(last or first))
    return tuple(sorted(distinct, key=keys.__getitem__))


@dataclass(frozen=True)
class Spans:
    """Periods as ranges of years, both ends included, oldest first."""

    labels: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def split(cls, year: int) -> Spans:
        """Before a year, and from it on."""
        if isinstance(year, bool) or not isinstance(year, int):
            raise InputError(f"split_year is {year!r}: expected a year such as 1900.")
        if not -FAR < year < FAR:
            raise InputError(f"split_year is beyond {FAR:,} years: expected one such as 1900.")
        return cls((f"before {year}", f"from {year}"), ((-FAR, year - 1), (year, FAR)))

    @classmethod
    def parse(cls, periods: str | Sequence[str]) -> Spans:
        """Ranges such as ``1810-1860,1960-2010``.

        >>> Spans.parse("1960-2010, 1810-1860").ranges
        ((1810, 1860), (1960, 2010))
        """
        ranges = {}
        for item in as_list(periods):
            match = _NUMBERED.fullmatch(item)
            if match is None or match[1] or int(match[3] or match[2]) < int(match[2]):
                raise InputError(
                    f"The period {shortened(repr(item))} is not a range of years: write "
                    "periods such as 1810-1860,1960-2010, or name values of the period column."
                )
            ranges[item] = (int(match[2]), int(match[3] or match[2]))
        labels = sorted(ranges, key=ranges.__getitem__)
        for earlier, later in pairwise(labels):
            if ranges[later][0] <= ranges[earlier][1]:
                raise InputError(
                    f"The periods {earlier} and {later} overlap: a year can be in one period only."
                )
        return cls(tuple(labels), tuple(ranges[label] for label in labels))

    def of(self, year: int) -> str | None:
        """The period of a year; None outside all of them."""
        for label, (first, last) in zip(self.labels, self.ranges, strict=True):
            if first <= year <= last:
                return label
        return None

    def expression(self, year: pl.Expr) -> pl.Expr:
        """The period of every year of a column; null outside all of them."""
        result = pl.lit(None, dtype=pl.String)
        for label, (first, last) in zip(self.labels, self.ranges, strict=True):
            result = pl.when(year.is_between(first, last)).then(pl.lit(label)).otherwise(result)
        return result


def spans_from(periods: str | Sequence[str] | None, split_year: int | None) -> Spans | None:
    """What the two arguments ask for, at most one of which may be given."""
    if periods is not None and split_year is not None:
        raise InputError(
            f"Both periods={periods!r} and split_year={split_year} were given: choose one."
        )
    if split_year is not None:
        return Spans.split(split_year)
    return None if periods is None else Spans.parse(periods)


def as_list(periods: str | Sequence[str]) -> list[str]:
    """Periods written as one string with commas, or as a list."""
    items = periods.split(",") if isinstance(periods, str) else [str(item) for item in periods]
    names = [item.strip() for item in items if item.strip()]
    if len(set(names)) < len(names) or not names:
        raise InputError(
            f"The periods {shortened(repr(periods))} must be at least one name, each named once, "
            "such as 1810-1860,1960-2010."
        )
    return names


def year_of(date: pl.Expr) -> pl.Expr:
    """The year of dates such as 1815, 1815-03-02 or 02.03.1815; null where there is none."""
    patterns = (_YEAR_FIRST, _YEAR_ONLY, _YEAR_LAST)
    return pl.coalesce(date.str.extract(pattern) for pattern in patterns).cast(pl.Int64)


def year_in(date: str) -> int | None:
    """The year of one date, by the same rules."""
    for pattern in (_YEAR_FIRST, _YEAR_ONLY, _YEAR_LAST):
        if match := re.search(pattern, date):
            return int(match[1])
    return None
