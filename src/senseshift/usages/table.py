"""The table of usages itself: checked once, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from senseshift.errors import InputError, shortened
from senseshift.usages.check import check
from senseshift.usages.corpora import Corpora
from senseshift.usages.periods import as_list, in_order
from senseshift.usages.problems import Problems
from senseshift.usages.schema import PLACE, REQUIRED, Origin
from senseshift.usages.texts import from_rows

SHOWN = 10
SCHEMA = {name: pl.Int64 if name in ("start", "end") else pl.String for name in REQUIRED}


@dataclass(frozen=True, eq=False, repr=False)
class Usages:
    """Occurrences of words in context, in any number of periods.

    Made by :meth:`from_records`, :meth:`from_table`, :func:`senseshift.usages.read` and
    :func:`senseshift.corpus.find`, which check every row.

    Attributes
    ----------
    table
        polars table with ``word, period, id, text`` and ``start, end``, the span of the target
        as a Python slice of ``text``; where known, ``date, source, sense``; and all else that its
        source tells, as text (see :mod:`senseshift.usages.schema`).
    periods
        The periods, oldest first.
    dropped
        What was left out on the way here, one sentence each.
    missing
        Words that were asked for but have no usage at all, with the reason.
    corpora
        Of usages that :func:`senseshift.corpus.find` found: what was read and counted.
    """

    table: pl.DataFrame
    periods: tuple[str, ...]
    dropped: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    corpora: Corpora | None = None

    @classmethod
    def from_records(
        cls,
        records: Iterable[Mapping[str, object]],
        *,
        periods: Sequence[str] | None = None,
        skip_bad: bool = False,
    ) -> Usages:
        """Usages from mappings with the keys of a usage, and perhaps others, which are kept.

        Parameters
        ----------
        records
            Mappings such as ``{"word": …, "period": …, "id": …, "text": …, "start": …, "end": …}``.
        periods
            The periods in their order, oldest first, where names alone do not tell it.
        skip_bad
            Drop broken records and say so in ``dropped``, rather than stop at the first.
        """
        origin, problems = Origin("records"), Problems(skip_bad)
        rows = [_record(number, record) for number, record in enumerate(records)]
        if not rows:
            return cls._of(pl.DataFrame(schema=SCHEMA), periods, problems)
        frame = from_rows(rows, range(len(rows)), origin, problems)
        return cls._of(check(frame, origin, problems), periods, problems)

    @classmethod
    def from_table(
        cls,
        table: Any,
        *,
        periods: Sequence[str] | None = None,
        skip_bad: bool = False,
    ) -> Usages:
        """Usages from a polars or pandas table; parameters as for :meth:`from_records`."""
        if isinstance(table, pl.DataFrame):
            return cls._checked(table, Origin("table"), periods, skip_bad)
        if hasattr(table, "to_dict") and hasattr(table, "columns"):
            if not table.columns.is_unique:
                raise InputError("The table has two columns of one name: rename one of them.")
            missing = table.isna()
            columns = [
                [None if gap else v for v, gap in zip(table[name], missing[name], strict=True)]
                for name in table.columns
            ]
            names = list(map(str, table.columns))
            rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
            return cls.from_records(rows, periods=periods, skip_bad=skip_bad)
        raise InputError(f"Expected a polars or pandas table, found {type(table).__name__}.")

    @classmethod
    def concat(cls, parts: Sequence[Usages], *, periods: Sequence[str] | None = None) -> Usages:
        """One table of several, such as one file for each period."""
        if not parts:
            raise InputError("There is nothing to put together: give at least one table of usages.")
        table = pl.concat([part.table for part in parts], how="diagonal")
        dropped = [message for part in parts for message in part.dropped]
        order = periods or in_order(name for part in parts for name in part.periods)
        joined = cls._checked(table, Origin("tables put together"), order, False)
        absent = {word: why for part in parts for word, why in part.missing.items()}
        for word in joined.words:
            absent.pop(word, None)
        return cls(joined.table, joined.periods, dropped, absent)

    @classmethod
    def _checked(
        cls, frame: pl.DataFrame, origin: Origin, periods: Sequence[str] | None, skip_bad: bool
    ) -> Usages:
        problems = Problems(skip_bad)
        frame = frame.rename({PLACE: f"{PLACE}_given"}, strict=False)
        return cls._of(check(frame, origin, problems), periods, problems)

    @classmethod
    def _of(cls, table: pl.DataFrame, periods: Sequence[str] | None, problems: Problems) -> Usages:
        """Checked rows, with columns that say nothing left out."""
        unknown = [
            column.name
            for column in table.get_columns()
            if column.name not in REQUIRED and column.null_count() == table.height
        ]
        found = table["period"].unique(maintain_order=True).to_list()
        if periods is None:
            order = in_order(found)
        else:
            order = tuple(as_list(periods))
            if surplus := [name for name in found if name not in order]:
                raise InputError(
                    f"There are usages of the period {shortened(repr(surplus[0]))}, which is not "
                    f"one of {shortened(', '.join(order), 200)}: name all periods, or select some."
                )
        return cls(table.drop(unknown), order, problems.messages, problems.missing)

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in the order in which they first appear."""
        return tuple(self.table["word"].unique(maintain_order=True))

    @property
    def skipped(self) -> dict[str, str]:
        """Words that cannot be compared over all periods, with the reason."""
        reasons = {}
        for word, *counts in self.counts().iter_rows():
            empty = [name for name, n in zip(self.periods, counts, strict=True) if n == 0]
            if empty:
                reasons[word] = (
                    f"no usages in the period{'s' * (len(empty) > 1)} {', '.join(empty)}"
                )
        return reasons | self.missing

    def counts(self) -> pl.DataFrame:
        """How many usages each word has in each period: ``word`` and a column for each period."""
        return (
            self.table.group_by("word", maintain_order=True)
            .agg(
                (pl.col("period") == period).sum().cast(pl.Int64).alias(f"#{period}")
                for period in self.periods
            )
            .rename({f"#{period}": period for period in self.periods if period != "word"})
        )

    def select(
        self,
        word: str | Sequence[str] | None = None,
        period: str | Sequence[str] | None = None,
    ) -> Usages:
        """The usages of some words, some periods, or both, in their order here."""
        table, periods, missing = self.table, self.periods, self.missing
        if word is not None:
            chosen = _among(word, (*self.words, *self.missing), "word")
            table = table.filter(pl.col("word").is_in(chosen))
            missing = {name: why for name, why in missing.items() if name in chosen}
        if period is not None:
            wanted = _among(period, self.periods, "period")
            table = table.filter(pl.col("period").is_in(wanted))
            periods = tuple(name for name in self.periods if name in wanted)
        return Usages(table, periods, list(self.dropped), missing, self.corpora)

    def target(self, row: int) -> str:
        """The target of one usage as it stands in its text."""
        start, end, text = self.table.select("start", "end", "text").row(row)
        return str(text[start:end])

    def write(self, path: str | Path) -> None:
        """Write a .parquet, .csv, .tsv or .jsonl file, completely or not at all.

        Parquet keeps ``corpora`` as well.
        """
        from senseshift.usages.files import write

        write(self.table, Path(path), self.corpora)

    def to_pandas(self) -> Any:
        """The table as a pandas table."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise InputError(
                "to_pandas() needs pandas, which is not installed: pip install pandas."
            ) from None
        return pandas.DataFrame({name: self.table[name].to_list() for name in self.table.columns})

    def __len__(self) -> int:
        return self.table.height

    def _title(self) -> str:
        words, periods = len(self.words), len(self.periods)
        return (
            f"{len(self):,} usages of {words:,} word{'s' * (words != 1)} "
            f"in {periods} period{'s' * (periods != 1)}"
        )

    def _notes(self) -> list[str]:
        more, skipped = len(self.words) - SHOWN, len(self.skipped)
        notes = [f"… and {more:,} more words"] if more > 0 else []
        if skipped:
            notes.append(f"{skipped:,} word(s) lack usages in some period: see .skipped")
        if self.dropped:
            notes.append(f"{len(self.dropped):,} note(s) on what was left out: see .dropped")
        return notes

    def __str__(self) -> str:
        rows = [("", *(shortened(name, 40) for name in self.periods))]
        for word, *counts in self.counts().head(SHOWN).iter_rows():
            rows.append((shortened(word, 40), *map(str, counts)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  "
            + "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([self._title(), *lines, *(f"  {note}" for note in self._notes())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in ("", *self.periods))
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
            for row in self.counts().head(SHOWN).iter_rows()
        )
        notes = "".join(f"<p>{escape(note)}</p>" for note in self._notes())
        caption = f"<caption>{self._title()}</caption>"
        return f"<table>{caption}<tr>{head}</tr>{body}</table>{notes}"


def _among(wanted: str | Sequence[str], names: tuple[str, ...], what: str) -> list[str]:
    chosen = [wanted] if isinstance(wanted, str) else list(wanted)
    if unknown := [name for name in chosen if name not in names]:
        some = shortened(", ".join(names[:SHOWN]), 200) + (", …" if len(names) > SHOWN else "")
        name = shortened(repr(unknown[0]))
        raise InputError(f"There is no {what} {name} here: the {what}s are {some}.")
    return chosen


def _record(number: int, record: object) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise InputError(
            f"records, row {number}: expected a mapping with the keys of a usage, "
            f"found {type(record).__name__}."
        )
    return {str(key): value for key, value in record.items()}
