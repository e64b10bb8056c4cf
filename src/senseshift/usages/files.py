"""Reading and writing usages: Parquet, CSV and TSV, JSONL; word usage graphs are in ``wug``."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from senseshift.errors import InputError, shortened
from senseshift.reading import contents, expecting, is_there, printable
from senseshift.usages import wug
from senseshift.usages.check import check
from senseshift.usages.corpora import Corpora
from senseshift.usages.periods import Spans, as_list, spans_from, year_of
from senseshift.usages.problems import Problems, decode
from senseshift.usages.schema import (
    COLUMNS,
    PLACE,
    REQUIRED,
    SPAN,
    Origin,
    rename,
    repeated_name,
    require,
)
from senseshift.usages.table import Usages
from senseshift.usages.texts import as_texts, from_rows
from senseshift.writing import written_whole

SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES = (".jsonl", ".ndjson")
_RECORD = "senseshift.corpora"  # in the metadata of Parquet
CORPUS = "; texts in which usages are still to be found are a corpus: give it with --old and --new"


def read(
    path: str | Path,
    *,
    periods: str | Sequence[str] | None = None,
    split_year: int | None = None,
    period: str | None = None,
    skip_bad: bool = False,
    clusters: str = "opt",
) -> Usages:
    """Usages from a Parquet, CSV, TSV or JSONL file, or from a folder of word usage graphs.

    Parameters
    ----------
    path
        The file or folder. Columns may also be called as in word usage graphs (``lemma``,
        ``grouping``, ``identifier``, ``context``, ``indexes_target_token``, ``cluster``).
    periods
        Which periods to keep, oldest first: values of the period column, or ranges of years such
        as ``1810-1860,1960-2010`` by which the dates are sorted into periods.
    split_year
        Sort the dates into two periods: before this year, and from it on.
    period
        The period of the whole file, if it has no such column.
    skip_bad
        Drop broken rows and say so in ``dropped``, rather than stop at the first.
    clusters
        Which clustering of a word usage graph gives the senses.
    """
    path, problems = Path(path), Problems(skip_bad)
    if not is_there(path):
        raise InputError(
            f"{printable(path)} does not exist: give a file of usages or a folder of graphs."
        )
    derived = any(given is not None for given in (periods, split_year, period))
    if path.is_dir():
        parts = wug.parts(path, clusters, problems)
    else:
        parts = [_frame(path, ["period"] if derived else [], problems)]
    parts = [(as_texts(frame, origin, problems), origin) for frame, origin in parts]
    order = None if periods is None or split_year is not None else as_list(periods)
    if order is not None and not _are_labels(order, parts, period):
        order = None
    spans = None if order else spans_from(periods, split_year)
    tables, words = [], set()
    for frame, origin in parts:
        words |= _words(frame)
        if spans is not None:
            frame = _dated(frame, origin, spans, problems)
        elif period is not None:
            frame = frame.with_columns(period=pl.lit(str(period)))
        tables.append(check(frame, origin, problems))
    table = pl.concat(tables, how="diagonal")
    if order is not None:
        table = _only(table, order, problems)
    for word in sorted(words - set(table["word"])):
        problems.missing[word] = f"no usages left of those in {printable(path)}"
    usages = Usages._of(table, order or (spans.labels if spans else None), problems)
    if derived and order is None:  # periods other than those that were counted
        return usages
    return replace(usages, corpora=_corpora(path))


def format_of(path: Path) -> str:
    """The suffix of a file of usages to be written; an error if there is no such format."""
    suffix = path.suffix.lower()
    if suffix not in (".parquet", *SEPARATORS, *JSON_LINES):
        raise InputError(
            f"{path}: usages are written as .parquet, .csv, .tsv or .jsonl, not {suffix or 'this'}."
        )
    return suffix


def write(table: pl.DataFrame, path: Path, corpora: Corpora | None = None) -> None:
    """Write a table in the format that the file's name tells; Parquet keeps the record, too."""
    suffix = format_of(path)
    with written_whole(path) as file:
        if suffix == ".parquet":
            record = {} if corpora is None else {_RECORD: json.dumps(corpora.to_dict())}
            table.write_parquet(file, metadata=record)
        elif suffix in JSON_LINES:
            table.write_ndjson(file)
        else:
            table.write_csv(file, separator=SEPARATORS[suffix])


def _corpora(path: Path) -> Corpora | None:
    """The record of the corpora that a Parquet file was found in, if it has one."""
    if path.suffix.lower() != ".parquet":
        return None
    with path.open("rb") as file:
        record = pl.read_parquet_metadata(file).get(_RECORD)
    try:
        return None if record is None else Corpora.from_dict(json.loads(record))
    except (ValueError, KeyError, TypeError, RecursionError, pl.exceptions.PolarsError):
        raise InputError(
            f"{printable(path)}: expected under {_RECORD} the record of the corpora it was found "
            "in, but it is damaged: find the usages again."
        ) from None


def _frame(path: Path, but: list[str], problems: Problems) -> tuple[pl.DataFrame, Origin]:
    """A file as it is, with the number of each row, and how to name one.

    All required columns must be there ``but`` some.
    """
    suffix, origin = path.suffix.lower(), Origin(printable(path), "line")
    if suffix == ".parquet":
        origin = Origin(origin.name)
        with expecting(path, "a Parquet file"), path.open("rb") as file:
            frame = pl.read_parquet(file)
        require(frame.columns, origin, but=but, remedy=CORPUS)
        return frame.rename({PLACE: f"{PLACE}_given"}, strict=False), origin
    if suffix not in (*SEPARATORS, *JSON_LINES):
        raise InputError(
            f"{origin.name}: expected a .parquet, .csv, .tsv or .jsonl file or a folder of word "
            f"usage graphs, found {suffix or 'a file without suffix'}."
        )
    text = decode(contents(path), origin.name, problems)
    if suffix in JSON_LINES:
        return _json_lines(text, but, origin, problems), origin
    begin = text.partition("\n")[0].rstrip("\r")
    if SPAN in begin.split("\t"):
        # One uses.csv of a graph: nothing is quoted there.
        return wug.frame(text, origin.name, problems)
    separator = _separator(begin, SEPARATORS[suffix])
    rows = csv_rows(io.StringIO(text, newline=""), separator, origin, problems)
    header = next(rows, (1, []))[1]
    require(header, origin, but=but, remedy=CORPUS)
    return columns(header, rows), origin


def _separator(header: str, usual: str) -> str:
    """What separates the names of our columns; spreadsheets in some languages write ``;``."""

    def known(separator: str) -> int:
        names = (name.strip(' "') for name in header.split(separator))
        return sum(name in REQUIRED for name in names)

    return max((usual, ",", ";", "\t"), key=known)


def columns(header: list[str], rows: Iterator[tuple[int, list[str]]]) -> pl.DataFrame:
    """Rows of text as a frame under our names."""
    names = rename(header)
    wanted = [(k, names[name]) for k, name in enumerate(header) if name in names]
    data: dict[str, list[str]] = {name: [] for _, name in wanted}
    fills = [(k, data[name].append) for k, name in wanted]
    places = []
    for number, row in rows:
        places.append(number)
        for k, fill in fills:
            fill(row[k])
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String))
    return frame.with_columns(pl.Series(PLACE, places, dtype=pl.Int64))


def csv_rows(
    lines: Iterator[str], separator: str, origin: Origin, problems: Problems
) -> Iterator[tuple[int, list[str]]]:
    """Header and rows with the line each starts in; broken rows are named."""
    csv.field_size_limit(2**31 - 1)  # a text may be longer than the module expects of a field
    reader = csv.reader(lines, delimiter=separator, strict=True)
    width, start = 0, 1
    try:
        for row in reader:
            number, start = start, reader.line_num + 1
            if not row:
                continue
            if not width:
                width = len(row)
                row = [name.strip() for name in row]
                if repeated := repeated_name(row):
                    raise InputError(f"{origin.at(number)}: {repeated}.")
            if len(row) != width:
                problems.broken(
                    origin.at(number), f"expected {width} fields as in the header, found {len(row)}"
                )
                continue
            yield number, row
    except csv.Error as error:
        raise InputError(
            f"{origin.at(start)}: expected rows quoted as spreadsheets do, found a row that cannot "
            f"be read ({error}): look for a lone double quote there."
        ) from None


def _json_lines(text: str, but: list[str], origin: Origin, problems: Problems) -> pl.DataFrame:
    places, rows = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = _parsed(line)
        except ValueError as error:
            row, why = None, f" ({str(error).partition(':')[0]})"
        except RecursionError:
            row, why = None, ", nested too deep"
        else:
            why = ""
        if not isinstance(row, dict):
            found = shortened(line, 40) + why
            problems.broken(origin.at(number), f"expected a JSON object, found {found}")
            continue
        places.append(number)
        rows.append(row)
    if not rows:
        return pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.String) | {PLACE: pl.Int64})
    require(dict.fromkeys(key for row in rows for key in row), origin, but=but, remedy=CORPUS)
    return from_rows(rows, places, origin, problems)


def _parsed(line: str) -> Any:
    """A line of JSON; numbers of more digits than Python takes are text."""
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(line, parse_int=lambda digits: digits)


def _words(frame: pl.DataFrame) -> set[str]:
    """The words a file is about, whether or not any of their usages will be kept."""
    words = frame["word"].str.strip_chars().str.normalize("NFC")
    return {word for word in words.unique() if word}


def _are_labels(
    labels: list[str], parts: list[tuple[pl.DataFrame, Origin]], period: str | None
) -> bool:
    """Whether periods asked for are values of the period column, rather than ranges of years."""
    if period is not None:
        return True
    known: set[str] = set()
    for frame, _ in parts:
        if "period" in frame.columns:
            known |= set(frame["period"].str.strip_chars().drop_nulls().unique())
    return all(label in known for label in labels)


def _dated(frame: pl.DataFrame, origin: Origin, spans: Spans, problems: Problems) -> pl.DataFrame:
    """The frame with the period of every date; rows outside all periods are left out."""
    if "date" not in frame.columns:
        names = shortened(", ".join(name for name in frame.columns if name != PLACE), 200)
        raise InputError(f"{origin.name}: periods by year need the column date, found {names}.")
    if PLACE not in frame.columns:
        frame = frame.with_row_index(PLACE)
    frame = frame.with_columns(year_of(pl.col("date")).alias("#year"))
    for row in frame.filter(pl.col("#year").is_null()).iter_rows(named=True):
        found = repr(row["date"] or "nothing")
        problems.broken(
            origin.at(row[PLACE], "date"),
            f"expected a year such as 1815 or 1815-03-02, found {shortened(found)}",
        )
    frame = frame.filter(pl.col("#year").is_not_null())
    frame = frame.with_columns(spans.expression(pl.col("#year")).alias("period"))
    outside = frame["period"].null_count()
    if outside:
        problems.left_out(
            f"{origin.name}: {outside:,} usages dated outside the periods "
            f"{', '.join(spans.labels)} were left out."
        )
    return frame.filter(pl.col("period").is_not_null()).drop("#year")


def _only(table: pl.DataFrame, order: list[str], problems: Problems) -> pl.DataFrame:
    kept = table.filter(pl.col("period").is_in(order))
    if outside := table.height - kept.height:
        problems.left_out(
            f"{outside:,} usages of periods other than {', '.join(order)} were left out."
        )
    return kept
