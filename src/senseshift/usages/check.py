"""The check that every row of a table is a usage.

All rules run as polars expressions over whole columns; a row is looked at singly only to name it.
"""

from __future__ import annotations

import polars as pl

from senseshift.errors import shortened
from senseshift.usages.problems import Problems
from senseshift.usages.schema import COLUMNS, PASSING, PLACE, REQUIRED, SPAN, Origin, require
from senseshift.usages.texts import as_texts

__all__ = ["COLUMNS", "Origin", "check"]


def check(frame: pl.DataFrame, origin: Origin, problems: Problems) -> pl.DataFrame:
    """The rows of a frame that are usages, with the columns and types of ``schema``.

    The frame may have a column :data:`PLACE` with the number of each row in its file.
    """
    require(frame.columns, origin)
    frame = as_texts(frame, origin, problems)
    if PLACE not in frame.columns:
        frame = frame.with_row_index(PLACE)
    table = _typed(frame)
    table = table.with_columns(_problem().alias("#problem"))
    # Only rows that are usages otherwise can be duplicates of one another.
    good = pl.col("#problem").is_null()
    twice = good & ~pl.struct(pl.when(good).then("word"), "id").is_first_distinct()
    table = table.with_columns(
        pl.when(twice).then(pl.lit("id")).otherwise("#problem").alias("#problem")
    )
    if table["#problem"].null_count() < table.height:
        first = pl.col(PLACE).filter(good).first().over("word", "id")
        bad = table.with_columns(first.alias("#first")).filter(~good)
        for row in bad.iter_rows(named=True):
            column, what = _say(row)
            problems.broken(origin.at(row[PLACE], column), what)
    return table.filter(pl.col("#problem").is_null()).select(_kept(table.columns))


def _kept(columns: list[str]) -> list[str]:
    """Our columns in their order, then the others."""
    aside = {*COLUMNS, *PASSING, SPAN}
    others = [name for name in columns if name not in aside]
    return [name for name in COLUMNS if name in columns] + others


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    """Every column as its type; what cannot be a number becomes null, its text kept beside it."""
    if SPAN in frame.columns and not {"start", "end"} <= set(frame.columns):
        cut = pl.col(SPAN).str.splitn(":", 2).struct
        frame = frame.with_columns(start=cut.field("field_0"), end=cut.field("field_1"))
    frame = frame.select(PLACE, *_kept(frame.columns))
    return frame.with_columns(
        pl.col("word").str.strip_chars().str.normalize("NFC"),
        pl.col("period").str.strip_chars(),
        pl.col("start").alias("#start"),
        pl.col("end").alias("#end"),
        _whole("start"),
        _whole("end"),
        *(
            pl.when(pl.col(name).str.strip_chars() != "").then(pl.col(name)).alias(name)
            for name in frame.columns
            if name not in {*REQUIRED, PLACE}
        ),
    )


def _whole(name: str) -> pl.Expr:
    """Whole numbers, also when written 3.0 as pandas does for columns with gaps."""
    text = pl.col(name).str.strip_chars()
    return text.str.replace(r"\.0+$", "").cast(pl.Int64, strict=False).alias(name)


def _problem() -> pl.Expr:
    """The first rule that a row breaks, by name; null for a usage."""
    empty = [
        (pl.col(name).is_null() | (pl.col(name) == ""), name)
        for name in ("word", "period", "id", "text")
    ]
    rules = [
        *empty,
        (pl.col("start").is_null(), "start"),
        (pl.col("end").is_null(), "end"),
        (pl.col("start") < 0, "before"),
        (pl.col("end") > pl.col("text").str.len_chars(), "beyond"),
        (pl.col("end") <= pl.col("start"), "nothing"),
    ]
    return pl.coalesce(pl.when(broken).then(pl.lit(name)) for broken, name in rules)


def _say(row: dict[str, object]) -> tuple[str, str]:
    """The column that a row breaks and what is wrong with it."""
    problem, text = str(row["#problem"]), str(row["text"])
    span = f"{row['start']}:{row['end']}"
    if problem in ("start", "end"):
        found = row[f"#{problem}"]
        said = "nothing" if found is None else shortened(repr(found))
        return problem, f"expected a whole number, found {said}"
    if problem == "before":
        return "start", f"expected a span inside the text, found {span}, which starts before it"
    if problem == "beyond":
        return "end", f"expected a span inside the text of {len(text)} characters, found {span}"
    if problem == "nothing":
        return "end", f"expected a span that holds the target, found the empty span {span}"
    if problem == "id" and row["id"]:
        return "id", (
            f"expected an id of its own for each usage of {shortened(str(row['word']))}, "
            f"found {shortened(repr(row['id']))} again (first in {row['#first']})"
        )
    return problem, "expected some text, found nothing"
