"""Corpora as tables: CSV, TSV, JSONL or Parquet with a column of texts.

Every row is a document of its own. What its other columns say (author, genre, title, …) stays with
its usages, under the same names; those that a usage or a study has already are called
``NAME_given``. A value of more than :data:`LONGEST` characters is no such thing and is cut.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from senseshift.corpus.blocks import Block, nfc
from senseshift.corpus.lines import Source
from senseshift.corpus.text import Layout
from senseshift.errors import InputError, shortened
from senseshift.reading import expecting, printable
from senseshift.usages.files import JSON_LINES, SEPARATORS, csv_rows
from senseshift.usages.schema import ALIASES, COLUMNS, FOUND, PASSING, SPAN, Origin, given
from senseshift.usages.texts import as_text

BATCH = 10_000
LONGEST = 1_000
MOST = 100  # columns that stay with usages
# What names a document where there is no column of sources, the likeliest first.
_DOCUMENT = ("id", "doc_id", "document", "document_id", "file", "filename", "url", "title")
_RESERVED = frozenset({*COLUMNS, *ALIASES, *FOUND, *PASSING, SPAN})

Row = tuple[int, Mapping[str, Any]]


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are called; date and source may be missing."""

    text: str = "text"
    date: str = "date"
    source: str = "source"


def suffix_of(path: Path) -> str:
    """The suffix that tells the format, .gz left aside."""
    plain = Path(path.stem) if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def row_blocks(source: Source, columns: Columns, layout: Layout | None) -> Iterator[Block]:
    """The texts of a table; each row is a document of its own."""
    suffix = suffix_of(source.path)
    if suffix == ".parquet":
        rows = _parquet(source, columns)
    elif suffix in JSON_LINES:
        rows = _json(source, columns)
    else:
        rows = _csv(source, SEPARATORS[suffix], columns)
    names: dict[str, str] = {}
    for number, row in rows:
        text = row[columns.text]
        if text is None:
            continue
        if not isinstance(text, str):
            what = f"expected text, found {shortened(repr(text), 40)}"
            source.problems.broken(source.at(number, shortened(columns.text)), what)
        elif stripped := text.strip():
            yield Block(
                nfc(stripped),
                number,
                number,
                layout == "lines",
                date=_told(row.get(columns.date)),
                source=_told(row.get(columns.source)) or _document(source, row, number),
                extra=partial(_extra, row, columns, names),
            )


def _document(source: Source, row: Mapping[str, Any], number: int) -> str:
    """What tells a row from others: its id, its title, or where it is."""
    known = (told for name in _DOCUMENT if (told := _told(row.get(name))))
    return f"{source.name}:{next(known, number)}"


def _extra(row: Mapping[str, Any], columns: Columns, names: dict[str, str]) -> dict[str, str]:
    """What a row says beside text, date and source; ``names`` is the same for all rows."""
    found = {}
    for name, value in row.items():
        if name in (columns.text, columns.date, columns.source) or not name.strip():
            continue
        if name not in names and len(names) < MOST:
            names[name] = given(_sound(name.strip()), _RESERVED, {*row, *names.values()})
        if name in names and (told := _told(value)):
            found[names[name]] = told
    return found


def _told(value: object) -> str | None:
    """A value as a table of usages holds it; None for one that says nothing."""
    if value is None or isinstance(value, bytes):
        return None
    try:
        text = as_text(value)
    except (ValueError, RecursionError):
        return None
    return shortened(_sound(text.strip()), LONGEST) or None if text else None


def _sound(text: str) -> str:
    """Text without halves of surrogate pairs, which JSON may hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _wanted(names: list[str], source: Source, columns: Columns) -> list[str]:
    """The columns to read of those that there are."""
    if columns.text not in names:
        raise InputError(
            f"{printable(source.path)}: expected a column {shortened(columns.text)} with the "
            f"texts, found {shortened(', '.join(names), 200) or 'none'}: name the column of texts."
        )
    ours = (columns.text, columns.date, columns.source, *_DOCUMENT)
    known = set(names)
    first = [name for name in ours if name in known]
    if len(known) > MOST + len(first):
        source.problems.left_out(
            f"{printable(source.path)}: of its {len(known):,} columns the first {MOST} are kept."
        )
    return list(dict.fromkeys([*first, *names[:MOST]]))


def _csv(source: Source, separator: str, columns: Columns) -> Iterator[Row]:
    lines = _with_breaks(source.lines())
    first = next(lines, "")
    separator = _separator(first, separator, columns)
    origin = Origin(printable(source.path), "line")
    rows = csv_rows(chain([first], lines), separator, origin, source.problems)
    header = next(rows, (1, []))[1]
    place = {name: k for k, name in enumerate(header)}
    wanted = [(name, place[name]) for name in _wanted(header, source, columns)]
    for number, row in rows:
        yield number, {name: row[k] for name, k in wanted}


def _separator(header: str, usual: str, columns: Columns) -> str:
    """What separates the columns; spreadsheets in some languages write ``;``."""
    for separator in (usual, ",", ";", "\t"):
        try:
            names = next(csv.reader([header], delimiter=separator), [])
        except csv.Error:
            continue
        if columns.text in map(str.strip, names):
            return separator
    return usual


def _with_breaks(lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    """The lines as the csv module wants them, blank ones put back, since they may be quoted."""
    last = 0
    for number, line in lines:
        yield from "\n" * (number - last - 1)
        yield line + "\n"
        last = number


def _json(source: Source, columns: Columns) -> Iterator[Row]:
    for number, line in source.lines():
        try:
            row = json.loads(line, parse_int=_number)
        except RecursionError:
            source.problems.broken(source.at(number), "expected a JSON object, found a nested one")
            continue
        except ValueError:
            row = None
        if isinstance(row, dict) and columns.text in row:
            if "\\u" in line and _halved(row[columns.text]):
                what = "expected Unicode text, found half a surrogate pair"
                source.problems.broken(source.at(number, shortened(columns.text)), what)
            else:
                yield number, row
        else:
            what = (
                f"expected a JSON object with {shortened(columns.text)!r}, "
                f"found {shortened(line.strip(), 40)}"
            )
            source.problems.broken(source.at(number), what)


def _halved(text: object) -> bool:
    return isinstance(text, str) and any("\ud800" <= letter <= "\udfff" for letter in text)


def _number(digits: str) -> int | str:
    """A whole number; as text where Python takes no number of so many digits."""
    return int(digits) if len(digits) < 1000 else digits


def _parquet(source: Source, columns: Columns) -> Iterator[Row]:
    with expecting(source.path, "a Parquet file"):
        scan = pl.scan_parquet(source.path, glob=False)
        names = scan.collect_schema().names()
        rows = scan.select(pl.len()).collect().item()
    scan = scan.select(_wanted(names, source, columns))
    size, number = source.path.stat().st_size, 0
    batches = scan.collect_batches(chunk_size=BATCH, maintain_order=True, lazy=True)
    while True:
        with expecting(source.path, "a Parquet file"):
            batch = next(batches, None)
        if batch is None:
            return
        for row in batch.iter_rows(named=True):
            yield number, row
            number += 1
        source.advance(round(size * batch.height / max(rows, 1)))
