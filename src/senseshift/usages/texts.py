"""Records and tables of any kind, as columns of text under our names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import polars as pl

from senseshift.errors import InputError, shortened
from senseshift.usages.problems import Problems
from senseshift.usages.schema import COLUMNS, PLACE, SPAN, Origin, rename

KNOWN = frozenset({*COLUMNS, SPAN})
NESTED = (list, tuple, dict, set, frozenset)


def as_text(value: Any) -> str | None:
    """A value as a table holds it: whole numbers stay whole, what is nested becomes JSON."""
    if value is None or isinstance(value, str):
        return value
    if type(value) is int:
        # Python writes no decimals of very many digits.
        return str(value) if value.bit_length() < 10_000 else hex(value)
    if hasattr(value, "tolist"):
        value = value.tolist()  # of numpy
    if isinstance(value, float):
        if isnan(value):
            return None
        # pandas makes 1 a float where a column has gaps
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, bool):
        return str(value).lower()
    return _json(value) if isinstance(value, NESTED) else str(value)


def _json(value: Any) -> str:
    value = sorted(map(str, value)) if isinstance(value, set | frozenset) else value
    return json.dumps(value, ensure_ascii=False, default=str)


def from_rows(
    rows: Sequence[Mapping[str, Any]], places: Sequence[int], origin: Origin, problems: Problems
) -> pl.DataFrame:
    """Records as a frame; those that cannot be text are broken rows."""
    bad: dict[int, tuple[str, str]] = {}
    names = rename(dict.fromkeys(key for row in rows for key in row))
    cells: dict[str, list[str | None]] = {here: [None] * len(rows) for here in names.values()}
    targets = {name: (here, cells[here]) for name, here in names.items()}
    for k, row in enumerate(rows):
        for name, value in row.items():
            if name in targets:
                here, column = targets[name]
                try:
                    # Most are text already.
                    column[k] = value if type(value) is str else as_text(_plain(value, here))
                except (ValueError, TypeError, RecursionError) as error:
                    bad.setdefault(k, (here, str(error)))
    columns = [_series(here, column, bad) for here, column in cells.items()]
    for k in sorted(bad):
        column_name, complaint = bad[k]
        problems.broken(origin.at(places[k], column_name), shortened(complaint, 200))
    frame = pl.DataFrame([*columns, pl.Series(PLACE, places, dtype=pl.Int64)])
    return frame.filter(pl.Series([k not in bad for k in range(len(rows))], dtype=pl.Boolean))


def _plain(value: Any, column: str) -> Any:
    """A value; of our own columns only one that is not nested."""
    if column in KNOWN and isinstance(value, NESTED):
        kind = "an object" if isinstance(value, dict) else "a list"
        raise TypeError(f"expected text or a number, found {kind}: {shortened(str(value), 40)}")
    return value


def _series(name: str, column: list[str | None], bad: dict[int, tuple[str, str]]) -> pl.Series:
    try:
        return pl.Series(name, column, dtype=pl.String)
    except UnicodeEncodeError:
        for k, cell in enumerate(column):
            if cell is not None and not _is_unicode(cell):
                bad.setdefault(k, (name, "expected Unicode text, found half a surrogate pair"))
                column[k] = None
    if not _is_unicode(name):
        name = name.encode("utf-8", "backslashreplace").decode()
    return pl.Series(name, column, dtype=pl.String)


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def as_texts(frame: pl.DataFrame, origin: Origin, problems: Problems) -> pl.DataFrame:
    """All columns of a table under our names and as text."""
    names = rename([name for name in frame.columns if name != PLACE])
    columns = [frame[PLACE]] if PLACE in frame.columns else []
    for column in frame.get_columns():
        if column.name in names:
            here = names[column.name]
            try:
                columns.append(_column(column, nested=here not in KNOWN).alias(here))
            except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
                complaint = f"{origin.name}: the column {shortened(column.name)} "
                if here in KNOWN:
                    raise InputError(
                        f"{complaint}holds {shortened(str(column.dtype), 40)} that cannot be read "
                        f"as text ({_first(error)}): write it as text or numbers."
                    ) from None
                problems.left_out(f"{complaint}was left out, since it is no text.")
    return pl.DataFrame(columns)


def _column(column: pl.Series, *, nested: bool) -> pl.Series:
    kind = column.dtype
    if kind == pl.String:
        return column
    if kind.is_nested():
        if not nested:
            raise TypeError("lists and structures are not text")
        cells = [None if cell is None else _json(cell) for cell in column.to_list()]
        return pl.Series(column.name, cells, dtype=pl.String)
    if kind.is_float():
        # Whole numbers stay whole where gaps made a column one of floats.
        return column.fill_nan(None).cast(pl.String).str.replace(r"\.0+$", "")
    if kind == pl.Object:
        raise TypeError("objects of Python are not text")
    return column.cast(pl.String)


def _first(error: Exception) -> str:
    return shortened((str(error).strip().splitlines() or [type(error).__name__])[0].rstrip("."))
