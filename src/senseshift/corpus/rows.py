"""Corpora as tables: CSV, TSV, JSONL or Parquet with a column of texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from senseshift.corpus.blocks import Block, nfc
from senseshift.corpus.text import Advance, Layout, read_lines
from senseshift.errors import InputError
from senseshift.usages.check import Origin
from senseshift.usages.files import JSON_LINES, SEPARATORS, csv_rows
from senseshift.usages.problems import Problems

BATCH = 10_000


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are called; date and source may be missing."""

    text: str = "text"
    date: str = "date"
    source: str = "source"


def suffix_of(path: Path) -> str:
    """The suffix that tells the format, .gz left aside."""
    return Path(path.stem).suffix.lower() if path.suffix == ".gz" else path.suffix.lower()


def row_blocks(
    path: Path, columns: Columns, layout: Layout | None, problems: Problems, advance: Advance
) -> Iterator[Block]:
    """The texts of a table; each row is a document of its own."""
    suffix = suffix_of(path)
    if suffix == ".parquet":
        rows = _parquet(path, columns, advance)
    elif suffix in JSON_LINES:
        rows = _json(path, columns, problems, advance)
    else:
        rows = _csv(path, SEPARATORS[suffix], columns, problems, advance)
    for number, text, date, source in rows:
        if text and text.strip():
            yield Block(
                nfc(text.strip()), number, number, layout == "lines", date=date, source=source
            )


Row = tuple[int, str | None, str | None, str | None]


def _picker(names: list[str], path: Path, columns: Columns) -> Callable[[str], int | None]:
    if columns.text not in names:
        raise InputError(
            f"{path}: expected a column {columns.text} with the texts, "
            f"found {', '.join(names) or 'none'}: name the column of texts."
        )
    return lambda name: names.index(name) if name in names else None


def _csv(
    path: Path, separator: str, columns: Columns, problems: Problems, advance: Advance
) -> Iterator[Row]:
    lines = _with_breaks(read_lines(path, problems, advance))
    rows = csv_rows(lines, separator, Origin(str(path), "line"), problems)
    pick = _picker(next(rows, (1, []))[1], path, columns)
    text, date, source = pick(columns.text), pick(columns.date), pick(columns.source)
    assert text is not None
    for number, row in rows:
        yield (
            number,
            row[text],
            None if date is None else row[date],
            None if source is None else row[source],
        )


def _with_breaks(lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    """The lines as the csv module wants them, blank ones put back, since they may be quoted."""
    last = 0
    for number, line in lines:
        yield from "\n" * (number - last - 1)
        yield line + "\n"
        last = number


def _json(path: Path, columns: Columns, problems: Problems, advance: Advance) -> Iterator[Row]:
    for number, line in read_lines(path, problems, advance):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text = row[columns.text]
        except (ValueError, KeyError, TypeError):
            what = f"expected a JSON object with {columns.text!r}, found {line[:40]}"
            problems.broken(f"{path}, line {number}", what)
            continue
        yield number, text, _text(row.get(columns.date)), _text(row.get(columns.source))


def _parquet(path: Path, columns: Columns, advance: Advance) -> Iterator[Row]:
    try:
        scan = pl.scan_parquet(path)
        names = scan.collect_schema().names()
        rows = scan.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).splitlines()[0]
        raise InputError(
            f"{path}: expected a Parquet file, but it cannot be read ({first})."
        ) from None
    _picker(names, path, columns)
    wanted = [columns.text, columns.date, columns.source]
    scan = scan.select(
        pl.col(name).cast(pl.String).alias(str(k))
        if name in names
        else pl.lit(None, dtype=pl.String).alias(str(k))
        for k, name in enumerate(wanted)
    )
    size, number = path.stat().st_size, 0
    for batch in scan.collect_batches(chunk_size=BATCH, maintain_order=True, lazy=True):
        for text, date, source in batch.iter_rows():
            yield number, text, date, source
            number += 1
        advance(round(size * batch.height / max(rows, 1)))


def _text(value: object) -> str | None:
    return None if value is None else str(value)
